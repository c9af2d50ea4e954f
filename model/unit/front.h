/*
 * front: functions of the unit for S, A, F, D and the dispatch queue. They name no machine: a cluster has one
 * front, each scheduler of an SM with barrel issue has its own (model/sm/barrel.c).
 *
 * Fillings and services are compiled once separately, for the general instance, and again in each plain
 * instance, which includes their source files (model/slots/plain/). A plain instance serves a unit without
 * waves, twins, records and checks, whose options are exactly those of its rows. UNIT_GENERAL is false there.
 */
#ifndef MODEL_UNIT_FRONT_H
#define MODEL_UNIT_FRONT_H

#include "model/unit/unit.h"

#ifndef UNIT_SERVICE
#define UNIT_SERVICE        /* linkage of services */
#define UNIT_STAGE   static /* linkage of the functions of a row */
#define UNIT_ROW            /* linkage of rows */
#define UNIT_GENERAL true
#define SLOTS(u)     ((u)->slots)
#endif

/* A plain instance has at most 64 warps: a set is one word. */
static inline bool unit_any(warp_set s) {
    return UNIT_GENERAL ? s != 0 : (uint64_t)s != 0;
}

/* --- options that a plain instance does not have --- */

static inline bool unit_is_uniform(const struct unit *u) {
    return UNIT_GENERAL && __builtin_expect(u->uniform != NULL, 0);
}
/* Returns whether the threads of a flight have several instructions. */
static inline bool unit_is_mixed(const struct unit *u, const struct unit_flight *f) {
    return UNIT_GENERAL && u->mixed_flights && warp_set_has(u->mixed_flights, (unsigned)(f - u->flight));
}

/* --- flights --- */

static inline struct unit_flight *nth(struct unit *u, uint32_t n) {
    return &u->flight[u->order[n % UNIT_RING]];
}

/* Returns a flight to the pool. */
static inline void unit_drop(struct unit *u, struct unit_flight *f) {
    f->next = u->free;
    u->free = (uint16_t)(f - u->flight);
}

/* Returns whether several rounds may start in a cycle. */
static inline bool unit_starts_several(const struct unit *u) {
    return UNIT_GENERAL && __builtin_expect(u->several != NULL, 0);
}

/* Returns the first cycle in which O may start a flight. */
static inline uint64_t unit_o_due(struct unit *u) {
    if (u->collecting == u->left) return UNIT_NEVER;
    if (unit_starts_several(u)) return SLOTS(u)->lanes->several->room(u);
    const unsigned waiting = u->collecting - u->started;
    if (waiting >= u->collectors) return UNIT_NEVER;
    uint64_t due = nth(u, u->collecting)->left + 2;
    later(&due, u->o_free);
    if (waiting + 1 == u->collectors) later(&due, u->x_last == UNIT_NEVER ? UNIT_NEVER : u->x_last + 1);
    return due;
}

/* --- stages that several rows share (flights.c) --- */

/* Empties the front. */
UNIT_SERVICE void unit_begin_flights(struct unit *u);
/* Selects a warp in cycle t. */
UNIT_SERVICE void unit_select(struct unit *u, unsigned warp, uint64_t t);
/* Hands the flight in A over at the end of cycle t. */
UNIT_SERVICE void unit_leave_arbitrate(struct unit *u, struct unit_flight *a, uint64_t t);
/* Decodes flight `decoded` in cycle t. */
UNIT_SERVICE void unit_decode(struct unit *u, uint64_t t);

/* --- uniform values (uniform.c), where uniform.storage is not none --- */

void unit_uniform_decode(struct unit *u, struct unit_flight *f);
/* Returns whether a flight stays in F, since a copy instruction of its warp is in flight (simt.mitigation
 * dpe). */
bool unit_uniform_holds(const struct unit *u, const struct unit_flight *f);
static inline bool unit_holds(const struct unit *u, const struct unit_flight *f) {
    return unit_is_uniform(u) && SLOTS(u)->mitigation->second && unit_uniform_holds(u, f);
}

#endif

/*
 * services: functions of the unit that the fillings (rows) of slots call, in addition to those of front.h.
 */
#ifndef MODEL_UNIT_SERVICES_H
#define MODEL_UNIT_SERVICES_H

#include "model/cluster/cluster_threads.h"
#include "model/unit/front.h"

/* --- sets --- */

/* Adds a warp to a set. A plain instance has at most 64 warps: a set is one word. */
static inline void unit_add(warp_set *s, unsigned warp) {
    if (UNIT_GENERAL)
        warp_set_add(s, warp);
    else
        *(warp_set_word *)s |= UINT64_C(1) << warp;
}
static inline void unit_remove(warp_set *s, unsigned warp) {
    if (UNIT_GENERAL)
        warp_set_remove(s, warp);
    else
        *(warp_set_word *)s &= ~(UINT64_C(1) << warp);
}
static inline bool unit_has(warp_set s, unsigned warp) {
    return UNIT_GENERAL ? warp_set_has(s, warp) : (uint64_t)s >> warp & 1;
}

/* --- options that a plain instance does not have --- */

static inline bool unit_has_ports(const struct unit *u) {
    return UNIT_GENERAL && __builtin_expect(u->ports, 0);
}
static inline struct fault *unit_fault(const struct unit *u) {
    return UNIT_GENERAL ? u->simt->fault : NULL;
}
static inline bool unit_debugger_asks(const struct unit *u, const struct arm_instruction *i) {
    return UNIT_GENERAL && debugger_asks(u->simt->debugger, i);
}
static inline struct recorder *unit_recorder(const struct unit *u) {
    return UNIT_GENERAL ? u->simt->recorder : NULL;
}
/* Returns the form in which a flight is executed. */
static inline enum uniform_form unit_form(const struct unit *u, const struct unit_flight *f) {
    return unit_is_uniform(u) ? u->uniform[f - u->flight].form : UNIFORM_VECTOR;
}

/* --- flights --- */

static inline bool unit_accesses_memory(const struct unit_flight *f) {
    return (f->i->is_load || f->i->is_store) && f->passed;
}

static inline bool unit_is_written(const struct unit_flight *f) {
    return !f->writes_left && !(UNIT_GENERAL && f->scalar_writes_left);
}

/* Returns a flight as observers see it. */
static inline struct simt_instruction unit_instruction(const struct unit_flight *f) {
    return (struct simt_instruction){f->i, f->warp, f->pc, f->participating};
}

/* Returns the occupancy of the lanes by a round. A result from the reuse buffer takes one cycle. */
static inline unsigned unit_occupancy(const struct unit *u, const struct unit_flight *f) {
    if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_REUSED) return 1;
    return u->simt->config->core.occupancy_cycles[f->i->class];
}
static inline unsigned unit_latency(const struct unit *u, const struct unit_flight *f) {
    if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_REUSED) return 1;
    const unsigned network = SLOTS(u)->mitigation->saves && f->passed && f->i->destinations ? f->network : 0;
    return u->simt->config->core.latency_cycles[f->i->class] + network;
}

/* Returns the first cycle in which X has work. */
static inline uint64_t unit_x_due(struct unit *u) {
    if (unit_starts_several(u)) return SLOTS(u)->lanes->several->due(u);
    if (u->x_flight != UNIT_NONE) return u->x_next;
    if (u->started == u->collecting) return UNIT_NEVER;
    const uint64_t collected = nth(u, u->started)->collected;
    return collected < u->x_free ? u->x_free : collected + 1;
}

/* Returns the ready threads of a warp that can run next. */
static inline uint64_t unit_runs(const struct unit *u, unsigned warp) {
    const struct divergence_slot *d = u->slots->divergence;
    return d->runs ? d->runs(u, warp) : u->cluster->descriptors.warp[warp].ready;
}

/* --- stages that several rows share --- */

/* Starts the collection of flight `collecting` in cycle t (shared/collection.c). Returns the flight. */
UNIT_SERVICE struct unit_flight *unit_start_collection(struct unit *u, uint64_t t);
/* Moves the oldest collected flight to the lanes in cycle t and executes it (execute.c). Returns NULL if it
 * fails. */
UNIT_SERVICE struct unit_flight *unit_take_collected(struct unit *u, uint64_t t);

/* Executes an instruction for its threads; unit_execute() also counts it. Return false with a
 * diagnosis if it fails. */
UNIT_SERVICE bool unit_execute_threads(struct unit *u, struct unit_flight *f, struct arm_execution *x,
                                       uint64_t t);
UNIT_SERVICE bool unit_execute(struct unit *u, struct unit_flight *f, uint64_t t);

/* Notes that all rounds of a flight have started (commit.c). Its last result is ready at the end of cycle
 * `result`. */
UNIT_SERVICE void unit_land(struct unit *u, unsigned number, uint64_t result);
/* Notes in cycle t that the last result of a landed flight has become known. */
UNIT_SERVICE void unit_landed_until(struct unit *u, struct unit_flight *f, uint64_t t);
/* Writes `lines` lines and `scalars` scalar registers of a flight's result in cycle t. */
UNIT_SERVICE void unit_write_result(struct unit *u, struct unit_flight *f, unsigned lines, unsigned scalars,
                                    uint64_t t);
/* Commits landing[n] in cycle t. */
UNIT_SERVICE void unit_commit(struct unit *u, unsigned n, uint64_t t);
/* Ends the commit of a flight after that of its threads. Those of `stay` are ready in the next cycle. */
UNIT_SERVICE void unit_end_commit(struct unit *u, struct unit_flight *f, uint64_t stay,
                                  enum machine_cause cause, uint64_t t);
/* Steps the barriers in cycle t, after its commits. */
UNIT_SERVICE uint64_t unit_step_barriers(struct unit *u, uint64_t t);
/* Makes the front due in the next cycle if a change of ready or stalled warps concerns it. Returns the next
 * cycle with work. */
static inline uint64_t unit_wake_front(struct unit *u, uint64_t next, uint64_t t) {
    if (SLOTS(u)->scheduler->looks || (unit_any(u->ready) && u->arbitrated == u->selected))
        return u->front_next = t + 1;
    return next;
}

/* --- uniform values (uniform.c), where uniform.storage is not none --- */

void unit_uniform_begin(struct unit *u, uint64_t t);
void unit_uniform_collect(struct unit *u, struct unit_flight *f);
/* Note written results: all of them, or those of a beat of the last round. */
void unit_uniform_write(struct unit *u, struct unit_flight *f, unsigned beat);
void unit_uniform_write_beat(struct unit *u, struct unit_flight *f);
/* Notes all results of an instruction that neither loads nor stores. */
void unit_uniform_execute(struct unit *u, struct unit_flight *f);
void unit_uniform_executed(struct unit *u, const struct unit_flight *f);
void unit_uniform_committed(struct unit *u, const struct unit_flight *f);
/* Ends a cycle, before its commits. */
void unit_uniform_step(struct unit *u, uint64_t t);

/* --- what is watched (watch.c) --- */

/* Passes an event to the injected fault: a flight reads, has written, or is executed in its form. */
void unit_watch_fault(struct unit *u, const struct unit_flight *f, fault_event *event);
/* Record a flight that commits in cycle t; cycles in which a stage stalls with a flight. */
void unit_record_commit(struct unit *u, const struct unit_flight *f, uint64_t t);
void unit_record_stall(struct unit *u, enum record_stage stage, const struct unit_flight *f, uint64_t first,
                       uint64_t end);
/* --- ports (ports.c) --- */

/* Runs the twin of a block, between the block's evaluation and its clock edge. */
static inline void unit_run_twin(struct unit *u, enum cluster_block block, uint64_t t) {
    if (UNIT_GENERAL) block_twins_cycle(u->cluster->twins, block, t);
}
static inline bool unit_notes_descriptors(const struct unit *u) {
    return UNIT_GENERAL && cluster_notes_descriptors(u->cluster);
}
/* Writes the threads that A has chosen, or what an instruction will do, into the ports of the descriptors. */
void unit_tell_schedule(struct unit *u, const struct unit_flight *f);
void unit_tell_descriptors(struct unit *u, const struct unit_flight *f);
/* Does S and A of cycle t by the co-processor's policy. Returns whether the warp in A leaves it. */
bool unit_whole_chooses(struct unit *u, uint64_t t);

#endif

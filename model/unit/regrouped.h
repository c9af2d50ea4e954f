/*
 * regrouped: flights with threads of several warps, for engines that form warps (divergence.md §4.10, §5).
 *
 * A thread's home is its warp and position in the TPMs or in the register file of an SM, where its registers
 * stay: warp · warp size + position. An engine names a thread by row and lane (regrouped_warp.h), for life.
 * If the engine's warps have `width` simt.warp_size, a row is a home warp, and a lane is a position. If they
 * are as wide as the lanes of the unit, a row is a round of a home warp. Either way a thread is executed in
 * the lane of its home.
 */
#ifndef MODEL_UNIT_REGROUPED_H
#define MODEL_UNIT_REGROUPED_H

#include "model/divergence/regrouped_warp.h"
#include "model/unit/unit.h"

#define REGROUPED_AWAY UINT32_MAX /* number of a flight whose accesses have left */

#define REGROUPED_MAX_PARTS (LWM_MAX_THREADS / 4)
struct regrouped_large;

/* Functions of a unit's machine for the threads of an engine's warp. */
struct regrouped_machine {
    void (*take)(struct unit *u, struct unit_flight *f, const struct regrouped_warp *w);
    /* Return the threads of a home warp that can run, and the PC of each of its threads. */
    uint64_t (*ready)(const struct unit *u, unsigned warp);
    const uint32_t *(*pcs)(const struct unit *u, unsigned warp);
    /* Commits a warp, whose threads in the lanes `leaving` wait at a barrier (o->waits) or exit. */
    void (*commit)(struct unit *u, const struct regrouped_warp *w, const struct regrouped_outcome *o,
                   uint64_t leaving, uint64_t t);

    /* Large warps: the threads of a home warp that wait at a barrier; the stacks, by number. */
    uint64_t (*waiting)(const struct unit *u, unsigned warp);
    struct re_convergence_stack *(*stacks)(const struct unit *u);
    /* Gives a flight sub-warps in S. NULL: each becomes a flight when it comes to the operands. */
    void (*take_subwarps)(struct unit *u, struct unit_flight *f);
    void (*commit_large)(struct unit *u, const struct regrouped_large *w, uint64_t t);
};

/* A large warp: thread k is the k mod `size`-th of home warp part[k / size]. */
struct regrouped_large {
    unsigned number, parts;
    uint8_t part[REGROUPED_MAX_PARTS];
    re_convergence_mask participating, passed; /* threads of the instruction; with a true condition */
};

struct unit_regrouped {
    const struct regrouped_machine *machine;
    unsigned rows, width;      /* the engine's rows; threads of a row and of a warp of the engine */
    unsigned size, schedulers; /* threads of a home warp; n-th home warp of the unit: n · schedulers + path */
    unsigned groups;           /* most work-groups */
    bool whole;                /* a row is adjacent threads of one home warp */
    bool straight;             /* place[n] is n */
    /* The n-th thread of a home warp in the order of rows and lanes has position place[n]; the one in
     * position k has number at[k]. A lane of the engine's warps is position place[lane] of a flight. */
    uint8_t place[REGROUPED_MAX_LANES], at[REGROUPED_MAX_LANES];

    /* clusters of cores */
    uint16_t (*home)[MACHINE_MAX_WARP_SIZE]; /* homes of each flight's threads */
    struct warp_wait *wait;                  /* last wait of each thread, by home */
};

/* Returns the home of the thread in a row and lane. */
static inline unsigned unit_home(const struct unit *u, unsigned row, unsigned lane) {
    const struct unit_regrouped *r = u->regrouped;
    const unsigned n = row * r->width + lane;
    if (r->width == r->size) return (row * r->schedulers + u->path) * r->size + lane;
    return (n / r->size * r->schedulers + u->path) * r->size + r->place[n % r->size];
}

/* --- for machines --- */

/* Makes u->regrouped a copy of *r. */
void unit_regroup(struct unit *u, const struct unit_regrouped *r);
void unit_regroup_free(struct unit *u);

/* Starts the threads in some rows, those of a work-group. */
void unit_start_rows(struct unit *u, unsigned first, unsigned rows, unsigned group);
/* Notes that the access of a thread has been written. */
void unit_accessed(struct unit *u, unsigned home);

/* --- for engines --- */

/* Gives a flight the threads of an engine's warp, in S. */
static inline void unit_take_regrouped(struct unit *u, struct unit_flight *f,
                                       const struct regrouped_warp *w) {
    u->regrouped->machine->take(u, f, w);
}
/* Commits the threads of an engine's warp in cycle t, whose flights have been written. Fills in the outcome.
 */
void unit_commit_regrouped(struct unit *u, const struct regrouped_warp *w, struct regrouped_outcome *o,
                           uint64_t t);
/* Reports the places of the threads in some lanes of a warp. */
struct regrouped_place {
    enum thread_place_state state;
    const char *table;
    unsigned entry;
};
void unit_visit_regrouped(const struct unit *u, const struct regrouped_warp *w, uint64_t lanes,
                          struct regrouped_place at, thread_place_visitor *visit, void *context);

/* Returns the home of a large warp's thread. */
unsigned unit_large_home(const struct unit *u, const struct regrouped_large *w, unsigned thread);
/* Returns positions of the n-th home warp as threads of the large warp. */
re_convergence_mask unit_in_large(const struct unit *u, unsigned n, uint64_t positions);
/* Returns the threads of a large warp that `state`, a function of the machine, has in their home warps. */
re_convergence_mask unit_large_threads(const struct unit *u, const struct regrouped_large *w,
                                       uint64_t (*state)(const struct unit *u, unsigned warp));

#endif

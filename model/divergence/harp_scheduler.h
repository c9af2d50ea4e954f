/* harp_scheduler: HARP (divergence.md §5): tables in which threads with the same PC merge into warps.
 *
 * Every live thread is in exactly one of these places:
 *   Second-Level (SL)     ready warps, a FIFO; and warps that wait for memory because the Waiting-Lookup
 *                         was full
 *   First-Level (FL)      warps from their transfer until their commit or memory access
 *   Ready-Lookup (RL)     warps of diverged threads
 *   Waiting-Lookup (WL)   warps at a memory instruction
 *   stages                warps in the pipeline of the barriers' table
 *   barriers              single threads at a re-convergence point (re_convergence_barriers.h)
 *   parked                warps at a work-group barrier
 *
 * A thread that arrives at a work-group barrier leaves all barriers that it has reserved, as by an exit: no
 * thread waits for it. Threads in different iterations of a loop merge in the tables and diverge at a
 * condition that is uniform in each iteration. So one thread may wait at the work-group barrier for others
 * that would otherwise wait for it at the re-convergence point.
 *
 * A cycle starts with `choose`, which selects the warps that depart from the state at its beginning: the
 * committed one and the issued one. Events of the pipeline (`due`, `to_memory`, `done`, `release`) that are
 * reported before count for this cycle. Then `step` gets the outcome of the committed instruction: first all
 * departures are made, then all arrivals. A freed barrier can be reserved from the next cycle on. `step`
 * consists of parts that use each piece of hardware once; with twins, each part is a clock
 * (harp_scheduler_cycle.h).
 *
 * One for each scheduler of an SM (model/sm/divergence_harp.c), or for a cluster of cores
 * (model/slots/divergence/harp.c), with `simt.divergence: harp`. */
#ifndef MODEL_DIVERGENCE_HARP_SCHEDULER_H
#define MODEL_DIVERGENCE_HARP_SCHEDULER_H

#include "model/config/limits.h"
#include "model/divergence/re_convergence_barriers.h"
#include "model/divergence/re_convergence_stack.h"
#include "model/divergence/second_level.h"
#include "model/divergence/warp_lookup.h"
#include "sim/counter.h"

/* A warp of the First-Level; numbers are in the order of entry, and so in the order of S. */
struct harp_first_level {
    struct issued_warp warp;
    uint64_t due; /* cycle of its C; UINT64_MAX: unknown */
};

/* Origin of the committed warp. */
enum harp_source { HARP_NONE, HARP_FROM_FIRST_LEVEL, HARP_FROM_LOOKUP, HARP_FROM_SECOND_LEVEL };

struct harp_scheduler {
    struct harp_config {
        unsigned threads;                      /* most live threads */
        unsigned second_level, first_level;    /* warps; 512 (more are counted), 16 */
        unsigned ready_lookup, waiting_lookup; /* entries; 8, 8 */
        unsigned sets, ways;                   /* barriers; 8, 16 */
        unsigned barrier_stages;               /* 1, 2, 4 */
    } cfg;
    struct second_level second_level; /* ready warps; room for cfg.threads */
    struct issued_warp *waiting;      /* warps of the Second-Level that wait for memory */
    unsigned waits;
    bool *waiting_slot;                                        /* slots taken by these */
    struct harp_first_level first_level[HARP_MAX_FIRST_LEVEL]; /* warps in any order */
    uint8_t fl_slot[HARP_MAX_FIRST_LEVEL]; /* index of the n-th warp, the oldest first; then free ones */
    unsigned in_first_level;
    uint64_t fl_issued, fl_due; /* bit n: the n-th has been issued; the cycle of its C is known */
    uint64_t fl_memory;         /* bit n: the n-th leaves for the Waiting-Lookup in this cycle */
    uint32_t number;            /* number of the next warp */
    struct warp_lookup ready_lookup, waiting_lookup;
    struct re_convergence_barriers barriers;
    struct second_level parked; /* warps at work-group barriers, in order of arrival */
    uint64_t released;          /* work-groups whose barrier has opened */
    unsigned unparks;           /* parked warps still to be checked in this cycle */
    struct harp_stage {
        uint64_t due; /* cycle of the arrival */
        struct regrouped_warp warp;
        struct re_convergence_group groups[REGROUPED_MAX_LANES];
        unsigned count, arrived; /* number of groups; groups that have arrived */
        bool diverged;
    } stage[HARP_MAX_STAGES]; /* the oldest first */
    unsigned in_stages;
    struct {
        enum harp_source source;
        unsigned committed; /* index in its source */
        int barrier;        /* barrier that goes to the Second-Level; −1: none */
        bool lookup;        /* the Ready-Lookup's oldest entry goes there, unless a barrier does */
        bool forward;       /* the Second-Level's oldest warp goes to the First-Level */
        int issued;         /* warp of the First-Level; −1: none */
    } chosen;
    struct {
        unsigned most_second_level, most_first_level; /* most warps at the same time */
        uint64_t over;                /* cycles with more warps in the Second-Level than entries */
        uint64_t divergences, groups; /* instructions after which threads diverged; their groups */
    } counted;
    uint64_t stepped; /* last cycle stepped */
    uint64_t met;     /* lanes whose threads reached a barrier in the last part of a cycle */
    struct harp_scheduler_cycle *cycle; /* each part is a clock of it; NULL: none */
};

void harp_scheduler_init(struct harp_scheduler *h, const struct harp_config *c);
void harp_scheduler_free(struct harp_scheduler *h);
/* Removes all warps; counters are kept. */
void harp_scheduler_clear(struct harp_scheduler *h);

/* Adds a new warp to the Second-Level. */
void harp_scheduler_start(struct harp_scheduler *h, const struct regrouped_warp *w);

/* --- events of the pipeline, before the cycle for which they count --- */

/* Notes that a warp of the First-Level can be committed from this cycle on. */
void harp_scheduler_due(struct harp_scheduler *h, uint32_t number, uint64_t cycle);
/* Notes that a warp leaves the First-Level in this cycle: its instruction accesses a buffer. */
void harp_scheduler_to_memory(struct harp_scheduler *h, uint32_t number);
/* Notes that the access of one thread is done. */
void harp_scheduler_done(struct harp_scheduler *h, unsigned row, unsigned lane);
/* Opens the barrier of a work-group. */
void harp_scheduler_release(struct harp_scheduler *h, uint32_t group);

/* --- a cycle --- */

/* Chooses the warps that depart: *committed and, where it `issues`, *issued with
 * number *number (NULL: none). */
void harp_scheduler_choose(struct harp_scheduler *h, uint64_t cycle, bool issues,
                           const struct regrouped_warp **committed, const struct regrouped_warp **issued,
                           uint32_t *number);
/* Does the cycle. `o`: outcome of the committed warp, if any. */
void harp_scheduler_step(struct harp_scheduler *h, uint64_t cycle, const struct regrouped_outcome *o);

/* The parts of harp_scheduler_step(). Starts a cycle: does the departures. */
void harp_scheduler_begin(struct harp_scheduler *h, uint64_t cycle, const struct regrouped_outcome *o);
/* Returns whether an arrival of this cycle is left. */
bool harp_scheduler_pending(const struct harp_scheduler *h);
/* Does one arrival: a warp in the Waiting-Lookup, a group, or a parked warp. */
void harp_scheduler_go_on(struct harp_scheduler *h);

/* Returns whether something would depart or arrive in the next cycle without new events. `issues`: see
 * choose. */
bool harp_scheduler_moves(const struct harp_scheduler *h, bool issues);

/* --- parts of a cycle, for the example of divergence.md §3 --- */

/* Commits a warp with outcome `o`; its groups arrive. `gone`: a barrier freed in this cycle. */
void harp_scheduler_commit(struct harp_scheduler *h, const struct regrouped_warp *w,
                           const struct regrouped_outcome *o, uint64_t cycle, int gone);
/* Does the arrivals of this cycle from the stages of the barriers' table. */
void harp_scheduler_settle(struct harp_scheduler *h, uint64_t cycle);
/* Takes the Second-Level's oldest ready warp. Returns false if there is none. */
bool harp_scheduler_take(struct harp_scheduler *h, struct regrouped_warp *w);
/* Moves to the Second-Level the first complete barrier; if there is none and fewer than two warps are ready
 * there, the Ready-Lookup's oldest entry. */
void harp_scheduler_transfer(struct harp_scheduler *h);

/* Registers the counters of the n-th of a unit. */
void harp_scheduler_register(struct harp_scheduler *h, const char *scope, unsigned n,
                             struct counter_registry *r);

#endif

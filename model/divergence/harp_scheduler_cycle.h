/* harp_scheduler_cycle: the whole of HARP with the ports and flip-flops of its Verilog, one part of a cycle
 * in each clock, for twins (block_twins.h).
 *
 * If it exists, each function that reports an event of the pipeline takes a clock, `choose` takes one, and
 * `step` one for each of its parts. A warp that is due can be committed from the next `choose` on. A
 * scheduler has at most 1,024 threads of at most 32 lanes, lookups of at most 16 entries, and barriers within
 * the limits of re_convergence_barriers_cycle.h. */
#ifndef MODEL_DIVERGENCE_HARP_SCHEDULER_CYCLE_H
#define MODEL_DIVERGENCE_HARP_SCHEDULER_CYCLE_H

#include "generated/harp_scheduler_ports.h"
#include "model/config/limits.h"
#include "model/control/block_twins.h"
#include "model/divergence/harp_scheduler.h"
#include "model/divergence/re_convergence_barriers_cycle.h"
#include "model/divergence/second_level_cycle.h"
#include "model/divergence/warp_lookup_cycle.h"

#define HARP_SCHEDULER_CYCLE_MAX_THREADS SECOND_LEVEL_CYCLE_MAX_ENTRIES
#define HARP_SCHEDULER_CYCLE_MAX_SLOTS   WARP_LOOKUP_CYCLE_MAX_ENTRIES

struct harp_scheduler_cycle {
    struct harp_scheduler *whole;
    unsigned lanes;              /* 1–32 */
    struct harp_scheduler_in in; /* ports and flip-flops: rtl/harp_scheduler.sv */
    struct harp_scheduler_out out;
    struct harp_scheduler_state q;                             /* points to the arrays below */
    uint32_t rows[MACHINE_MAX_LANES], next[MACHINE_MAX_LANES]; /* arrays of `in` */
    uint32_t commit_rows[MACHINE_MAX_LANES], issue_rows[MACHINE_MAX_LANES], ready_rows[MACHINE_MAX_LANES];
    struct harp_scheduler_cycle_warps { /* fields of all places */
        uint32_t *pc, *group, *mask, *number, *ready, *row;
    } first_level, waiting, stages;
    uint32_t words[(HARP_MAX_FIRST_LEVEL + HARP_SCHEDULER_CYCLE_MAX_THREADS + HARP_MAX_STAGES) *
                   (5 + MACHINE_MAX_LANES)]; /* storage of these */
    uint32_t stage_next[HARP_MAX_STAGES * MACHINE_MAX_LANES], slot_ready[HARP_SCHEDULER_CYCLE_MAX_SLOTS],
        slot_number[HARP_SCHEDULER_CYCLE_MAX_SLOTS];
    bool waited; /* a warp was among the waiting ones */
    uint64_t now, due;
    unsigned at;                                     /* index of the warp chosen for commit */
    uint32_t number;                                 /* number of the issued warp */
    bool goes_on;                                    /* something arrives in this clock */
    const struct regrouped_warp *committed, *issued; /* chosen warps; NULL: none */
    void (*evaluated)(void *context);                /* called between evaluation and edge; may be NULL */
    void *context;
};

/* Initialises in place the clocked form of an empty scheduler, which from now on works through it. */
void harp_scheduler_cycle_init(struct harp_scheduler_cycle *c, struct harp_scheduler *h, unsigned lanes);
void harp_scheduler_cycle_reset(struct harp_scheduler_cycle *c);

/* in, scheduler → out, scheduler; q is unchanged. */
void harp_scheduler_cycle_eval(struct harp_scheduler_cycle *c);
/* Does the edge: q becomes the scheduler's state; clears the inputs. */
void harp_scheduler_cycle_clock(struct harp_scheduler_cycle *c);

/* Allocates the cycle model of a block of a scheduler: a table, or the whole. `evaluated` is called in each
 * of its cycles. Returns NULL if it is no such block. */
void *harp_scheduler_clocked(struct harp_scheduler *h, enum cluster_block b, unsigned lanes,
                             void (*evaluated)(void *context), void *context);

/* Functions of the scheduler, as clocks. */
void harp_scheduler_cycle_start(struct harp_scheduler_cycle *c, const struct regrouped_warp *w);
void harp_scheduler_cycle_due(struct harp_scheduler_cycle *c, uint32_t number, uint64_t cycle);
void harp_scheduler_cycle_to_memory(struct harp_scheduler_cycle *c, uint32_t number);
void harp_scheduler_cycle_done(struct harp_scheduler_cycle *c, unsigned row, unsigned lane);
void harp_scheduler_cycle_release(struct harp_scheduler_cycle *c, uint32_t group);
void harp_scheduler_cycle_choose(struct harp_scheduler_cycle *c, uint64_t cycle, bool issues,
                                 const struct regrouped_warp **committed,
                                 const struct regrouped_warp **issued, uint32_t *number);
void harp_scheduler_cycle_step(struct harp_scheduler_cycle *c, uint64_t cycle,
                               const struct regrouped_outcome *o);

#endif

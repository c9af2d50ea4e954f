/* second_level_cycle: a Second-Level with the ports and flip-flops of its Verilog, one operation in each
 * cycle, for twins (block_twins.h).
 *
 * If it exists, each function of the queue is a cycle: a warp enters, or the oldest leaves. It has at most
 * 256 entries of at most 32 lanes. */
#ifndef MODEL_DIVERGENCE_SECOND_LEVEL_CYCLE_H
#define MODEL_DIVERGENCE_SECOND_LEVEL_CYCLE_H

#include "generated/second_level_ports.h"
#include "model/config/limits.h"
#include "model/divergence/second_level.h"

#define SECOND_LEVEL_CYCLE_MAX_ENTRIES 1024

struct second_level_cycle {
    struct second_level *level;
    unsigned lanes;            /* 1–32 */
    struct second_level_in in; /* ports and flip-flops: rtl/second_level.sv */
    struct second_level_out out;
    struct second_level_state q; /* points to the arrays below, by entry; free ones keep their old value */
    uint32_t rows[MACHINE_MAX_LANES], rows_out[MACHINE_MAX_LANES]; /* arrays for `in` and `out` */
    uint32_t pc[SECOND_LEVEL_CYCLE_MAX_ENTRIES], group[SECOND_LEVEL_CYCLE_MAX_ENTRIES],
        mask[SECOND_LEVEL_CYCLE_MAX_ENTRIES], row[SECOND_LEVEL_CYCLE_MAX_ENTRIES * MACHINE_MAX_LANES];
    void (*evaluated)(void *context); /* called between evaluation and edge; may be NULL */
    void *context;
};

/* Initialises in place the clocked form of an empty Second-Level, which from now on works through it. */
void second_level_cycle_init(struct second_level_cycle *c, struct second_level *s, unsigned lanes);
void second_level_cycle_reset(struct second_level_cycle *c);

/* in, level → out, level; q is unchanged. */
void second_level_cycle_eval(struct second_level_cycle *c);
/* Does the edge: q becomes the level's state; clears the inputs. */
void second_level_cycle_clock(struct second_level_cycle *c);

/* Do an operation of the second level as one clock cycle. */
void second_level_cycle_put(struct second_level_cycle *c, const struct regrouped_warp *w);
void second_level_cycle_take(struct second_level_cycle *c);

#endif

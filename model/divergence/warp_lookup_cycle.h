/* warp_lookup_cycle: a lookup table with the ports and flip-flops of its Verilog, one operation in each
 * cycle, for twins (block_twins.h).
 *
 * If it exists, two functions of the table are a cycle each: the threads of a warp arrive, or an entry
 * leaves. The Verilog does not have the order of issue and the completion of accesses. The table has at most
 * 16 entries. */
#ifndef MODEL_DIVERGENCE_WARP_LOOKUP_CYCLE_H
#define MODEL_DIVERGENCE_WARP_LOOKUP_CYCLE_H

#include "generated/warp_lookup_ports.h"
#include "model/config/limits.h"
#include "model/divergence/warp_lookup.h"

#define WARP_LOOKUP_CYCLE_MAX_ENTRIES 16

struct warp_lookup_cycle {
    struct warp_lookup *lookup;
    unsigned lanes;           /* 1–32 */
    struct warp_lookup_in in; /* ports and flip-flops: rtl/warp_lookup.sv */
    struct warp_lookup_out out;
    struct warp_lookup_state q;                                    /* points to the arrays below */
    uint32_t rows[MACHINE_MAX_LANES], rows_out[MACHINE_MAX_LANES]; /* arrays for `in` and `out` */
    /* By slot; a free one keeps its values, except for its lanes and its place in the order. */
    uint32_t pc[WARP_LOOKUP_CYCLE_MAX_ENTRIES], group[WARP_LOOKUP_CYCLE_MAX_ENTRIES],
        mask[WARP_LOOKUP_CYCLE_MAX_ENTRIES], age[WARP_LOOKUP_CYCLE_MAX_ENTRIES],
        row[WARP_LOOKUP_CYCLE_MAX_ENTRIES * MACHINE_MAX_LANES];
    uint32_t masks_out[WARP_LOOKUP_CYCLE_MAX_ENTRIES], came_out[WARP_LOOKUP_CYCLE_MAX_ENTRIES],
        entry_rows_out[WARP_LOOKUP_CYCLE_MAX_ENTRIES * MACHINE_MAX_LANES];
    const struct issued_warp *comes; /* arriving warp, for data without a port (ages, accesses); NULL: none */
    void (*evaluated)(void *context); /* called between evaluation and edge; may be NULL */
    void *context;
};

/* Initialises in place the clocked form of an empty table, which from now on works through it. */
void warp_lookup_cycle_init(struct warp_lookup_cycle *c, struct warp_lookup *l, unsigned lanes);
void warp_lookup_cycle_reset(struct warp_lookup_cycle *c);

/* in, table → out, table; q is unchanged. */
void warp_lookup_cycle_eval(struct warp_lookup_cycle *c);
/* Does the edge: q becomes the table's state; clears the inputs. */
void warp_lookup_cycle_clock(struct warp_lookup_cycle *c);

/* Does a cycle with the present inputs. Returns the outputs. */
struct warp_lookup_out warp_lookup_cycle_step(struct warp_lookup_cycle *c);

#endif

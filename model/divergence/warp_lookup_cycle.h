/*
 * warp_lookup_cycle: a lookup table with the ports and flip-flops of its Verilog, one operation a cycle: what
 * runs beside that (block_twins.h).
 *
 * While a table has one, two of its functions are a cycle each: the threads of a warp come, or an entry
 * leaves. Who was issued first, and whose access is done, is not known to it. It has at most 16
 * entries.
 */
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
    struct warp_lookup_state q;                                    /* of the arrays below */
    uint32_t rows[MACHINE_MAX_LANES], rows_out[MACHINE_MAX_LANES]; /* of in, out */
    /* Slot by slot; a free one keeps what it had, but for its lanes and its place in the order. */
    uint32_t pc[WARP_LOOKUP_CYCLE_MAX_ENTRIES], group[WARP_LOOKUP_CYCLE_MAX_ENTRIES],
        mask[WARP_LOOKUP_CYCLE_MAX_ENTRIES], age[WARP_LOOKUP_CYCLE_MAX_ENTRIES],
        row[WARP_LOOKUP_CYCLE_MAX_ENTRIES * MACHINE_MAX_LANES];
    uint32_t masks_out[WARP_LOOKUP_CYCLE_MAX_ENTRIES], came_out[WARP_LOOKUP_CYCLE_MAX_ENTRIES],
        entry_rows_out[WARP_LOOKUP_CYCLE_MAX_ENTRIES * MACHINE_MAX_LANES];
    const struct issued_warp
        *comes; /* of the warp that comes, what no port knows: ages, accesses; NULL: nothing */
    void (*beside)(void *context); /* between evaluation and edge; NULL: nothing */
    void *context;
};

/* Initialises in place the clocked form of an empty table, which works through it from now on. */
void warp_lookup_cycle_init(struct warp_lookup_cycle *c, struct warp_lookup *l, unsigned lanes);
void warp_lookup_cycle_reset(struct warp_lookup_cycle *c);

/* in, table → out, table; q is as before. */
void warp_lookup_cycle_eval(struct warp_lookup_cycle *c);
/* The edge: q is that of the table; nobody comes or leaves again. */
void warp_lookup_cycle_clock(struct warp_lookup_cycle *c);

/* A cycle of the inputs that have been filled in. Returns what it put out. */
struct warp_lookup_out warp_lookup_cycle_step(struct warp_lookup_cycle *c);

#endif

/* warp_formation_table_cycle: a warp formation table with the ports and flip-flops of its Verilog, one
 * operation in each cycle, for twins (block_twins.h).
 *
 * If it exists, each function of the table is a cycle: threads arrive, or a warp is issued. The table has at
 * most 64 sets. */
#ifndef MODEL_DIVERGENCE_WARP_FORMATION_TABLE_CYCLE_H
#define MODEL_DIVERGENCE_WARP_FORMATION_TABLE_CYCLE_H

#include "generated/warp_formation_table_ports.h"
#include "model/control/block_twins.h"
#include "model/divergence/warp_formation_table.h"

#define WARP_FORMATION_TABLE_CYCLE_MAX_SETS 64

struct warp_formation_table_cycle {
    struct warp_formation_table *table;
    struct warp_formation_table_in in; /* ports and memories: rtl/warp_formation_table.sv */
    struct warp_formation_table_out out;
    struct warp_formation_table_row {
        uint32_t pc[WARP_FORMATION_WAYS];
        uint8_t group[WARP_FORMATION_WAYS];
        uint32_t warp[WARP_FORMATION_WAYS];
        uint64_t mask[WARP_FORMATION_WAYS];
        uint8_t rank[WARP_FORMATION_WAYS];
    } row[WARP_FORMATION_TABLE_CYCLE_MAX_SETS];
    block_rows written;               /* rows written in this cycle */
    void (*evaluated)(void *context); /* called between evaluation and edge; may be NULL */
    void *context;
};

/* Initialises in place the clocked form of a table of free entries, which from now on works through it. */
void warp_formation_table_cycle_init(struct warp_formation_table_cycle *c, struct warp_formation_table *t);
void warp_formation_table_cycle_reset(struct warp_formation_table_cycle *c);

/* in, table → out, table and its rows. */
void warp_formation_table_cycle_eval(struct warp_formation_table_cycle *c);
/* Does the edge: clears the inputs. */
void warp_formation_table_cycle_clock(struct warp_formation_table_cycle *c);

/* Operations of the table, as cycles. */
struct warp_formation_found warp_formation_table_cycle_come(struct warp_formation_table_cycle *c, uint32_t pc,
                                                            uint32_t group, uint64_t mask, uint32_t new_warp);
void warp_formation_table_cycle_issue(struct warp_formation_table_cycle *c, uint32_t pc, uint32_t group,
                                      uint32_t warp);

#endif

/*
 * issue_select: selects the instructions of an out-of-order core's window that issue in a cycle, with the
 * ports of its Verilog: up to `issue_width` ready ones, the oldest first, each with a free unit of its kind,
 * and no load before an older store whose address is unknown.
 *
 * A core with nothing beside the block chooses in the same way as it goes through its ready instructions
 * (model/core/out_of_order_kind.c). While something runs beside it (block_twins.h), the core issues as the
 * block says. A cycle of the block is then a cycle of the core in which instructions are ready, and another
 * one for each access that is turned away: by the DTLB, without a miss register, or by a store that has a
 * part of its data. Such a load or store is not ready in the further cycle. An access that waits for the DTLB
 * has used the load-store unit.
 */
#ifndef MODEL_CONTROL_ISSUE_SELECT_H
#define MODEL_CONTROL_ISSUE_SELECT_H

#include "generated/issue_select_ports.h"
#include "model/config/limits.h"
#include "model/control/block_twins.h"

struct issue_select_config {
    unsigned window, issue_width;      /* limits: CORE_MAX_WINDOW, CORE_MAX_ISSUE_WIDTH */
    unsigned integer_units, vfp_units; /* limit: CORE_MAX_UNITS */
};

struct issue_select {
    struct issue_select_config cfg;
    struct issue_select_in in; /* ports: rtl/issue_select.sv */
    struct issue_select_out out;
    uint32_t slot[CORE_MAX_ISSUE_WIDTH], unit[CORE_MAX_ISSUE_WIDTH]; /* memory of the arrays in `out` */
    struct block_requests requests;
};

/* Initialises *s in place: it points to itself and must not be copied. */
void issue_select_init(struct issue_select *s, const struct issue_select_config *cfg);
/* Computes the outputs from the inputs. */
void issue_select_eval(struct issue_select *s);

/* Returns the set with one slot. */
static inline unsigned __int128 issue_select_slot(unsigned slot) {
    return (unsigned __int128)1 << slot;
}
/* Returns the number of the load-store unit. */
static inline unsigned issue_select_load_store(const struct issue_select *s) {
    return s->cfg.integer_units + s->cfg.vfp_units;
}

#endif

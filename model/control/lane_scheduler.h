/*
 * lane_scheduler: the warps that can issue to their lane groups, and the number of groups that wait for the
 * one issue of a cycle (lanes.md §2).
 *
 * An instruction issues to a lane group whose instruction register is free and that has a free collector for
 * the instruction's unit. Warp w is bound to group w mod groups. If warps are not bound, the instruction goes
 * to the lowest-numbered group that can take it. The warp scheduler chooses among the eligible warps.
 */
#ifndef MODEL_CONTROL_LANE_SCHEDULER_H
#define MODEL_CONTROL_LANE_SCHEDULER_H

#include "generated/lane_scheduler_ports.h"
#include "model/control/warp_set.h"

struct lane_scheduler_config { /* the parameters of rtl/lane_scheduler.sv */
    unsigned warps;            /* 1 to 128 */
    unsigned groups;           /* 1 to 16 */
    bool bound;
};

struct lane_scheduler {
    struct lane_scheduler_config cfg;
    struct lane_scheduler_in in; /* ports: rtl/lane_scheduler.sv */
    struct lane_scheduler_out out;
};

void lane_scheduler_init(struct lane_scheduler *s, const struct lane_scheduler_config *config);
void lane_scheduler_eval(struct lane_scheduler *s); /* combinational: in → out */

#endif

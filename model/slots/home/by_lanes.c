/* The account of a machine whose lanes are its cores: each cycle has the cause for which the lanes were
 * idle. */
#include "model/unit/services.h"

UNIT_SERVICE __attribute__((noinline)) void by_lanes_charge(struct unit *u, const struct unit_flight *f,
                                                            uint64_t until) {
    const struct lane_gap gap = {f->since, f->f, f->fetched, f->o, f->cause, f->wait_pc, f->pc};
    cluster_charge_gap(u->cluster, u->x_free, until, &gap);
}

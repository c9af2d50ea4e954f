#include "model/config/scalar_config.h"

const char *const scalar_mode_name[] = {"off", "own", NULL};

uint32_t machine_stacks(const struct machine_config *c) {
    return c->cluster.threads + (c->scalar.mode == SCALAR_OWN ? c->cluster.groups : 0);
}

bool scalar_config_check(const struct machine_config *c, struct error *e) {
    const char *needs = c->contexts != CONTEXTS_VRF            ? "contexts: vrf (a GPU-like machine)"
                        : c->simt.issue != ISSUE_SCOREBOARD    ? "simt.issue: scoreboard"
                        : c->lanes.kind != LANES_SPATIAL       ? "lanes.kind: spatial"
                        : c->kernel.scalarize != SCALARIZE_OFF ? "kernel.scalarize: off"
                                                               : NULL;
    if (c->scalar.mode == SCALAR_OFF || !needs) return true;
    return error_set(e, EXIT_USER, "scalar.mode is %s: scalar units need %s",
                     scalar_mode_name[c->scalar.mode], needs);
}

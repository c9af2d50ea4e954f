#include "model/config/scalar_config.h"

#include "model/config/contexts_kind.h"

const char *const scalar_mode_name[] = {"off", "own", "gcn", NULL};
const char *const kernel_scalar_name[] = {"off", "prefetch", "extract", "divergence", NULL};

uint32_t machine_stacks(const struct machine_config *c) {
    return machine_threads(c) + (c->scalar.mode == SCALAR_OWN ? c->cluster.groups : 0);
}

unsigned machine_warp_scalar_units(const struct machine_config *c) {
    return c->scalar.mode == SCALAR_GCN ? c->scalar.units : c->lanes.scalar_unit;
}

uint32_t machine_warp_scalar_registers(const struct machine_config *c) {
    return c->scalar.mode == SCALAR_GCN ? c->scalar.registers : c->lanes.scalar_registers;
}

/* Returns the missing condition for scalar threads; NULL if there is none. */
static const char *own_needs(const struct machine_config *c) {
    return c->kernel.scalarize != SCALARIZE_OFF ? "kernel.scalarize: off" : NULL;
}

/* Returns the missing condition for units that take the warps' scalar instructions; NULL if there is none. */
static const char *gcn_needs(const struct machine_config *c) {
    return c->kernel.scalarize < SCALARIZE_CONVERGENT
               ? "kernel.scalarize: wide or convergent, which says "
                 "what is scalar (and needs simt.divergence: sbr or oracle)"
           : c->scalar.share_groups ? "scalar.share_groups: off: they run no work-groups"
           : c->lanes.scalar_unit   ? "lanes.scalar_unit: off, which is one such unit by itself"
           : c->scalar.clock_divisor != 1
               ? "scalar.clock_divisor: 1: they execute what the schedulers issue, at the cluster's clock"
               : NULL;
}

bool scalar_config_check(const struct machine_config *c, struct error *e) {
    if (c->scalar.mode != SCALAR_OWN && c->kernel.scalar != KERNEL_SCALAR_OFF)
        return error_set(e, EXIT_USER,
                         "kernel.scalar is %s, but scalar.mode is %s: there is nothing to run the scalar "
                         "kernels on; set scalar.mode to own",
                         kernel_scalar_name[c->kernel.scalar], scalar_mode_name[c->scalar.mode]);
    if (c->scalar.mode == SCALAR_OFF)
        return !c->scalar.share_groups ||
               error_set(e, EXIT_USER,
                         "scalar.share_groups is on, but scalar.mode is off: no unit takes work-groups");
    const char *needs = c->contexts != CONTEXTS_VRF    ? "contexts: vrf (a GPU-like machine)"
                        : c->scalar.mode == SCALAR_GCN ? gcn_needs(c)
                                                       : own_needs(c);
    if (!needs) return true;
    return error_set(e, EXIT_USER, "scalar.mode is %s: scalar units need %s",
                     scalar_mode_name[c->scalar.mode], needs);
}

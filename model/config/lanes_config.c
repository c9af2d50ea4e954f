#include "model/config/lanes_config.h"

#include "model/config/divergence_kind.h"
#include "model/config/limits.h"
#include "model/config/scalar_config.h"

const char *const lanes_kind_name[] = {"spatial", "temporal", "spatio_temporal", NULL};

unsigned machine_lane_groups(const struct machine_config *c) {
    return c->lanes.kind == LANES_SPATIAL ? 1 : c->cluster.lanes / c->lanes.group;
}

unsigned machine_lane_group_width(const struct machine_config *c) {
    return c->lanes.kind == LANES_SPATIAL ? c->cluster.lanes : c->lanes.group;
}

bool machine_chains(const struct machine_config *c) {
    if (c->lanes.chaining != CHAINING_BY_KIND) return c->lanes.chaining == CHAINING_ON;
    return c->lanes.kind != LANES_SPATIAL && c->simt.issue != ISSUE_BARREL;
}

bool machine_compacts(const struct machine_config *c) {
    if (c->simt.compaction != COMPACTION_BY_KIND) return c->simt.compaction == COMPACTION_ROUND;
    return c->lanes.kind != LANES_SPATIAL && c->simt.mitigation != MITIGATION_SLP;
}

bool machine_banks_by_round(const struct machine_config *c) {
    return c->vrf.bank_map == BANK_MAP_BY_KIND ? c->lanes.kind != LANES_SPATIAL
                                               : c->vrf.bank_map == BANK_MAP_ROUND;
}

/* Checks for fields of lanes without effect on spatial lanes. */
static bool check_spatial(const struct machine_config *c, struct error *e) {
    const char *unused = c->lanes.group != 1         ? "lanes.group is not 1"
                         : !c->lanes.bound           ? "lanes.bound is off"
                         : c->lanes.exact_allocation ? "lanes.exact_allocation is on"
                                                     : NULL;
    if (unused)
        return error_set(
            e, EXIT_USER,
            "%s, but lanes.kind is spatial: its lanes are one group, and a register of a warp is "
            "a row over all of them; set lanes.kind to temporal or spatio_temporal",
            unused);
    return true;
}

/* Checks lane groups with barrel issue: those of a cluster's schedulers. */
static bool check_barrel(const struct machine_config *c, struct error *e) {
    const unsigned groups = machine_lane_groups(c);
    if (groups > SM_MAX_SCHEDULERS)
        return error_set(
            e, EXIT_USER,
            "simt.issue is barrel: each lane group has a scheduler of its own, but cluster.lanes "
            "%u / lanes.group %u makes %u groups, and a cluster has at most %u schedulers",
            c->cluster.lanes, c->lanes.group, groups, SM_MAX_SCHEDULERS);
    if (c->cluster.schedulers == groups && c->lanes.bound) return true;
    return error_set(
        e, EXIT_USER,
        "simt.issue is barrel: each lane group has a scheduler of its own; set cluster.schedulers (%u) to "
        "cluster.lanes %u / lanes.group %u = %u, and lanes.bound to on",
        c->cluster.schedulers, c->cluster.lanes, c->lanes.group, groups);
}

/* Checks that one scheduler issues to all lane groups. */
static bool check_scoreboard(const struct machine_config *c, struct error *e) {
    if (c->cluster.schedulers == 1 && c->cluster.sp_groups == 1 && c->simt.issue_width == 1) return true;
    return error_set(e, EXIT_USER,
                     "lanes.kind is %s: one scheduler issues an instruction a cycle to all lane groups; set "
                     "cluster.schedulers (%u), cluster.sp_groups (%u) and simt.issue_width (%u) to 1",
                     lanes_kind_name[c->lanes.kind], c->cluster.schedulers, c->cluster.sp_groups,
                     c->simt.issue_width);
}

/* Checks vrf.bank_map: `round` gives spatial lanes an instruction register, as lane groups have. */
static bool check_bank_map(const struct machine_config *c, struct error *e) {
    if (c->vrf.bank_map == BANK_MAP_BY_KIND) return true;
    if (!c->vrf.banks)
        return error_set(e, EXIT_USER, "vrf.bank_map is not by_kind, but vrf.banks is 0: there are no banks");
    if (c->vrf.bank_map == BANK_MAP_WARP || c->lanes.kind != LANES_SPATIAL) return true;
    const char *other = c->simt.issue == ISSUE_BARREL  ? "simt.issue is barrel"
                        : c->cluster.schedulers != 1   ? "cluster.schedulers is not 1"
                        : c->cluster.sp_groups != 1    ? "cluster.sp_groups is not 1"
                        : c->simt.issue_width != 1     ? "simt.issue_width is not 1"
                        : c->scalar.mode != SCALAR_OFF ? "scalar.mode is not off"
                                                       : NULL;
    return !other ||
           error_set(e, EXIT_USER,
                     "vrf.bank_map is round, but %s: the operands of one instruction after the other "
                     "are read then, of one that has issued by the scoreboard",
                     other);
}

/* Checks that features for scalars have their needs: both sides of a branch execute whole, one after the
 * other, and there is storage for scalars. */
static bool check_scalars(const struct machine_config *c, struct error *e) {
    const bool spatial = c->lanes.kind == LANES_SPATIAL,
               scalars = c->kernel.scalarize >= SCALARIZE_CONVERGENT;
    if (c->lanes.scalar_unit && !(spatial && scalars))
        return error_set(
            e, EXIT_USER, "lanes.scalar_unit is on, but %s",
            spatial ? "kernel.scalarize is off or none: there are no scalars; set it to wide or convergent"
                    : "lanes.kind is not spatial: its lanes execute and keep scalars themselves");
    if (c->kernel.scalarize == SCALARIZE_OFF) return true;
    if (c->simt.divergence != DIVERGENCE_sbr && c->simt.divergence != DIVERGENCE_oracle)
        return error_set(e, EXIT_USER,
                         "kernel.scalarize is on, but simt.divergence is not sbr or oracle: parts of a warp "
                         "may execute an "
                         "instruction at different times, with different values");
    if (c->uniform.storage != UNIFORM_NONE)
        return error_set(
            e, EXIT_USER,
            "kernel.scalarize is on, and uniform.storage not none: what is scalar is known from the "
            "compiler, or found as the program runs, not both");
    if (spatial && scalars && !machine_warp_scalar_units(c))
        return error_set(e, EXIT_USER,
                         "kernel.scalarize is on, but the lanes of lanes.kind spatial have no registers for "
                         "scalars: set lanes.scalar_unit to on, or scalar.mode to gcn");
    return true;
}

static bool check_lanes(const struct machine_config *c, struct error *e) {
    const char *kind = lanes_kind_name[c->lanes.kind];
    const bool barrel = c->simt.issue == ISSUE_BARREL;
    if (barrel && machine_chains(c))
        return error_set(
            e, EXIT_USER,
            "lanes.chaining is on, but simt.issue is barrel: a warp has one instruction in flight, "
            "which nothing can chain on");
    if (c->lanes.kind == LANES_SPATIAL) return check_spatial(c, e);
    if (!barrel && !check_scoreboard(c, e)) return false;
    if ((c->lanes.kind == LANES_TEMPORAL) != (c->lanes.group == 1))
        return error_set(e, EXIT_USER, "lanes.kind is %s, but lanes.group is %u: %s", kind, c->lanes.group,
                         c->lanes.group == 1
                             ? "groups of one lane are lanes.kind temporal"
                             : "with temporal lanes it is 1; larger groups are spatio_temporal");
    if (c->lanes.group > c->cluster.lanes || c->cluster.lanes / c->lanes.group > SM_MAX_LANE_GROUPS ||
        c->lanes.group > c->simt.warp_size)
        return error_set(
            e, EXIT_USER,
            "lanes.group %u makes %u groups of cluster.lanes %u, for warps of simt.warp_size %u; 1 "
            "to %u groups are possible, none larger than a warp",
            c->lanes.group, c->cluster.lanes / c->lanes.group, c->cluster.lanes, c->simt.warp_size,
            SM_MAX_LANE_GROUPS);
    if (barrel && !check_barrel(c, e)) return false;
    const uint32_t groups = machine_lane_groups(c), warps = c->cluster.threads / c->simt.warp_size;
    if (c->lanes.bound && warps % groups)
        return error_set(e, EXIT_USER,
                         "the %u warps of cluster.threads %u cannot be shared out to %u lane groups evenly",
                         warps, c->cluster.threads, groups);
    if (c->lanes.bound &&
        (c->vrf.registers % groups || c->vrf.registers / groups < c->simt.warp_size * ARM_REGISTERS))
        return error_set(
            e, EXIT_USER,
            "vrf.registers %u makes slices of %u for %u lane groups; all need the same, enough for "
            "a warp: simt.warp_size %u x %u registers",
            c->vrf.registers, c->vrf.registers / groups, groups, c->simt.warp_size, ARM_REGISTERS);
    return true;
}

/* Checks that a machine with cores has spatial lanes only. */
static bool check_no_lanes(const struct machine_config *c, struct error *e) {
    const char *name = c->lanes.kind != LANES_SPATIAL             ? "lanes.kind"
                       : c->lanes.group != 1                      ? "lanes.group"
                       : !c->lanes.bound                          ? "lanes.bound"
                       : c->lanes.chaining != CHAINING_BY_KIND    ? "lanes.chaining"
                       : c->lanes.free_on_warp_exit               ? "lanes.free_on_warp_exit"
                       : c->lanes.exact_allocation                ? "lanes.exact_allocation"
                       : c->simt.compaction != COMPACTION_BY_KIND ? "simt.compaction"
                       : c->vrf.bank_map != BANK_MAP_BY_KIND      ? "vrf.bank_map"
                       : c->kernel.scalarize != SCALARIZE_OFF     ? "kernel.scalarize"
                       : c->lanes.scalar_unit                     ? "lanes.scalar_unit"
                                                                  : NULL;
    if (!name) return true;
    return error_set(
        e, EXIT_USER,
        "%s needs contexts: vrf; here the lanes are the cores of a cluster, in which every round "
        "takes its cycle",
        name);
}

bool lanes_config_check(const struct machine_config *c, struct error *e) {
    if (c->contexts != CONTEXTS_VRF) return check_no_lanes(c, e);
    return check_lanes(c, e) && check_scalars(c, e) && check_bank_map(c, e);
}

/* Chooses the rows of slots for a configuration. */
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/control/warp_scheduler.h"
#include "model/unit/slots.h"

const struct divergence_slot *unit_divergence_of(const struct machine_config *config) {
#define ROW(name) [DIVERGENCE_##name] = &divergence_##name,
    static const struct divergence_slot *const divergence[DIVERGENCE_KINDS] = {DIVERGENCE_SLOT_LIST(ROW)};
#undef ROW
    return divergence[config->simt.divergence];
}

void unit_choose(struct slots *rows, struct slots *port_rows, const struct machine_config *config) {
    const struct scheduler_policy *policy = scheduler_policies[config->simt.scheduler];
    const struct scheduler_slot *scheduler = policy == &scheduler_policy_round_robin ? &scheduler_round_robin
                                             : policy->moves                         ? &scheduler_block_moves
                                                                                     : &scheduler_block;
    static const struct mitigation_slot *const mitigation[] = {
        [MITIGATION_NONE] = &mitigation_none, [MITIGATION_SKIP] = &mitigation_skip,
        [MITIGATION_SLP] = &mitigation_slp,   [MITIGATION_DPE] = &mitigation_dpe,
        [MITIGATION_ALT] = &mitigation_alt,
    };
    static const struct lanes_slot *const lanes[] = {
        [MULTI_ISSUE_OFF] = &lanes_spatial,
        [MULTI_ISSUE_WARPS] = &lanes_multi_warps,
        [MULTI_ISSUE_ROUNDS] = &lanes_multi_rounds,
    };
    const struct divergence_slot *const engine = unit_divergence_of(config);
    const bool narrow = divergence_engines[config->simt.divergence]->as_wide_as_lanes;
    *rows = (struct slots){.scheduler = engine->pick ? &scheduler_engine : scheduler,
                           .front = &front_select_first,
                           .issue = engine->take ? &issue_formed : &issue_barrel,
                           .divergence = engine,
                           .mitigation = narrow ? &mitigation_packed : mitigation[config->simt.mitigation],
                           .contexts = config->simt.multi_issue ? &contexts_tpm_several : &contexts_tpm,
                           .lanes = lanes[config->simt.multi_issue],
                           .home = &home_in_lane};
    *port_rows = *rows;
    port_rows->front = &front_select_first_ports;
    if (rows->divergence->ports) port_rows->divergence = rows->divergence->ports;
    port_rows->contexts = &contexts_tpm_ports;
    port_rows->lanes = &lanes_spatial_ports;
}

/*
 * slots: the rows of all slots.
 */
#ifndef MODEL_UNIT_SLOTS_H
#define MODEL_UNIT_SLOTS_H

#include "generated/divergence_slot_list.h"
#include "model/unit/unit.h"

extern const struct scheduler_slot scheduler_round_robin, scheduler_block, scheduler_block_moves,
    scheduler_engine;
extern const struct front_slot front_select_first, front_select_first_ports;
extern const struct issue_slot issue_barrel, issue_formed;
#define ROW(name) extern const struct divergence_slot divergence_##name;
DIVERGENCE_SLOT_LIST(ROW)
#undef ROW
extern const struct mitigation_slot mitigation_none, mitigation_skip, mitigation_slp, mitigation_dpe,
    mitigation_alt, mitigation_packed;
extern const struct contexts_slot contexts_tpm, contexts_tpm_ports, contexts_tpm_several;
extern const struct lanes_slot lanes_spatial, lanes_spatial_ports, lanes_multi_warps, lanes_multi_rounds;
extern const struct home_slot home_in_lane;

#endif

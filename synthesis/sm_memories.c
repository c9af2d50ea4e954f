#include "synthesis/sm_memories.h"

#include "model/config/lanes_config.h"

static struct sm_memory memory(unsigned words, unsigned bits, unsigned ports, unsigned count) {
    return (struct sm_memory){words, bits, ports, count, sram_memory(words, bits, ports)};
}

unsigned sm_row_registers(const struct machine_config *c) {
    return c->cluster.lanes / machine_lane_groups(c);
}

struct sm_memory sm_register_bank(const struct machine_config *c) {
    const unsigned banks = (c->vrf.banks ? c->vrf.banks : 1) * machine_lane_groups(c),
                   row = sm_row_registers(c);
    return memory(c->vrf.registers / (banks * row), 32 * row, c->vrf.banks ? 1 : 4, banks);
}

struct sm_memory sm_operand_collector(const struct machine_config *c) {
    const unsigned groups = machine_lane_groups(c), /* each brings operands to every kind of unit */
        units = groups * (c->cluster.sp_groups + (c->cluster.sfu_lanes != 0));
    const unsigned of_ldst = c->ldst.collectors ? c->ldst.collectors : c->simt.collectors;
    const unsigned collectors =
        units * c->simt.collectors + groups * (c->simt.issue != ISSUE_BARREL) * of_ldst;
    const unsigned row = sm_row_registers(c);
    return memory(3 * c->simt.warp_size / row, 32 * row, 1, collectors);
}

struct sm_memory sm_local_bank(const struct machine_config *c) {
    return memory(c->local.size_bytes / (4 * c->local.banks), 32, 1, c->local.banks);
}

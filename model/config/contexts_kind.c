#include "model/config/contexts_kind.h"

#include "model/config/lanes_config.h"
#include "model/config/limits.h"

enum { MAX_GROUP_ITEMS = 1024 }; /* a local id has 10 bits for each dimension */

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

uint32_t machine_kernel_work_group(const struct machine_config *c, uint32_t registers) {
    return least(contexts_kind(c)->room(c, registers), MAX_GROUP_ITEMS);
}

uint32_t machine_max_work_group(const struct machine_config *c) {
    return machine_kernel_work_group(c, 0);
}

static bool has_room(const struct machine_config *c, uint64_t items, uint32_t registers) {
    struct error e = {0};
    return machine_kernel_work_group(c, registers) >= items && config_check(&machine_config_table, c, &e);
}

bool machine_room_for(const struct machine_config *c, uint64_t items, uint32_t registers, char *text,
                      size_t size) {
    struct machine_config larger = *c;
    text[0] = '\0';
    if (items > MAX_GROUP_ITEMS || !contexts_kind(c)->make_room(&larger, items, registers)) return false;
    const struct {
        const char *name;
        uint32_t now, then;
    } settings[] = {
        {"cluster.threads_per_lane", c->cluster.threads_per_lane, larger.cluster.threads_per_lane},
        {"l1d.size", c->l1d.size_bytes, larger.l1d.size_bytes},
        {"simt.warp_size", c->simt.warp_size, larger.simt.warp_size},
        {"cluster.threads", c->cluster.threads, larger.cluster.threads},
        {"vrf.registers", c->vrf.registers, larger.vrf.registers}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && n < size; i++)
        if (settings[i].now != settings[i].then)
            n += (size_t)snprintf(text + n, size - n, "%s%s=%u", n ? " " : "", settings[i].name,
                                  settings[i].then);
    return true;
}

/* --- registers in the L1Ds of cores --- */

static uint32_t threads_of_cores(const struct machine_config *c) {
    return c->cluster.lanes * c->cluster.threads_per_lane;
}

static uint32_t room_in_tpm(const struct machine_config *c, uint32_t registers) {
    const uint32_t rounds = c->simt.warp_size / c->cluster.lanes;
    const uint32_t by_registers = c->l1d.size_bytes / (machine_registers(c) * 4) / rounds;
    (void)registers; /* every context has all */
    return least(by_registers, c->cluster.threads_per_lane / rounds) * c->simt.warp_size;
}

/* Doubles contexts and registers until the group fits, and the warp size until the number of warps is
 * allowed. */
static bool make_room_in_tpm(struct machine_config *c, uint64_t items, uint32_t registers) {
    const uint32_t lanes = c->cluster.lanes;
    while (c->cluster.threads_per_lane * lanes < items) c->cluster.threads_per_lane *= 2;
    while (c->l1d.size_bytes / (machine_registers(c) * 4) * lanes < items) c->l1d.size_bytes *= 2;
    if (c->cluster.threads_per_lane > TPM_MAX_CONTEXTS) return false;
    while (c->simt.warp_size <= MACHINE_MAX_WARP_SIZE && !has_room(c, items, registers))
        c->simt.warp_size *= 2;
    return c->simt.warp_size <= MACHINE_MAX_WARP_SIZE;
}

/* --- registers in a vector register file --- */

/* Returns the number of slices of the register file: a warp is bound to the slice of its lane group. */
static uint32_t slices(const struct machine_config *c) {
    return c->lanes.bound ? machine_lane_groups(c) : 1;
}

uint32_t machine_group_parts(const struct machine_config *c) {
    return c->simt.issue == ISSUE_BARREL && c->lanes.kind == LANES_SPATIAL ? machine_schedulers(c) : 1;
}

static uint32_t threads_of_warps(const struct machine_config *c) {
    return c->cluster.threads;
}

/* Returns the threads with room in `shares` equal shares of the registers of each slice. */
static uint32_t room_in_shares(const struct machine_config *c, uint32_t shares, uint32_t registers) {
    const uint32_t unit = c->vrf.allocation_unit,
                   words = (registers + unit - 1) / unit * unit * c->simt.warp_size;
    return c->vrf.registers / (slices(c) * shares) / words * slices(c) * c->simt.warp_size;
}

/* Registers of scalarized code are numbered differently: the launch reports whether there is room for
 * them. */
static uint32_t room_in_vrf(const struct machine_config *c, uint32_t registers) {
    const uint32_t parts = machine_group_parts(c),
                   most = least(room_in_shares(c, 1, ARM_REGISTERS), c->cluster.threads / parts);
    return registers && c->kernel.scalarize == SCALARIZE_OFF
               ? least(room_in_shares(c, parts, registers), most)
               : most;
}

static bool make_room_in_vrf(struct machine_config *c, uint64_t items, uint32_t registers) {
    const uint64_t row = (uint64_t)c->simt.warp_size * slices(c); /* warps for all groups */
    const uint32_t threads = (uint32_t)((items + row - 1) / row * row), unit = c->vrf.allocation_unit,
                   parts = machine_group_parts(c);
    if (c->cluster.threads < threads * parts) c->cluster.threads = threads * parts;
    if (machine_kernel_work_group(c, registers) < items) {
        const uint32_t all = threads * (ARM_REGISTERS + unit), own = parts * threads * (registers + unit);
        c->vrf.registers = own > all ? own : all;
    }
    return has_room(c, items, registers);
}

/* --- the rows --- */

const struct contexts_kind contexts_kinds[CONTEXTS_KINDS] = {
    [CONTEXTS_TPM] = {.fabric = &fabric_coherent,
                      .all_stacks = true,
                      .threads = threads_of_cores,
                      .room = room_in_tpm,
                      .make_room = make_room_in_tpm},
    [CONTEXTS_VRF] = {.fabric = &fabric_crossbar,
                      .scheduler_cycles = true,
                      .host_threads = true,
                      .threads = threads_of_warps,
                      .room = room_in_vrf,
                      .make_room = make_room_in_vrf},
};

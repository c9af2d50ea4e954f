/* The largest work-group of a machine, and machines with room for a work-group. */
#include "model/config/lanes_config.h"
#include "model/config/limits.h"
#include "model/config/scalar_config.h"
#include "model/machine/machine_parts.h"

#include <stdio.h>

enum { MAX_GROUP_ITEMS = 1024 }; /* a local id has 10 bits for each dimension */

/* Returns the number of parts of a cluster to which warps are bound: lane groups. */
static uint32_t slices(const struct machine_config *c) {
    return c->lanes.bound ? machine_lane_groups(c) : 1;
}

/* Returns the number of parts of a cluster of which a work-group has one: barrel schedulers with spatial
 * lanes, each with its part of the registers. */
static uint32_t parts(const struct machine_config *c) {
    return c->simt.issue == ISSUE_BARREL && c->lanes.kind == LANES_SPATIAL ? c->cluster.schedulers : 1;
}

uint32_t machine_max_work_group(const struct machine_config *c) {
    if (c->contexts == CONTEXTS_VRF) {
        const uint32_t registers = (ARM_REGISTERS + c->vrf.allocation_unit - 1) / c->vrf.allocation_unit *
                                   c->vrf.allocation_unit,
                       of_slice = c->vrf.registers / slices(c) / registers / c->simt.warp_size,
                       by_vrf = of_slice * slices(c) * c->simt.warp_size,
                       by_threads = c->cluster.threads / parts(c);
        const uint32_t most = by_vrf < by_threads ? by_vrf : by_threads;
        return most < MAX_GROUP_ITEMS ? most : MAX_GROUP_ITEMS;
    }
    const uint32_t rounds = c->simt.warp_size / c->cluster.lanes;
    const uint32_t by_registers = c->l1d.size_bytes / (machine_registers(c) * 4) / rounds;
    const uint32_t by_contexts = c->cluster.threads_per_lane / rounds;
    const uint32_t items = (by_registers < by_contexts ? by_registers : by_contexts) * c->simt.warp_size;
    return items < MAX_GROUP_ITEMS ? items : MAX_GROUP_ITEMS;
}

/* Registers of scalarized code are numbered differently: the launch reports whether there is room for
 * them. */
uint32_t machine_kernel_work_group(const struct machine_config *c, uint32_t registers) {
    const uint32_t most = machine_max_work_group(c), unit = c->vrf.allocation_unit;
    if (c->contexts != CONTEXTS_VRF || !registers || c->kernel.scalarize != SCALARIZE_OFF) return most;
    const uint32_t words = (registers + unit - 1) / unit * unit * c->simt.warp_size,
                   of_share = c->vrf.registers / (slices(c) * parts(c)) / words,
                   fits = of_share * slices(c) * c->simt.warp_size;
    return fits < most ? fits : most;
}

static bool room_in_vrf(const struct machine_config *c, uint64_t items, uint32_t registers, char *text,
                        size_t size) {
    struct machine_config larger = *c;
    const uint64_t unit = (uint64_t)c->simt.warp_size * slices(c); /* warps for all groups */
    const uint32_t threads = (uint32_t)((items + unit - 1) / unit * unit);
    struct error e = {0};
    size_t n = 0;
    if (items > MAX_GROUP_ITEMS) return false;
    text[0] = '\0';
    if (larger.cluster.threads < threads * parts(c)) {
        larger.cluster.threads = threads * parts(c);
        n += (size_t)snprintf(text, size, "cluster.threads=%u", larger.cluster.threads);
    }
    if (machine_kernel_work_group(&larger, registers) < items && n < size) {
        const uint32_t all = threads * (ARM_REGISTERS + c->vrf.allocation_unit),
                       own = parts(c) * threads * (registers + c->vrf.allocation_unit);
        larger.vrf.registers = own > all ? own : all;
        snprintf(text + n, size - n, "%svrf.registers=%u", n ? " " : "", larger.vrf.registers);
    }
    return machine_kernel_work_group(&larger, registers) >= items &&
           config_check(&machine_config_table, &larger, &e);
}

/* Doubles contexts and registers until the group fits, and the warp size until the number of warps is
 * allowed. */
bool machine_room_for(const struct machine_config *c, uint64_t items, uint32_t registers, char *text,
                      size_t size) {
    struct machine_config larger = *c;
    struct error e = {0};
    bool found = false;
    if (c->contexts == CONTEXTS_VRF) return room_in_vrf(c, items, registers, text, size);
    while (!found && items <= MAX_GROUP_ITEMS && larger.simt.warp_size <= MACHINE_MAX_WARP_SIZE) {
        const uint32_t lanes = c->cluster.lanes;
        while (larger.cluster.threads_per_lane * lanes < items) larger.cluster.threads_per_lane *= 2;
        while (larger.l1d.size_bytes / (machine_registers(c) * 4) * lanes < items) larger.l1d.size_bytes *= 2;
        found = larger.cluster.threads_per_lane <= TPM_MAX_CONTEXTS &&
                machine_max_work_group(&larger) >= items && config_check(&machine_config_table, &larger, &e);
        if (!found) larger.simt.warp_size *= 2;
    }
    const struct {
        const char *name;
        uint32_t now, then;
    } settings[] = {
        {"cluster.threads_per_lane", c->cluster.threads_per_lane, larger.cluster.threads_per_lane},
        {"l1d.size", c->l1d.size_bytes, larger.l1d.size_bytes},
        {"simt.warp_size", c->simt.warp_size, larger.simt.warp_size}};
    size_t n = 0;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && n < size; i++)
        if (found && settings[i].now != settings[i].then)
            n += (size_t)snprintf(text + n, size - n, "%s%s=%u", n ? " " : "", settings[i].name,
                                  settings[i].then);
    return found;
}

/* --- private memory --- */

#define STACK_ROOM (MEMORY_BUFFER_BASE - MEMORY_STACK_BASE)

/* Returns the number of warps of an SM with stacks, the first ones; the stacks of scalar threads follow. */
static uint32_t warps_with_stacks(const struct machine_config *c, uint64_t stack_bytes) {
    const uint64_t each = STACK_ROOM / stack_bytes / c->cluster.count;
    const uint32_t scalars = machine_stacks(c) - c->cluster.threads;
    const uint32_t all = c->cluster.threads / c->simt.warp_size;
    const uint64_t warps = each > scalars ? (each - scalars) / c->simt.warp_size : 0;
    return warps < all ? (uint32_t)warps : all;
}

struct stack_layout stack_layout_of(const struct machine_config *c, const struct machine_launch *l) {
    struct stack_layout s = {.stack_bytes = c->cluster.stack_size_bytes};
    while (l->stack_bytes && s.stack_bytes < (uint64_t)l->stack_bytes + MACHINE_STACK_RESERVE)
        s.stack_bytes *= 2;
    s.stacks = c->cluster.count * c->cluster.lanes * c->cluster.threads_per_lane;
    if (c->contexts != CONTEXTS_VRF) return s;
    s.warps = warps_with_stacks(c, s.stack_bytes);
    s.stacks = c->cluster.count * (s.warps * c->simt.warp_size + machine_stacks(c) - c->cluster.threads);
    return s;
}

bool machine_has_stacks(const struct machine_config *c, const struct machine_launch *l,
                        char why[MACHINE_STACKS_TEXT]) {
    const struct stack_layout s = stack_layout_of(c, l);
    const bool gpu = c->contexts == CONTEXTS_VRF;
    const uint64_t items = (uint64_t)l->local_size[0] * l->local_size[1] * l->local_size[2];
    const uint64_t needed = (items + c->simt.warp_size - 1) / c->simt.warp_size;

    if (c->mode == MODE_MIMD) return true;
    if (gpu ? s.warps > (needed - 1) * parts(c) : s.stack_bytes * s.stacks <= STACK_ROOM) return true;
    snprintf(
        why, MACHINE_STACKS_TEXT,
        "kernel '%s' needs %llu bytes of private memory for each of %llu work-items%s; there is room for "
        "%u bytes in all",
        l->kernel, (unsigned long long)s.stack_bytes,
        (unsigned long long)(gpu ? needed * c->simt.warp_size * c->cluster.count : s.stacks),
        gpu ? ", of a work-group on each cluster" : "", STACK_ROOM);
    return false;
}

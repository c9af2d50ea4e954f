/* Private memory of a launch's threads. */
#include "model/config/scalar_config.h"
#include "model/machine/machine_parts.h"

#include <stdio.h>

#define STACK_ROOM (MEMORY_BUFFER_BASE - MEMORY_STACK_BASE)

static uint32_t warps_of(const struct machine_config *c) {
    return machine_threads(c) / c->simt.warp_size;
}

/* Returns the number of warps of a cluster with stacks, the first ones; the stacks of scalar threads follow.
 */
static uint32_t warps_with_stacks(const struct machine_config *c, uint64_t stack_bytes) {
    const uint64_t each = STACK_ROOM / stack_bytes / c->cluster.count;
    const uint32_t scalars = machine_stacks(c) - machine_threads(c), all = warps_of(c);
    const uint64_t warps = each > scalars ? (each - scalars) / c->simt.warp_size : 0;
    return warps < all ? (uint32_t)warps : all;
}

struct stack_layout stack_layout_of(const struct machine_config *c, const struct machine_launch *l) {
    struct stack_layout s = {.stack_bytes = c->cluster.stack_size_bytes};
    while (l->stack_bytes && s.stack_bytes < (uint64_t)l->stack_bytes + MACHINE_STACK_RESERVE)
        s.stack_bytes *= 2;
    s.warps = warps_with_stacks(c, s.stack_bytes);
    s.stacks = c->cluster.count * (s.warps * c->simt.warp_size + machine_stacks(c) - machine_threads(c));
    return s;
}

bool machine_has_stacks(const struct machine_config *c, const struct machine_launch *l,
                        char why[MACHINE_STACKS_TEXT]) {
    const struct stack_layout s = stack_layout_of(c, l);
    const bool all = contexts_kind(c)->all_stacks;
    const uint64_t items = (uint64_t)l->local_size[0] * l->local_size[1] * l->local_size[2];
    const uint64_t needed = all ? warps_of(c) : (items + c->simt.warp_size - 1) / c->simt.warp_size;

    if (c->mode == MODE_MIMD || s.warps > (needed - 1) * machine_group_parts(c)) return true;
    snprintf(
        why, MACHINE_STACKS_TEXT,
        "kernel '%s' needs %llu bytes of private memory for each of %llu work-items%s; there is room for "
        "%u bytes in all",
        l->kernel, (unsigned long long)s.stack_bytes,
        (unsigned long long)needed * c->simt.warp_size * c->cluster.count,
        all ? "" : ", of a work-group on each cluster", STACK_ROOM);
    return false;
}

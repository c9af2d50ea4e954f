#include "tb/twin_block.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SIGNAL(kind, part, name, type, array) {#name, kind, offsetof(struct part, name), sizeof(type), array},

static const struct twin_signal scheduler[] = {WARP_SCHEDULER_SIGNALS(SIGNAL)};
static const struct twin_signal arbiter[] = {WARP_PC_ARBITER_SIGNALS(SIGNAL)};
static const struct twin_signal barriers[] = {BARRIER_TABLE_SIGNALS(SIGNAL)};

/* The list of a block's signals is called as the member of struct cluster that is its model. */
#define BLOCK(name, member, q)                                                                               \
    {                                                                                                        \
        name, member, sizeof(member) / sizeof(member)[0], offsetof(struct cluster, member.in),               \
            offsetof(struct cluster, member.out), q                                                          \
    }
#define CLOCKED(name, member)       BLOCK(name, member, offsetof(struct cluster, member.q))
#define COMBINATIONAL(name, member) BLOCK(name, member, 0)

const struct twin_block twin_block[CLUSTER_BLOCK_COUNT] = {
    [CLUSTER_BLOCK_SCHEDULER] = CLOCKED("warp_scheduler", scheduler),
    [CLUSTER_BLOCK_ARBITER] = COMBINATIONAL("warp_pc_arbiter", arbiter),
    [CLUSTER_BLOCK_BARRIERS] = CLOCKED("barrier_table", barriers),
};

const char *const twin_suffix[] = {"_i", "_o", "_q"};

const char *twin_block_names(void) {
    static char names[CLUSTER_BLOCK_COUNT * VERILOG_MAX_NAME];
    size_t used = 0;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 b == 0                         ? ""
                                 : b == CLUSTER_BLOCK_COUNT - 1 ? " and "
                                                                : ", ",
                                 twin_block[b].name);
    return names;
}

enum cluster_block twin_block_find(const char *name, size_t length) {
    enum cluster_block b = 0;
    while (b < CLUSTER_BLOCK_COUNT &&
           (strlen(twin_block[b].name) != length || strncmp(twin_block[b].name, name, length) != 0))
        ++b;
    return b;
}

unsigned twin_block_settings(const struct cluster *c,
                             struct verilog_setting settings[VERILOG_MAX_PARAMETERS]) {
    const struct verilog_setting all[] = {
        {"WARPS", c->warps},
        {"WARP_SIZE", c->descriptors.warp_size},
        {"LANES", c->lanes},
        {"LEVELS", c->descriptors.levels},
    };
    memcpy(settings, all, sizeof all);
    return sizeof all / sizeof all[0];
}

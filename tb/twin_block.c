#include "tb/twin_block.h"

#include <stddef.h>
#include <string.h>

#define SIGNAL(kind, part, name, type, array) {#name, kind, offsetof(struct part, name), sizeof(type), array},

static const struct twin_signal scheduler[] = {WARP_SCHEDULER_SIGNALS(SIGNAL)};
static const struct twin_signal arbiter[] = {WARP_PC_ARBITER_SIGNALS(SIGNAL)};
static const struct twin_signal barriers[] = {BARRIER_TABLE_SIGNALS(SIGNAL)};

#define BLOCK(name, signals)                                                                                 \
    { name, signals, sizeof(signals) / sizeof(signals)[0] }

const struct twin_block twin_block[CLUSTER_BLOCK_COUNT] = {
    [CLUSTER_BLOCK_SCHEDULER] = BLOCK("warp_scheduler", scheduler),
    [CLUSTER_BLOCK_ARBITER] = BLOCK("warp_pc_arbiter", arbiter),
    [CLUSTER_BLOCK_BARRIERS] = BLOCK("barrier_table", barriers),
};

const char *const twin_suffix[] = {"_i", "_o", "_q"};

enum cluster_block twin_block_find(const char *name, size_t length) {
    enum cluster_block b = 0;
    while (b < CLUSTER_BLOCK_COUNT &&
           (strlen(twin_block[b].name) != length || strncmp(twin_block[b].name, name, length) != 0))
        ++b;
    return b;
}

unsigned twin_block_settings(const struct cluster *c, struct verilog_setting settings[3]) {
    settings[0] = (struct verilog_setting){"WARPS", c->warps};
    settings[1] = (struct verilog_setting){"WARP_SIZE", c->descriptors.warp_size};
    settings[2] = (struct verilog_setting){"LEVELS", c->descriptors.levels};
    return 3;
}

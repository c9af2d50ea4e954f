/* arbiter_fixture: a warp whose threads have PCs and levels, and an arbiter of any policy for it. */
#ifndef TESTS_CONTROL_ARBITER_FIXTURE_H
#define TESTS_CONTROL_ARBITER_FIXTURE_H

#include "model/control/warp_pc_arbiter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct tdt_room room;
static struct thread_descriptor_table table = {.warp = room.warp, .rows = room.row[0]};
static struct warp_descriptors *const warp = room.warp;
static struct warp_pc_arbiter arbiter;

static inline void thread(unsigned k, uint32_t pc, unsigned level) {
    unsigned position;
    tdt_start(&table, 0, k, pc, 0, 0);
    while (level--) tdt_priority(&table, 0, 1ull << k, PRIORITY_RAISE, 0, &position);
}

static inline void arbitrate(enum pc_policy policy) {
    warp_pc_arbiter_init(&arbiter, policy, table.warp_size, table.levels);
    warp_pc_arbiter_read(&arbiter, warp);
    warp_pc_arbiter_eval(&arbiter);
}

/* The smallest PC, the lowest number and the highest level are those of different threads. */
static inline void divergent_warp(void) {
    thread_descriptor_table_init(&table, 1, 32, 8);
    thread(3, 0x300, 1);
    thread(4, 0x80000000, 6);
    thread(5, 0x0fc, 2);
    thread(6, 0x0fc, 0);
}

#endif

#include "model/memory/exclusive_monitor.h"

#include "sim/error.h"

#include <stdlib.h>

static void *allocate(size_t count, size_t size_bytes) {
    void *p = calloc(count, size_bytes);
    require_memory(p);
    return p;
}

void exclusive_monitor_init(struct exclusive_monitor *m, uint32_t threads, uint32_t granule_bytes) {
    *m = (struct exclusive_monitor){.threads = threads,
                                    .granule_bits = (unsigned)__builtin_ctz(granule_bytes)};
    m->granule = allocate(threads, sizeof *m->granule);
    m->holds = allocate(threads / 64 + 1, sizeof *m->holds);
    m->offset = allocate(threads, sizeof *m->offset);
}

void exclusive_monitor_free(struct exclusive_monitor *m) {
    free(m->granule);
    free(m->holds);
    free(m->offset);
    *m = (struct exclusive_monitor){0};
}

void exclusive_monitor_window(struct exclusive_monitor *m, uint32_t window, uint32_t window_bytes) {
    m->window = window;
    m->window_bytes = window_bytes;
}

void exclusive_monitor_offset(struct exclusive_monitor *m, uint32_t thread, uint32_t offset) {
    m->offset[thread] = offset;
}

static uint32_t place(const struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    return address - m->window < m->window_bytes ? address + m->offset[thread] : address;
}

static bool held(const struct exclusive_monitor *m, uint32_t thread) {
    return m->holds[thread / 64] >> thread % 64 & 1;
}

void exclusive_monitor_clear(struct exclusive_monitor *m, uint32_t thread) {
    if (!held(m, thread)) return;
    m->holds[thread / 64] &= ~(UINT64_C(1) << thread % 64);
    m->bin[m->granule[thread] % EXCLUSIVE_MONITOR_BINS]--;
    m->reserved--;
}

void exclusive_monitor_reserve(struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    exclusive_monitor_clear(m, thread);
    m->granule[thread] = place(m, thread, address) >> m->granule_bits;
    m->holds[thread / 64] |= UINT64_C(1) << thread % 64;
    m->bin[m->granule[thread] % EXCLUSIVE_MONITOR_BINS]++;
    m->reserved++;
}

bool exclusive_monitor_spend(struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    bool may = held(m, thread) && m->granule[thread] == place(m, thread, address) >> m->granule_bits;
    exclusive_monitor_clear(m, thread);
    return may;
}

static void clear_others(struct exclusive_monitor *m, uint32_t thread, uint32_t granule) {
    for (uint32_t word = 0; word <= m->threads / 64; word++) {
        for (uint64_t set = m->holds[word]; set; set &= set - 1) {
            uint32_t other = word * 64 + (uint32_t)__builtin_ctzll(set);
            if (other != thread && m->granule[other] == granule) exclusive_monitor_clear(m, other);
        }
    }
}

void exclusive_monitor_store(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes) {
    if (!m->reserved || !size_bytes) return;
    address = place(m, thread, address);
    uint32_t last = (address + size_bytes - 1) >> m->granule_bits;
    for (uint32_t granule = address >> m->granule_bits; granule <= last; granule++)
        if (m->bin[granule % EXCLUSIVE_MONITOR_BINS]) clear_others(m, thread, granule);
}

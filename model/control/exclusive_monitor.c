#include "model/control/exclusive_monitor.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* --- a bank --- */

void exclusive_bank_reset(struct exclusive_bank *b) {
    memset(b->granule, 0, sizeof b->granule);
    b->in = (struct exclusive_monitor_in){0};
    b->q = (struct exclusive_monitor_state){.granule = b->granule};
}

/* Those of the bank whose reservations the store clears. */
static uint64_t struck(const struct exclusive_bank *b, uint64_t others) {
    uint64_t struck = 0;
    for (uint64_t rest = b->q.holds & others; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (b->granule[k] >= b->in.first && b->granule[k] <= b->in.last) struck |= UINT64_C(1) << k;
    }
    return struck;
}

void exclusive_bank_eval(struct exclusive_bank *b) {
    const struct exclusive_monitor_in *in = &b->in;
    const uint64_t own = in->own ? UINT64_C(1) << in->thread : 0;
    b->out.may = in->spend && b->q.holds & own && b->granule[in->thread] == in->first;
    b->d.holds = b->q.holds;
    if (in->spend || in->clear) b->d.holds &= ~own;
    if (in->reserve) b->d.holds |= own;
    if (in->store) b->d.holds &= ~struck(b, ~own);
}

void exclusive_bank_clock(struct exclusive_bank *b) {
    if (b->in.reserve && b->in.own) b->granule[b->in.thread] = b->in.first;
    b->q.holds = b->d.holds;
}

/* --- the monitor of a machine --- */

void exclusive_monitor_init(struct exclusive_monitor *m, uint32_t threads, uint32_t granule_bytes) {
    *m = (struct exclusive_monitor){.threads = threads,
                                    .banks = (threads + EXCLUSIVE_MONITOR_BANK - 1) / EXCLUSIVE_MONITOR_BANK,
                                    .granule_bits = (unsigned)__builtin_ctz(granule_bytes)};
    m->bank = calloc(m->banks, sizeof *m->bank);
    m->offset = calloc(threads, sizeof *m->offset);
    require_memory(m->bank && m->offset ? m : NULL);
    for (uint32_t n = 0; n < m->banks; ++n) exclusive_bank_reset(&m->bank[n]);
}

void exclusive_monitor_free(struct exclusive_monitor *m) {
    free(m->bank);
    free(m->offset);
    *m = (struct exclusive_monitor){0};
}

void exclusive_monitor_reset(struct exclusive_monitor *m) {
    m->reserved = 0;
    memset(m->bin, 0, sizeof m->bin);
    for (uint32_t n = 0; n < m->banks; ++n) {
        exclusive_bank_reset(&m->bank[n]);
        block_requests_reset(&m->bank[n].requests);
    }
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

static uint32_t *bin_of(struct exclusive_monitor *m, uint32_t granule) {
    return &m->bin[granule % EXCLUSIVE_MONITOR_BINS];
}

/* What the edge does to the counts: who loses a reservation, and who gets one. */
static void count(struct exclusive_monitor *m, const struct exclusive_bank *b) {
    const uint64_t reserver = b->in.reserve ? UINT64_C(1) << b->in.thread : 0;
    for (uint64_t rest = b->q.holds & (~b->d.holds | reserver); rest; rest &= rest - 1) {
        --*bin_of(m, b->granule[__builtin_ctzll(rest)]);
        --m->reserved;
    }
    if (!reserver) return;
    ++*bin_of(m, b->in.first);
    ++m->reserved;
}

/* A request to the bank. Returns whether STREX may store. */
static bool ask(struct exclusive_monitor *m, struct exclusive_bank *b, struct exclusive_monitor_in in) {
    b->in = in;
    exclusive_bank_eval(b);
    block_requests_cycle(&b->requests, CLUSTER_BLOCK_MONITOR);
    count(m, b);
    exclusive_bank_clock(b);
    return b->out.may;
}

static struct exclusive_bank *bank_of(const struct exclusive_monitor *m, uint32_t thread) {
    return &m->bank[thread / EXCLUSIVE_MONITOR_BANK];
}

void exclusive_monitor_clear(struct exclusive_monitor *m, uint32_t thread) {
    struct exclusive_bank *b = bank_of(m, thread);
    const uint32_t number = thread % EXCLUSIVE_MONITOR_BANK;
    if (!(b->q.holds >> number & 1)) return;
    ask(m, b, (struct exclusive_monitor_in){.clear = true, .own = true, .thread = number});
}

void exclusive_monitor_reserve(struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    ask(m, bank_of(m, thread),
        (struct exclusive_monitor_in){.reserve = true,
                                      .own = true,
                                      .thread = thread % EXCLUSIVE_MONITOR_BANK,
                                      .first = place(m, thread, address) >> m->granule_bits});
}

bool exclusive_monitor_spend(struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    return ask(m, bank_of(m, thread),
               (struct exclusive_monitor_in){.spend = true,
                                             .own = true,
                                             .thread = thread % EXCLUSIVE_MONITOR_BANK,
                                             .first = place(m, thread, address) >> m->granule_bits});
}

static bool may_strike(struct exclusive_monitor *m, uint32_t first, uint32_t last) {
    bool may = false;
    for (uint32_t granule = first; granule <= last && !may; ++granule) may = *bin_of(m, granule) != 0;
    return may;
}

void exclusive_monitor_store(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes) {
    if (!m->reserved || !size_bytes) return;
    address = place(m, thread, address);
    struct exclusive_monitor_in in = {.store = true,
                                      .thread = thread % EXCLUSIVE_MONITOR_BANK,
                                      .first = address >> m->granule_bits,
                                      .last = (address + size_bytes - 1) >> m->granule_bits};
    if (!may_strike(m, in.first, in.last)) return;
    for (uint32_t n = 0; n < m->banks; ++n) {
        if (!m->bank[n].q.holds) continue;
        in.own = n == thread / EXCLUSIVE_MONITOR_BANK;
        ask(m, &m->bank[n], in);
    }
}

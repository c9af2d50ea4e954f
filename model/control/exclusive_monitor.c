#include "model/control/exclusive_monitor.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* --- a bank --- */

void exclusive_bank_reset(struct exclusive_bank *b) {
    memset(b->granule, 0, sizeof b->granule);
    memset(b->ticket, 0, sizeof b->ticket);
    b->in = (struct exclusive_monitor_in){0};
    b->q = (struct exclusive_monitor_state){.granule = b->granule, .ticket = b->ticket};
}

/* Returns the threads of the bank whose reservations the store clears. */
static uint64_t struck(const struct exclusive_bank *b, uint64_t others) {
    uint64_t struck = 0;
    for (uint64_t rest = b->q.holds & others; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (b->granule[k] >= b->in.first && b->granule[k] <= b->in.last) struck |= UINT64_C(1) << k;
    }
    return struck;
}

/* Returns whether another thread of the bank asked for the granule before the thread of the request. */
static bool has_older(const struct exclusive_bank *b, uint64_t others) {
    const unsigned n = b->in.thread;
    const bool asks = b->in.own && b->q.asks >> n & 1 && b->granule[n] == b->in.first;
    const uint32_t mine = asks ? b->ticket[n] : b->in.ticket;
    for (uint64_t rest = b->q.asks & others; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (b->granule[k] == b->in.first && b->ticket[k] < mine) return true;
    }
    return false;
}

void exclusive_bank_eval(struct exclusive_bank *b) {
    const struct exclusive_monitor_in *in = &b->in;
    const uint64_t own = in->own ? UINT64_C(1) << in->thread : 0;
    b->out.older = has_older(b, ~own);
    b->out.may =
        in->spend && b->q.holds & own && b->granule[in->thread] == in->first && !b->out.older && !in->older;
    b->d.holds = b->q.holds;
    b->d.asks = b->q.asks;
    if (in->spend || in->clear || in->wait) b->d.holds &= ~own;
    if (b->out.may || in->clear || in->drop) b->d.asks &= ~own;
    if (in->reserve) b->d.holds |= own;
    if (in->reserve || in->wait) b->d.asks |= own;
    if (in->store) b->d.holds &= ~struck(b, ~own);
}

/* Returns whether the thread's ask is new, so that its turn begins now. */
static bool is_new_ask(const struct exclusive_bank *b) {
    const struct exclusive_monitor_in *in = &b->in;
    return in->own && (in->reserve || in->wait) &&
           (!(b->q.asks >> in->thread & 1) || b->granule[in->thread] != in->first);
}

void exclusive_bank_clock(struct exclusive_bank *b) {
    if (is_new_ask(b)) b->ticket[b->in.thread] = b->in.ticket;
    if ((b->in.reserve || b->in.wait) && b->in.own) b->granule[b->in.thread] = b->in.first;
    b->q.holds = b->d.holds;
    b->q.asks = b->d.asks;
}

/* --- the monitor of a machine --- */

#define NO_THREAD   UINT32_MAX
#define LIMIT_HOLDS 16 /* threads that hold a granule for long and do not store may follow each other */
#define PAUSE_SHARE 16 /* part of the limit without a failure that ends a row of failures */

void exclusive_monitor_init(struct exclusive_monitor *m, uint32_t threads, uint32_t granule_bytes,
                            uint64_t hold) {
    *m = (struct exclusive_monitor){.threads = threads,
                                    .banks = (threads + EXCLUSIVE_MONITOR_BANK - 1) / EXCLUSIVE_MONITOR_BANK,
                                    .hold = hold,
                                    .limit = LIMIT_HOLDS * hold,
                                    .granule_bits = (unsigned)__builtin_ctz(granule_bytes)};
    if (m->limit < EXCLUSIVE_MONITOR_LIMIT) m->limit = EXCLUSIVE_MONITOR_LIMIT;
    m->bank = calloc(m->banks, sizeof *m->bank);
    m->offset = calloc(threads, sizeof *m->offset);
    m->ask = calloc(threads, sizeof *m->ask);
    require_memory(m->bank && m->offset && m->ask ? m : NULL);
    exclusive_monitor_reset(m);
}

void exclusive_monitor_free(struct exclusive_monitor *m) {
    free(m->bank);
    free(m->offset);
    free(m->ask);
    *m = (struct exclusive_monitor){0};
}

void exclusive_monitor_reset(struct exclusive_monitor *m) {
    m->reserved = m->asking = m->tickets = 0;
    m->failures.count = 0;
    memset(m->bin, 0, sizeof m->bin);
    memset(m->oldest, 0xff, sizeof m->oldest);
    memset(m->newest, 0xff, sizeof m->newest);
    memset(m->ask, 0, m->threads * sizeof *m->ask);
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

/* Updates the counts for the reservations that the edge clears and sets. */
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

static struct exclusive_bank *bank_of(const struct exclusive_monitor *m, uint32_t thread) {
    return &m->bank[thread / EXCLUSIVE_MONITOR_BANK];
}

/* --- the asks of a bin, in the order of their tickets --- */

static uint32_t granule_of(const struct exclusive_monitor *m, uint32_t thread) {
    return bank_of(m, thread)->granule[thread % EXCLUSIVE_MONITOR_BANK];
}

static uint32_t ticket_of(const struct exclusive_monitor *m, uint32_t thread) {
    return bank_of(m, thread)->ticket[thread % EXCLUSIVE_MONITOR_BANK];
}

static bool is_asking(const struct exclusive_monitor *m, uint32_t thread) {
    return bank_of(m, thread)->q.asks >> thread % EXCLUSIVE_MONITOR_BANK & 1;
}

static bool has_reservation(const struct exclusive_monitor *m, uint32_t thread) {
    return bank_of(m, thread)->q.holds >> thread % EXCLUSIVE_MONITOR_BANK & 1;
}

/* Inserts the thread's ask by its ticket: usually as the newest; an ask whose time was over has its old
 * ticket. */
static void enlist(struct exclusive_monitor *m, uint32_t thread) {
    const uint32_t bin = granule_of(m, thread) % EXCLUSIVE_MONITOR_BINS;
    uint32_t before = m->newest[bin], after = NO_THREAD;
    for (; before != NO_THREAD && ticket_of(m, before) > ticket_of(m, thread); before = m->ask[before].before)
        after = before;
    *(before == NO_THREAD ? &m->oldest[bin] : &m->ask[before].after) = thread;
    *(after == NO_THREAD ? &m->newest[bin] : &m->ask[after].before) = thread;
    m->ask[thread].before = before;
    m->ask[thread].after = after;
    ++m->asking;
}

static void delist(struct exclusive_monitor *m, uint32_t thread) {
    const uint32_t bin = granule_of(m, thread) % EXCLUSIVE_MONITOR_BINS;
    const struct exclusive_ask *a = &m->ask[thread];
    *(a->before == NO_THREAD ? &m->oldest[bin] : &m->ask[a->before].after) = a->after;
    *(a->after == NO_THREAD ? &m->newest[bin] : &m->ask[a->after].before) = a->before;
    --m->asking;
}

/* --- requests --- */

/* Makes a request to the bank. Returns whether STREX may store. */
static bool ask(struct exclusive_monitor *m, struct exclusive_bank *b, struct exclusive_monitor_in in) {
    const uint32_t thread = (uint32_t)(b - m->bank) * EXCLUSIVE_MONITOR_BANK + in.thread;
    b->in = in;
    exclusive_bank_eval(b);
    block_requests_cycle(&b->requests, CLUSTER_BLOCK_MONITOR);
    count(m, b);
    const bool asks = in.own && b->d.asks >> in.thread & 1, is_new = is_new_ask(b);
    if (in.own && b->q.asks >> in.thread & 1 && (is_new || !asks)) delist(m, thread);
    exclusive_bank_clock(b);
    if (is_new && asks) enlist(m, thread);
    if (in.reserve || in.wait) m->ask[thread].until = m->now + m->hold;
    if (in.reserve || in.wait || b->out.may) m->ask[thread].late = false;
    return b->out.may;
}

/* Makes a request of a thread of its own to its bank. */
static bool ask_own(struct exclusive_monitor *m, uint32_t thread, struct exclusive_monitor_in in) {
    in.own = true;
    in.thread = thread % EXCLUSIVE_MONITOR_BANK;
    return ask(m, bank_of(m, thread), in);
}

static void drop(struct exclusive_monitor *m, uint32_t thread) {
    if (is_asking(m, thread)) ask_own(m, thread, (struct exclusive_monitor_in){.drop = true});
}

void exclusive_monitor_give_up(struct exclusive_monitor *m, uint32_t thread) {
    drop(m, thread);
    m->ask[thread].late = false;
}

/* Drops the ask of a thread whose time is over. */
static void forget_late(struct exclusive_monitor *m, uint32_t thread) {
    if (!is_asking(m, thread) || m->now < m->ask[thread].until) return;
    drop(m, thread);
    m->ask[thread].late = true;
}

/* Returns the thread that holds the granule and whose ask is older than `ticket`; NO_THREAD if there is
 * none. */
static uint32_t holder(struct exclusive_monitor *m, uint32_t thread, uint32_t granule, uint32_t ticket) {
    uint32_t next = m->oldest[granule % EXCLUSIVE_MONITOR_BINS];
    while (next != NO_THREAD && ticket_of(m, next) < ticket) {
        const uint32_t k = next;
        next = m->ask[k].after;
        if (k == thread || granule_of(m, k) != granule) continue;
        forget_late(m, k);
        if (is_asking(m, k)) return k;
    }
    return NO_THREAD;
}

/* Returns the thread's turn at a granule: its last ticket if it asks for the granule or has reserved it; else
 * a ticket after all others. */
static uint32_t turn_of(const struct exclusive_monitor *m, uint32_t thread, uint32_t granule) {
    const bool knows = is_asking(m, thread) || has_reservation(m, thread);
    return knows && granule_of(m, thread) == granule ? ticket_of(m, thread) : UINT32_MAX;
}

/* Returns whether another thread holds the granule. *elsewhere: that thread is in another bank, which
 * decides. */
static bool is_held(struct exclusive_monitor *m, uint32_t thread, uint32_t granule, bool *elsewhere) {
    const uint32_t ticket = turn_of(m, thread, granule), k = holder(m, thread, granule, ticket);
    *elsewhere = k != NO_THREAD && bank_of(m, k) != bank_of(m, thread);
    if (!*elsewhere) return k != NO_THREAD;
    ask(m, bank_of(m, k), (struct exclusive_monitor_in){.first = granule, .ticket = ticket});
    invariant(bank_of(m, k)->out.older, "the ask of thread %u is not older than that of %u", k, thread);
    return true;
}

void exclusive_monitor_clear(struct exclusive_monitor *m, uint32_t thread) {
    const uint32_t number = thread % EXCLUSIVE_MONITOR_BANK;
    const struct exclusive_bank *b = bank_of(m, thread);
    if ((b->q.holds | b->q.asks) >> number & 1)
        ask_own(m, thread, (struct exclusive_monitor_in){.clear = true});
    m->ask[thread].late = false;
}

/* Returns the ticket of a new ask of the thread: its former one if the ask's time was over and the thread has
 * not stored since. After 2^32 − 1 asks, all new asks share the last ticket. */
static uint32_t ticket_for(struct exclusive_monitor *m, uint32_t thread, uint32_t granule) {
    if (m->ask[thread].late && granule_of(m, thread) == granule) return ticket_of(m, thread);
    return m->tickets == UINT32_MAX ? m->tickets : m->tickets++;
}

void exclusive_monitor_reserve(struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    const uint32_t granule = place(m, thread, address) >> m->granule_bits;
    forget_late(m, thread);
    ask_own(m, thread,
            (struct exclusive_monitor_in){
                .reserve = true, .first = granule, .ticket = ticket_for(m, thread, granule)});
}

/* --- failures --- */

/* Returns the last cycle in which another failure continues the row of failures. */
static uint64_t continued_until(const struct exclusive_monitor *m) {
    return m->failures.last + (m->limit + PAUSE_SHARE - 1) / PAUSE_SHARE;
}

static void note_failure(struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    struct exclusive_failures *f = &m->failures;
    if (!f->count || m->now > continued_until(m))
        *f = (struct exclusive_failures){.first = m->now, .last = m->now, .striker = NO_THREAD};
    if (m->now > f->last) f->last = m->now; /* SMs take turns in a few cycles: time can go back */
    ++f->count;
    f->thread = thread;
    f->pc = m->pc;
    f->address = address;
}

uint64_t exclusive_monitor_deadline(const struct exclusive_monitor *m) {
    return m->failures.count ? m->failures.first + m->limit : UINT64_MAX;
}

bool exclusive_monitor_is_livelock(const struct exclusive_monitor *m, uint64_t t) {
    const uint64_t deadline = exclusive_monitor_deadline(m);
    return m->failures.count && deadline <= t && deadline <= continued_until(m);
}

/* --- requests that a failure depends on --- */

bool exclusive_monitor_spend(struct exclusive_monitor *m, uint32_t thread, uint32_t address) {
    struct exclusive_monitor_in in = {.spend = true, .first = place(m, thread, address) >> m->granule_bits};
    forget_late(m, thread);
    in.ticket = turn_of(m, thread, in.first);
    if (has_reservation(m, thread) && granule_of(m, thread) == in.first)
        is_held(m, thread, in.first, &in.older);
    const bool may = ask_own(m, thread, in);
    if (may)
        m->failures.count = 0;
    else
        note_failure(m, thread, address);
    return may;
}

bool exclusive_monitor_waits(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes) {
    if (!m->asking || !size_bytes) return false;
    forget_late(m, thread);
    address = place(m, thread, address);
    const uint32_t last = (address + size_bytes - 1) >> m->granule_bits;
    struct exclusive_monitor_in in = {.wait = true, .first = address >> m->granule_bits};
    while (in.first <= last && !is_held(m, thread, in.first, &in.older)) ++in.first;
    if (in.first > last) return false;
    in.ticket = ticket_for(m, thread, in.first);
    ask_own(m, thread, in);
    return true;
}

static bool may_strike(struct exclusive_monitor *m, uint32_t first, uint32_t last) {
    bool may = false;
    for (uint32_t granule = first; granule <= last && !may; ++granule) may = *bin_of(m, granule) != 0;
    return may;
}

void exclusive_monitor_store(struct exclusive_monitor *m, uint32_t thread, uint32_t address,
                             uint32_t size_bytes) {
    if (!size_bytes) return;
    address = place(m, thread, address);
    struct exclusive_monitor_in in = {.store = true,
                                      .thread = thread % EXCLUSIVE_MONITOR_BANK,
                                      .first = address >> m->granule_bits,
                                      .last = (address + size_bytes - 1) >> m->granule_bits};
    if ((is_asking(m, thread) || m->ask[thread].late) && !has_reservation(m, thread) &&
        granule_of(m, thread) - in.first <= in.last - in.first)
        exclusive_monitor_give_up(m, thread);
    const uint32_t reserved = m->reserved;
    if (!reserved || !may_strike(m, in.first, in.last)) return;
    for (uint32_t n = 0; n < m->banks; ++n) {
        if (!m->bank[n].q.holds) continue;
        in.own = n == thread / EXCLUSIVE_MONITOR_BANK;
        ask(m, &m->bank[n], in);
    }
    if (m->failures.count && m->reserved < reserved) {
        ++m->failures.struck;
        m->failures.striker = thread;
        m->failures.striker_pc = m->pc;
    }
}

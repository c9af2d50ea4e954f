#include "model/control/dram_scheduler.h"

#include "sim/error.h"

#include <string.h>

/* A request, as it lies in the queue or is offered. */
struct request {
    bool write;
    uint32_t bank, row, bursts, tag;
};

void dram_scheduler_init(struct dram_scheduler *s, const struct dram_scheduler_config *config) {
    invariant(config->queue && config->queue <= DRAM_MAX_QUEUE && config->banks &&
                  config->banks <= DRAM_MAX_BANKS,
              "a DRAM queue of %u requests, %u banks", config->queue, config->banks);
    memset(s, 0, sizeof *s);
    s->cfg = *config;
}

/* Entry n of the queue; the one behind the last is the request that has joined. */
static inline struct request entry(const struct dram_scheduler *s, unsigned n) {
    if (n == s->count) return (struct request){s->in.write, s->in.bank, s->in.row, s->in.bursts, s->in.tag};
    return (struct request){s->queue_write[n], s->queue_bank[n], s->queue_row[n], s->queue_bursts[n],
                            s->queue_tag[n]};
}

static inline uint32_t bank_of(const struct dram_scheduler *s, unsigned n) {
    return n == s->count ? s->in.bank : s->queue_bank[n];
}

static inline bool has_open(const struct dram_scheduler *s, uint32_t bank, uint32_t row) {
    return s->open >> bank & 1 && s->open_row[bank] == row;
}

/* FR-FCFS: the entry that goes to a bank, of `count`; count: none. */
static unsigned first_ready(const struct dram_scheduler *s, unsigned count) {
    uint32_t wanted = 0, hits = 0;
    unsigned oldest[DRAM_MAX_BANKS];
    for (unsigned n = 0; n < count; ++n) {
        const uint32_t bank = bank_of(s, n), bit = 1u << bank;
        if (s->busy & bit || hits & bit) continue;
        const bool hit = has_open(s, bank, n == s->count ? s->in.row : s->queue_row[n]);
        if (wanted & bit && !hit) continue;
        wanted |= bit;
        hits |= hit ? bit : 0;
        oldest[bank] = n;
    }
    if (!wanted) return count;
    const uint32_t later = wanted >> s->turn << s->turn;
    return oldest[__builtin_ctz(later ? later : wanted)];
}

static unsigned choose(const struct dram_scheduler *s, unsigned count) {
    if (s->cfg.policy == DRAM_FRFCFS) return first_ready(s, count);
    return count && !(s->busy >> bank_of(s, 0) & 1) ? 0 : count;
}

/* The cycles until a bank can give the next command of its request, which is one for `row`. */
static inline uint32_t wait_of(const struct dram_scheduler *s, unsigned bank, uint32_t row, bool write) {
    if (!(s->open >> bank & 1)) return s->act[bank] > s->any_act ? s->act[bank] : s->any_act;
    if (s->open_row[bank] != row) return s->pre[bank];
    const uint32_t any = write ? s->any_wr : s->any_rd;
    return s->col[bank] > any ? s->col[bank] : any;
}

static void give(struct dram_scheduler *s, unsigned bank, const struct request *r, uint32_t left, bool hit) {
    struct dram_scheduler_out *out = &s->out;
    out->bank = bank;
    if (!(s->open >> bank & 1)) {
        out->command = DRAM_ACTIVATE;
    } else if (s->open_row[bank] != r->row) {
        out->command = DRAM_PRECHARGE;
    } else {
        out->command = r->write ? DRAM_WRITE : DRAM_READ;
        out->done = left == 1;
        out->tag = out->done ? r->tag : 0;
        out->hit = out->done && hit;
    }
}

void dram_scheduler_eval(struct dram_scheduler *s) {
    s->out = (struct dram_scheduler_out){.ready = s->count < s->cfg.queue};
    const unsigned count = s->count + (s->in.valid && s->out.ready);
    s->d.count = count;
    s->d.taken = choose(s, count);
    const bool any = s->d.taken < count;
    const struct request moved = any ? entry(s, s->d.taken) : (struct request){.bank = 0};
    const uint32_t busy = s->busy | (any ? 1u << moved.bank : 0);
    const uint32_t later = busy >> s->first << s->first;
    for (uint32_t left = later, rest = busy & ~later; left | rest;) {
        if (!left) {
            left = rest;
            rest = 0;
        }
        const unsigned bank = (unsigned)__builtin_ctz(left);
        left &= left - 1;
        const bool is_new = any && moved.bank == bank;
        const struct request r = is_new ? moved
                                        : (struct request){.write = s->write >> bank & 1,
                                                           .row = s->row[bank],
                                                           .bursts = s->bursts[bank],
                                                           .tag = s->tag[bank]};
        if (wait_of(s, bank, r.row, r.write)) continue;
        give(s, bank, &r, r.bursts, is_new ? has_open(s, bank, r.row) : s->hit >> bank & 1);
        return;
    }
}

/* --- the edge --- */

static inline void put(struct dram_scheduler *s, unsigned n, const struct request *r) {
    s->queue_write[n] = r->write;
    s->queue_bank[n] = r->bank;
    s->queue_row[n] = r->row;
    s->queue_bursts[n] = r->bursts;
    s->queue_tag[n] = r->tag;
}

/* The entry goes to its bank, and those behind it move up. */
static void move(struct dram_scheduler *s, unsigned n) {
    const struct request r = entry(s, n);
    const uint32_t bit = 1u << r.bank;
    s->busy |= bit;
    s->write = r.write ? s->write | bit : s->write & ~bit;
    s->hit = has_open(s, r.bank, r.row) ? s->hit | bit : s->hit & ~bit;
    s->row[r.bank] = r.row;
    s->bursts[r.bank] = r.bursts;
    s->tag[r.bank] = r.tag;
    if (s->cfg.policy == DRAM_FRFCFS) s->turn = (r.bank + 1) % s->cfg.banks;
    for (; n + 1 < s->count; ++n) {
        const struct request next = entry(s, n + 1);
        put(s, n, &next);
    }
    put(s, --s->count, &(struct request){.write = false});
}

static inline void at_least(uint32_t *counter, uint32_t cycles) {
    if (*counter < cycles) *counter = cycles;
}

/* Distances from now on, before the cycle itself passes. */
static void column_access(struct dram_scheduler *s, unsigned bank, bool write) {
    const struct dram_scheduler_config *c = &s->cfg;
    if (write) {
        s->any_wr = c->ccd;
        at_least(&s->any_rd, c->wl + c->burst_cycles + c->cdlr);
        at_least(&s->pre[bank], c->wl + c->burst_cycles + c->wr);
    } else {
        const uint32_t read = c->cl + c->burst_cycles + 2, turn = read > c->wl ? read - c->wl : 0;
        s->any_rd = c->ccd;
        at_least(&s->any_wr, turn > c->ccd ? turn : c->ccd);
        at_least(&s->pre[bank], c->burst_cycles);
    }
    if (--s->bursts[bank]) return;
    const uint32_t bit = 1u << bank;
    s->busy &= ~bit;
    s->write &= ~bit;
    s->hit &= ~bit;
    s->row[bank] = s->tag[bank] = 0;
}

static void command(struct dram_scheduler *s) {
    const struct dram_scheduler_config *c = &s->cfg;
    const unsigned bank = s->out.bank;
    switch ((enum dram_command)s->out.command) {
    case DRAM_NONE: return;
    case DRAM_READ:
    case DRAM_WRITE: column_access(s, bank, s->out.command == DRAM_WRITE); return;
    case DRAM_ACTIVATE:
        s->open |= 1u << bank;
        s->open_row[bank] = s->row[bank];
        s->any_act = c->rrd;
        s->col[bank] = c->rcd;
        s->pre[bank] = c->ras;
        s->act[bank] = c->rc;
        break;
    case DRAM_PRECHARGE:
        s->open &= ~(1u << bank);
        s->open_row[bank] = 0;
        at_least(&s->act[bank], c->rp);
        break;
    }
    s->first = (bank + 1) % c->banks;
}

void dram_scheduler_clock(struct dram_scheduler *s) {
    const unsigned count = s->d.count;
    if (count > s->count) {
        const struct request r = entry(s, s->count);
        put(s, s->count++, &r);
    }
    if (s->d.taken < count) move(s, s->d.taken);
    command(s);
    dram_scheduler_skip(s, 1);
    s->in = (struct dram_scheduler_in){.valid = false};
}

/* --- time without anything to do --- */

uint32_t dram_scheduler_idle(const struct dram_scheduler *s) {
    if (choose(s, s->count) < s->count) return 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t busy = s->busy; busy; busy &= busy - 1) {
        const unsigned bank = (unsigned)__builtin_ctz(busy);
        const uint32_t wait = wait_of(s, bank, s->row[bank], s->write >> bank & 1);
        if (wait < least) least = wait;
    }
    return least;
}

static inline void pass(uint32_t *counter, uint32_t cycles) {
    *counter = *counter > cycles ? *counter - cycles : 0;
}

void dram_scheduler_skip(struct dram_scheduler *s, uint64_t cycles) {
    const uint32_t n = cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
    for (unsigned b = 0; b < s->cfg.banks; ++b) {
        pass(&s->act[b], n);
        pass(&s->pre[b], n);
        pass(&s->col[b], n);
    }
    pass(&s->any_act, n);
    pass(&s->any_rd, n);
    pass(&s->any_wr, n);
}

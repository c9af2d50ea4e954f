#include "model/control/dram_scheduler.h"

#include "sim/error.h"

#include <string.h>

/* A request, queued or offered. */
struct request {
    bool write;
    uint32_t bank, row, bursts, tag;
};

void dram_scheduler_init(struct dram_scheduler *s, const struct dram_scheduler_config *config) {
    invariant(config->queue && config->queue <= DRAM_MAX_QUEUE && config->banks &&
                  config->banks <= DRAM_MAX_BANKS,
              "a DRAM queue of %u requests, %u banks", config->queue, config->banks);
    memset(s, 0, sizeof *s);
    s->cfg.policy = config->policy;
    s->cfg.queue = config->queue;
    s->cfg.banks = config->banks;
    s->in = (struct dram_scheduler_in){.rcd = config->rcd,
                                       .rp = config->rp,
                                       .cl = config->cl,
                                       .ras = config->ras,
                                       .rrd = config->rrd,
                                       .rc = config->rc,
                                       .ccd = config->ccd,
                                       .wl = config->wl,
                                       .cdlr = config->cdlr,
                                       .wr = config->wr,
                                       .burst = config->burst_cycles};
    s->q = (struct dram_scheduler_state){.queue_write = s->queue_write,
                                         .queue_bank = s->queue_bank,
                                         .queue_row = s->queue_row,
                                         .queue_bursts = s->queue_bursts,
                                         .queue_tag = s->queue_tag,
                                         .bank_row = s->bank_row,
                                         .bank_open = s->bank_open,
                                         .bank_bursts = s->bank_bursts,
                                         .bank_tag = s->bank_tag,
                                         .bank_act = s->bank_act,
                                         .bank_pre = s->bank_pre,
                                         .bank_col = s->bank_col};
}

/* Returns entry n of the queue; the entry behind the last is the request that has joined. */
static inline struct request entry(const struct dram_scheduler *s, unsigned n) {
    if (n == s->q.count) return (struct request){s->in.write, s->in.bank, s->in.row, s->in.bursts, s->in.tag};
    return (struct request){s->queue_write[n], s->queue_bank[n], s->queue_row[n], s->queue_bursts[n],
                            s->queue_tag[n]};
}

static inline uint32_t bank_of(const struct dram_scheduler *s, unsigned n) {
    return n == s->q.count ? s->in.bank : s->queue_bank[n];
}

static inline bool has_open(const struct dram_scheduler *s, uint32_t bank, uint32_t row) {
    return s->q.open >> bank & 1 && s->bank_open[bank] == row;
}

/* FR-FCFS: returns the entry, of `count`, that goes to a bank; `count` if none does. */
static unsigned first_ready(const struct dram_scheduler *s, unsigned count) {
    uint32_t wanted = 0, hits = 0;
    unsigned oldest[DRAM_MAX_BANKS];
    for (unsigned n = 0; n < count; ++n) {
        const uint32_t bank = bank_of(s, n), bit = 1u << bank;
        if (s->q.busy & bit || hits & bit) continue;
        const bool hit = has_open(s, bank, n == s->q.count ? s->in.row : s->queue_row[n]);
        if (wanted & bit && !hit) continue;
        wanted |= bit;
        hits |= hit ? bit : 0;
        oldest[bank] = n;
    }
    if (!wanted) return count;
    const uint32_t later = wanted >> s->q.turn << s->q.turn;
    return oldest[__builtin_ctz(later ? later : wanted)];
}

static unsigned choose(const struct dram_scheduler *s, unsigned count) {
    if (s->cfg.policy == DRAM_FRFCFS) return first_ready(s, count);
    return count && !(s->q.busy >> bank_of(s, 0) & 1) ? 0 : count;
}

/* Returns the number of cycles until a bank can give the next command of its request for `row`. */
static inline uint32_t wait_of(const struct dram_scheduler *s, unsigned bank, uint32_t row, bool write) {
    if (!(s->q.open >> bank & 1)) return s->bank_act[bank] > s->q.any_act ? s->bank_act[bank] : s->q.any_act;
    if (s->bank_open[bank] != row) return s->bank_pre[bank];
    const uint32_t any = write ? s->q.any_wr : s->q.any_rd;
    return s->bank_col[bank] > any ? s->bank_col[bank] : any;
}

static void give(struct dram_scheduler *s, unsigned bank, const struct request *r, uint32_t left, bool hit) {
    struct dram_scheduler_out *out = &s->out;
    out->bank = bank;
    if (!(s->q.open >> bank & 1)) {
        out->command = DRAM_ACTIVATE;
    } else if (s->bank_open[bank] != r->row) {
        out->command = DRAM_PRECHARGE;
    } else {
        out->command = r->write ? DRAM_WRITE : DRAM_READ;
        out->done = left == 1;
        out->tag = out->done ? r->tag : 0;
        out->hit = out->done && hit;
    }
}

void dram_scheduler_eval(struct dram_scheduler *s) {
    s->out = (struct dram_scheduler_out){.ready = s->q.count < s->cfg.queue};
    const unsigned count = s->q.count + (s->in.valid && s->out.ready);
    s->d.count = count;
    s->d.taken = choose(s, count);
    const bool any = s->d.taken < count;
    const struct request moved = any ? entry(s, s->d.taken) : (struct request){.bank = 0};
    const uint32_t busy = s->q.busy | (any ? 1u << moved.bank : 0);
    const uint32_t later = busy >> s->q.first << s->q.first;
    for (uint32_t left = later, rest = busy & ~later; left | rest;) {
        if (!left) {
            left = rest;
            rest = 0;
        }
        const unsigned bank = (unsigned)__builtin_ctz(left);
        left &= left - 1;
        const bool is_new = any && moved.bank == bank;
        const struct request r = is_new ? moved
                                        : (struct request){.write = s->q.write >> bank & 1,
                                                           .row = s->bank_row[bank],
                                                           .bursts = s->bank_bursts[bank],
                                                           .tag = s->bank_tag[bank]};
        if (wait_of(s, bank, r.row, r.write)) continue;
        give(s, bank, &r, r.bursts, is_new ? has_open(s, bank, r.row) : s->q.hit >> bank & 1);
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

/* Moves an entry to its bank; later entries move up. */
static void move(struct dram_scheduler *s, unsigned n) {
    const struct request r = entry(s, n);
    const uint32_t bit = 1u << r.bank;
    s->q.busy |= bit;
    s->q.write = r.write ? s->q.write | bit : s->q.write & ~bit;
    s->q.hit = has_open(s, r.bank, r.row) ? s->q.hit | bit : s->q.hit & ~bit;
    s->bank_row[r.bank] = r.row;
    s->bank_bursts[r.bank] = r.bursts;
    s->bank_tag[r.bank] = r.tag;
    if (s->cfg.policy == DRAM_FRFCFS) s->q.turn = (r.bank + 1) % s->cfg.banks;
    for (; n + 1 < s->q.count; ++n) {
        const struct request next = entry(s, n + 1);
        put(s, n, &next);
    }
    put(s, --s->q.count, &(struct request){.write = false});
}

static inline void at_least(uint32_t *counter, uint32_t cycles) {
    if (*counter < cycles) *counter = cycles;
}

/* Sets distances from this cycle on, before the cycle itself is counted. */
static void column_access(struct dram_scheduler *s, unsigned bank, bool write) {
    const struct dram_scheduler_in *c = &s->in;
    if (write) {
        s->q.any_wr = c->ccd;
        at_least(&s->q.any_rd, c->wl + c->burst + c->cdlr);
        at_least(&s->bank_pre[bank], c->wl + c->burst + c->wr);
    } else {
        const uint32_t read = c->cl + c->burst + 2, turn = read > c->wl ? read - c->wl : 0;
        s->q.any_rd = c->ccd;
        at_least(&s->q.any_wr, turn > c->ccd ? turn : c->ccd);
        at_least(&s->bank_pre[bank], c->burst);
    }
    if (--s->bank_bursts[bank]) return;
    const uint32_t bit = 1u << bank;
    s->q.busy &= ~bit;
    s->q.write &= ~bit;
    s->q.hit &= ~bit;
    s->bank_row[bank] = s->bank_tag[bank] = 0;
}

static void command(struct dram_scheduler *s) {
    const struct dram_scheduler_in *c = &s->in;
    const unsigned bank = s->out.bank;
    switch ((enum dram_command)s->out.command) {
    case DRAM_NONE: return;
    case DRAM_READ:
    case DRAM_WRITE: column_access(s, bank, s->out.command == DRAM_WRITE); return;
    case DRAM_ACTIVATE:
        s->q.open |= 1u << bank;
        s->bank_open[bank] = s->bank_row[bank];
        s->q.any_act = c->rrd;
        s->bank_col[bank] = c->rcd;
        s->bank_pre[bank] = c->ras;
        s->bank_act[bank] = c->rc;
        break;
    case DRAM_PRECHARGE:
        s->q.open &= ~(1u << bank);
        s->bank_open[bank] = 0;
        at_least(&s->bank_act[bank], c->rp);
        break;
    }
    s->q.first = (bank + 1) % s->cfg.banks;
}

void dram_scheduler_clock(struct dram_scheduler *s) {
    const unsigned count = s->d.count;
    if (count > s->q.count) {
        const struct request r = entry(s, s->q.count);
        put(s, s->q.count++, &r);
    }
    if (s->d.taken < count) move(s, s->d.taken);
    command(s);
    dram_scheduler_skip(s, 1);
    s->in.valid = false;
}

/* --- time without anything to do --- */

uint32_t dram_scheduler_idle(const struct dram_scheduler *s) {
    if (choose(s, s->q.count) < s->q.count) return 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t busy = s->q.busy; busy; busy &= busy - 1) {
        const unsigned bank = (unsigned)__builtin_ctz(busy);
        const uint32_t wait = wait_of(s, bank, s->bank_row[bank], s->q.write >> bank & 1);
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
        pass(&s->bank_act[b], n);
        pass(&s->bank_pre[b], n);
        pass(&s->bank_col[b], n);
    }
    pass(&s->q.any_act, n);
    pass(&s->q.any_rd, n);
    pass(&s->q.any_wr, n);
}

#include "model/control/miss_registers.h"

#include "sim/error.h"

#include <string.h>

static void copy(const struct miss_registers *r, struct miss_registers_values *to,
                 const struct miss_registers_values *from) {
    to->taken = from->taken;
    to->open = from->open;
    memcpy(to->line, from->line, r->cfg.mshrs * sizeof *to->line);
    memcpy(to->count, from->count, r->cfg.mshrs * sizeof *to->count);
}

void miss_registers_init(struct miss_registers *r, unsigned mshrs, unsigned merges) {
    invariant(mshrs >= 1 && mshrs <= MISS_REGISTERS_MAX && merges >= 1 && merges <= MISS_REGISTERS_MAX_MERGES,
              "%u miss registers of %u requests", mshrs, merges);
    memset(r, 0, sizeof *r);
    r->cfg.mshrs = mshrs;
    r->cfg.merges = merges;
    r->q.line = r->now.line;
    r->q.count = r->now.count;
    r->out.request = r->answered;
}

static uint64_t bit(unsigned m) {
    return UINT64_C(1) << m;
}

/* Frees the register of the answer that arrives. */
static void fill(struct miss_registers *r) {
    const unsigned m = r->in.filled;
    r->out.keep = r->now.open >> m & 1;
    r->out.fill_line = r->now.line[m];
    r->out.count = r->now.count[m];
    memcpy(r->answered, r->row[m].request, r->cfg.merges * sizeof *r->answered);
    r->d.taken &= ~bit(m);
    r->d.open &= ~bit(m);
}

/* Returns the open register of the request's line; the number of registers if there is none. */
static unsigned find_register(const struct miss_registers *r) {
    for (uint64_t rest = r->d.open; rest; rest &= rest - 1) {
        const unsigned m = (unsigned)__builtin_ctzll(rest);
        if (r->d.line[m] == r->in.line) return m;
    }
    return r->cfg.mshrs;
}

static void join(struct miss_registers *r, unsigned m) {
    r->out.crowded = r->d.count[m] == r->cfg.merges;
    if (r->out.crowded) return;
    r->out.join = true;
    r->out.index = m;
    ++r->d.count[m];
}

static void take(struct miss_registers *r) {
    const uint64_t free = ~r->d.taken & (~UINT64_C(0) >> (64 - r->cfg.mshrs));
    r->out.full = !free;
    r->out.no_room = free && !r->in.room;
    r->out.take = free && r->in.room;
    if (!r->out.take) return;
    const unsigned m = (unsigned)__builtin_ctzll(free);
    r->out.index = m;
    r->d.taken |= bit(m);
    if (r->in.load) r->d.open |= bit(m);
    r->d.line[m] = r->in.line;
    r->d.count[m] = 1;
}

void miss_registers_eval(struct miss_registers *r) {
    const struct miss_registers_in *in = &r->in;
    if (r->out.count) memset(r->answered, 0, sizeof r->answered);
    r->out = (struct miss_registers_out){.request = r->answered};
    copy(r, &r->d, &r->now);
    if (in->fill) fill(r);
    if (!in->load && !in->alone && !in->store) return;
    const unsigned m = find_register(r);
    if (in->load && m < r->cfg.mshrs)
        join(r, m);
    else if (!in->store)
        take(r);
    if (m < r->cfg.mshrs && (in->store || (in->alone && r->out.take))) r->d.open &= ~bit(m);
}

void miss_registers_write(struct miss_registers *r) {
    const unsigned m = r->out.index;
    r->written = r->out.join || r->out.take ? bit(m) : 0;
    if (r->out.take) memset(&r->row[m], 0, sizeof r->row[m]);
    if (r->written) r->row[m].request[r->d.count[m] - 1] = r->in.request;
}

void miss_registers_clock(struct miss_registers *r) {
    copy(r, &r->now, &r->d);
    r->q.taken = r->now.taken;
    r->q.open = r->now.open;
    r->in.fill = r->in.load = r->in.alone = r->in.store = false;
}

#include "model/control/writeback_arbiter.h"

#include "sim/error.h"

#include <string.h>

/* Both sides of the edge are the same. */
static void copy(struct writeback_arbiter *a, struct writeback_arbiter_values *to,
                 const struct writeback_arbiter_values *from) {
    const unsigned warps = a->cfg.warps;
    to->landed = from->landed;
    to->there = from->there;
    memcpy(to->lines, from->lines, warps * sizeof *to->lines);
    memcpy(to->scalars, from->scalars, warps * sizeof *to->scalars);
    memcpy(to->older, from->older, warps * sizeof *to->older);
}

void writeback_arbiter_init(struct writeback_arbiter *a, unsigned warps, unsigned write_ports) {
    invariant(warps >= 1 && warps <= WRITEBACK_ARBITER_MAX_WARPS && write_ports >= 1 && write_ports <= 16,
              "write-back of %u warps through %u ports", warps, write_ports);
    memset(a, 0, sizeof *a);
    a->cfg.warps = warps;
    a->cfg.write_ports = write_ports;
    a->q.lines = a->now.lines;
    a->q.scalars = a->now.scalars;
    a->q.older = a->now.older;
}

/* The bits of those warps whose result is there and that have still something to write. */
static uint64_t waiting(const struct writeback_arbiter *a, const uint32_t *left) {
    uint64_t who = 0;
    for (uint64_t rest = a->now.there; rest; rest &= rest - 1)
        if (left[__builtin_ctzll(rest)]) who |= rest & -rest;
    return who;
}

/* The warp of some that landed before all others of them. */
static unsigned oldest(const struct writeback_arbiter *a, uint64_t warps) {
    uint64_t rest = warps;
    while (rest & (rest - 1) && a->now.older[__builtin_ctzll(rest)] & warps) rest &= rest - 1;
    return (unsigned)__builtin_ctzll(rest);
}

/* W of the cycle, by what the flip-flops hold. */
static void write_results(struct writeback_arbiter *a) {
    uint64_t lines = waiting(a, a->now.lines);
    const uint64_t scalars = waiting(a, a->now.scalars);
    for (unsigned free = a->cfg.write_ports; lines && free;) {
        const unsigned w = oldest(a, lines);
        const unsigned taken = a->now.lines[w] < free ? a->now.lines[w] : free;
        a->d.lines[w] -= taken;
        a->out.ports += taken;
        a->out.write |= 1ull << w;
        lines &= ~(1ull << w);
        free -= taken;
    }
    if (!scalars) return;
    const unsigned w = oldest(a, scalars);
    --a->d.scalars[w];
    a->out.scalar = 1ull << w;
}

static void land(struct writeback_arbiter *a) {
    const struct writeback_arbiter_in *in = &a->in;
    struct writeback_arbiter_values *d = &a->d;
    d->lines[in->warp] = in->lines;
    d->scalars[in->warp] = in->scalars;
    d->older[in->warp] = d->landed & ~(1ull << in->warp);
    d->landed |= 1ull << in->warp;
}

/* C: those leave that have nothing to write any more. */
static void commit(struct writeback_arbiter *a) {
    struct writeback_arbiter_values *d = &a->d;
    d->there |= d->landed & a->in.result;
    for (uint64_t rest = d->there; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        if (!d->lines[w] && !d->scalars[w]) a->out.commit |= 1ull << w;
    }
    if (!a->out.commit) return;
    d->there &= ~a->out.commit;
    for (uint64_t rest = d->landed; rest; rest &= rest - 1) {
        const unsigned w = (unsigned)__builtin_ctzll(rest);
        d->older[w] &= a->out.commit >> w & 1 ? 0 : ~a->out.commit;
    }
    d->landed &= ~a->out.commit;
}

void writeback_arbiter_eval(struct writeback_arbiter *a) {
    a->out = (struct writeback_arbiter_out){0};
    if (!a->now.landed && !a->in.land) {
        a->d.landed = 0; /* and so are the others, on both sides of the edge */
        return;
    }
    copy(a, &a->d, &a->now);
    if (a->now.there) write_results(a);
    if (a->in.land) land(a);
    commit(a);
}

void writeback_arbiter_clock(struct writeback_arbiter *a) {
    if (!a->now.landed && !a->d.landed) return;
    copy(a, &a->now, &a->d);
    a->q.landed = a->now.landed;
    a->q.there = a->now.there;
}

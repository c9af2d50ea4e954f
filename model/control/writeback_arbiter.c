#include "model/control/writeback_arbiter.h"

#include "sim/error.h"

#include <string.h>

/* Copies one side of the edge to the other. */
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
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS && write_ports >= 1 && write_ports <= 16,
              "write-back of %u warps through %u ports", warps, write_ports);
    memset(a, 0, sizeof *a);
    a->cfg.warps = warps;
    a->cfg.write_ports = write_ports;
    a->q.lines = a->now.lines;
    a->q.scalars = a->now.scalars;
    a->q.older = a->now.older;
}

/* Returns the warps whose result is ready and that have something left to write. */
static warp_set waiting(const struct writeback_arbiter *a, const uint32_t *left) {
    warp_set who = 0;
    for (warp_set rest = a->now.there; rest; rest &= rest - 1)
        if (left[warp_set_first(rest)]) who |= rest & -rest;
    return who;
}

/* Returns the warp that landed first. */
static unsigned oldest(const struct writeback_arbiter *a, warp_set warps) {
    warp_set rest = warps;
    while (rest & (rest - 1) && a->now.older[warp_set_first(rest)] & warps) rest &= rest - 1;
    return warp_set_first(rest);
}

/* W of the cycle, from the flip-flops. */
static void write_results(struct writeback_arbiter *a) {
    warp_set lines = waiting(a, a->now.lines);
    const warp_set scalars = waiting(a, a->now.scalars);
    for (unsigned free = a->cfg.write_ports; lines && free;) {
        const unsigned w = oldest(a, lines);
        const unsigned taken = a->now.lines[w] < free ? a->now.lines[w] : free;
        a->d.lines[w] -= taken;
        a->out.ports += taken;
        a->out.write |= warp_bit(w);
        lines &= ~warp_bit(w);
        free -= taken;
    }
    if (!scalars) return;
    const unsigned w = oldest(a, scalars);
    --a->d.scalars[w];
    a->out.scalar = warp_bit(w);
}

static void land(struct writeback_arbiter *a) {
    const struct writeback_arbiter_in *in = &a->in;
    struct writeback_arbiter_values *d = &a->d;
    d->lines[in->warp] = in->lines;
    d->scalars[in->warp] = in->scalars;
    d->older[in->warp] = d->landed & ~warp_bit(in->warp);
    d->landed |= warp_bit(in->warp);
}

/* C: retires the warps with nothing left to write. */
static void commit(struct writeback_arbiter *a) {
    struct writeback_arbiter_values *d = &a->d;
    d->there |= d->landed & a->in.result;
    for (warp_set rest = d->there; rest; rest &= rest - 1) {
        const unsigned w = warp_set_first(rest);
        if (!d->lines[w] && !d->scalars[w]) a->out.commit |= warp_bit(w);
    }
    if (!a->out.commit) return;
    d->there &= ~a->out.commit;
    for (warp_set rest = d->landed; rest; rest &= rest - 1) {
        const unsigned w = warp_set_first(rest);
        d->older[w] &= warp_set_has(a->out.commit, w) ? 0 : ~a->out.commit;
    }
    d->landed &= ~a->out.commit;
}

void writeback_arbiter_eval(struct writeback_arbiter *a) {
    a->out = (struct writeback_arbiter_out){0};
    if (!a->now.landed && !a->in.land) {
        a->d.landed = 0; /* all other fields are 0 on both sides of the edge */
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

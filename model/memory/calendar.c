#include "model/memory/calendar.h"

#include <string.h>

static uint64_t *word(struct calendar *c, uint64_t cycle) {
    return &c->taken[cycle / 64 % CALENDAR_WORDS];
}

/* Drops old cycles until `last` is in range. */
static void advance(struct calendar *c, uint64_t last) {
    if (last < c->base + CALENDAR_CYCLES) return;
    const uint64_t base = last / 64 * 64 + 64 - CALENDAR_CYCLES;
    if (base - c->base >= CALENDAR_CYCLES)
        memset(c->taken, 0, sizeof c->taken);
    else
        for (uint64_t cycle = c->base; cycle < base; cycle += 64) *word(c, cycle) = 0;
    c->base = base;
}

/* Returns the bits of 64 cycles from `cycle` on. */
static uint64_t window(struct calendar *c, uint64_t cycle) {
    const unsigned shift = cycle % 64;
    const uint64_t low = *word(c, cycle) >> shift;
    return shift ? low | *word(c, cycle + 64) << (64 - shift) : low;
}

uint64_t calendar_reserve(struct calendar *c, uint64_t t, unsigned cycles) {
    const uint64_t mask = cycles == 64 ? ~0ull : (1ull << cycles) - 1;
    if (t < c->base) t = c->base;
    if (cycles == c->full_cycles && t >= c->full_first && t <= c->full_end)
        t = c->full_end;
    else
        c->full_first = t;
    for (;;) {
        advance(c, t + 127);
        const uint64_t clash = window(c, t) & mask;
        if (!clash) break;
        t += 64 - (unsigned)__builtin_clzll(clash); /* first cycle after the last conflicting one */
    }
    *word(c, t) |= mask << t % 64;
    if (t % 64) *word(c, t + 64) |= mask >> (64 - t % 64);
    c->full_cycles = cycles;
    c->full_end = t + cycles;
    return t;
}

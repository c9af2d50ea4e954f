/*
 * clock_crossing: from the cycles of one clock to those of another, exactly. Both clocks have an edge at time
 * 0; cycle n of a clock of f MHz lies from n/f to (n + 1)/f microseconds. What ends in one domain is seen in
 * another from the first edge on that is not before its end. Numbers of cycles are computed from numbers of
 * cycles, as fractions: nothing accumulates, and no picosecond is rounded. They are good for 2^46 cycles.
 */
#ifndef MODEL_MEMORY_CLOCK_CROSSING_H
#define MODEL_MEMORY_CLOCK_CROSSING_H

#include <stdint.h>

struct clock_crossing {
    uint64_t to, from; /* both frequencies, divided by what they have in common */
};

static inline struct clock_crossing clock_crossing_between(uint32_t from_mhz, uint32_t to_mhz) {
    uint32_t a = from_mhz, b = to_mhz;
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct clock_crossing){.to = to_mhz / a, .from = from_mhz / a};
}

/* The first cycle of the other clock that begins when `cycle` of the one has ended, or later. */
static inline uint64_t clock_crossing_after(struct clock_crossing x, uint64_t cycle) {
    return ((cycle + 1) * x.to + x.from - 1) / x.from;
}

/* How many cycles of the other clock have ended when `cycle` of the one begins. */
static inline uint64_t clock_crossing_ended(struct clock_crossing x, uint64_t cycle) {
    return cycle * x.to / x.from;
}

#endif

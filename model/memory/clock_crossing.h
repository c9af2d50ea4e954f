/*
 * clock_crossing: converts cycles of one clock to cycles of another, exactly. Both clocks have an edge at
 * time 0; cycle n of a clock of f MHz lasts from n/f to (n + 1)/f microseconds. An event that ends in one
 * domain is visible in the other from the first edge on that is not before its end. Cycle numbers are
 * computed as fractions of cycle numbers: no rounding errors accumulate. Numbers below 2^46 are converted
 * correctly.
 */
#ifndef MODEL_MEMORY_CLOCK_CROSSING_H
#define MODEL_MEMORY_CLOCK_CROSSING_H

#include <stdint.h>

struct clock_crossing {
    uint64_t to, from; /* both frequencies, divided by their greatest common divisor */
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

/* Returns the first cycle of the other clock that begins at or after the end of `cycle`. */
static inline uint64_t clock_crossing_after(struct clock_crossing x, uint64_t cycle) {
    return ((cycle + 1) * x.to + x.from - 1) / x.from;
}

/* Returns the number of cycles of the other clock that have ended when `cycle` begins. */
static inline uint64_t clock_crossing_ended(struct clock_crossing x, uint64_t cycle) {
    return cycle * x.to / x.from;
}

#endif

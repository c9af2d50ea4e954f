/*
 * arm_random: random instructions of every row of the decode table, and random thread states to run them on.
 * random_seed is to be started first (tests/seed.h).
 */
#ifndef TESTS_ARM_ARM_RANDOM_H
#define TESTS_ARM_ARM_RANDOM_H

#include "model/arm/arm_table.h"
#include "tests/seed.h"

#include <string.h>

__attribute__((weak)) struct seed random_seed; /* shared by the whole program */

static inline uint32_t random_word(void) {
    return (uint32_t)seed_next(&random_seed);
}
static inline uint32_t random_below(uint32_t limit) {
    return seed_below(&random_seed, limit);
}

/* An encoding of the row that is executed (not refused), the condition 14 in half of the cases. */
static inline uint32_t random_encoding(const struct arm_row *row) {
    struct arm_match m = arm_pattern_match(row->pattern);
    for (;;) {
        uint32_t e = (random_word() & ~(m.mask | m.should_mask)) | m.value | m.should_value;
        if (row->pattern[0] == 'c' && (random_word() & 1 || e >> 28 == 15)) e = (e & 0x0fffffff) | 0xe0000000;
        if (arm_row_matches(row, e) && !arm_refusal(e)) return e;
    }
}

/* Words with many corners: small, large, near powers of two, NaNs, infinities, denormals. */
static inline uint32_t random_value(void) {
    static const uint32_t corner[] = {
        0,          1,          2,          31,         32,         33,         0x7fffffff, 0x80000000,
        0xffffffff, 0x80000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffa00000, 0x00000001,
        0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x4f000000, 0xcf000000, 0x7f7fffff, 0x7ff00000,
        0x7ff80000, 0x7ff00001, 0x3ff00000, 0xfff00000, 0x000fffff, 0x00100000, 0x41e00000, 0xc1e00000};
    switch (random_below(6)) {
    case 0: return corner[random_below(sizeof corner / sizeof *corner)];
    case 1: return random_word() >> random_below(32);
    case 2: return (0x3f800000u + (random_below(64) << 21)) ^ (random_word() & 0x801fffff);
    case 3: return (0x3ff00000u + (random_below(64) << 19)) ^ (random_word() & 0x8007ffff);
    default: return random_word();
    }
}

#endif

/*
 * calendar: the cycles in which a shared resource, such as a bus, is taken. A request gets the first free
 * cycles.
 *
 * Requests may name cycles in any order within CALENDAR_CYCLES of the latest one named: a gap before a later
 * reservation is still available. An older request is treated as one for the oldest cycle known.
 */
#ifndef MODEL_MEMORY_CALENDAR_H
#define MODEL_MEMORY_CALENDAR_H

#include <stdint.h>

#define CALENDAR_CYCLES 8192u
#define CALENDAR_WORDS  (CALENDAR_CYCLES / 64)

struct calendar {
    uint64_t base;                  /* oldest cycle known, a multiple of 64 */
    uint64_t taken[CALENDAR_WORDS]; /* bit n % 64 of word n / 64 % CALENDAR_WORDS: cycle n */
    /* No `full_cycles` consecutive cycles are free that begin in [full_first, full_end). */
    uint64_t full_first, full_end;
    unsigned full_cycles;
};

/* Takes `cycles` (1 to 64) consecutive free cycles, not before cycle t. Returns the first of them. */
uint64_t calendar_reserve(struct calendar *c, uint64_t t, unsigned cycles);

#endif

/*
 * thread_levels: the priority levels of a warp's threads (dual-mode §4.3). A thread has an 8-bit level
 * counter, and its priority is min(level, levels − 1). Level 0 is the outermost one.
 */
#ifndef MODEL_CONTROL_THREAD_LEVELS_H
#define MODEL_CONTROL_THREAD_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#define THREAD_LEVELS_MOST 255 /* largest level that a counter of 8 bits holds */

/* A warp's levels, in the storage of their owner. */
struct thread_levels {
    unsigned levels, warp_size;
    uint64_t *priority; /* for each priority, the threads that have it */
    uint8_t *level;     /* level of each thread */
};

enum priority_operation { PRIORITY_RAISE, PRIORITY_LOWER, PRIORITY_OUTERMOST };

/* Puts threads on the outermost level. */
void thread_levels_reset(const struct thread_levels *l, uint64_t threads);
/* Changes the level of threads; `by` is the number of levels to lower. Returns false if a level would leave
 * 0 … 255; *position is then the first such position. Such threads are unchanged. */
bool thread_levels_change(const struct thread_levels *l, uint64_t threads, enum priority_operation op,
                          unsigned by, unsigned *position);
/* Returns the highest priority of the threads; 0 if there are none. */
unsigned thread_levels_highest(const struct thread_levels *l, uint64_t threads);

#endif

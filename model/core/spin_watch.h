/*
 * spin_watch: detects that a launch repeats for ever. Every warp, or core, that can run returns to an earlier
 * state with the same registers and flags. Meanwhile no store changes a value, and no exclusive store fails
 * (the monitor decides on the next one). The behaviour of a warp depends on nothing else, so it repeats. For
 * diagnoses; nothing that is simulated depends on it.
 *
 * A watch lasts from spin_watch_begin() until all warps have returned, or until `failed`: a warp has not
 * returned after `longest` instructions, a store has changed a value, or an exclusive store has failed.
 * Checking stores is slow, so the first watch does not; after it has succeeded, a second, strict watch does.
 */
#ifndef MODEL_CORE_SPIN_WATCH_H
#define MODEL_CORE_SPIN_WATCH_H

#include "model/arm/arm.h"

#include <stddef.h>

#define SPIN_WATCH_PLACE 64  /* bytes that identify the position of a warp */
#define SPIN_WATCH_STORE 128 /* bytes of the longest store of a thread */

struct spin_warp {
    bool seen, returned;
    uint32_t instructions;           /* instructions since the first visit */
    uint32_t pc;                     /* PC of the first visit */
    size_t place_bytes;              /* length of `place` */
    uint8_t place[SPIN_WATCH_PLACE]; /* position of the first visit */
    uint32_t *rows;                  /* registers and flags of the first visit */
};

struct spin_watch {
    unsigned warps;
    uint32_t longest; /* instructions of a warp; longer loops are not found */
    size_t row_words; /* words of a warp's rows */
    bool strict, failed;
    struct spin_warp *warp;
    struct memory *memory; /* view without writable regions */
    struct {
        uint32_t address[ARM_MAX_POSITIONS];
        uint64_t threads; /* threads of the store that is about to execute; 0: none */
        uint32_t bytes;
        uint8_t before[ARM_MAX_POSITIONS][SPIN_WATCH_STORE];
    } store;
};

/* Returns a hash of a hash and a value, for the position of a warp. */
static inline uint64_t spin_watch_mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

struct spin_watch *spin_watch_create(unsigned warps, unsigned positions, uint32_t longest);
void spin_watch_destroy(struct spin_watch *w);
void spin_watch_begin(struct spin_watch *w, bool strict);

/* Called before a warp, or a core, executes an instruction for the threads of `mask`. `place` identifies its
 * position, together with the PC, in `bytes` bytes (at most SPIN_WATCH_PLACE). A core's store may be held and
 * called again (ARM_FAULT_HELD). */
void spin_watch_before(struct spin_watch *w, unsigned warp, struct arm_instruction *i,
                       const struct arm_threads *t, uint64_t mask, uint32_t pc, const void *place,
                       size_t bytes);
/* Called after the instruction has executed. */
void spin_watch_after(struct spin_watch *w, const struct arm_threads *t, const struct arm_instruction *i,
                      const struct arm_execution *x);

#endif

/*
 * spin_watch: whether a launch goes round for ever: every warp, or core, that can run comes back to where it
 * was, with the same registers and flags, while no store changes a value and no exclusive store fails
 * (whether the next one does depends on the monitor). What each does next depends on nothing else, so that no
 * more can come of it. For diagnoses; nothing that is simulated depends on it.
 *
 * A watch lasts from spin_watch_begin() until all have returned, or until `failed`: a warp has not returned
 * after so many instructions, a store has changed a value, or an exclusive store has failed. Looking for
 * stores costs more, so a first watch does without, and only one that succeeds is followed by a second,
 * strict one.
 */
#ifndef MODEL_CORE_SPIN_WATCH_H
#define MODEL_CORE_SPIN_WATCH_H

#include "model/arm/arm.h"

#include <stddef.h>

#define SPIN_WATCH_INSTRUCTIONS 4096 /* of a warp: longer loops are not found */
#define SPIN_WATCH_PLACE        64   /* bytes that say where a warp is */
#define SPIN_WATCH_STORE        128  /* bytes of the longest store of a thread */

struct spin_warp {
    bool seen, returned;
    uint32_t instructions;           /* since it was seen first */
    uint32_t pc;                     /* where it was then, */
    size_t place_bytes;              /* which is said by so many bytes, */
    uint8_t place[SPIN_WATCH_PLACE]; /* these, */
    uint32_t *rows;                  /* and its registers and flags */
};

struct spin_watch {
    unsigned warps;
    size_t row_words; /* of a warp's rows */
    bool strict, failed;
    struct spin_warp *warp;
    struct memory *memory; /* a view in which nothing can be stored */
    struct {
        uint32_t address[ARM_MAX_POSITIONS];
        uint64_t threads; /* of the store that is about to be executed; 0: it is none */
        uint32_t bytes;
        uint8_t before[ARM_MAX_POSITIONS][SPIN_WATCH_STORE];
    } store;
};

struct spin_watch *spin_watch_create(unsigned warps, unsigned positions);
void spin_watch_destroy(struct spin_watch *w);
void spin_watch_begin(struct spin_watch *w, bool strict);

/* A warp, or a core, is about to execute an instruction for the threads of `mask`. `place` says in `bytes`
 * bytes (SPIN_WATCH_PLACE at most) where it is, beside the PC. */
void spin_watch_before(struct spin_watch *w, unsigned warp, struct arm_instruction *i,
                       const struct arm_threads *t, uint64_t mask, uint32_t pc, const void *place,
                       size_t bytes);
/* It has executed the instruction. */
void spin_watch_after(struct spin_watch *w, const struct arm_threads *t, const struct arm_instruction *i,
                      const struct arm_execution *x);

#endif

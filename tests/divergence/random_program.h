/* random_program: structured random code for divergence engines, and the path of a single thread: nested
 * statements, loops with breaks, calls, conditional calls and returns, early exits, barriers, also in some
 * iterations of loops.
 *
 * Instruction n is at address 4 · (n + 1), so that no address is 0; an exited thread is at 0. */
#ifndef TESTS_DIVERGENCE_RANDOM_PROGRAM_H
#define TESTS_DIVERGENCE_RANDOM_PROGRAM_H

#include "tests/seed.h"

#include <stdbool.h>

#define RANDOM_PROGRAM_MAX 256

enum random_operation {
    RANDOM_ALU,
    RANDOM_LOAD,
    RANDOM_BRANCH,       /* if */
    RANDOM_LOOP,         /* back, a dozen times at most */
    RANDOM_ALIKE_BRANCH, /* a branch with the same direction for all threads in an iteration */
    RANDOM_ALIKE_LOOP,
    RANDOM_JUMP,
    RANDOM_CALL,
    RANDOM_CONDITIONAL_CALL,
    RANDOM_RETURN,
    RANDOM_CONDITIONAL_RETURN,
    RANDOM_END,
    RANDOM_CONDITIONAL_END,
    RANDOM_BARRIER,
};

struct random_program {
    unsigned count;
    uint32_t start; /* PC at which threads start */
    struct {
        enum random_operation operation;
        uint32_t target;  /* target of a branch or call */
        uint32_t meeting; /* re-convergence point of a divergent instruction; 0: none */
    } code[RANDOM_PROGRAM_MAX];
};

struct random_thread {
    uint64_t seed;
    uint32_t pc;
    uint64_t trace; /* a digest of its path */
    unsigned calls;
    uint32_t back[3]; /* return addresses */
    uint8_t turns[RANDOM_PROGRAM_MAX];
};

/* `size`: statements of the kernel, about. */
void random_program_make(struct random_program *p, struct seed *seed, unsigned size, bool barriers);

void random_thread_begin(struct random_thread *t, const struct random_program *p, uint64_t seed);

/* The instruction at `pc`. */
static inline enum random_operation random_program_at(const struct random_program *p, uint32_t pc) {
    return p->code[pc / 4 - 1].operation;
}
static inline uint32_t random_program_meeting(const struct random_program *p, uint32_t pc) {
    return p->code[pc / 4 - 1].meeting;
}

/* Executes the thread's instruction; its new PC. */
uint32_t random_thread_step(struct random_thread *t, const struct random_program *p);

/* Returns a hash of the path that a thread with this seed takes alone. */
uint64_t random_thread_path(const struct random_program *p, uint64_t seed);

#endif

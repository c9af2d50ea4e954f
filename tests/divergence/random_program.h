/*
 * random_program: structured random code for engines of divergence, and what a thread does in it by itself:
 * nested statements, loops with breaks, calls, conditional calls and returns, early ends, barriers, also in
 * some turns of loops.
 *
 * Instruction n stands at address 4 · (n + 1), so that no address is 0; 0 is where a thread is that has
 * ended.
 */
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
    RANDOM_ALIKE_BRANCH, /* likewise, but all threads go the same way in the same turn */
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
    uint32_t start; /* where threads begin */
    struct {
        enum random_operation operation;
        uint32_t target;  /* of what branches or calls */
        uint32_t meeting; /* of what threads part at; 0: none */
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

/* The digest of the path that a thread of this seed has by itself. */
uint64_t random_thread_path(const struct random_program *p, uint64_t seed);

#endif

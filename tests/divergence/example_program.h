/* example_program: the example of divergence.md §3, used for every engine: eight threads in warps of four
 * lanes, instructions A to H, each a basic block. Records issued instructions in the notation of that
 * section. */
#ifndef TESTS_DIVERGENCE_EXAMPLE_PROGRAM_H
#define TESTS_DIVERGENCE_EXAMPLE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define EXAMPLE_THREADS 8
#define EXAMPLE_LANES   4

enum { EXAMPLE_A = 1, EXAMPLE_B, EXAMPLE_C, EXAMPLE_D, EXAMPLE_E, EXAMPLE_F, EXAMPLE_G, EXAMPLE_H };
#define EXAMPLE_PC(place) (4u * EXAMPLE_##place)

struct example {
    unsigned turns[EXAMPLE_THREADS]; /* iterations of the loop G */
    char said[512];                  /* "A{0123} A{4567} …" */
    unsigned length;
};

/* Returns the next PC of a thread; 0: the thread exits. */
static inline uint32_t example_next(struct example *e, uint32_t pc, unsigned thread) {
    static const struct {
        bool c1, c2;
        unsigned turns;
    } data[EXAMPLE_THREADS] = {{1, 1, 1}, {1, 0, 2}, {0, 0, 1}, {1, 1, 3},
                               {0, 0, 1}, {1, 0, 1}, {1, 1, 2}, {0, 0, 1}};
    switch (pc / 4) {
    case EXAMPLE_A: return data[thread].c1 ? EXAMPLE_PC(B) : EXAMPLE_PC(F);
    case EXAMPLE_B: return data[thread].c2 ? EXAMPLE_PC(C) : EXAMPLE_PC(D);
    case EXAMPLE_C:
    case EXAMPLE_D: return EXAMPLE_PC(E);
    case EXAMPLE_E:
    case EXAMPLE_F: return EXAMPLE_PC(G);
    case EXAMPLE_G: return ++e->turns[thread] < data[thread].turns ? EXAMPLE_PC(G) : EXAMPLE_PC(H);
    default: return 0;
    }
}

static inline uint32_t example_meeting(uint32_t pc) {
    switch (pc / 4) {
    case EXAMPLE_A: return EXAMPLE_PC(G);
    case EXAMPLE_B: return EXAMPLE_PC(E);
    case EXAMPLE_G: return EXAMPLE_PC(H);
    default: return 0;
    }
}

/* Threads, a bit each, have been issued at `pc`. */
static inline void example_issue(struct example *e, uint32_t pc, unsigned threads) {
    const char *before = e->length ? " " : "";
    e->length += (unsigned)sprintf(e->said + e->length, "%s%c{", before, "?ABCDEFGH"[pc / 4]);
    for (unsigned t = 0; t < EXAMPLE_THREADS; ++t)
        if (threads >> t & 1) e->length += (unsigned)sprintf(e->said + e->length, "%u", t);
    e->length += (unsigned)sprintf(e->said + e->length, "}");
}

#endif

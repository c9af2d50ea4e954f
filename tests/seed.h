/*
 * seed: the random numbers of a test, different in every run; what to say to repeat a run is printed.
 */
#ifndef TESTS_SEED_H
#define TESTS_SEED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

struct seed {
    uint64_t state;
};

/* From the environment variable SEED, else from the clock. */
static inline struct seed seed_start(void) {
    const char *given = getenv("SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    print_message("repeat with SEED=%llu\n", (unsigned long long)seed);
    return (struct seed){seed};
}

/* 64 random bits (SplitMix64). */
static inline uint64_t seed_next(struct seed *s) {
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 0 … below − 1. */
static inline unsigned seed_below(struct seed *s, unsigned below) {
    return (unsigned)(seed_next(s) % below);
}

#endif

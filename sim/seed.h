/*
 * seed: random numbers that depend only on a seed (SplitMix64).
 *
 * Numbers can be replaced by their position in the sequence. So inputs made of random numbers can be
 * reduced and still are inputs that their generator makes.
 */
#ifndef SIM_SEED_H
#define SIM_SEED_H

#include <stddef.h>
#include <stdint.h>

/* A replacement for one number of a sequence. */
struct seed_edit {
    unsigned number;
    uint64_t value;
};

struct seed_edits {
    const struct seed_edit *edit; /* edits, in the order of their numbers */
    unsigned count;
    unsigned next, drawn; /* number of edits used; number of numbers drawn; both begin at 0 */
};

struct seed {
    uint64_t state;
    struct seed_edits *edits; /* NULL: no edits */
};

static inline struct seed seed_of(uint64_t state) {
    return (struct seed){state, NULL};
}

static inline uint64_t seed_edited(struct seed_edits *e, uint64_t value) {
    const unsigned number = e->drawn++;
    if (e->next == e->count || e->edit[e->next].number != number) return value;
    return e->edit[e->next++].value;
}

/* Returns 64 random bits. */
static inline uint64_t seed_next(struct seed *s) {
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return __builtin_expect(s->edits != NULL, 0) ? seed_edited(s->edits, z) : z;
}

/* Returns a number from 0 to below − 1. */
static inline unsigned seed_below(struct seed *s, unsigned below) {
    return (unsigned)(seed_next(s) % below);
}

#endif

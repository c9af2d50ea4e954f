/* slot_set: sets of slots of an out-of-order core's window. */
#ifndef MODEL_CORE_SLOT_SET_H
#define MODEL_CORE_SLOT_SET_H

#include "model/config/limits.h"

#include <stdbool.h>
#include <stdint.h>

#define WINDOW_SLOTS CORE_MAX_WINDOW /* a power of two; instruction n is in slot n modulo WINDOW_SLOTS */

struct slot_set {
    uint64_t word[WINDOW_SLOTS / 64];
};

static inline __attribute__((always_inline)) void slot_set_add(struct slot_set *s, unsigned slot) {
    s->word[slot / 64] |= UINT64_C(1) << slot % 64;
}
static inline __attribute__((always_inline)) void slot_set_take(struct slot_set *s, unsigned slot) {
    s->word[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}
static inline __attribute__((always_inline)) bool slot_set_has(const struct slot_set *s, unsigned slot) {
    return s->word[slot / 64] >> slot % 64 & 1;
}
static inline __attribute__((always_inline)) bool slot_set_is_empty(const struct slot_set *s) {
    return !(s->word[0] | s->word[1]);
}
_Static_assert(WINDOW_SLOTS == 128, "the sets are of two words");

/* Returns the set in order of age: bit n is the slot of instruction `first` + n. */
static inline __attribute__((always_inline)) struct slot_set slot_set_by_age(const struct slot_set *s,
                                                                             uint64_t first) {
    const unsigned by = (unsigned)(first % WINDOW_SLOTS), low = by % 64;
    const uint64_t a = s->word[by / 64], b = s->word[1 - by / 64];
    if (!low) return (struct slot_set){{a, b}};
    return (struct slot_set){{a >> low | b << (64 - low), b >> low | a << (64 - low)}};
}

/* Removes and returns the first element of a set that is not empty. */
static inline __attribute__((always_inline)) unsigned slot_set_take_first(struct slot_set *s) {
    const unsigned word = !s->word[0];
    const unsigned n = (unsigned)__builtin_ctzll(s->word[word]);
    s->word[word] &= s->word[word] - 1;
    return word * 64 + n;
}

#endif

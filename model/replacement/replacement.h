/*
 * replacement: the choice of the victim in a full set. A policy is a file NAME.c of model/replacement/ that
 * ends with its row, `const struct replacement replacement_NAME`; the file's name is the value of the fields
 * l1d.replacement and so on. Caches and TLBs use the same rows; a TLB is one set.
 *
 * The lowest empty way is always filled first. The policy chooses only among ways with a line, and only among
 * ways that may be evicted: a line in flight stays.
 *
 * The machine reports each use of a way (touch) and each new line (a touch, then fill). The machine computes
 * ahead, so it reports several uses of one way as one if no other way of the set is used between them.
 */
#ifndef MODEL_REPLACEMENT_REPLACEMENT_H
#define MODEL_REPLACEMENT_REPLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPLACEMENT_MAX_WORDS 16 /* words for 64 ways each: TLBs have up to 1,024 entries */

/* --- state of a policy in a cache --- */

struct replacement_state {
    const struct replacement *policy;
    unsigned ways, words; /* words of 64 bits for each set */
    bool replaces;        /* for fill(): the new line replaces another */
    uint64_t *set;        /* [set][word]: state of the policy */
    uint32_t random;      /* state of the cache's generator; never 0 */
};

static inline uint64_t *replacement_set(const struct replacement_state *r, unsigned set) {
    return &r->set[set * r->words];
}

/* Returns whether a way is in a set of ways, bit n % 64 of word n / 64. */
static inline bool replacement_may(const uint64_t *ways, unsigned way) {
    return ways[way / 64] >> way % 64 & 1;
}

/* Returns the first way from `way` on that may be evicted; after the last way the search continues at 0. */
unsigned replacement_next(const struct replacement_state *r, const uint64_t *may, unsigned way);

/* --- a policy --- */

struct replacement {
    const char *doc; /* description of the choice */
    /* Bits of state in hardware for a set of `ways` ways, and for the whole cache. */
    unsigned (*set_bits)(unsigned ways);
    unsigned cache_bits;
    bool on_use; /* uses change the state of a set, not only new lines */
    /* Functions may be NULL: no action. `lru` has none: caches and TLBs keep the order of use for all
     * policies, and choose lru's victim inline. */
    void (*touch)(struct replacement_state *r, unsigned set, unsigned way);
    void (*fill)(struct replacement_state *r, unsigned set, unsigned way);
    /* Returns the victim among the ways in `may`, which is not empty. Changes nothing. */
    unsigned (*victim)(const struct replacement_state *r, unsigned set, const uint64_t *may);
};

/* By kind (replacement_kind.h): rows, names (NULL after the last), descriptions. */
extern const struct replacement *const replacements[];
extern const char *const replacement_names[];
const char *replacement_doc(uint32_t kind);

#define REPLACEMENT_SEED UINT32_C(2463534242) /* default of mem.replacement_seed: Marsaglia's */

/* Initialises the state of a cache, or of a TLB with one set. */
void replacement_init(struct replacement_state *r, uint32_t kind, unsigned sets, unsigned ways,
                      uint32_t seed);
void replacement_free(struct replacement_state *r);

/* Returns the bits of state of a policy in a cache. */
uint64_t replacement_bits(uint32_t kind, unsigned sets, unsigned ways);

#endif

/*
 * random: a line chosen by the cache's own generator (xorshift32, Marsaglia 2003), which steps when a line
 * arrives. All caches of a machine begin with mem.replacement_seed, as flip-flops begin with their reset
 * values, so a run depends on nothing else. Ways that must stay are skipped.
 */
#include "model/replacement/replacement.h"

static void fill(struct replacement_state *r, unsigned set, unsigned way) {
    (void)set;
    (void)way;
    r->random ^= r->random << 13;
    r->random ^= r->random >> 17;
    r->random ^= r->random << 5;
}

static unsigned victim(const struct replacement_state *r, unsigned set, const uint64_t *may) {
    (void)set;
    return replacement_next(r, may, (unsigned)((uint64_t)r->random * r->ways >> 32));
}

const struct replacement replacement_random = {
    .doc = "any one, by a generator that begins with mem.replacement_seed",
    .cache_bits = 32,
    .fill = fill,
    .victim = victim,
};

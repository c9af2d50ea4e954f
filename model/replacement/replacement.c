#include "model/replacement/replacement.h"
#include "model/replacement/replacement_kind.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define ROW(name) extern const struct replacement replacement_##name;
REPLACEMENT_LIST(ROW)
#undef ROW
#define ROW(name) &replacement_##name,
const struct replacement *const replacements[] = {REPLACEMENT_LIST(ROW)};
#undef ROW
#define NAME(name) #name,
const char *const replacement_names[] = {REPLACEMENT_LIST(NAME) NULL};
#undef NAME

const char *replacement_doc(uint32_t kind) {
    return replacements[kind]->doc;
}

void replacement_init(struct replacement_state *r, uint32_t kind, unsigned sets, unsigned ways,
                      uint32_t seed) {
    memset(r, 0, sizeof *r);
    r->policy = replacements[kind];
    r->ways = ways;
    r->words = 1;
    while (r->words * 64 < ways) r->words *= 2;
    invariant(r->words <= REPLACEMENT_MAX_WORDS, "a set of %u ways has no room in %u words", ways,
              REPLACEMENT_MAX_WORDS);
    invariant(seed, "the generator of a cache cannot begin with 0");
    r->random = seed;
    r->set = calloc((size_t)sets * r->words, sizeof *r->set);
    require_memory(r->set);
}

void replacement_free(struct replacement_state *r) {
    free(r->set);
}

unsigned replacement_next(const struct replacement_state *r, const uint64_t *may, unsigned way) {
    while (!replacement_may(may, way)) way = way + 1 == r->ways ? 0 : way + 1;
    return way;
}

uint64_t replacement_bits(uint32_t kind, unsigned sets, unsigned ways) {
    const struct replacement *p = replacements[kind];
    return (uint64_t)sets * (p->set_bits ? p->set_bits(ways) : 0) + p->cache_bits;
}

#include "model/control/bank_conflict_resolver.h"

#include "sim/error.h"

#include <stdbool.h>

/* What the threads of a part still want: their first word, and a second one, of those that want two. */
struct wants {
    uint64_t first, second;
};

static inline uint32_t word_of(const uint32_t *address, unsigned thread, uint32_t offset) {
    return (address[thread] + offset) / 4;
}

/* The wants of `threads` (words at `offset`) that a pass serves. chosen[bank] is the word that it reads, of
 * the banks in *busy; `shared` is the word that all may have, if there is one. */
static uint64_t serve(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                      uint64_t threads, uint32_t offset, uint32_t chosen[], uint64_t *busy, uint32_t shared) {
    uint64_t served = 0;
    for (uint64_t m = threads; m; m &= m - 1) {
        const uint32_t word = word_of(address, (unsigned)__builtin_ctzll(m), offset);
        const unsigned bank = word & (c->banks - 1);
        const bool is_read = *busy >> bank & 1;
        if (is_read && (chosen[bank] != word || (c->broadcast == LOCAL_BROADCAST_ONE && word != shared)))
            continue;
        *busy |= 1ull << bank;
        chosen[bank] = word;
        served |= m & -m;
    }
    return served;
}

/* One pass takes what it serves out of *w. */
static void pass(const struct bank_conflict_resolver_config *c, const uint32_t *address, unsigned bytes,
                 struct wants *w) {
    uint32_t chosen[BANK_CONFLICT_RESOLVER_BANKS];
    const bool is_first = w->first != 0;
    const unsigned lowest = (unsigned)__builtin_ctzll(is_first ? w->first : w->second);
    const uint32_t shared = word_of(address, lowest, is_first ? 0 : bytes - 1);
    uint64_t busy = 1ull << (shared & (c->banks - 1));
    chosen[shared & (c->banks - 1)] = shared;
    const uint64_t first = serve(c, address, w->first, 0, chosen, &busy, shared);
    const uint64_t second = serve(c, address, w->second, bytes - 1, chosen, &busy, shared);
    w->first &= ~first;
    w->second &= ~second;
}

unsigned bank_conflict_resolver_passes(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                       unsigned bytes, uint64_t active) {
    invariant(bytes == 1 || bytes == 2 || bytes == 4, "an access to local memory of %u bytes", bytes);
    unsigned passes = 0;
    for (unsigned from = 0; from < c->warp_size; from += c->banks) {
        const uint64_t all = c->banks == 64 ? ~0ull : ((1ull << c->banks) - 1) << from;
        struct wants w = {.first = active & all};
        for (uint64_t m = w.first; m; m &= m - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(m);
            if (word_of(address, k, 0) != word_of(address, k, bytes - 1)) w.second |= m & -m;
        }
        for (; w.first | w.second; ++passes) pass(c, address, bytes, &w);
    }
    return passes;
}

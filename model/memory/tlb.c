#include "model/memory/tlb.h"

#include "model/memory/cache.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* Page searches and comparisons of uses handle several entries at once: arrays have whole vectors. */
#define USES_TOGETHER 4
typedef int64_t uses_vector __attribute__((vector_size(8 * USES_TOGETHER)));

static unsigned whole_vectors(unsigned count) {
    return (count + CACHE_TOGETHER - 1) / CACHE_TOGETHER * CACHE_TOGETHER;
}

void tlb_init(struct tlb *t, unsigned entries, uint32_t replacement, uint32_t seed) {
    const unsigned room = whole_vectors(entries);
    memset(t, 0, sizeof *t);
    t->entries = entries;
    t->next_end = TLB_NO_WALK;
    t->page = calloc(room, sizeof *t->page);
    t->use = calloc(room, sizeof *t->use);
    require_memory(t->page && t->use);
    replacement_init(&t->replacement, replacement, 1, entries, seed);
    t->touch = t->replacement.policy->touch;
    for (unsigned none = entries; none < room; ++none) t->use[none] = INT64_MAX;
}

void tlb_free(struct tlb *t) {
    free(t->page);
    free(t->use);
    free(t->walks.page);
    free(t->walks.there);
    replacement_free(&t->replacement);
}

/* Returns the index of a page in [at, end); `end` if absent. */
static unsigned find_page(const uint32_t *pages, unsigned at, unsigned end, uint32_t page) {
    for (; at < end; at += CACHE_TOGETHER) {
        const unsigned same = cache_same_tag(pages + at, page);
        if (!same) continue;
        at += (unsigned)__builtin_ctz(same);
        return at < end ? at : end;
    }
    return end;
}

static bool hit(struct tlb *t, unsigned entry) {
    t->guess[t->page[entry] % TLB_GUESSES] = (uint16_t)entry;
    tlb_touch(t, entry, 1);
    return true;
}

static unsigned victim_by_policy(const struct tlb *t) {
    uint64_t all[REPLACEMENT_MAX_WORDS] = {0};
    for (unsigned n = 0; n < t->entries; ++n) all[n / 64] |= UINT64_C(1) << n % 64;
    return t->replacement.policy->victim(&t->replacement, 0, all);
}

static unsigned victim(const struct tlb *t) {
    if (t->used < t->entries) return t->used;
    if (t->replacement.policy->victim) return victim_by_policy(t);
    uses_vector least, at = {0};
    memcpy(&least, t->use, sizeof least);
    for (unsigned n = USES_TOGETHER; n < t->entries; n += USES_TOGETHER) {
        uses_vector use;
        memcpy(&use, t->use + n, sizeof use);
        const uses_vector older = use < least;
        least = (use & older) | (least & ~older);
        at = ((int64_t)n & older) | (at & ~older);
    }
    unsigned oldest = 0;
    for (unsigned n = 1; n < USES_TOGETHER; ++n)
        if (least[n] < least[oldest]) oldest = n;
    return (unsigned)at[oldest] + oldest;
}

bool tlb_search(struct tlb *t, uint32_t page) {
    if (t->pages[page % TLB_GUESSES]) {
        const unsigned at = find_page(t->page, 0, t->used, page);
        if (at < t->used) return hit(t, at);
    }
    ++t->misses;
    return false;
}

/* Puts a page into the TLB; its access has been counted. */
static void place(struct tlb *t, uint32_t page) {
    const unsigned at = victim(t);
    t->replacement.replaces = at < t->used;
    if (at == t->used)
        ++t->used;
    else
        --t->pages[t->page[at] % TLB_GUESSES];
    t->page[at] = page;
    hit(t, at);
    if (t->replacement.policy->fill) t->replacement.policy->fill(&t->replacement, 0, at);
}

void tlb_fill(struct tlb *t, uint32_t address) {
    const uint32_t page = address >> TLB_PAGE_SHIFT;
    ++t->pages[page % TLB_GUESSES];
    place(t, page);
}

static __attribute__((noinline)) void make_room(struct tlb_walks *w) {
    if (w->first > w->room / 2) {
        w->end -= w->first;
        memmove(w->page, w->page + w->first, w->end * sizeof *w->page);
        memmove(w->there, w->there + w->first, w->end * sizeof *w->there);
        w->first = 0;
        return;
    }
    const unsigned before = w->room;
    w->room = 2 * before + 64;
    w->page = realloc(w->page, (w->room + CACHE_TOGETHER) * sizeof *w->page);
    w->there = realloc(w->there, w->room * sizeof *w->there);
    require_memory(w->page && w->there);
    memset(w->page + before, 0, (w->room - before + CACHE_TOGETHER) * sizeof *w->page);
}

void tlb_begin_walk(struct tlb *t, uint32_t address, uint64_t end) {
    struct tlb_walks *w = &t->walks;
    if (w->end == w->room) make_room(w);
    unsigned n = w->end++;
    for (; n > w->first && w->there[n - 1] > end; --n) {
        w->page[n] = w->page[n - 1];
        w->there[n] = w->there[n - 1];
    }
    w->page[n] = address >> TLB_PAGE_SHIFT;
    w->there[n] = end;
    ++t->pages[w->page[n] % TLB_GUESSES];
    t->next_end = w->there[w->first];
}

void tlb_end_walks(struct tlb *t, uint64_t cycle) {
    struct tlb_walks *w = &t->walks;
    for (; t->next_end <= cycle; t->next_end = w->first < w->end ? w->there[w->first] : TLB_NO_WALK)
        place(t, w->page[w->first++]);
}

uint64_t tlb_walk_end(const struct tlb *t, uint32_t address) {
    const struct tlb_walks *w = &t->walks;
    const uint32_t page = address >> TLB_PAGE_SHIFT;
    if (!t->pages[page % TLB_GUESSES]) return TLB_NO_WALK;
    const unsigned at = find_page(w->page, w->first, w->end, page);
    return at < w->end ? w->there[at] : TLB_NO_WALK;
}

bool tlb_holds(const struct tlb *t, uint32_t address) {
    return tlb_guess(t, address) >= 0 || find_page(t->page, 0, t->used, address >> TLB_PAGE_SHIFT) < t->used;
}

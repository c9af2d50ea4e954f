/* A cache of one set, whose lines have letters. */
#ifndef TESTS_REPLACEMENT_FIXTURE_H
#define TESTS_REPLACEMENT_FIXTURE_H

#include "model/memory/cache.h"
#include "model/memory/tlb.h"
#include "model/replacement/replacement_kind.h"
#include "tests/seed.h"

#include <string.h>

#define LINE_BYTES 64

static struct cache cache;

static inline void new_set(enum replacement_kind kind, unsigned ways) {
    const struct machine_cache_config config = {
        .size_bytes = ways * LINE_BYTES, .ways = ways, .line_bytes = LINE_BYTES, .replacement = kind};
    cache_init(&cache, &config, REPLACEMENT_SEED);
}

/* Accesses a line in a cycle. A missing line is filled and valid from cycle `present` on. Returns the evicted
 * line; 0: a hit; '-': a free way was used; '!': all lines of the set are in flight. */
static inline int access_line(int line, uint64_t cycle, uint64_t present) {
    const uint32_t address = (uint32_t)line * LINE_BYTES;
    if (cache_find(&cache, address)) return 0;
    const struct cache_line *victim = cache_victim(&cache, address, cycle);
    if (!victim) return '!';
    const int gone = victim->state ? (int)victim->tag : '-';
    assert_ptr_equal(cache_fill(&cache, address, cycle, present), victim);
    return gone;
}

/* Accesses each line and checks the evicted lines `gone`: a character for each access, ' ' for a hit. */
static inline void assert_go(const char *lines, const char *gone) {
    assert_int_equal(strlen(lines), strlen(gone));
    for (; *lines; ++lines, ++gone) {
        const int went = access_line(*lines, 0, 0);
        if ((went ? went : ' ') != *gone) fail_msg("%s: '%c' went, not '%c'", lines, went, *gone);
    }
}

static inline void drop(int line) {
    cache_peek(&cache, (uint32_t)line * LINE_BYTES)->state = 0;
}

#endif

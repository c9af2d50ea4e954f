/*
 * masked_cache: tags of a cache whose lines may be there in part (gpu-like.md §4, §5): a line that is written
 * before it has been read holds the bytes that were written, and no others. No data.
 */
#ifndef MODEL_MEMORY_MASKED_CACHE_H
#define MODEL_MEMORY_MASKED_CACHE_H

#include "model/memory/cache.h"

#define MASKED_CACHE_WORDS (CACHE_MAX_LINE_BYTES / 64)

struct masked_line {
    uint64_t written[MASKED_CACHE_WORDS]; /* bit n: byte n has been written here */
    bool whole;                           /* all its bytes are there */
    bool ahead;                           /* only scalar threads have asked for it (non_blocking_cache.h) */
};

struct masked_cache {
    struct cache tags;
    struct masked_line *mask; /* of each of the tags' lines */
};

void masked_cache_init(struct masked_cache *c, const struct machine_cache_config *config);
void masked_cache_free(struct masked_cache *c);
void masked_cache_invalidate(struct masked_cache *c);

static inline struct masked_line *masked_cache_mask(struct masked_cache *c, const struct cache_line *l) {
    return &c->mask[l - c->tags.line];
}

/* masked_cache_holds() of a line that is not whole. */
bool masked_cache_holds_written(struct masked_cache *c, const struct cache_line *l, uint32_t address,
                                unsigned bytes);
/* Are the bytes [address, address + bytes) of the line there? */
static inline bool masked_cache_holds(struct masked_cache *c, const struct cache_line *l, uint32_t address,
                                      unsigned bytes) {
    return masked_cache_mask(c, l)->whole || masked_cache_holds_written(c, l, address, bytes);
}
/* Has any byte of it been written? */
bool masked_cache_is_dirty(struct masked_cache *c, const struct cache_line *l);
/* Adds written bytes: bit n of the words: the byte at address + n; NULL: [address, address + bytes). */
void masked_cache_write(struct masked_cache *c, const struct cache_line *l, uint32_t address, unsigned bytes,
                        const uint64_t *written);
/* Of the pieces of so many bytes (a power of two) that a line is made of, those in which any has been
 * written. */
unsigned masked_cache_pieces(const struct masked_line *m, unsigned bytes);

/* The line that goes when the address's line comes; with state 0: none does. */
static inline struct cache_line *masked_cache_victim(struct masked_cache *c, uint32_t address) {
    return cache_victim(&c->tags, address, 0);
}

/* The address of a line's first byte. */
static inline uint32_t masked_cache_address(const struct masked_cache *c, const struct cache_line *l) {
    return l->tag << c->tags.line_shift;
}

/* The address's line comes in the victim's place: all of it, or none of its bytes yet. */
void masked_cache_put(struct masked_cache *c, struct cache_line *victim, uint32_t address, bool whole);

#endif

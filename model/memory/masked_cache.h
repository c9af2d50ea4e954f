/*
 * masked_cache: tags of a cache whose lines may be partly present (gpu-like.md §4, §5): a line that is
 * written before it has been read holds only the written bytes. No data.
 */
#ifndef MODEL_MEMORY_MASKED_CACHE_H
#define MODEL_MEMORY_MASKED_CACHE_H

#include "model/memory/cache.h"

#define MASKED_CACHE_WORDS (CACHE_MAX_LINE_BYTES / 64)

struct masked_line {
    uint64_t written[MASKED_CACHE_WORDS]; /* bit n: byte n has been written here */
    bool whole;                           /* all bytes are present */
    bool kept;                            /* line of memory, to be written back (non_blocking_cache.h) */
    bool ahead; /* only scalar threads have requested the line (non_blocking_cache.h) */
};

struct masked_cache {
    struct cache tags;
    struct masked_line *mask; /* one for each line of `tags` */
};

void masked_cache_init(struct masked_cache *c, const struct machine_cache_config *config, uint32_t seed);
void masked_cache_free(struct masked_cache *c);
void masked_cache_invalidate(struct masked_cache *c);

static inline struct masked_line *masked_cache_mask(struct masked_cache *c, const struct cache_line *l) {
    return &c->mask[l - c->tags.line];
}

/* Does masked_cache_holds() for a line that is not whole. */
bool masked_cache_holds_written(struct masked_cache *c, const struct cache_line *l, uint32_t address,
                                unsigned bytes);
/* Returns whether the bytes [address, address + bytes) of the line are present. */
static inline bool masked_cache_holds(struct masked_cache *c, const struct cache_line *l, uint32_t address,
                                      unsigned bytes) {
    return masked_cache_mask(c, l)->whole || masked_cache_holds_written(c, l, address, bytes);
}
/* Returns whether any byte of the line has been written. */
bool masked_cache_is_dirty(struct masked_cache *c, const struct cache_line *l);
/* Marks bytes as written. Bit n of `written`: the byte at address + n; NULL: [address, address + bytes). */
void masked_cache_write(struct masked_cache *c, const struct cache_line *l, uint32_t address, unsigned bytes,
                        const uint64_t *written);
/* Returns the number of the line's pieces of `bytes` bytes (a power of two) with written bytes. */
unsigned masked_cache_pieces(const struct masked_line *m, unsigned bytes);

/* Returns the line that the address's line would replace; its state is 0 if the place is empty. */
static inline struct cache_line *masked_cache_victim(struct masked_cache *c, uint32_t address) {
    return cache_victim(&c->tags, address, 0);
}

/* Returns the address of a line's first byte. */
static inline uint32_t masked_cache_address(const struct masked_cache *c, const struct cache_line *l) {
    return l->tag << c->tags.line_shift;
}

/* Puts the address's line in the victim's place, with all of its bytes or with none. */
void masked_cache_put(struct masked_cache *c, struct cache_line *victim, uint32_t address, bool whole);

#endif

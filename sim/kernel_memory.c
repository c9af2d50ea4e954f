/* What lives as long as a kernel. */
#include "sim/kernel_private.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 256 * 1024 };

void *arena_allocate(struct arena *a, size_t size) {
    size = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (a->size - a->used < size) {
        const size_t block_size = size + CACHE_LINE > BLOCK_BYTES ? size + CACHE_LINE : BLOCK_BYTES;
        char *block = aligned_alloc(CACHE_LINE, block_size);
        invariant(block, "out of memory");
        memset(block, 0, block_size);
        memcpy(block, &a->block, sizeof a->block);
        *a = (struct arena){block, CACHE_LINE, block_size};
    }
    void *piece = a->block + a->used;
    a->used += size;
    return piece;
}

void arena_free(struct arena *a) {
    for (char *block = a->block, *before; block; block = before) {
        memcpy(&before, block, sizeof before);
        free(block);
    }
}

const char *kernel_copy_text(struct kernel *k, const char *text) {
    const size_t size = strlen(text) + 1;
    return memcpy(arena_allocate(&k->rest, size), text, size);
}

void *kernel_grow(void *array, size_t count, uint32_t *capacity, size_t element_size) {
    if (count < *capacity) return array;
    *capacity = *capacity ? 2 * *capacity : 16;
    array = realloc(array, *capacity * element_size);
    invariant(array, "out of memory");
    return array;
}

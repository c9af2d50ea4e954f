/* Memory that lives as long as a kernel. */
#include "sim/kernel_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FIRST_BYTES = 256 * 1024, HUGE_PAGE = 2 * 1024 * 1024 };

/* Allocates a block: a small one first, then huge pages, because large models have many objects far apart. */
static char *allocate_block(bool first, size_t least, size_t *size) {
    const size_t unit = first && least <= FIRST_BYTES ? FIRST_BYTES : HUGE_PAGE;
    *size = (least + unit - 1) / unit * unit;
    char *block = aligned_alloc(unit == HUGE_PAGE ? HUGE_PAGE : CACHE_LINE, *size);
    require_memory(block);
    if (unit == HUGE_PAGE) madvise(block, *size, MADV_HUGEPAGE); /* a failure costs only speed */
    return memset(block, 0, *size);
}

void *arena_allocate(struct arena *a, size_t size) {
    size = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (a->size - a->used < size) {
        size_t block_size;
        char *block = allocate_block(!a->block, size + CACHE_LINE, &block_size);
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
    require_memory(array);
    return array;
}

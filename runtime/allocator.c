#include "runtime/allocator.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void allocator_init(struct allocator *a, uint32_t first, uint32_t end) {
    *a = (struct allocator){.first = first, .end = end, .next = first};
}

void allocator_release(struct allocator *a) {
    free(a->blocks);
    *a = (struct allocator){0};
}

static uint64_t round_up(uint64_t address) {
    return (address + ALLOCATOR_ALIGNMENT - 1) / ALLOCATOR_ALIGNMENT * ALLOCATOR_ALIGNMENT;
}

static bool grow(struct allocator *a) {
    if (a->count < a->capacity) return true;
    size_t capacity = a->capacity ? a->capacity * 2 : 64;
    struct allocator_block *blocks = realloc(a->blocks, capacity * sizeof *blocks);
    if (blocks == NULL) return false;
    a->blocks = blocks;
    a->capacity = capacity;
    return true;
}

/* Finds the first free place at or above `from`; *at is the number of blocks below it. Returns false if
 * there is none. */
static bool find_place(const struct allocator *a, uint64_t from, uint64_t size_bytes, uint64_t *base,
                       size_t *at) {
    *base = round_up(from);
    for (*at = 0; *at < a->count; ++*at) {
        const struct allocator_block *block = &a->blocks[*at];
        uint64_t behind = round_up((uint64_t)block->base + block->size_bytes + ALLOCATOR_GUARD_BYTES);
        if (*base + size_bytes + ALLOCATOR_GUARD_BYTES <= block->base) break;
        if (behind > *base) *base = behind;
    }
    return *base + size_bytes <= a->end;
}

uint32_t allocator_take(struct allocator *a, uint64_t size_bytes) {
    uint64_t base;
    size_t i;
    if (size_bytes == 0 || size_bytes > a->end - a->first || !grow(a)) return 0;
    if (!find_place(a, a->next, size_bytes, &base, &i) && !find_place(a, a->first, size_bytes, &base, &i))
        return 0;
    memmove(&a->blocks[i + 1], &a->blocks[i], (a->count - i) * sizeof *a->blocks);
    a->blocks[i] = (struct allocator_block){(uint32_t)base, (uint32_t)size_bytes};
    a->count++;
    a->next = base + size_bytes + ALLOCATOR_GUARD_BYTES;
    return (uint32_t)base;
}

void allocator_give_back(struct allocator *a, uint32_t base) {
    size_t i = 0;
    while (i < a->count && a->blocks[i].base != base) i++;
    invariant(i < a->count, "allocator: 0x%08x was never handed out", base);
    memmove(&a->blocks[i], &a->blocks[i + 1], (a->count - i - 1) * sizeof *a->blocks);
    a->count--;
}

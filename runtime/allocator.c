#include "runtime/allocator.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void allocator_init(struct allocator *a, uint32_t first, uint32_t end) {
    *a = (struct allocator){.first = first, .end = end};
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

uint32_t allocator_take(struct allocator *a, uint64_t size_bytes) {
    if (size_bytes == 0 || size_bytes > a->end - a->first || !grow(a)) return 0;
    uint64_t base = round_up(a->first);
    size_t i = 0;
    for (; i < a->count; i++) {
        const struct allocator_block *next = &a->blocks[i];
        if (base + size_bytes + ALLOCATOR_GUARD_BYTES <= next->base) break;
        base = round_up((uint64_t)next->base + next->size_bytes + ALLOCATOR_GUARD_BYTES);
    }
    if (base + size_bytes > a->end) return 0;
    memmove(&a->blocks[i + 1], &a->blocks[i], (a->count - i) * sizeof *a->blocks);
    a->blocks[i] = (struct allocator_block){(uint32_t)base, (uint32_t)size_bytes};
    a->count++;
    return (uint32_t)base;
}

void allocator_give_back(struct allocator *a, uint32_t base) {
    size_t i = 0;
    while (i < a->count && a->blocks[i].base != base) i++;
    invariant(i < a->count, "allocator: 0x%08x was never handed out", base);
    memmove(&a->blocks[i], &a->blocks[i + 1], (a->count - i - 1) * sizeof *a->blocks);
    a->count--;
}

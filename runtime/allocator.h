/*
 * allocator: addresses of buffers in the device's address space.
 *
 * Upwards from behind the block handed out last, and only where the space ends again from its start: what
 * was given back is not used again for as long as possible, so that a stale pointer hits nothing. The same
 * for the same sequence of calls. Bases are multiples of
 * ALLOCATOR_ALIGNMENT, and at least ALLOCATOR_GUARD_BYTES lie between one block's last byte and the next
 * block, so that a stray access hits a gap. Sizes are kept to the byte: only addresses are rounded.
 */
#ifndef RUNTIME_ALLOCATOR_H
#define RUNTIME_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALLOCATOR_ALIGNMENT   128u
#define ALLOCATOR_GUARD_BYTES 4096u

struct allocator_block {
    uint32_t base, size_bytes;
};

struct allocator {
    uint32_t first, end;            /* addresses to hand out: [first, end) */
    uint64_t next;                  /* where to look first */
    struct allocator_block *blocks; /* by address */
    size_t count, capacity;
};

void allocator_init(struct allocator *a, uint32_t first, uint32_t end);
void allocator_release(struct allocator *a);

/* The address of a new block of size_bytes (≥ 1); 0 if there is no room. */
uint32_t allocator_take(struct allocator *a, uint64_t size_bytes);
void allocator_give_back(struct allocator *a, uint32_t base); /* base as allocator_take() returned it */

#endif

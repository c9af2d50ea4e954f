/*
 * allocator: addresses of buffers in the device's address space.
 *
 * New blocks are placed above the block handed out last, and from the start of the space again only when
 * its end is reached. So freed addresses stay unused for as long as possible, and a stale pointer hits no
 * buffer. The same sequence of calls gives the same addresses. Bases are multiples of ALLOCATOR_ALIGNMENT.
 * At least ALLOCATOR_GUARD_BYTES lie between the last byte of a block and the next block, so that a stray
 * access hits a gap. Sizes are kept to the byte: only addresses are rounded.
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
    uint32_t first, end;            /* range of addresses: [first, end) */
    uint64_t next;                  /* address at which the search begins */
    struct allocator_block *blocks; /* blocks, sorted by address */
    size_t count, capacity;
};

void allocator_init(struct allocator *a, uint32_t first, uint32_t end);
void allocator_release(struct allocator *a);

/* Returns the address of a new block of size_bytes (≥ 1), or 0 if there is no room. */
uint32_t allocator_take(struct allocator *a, uint64_t size_bytes);
void allocator_give_back(struct allocator *a, uint32_t base); /* frees a block; base: as allocator_take()
                                                                 returned it */

#endif

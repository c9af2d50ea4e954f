/*
 * memory: the functional state of the simulated memory, one flat 32-bit space of regions.
 *
 * Every byte that a program may access belongs to a region; the gaps between regions make every access
 * outside a buffer detectable, to the byte. Caches elsewhere hold tags and states only: the contents of
 * memory are exact at all times (machine.md §5, functional state). The caller that adds a region owns its
 * host storage.
 */
#ifndef MODEL_MEMORY_MEMORY_H
#define MODEL_MEMORY_MEMORY_H

#include "abi/memory_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
    MEMORY_NONE,    /* free slot */
    MEMORY_CODE,    /* instructions and constants of the image; read-only for kernels */
    MEMORY_BUFFER,  /* OpenCL memory object */
    MEMORY_LOCAL,   /* local memory window of the running work-group */
    MEMORY_STACK,   /* thread stacks; a thread may touch only its own */
    MEMORY_LAUNCH,  /* launch block, argument block, the cores' own stacks */
    MEMORY_OUTSIDE, /* accessed gap between other regions: struct memory_outside */
};

#define MEMORY_REGIONS 4096

struct memory_region {
    uint32_t base, size_bytes; /* [base, base + size_bytes); a free slot has size 0 */
    uint8_t *host;
    enum memory_kind kind;
    bool writable;
    bool write_only; /* buffer that kernels should not read, by the program's flags */
    char name[40];   /* for messages: "buffer 3", "local memory" */
};

/* State of accesses outside every region and of writes to read-only buffers, if they are allowed, as on
 * hardware without protection. Bytes outside are 0 until they are written. Shared by all copies of a
 * memory. */
struct memory_outside {
    uint8_t *host; /* host storage of address 0, with room for the whole address space */
    bool accessed; /* an access has occurred; the first one: */
    bool first_is_store;
    uint32_t first_pc, first_address, first_bytes;
    char first_place[64]; /* "outside every buffer", "in buffer 1 (CL_MEM_READ_ONLY)" */
};

/* The regions of an address space, plain data. A hint (index of the region that an instruction accessed last)
 * stays safe in any copy: it is only a first guess, which the bounds check confirms. */
struct memory {
    struct memory_region region[MEMORY_REGIONS];
    uint16_t order[MEMORY_REGIONS]; /* indices of used regions by base */
    unsigned used;
    /* Set by the owner of the regions; may be NULL. Writes a description of an address in no region ("in
     * buffer 3, released at …"); returns false if nothing is known. */
    bool (*history)(const void *context, uint32_t address, char *text, size_t size);
    const void *history_context;
    struct memory_outside *outside; /* NULL: an access outside every region is a fault */
};

void memory_init(struct memory *m);

/* Copies the regions of m, in the same slots. *copy must be zeroed or be an earlier copy. */
void memory_copy(struct memory *copy, const struct memory *m);

#define MEMORY_NO_STACK UINT32_MAX

/* Copies to *own, in the same slots, the parts of a view (of a core, or of the threads of a cluster) that no
 * other core can change or invalidate: read-only regions, the stack that begins at `stack` (MEMORY_NO_STACK:
 * none), the threads' stacks without lines that others can write, and local memory, which has its own pages.
 * *own is empty if accesses outside every region are allowed, since they can change anything. *own must be
 * zeroed or be an earlier copy. */
void memory_own(struct memory *own, const struct memory *view, uint32_t stack, uint32_t line_bytes);

/* Adds a region; panics if it overlaps another. Returns its index, or −1 if all slots are taken. */
int memory_add(struct memory *m, enum memory_kind kind, uint32_t base, uint32_t size_bytes, uint8_t *host,
               bool writable, const char *name);
void memory_remove(struct memory *m, int index);

/* Returns the index of the region that holds all of [address, address + size_bytes); −1 if none does. */
int memory_find(const struct memory *m, uint32_t address, uint32_t size_bytes);

/* Called after memory_find() has failed. If accesses outside are allowed, makes the gap around the access a
 * region and notes the first access. Returns its index, or −1 if they are not allowed or a part of the access
 * is in a region. */
int memory_find_outside(struct memory *m, uint32_t pc, bool store, uint32_t address, uint32_t size_bytes);

/* Returns whether a write to the read-only region `index` is allowed: it is a buffer, and such writes are
 * allowed. Notes the first. */
bool memory_write_passes(struct memory *m, int index, uint32_t pc, uint32_t address, uint32_t size_bytes);

/* Removes the regions that memory_find_outside() made, so that others can be added, and forgets the first
 * access. Written bytes are kept. */
void memory_forget_outside(struct memory *m);

/* Returns the region nearest to an address in no region (for messages); NULL if there are no regions. */
const struct memory_region *memory_nearest(const struct memory *m, uint32_t address);

#endif

/*
 * memory: the functional state of the simulated memory, one flat 32-bit space of regions.
 *
 * Every byte a program may touch belongs to a region; between regions are gaps, so that an access outside
 * every buffer is always seen, to the byte. Caches elsewhere hold tags and states only: what is here is exact
 * at all times (machine.md §5, functional state). Host storage of a region is owned by whoever adds it.
 */
#ifndef MODEL_MEMORY_MEMORY_H
#define MODEL_MEMORY_MEMORY_H

#include "abi/memory_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_kind {
    MEMORY_NONE,    /* a free slot */
    MEMORY_CODE,    /* instructions and constants of the image; read-only for kernels */
    MEMORY_BUFFER,  /* an OpenCL memory object */
    MEMORY_LOCAL,   /* the local memory window of the work-group in flight */
    MEMORY_STACK,   /* thread stacks; a thread may touch only its own */
    MEMORY_LAUNCH,  /* launch block, argument block, the cores' own stacks */
    MEMORY_OUTSIDE, /* what lies between the others, once it was accessed: struct memory_outside */
};

#define MEMORY_REGIONS 4096

struct memory_region {
    uint32_t base, size_bytes; /* [base, base + size_bytes); a free slot has size 0 */
    uint8_t *host;
    enum memory_kind kind;
    bool writable;
    char name[40]; /* for messages: "buffer 3", "local memory" */
};

/* Accesses outside every region, and writes to read-only buffers, that are let pass, as on hardware without
 * protection: what lies outside is zero until it is written. Shared by all copies of a memory. */
struct memory_outside {
    uint8_t *host; /* of address 0: room for the whole address space */
    bool accessed; /* and who did so first: */
    bool first_is_store;
    uint32_t first_pc, first_address, first_bytes;
    char first_place[64]; /* "outside every buffer", "in buffer 1 (CL_MEM_READ_ONLY)" */
};

/* Plain data: a hint (index of the region an instruction touched last) may be kept anywhere and stays safe,
 * for it is only ever used as a first guess that the bounds check confirms. */
struct memory {
    struct memory_region region[MEMORY_REGIONS];
    uint16_t order[MEMORY_REGIONS]; /* indices of used regions by base */
    unsigned used;
    /* Told of by whoever manages the regions; may be NULL. Writes what is known of an address in no region
     * ("in buffer 3, released at …"); false: nothing. */
    bool (*history)(const void *context, uint32_t address, char *text, size_t size);
    const void *history_context;
    struct memory_outside *outside; /* NULL: such an access is a fault */
};

void memory_init(struct memory *m);

/* Makes *copy have the same regions, in the same slots, as m: it must have been zeroed or be such a copy. */
void memory_copy(struct memory *copy, const struct memory *m);

#define MEMORY_NO_STACK UINT32_MAX

/* Makes *own have, in the same slots, what of a view (of a core, or of the threads of a cluster) nobody else
 * can change, nor take a line of it away: what nobody can write, the stack that begins at `stack`
 * (MEMORY_NO_STACK: none does) and the threads' stacks, without lines that others can write into; and local
 * memory, which is in pages of its own. Nothing, where accesses outside every region are let pass: everybody
 * can change everything. *own as *copy above. */
void memory_own(struct memory *own, const struct memory *view, uint32_t stack, uint32_t line_bytes);

/* Adds a region; it must not overlap another (panic). Returns its index, or −1 if all slots are taken. */
int memory_add(struct memory *m, enum memory_kind kind, uint32_t base, uint32_t size_bytes, uint8_t *host,
               bool writable, const char *name);
void memory_remove(struct memory *m, int index);

/* Index of the region that holds all of [address, address + size_bytes), −1 if none does. */
int memory_find(const struct memory *m, uint32_t address, uint32_t size_bytes);

/* Where memory_find() finds nothing: makes the gap that holds all of the access a region, if accesses outside
 * are let pass, and notes the first. Its index; −1 if they are not, or the access is partly in a region. */
int memory_find_outside(struct memory *m, uint32_t pc, bool store, uint32_t address, uint32_t size_bytes);

/* Whether a write to region `index`, which is read-only, is let pass: if such are, and it is a buffer. Notes
 * the first. */
bool memory_write_passes(struct memory *m, int index, uint32_t pc, uint32_t address, uint32_t size_bytes);

/* Removes the regions that memory_find_outside() made (what was written there stays), so that others can be
 * added; forgets the first access. */
void memory_forget_outside(struct memory *m);

/* The region nearest to an address that lies in none (for messages), NULL if there are no regions. */
const struct memory_region *memory_nearest(const struct memory *m, uint32_t address);

#endif

/*
 * buffers: the memory objects of all connected programs in the simulated machine's memory: their addresses,
 * their shared memory, and what is still known of those that have been released, for diagnoses.
 */
#ifndef RUNTIME_BUFFERS_H
#define RUNTIME_BUFFERS_H

#include "model/memory/memory.h"
#include "runtime/allocator.h"

#include <stddef.h>

/* The largest buffer. */
#define BUFFERS_MAX_BYTES 0x40000000u
/* So many released buffers are remembered; their addresses are free again long after that. */
#define BUFFERS_REMEMBERED 4096

struct buffer {
    unsigned client;
    uint32_t address, size_bytes;
    uint8_t *host;
    int region;
};

struct buffers_released {
    unsigned client;
    uint32_t id; /* 0: none yet */
    uint32_t address, size_bytes;
    char *site; /* of the release: call_site.h */
};

struct buffers {
    struct memory *memory;
    struct allocator allocator;
    struct buffer **list; /* by id − 1; ids are never used twice; NULL: released */
    size_t count;
    struct buffers_released released[BUFFERS_REMEMBERED]; /* a ring */
    size_t released_count;                                /* in all */
};

/* Begins to answer for released addresses in `memory`, until buffers_end(). */
void buffers_begin(struct buffers *b, struct memory *memory);
void buffers_end(struct buffers *b);

/* A new buffer of 1 to BUFFERS_MAX_BYTES, which kernels may write if it is writable. Returns its id and its
 * memory file in *fd; 0 if the device's address space or the host has no room. */
uint32_t buffers_create(struct buffers *b, unsigned client, uint32_t size_bytes, bool writable, int *fd);

/* NULL if the client has no such buffer (any more). */
const struct buffer *buffers_find(const struct buffers *b, unsigned client, uint32_t id);

/* The place of a buffer, also of a remembered one that has been released. False if neither. */
bool buffers_place(const struct buffers *b, unsigned client, uint32_t id, uint32_t *address,
                   uint32_t *size_bytes);

/* Releases a buffer; site is where the program did. False if the client has no such buffer. */
bool buffers_drop(struct buffers *b, unsigned client, uint32_t id, const char *site);
void buffers_drop_client(struct buffers *b, unsigned client);

#endif

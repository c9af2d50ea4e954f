/*
 * buffers: the memory objects of all connected programs in the simulated machine's memory: their addresses,
 * their shared memory, and facts about released ones for diagnoses.
 */
#ifndef RUNTIME_BUFFERS_H
#define RUNTIME_BUFFERS_H

#include "model/memory/memory.h"
#include "runtime/allocator.h"

#include <stddef.h>

/* Bytes of the largest buffer. */
#define BUFFERS_MAX_BYTES 0x40000000u
/* Number of released buffers that are remembered. Their addresses are reused much later than that. */
#define BUFFERS_REMEMBERED 4096

struct buffer {
    unsigned client;
    uint32_t address, size_bytes;
    uint8_t *host;
    int region;
    uint32_t written_from, written_to; /* bytes that the program may have written since buffers_written() */
};

struct buffers_released {
    unsigned client;
    uint32_t id; /* id; 0: entry not used */
    uint32_t address, size_bytes;
    char *site; /* place of the release: call_site.h */
};

struct buffers {
    struct memory *memory;
    struct allocator allocator;
    struct buffer **list; /* buffers by id − 1; ids are never used twice; NULL: released */
    size_t count;
    struct buffers_released released[BUFFERS_REMEMBERED]; /* ring of released buffers */
    size_t released_count;                                /* number of releases in all */
};

/* Makes `memory` describe released addresses, until buffers_end(). */
void buffers_begin(struct buffers *b, struct memory *memory);
void buffers_end(struct buffers *b);

/* Creates a buffer of 1 to BUFFERS_MAX_BYTES, which kernels may write if it is writable. Returns its id,
 * and its memory file in *fd; 0 if the device's address space or the host has no room. */
uint32_t buffers_create(struct buffers *b, unsigned client, uint32_t size_bytes, bool writable, int *fd);

/* Returns the client's buffer, or NULL if it has none of this id. */
const struct buffer *buffers_find(const struct buffers *b, unsigned client, uint32_t id);

/* Writes address and size of a buffer, also of a remembered released one. Returns false for others. */
bool buffers_place(const struct buffers *b, unsigned client, uint32_t id, uint32_t *address,
                   uint32_t *size_bytes);

/* Notes that the program has written bytes of a buffer. */
void buffers_note_written(struct buffers *b, unsigned client, uint32_t id, uint64_t from, uint64_t to);
/* Visits what the program has written into buffers since the last call; a new buffer is written by it. */
typedef void buffers_visit(void *context, unsigned client, uint32_t id, uint64_t offset, const uint8_t *bytes,
                           uint32_t size);
void buffers_written(struct buffers *b, buffers_visit *visit, void *context);
/* Gives this process storage of its own for all buffers, with the same bytes at the same addresses. False:
 * the host has no room. */
bool buffers_part(struct buffers *b);

/* Releases a buffer; site is where the program did. False if the client has no such buffer. */
bool buffers_drop(struct buffers *b, unsigned client, uint32_t id, const char *site);
void buffers_drop_client(struct buffers *b, unsigned client);

#endif

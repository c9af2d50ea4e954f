/*
 * journal: the requests of a program, in their order, for copies of the simulator that serve them again
 * (snapshots.h). It is a file without a name, which the copies inherit.
 */
#ifndef RUNTIME_JOURNAL_H
#define RUNTIME_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum journal_kind { JOURNAL_REQUEST, JOURNAL_DROP, JOURNAL_BYTES };

struct journal_entry {
    uint32_t kind; /* enum journal_kind */
    uint32_t client;
    uint32_t id;     /* type of a request; buffer of bytes */
    uint32_t size;   /* number of bytes that follow */
    uint64_t offset; /* offset of the bytes in the buffer */
};

/* −1: the host has no room. */
int journal_open(void);
/* Appends an entry at *end. False: the host has no room. */
bool journal_add(int fd, uint64_t *end, const struct journal_entry *entry, const void *bytes);
/* Reads the entry at *at, and its bytes, to be freed; moves *at behind it. False: none is there. */
bool journal_next(int fd, uint64_t *at, uint64_t end, struct journal_entry *entry, uint8_t **bytes);
/* Gives back the room of the entries before `at`. */
void journal_forget(int fd, uint64_t at);

#endif

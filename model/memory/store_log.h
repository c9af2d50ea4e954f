/*
 * store_log: the stores of an SM's threads since its step began, kept from memory until all SMs have reached
 * the end of the step. The SM's own threads read them; other SMs see memory as it was when the step began.
 * Therefore results do not depend on the order in which the host runs SMs.
 *
 * A store is identified by its place in host memory, since a byte may have several addresses.
 */
#ifndef MODEL_MEMORY_STORE_LOG_H
#define MODEL_MEMORY_STORE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_LOG_FILTER 4096 /* bits of a filter: stored words, by the lowest bits of their addresses */
#define STORE_LOG_READ   128  /* bytes of a thread's longest access */

struct store_log_entry {
    uint8_t *host;
    uint32_t bytes;
    size_t at; /* index of the value in `data` */
};

struct store_log {
    struct store_log_entry *entries;
    uint8_t *data;
    size_t count, capacity, bytes, data_capacity;
    uint64_t filter[STORE_LOG_FILTER / 64];
    uint8_t (*read)[STORE_LOG_READ]; /* bytes that each thread of an instruction reads */
};

/* `threads`: threads of an instruction. A log that is all 0 may be initialised or freed. */
void store_log_init(struct store_log *l, unsigned threads);
void store_log_free(struct store_log *l);

/* Makes room for `stores` more stores with `bytes` bytes in all: pointers from store_log_add() stay valid
 * until the next call. */
void store_log_reserve(struct store_log *l, size_t stores, size_t bytes);
/* Adds a store. Returns the place to which the caller must write its value, within the instruction. */
uint8_t *store_log_add(struct store_log *l, uint8_t *host, uint32_t bytes);

/* Returns false if none of these bytes is in the log; true is not certain. */
static inline bool store_log_may_have(const struct store_log *l, const uint8_t *host, uint32_t bytes) {
    const uintptr_t first = (uintptr_t)host / 4, last = ((uintptr_t)host + bytes - 1) / 4;
    bool found = false;
    for (uintptr_t word = first; word <= last && l->count; ++word)
        found |= l->filter[word % STORE_LOG_FILTER / 64] >> word % 64 & 1;
    return found;
}
/* Writes to `out` at most STORE_LOG_READ bytes as the SM's threads see them. */
void store_log_read(const struct store_log *l, const uint8_t *host, uint32_t bytes, uint8_t *out);

/* Applies all stores to memory, in order, and empties the log. */
void store_log_apply(struct store_log *l);

#endif

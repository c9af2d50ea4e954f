/*
 * store_log: what the threads of an SM have stored since its step began, kept from memory until all SMs have
 * come to the step's end. Its own threads read it; others see memory as the step found it. So what they see
 * does not depend on which SM the host runs first.
 *
 * A store is known by where it goes in host memory, of which a byte may have several addresses.
 */
#ifndef MODEL_MEMORY_STORE_LOG_H
#define MODEL_MEMORY_STORE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STORE_LOG_FILTER 4096 /* bits: words that were stored to, by their addresses' lowest bits */
#define STORE_LOG_READ   128  /* bytes of a thread's longest access */

struct store_log_entry {
    uint8_t *host;
    uint32_t bytes;
    size_t at; /* of its value in `data` */
};

struct store_log {
    struct store_log_entry *entries;
    uint8_t *data;
    size_t count, capacity, bytes, data_capacity;
    uint64_t filter[STORE_LOG_FILTER / 64];
    uint8_t (*read)[STORE_LOG_READ]; /* what each thread of an instruction reads */
};

/* For instructions of so many threads. All zero is a log to be initialised or freed. */
void store_log_init(struct store_log *l, unsigned threads);
void store_log_free(struct store_log *l);

/* Room for so many stores, of so many bytes in all: what store_log_add() returns stays until the next call.
 */
void store_log_reserve(struct store_log *l, size_t stores, size_t bytes);
/* Adds a store. Returns where its value is to be written, within the instruction. */
uint8_t *store_log_add(struct store_log *l, uint8_t *host, uint32_t bytes);

/* Returns false if none of these bytes is in the log. True may be wrong. */
static inline bool store_log_may_have(const struct store_log *l, const uint8_t *host, uint32_t bytes) {
    const uintptr_t first = (uintptr_t)host / 4, last = ((uintptr_t)host + bytes - 1) / 4;
    bool found = false;
    for (uintptr_t word = first; word <= last && l->count; ++word)
        found |= l->filter[word % STORE_LOG_FILTER / 64] >> word % 64 & 1;
    return found;
}
/* Writes what the SM's threads see of at most STORE_LOG_READ bytes. */
void store_log_read(const struct store_log *l, const uint8_t *host, uint32_t bytes, uint8_t *out);

/* Does all stores, in their order, and forgets them. */
void store_log_apply(struct store_log *l);

#endif

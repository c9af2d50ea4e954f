#include "model/memory/store_log.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void store_log_init(struct store_log *l, unsigned threads) {
    *l = (struct store_log){.read = calloc(threads, sizeof *l->read)};
    require_memory(l->read);
}

void store_log_free(struct store_log *l) {
    free(l->entries);
    free(l->data);
    free(l->read);
    *l = (struct store_log){0};
}

/* Returns an array with room for `wanted` elements of `size` bytes; a larger capacity is at least double. */
static void *with_room(void *array, size_t *capacity, size_t wanted, size_t size) {
    if (wanted <= *capacity) return array;
    *capacity = wanted > 2 * *capacity ? wanted : 2 * *capacity;
    void *larger = realloc(array, *capacity * size);
    require_memory(larger);
    return larger;
}

void store_log_reserve(struct store_log *l, size_t stores, size_t bytes) {
    l->entries = with_room(l->entries, &l->capacity, l->count + stores, sizeof *l->entries);
    l->data = with_room(l->data, &l->data_capacity, l->bytes + bytes, 1);
}

uint8_t *store_log_add(struct store_log *l, uint8_t *host, uint32_t bytes) {
    const uintptr_t first = (uintptr_t)host / 4, last = ((uintptr_t)host + bytes - 1) / 4;
    uint8_t *value = l->data + l->bytes;
    for (uintptr_t word = first; word <= last; ++word)
        l->filter[word % STORE_LOG_FILTER / 64] |= UINT64_C(1) << word % 64;
    l->entries[l->count++] = (struct store_log_entry){host, bytes, l->bytes};
    l->bytes += bytes;
    return value;
}

void store_log_read(const struct store_log *l, const uint8_t *host, uint32_t bytes, uint8_t *out) {
    memcpy(out, host, bytes);
    for (size_t n = 0; n < l->count; ++n) {
        const struct store_log_entry *e = &l->entries[n];
        const uint8_t *const end = host + bytes, *const stored = e->host + e->bytes;
        const uint8_t *const from = e->host > host ? e->host : host, *const to = stored < end ? stored : end;
        if (from < to) memcpy(out + (from - host), l->data + e->at + (from - e->host), (size_t)(to - from));
    }
}

void store_log_apply(struct store_log *l) {
    if (!l->count) return;
    for (size_t n = 0; n < l->count; ++n)
        memcpy(l->entries[n].host, l->data + l->entries[n].at, l->entries[n].bytes);
    l->count = l->bytes = 0;
    memset(l->filter, 0, sizeof l->filter);
}

#include "compiler/ir/value_map.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

/* Open addressing, at most half full: the search ends at the key or at an empty slot. */
static size_t find_slot(const struct value_map *m, const void *key) {
    uint64_t hash = (uintptr_t)key * 0x9e3779b97f4a7c15u;
    size_t i = (hash >> 32) & (m->capacity - 1);
    while (m->slots[i].key && m->slots[i].key != key) i = (i + 1) & (m->capacity - 1);
    return i;
}

static void enlarge(struct value_map *m) {
    struct value_map old = *m;
    m->capacity = old.capacity ? old.capacity * 2 : 64;
    m->slots = allocate(NULL, m->capacity * sizeof *m->slots);
    memset(m->slots, 0, m->capacity * sizeof *m->slots);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].key) m->slots[find_slot(m, old.slots[i].key)] = old.slots[i];
    free(old.slots);
}

void value_map_set(struct value_map *m, const void *key, uintptr_t value) {
    if (m->count * 2 >= m->capacity) enlarge(m);
    size_t i = find_slot(m, key);
    if (!m->slots[i].key) m->count++;
    m->slots[i].key = key;
    m->slots[i].value = value;
}

uintptr_t value_map_get(const struct value_map *m, const void *key) {
    if (!m->capacity) return VALUE_MAP_NONE;
    size_t i = find_slot(m, key);
    return m->slots[i].key ? m->slots[i].value : VALUE_MAP_NONE;
}

void value_map_free(struct value_map *m) {
    free(m->slots);
    *m = (struct value_map){0};
}

/*
 * value_map: numbers for LLVM values and blocks, which have no field for them.
 */
#ifndef COMPILER_VALUE_MAP_H
#define COMPILER_VALUE_MAP_H

#include <stddef.h>
#include <stdint.h>

#define VALUE_MAP_NONE UINTPTR_MAX

struct value_map { /* all 0: empty */
    struct {
        const void *key;
        uintptr_t value;
    } * slots;
    size_t count, capacity;
};

/* Adds or replaces. */
void value_map_set(struct value_map *m, const void *key, uintptr_t value);
/* Returns VALUE_MAP_NONE if the key is absent. */
uintptr_t value_map_get(const struct value_map *m, const void *key);
void value_map_free(struct value_map *m);

#endif

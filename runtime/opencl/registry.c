#include "runtime/opencl/registry.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Hash table with open addressing and linear probing: a power of two places, at most half of them used. */
static const void **places;
static size_t place_count, taken;

static size_t home(const void *object) {
    return (size_t)(((uintptr_t)object * 0x9e3779b97f4a7c15u) >> 20) & (place_count - 1);
}

/* Returns the place of the object, or the free place where it belongs. */
static size_t find_slot(const void *object) {
    size_t at = home(object);
    while (places[at] != NULL && places[at] != object) at = (at + 1) & (place_count - 1);
    return at;
}

static bool grow(void) {
    const void **old = places;
    size_t old_count = place_count;
    const void **new = calloc(old_count > 0 ? old_count * 2 : 256, sizeof *new);
    if (new == NULL) return false;
    places = new;
    place_count = old_count > 0 ? old_count * 2 : 256;
    for (size_t i = 0; i < old_count; i++)
        if (old[i] != NULL) places[find_slot(old[i])] = old[i];
    free(old);
    return true;
}

bool registry_add(const void *object) {
    if (taken * 2 >= place_count && !grow()) return false;
    places[find_slot(object)] = object;
    taken++;
    return true;
}

void registry_remove(const void *object) {
    size_t hole = find_slot(object);
    places[hole] = NULL;
    taken--;
    /* Objects beyond the hole that a probe would have found move up to it. */
    for (size_t at = (hole + 1) & (place_count - 1); places[at] != NULL; at = (at + 1) & (place_count - 1)) {
        const void *moved = places[at];
        places[at] = NULL;
        places[find_slot(moved)] = moved;
    }
}

bool registry_has(const void *handle) {
    return handle != NULL && place_count > 0 && places[find_slot(handle)] == handle;
}

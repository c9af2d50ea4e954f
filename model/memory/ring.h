/*
 * ring: the size of a ring with at least `entries` entries; indices are modulo a power of two.
 */
#ifndef MODEL_MEMORY_RING_H
#define MODEL_MEMORY_RING_H

#include <stdint.h>

static inline uint32_t ring_size(unsigned entries) {
    uint32_t size = 1;
    while (size < entries) size *= 2;
    return size;
}

#endif

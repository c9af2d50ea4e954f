#include "model/core/access_values.h"

#include "model/control/tpo_address.h"
#include "model/memory/memory.h"
#include "model/memory/store_log.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void access_values_init(struct access_values *v, unsigned positions) {
    *v = (struct access_values){.positions = positions};
}

void access_values_free(struct access_values *v) {
    free(v->value);
    *v = (struct access_values){0};
}

static void make_room(struct access_values *v, unsigned instruction) {
    v->room = 2 * instruction + 32;
    v->value = realloc(v->value, (size_t)v->room * v->positions * ACCESS_VALUES_BEATS * sizeof *v->value);
    require_memory(v->value);
}

/* Replaces bytes that are in stack objects of the thread. */
static void read_objects(const struct arm_threads *t, unsigned k, uint32_t address, unsigned bytes,
                         uint8_t *value) {
    if (!t->stack_top || !t->stack_objects || address - (t->stack_top[k] - t->stack_size) >= t->stack_size)
        return;
    for (unsigned n = 0; n < bytes; ++n) {
        const uint32_t index = tpo_stack_index(t->stack_size, address + n);
        const uint32_t *row = &t->registers[(size_t)(t->stack_row + index) * t->positions];
        if (index < t->stack_objects) value[n] = (uint8_t)(row[k] >> (address + n) % 4 * 8);
    }
}

uint64_t access_values_at(const struct arm_threads *t, unsigned position, uint32_t address, unsigned bytes) {
    uint64_t value = 0;
    if (bytes > sizeof value) bytes = sizeof value;
    const int index = memory_find(t->memory, address, bytes);
    if (index >= 0) {
        const struct memory_region *r = &t->memory->region[index];
        const uint8_t *host = r->host + (address - r->base);
        if (t->log && store_log_may_have(t->log, host, bytes))
            store_log_read(t->log, host, bytes, (uint8_t *)&value);
        else
            memcpy(&value, host, bytes);
    }
    read_objects(t, position, address, bytes, (uint8_t *)&value);
    return value;
}

void access_values_note(struct access_values *v, unsigned instruction, const struct arm_instruction *i,
                        const struct arm_threads *t, uint64_t threads, const uint32_t *address) {
    const unsigned bytes = i->access_bytes / i->access_count;
    if (instruction >= v->room) make_room(v, instruction);
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        uint64_t *value = &v->value[((size_t)instruction * v->positions + k) * ACCESS_VALUES_BEATS];
        for (unsigned n = 0; n < i->access_count && n < ACCESS_VALUES_BEATS; ++n)
            value[n] = access_values_at(t, k, address[k] + n * bytes, bytes);
    }
}

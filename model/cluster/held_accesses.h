/*
 * held_accesses: memory accesses of threads in SIMT mode, through the DTLB and the L2 of the lane's core.
 * Accesses that wait for a translation or a miss register are held in a queue, in the order of their next
 * tries, and of arrival within a cycle.
 */
#ifndef MODEL_CLUSTER_HELD_ACCESSES_H
#define MODEL_CLUSTER_HELD_ACCESSES_H

#include "model/core/core.h"

struct held_access {
    uint64_t at; /* cycle of the next try, as if the round were in X then */
    uint32_t address, bytes;
    uint8_t lane, flight, round;
    bool store;
};

struct held_accesses {
    struct held_access *entry; /* held accesses are entry[first] to entry[end − 1] */
    unsigned first, end, room;
    uint64_t next; /* `at` of the first access; UINT64_MAX if none is held */
};

/* Empties the queue and keeps its memory. */
void held_accesses_clear(struct held_accesses *h);
void held_accesses_free(struct held_accesses *h);
void held_accesses_add(struct held_accesses *h, struct held_access a);
/* Replaces the contents of *h by those of *from. */
void held_accesses_copy(struct held_accesses *h, const struct held_accesses *from);

/* --- accesses --- */

/* Makes an access that touches several lines, or whose first request was refused, as held_access_make() does.
 */
uint64_t held_access_make_lines(struct core *k, bool store, uint32_t address, uint32_t bytes, uint64_t t);

/* Makes a translated access whose round is in X in cycle t. Returns the cycle at whose end a load is done or
 * a store is accepted. */
static inline uint64_t held_access_make(struct core *k, bool store, uint32_t address, uint32_t bytes,
                                        uint64_t t) {
    const unsigned shift = k->l2.tags.line_shift;
    const bool one_line = address >> shift == (address + bytes - 1) >> shift;
    uint64_t done = t + 1;
    if (one_line && private_l2_access(&k->l2, address, store, t + 1, &done)) return store ? t + 1 : done;
    return held_access_make_lines(k, store, address, bytes, done - 1);
}

/* Makes an access whose round is in X in cycle t and sets *done, the cycle at whose end it is done or
 * accepted. Returns false if the access must wait for its translation. Fields are read one by one: copying a
 * struct that has just been written would stall the host. */
static inline __attribute__((always_inline)) bool held_accesses_reach(struct held_accesses *h, struct core *k,
                                                                      const struct held_access *a, uint64_t t,
                                                                      uint64_t *done) {
    const uint64_t there = core_translate(k, &k->dtlb, a->address, t + 1);
    const uint32_t address = core_physical(k, a->address);
    if (__builtin_expect(there > t + 1, 0)) {
        struct held_access held = *a;
        held.address = address;
        held.at = there - 1;
        held_accesses_add(h, held);
        return false;
    }
    *done = held_access_make(k, a->store, address, a->bytes, t);
    return true;
}

/* Retries the first access of the queue, whose cycle t has come. Returns false if its L2 still refuses it: it
 * stays in the queue. Otherwise *a is the access, and *done the cycle at whose end it is done or accepted. */
bool held_accesses_retry(struct held_accesses *h, struct core *cores, uint64_t t, struct held_access *a,
                         uint64_t *done);

#endif

#include "model/cluster/held_accesses.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

static void update_next(struct held_accesses *h) {
    h->next = h->first < h->end ? h->entry[h->first].at : UINT64_MAX;
}

void held_accesses_clear(struct held_accesses *h) {
    h->first = h->end = 0;
    update_next(h);
}

void held_accesses_free(struct held_accesses *h) {
    free(h->entry);
    *h = (struct held_accesses){.next = UINT64_MAX};
}

/* Makes room for an entry: removes the memory of entries that have been taken or, if there are none,
 * allocates more. */
static void make_room(struct held_accesses *h) {
    if (h->first) {
        h->end -= h->first;
        memmove(h->entry, h->entry + h->first, h->end * sizeof *h->entry);
        h->first = 0;
        return;
    }
    h->room = 2 * h->room + 64;
    h->entry = realloc(h->entry, h->room * sizeof *h->entry);
    require_memory(h->entry);
}

void held_accesses_add(struct held_accesses *h, struct held_access a) {
    if (h->end == h->room) make_room(h);
    unsigned n = h->end++;
    for (; n > h->first && h->entry[n - 1].at > a.at; --n) h->entry[n] = h->entry[n - 1];
    h->entry[n] = a;
    update_next(h);
}

void held_accesses_copy(struct held_accesses *h, const struct held_accesses *from) {
    held_accesses_clear(h);
    for (unsigned n = from->first; n < from->end; ++n) held_accesses_add(h, from->entry[n]);
}

uint64_t held_access_make_lines(struct core *core, bool store, uint32_t address, uint32_t bytes, uint64_t t) {
    const unsigned shift = core->l2.tags.line_shift;
    const uint32_t last = (address + bytes - 1) >> shift;
    uint64_t done, latest = t;
    for (uint32_t line = address >> shift; line <= last; ++line) {
        ++t;
        while (!private_l2_access(&core->l2, line << shift, store, t, &done)) t = done;
        if (done > latest) latest = done;
    }
    return store ? t : latest;
}

/* Moves the first access to cycle `at`, behind other accesses of that cycle. */
static void wait_on(struct held_accesses *h, uint64_t at) {
    struct held_access a = h->entry[h->first];
    unsigned n = h->first;
    for (; n + 1 < h->end && h->entry[n + 1].at <= at; ++n) h->entry[n] = h->entry[n + 1];
    a.at = at;
    h->entry[n] = a;
    update_next(h);
}

bool held_accesses_retry(struct held_accesses *h, struct core *cores, uint64_t t, struct held_access *a,
                         uint64_t *done) {
    *a = h->entry[h->first];
    struct core *core = &cores[a->lane];
    const uint64_t again = private_l2_refuses(&core->l2, a->address, a->bytes, a->store, t + 1);
    if (again > t + 1) {
        wait_on(h, again - 1);
        return false;
    }
    ++h->first;
    update_next(h);
    *done = held_access_make(core, a->store, a->address, a->bytes, t);
    return true;
}

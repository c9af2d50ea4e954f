#include "recording/changes.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

void changes_store(struct changes *c) {
    c->room = c->count;
    c->change = malloc((c->room + 1) * sizeof *c->change);
    require_memory(c->change);
    c->count = 0;
}

void changes_add(struct changes *c, uint64_t cycle, uint32_t signal, enum change_kind kind, uint64_t value) {
    if (c->grows && c->count == c->room) {
        c->room = 2 * c->room + 1024;
        c->change = realloc(c->change, c->room * sizeof *c->change);
        require_memory(c->change);
    }
    if (c->change) {
        invariant(c->count < c->room, "more changes come than were counted");
        c->change[c->count] = (struct change){cycle, value, signal, kind};
    }
    ++c->count;
}

/* Sorts stably by one digit of the cycles since `first`. */
static void sort_by(const struct change *from, struct change *to, size_t count, uint64_t first,
                    unsigned shift) {
    size_t place[DIGITS] = {0}, sum = 0;
    for (size_t n = 0; n < count; ++n) ++place[(from[n].cycle - first) >> shift & (DIGITS - 1)];
    for (size_t d = 0; d < DIGITS; ++d) {
        const size_t here = place[d];
        place[d] = sum;
        sum += here;
    }
    for (size_t n = 0; n < count; ++n) to[place[(from[n].cycle - first) >> shift & (DIGITS - 1)]++] = from[n];
}

void changes_sort(struct changes *c) {
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t n = 0; n < c->count; ++n) {
        if (c->change[n].cycle < first) first = c->change[n].cycle;
        if (c->change[n].cycle > last) last = c->change[n].cycle;
    }
    struct change *other = malloc(((c->grows ? c->room : c->count) + 1) * sizeof *other);
    require_memory(other);
    for (unsigned shift = 0; c->count && shift < 64 && (last - first) >> shift; shift += DIGIT_BITS) {
        sort_by(c->change, other, c->count, first, shift);
        struct change *sorted = other;
        other = c->change;
        c->change = sorted;
    }
    free(other);
}

void changes_drop(struct changes *c, size_t count) {
    c->count -= count;
    memmove(c->change, c->change + count, c->count * sizeof *c->change);
}

void changes_free(struct changes *c) {
    free(c->change);
    *c = (struct changes){0};
}

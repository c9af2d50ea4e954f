/*
 * causes_terms: the terms of a stamp. Private to causes*.c.
 */
#ifndef RECORDING_CAUSES_TERMS_H
#define RECORDING_CAUSES_TERMS_H

#include "recording/causes.h"

#include <inttypes.h>

#define CAUSES_NEAR 64 /* more flights than there are in flight at once, in most machines */

/* The cause of a stamp, and the cycle in which the stamp would be without other causes. */
struct term {
    uint64_t cycle;
    struct causes_at before;
    bool is_stop; /* there is nothing before */
    char text[CAUSES_TEXT];
};

struct terms {
    struct term term[8];
    unsigned count;
};

static inline struct term *terms_add(struct terms *t, uint64_t cycle, size_t flight, unsigned stamp) {
    struct term *term = &t->term[t->count++];
    *term = (struct term){.cycle = cycle, .before = {flight, stamp}};
    return term;
}

static inline uint64_t stamp_at(const struct causes *c, size_t flight, unsigned stamp) {
    return causes_cycle(c, (struct causes_at){flight, stamp});
}

/* Returns the last event with which threads of a warp become ready, at or before the cycle after one; NULL:
 * none. */
const struct record *causes_last_event(const struct causes *c, unsigned warp, uint64_t cycle);
/* Returns the instruction whose threads arrived last before a barrier opened; SIZE_MAX: none is known. */
size_t causes_last_arrival(const struct causes *c, uint64_t release);
/* Adds the terms of such an event. */
void causes_event_terms(const struct causes *c, size_t n, const struct record *event, struct terms *t);

/* Adds the terms of a stamp of an instruction of a streaming multiprocessor. */
void causes_sm_terms(const struct causes *c, struct causes_at a, struct terms *t);

#endif

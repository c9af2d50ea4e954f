/*
 * condition: a condition on signals of a recording, for example 'warp3.now == "memory" for 100 cycles'. The
 * grammar is that of docs/trace.md.
 */
#ifndef RECORDING_CONDITION_H
#define RECORDING_CONDITION_H

#include "recording/wave_signals.h"

struct condition;

/* Reads a condition. Names and types are checked; of the signals, only those of the condition are shown then.
 * NULL and *e (EXIT_USER): a mistake in the text, with its place. */
struct condition *condition_read(const char *text, struct wave_signals *s, struct error *e);
void condition_free(struct condition *c);

/* Returns whether the condition holds in a cycle, in which the signals have their values. Cycles are visited
 * in their order: those in which a signal changes and, before the next of these, *next (UINT64_MAX: none). */
bool condition_holds(struct condition *c, const struct wave_signals *s, uint64_t cycle, uint64_t *next);

/* The cycles in which a condition holds. */
struct condition_result {
    uint64_t first; /* the first cycle; UINT64_MAX: it never holds */
    uint64_t times; /* that it begins to hold */
};

/* Makes the signals of a recording and reads a condition, whose signals alone have changes then. NULL and *e
 * as above. */
struct wave_changes;
struct condition *condition_prepare(const char *text, struct wave_changes *w, struct error *e);

/* A search, from a cycle on. */
struct condition_search_state {
    uint64_t cycle; /* next cycle to visit */
    bool held;      /* the condition held in the cycle before */
};

/* Continues a search up to cycle `last`, with all changes up to it in *w, sorted; drops these. */
void condition_continue(struct condition_search_state *s, struct condition *c, struct wave_changes *w,
                        uint64_t last, struct condition_result *result);

/* Searches a condition in the cycles from `first` to `last`. False and *e (EXIT_USER): a mistake in the text,
 * or the recording is damaged. */
bool condition_search(const struct recording *r, const char *text, uint64_t first, uint64_t last,
                      struct condition_result *result, struct error *e);

#endif

/*
 * condition_watch: evaluates a condition while a run goes on (`lockstep run --when`). It takes the records
 * and notes that a recording would have, and writes no file. Units may be on several threads.
 */
#ifndef RECORDING_CONDITION_WATCH_H
#define RECORDING_CONDITION_WATCH_H

#include "recording/condition.h"

struct condition_watch;

/* Reads a condition on the signals of a machine; `head` is that of a recording. `on_first` is called once,
 * when the first cycle in which it holds is known, from any thread. NULL and *e (EXIT_USER): a mistake in the
 * text, with its place. */
struct condition_watch *condition_watch_create(const char *text, const json_t *head,
                                               void (*on_first)(uint64_t cycle), struct error *e);
void condition_watch_free(struct condition_watch *w);

/* Returns the recorder of a unit, which passes its records on to another one. NULL: to none. */
struct recorder *condition_watch_unit(struct condition_watch *w, unsigned unit, struct recorder *to);
/* Takes a note about the whole machine, between launches. It stays the caller's. */
void condition_watch_note(struct condition_watch *w, const json_t *note);
/* Evaluates what has come, after the last launch. */
struct condition_result condition_watch_end(struct condition_watch *w);

#endif

/*
 * causes: what a warp waits for in a cycle of a recording. An instruction enters a stage in the latest of a
 * few cycles (docs/timing.md, docs/gpu-like.md), for example when the stage before it ends, or when another
 * warp leaves the stage. The latest one is the cause; it is the end of a stage of this warp or another one,
 * which has a cause in turn. Cores in MIMD mode: causes_core.h.
 */
#ifndef RECORDING_CAUSES_H
#define RECORDING_CAUSES_H

#include "recording/recording.h"

#include <stdio.h>

#define CAUSES_CYCLES 200000        /* before a cycle, in which causes are looked for */
#define CAUSES_S      RECORD_STAMPS /* the selection, as a stamp */

/* An instruction's stamp. */
struct causes_at {
    size_t flight;
    unsigned stamp; /* enum record_stamp or CAUSES_S */
};

struct causes {
    const struct recording *r;
    unsigned unit;
    uint64_t first;        /* cycle from which records are known */
    struct record *flight; /* flights in the order of selection */
    struct record *event;  /* starts, arrivals and releases, by cycle */
    size_t count, events, room, event_room;
    unsigned arbitrate, queue, collectors; /* sizes of the configuration */
    bool several;                          /* several rounds may start in the lanes in a cycle */
    bool sm, barrel, issues_one;           /* unit is a streaming multiprocessor; docs/gpu-like.md §3 */
    unsigned schedulers;
};

/* Reads the records of a unit around a cycle. False and *e (EXIT_USER): the unit has no stages. */
bool causes_read(struct causes *c, const struct recording *r, unsigned unit, uint64_t cycle, struct error *e);
void causes_free(struct causes *c);

uint64_t causes_cycle(const struct causes *c, struct causes_at at);
/* Finds the stamp that a warp waits for in a cycle. False: the warp has no instruction then, nor later. */
bool causes_awaited(const struct causes *c, unsigned warp, uint64_t cycle, struct causes_at *at);

/* Finds the first instruction of a warp with a stamp in a cycle or later. */
bool causes_event(const struct causes *c, unsigned warp, unsigned stamp, uint64_t cycle,
                  struct causes_at *at);

#define CAUSES_SIGNAL_NONE 0 /* causes_signal(): no such signal */
#define CAUSES_SIGNAL_REST 1 /* nothing happens at the signal in the cycle, nor later */
#define CAUSES_SIGNAL_HAS  2
/* Finds the stamp that explains a signal of a block in a cycle: that of the instruction in the block, or of
 * the next one; of the barriers, the last arrival before the next opening. `name` is without the unit and
 * ends at '@'. */
int causes_signal(const struct causes *c, const char *name, uint64_t cycle, struct causes_at *at);
/* Names of these signals, as "a, b and c". */
const char *causes_signals(const struct recording_unit *u);

#define CAUSES_TEXT 256
/* Writes why a stamp is not earlier. Returns whether *before, which it has waited for, is known. */
bool causes_of(const struct causes *c, struct causes_at at, char text[CAUSES_TEXT], struct causes_at *before);
/* Returns whether the terms explain a stamp: one of them is its cycle. */
bool causes_known(const struct causes *c, struct causes_at at);

#endif

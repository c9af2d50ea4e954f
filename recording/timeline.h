/*
 * timeline: warps and cores of a recording against time: as text, as a picture, or for other viewers.
 */
#ifndef RECORDING_TIMELINE_H
#define RECORDING_TIMELINE_H

#include "recording/recording.h"
#include "recording/window.h"

#include <stdio.h>

#define TIMELINE_MOST 1000000 /* largest number of instructions that is written without `all` */

/* An instruction, or consecutive instructions of a core. */
struct timeline_item {
    struct record record;
    uint32_t unit;
    uint32_t place; /* number of its warp or core in the whole machine */
    uint32_t slot;  /* slot of its warp: overlapping items have different slots */
};

/* The begin of a work-group on a warp or core. */
struct timeline_group {
    size_t place; /* as in struct timeline_item */
    uint64_t first;
    uint32_t id[3];
};

struct timeline {
    const struct recording *recording;
    struct window window;
    struct timeline_item *item; /* items, sorted by their first cycles */
    size_t count, room, places;
    size_t *first_place;         /* first place of each unit */
    struct timeline_item *event; /* arrivals at barriers, exits and releases in the window, by unit */
    size_t events, event_room;
    struct timeline_group *group; /* begins of work-groups, by place and cycle */
    size_t groups, group_room;
    uint32_t begun[3]; /* id of the work-group that began last on the unit that is read */
};

#define TIMELINE_SLOTS 64 /* largest number of slots of a warp */

/* Reads the items that overlap a window. Returns false with *e if there are too many and `all` is false, or
 * if the recording is damaged. */
bool timeline_read(struct timeline *t, const struct recording *r, const struct window *w, bool all,
                   struct error *e);
void timeline_free(struct timeline *t);

/* Returns the first cycle after an item. */
uint64_t timeline_end(const struct record *r);
/* Writes the name of an item's warp or core: "cluster0.warp3", "cluster0.core1". */
void timeline_name(const struct timeline *t, const struct timeline_item *i, char name[64]);

/* Writes a row for each warp or core, with its main activity in each of several columns. */
void timeline_text(const struct timeline *t, FILE *out);
void timeline_svg(const struct timeline *t, FILE *out);
/* Writes Chrome's JSON, which Perfetto reads. */
void timeline_perfetto(const struct timeline *t, FILE *out);
/* Writes a line for each warp instruction, or for consecutive instructions of a core. */
void timeline_log(const struct timeline *t, FILE *out);
/* Writes a log of the whole run (log_line.h), in the order of execution. Consecutive instructions of a core
 * are one line. */
void timeline_lines(const struct timeline *t, FILE *out);
/* Writes Kanata 0004: the stages of each instruction. */
void timeline_kanata(const struct timeline *t, FILE *out);
/* Writes FTR: transactions of LWTR4SC. */
void timeline_ftr(const struct timeline *t, FILE *out);

/* Visits each warp that leaves a barrier: the instruction whose threads arrived last, or exited, and the
 * warp's next instruction. */
typedef void timeline_flow(const struct timeline *t, const struct timeline_item *from,
                           const struct timeline_item *to, void *context);
void timeline_flows(const struct timeline *t, timeline_flow *visit, void *context);

#endif

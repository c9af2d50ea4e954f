/*
 * snapshots: copies of the simulator's process, made by fork() while a program runs. A copy repeats the run:
 * it continues from its cycle with its own memory, and takes the later requests of the program from a
 * journal.
 *
 * The first copy is made before the program starts, unless `late` is set. The others are made between two
 * steps of a launch, after a second of CPU time and 50 times the price of the last copy, at least `distance`
 * cycles apart. A copy sleeps until it gets an order, which it follows once; if the order serves, the copy
 * stays, and a copy of it follows the order. It writes nothing to the standard streams, and ends with the
 * simulator.
 *
 * Known inaccuracy: a program may write into a mapped buffer while a kernel runs, which OpenCL forbids. The
 * repeated run then differs, which its answer shows.
 */
#ifndef RUNTIME_SNAPSHOTS_H
#define RUNTIME_SNAPSHOTS_H

#include "model/machine/machine.h"
#include "runtime/launch_watch.h"
#include "runtime/platform.h"
#include "runtime/protocol.h"

#include <limits.h>

#define SNAPSHOTS_MOST 8 /* copies */

/* An order to a copy. */
struct snapshots_order {
    uint64_t cycle;      /* cycle of the event, at which the machine stops at the latest */
    uint64_t cycles;     /* number of cycles of interest before it */
    bool stops;          /* the event is no failure of the launch: the launch is stopped in `cycle` */
    bool serves;         /* the copy is kept; snapshots_leave(), or the end of the run, ends the order */
    char path[PATH_MAX]; /* path of the file to write */
};

/* The result of an order. */
struct snapshots_answer {
    struct error error; /* error of the repeated launch; EXIT_SOUND: no launch failed or was stopped */
    uint64_t first;     /* cycle from which it repeated the run */
    uint64_t cycle;     /* cycle in which it ended */
    bool whole;         /* the copy has done all of the order */
    struct error why;   /* not */
};

struct snapshots_options {
    struct machine *machine;
    const char *flag;  /* option of the command, in messages */
    uint64_t distance; /* cycles */
    unsigned kept;     /* number of copies at a time, 2 to SNAPSHOTS_MOST */
    bool whole;        /* the first copy is kept, and others all over the time since; else the newest */
    bool late;         /* no copy is made before the program starts */
    /* Called in a copy: before it continues, with its order; and when its run has ended, to fill the rest of
     * the answer. */
    void (*wakes)(void *context, const struct snapshots_order *order);
    void (*ended)(void *context, const struct snapshots_order *order, struct snapshots_answer *answer);
    void *context;
};

struct snapshots;

/* Returns NULL if the host has no room; the run then continues without copies. */
struct snapshots *snapshots_create(const struct snapshots_options *o);
void snapshots_destroy(struct snapshots *s); /* ends all copies */

/* --- for the session --- */

/* Sets the objects that a copy must put in order, and makes the first copy. Does not return in a copy that
 * has received an order. */
void snapshots_begin(struct snapshots *s, struct platform *platform, struct launch_watch *watch);
/* Notes a request before it is served, or that a client has gone. */
void snapshots_note(struct snapshots *s, unsigned client, const struct protocol_message *request);
void snapshots_note_drop(struct snapshots *s, unsigned client);
/* After each request: in a copy, serves the rest of the journal, and does not return. */
void snapshots_served(struct snapshots *s, bool whole, const struct error *e);

/* --- while a launch runs, between two steps of the machine --- */

/* Makes a copy, if it is time. */
void snapshots_consider(struct snapshots *s);
/* Makes a copy; returns in the copy, too, when that has an order. */
void snapshots_take(struct snapshots *s);
/* Copies from now on keep a descriptor. */
void snapshots_keep_descriptor(struct snapshots *s, int fd);
/* Ends all copies. */
void snapshots_forget(struct snapshots *s);
/* In a copy: the order is done. */
_Noreturn void snapshots_leave(struct snapshots *s);
/* Returns whether this process is a copy. */
bool snapshots_repeats(const struct snapshots *s);
/* Has a copy follow an order, and waits for its answer; the copy is gone then. False: there is none. */
bool snapshots_repeat(struct snapshots *s, const struct snapshots_order *order,
                      struct snapshots_answer *answer);

#endif

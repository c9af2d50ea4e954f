/*
 * gdb_past: gdb goes backwards. A copy of the process (snapshots.h) repeats the run up to an earlier moment,
 * and serves gdb there in place of the run, which waits in the present. When the copy comes to the present
 * again, it gives way to the run.
 *
 * A request to go back takes two copies: one searches the moment to go back to, the other serves gdb there.
 * History begins at the first moment of gdb, with the last launch of another image, or where gdb has written
 * registers or memory.
 */
#ifndef LOCKSTEP_GDB_GDB_PAST_H
#define LOCKSTEP_GDB_GDB_PAST_H

#include "runtime/session.h"

#include <stdbool.h>
#include <stdint.h>

struct gdb_stub;
struct gdb_point;

/* The reason of a stop: signal, and text of the stop packet. */
struct gdb_reason {
    int signal;
    char text[96];
};

/* How gdb ends. */
enum gdb_farewell {
    GDB_HANGS_UP,
    GDB_DETACHES,
    GDB_KILLS,
    GDB_IS_DISMISSED, /* by the end of the run */
};

/* An instruction of a warp, or of a core in MIMD mode, that is about to be executed. */
struct gdb_moment {
    uint64_t launch, number; /* n-th launch; instructions of the warp, core or SM before it */
    unsigned cluster, unit;  /* unit: warp or core */
    uint32_t pc;
    uint64_t cycle;
};

/* The time of a stop. */
struct gdb_position {
    struct gdb_moment moment;
    uint64_t done;   /* threads of the warp that have executed the instruction */
    unsigned thread; /* that has stopped */
};

/* The end of a copy's order. */
enum gdb_outcome {
    GDB_FORGOTTEN, /* there is no copy */
    GDB_DIFFERS,   /* the copy has not come to where the run was */
    GDB_SEARCHED,  /* the search is over */
    GDB_CAUGHT_UP, /* the copy has come to the present */
    GDB_GOES_BACK, /* gdb goes back from `from` */
    GDB_LEAVES,    /* gdb is gone: gdb_farewell */
};

/* Begins to keep copies of the process for a stub. Without memory for them gdb cannot go back. */
void gdb_past_begin(struct gdb_stub *g, struct session *session);
void gdb_past_end(struct gdb_stub *g);

/* History begins anew, at the next moment. */
void gdb_past_forget(struct gdb_stub *g);
/* Between two steps of the machine: makes a copy, if it is time. */
void gdb_past_consider(struct gdb_stub *g);

/* A moment begins. Returns whether a copy serves gdb from here on; does not return in a copy that has come to
 * the present. */
bool gdb_past_enter(struct gdb_stub *g, const struct gdb_moment *e);
/* In a copy: whether it searches a moment; whether it has not come to the moment from which it serves gdb. */
bool gdb_past_searches(const struct gdb_stub *g);
bool gdb_past_travels(const struct gdb_stub *g);
/* Whether the stub is to be told of every instruction; in a copy else of those at a PC. */
bool gdb_past_every(const struct gdb_stub *g);
bool gdb_past_marks(const struct gdb_stub *g, uint32_t pc);
/* In a copy that serves gdb: the thread that has stopped, and why. */
const struct gdb_reason *gdb_past_reason(const struct gdb_stub *g, unsigned *thread);
/* In a copy that searches: a thread, at a position of its warp, is about to execute the instruction of the
 * moment; p: the point that would stop it, NULL: none. */
void gdb_past_look(struct gdb_stub *g, unsigned thread, unsigned position, const struct gdb_point *p);
/* After the last thread of a moment; does not return at the end of the search. */
void gdb_past_looked(struct gdb_stub *g);
/* In a copy that searches: Ctrl-C ends the search where gdb was. */
void gdb_past_interrupt(struct gdb_stub *g);
/* gdb resumes: does not return in a copy that is in the present. */
void gdb_past_resume(struct gdb_stub *g);

/* gdb goes back by an instruction of its thread, or to a point. */
void gdb_past_go_back(struct gdb_stub *g, bool steps);
/* In a copy: gdb is gone. */
_Noreturn void gdb_past_leave(struct gdb_stub *g, enum gdb_farewell farewell);

#endif

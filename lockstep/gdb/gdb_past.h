/*
 * gdb_past: reverse execution in gdb. A copy of the process (snapshots.h) repeats the run up to an earlier
 * moment. It serves gdb there instead of the run, which waits in the present. When the copy reaches the
 * present, the run takes over.
 *
 * A request to go back needs two copies: one searches the target moment, the other serves gdb there. History
 * begins at the first moment of gdb, at the last launch of another image, or where gdb has written registers
 * or memory.
 */
#ifndef LOCKSTEP_GDB_GDB_PAST_H
#define LOCKSTEP_GDB_GDB_PAST_H

#include "runtime/session.h"

#include <stdbool.h>
#include <stdint.h>

struct gdb_stub;
struct gdb_point;

/* The reason for a stop: signal, and text of the stop packet. */
struct gdb_reason {
    int signal;
    char text[96];
};

/* How a session with gdb ends. */
enum gdb_farewell {
    GDB_HANGS_UP,
    GDB_DETACHES,
    GDB_KILLS,
    GDB_IS_DISMISSED, /* the run ends */
};

/* An instruction of a warp, or of a core in MIMD mode, immediately before its execution. */
struct gdb_moment {
    /* Number of the launch; number of earlier instructions of the warp, core or SM. */
    uint64_t launch, number;
    unsigned cluster, unit; /* unit: warp or core */
    uint32_t pc;
    uint64_t cycle;
};

/* The time of a stop. */
struct gdb_position {
    struct gdb_moment moment;
    uint64_t done;   /* threads of the warp that have executed the instruction */
    unsigned thread; /* thread that has stopped */
};

/* The result of an order to a copy. */
enum gdb_outcome {
    GDB_FORGOTTEN, /* there is no copy */
    GDB_DIFFERS,   /* the copy has not reached the run's position */
    GDB_SEARCHED,  /* the search is complete */
    GDB_CAUGHT_UP, /* the copy has reached the present */
    GDB_GOES_BACK, /* gdb goes back further, from `from` */
    GDB_LEAVES,    /* gdb has left: gdb_farewell */
};

/* Begins to keep copies of the process for a stub. If memory for them is missing, gdb cannot go back. */
void gdb_past_begin(struct gdb_stub *g, struct session *session);
void gdb_past_end(struct gdb_stub *g);

/* Discards the history; a new one begins at the next moment. */
void gdb_past_forget(struct gdb_stub *g);
/* Makes a copy between two steps of the machine, if one is due. */
void gdb_past_consider(struct gdb_stub *g);

/* Begins a moment. Returns whether a copy begins to serve gdb here. Does not return in a copy that has
 * reached the present. */
bool gdb_past_enter(struct gdb_stub *g, const struct gdb_moment *e);
/* Return, in a copy, whether it searches a moment; and whether it has not reached the moment at which it
 * serves gdb. */
bool gdb_past_searches(const struct gdb_stub *g);
bool gdb_past_travels(const struct gdb_stub *g);
/* Returns whether the stub must be called for every instruction; and, in a copy, for instructions at this
 * PC. */
bool gdb_past_every(const struct gdb_stub *g);
bool gdb_past_marks(const struct gdb_stub *g, uint32_t pc);
/* Returns, in a copy that serves gdb, the thread that has stopped and the reason. */
const struct gdb_reason *gdb_past_reason(const struct gdb_stub *g, unsigned *thread);
/* Notes, in a copy that searches, a thread in a position of its warp that is about to execute the moment's
 * instruction. `p` is the point that would stop it, or NULL. */
void gdb_past_look(struct gdb_stub *g, unsigned thread, unsigned position, const struct gdb_point *p);
/* Ends the moment after its last thread. Does not return at the end of the search. */
void gdb_past_looked(struct gdb_stub *g);
/* Ends a search after Ctrl-C, in a copy: gdb stays at its position. */
void gdb_past_interrupt(struct gdb_stub *g);
/* Resumes at gdb's request. Does not return in a copy that is in the present. */
void gdb_past_resume(struct gdb_stub *g);

/* Goes back for gdb: by one instruction of its thread, or to a point. */
void gdb_past_go_back(struct gdb_stub *g, bool steps);
/* Ends a copy because gdb has left. */
_Noreturn void gdb_past_leave(struct gdb_stub *g, enum gdb_farewell farewell);

#endif

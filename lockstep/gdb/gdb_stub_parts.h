/*
 * gdb_stub_parts: declarations shared by the files of the stub: stops of threads (gdb_stub.c), and gdb's
 * requests (gdb_requests.c).
 */
#ifndef LOCKSTEP_GDB_GDB_STUB_PARTS_H
#define LOCKSTEP_GDB_GDB_STUB_PARTS_H

#include "lockstep/gdb/gdb_link.h"
#include "lockstep/gdb/gdb_past.h"
#include "lockstep/gdb/gdb_stub.h"
#include "lockstep/gdb/gdb_threads.h"
#include "model/check/debugger.h"

#define GDB_MOST_POINTS 256

/* Numbers of signals in the protocol. */
enum { SIGNAL_INTERRUPT = 2, SIGNAL_ILLEGAL = 4, SIGNAL_TRAP = 5, SIGNAL_BUS = 10, SIGNAL_SEGMENT = 11 };

/* A breakpoint, or a range of memory with a watchpoint. */
struct gdb_point {
    /* '0' to '4' as in Z packets: software breakpoint, hardware breakpoint, watchpoint for writes, reads,
     * both. */
    char kind;
    uint32_t address, bytes;
    unsigned unit; /* watchpoint outside buffers: unit whose local memory is watched */
};

/* Image of a program that has been launched. */
struct gdb_image {
    uint8_t *bytes;
    size_t size;
};

struct gdb_stub {
    struct debugger debugger;
    struct gdb_link link;
    struct gdb_threads threads;
    const struct machine_code *code; /* code of the current or last launch */
    uint64_t launches;               /* number of launches so far, including the current one */
    struct gdb_image *images;        /* image n is /lockstep/image<n + 1>.elf for gdb */
    size_t image_count, image;       /* image: index of the launch's image */
    char folder[64];                 /* folder with the sources; "" if there is none */
    struct gdb_point points[GDB_MOST_POINTS];
    unsigned point_count;
    /* First and last byte of all watched memory; [0] > [1] if no memory is watched. */
    uint32_t watched[2];
    bool attached, execs, interrupted; /* execs: gdb must be told of a new image */
    bool greets;                       /* gdb has connected, and no thread has stopped yet */
    bool stopped;                      /* gdb has stopped the machine and sends requests */
    bool goes_on;                      /* gdb has resumed the machine */
    unsigned thread;                   /* thread that stopped last */
    unsigned general;                  /* thread that requests refer to */
    unsigned control;                  /* thread that gdb resumes; 0: any */
    unsigned stepped;                  /* thread that executes one instruction; 0: none */
    /* Range of PCs in which that thread continues; [0] == [1] if there is none. */
    uint32_t range[2];
    char stop[160];              /* the last stop, as a packet */
    struct gdb_moment moment;    /* the last moment that the stub has seen */
    struct snapshots *snapshots; /* NULL if gdb cannot go back */
    struct gdb_past *past;       /* memory that the run shares with its copies */
    bool renews;                 /* a copy must be made at the next moment */
    bool wrote;                  /* gdb has written registers or memory at this stop */
    /* This process is a copy; the copy has reached the moment at which it serves gdb. */
    bool repeats, arrived;
};

/* Answers requests until gdb resumes or leaves. */
void gdb_serve(struct gdb_stub *g);
/* Answers a request, while the machine runs or is stopped. */
void gdb_request(struct gdb_stub *g);
/* Ends the session with gdb; the run continues without it. Does not return in a copy. */
void gdb_leave(struct gdb_stub *g, enum gdb_farewell farewell);
/* Tells gdb that a thread has stopped. */
void gdb_tell(struct gdb_stub *g, unsigned thread, const struct gdb_reason *why);
/* Sets the reason of a stop at a point. */
void gdb_point_reason(const struct gdb_point *p, struct gdb_reason *why);
/* Updates what the machine reports to the stub after a change of points or of gdb's requests. */
void gdb_ask(struct gdb_stub *g);

#endif

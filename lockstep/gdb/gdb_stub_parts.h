/*
 * gdb_stub_parts: what the files of the stub share: when threads stop (gdb_stub.c), and what gdb asks
 * (gdb_requests.c).
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

/* A breakpoint, or a part of memory that is watched. */
struct gdb_point {
    char kind; /* '0' to '4', as Z packets have it: code, code, writes, reads, both */
    uint32_t address, bytes;
    unsigned unit; /* of a watchpoint outside buffers: whose memory is meant */
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
    const struct machine_code *code; /* of the launch, or of the last one */
    uint64_t launches;               /* so far, this one included */
    struct gdb_image *images;        /* gdb knows image n as /lockstep/image<n + 1>.elf */
    size_t image_count, image;       /* image: of the launch */
    char folder[64];                 /* of the sources; "": none yet */
    struct gdb_point points[GDB_MOST_POINTS];
    unsigned point_count;
    uint32_t watched[2];               /* first and last byte of what is watched; [0] > [1]: nothing is */
    bool attached, execs, interrupted; /* execs: gdb is to be told of the image */
    bool greets;                       /* gdb has come, and nothing has stopped yet */
    bool stopped;                      /* gdb waits for no answer of ours but to what it asks */
    bool goes_on;                      /* gdb has resumed */
    unsigned thread;                   /* that stopped last */
    unsigned general;                  /* that requests are about */
    unsigned control;                  /* that gdb resumes; 0: any */
    unsigned stepped;                  /* executes one instruction; 0: none */
    uint32_t range[2];                 /* of PCs in which it is stepped on; [0] == [1]: none */
    char stop[160];                    /* the last stop, as a packet */
    struct gdb_moment moment;          /* the last one that the stub was told of */
    struct snapshots *snapshots;       /* NULL: gdb cannot go back */
    struct gdb_past *past;             /* memory that the run shares with copies */
    bool renews;                       /* a copy is to be made at the next moment */
    bool wrote;                        /* gdb has written registers or memory at this stop */
    bool repeats, arrived;             /* this process is a copy, which has come to where it serves gdb */
};

/* Answers requests until gdb resumes or is gone. */
void gdb_serve(struct gdb_stub *g);
/* A request while the machine runs, or stands. */
void gdb_request(struct gdb_stub *g);
/* gdb is gone, or is not wanted any more: the run goes on without it. Does not return in a copy. */
void gdb_leave(struct gdb_stub *g, enum gdb_farewell farewell);
/* Tells gdb that a thread has stopped. */
void gdb_tell(struct gdb_stub *g, unsigned thread, const struct gdb_reason *why);
/* The reason of a stop at a point. */
void gdb_point_reason(const struct gdb_point *p, struct gdb_reason *why);
/* The points have changed, or what else the machine is asked for. */
void gdb_ask(struct gdb_stub *g);

#endif

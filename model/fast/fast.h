/*
 * fast: the base machine in SIMT mode (timing.md), computed ahead. Its results are those of a unit
 * (model/unit/), in two thirds of the time.
 *
 * A stay in SIMT mode begins here if the machine has no option that changes its pipeline, and no twin, fault
 * or wave needs each cycle. fast_leave() hands the stay over to the unit at the beginning of a cycle, which
 * must be known before it is reached, or follow all rounds that have been made. A debugger is called by the
 * unit alone: the stay is handed over when an instruction that it has marked is fetched.
 *
 * Flights are selected, arbitrated, fetched, decoded, collected and executed in one order: flight n is the
 * n-th that S has selected, and six counters say how far each stage has come. After cycle t
 *
 *   A has flight `arbitrated`, if it is not `selected`;
 *   F has flight `left`, if it is not `arbitrated`;
 *   D has flight `decoded`, if it is not `left`;
 *   the dispatch queue has those from `collecting` to before `decoded`;
 *   O, and what waits for the lanes, those from `started` to before `collecting`.
 *
 * Events that follow from stamps alone are computed ahead (fast_plan) and counted when their cycles have
 * passed (fast_catch_up). Only cycles with a decision are visited: those of S, A's hand-over, X, memory
 * answers, W, C and barriers. Rounds that access memory are made together in the cycle of the last one, or
 * before another access of the memory (fast_flush). With several clusters they are made in the cycle before
 * which all are known to be hits, unless another cluster requests one of their lines (lines.c). Hits in
 * memory that no other cluster can change are made before the turn of the cluster, since their order with
 * other clusters has no effect.
 *
 * The threads of a warp that run together have one PC (struct warp_descriptors: together) until they part.
 * The arbiter decides when other threads have come to that PC, or levels or Ready threads have changed.
 */
#ifndef MODEL_FAST_FAST_H
#define MODEL_FAST_FAST_H

#include "model/cluster/held_accesses.h"
#include "model/core/launch.h"
#include "model/fast/flight.h"
#include "model/control/thread_descriptor_table.h"

/* Flights whose stamps are known: more than A, F, D, the dispatch queue and the collectors hold. */
#define FAST_RING 64
#define FAST_NONE (-1)
/* Most lines of the accesses of a lane for one flight that are found together. */
#define FAST_MAX_RUNS 64

/* --- state --- */

/* The account of a warp's time before its next selection. */
struct warp_wait {
    uint64_t since;           /* first cycle in which it was ready-to-run */
    enum machine_cause cause; /* cause of the wait before `since` */
    uint32_t pc;              /* PC of the instruction that it waited for */
};

/* Accesses of one lane to one line in cycles that follow each other (lines.c). */
struct line_run {
    struct cache_line *line; /* NULL: absent; a miss in flight serves the accesses */
    uint64_t done;           /* last cycle of this miss */
    struct l2_port *port;
    uint16_t page;       /* entry of the DTLB */
    uint16_t first, end; /* cycles, from hits_first on */
};

/* The runs of a lane. */
struct line_runs {
    struct line_run run[FAST_MAX_RUNS];
    unsigned count;
};

/* Addresses of a flight's threads that follow each other in their lanes (lines.c): bit k of `follow`: that of
 * position k is `step` behind that of its lane's round before. */
struct address_rows {
    bool sought, known;
    uint32_t step;
    uint64_t follow;
};

struct fast {
    struct cluster *cluster;
    bool on;         /* this stay in SIMT mode is computed ahead */
    bool meets_stop; /* an instruction has been fetched that the debugger is to be called for */
    bool off;        /* no stay is computed ahead: LOCKSTEP_FAST=0 in the environment, for tests */

    /* S */
    uint64_t ready_to_run, front_end; /* warps */
    uint64_t select_due;              /* next cycle in which the scheduler has changed inputs */

    /* A */
    uint64_t a_held; /* first cycle in which A may hand over its flight */

    /* flights in order */
    uint32_t selected, arbitrated, left, decoded, collecting, started;
    uint32_t planned;                               /* first flight without stamps of O */
    uint8_t order[FAST_RING];                       /* flight n is flight[order[n % FAST_RING]] */
    uint64_t o_at[FAST_RING], x_last_at[FAST_RING]; /* of flight n: first cycle of O, last round */
    uint64_t f_left;                                /* last cycle in F of the flight arbitrated last */
    unsigned queue_entries, collectors, arbitrate_cycles;
    uint32_t queue_head; /* no flight before it is in the dispatch queue when the next one enters it */

    /* O */
    uint64_t o_free;  /* first cycle in which O may start flight `planned` */
    uint64_t o_since; /* cycle in which O started, had it not stood since */
    uint64_t o_stood; /* last cycle in which O stood still */
    unsigned o_lines; /* lines that O reads in all */
    struct {
        uint64_t cycle; /* last cycle in which others than O (read) or stores (write) took some */
        unsigned taken;
    } read_ports, write_ports;

    /* X */
    int x_flight;       /* a memory instruction whose rounds are being started, else FAST_NONE */
    int shown_x_flight; /* instruction whose rounds started last, for views */
    unsigned x_round, x_beat, x_bytes; /* x_bytes: bytes of a thread in a beat */
    bool x_in_tpm;                     /* the instruction accesses only words in TPMs */
    bool x_one_word;                   /* likewise, one word for each thread in a beat */
    bool x_own;                        /* it accesses memory that no other cluster can change */
    struct address_rows x_rows;
    unsigned x_words; /* words in the TPM that the beat has still to access */
    uint64_t x_next;  /* cycle of the next beat */
    uint64_t x_due;   /* cycle in which its beats are made together: that of the last, unless something stands
                         before; of several clusters: of the first that is not known to be a hit */
    struct line_runs *runs;        /* of each lane: the hits that are still to be made */
    uint64_t hits_first, hits_end; /* cycles of their first beat, and of the first beat after them */
    uint64_t x_miss;               /* cycle of a beat that is known to be no hit found by line */
    uint64_t x_stood;              /* the last cycle in which a beat waited for ports of the TPM */
    uint64_t x_refused; /* first cycle in which miss registers may be free for the beat that waits for them */
    uint64_t x_free;    /* first cycle in which the next instruction's rounds may start */
    uint64_t
        x_last; /* cycle in which the last round of the instruction in X starts: its buffer is free after */

    /* W, C */
    unsigned *landing, landing_count; /* flights that have left X, not committed */
    uint64_t *landing_due;            /* of each: fast_flight_due() */
    uint64_t landed;                  /* no cycle before this one has a write or commit of a landing flight */
    struct held_accesses held;        /* accesses that wait for translations */
    uint64_t committed;               /* last cycle with a commit */
    bool leaves; /* threads have reached a barrier or exited since the last cycle of the barrier table */
    bool stuck;  /* nothing was under way after the previous cycle */
    unsigned warps;
    struct warp_wait *wait;     /* account of each warp */
    struct warp_wait *chosen;   /* account of each flight's warp when it was selected */
    struct fast_flight *flight; /* flight of each warp */
};

/* --- flights and the stages that hold them --- */

static inline unsigned fast_flight_number(const struct fast *p, uint32_t n) {
    return p->order[n % FAST_RING];
}
static inline struct fast_flight *fast_flight(struct fast *p, uint32_t n) {
    return &p->flight[fast_flight_number(p, n)];
}

static inline int fast_last_collected(const struct fast *p) {
    return p->collecting == p->started ? FAST_NONE : (int)fast_flight_number(p, p->collecting - 1);
}

/* --- its end --- */

/* Fills the unit with what the pipeline holds before cycle t, for diagnoses. */
void fast_show(const struct fast *p, uint64_t t);
/* Fills the unit likewise and ends the stay here: the unit steps cycle t. All work before cycle t must be
 * done. */
void fast_leave(struct fast *p, uint64_t t);

#endif

/*
 * fast: the base machine in SIMT mode (timing.md), computed ahead. Results are the same as those of a unit
 * (model/unit/); the host needs two thirds of the time.
 *
 * A stay in SIMT mode begins in this pipeline if no option changes the machine's pipeline, and no twin, fault
 * or wave needs each cycle. fast_leave() continues the stay in the unit from the beginning of a cycle. That
 * cycle must be known in advance, or follow all rounds that have been made.
 *
 * Flights are selected, arbitrated, fetched, decoded, collected and executed in one order: flight n is the
 * n-th that S has selected, and six counters hold the progress of the stages. After cycle t
 *
 *   A has flight `arbitrated`, if it is not `selected`;
 *   F has flight `left`, if it is not `arbitrated`;
 *   D has flight `decoded`, if it is not `left`;
 *   the dispatch queue has flights from `collecting` to before `decoded`;
 *   O and the collectors have flights from `started` to before `collecting`.
 *
 * Events that depend on stamps alone are computed ahead (fast_plan) and counted after their cycles
 * (fast_catch_up). Only cycles with a decision are visited: those of S, of A's hand-over, X, memory answers,
 * W, C and barriers. Rounds that access memory are made together in the cycle of the last one, or before
 * another access of the memory (fast_flush). With several clusters they are made together as far as all are
 * known to be hits, unless another cluster requests one of their lines (lines.c). Hits in memory that no
 * other cluster can change are made before the turn of the cluster, since their order with other clusters has
 * no effect.
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

/* Flights with known stamps: more than A, F, D, the dispatch queue and the collectors hold. */
#define FAST_RING 64
#define FAST_NONE (-1)
/* Largest number of lines, for each lane, that are found together for one flight. */
#define FAST_MAX_RUNS 64

/* --- state --- */

/* Account of a warp's time before its next selection. */
struct warp_wait {
    uint64_t since;           /* first cycle in which it was ready to run */
    enum machine_cause cause; /* cause of the wait before `since` */
    uint32_t pc;              /* PC of the instruction that it waited for */
};

/* Ports of the TPM taken in a cycle. */
struct tpm_ports {
    uint64_t cycle; /* last cycle in which accesses (read), or results of W (write), took ports */
    unsigned taken;
};

/* Accesses of one lane to one line in consecutive cycles (lines.c). */
struct line_run {
    struct cache_line *line; /* NULL if the line is absent and a miss in flight serves the accesses */
    uint64_t done;           /* last cycle of this miss */
    struct l2_port *port;
    uint16_t page;       /* entry of the DTLB */
    uint16_t first, end; /* cycles, counted from hits_first */
};

/* The runs of a lane. */
struct line_runs {
    struct line_run run[FAST_MAX_RUNS];
    unsigned count;
};

/* Distances of the addresses of a flight's threads (lines.c). Bit k of `follow`: the address of position k is
 * that of the same lane's previous round plus `step` bytes. */
struct address_rows {
    bool sought, known;
    uint32_t step;
    uint64_t follow;
};

struct fast {
    struct cluster *cluster;
    bool on;  /* this stay in SIMT mode is computed ahead */
    bool off; /* no stay is computed ahead: LOCKSTEP_FAST=0 in the environment, for tests */

    /* S */
    uint64_t ready_to_run, front_end; /* warps */
    uint64_t select_due;              /* next cycle in which the inputs of the scheduler have changed */

    /* A */
    uint64_t a_held; /* first cycle in which A may hand over its flight */

    /* counters of flights in order */
    uint32_t selected, arbitrated, left, decoded, collecting, started;
    uint32_t planned;                               /* first flight without stamps of O */
    uint8_t order[FAST_RING];                       /* flight n is flight[order[n % FAST_RING]] */
    uint64_t o_at[FAST_RING], x_last_at[FAST_RING]; /* flight n: first cycle of O; cycle of the last round */
    uint64_t f_left;                                /* last cycle in F of the flight arbitrated last */
    unsigned queue_entries, collectors, arbitrate_cycles;
    uint32_t queue_head; /* the oldest flight that can be in the dispatch queue when the next one enters it */

    /* O */
    uint64_t o_free;  /* first cycle in which O may start flight `planned` */
    uint64_t o_since; /* cycle in which O started, plus its stalled cycles since then */
    uint64_t o_stood; /* last cycle in which O stalled */
    unsigned o_lines; /* lines that O reads for the current flight */
    struct tpm_ports read_ports, write_ports;

    /* X */
    int x_flight;       /* memory instruction whose rounds are being started, or FAST_NONE */
    int shown_x_flight; /* instruction whose rounds started last, for views */
    /* The next beat: its round, its number in the round, its bytes for each thread. */
    unsigned x_round, x_beat, x_bytes;
    bool x_in_tpm;   /* the instruction accesses only words in TPMs */
    bool x_one_word; /* likewise, and in each beat one word for each thread */
    bool x_own;      /* the instruction accesses memory that no other cluster can change */
    struct address_rows x_rows;
    unsigned x_words; /* words in the TPM that the beat has still to access */
    uint64_t x_next;  /* cycle of the next beat */
    /* Cycle in which the beats are made together: that of the last one, or of an earlier event. With several
     * clusters: of the first beat that is not known to be a hit. */
    uint64_t x_due;
    /* Known hits that have not been made, for each lane. */
    struct line_runs *runs;
    uint64_t hits_first, hits_end; /* cycle of the first of these beats, and of the first beat behind them */
    uint64_t x_miss;               /* cycle of the next beat that is not a hit found in advance */
    uint64_t x_stood;              /* last cycle in which a beat waited for ports of the TPM */
    /* First cycle in which miss registers may be free for the waiting beat. */
    uint64_t x_refused;
    uint64_t x_free; /* first cycle in which the next instruction's rounds may start */
    /* Cycle in which the last round of the instruction in X starts; its collector is free one cycle later. */
    uint64_t x_last;

    /* W, C */
    unsigned *landing, landing_count; /* flights that have left X and are not committed */
    uint64_t *landing_due;            /* due cycle of each, from fast_flight_due() */
    uint64_t landed;                  /* no flight in landing[] is written or commits before this cycle */
    struct held_accesses held;        /* accesses that wait for translations */
    uint64_t committed;               /* last cycle with a commit */
    /* Threads have reached a barrier or exited since the last step of the barrier table. */
    bool leaves;
    bool stuck; /* after the previous cycle, no flight or event was pending */
    unsigned warps;
    struct warp_wait *wait;     /* account of each warp */
    struct warp_wait *chosen;   /* account of each flight's warp at its selection */
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

/* Fills the unit with the state of the pipeline before cycle t, for diagnoses. */
void fast_show(const struct fast *p, uint64_t t);
/* Fills the unit likewise and ends the stay in this pipeline: the unit steps cycle t. All work before cycle t
 * must be done. */
void fast_leave(struct fast *p, uint64_t t);

#endif

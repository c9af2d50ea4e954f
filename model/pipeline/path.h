/*
 * path: one scheduler with its front end, operand collection, lanes and write-back (timing.md): the registers
 * of the pipeline and what is known of the flights in it.
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
 * What follows from stamps alone is computed ahead (path_plan) and counted when its cycle has come
 * (path_catch_up): only cycles in which something is decided are visited, those of S, A's hand-over, X,
 * memory answers, W, C and barriers; with uniform instructions those of D and O as well. Rounds that access
 * memory are made together in the cycle of the last one, or before anybody else asks the memory (path_flush);
 * of several clusters, in the cycle before which all are known to be hits, unless another cluster asks for
 * one of their lines (lines.c). Accesses to what no other cluster can change are made before the cluster's
 * turn, as far as they are hits: nobody sees when.
 *
 * The base machine at which nobody looks has an instance of these files of its own (base.c). There the
 * threads of a warp that run together have one PC (struct warp_descriptors: together) until they part, and
 * the arbiter is asked when others have come to that PC, or levels and Ready threads have changed.
 *
 * Where a path is clocked (cluster.h: `stepped`), the blocks of model/control/ are evaluated in every cycle
 * and every decision is theirs (clocked.c): the stamps are what they say, and the same.
 */
#ifndef MODEL_PIPELINE_PATH_H
#define MODEL_PIPELINE_PATH_H

#include "model/core/launch.h"
#include "model/control/operand_collector.h"
#include "model/pipeline/flight.h"
#include "model/control/subwarp_dispatcher.h"
#include "model/control/thread_descriptor_table.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/control/warp_scheduler.h"
#include "model/control/writeback_arbiter.h"

/* Flights whose stamps are known: more than A, F, D, the dispatch queue and the collectors hold. */
#define PATH_RING 64
#define PATH_NONE (-1)
/* Lines that a lane's accesses of a flight that are found together can be in. */
#define PATH_MAX_RUNS 64

/* --- state --- */

/* Where a warp's time before its next selection goes. */
struct warp_wait {
    uint64_t since;           /* first cycle in which it was ready-to-run */
    enum machine_cause cause; /* what it waited for until then */
    uint32_t pc;              /* of the instruction whose end it waited for */
};

/* Accesses of one lane to one line in cycles that follow each other (lines.c). */
struct line_run {
    struct cache_line *line; /* NULL: it is not there, and a miss in flight serves them, */
    uint64_t done;           /* which ends with this cycle */
    struct l2_port *port;
    uint16_t page;       /* entry of the DTLB */
    uint16_t first, end; /* cycles, from hits_first on */
};

/* The runs of a lane. */
struct line_runs {
    struct line_run run[PATH_MAX_RUNS];
    unsigned count;
};

/* Allocates what each flight needs to be a mixed one (alternate.h). */
struct alternate *path_create_alternates(void);

/* An access of a thread that waits for its translation, or after that for a miss register. */
struct held_access {
    uint64_t at; /* cycle in which it is made, as if its round were then in X */
    uint32_t address, bytes;
    uint8_t lane, flight, round;
    bool store;
};

/* Addresses of a flight's threads that follow each other in their lanes (lines.c): bit k of `follow`: that of
 * position k is `step` behind that of its lane's round before. */
struct address_rows {
    bool sought, known;
    uint32_t step;
    uint64_t follow;
};

struct path {
    struct cluster *cluster;
    struct alternate *alternate;    /* of each flight; NULL: no simt.mitigation alt */
    warp_set mixed;                 /* flights whose threads have several instructions */
    int fetching, collecting_mixed; /* of these, the one in F or O, or PATH_NONE */
    struct warp_scheduler scheduler;
    struct warp_pc_arbiter arbiter;
    struct operand_collector collector;   /* evaluated where the path is clocked, as the next: */
    struct subwarp_dispatcher dispatcher; /* else what they say is computed ahead */

    /* S */
    warp_set ready_to_run, front_end;
    warp_set stalled; /* its instruction that has been decoded is a load or store, or all its threads are at a
                         barrier or Idle */
    uint64_t select_due; /* a cycle in which the scheduler may decide otherwise than before, since its inputs
                            changed */

    /* A */
    uint64_t a_held; /* the first cycle in which it may hand over the flight that it has */

    /* flights in order */
    uint32_t selected, arbitrated, left, decoded, collecting, started;
    uint32_t planned;                               /* up to before this one O's stamps are known */
    uint8_t order[PATH_RING];                       /* flight n is flight[order[n % PATH_RING]] */
    warp_set flying;                                /* flights from S on, not committed */
    uint64_t o_at[PATH_RING], x_last_at[PATH_RING]; /* of flight n: first cycle of O, last round */
    uint64_t f_left;                                /* last cycle in F of the flight arbitrated last */
    unsigned queue_entries, collectors, arbitrate_cycles;
    uint32_t queue_head; /* no flight before it is in the dispatch queue when the next one enters it */

    /* O */
    uint64_t o_free;  /* first cycle in which O may start flight `planned` */
    uint64_t o_since; /* cycle in which O started, had it not stood since */
    uint64_t o_stood; /* the last cycle in which it stood */
    unsigned o_lines; /* that it reads in all */
    struct {
        uint64_t cycle; /* the last in which somebody else than O (read), than stores (write) took some */
        unsigned taken;
    } read_ports, write_ports;

    /* X */
    int x_flight; /* a memory instruction whose rounds are being started (clocked: of any), else PATH_NONE */
    int shown_x_flight;                /* instruction whose rounds started last, for views */
    unsigned x_round, x_beat, x_bytes; /* and the bytes of a beat of one thread */
    bool x_in_tpm;                     /* all that the instruction accesses are words in TPMs, */
    bool x_one_word;                   /* each thread one in a beat; */
    bool x_own;                        /* or memory that no other cluster can change */
    struct address_rows x_rows;
    unsigned x_words; /* of a beat that has begun: words in the TPM that it has still to access */
    uint64_t x_next;  /* cycle of its next beat; clocked, not of a memory instruction: after its last round */
    uint64_t x_due;   /* cycle in which its beats are made together: that of the last, unless something stands
                         before; of several clusters: of the first that is not known to be a hit */
    struct line_runs *runs;        /* of each lane: the hits that are still to be made */
    uint64_t hits_first, hits_end; /* their beats: the first, the first that is none of them */
    uint64_t x_miss;               /* cycle of a beat of which it is known that it is no hit found by line */
    uint64_t x_stood;              /* the last cycle in which a beat waited for ports of the TPM */
    uint64_t x_refused; /* first cycle in which miss registers may be free for the beat that waits for them */
    uint64_t x_free;    /* first cycle in which the next instruction's rounds may start */
    uint64_t
        x_last; /* cycle in which the last round of the instruction in X starts: its buffer is free after */

    /* W, C */
    unsigned *landing, landing_count; /* flights that have left X, not committed */
    uint64_t *landing_due;            /* of each: flight_due() */
    uint64_t landed;                  /* no cycle before this one has a write or commit of a landing flight */
    struct held_access *held;         /* from held_first to before held_end, in the order of `at` */
    unsigned held_first, held_end;    /* of held_room for which there is memory */
    unsigned held_room;
    uint64_t held_next; /* `at` of the first; FLIGHT_NEVER: none is held */
    uint64_t committed; /* the last cycle in which something was committed */
    bool leaves; /* threads have reached a barrier or exited, which the barrier table has not been told */
    bool stuck;  /* nothing was under way after the cycle before */
    bool loose;  /* threads may be together (struct warp_descriptors) */

    unsigned warps;
    struct warp_wait *wait;   /* of each warp */
    struct warp_wait *chosen; /* of each flight, as its warp was selected */
    struct flight *flight; /* of warp w: that with its number; with simt.mitigation dpe a warp may have two,
                              the second with number w + warps */
    struct writeback_arbiter writeback; /* evaluated where the path is clocked */
};

/* --- flights and the stages that hold them --- */

static inline unsigned path_flight_number(const struct path *p, uint32_t n) {
    return p->order[n % PATH_RING];
}
static inline struct flight *path_flight(struct path *p, uint32_t n) {
    return &p->flight[path_flight_number(p, n)];
}

/* The one that a warp's next instruction becomes; of one that is in flight the one that it is, of two the
 * first. */
static inline unsigned path_free_flight(const struct path *p, unsigned warp) {
    return warp_set_has(p->flying, warp) ? warp + p->warps : warp;
}
static inline unsigned path_flight_of(const struct path *p, unsigned warp) {
    const bool second = p->warps + warp < TDT_MAX_WARPS && warp_set_has(p->flying, p->warps + warp);
    return second && !warp_set_has(p->flying, warp) ? warp + p->warps : warp;
}

/* What the stages hold after a cycle that has been stepped: a flight, or PATH_NONE. */
static inline int path_in_arbitrate(const struct path *p) {
    return p->arbitrated == p->selected ? PATH_NONE : (int)path_flight_number(p, p->arbitrated);
}
static inline int path_in_fetch(const struct path *p) {
    return p->left == p->arbitrated ? PATH_NONE : (int)path_flight_number(p, p->left);
}
static inline int path_in_decode(const struct path *p) {
    return p->decoded == p->left ? PATH_NONE : (int)path_flight_number(p, p->decoded);
}
static inline unsigned path_queue_count(const struct path *p) {
    return p->decoded - p->collecting;
}
/* Of these the one collected last may still be in O. */
static inline unsigned path_collected_count(const struct path *p) {
    return p->collecting - p->started;
}
static inline int path_last_collected(const struct path *p) {
    return p->collecting == p->started ? PATH_NONE : (int)path_flight_number(p, p->collecting - 1);
}

#endif

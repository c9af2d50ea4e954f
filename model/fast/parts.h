/*
 * parts: what the files of the fast pipeline share: front.c (S, A, F, D, O and what is computed ahead of
 * them), rounds.c, access.c and lines.c (X), execute.c (what an instruction does), commit.c (W, C, barriers),
 * cycle.c (a cycle, and those that follow it), turns.c (a cluster's turn), leave.c (to the unit).
 *
 * All but the last two are compiled three times: as they are, where they count for a profile, checks and a
 * recording of accesses; and twice together as one file, so that the compiler sees all of it: plain.c, where
 * FAST_IS_PLAIN says that there is nothing of these, and recorded.c, where FAST_RECORDS says that
 * instructions are recorded.
 */
#ifndef MODEL_FAST_PARTS_H
#define MODEL_FAST_PARTS_H

#include "model/cluster/cluster_threads.h"
#include "model/unit/unit.h"

#ifdef FAST_IS_PLAIN
#define FAST_PART static __attribute__((unused))
#else
#define FAST_IS_PLAIN false
#define FAST_RECORDS  true
#define FAST_PART
#endif

/* What is counted and checked; NULL: nothing. */
static inline bool fast_watched(const struct fast *p) {
    return !FAST_IS_PLAIN && __builtin_expect(p->cluster->watched, 0);
}
static inline struct recorder *fast_recorder(const struct fast *p) {
    return FAST_RECORDS ? p->cluster->recorder : NULL;
}

static inline void later(uint64_t *t, uint64_t candidate) {
    if (candidate > *t) *t = candidate;
}
static inline void earlier(uint64_t *t, uint64_t candidate) {
    if (candidate < *t) *t = candidate;
}

/* --- front.c --- */
/* A warp may have become ready-to-run, or not ready. It waited until cycle `since` for the end of the
 * instruction at pc. */
FAST_PART void fast_update_ready(struct fast *p, unsigned warp, uint64_t since, enum machine_cause cause,
                                 uint32_t pc);
FAST_PART void fast_begin(struct fast *p, uint64_t t);
/* The stamps that follow from those known. */
FAST_PART void fast_plan(struct fast *p);
/* O and F up to the end of cycle t, whose stamps are known; D, whose stalls the scheduler sees in the cycle
 * after. */
FAST_PART void fast_catch_up(struct fast *p, uint64_t t);
FAST_PART void fast_catch_up_decode(struct fast *p, uint64_t t);
/* F, D and O of flight n, the first of those before X, are over. */
FAST_PART void fast_pass(struct fast *p, uint32_t n);
/* S and the hand-over of A at the end of cycle t. */
FAST_PART void fast_hand_over(struct fast *p, uint64_t t);
/* The first cycle in which A can hand its warp over; FAST_NEVER: it is not known yet. */
static inline uint64_t fast_arbitrated(const struct fast *p) {
    return p->a_held > p->f_left ? p->a_held : p->f_left;
}
/* The first later cycle in which S or A has something to do. */
static inline uint64_t fast_hand_over_due(const struct fast *p) {
    if (p->selected != p->arbitrated) return fast_arbitrated(p);
    return p->ready_to_run ? p->select_due : FAST_NEVER;
}
/* The flight arbitrated last fetches in cycle t, now that it is its cluster's turn. */
FAST_PART void fast_fetch_in_turn(struct fast *p, uint64_t t);
/* The read ports that others have taken in cycle t may delay the collection in progress. */
FAST_PART void fast_delay_collection(struct fast *p, uint64_t t);
/* Ports that O, which reads as planned, wants in cycle t. */
FAST_PART unsigned fast_collection_wants(const struct fast *p, uint64_t t);
/* Others have the ports in so many cycles from `first` on: O stands still, which is counted, and the
 * instruction in it has its operands later. */
FAST_PART void fast_put_off_collection(struct fast *p, uint64_t first, unsigned cycles);
FAST_PART void fast_stand_still(struct fast *p, uint64_t first, unsigned cycles);
FAST_PART void fast_fetch(struct fast *p, struct fast_flight *f, uint64_t t);
FAST_PART void fast_decode(struct fast *p, uint32_t n);
/* Its read_lines are known. */
FAST_PART void fast_count_reads(const struct fast *p, struct fast_flight *f);
FAST_PART void fast_start_collection(struct fast *p, uint64_t t);

static inline struct simt_instruction fast_instruction(const struct fast_flight *f) {
    return (struct simt_instruction){f->i, f->warp, f->pc, f->participating};
}

/* --- rounds.c --- */
/* X of cycle t, where it is computed ahead: an instruction starts its rounds, if one is collected. */
FAST_PART void fast_start_rounds(struct fast *p, uint64_t t);
/* First cycle in which that can be; FAST_NEVER: it is not known yet. */
static inline uint64_t fast_rounds_due(const struct fast *p) {
    if (p->x_flight != FAST_NONE) return p->x_due;
    if (p->started == p->planned) return FAST_NEVER;
    const uint64_t collected = p->flight[fast_flight_number(p, p->started)].collected;
    return collected < p->x_free ? p->x_free : collected + 1;
}
/* The beats of memory instructions up to cycle t. */
FAST_PART void fast_flush(struct fast *p, uint64_t t);
FAST_PART void fast_charge_rounds(struct fast *p, const struct fast_flight *f);
FAST_PART void fast_end_rounds(struct fast *p, struct fast_flight *f, uint64_t last);
/* The next beat is one of cycle t: x_due says when beats are made. */
FAST_PART void fast_await_beats(struct fast *p, uint64_t t);
FAST_PART void fast_enter_lanes(struct fast *p, unsigned warp);
FAST_PART unsigned fast_occupancy(const struct fast *p, const struct fast_flight *f);
FAST_PART unsigned fast_latency(const struct fast *p, const struct fast_flight *f);

/* --- access.c --- */
FAST_PART void fast_begin_accesses(struct fast *p, unsigned warp, uint64_t t);
/* A beat: what each thread of the round accesses in one cycle, a register of a multiple access or all. False:
 * it cannot end in cycle t. */
FAST_PART bool fast_access_beat(struct fast *p, struct fast_flight *f, uint64_t t);
/* Makes the beats from x_next up to cycle `last` that are alike: each thread accesses one word of its TPM,
 * and O waits for the ports in all of them, or in none. False: there are not two in a row, and nothing has
 * been made. */
FAST_PART bool fast_make_words(struct fast *p, uint64_t last);
/* The last round has been started in cycle t. */
FAST_PART void fast_end_accesses(struct fast *p, unsigned warp, uint64_t t);
/* Accesses whose translations have come by cycle t are made. */
FAST_PART void fast_make_held(struct fast *p, uint64_t t);

/* --- lines.c --- */
/* Finds the beats from the next one on, up to cycle `last`, that are hits of what is there, a beat a cycle.
 * False: there are no two. */
FAST_PART bool fast_find_hits(struct fast *p, uint64_t last);
/* Makes the hits found, up to cycle `last`. */
FAST_PART void fast_make_hits(struct fast *p, uint64_t last);

/* Called when another cluster requests a line in its turn. Makes the hits of earlier turns; the later
 * accesses are no longer known to be hits, and get their own turns. */
FAST_PART void fast_is_asked(struct fast *p, uint32_t line);

/* --- execute.c --- */
/* Executes a flight before its rounds if it accesses only memory of this cluster: the order with other
 * clusters has no effect then. Returns false if it has not been executed. */
FAST_PART bool fast_execute_own(struct fast *p, struct fast_flight *f);
/* The instruction of a warp is executed for all its threads. False: it fails, and is diagnosed. */
FAST_PART bool fast_execute(struct fast *p, unsigned warp, uint64_t t);

/* --- commit.c --- */
/* All rounds of a warp's instruction have started; its last result is there at the end of cycle `result`. */
FAST_PART void fast_land(struct fast *p, unsigned warp, uint64_t result);
/* An instruction that has landed learns in cycle t when its last result is there. */
FAST_PART void fast_landed_until(struct fast *p, unsigned warp, uint64_t t);
/* W and C of cycle t, where the base machine runs alone: if one flight is due, what the two below do. */
FAST_PART bool fast_commit_one(struct fast *p, uint64_t t);
/* W and C of cycle t, from p->landed on. */
FAST_PART void fast_write_back(struct fast *p, uint64_t t);
FAST_PART void fast_commit_landed(struct fast *p, uint64_t t);
/* Barriers, if they are active. */
FAST_PART void fast_step_barriers(struct fast *p, uint64_t t);

/* --- cycle.c --- */
/* Does what is due in cycle t; all before it has been done. */
FAST_PART void fast_step_due(struct fast *p, uint64_t t);
/* Does the work from cycle t on, on a machine without observers (cluster.h: `alone`). Returns the last cycle
 * stepped. */
FAST_PART uint64_t fast_run(struct fast *p, uint64_t t);
/* Returns whether the cluster may step cycle t now. It may be ahead of the others only by steps without
 * effects on them. */
FAST_PART bool fast_may_step(struct fast *p, uint64_t t);
/* The next cycle in which something is due. */
static inline uint64_t fast_next_due(const struct fast *p, uint64_t front) {
    uint64_t next = fast_rounds_due(p);
    earlier(&next, front);
    earlier(&next, p->landed);
    earlier(&next, p->held.next);
    earlier(&next, p->cluster->barrier_release);
    return next;
}

/* --- plain.c, recorded.c --- */
/* fast_run() of a machine without counting observers; and if its instructions are recorded. */
uint64_t fast_run_plain(struct fast *p, uint64_t t);
uint64_t fast_run_recorded(struct fast *p, uint64_t t);

#endif

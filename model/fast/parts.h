/*
 * parts: declarations shared by the files of the fast pipeline. front.c: S, A, F, D, O and their stamps;
 * rounds.c, access.c and lines.c: X; execute.c: execution of an instruction. commit.c: W, C and barriers;
 * cycle.c: runs of cycles; turns.c: a cluster's turn; leave.c: transfer to the unit.
 *
 * All but the last two are compiled three times: separately, with the counts for a profile, checks and a
 * recording of accesses; and twice as one file, so that the compiler sees all of it. In plain.c,
 * FAST_IS_PLAIN removes all observers; in recorded.c, FAST_RECORDS adds the recording of instructions.
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

/* Returns whether observers count or check instructions in this instance. */
static inline bool fast_watched(const struct fast *p) {
    return !FAST_IS_PLAIN && __builtin_expect(p->cluster->watched, 0);
}
static inline struct recorder *fast_recorder(const struct fast *p) {
    return FAST_RECORDS ? p->cluster->recorder : NULL;
}

/* --- front.c --- */
/* Updates whether a warp is ready to run. The warp waited until cycle `since` for the end of the instruction
 * at pc. */
FAST_PART void fast_update_ready(struct fast *p, unsigned warp, uint64_t since, enum machine_cause cause,
                                 uint32_t pc);
FAST_PART void fast_begin(struct fast *p, uint64_t t);
/* Computes the stamps that follow from the known ones. */
FAST_PART void fast_plan(struct fast *p);
/* Count the events of O and F up to the end of cycle t; those of D, whose stalls the scheduler sees one cycle
 * later. */
FAST_PART void fast_catch_up(struct fast *p, uint64_t t);
FAST_PART void fast_catch_up_decode(struct fast *p, uint64_t t);
/* Ends F, D and O of flight n, the oldest flight before X. */
FAST_PART void fast_pass(struct fast *p, uint32_t n);
/* Does S, and A's hand-over, at the end of cycle t. */
FAST_PART void fast_hand_over(struct fast *p, uint64_t t);
/* Returns the first cycle in which A can hand its warp over; FAST_NEVER if it is not known. */
static inline uint64_t fast_arbitrated(const struct fast *p) {
    return p->a_held > p->f_left ? p->a_held : p->f_left;
}
/* Returns the next cycle in which S or A has work. */
static inline uint64_t fast_hand_over_due(const struct fast *p) {
    if (p->selected != p->arbitrated) return fast_arbitrated(p);
    return p->ready_to_run ? p->select_due : FAST_NEVER;
}
/* Fetches the flight arbitrated last in cycle t, in the cluster's turn. */
FAST_PART void fast_fetch_in_turn(struct fast *p, uint64_t t);
/* Delays the collection in progress if the read ports left over in cycle t are too few. */
FAST_PART void fast_delay_collection(struct fast *p, uint64_t t);
/* Returns the ports that O needs in cycle t to read as planned. */
FAST_PART unsigned fast_collection_wants(const struct fast *p, uint64_t t);
/* Stalls O for `cycles` cycles from `first` on, in which accesses have the ports. The stall is counted, and
 * the operands are ready later. */
FAST_PART void fast_put_off_collection(struct fast *p, uint64_t first, unsigned cycles);
FAST_PART void fast_stand_still(struct fast *p, uint64_t first, unsigned cycles);
FAST_PART void fast_fetch(struct fast *p, struct fast_flight *f, uint64_t t);
FAST_PART void fast_decode(struct fast *p, uint32_t n);
/* Computes the cycles of O from read_lines. */
FAST_PART void fast_count_reads(const struct fast *p, struct fast_flight *f);
FAST_PART void fast_start_collection(struct fast *p, uint64_t t);

static inline struct simt_instruction fast_instruction(const struct fast_flight *f) {
    return (struct simt_instruction){f->i, f->warp, f->pc, f->participating};
}

/* --- rounds.c --- */
/* Executes the oldest collected instruction in cycle t and starts its rounds. */
FAST_PART void fast_start_rounds(struct fast *p, uint64_t t);
/* Returns the first cycle in which X has work; FAST_NEVER if it is not known. */
static inline uint64_t fast_rounds_due(const struct fast *p) {
    if (p->x_flight != FAST_NONE) return p->x_due;
    if (p->started == p->planned) return FAST_NEVER;
    const uint64_t collected = p->flight[fast_flight_number(p, p->started)].collected;
    return collected < p->x_free ? p->x_free : collected + 1;
}
/* Makes the beats of memory instructions up to cycle t. */
FAST_PART void fast_flush(struct fast *p, uint64_t t);
FAST_PART void fast_end_rounds(struct fast *p, struct fast_flight *f, uint64_t last);
/* Sets cycle t as that of the next beat and x_due as the cycle in which beats are made together. */
FAST_PART void fast_await_beats(struct fast *p, uint64_t t);
FAST_PART void fast_enter_lanes(struct fast *p, unsigned warp);
FAST_PART unsigned fast_occupancy(const struct fast *p, const struct fast_flight *f);
FAST_PART unsigned fast_latency(const struct fast *p, const struct fast_flight *f);

/* --- access.c --- */
FAST_PART void fast_begin_accesses(struct fast *p, unsigned warp, uint64_t t);
/* Makes a beat in cycle t: the accesses of a round's threads in one cycle, each to one register of a multiple
 * access, or complete. Returns false if the beat cannot end in cycle t. */
FAST_PART bool fast_access_beat(struct fast *p, struct fast_flight *f, uint64_t t);
/* Makes equal beats from x_next up to cycle `last`: each thread accesses one word of its TPM, and O waits for
 * ports in all of the beats or in none. Returns false, without making any, if there are fewer than two. */
FAST_PART bool fast_make_words(struct fast *p, uint64_t last);
/* Ends the accesses of a warp, whose last round has started in cycle t. */
FAST_PART void fast_end_accesses(struct fast *p, unsigned warp, uint64_t t);
/* Retries the held accesses that are due by cycle t. */
FAST_PART void fast_make_held(struct fast *p, uint64_t t);

/* --- lines.c --- */
/* Finds the hits among the next beats up to cycle `last`, one beat a cycle. Returns false if there are fewer
 * than two. */
FAST_PART bool fast_find_hits(struct fast *p, uint64_t last);
/* Makes the hits found, up to cycle `last`. */
FAST_PART void fast_make_hits(struct fast *p, uint64_t last);

/* Called when another cluster requests a line in its turn. Makes the hits of earlier turns. Later accesses
 * are no longer known to be hits, and get their own turns. */
FAST_PART void fast_is_asked(struct fast *p, uint32_t line);

/* --- execute.c --- */
/* Executes a flight before its rounds if it accesses only memory of this cluster, where the order with other
 * clusters has no effect. Returns false if it has not been executed. */
FAST_PART bool fast_execute_own(struct fast *p, struct fast_flight *f);
/* Executes the instruction of a warp for all its threads. Returns false with a diagnosis if it fails. */
FAST_PART bool fast_execute(struct fast *p, unsigned warp, uint64_t t);

/* --- commit.c --- */
/* Notes that all rounds of a warp's instruction have started; its last result is ready at the end of cycle
 * `result`. */
FAST_PART void fast_land(struct fast *p, unsigned warp, uint64_t result);
/* Notes in cycle t that the last result of a landed instruction has become known. */
FAST_PART void fast_landed_until(struct fast *p, unsigned warp, uint64_t t);
/* Does W and C of cycle t if exactly one flight is due and its result fits through the ports. Otherwise
 * returns false without effect. */
FAST_PART bool fast_commit_one(struct fast *p, uint64_t t);
/* Do W, then C, of cycle t. */
FAST_PART void fast_write_back(struct fast *p, uint64_t t);
FAST_PART void fast_commit_landed(struct fast *p, uint64_t t);
/* Steps the barrier table, if it is active. */
FAST_PART void fast_step_barriers(struct fast *p, uint64_t t);

/* --- cycle.c --- */
/* Does all work that is due in cycle t; all earlier work must be done. */
FAST_PART void fast_step_due(struct fast *p, uint64_t t);
/* Does the work from cycle t on, on a machine without cycle-by-cycle observers. Returns the last cycle
 * stepped. */
FAST_PART uint64_t fast_run(struct fast *p, uint64_t t);
/* Returns whether the cluster may step cycle t now. Ahead of other clusters, only steps without effects on
 * them are allowed. */
FAST_PART bool fast_may_step(struct fast *p, uint64_t t);
/* Returns the next cycle with work. */
static inline uint64_t fast_next_due(const struct fast *p, uint64_t front) {
    uint64_t next = fast_rounds_due(p);
    earlier(&next, front);
    earlier(&next, p->landed);
    earlier(&next, p->held.next);
    earlier(&next, p->cluster->barrier_release);
    return next;
}

/* --- plain.c, recorded.c --- */
/* Variants of fast_run(): without counting observers; with a recording of instructions. */
uint64_t fast_run_plain(struct fast *p, uint64_t t);
uint64_t fast_run_recorded(struct fast *p, uint64_t t);

#endif

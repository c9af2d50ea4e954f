/*
 * pipeline: what the files of a path's pipeline share: front.c (S, A, F, D, O and what is computed ahead of
 * them), rounds.c, access.c and lines.c (X), execute.c (what an instruction does), commit.c (W, C, barriers),
 * cycle.c (a cycle, and those that follow it), clocked.c (the same as its blocks decide, cycle by cycle),
 * pipeline.c (which of them a cluster's turn takes).
 *
 * All but the last two are compiled twice: as they are, and together for the base machine (base.c), where
 * PATH_IS_BASE says that nobody looks and that the machine has no option that its pipeline could ask for.
 * What follows is then known to the compiler: these files ask path_uniform() and its like, never the cluster.
 */
#ifndef MODEL_PIPELINE_PIPELINE_H
#define MODEL_PIPELINE_PIPELINE_H

#include "model/cluster/cluster.h"
#include "model/pipeline/alternate.h"

#ifdef PATH_IS_BASE
#define PATH_PART static __attribute__((unused))
#else
#define PATH_IS_BASE false
#define PATH_PART
#endif

/* Uniform instructions; is the path clocked; is the cycle shown; what is struck, beside twins, watched. */
static inline bool path_uniform(const struct path *p) {
    return !PATH_IS_BASE && __builtin_expect(p->cluster->uniform.on, 0);
}
static inline bool path_stepped(const struct path *p) {
    return !PATH_IS_BASE && __builtin_expect(p->cluster->stepped, 0);
}
static inline bool path_shows(const struct path *p) {
    return !PATH_IS_BASE && __builtin_expect(p->cluster->shows, 0);
}
static inline struct fault *path_fault(const struct path *p) {
    return PATH_IS_BASE ? NULL : p->cluster->fault;
}
static inline bool path_watched(const struct path *p) {
    return !PATH_IS_BASE && __builtin_expect(p->cluster->watched, 0);
}
static inline bool path_notes_descriptors(const struct path *p) {
    return !PATH_IS_BASE && cluster_notes_descriptors(p->cluster);
}
static inline bool path_mitigates(const struct path *p, enum mitigation m) {
    return !PATH_IS_BASE && __builtin_expect(p->cluster->config->simt.mitigation == m, 0);
}
static inline bool path_saves_rounds(const struct path *p) {
    return !PATH_IS_BASE && __builtin_expect(cluster_saves_rounds(p->cluster), 0);
}
static inline bool path_is_two_level(const struct path *p) {
    return !PATH_IS_BASE && p->scheduler.cfg.policy == SCHEDULER_TWO_LEVEL;
}
static inline struct alternate *path_alternate(const struct path *p) {
    return PATH_IS_BASE ? NULL : p->alternate;
}
static inline unsigned path_rounds_of(const struct path *p, uint64_t participating) {
    return PATH_IS_BASE ? p->cluster->rounds : cluster_rounds_of(p->cluster, participating);
}
/* A warp, or a flight, comes to a set of the path, or goes. */
static inline void path_add(warp_set *s, unsigned number) {
    if (PATH_IS_BASE)
        *(warp_set_word *)s |= UINT64_C(1) << number;
    else
        warp_set_add(s, number);
}
static inline void path_remove(warp_set *s, unsigned number) {
    if (PATH_IS_BASE)
        *(warp_set_word *)s &= ~(UINT64_C(1) << number);
    else
        warp_set_remove(s, number);
}
static inline bool path_any(warp_set s) {
    return PATH_IS_BASE ? (uint64_t)s != 0 : s != 0;
}
/* What a flight may be on machines other than the base machine: reused (nobody executes it), a copy, scalar
 * (lane 0 executes it for one thread), or mixed. */
static inline bool path_is_reused(const struct flight *f) {
    return !PATH_IS_BASE && f->uniform.form == UNIFORM_REUSED;
}
static inline bool path_is_copy(const struct flight *f) {
    return !PATH_IS_BASE && f->uniform.form == UNIFORM_COPY;
}
static inline bool path_is_scalar(const struct flight *f) {
    return !PATH_IS_BASE && flight_is_scalar(f);
}
static inline bool path_is_mixed(const struct path *p, unsigned flight) {
    return !PATH_IS_BASE && alternate_is(p, flight);
}

static inline void later(uint64_t *t, uint64_t candidate) {
    if (candidate > *t) *t = candidate;
}
static inline void earlier(uint64_t *t, uint64_t candidate) {
    if (candidate < *t) *t = candidate;
}

/* Between a block's evaluation and its edge. */
static inline void cluster_run_twin(struct cluster *c, enum cluster_block block, uint64_t t) {
    block_twins_cycle(c->twins, block, t);
}

static inline void path_run_twin(struct path *p, enum cluster_block block, uint64_t t) {
    if (!PATH_IS_BASE) cluster_run_twin(p->cluster, block, t);
}

/* Before the inputs of its cycle are known. */
static inline void cluster_run_registered(struct cluster *c, enum cluster_block block) {
    if (c->twins && c->twins->attached[block] && c->twins->registered)
        c->twins->registered(c->twins->context, block);
}

/* --- front.c --- */
/* A warp may have become ready-to-run, or not ready. It waited until cycle `since` for the end of the
 * instruction at pc. */
PATH_PART void path_update_ready(struct path *p, unsigned warp, uint64_t since, enum machine_cause cause,
                                 uint32_t pc);
PATH_PART void path_begin(struct path *p, uint64_t t);
/* The stamps that follow from those known. */
PATH_PART void path_plan(struct path *p);
/* O and F up to the end of cycle t, whose stamps are known; D, whose stalls the scheduler sees in the cycle
 * after. */
PATH_PART void path_catch_up(struct path *p, uint64_t t);
PATH_PART void path_catch_up_decode(struct path *p, uint64_t t);
/* F, D and O of flight n, the first of those before X, are over. */
PATH_PART void path_pass(struct path *p, uint32_t n);
/* S and the hand-over of A at the end of cycle t; the first later cycle in which one of the two, or with
 * uniform instructions O or D, has something to do. */
PATH_PART void path_hand_over(struct path *p, uint64_t t);
/* The first cycle in which A can hand its warp over; FLIGHT_NEVER: it is not known yet. */
static inline uint64_t path_arbitrated(const struct path *p) {
    return p->a_held > p->f_left ? p->a_held : p->f_left;
}
/* The same of both where only S and A decide: a scheduler that depends on what is ready, no uniform
 * instructions. */
static inline uint64_t path_hand_over_due(const struct path *p) {
    if (p->selected != p->arbitrated) return path_arbitrated(p);
    return path_any(p->ready_to_run) ? p->select_due : FLIGHT_NEVER;
}
PATH_PART uint64_t path_front_due(const struct path *p);
/* The flight arbitrated last fetches in cycle t, now that it is its cluster's turn. */
PATH_PART void path_fetch_in_turn(struct path *p, uint64_t t);
/* The read ports that others have taken in cycle t may delay the collection in progress. */
PATH_PART void path_delay_collection(struct path *p, uint64_t t);
/* Ports that O, which reads as planned, wants in cycle t. */
PATH_PART unsigned path_collection_wants(const struct path *p, uint64_t t);
/* Others have the ports in so many cycles from `first` on: O stands still, which is counted, and, where the
 * path is not clocked, the instruction in it has its operands later. */
PATH_PART void path_put_off_collection(struct path *p, uint64_t first, unsigned cycles);
PATH_PART void path_stand_still(struct path *p, uint64_t first, unsigned cycles);
/* The scheduler's cycle outside SIMT mode: nobody is ready, all are stalled. One is as good as many. */
PATH_PART void path_rest_scheduler(struct path *p, uint64_t t);

/* Parts of stages, which clocked.c shares. */
PATH_PART void path_select(struct path *p, unsigned warp, uint64_t t);
PATH_PART void path_arbitrate(struct path *p, uint64_t t);
PATH_PART void path_leave_arbitrate(struct path *p, uint64_t t); /* with what the arbiter's outputs say */
PATH_PART void path_fetch(struct path *p, struct flight *f, uint64_t t);
PATH_PART void path_decode(struct path *p, uint32_t n);
/* Its read_lines are known. */
PATH_PART void path_count_reads(const struct path *p, struct flight *f);
PATH_PART void path_start_collection(struct path *p, uint64_t t);

/* --- rounds.c --- */
/* X of cycle t, where it is computed ahead: an instruction starts its rounds, if one is collected. */
PATH_PART void path_start_rounds(struct path *p, uint64_t t);
/* First cycle in which that can be; FLIGHT_NEVER: it is not known yet. */
static inline uint64_t path_rounds_due(const struct path *p) {
    if (p->x_flight != PATH_NONE) return p->x_due;
    if (p->started == p->planned) return FLIGHT_NEVER;
    const uint64_t collected = p->flight[path_flight_number(p, p->started)].collected;
    return collected < p->x_free ? p->x_free : collected + 1;
}
/* The beats of memory instructions up to cycle t. */
PATH_PART void path_flush(struct path *p, uint64_t t);
/* The oldest collected instruction goes to the lanes. False: it fails. */
PATH_PART bool path_take_collected(struct path *p, uint64_t t);
PATH_PART void path_execute_uniform(struct path *p, unsigned warp);
PATH_PART void path_charge_rounds(struct path *p, const struct flight *f);
PATH_PART void path_begin_accesses(struct path *p, unsigned warp, uint64_t t);
PATH_PART void path_end_rounds(struct path *p, uint64_t last);
/* The next beat is one of cycle t: x_due says when beats are made. */
PATH_PART void path_await_beats(struct path *p, uint64_t t);
PATH_PART void path_enter_lanes(struct path *p, unsigned warp);
PATH_PART unsigned path_occupancy(const struct path *p, const struct flight *f);
PATH_PART unsigned path_latency(const struct path *p, const struct flight *f);

/* --- access.c --- */
/* A beat: what each thread of the round accesses in one cycle, a register of a multiple access or all. False:
 * it cannot end in cycle t. */
PATH_PART bool path_access_beat(struct path *p, struct flight *f, uint64_t t);
/* Makes the beats from x_next up to cycle `last` that are alike: each thread accesses one word of its TPM,
 * and O waits for the ports in all of them, or in none. False: there are not two in a row, and nothing has
 * been made. */
PATH_PART bool path_make_words(struct path *p, uint64_t last);
/* A beat of the last round: a load has a register for it, a store may write its base back in the end. */
PATH_PART void path_write_beat(struct path *p, unsigned warp);
/* The last round has been started in cycle t. */
PATH_PART void path_end_accesses(struct path *p, unsigned warp, uint64_t t);
/* Accesses whose translations have come by cycle t are made. */
PATH_PART void path_make_held(struct path *p, uint64_t t);
/* Clocked: where no access has started in cycle t, tpo_address has the first operand that is read. */
PATH_PART void path_locate_operand(struct path *p, uint64_t t);

/* --- lines.c --- */
/* Finds the beats from the next one on, up to cycle `last`, that are hits of what is there, a beat a cycle.
 * False: there are no two. */
PATH_PART bool path_find_hits(struct path *p, uint64_t last);
/* Makes the hits found, up to cycle `last`. */
PATH_PART void path_make_hits(struct path *p, uint64_t last);

/* Another cluster asks for a line in its turn. Hits of cycles whose turn was before are made now; what comes
 * of the others is not known any more, and they get turns of their own. */
PATH_PART void path_is_asked(struct path *p, uint32_t line);

/* An access to memory in cycle t; the cycle at whose end it is done (a load) or accepted (a store). False: it
 * waits for its translation. */
PATH_PART bool path_access_memory(struct path *p, const struct held_access *a, uint64_t t, uint64_t *done);

/* --- execute.c --- */
/* A flight whose rounds have not begun is executed if all that it accesses is the cluster's own: then nobody
 * can tell whether another cluster's turn was before. False: nothing has happened. */
PATH_PART bool path_execute_own(struct path *p, struct flight *f);
/* The instruction of a warp is executed for all its threads. False: it fails, and is diagnosed. */
PATH_PART bool path_execute(struct path *p, unsigned warp, uint64_t t);
/* The same of an instruction and some threads of its warp, of which less is counted. */
PATH_PART bool path_execute_threads(struct cluster *c, struct flight *f, uint64_t t);

/* --- commit.c --- */
/* All rounds of a warp's instruction have started; its last result is there at the end of cycle `result`. */
PATH_PART void path_land(struct path *p, unsigned warp, uint64_t result);
/* An instruction that has landed learns in cycle t when its last result is there. */
PATH_PART void path_landed_until(struct path *p, unsigned warp, uint64_t t);
/* W and C of cycle t, where the base machine runs alone: if one flight is due, what the two below do. */
PATH_PART bool path_commit_one(struct path *p, uint64_t t);
/* W and C of cycle t, from p->landed on. */
PATH_PART void path_write_back(struct path *p, uint64_t t);
PATH_PART void path_commit_landed(struct path *p, uint64_t t);
/* Parts of the two, which clocked.c shares: lines or, of `left` scalars_writes_left, scalar registers of a
 * result are written; the flight that is the n-th in `landing` commits. */
PATH_PART void path_write_result(struct path *p, struct flight *f, unsigned *left, unsigned count,
                                 uint64_t t);
PATH_PART void path_commit(struct path *p, unsigned n, uint64_t t);
/* Commits the PCs, priorities, barriers and exits of a flight; returns the threads that stay ready. */
PATH_PART uint64_t path_commit_threads(struct path *p, const struct flight *f);
/* Ends the commit of a flight whose threads are committed; those of `stay` are ready in the next cycle. */
PATH_PART void path_end_commit(struct path *p, unsigned number, uint64_t stay, bool memory, uint64_t t);
/* Barriers, if they are active or clocked. */
PATH_PART void path_step_barriers(struct path *p, uint64_t t);

/* --- cluster_coprocessor.c --- */
/* Ends cycle t of the co-processor and of the descriptors, of those that have a twin. */
void cluster_whole_cycle(struct cluster *c, uint64_t t);
/* S and A of cycle t, after X and O, as the co-processor's policy chooses: the scheduler's and the arbiter's
 * outputs. Does the warp in A leave it? */
bool cluster_whole_chooses(struct cluster *c, uint64_t t);

/* --- cycle.c --- */
/* Does what is due in cycle t; all before it has been done. */
PATH_PART void path_step_due(struct path *p, uint64_t t);
/* Does what is due from cycle t on, on a machine at which nobody looks (cluster.h: `alone`). Returns the last
 * cycle stepped, after which something else is due. */
PATH_PART uint64_t path_run(struct path *p, uint64_t t);
/* May the cluster step cycle t now? Another one's turn may come before: a cluster is ahead of others by steps
 * that nobody else sees. */
PATH_PART bool path_may_step(struct path *p, uint64_t t);
/* The next cycle in which something is due. */
static inline uint64_t path_next_due(const struct path *p, uint64_t front) {
    uint64_t next = path_rounds_due(p);
    earlier(&next, front);
    earlier(&next, p->landed);
    earlier(&next, p->held_next);
    earlier(&next, p->cluster->barrier_release);
    return next;
}

/* --- base.c --- */
/* path_run() of the base machine (cluster.h: `base`). */
uint64_t path_run_base(struct path *p, uint64_t t);

/* --- clocked.c --- */
/* Cycle t, as the blocks decide: W, X, O, the front end with the hand-overs at the cycle's end, C. */
void path_clock_write_back(struct path *p, uint64_t t);
void path_clock_lanes(struct path *p, uint64_t t);
void path_clock_collector(struct path *p, uint64_t t);
void path_clock_front(struct path *p, uint64_t t);
void path_clock_commit(struct path *p, uint64_t t);

#endif

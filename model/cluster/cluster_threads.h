/*
 * cluster_threads: effects of instructions on the threads of a cluster in SIMT mode: their execution, and
 * states, PCs and priorities after a commit. Both pipelines (model/unit/, model/fast/) call it.
 */
#ifndef MODEL_CLUSTER_CLUSTER_THREADS_H
#define MODEL_CLUSTER_CLUSTER_THREADS_H

#include "model/cluster/access_records.h"
#include "model/cluster/cluster.h"
#include "model/control/thread_vector.h"
#include "model/simt/execute.h"

/* --- A, F --- */

/* Chooses the threads of a warp that run next and makes them `together` of the descriptors. The arbiter is
 * evaluated only if it could choose other threads than the last time, or if `asks` is true. */
static inline void cluster_arbitrate(struct cluster *c, unsigned warp, bool asks) {
    struct thread_descriptor_table *table = &c->descriptors;
    struct warp_pc_arbiter *a = &c->blocks.arbiter;
    struct warp_descriptors *w = &table->warp[warp];
    const bool alone = w->together == w->ready,
               known = w->together && (alone || (!(w->together & ~w->ready) && w->together_pc < w->apart));
    if (!asks && known && (alone || w->leads || (w->leads = warp_pc_arbiter_leads(a, w, w->together))))
        return;
    tdt_settle(table, warp);
    warp_pc_arbiter_read(a, w);
    warp_pc_arbiter_eval(a);
    tdt_gather(table, warp, a->out.participating, a->out.pc);
    w->leads = a->cfg.policy != PC_MIN_PC;
}

/* Prefetches the operands of a warp's instruction. With several clusters they are no longer in the host's
 * caches. */
static inline void cluster_prefetch_rows(const struct cluster *c, unsigned warp,
                                         const struct arm_instruction *i) {
    if (!c->uncore->several || !i) return;
    const char *rows = (const char *)c->threads[warp].registers;
    const unsigned bytes = c->threads[warp].positions * 4;
    for (uint64_t rest = i->sources | i->destinations; rest; rest &= rest - 1)
        for (unsigned b = 0; b < bytes; b += 64)
            __builtin_prefetch(rows + (size_t)__builtin_ctzll(rest) * bytes + b);
}

/* --- execution --- */

/* Notes, for diagnoses, the threads of a warp whose exclusive store has succeeded. */
void cluster_note_claims(struct cluster *c, unsigned warp, const struct arm_execution *x);

/* Completes an execution in cycle t: diagnoses, counts and, with `watched`, observers. Returns false if the
 * launch has failed. */
static inline __attribute__((always_inline)) bool cluster_executed(struct cluster *c,
                                                                   const struct simt_instruction *n,
                                                                   const struct arm_execution *x,
                                                                   bool watched, uint64_t t) {
    const struct arm_instruction *i = n->i;
    struct execution_trail *trail = &c->trail[n->warp];
    if (!simt_executed(&c->simt, n, x, watched, t)) return false;
    execution_trail_add(trail, n->pc);
    if (i->is_load && x->passed) {
        trail->load_pc = n->pc;
        trail->load_address = x->address[__builtin_ctzll(x->passed)] & ~3u;
    } else if (i->is_store && __builtin_expect(arm_stores_exclusively(i), 0)) {
        cluster_note_claims(c, n->warp, x);
    }
    if (!watched) return true;
    simt_watch_after(&c->simt, n, x);
    if (i->is_load || i->is_store) access_records_note(c, n->warp, i, x);
    if (c->observer) simt_show_execution(&c->simt, n, x->passed, x->address, &c->threads[n->warp], NULL, t);
    return true;
}

/* --- commit --- */

/* Moves each thread of an instruction to its next PC; the PCs may differ. */
void cluster_part(struct cluster *c, const struct simt_instruction *n, uint64_t passed);

/* Moves the threads of an instruction, which have one PC, to their next PCs. */
static inline void cluster_go_on(struct cluster *c, const struct simt_instruction *n, uint64_t passed) {
    const uint32_t *next = c->threads[n->warp].next_pc;
    const uint64_t jump = n->i->writes_pc ? passed : 0;
    if (__builtin_expect(!jump, 1))
        c->descriptors.warp[n->warp].together_pc = n->pc + 4;
    else if (jump == n->participating && thread_vector_same(next, jump, c->descriptors.warp_size))
        tdt_gather(&c->descriptors, n->warp, jump, next[__builtin_ctzll(jump)]);
    else
        cluster_part(c, n, passed);
}

/* Commits a co-processor instruction; events are recorded for cycle t. Returns the threads that stay ready;
 * *leaves becomes true after a barrier or an exit. */
uint64_t cluster_commit_operation(struct cluster *c, const struct simt_instruction *n, uint64_t passed,
                                  bool *leaves, uint64_t t);
/* Does so for the threads of one warp in a flight with threads of several. */
uint64_t cluster_commit_part(struct cluster *c, const struct simt_instruction *n, uint64_t passed,
                             bool *leaves, uint64_t t);

/* Releases the threads at the barrier, which are ready in cycle t. Calls `release` for each warp. */
typedef void cluster_release(void *pipeline, unsigned warp, uint64_t since, enum machine_cause cause,
                             uint32_t pc);
void cluster_release_barrier(struct cluster *c, cluster_release *release, void *pipeline, uint64_t t);

/* Stamps of a flight that commits in cycle t. */
#define CLUSTER_STAMPS(f, t)                                                                                 \
    (f)->f, (f)->fetched, (f)->left, (f)->o, (f)->collected, (f)->x, (f)->last, (f)->result, (t)

#endif

/* Execution of a warp's instruction for its participating threads, when its rounds begin (X). */
#include "model/fast/parts.h"
#include "model/cluster/access_records.h"

#include "sim/error.h"

#include <string.h>

/* Lets the debugger execute the instruction of cycle t. It sees the stages before X as of the end of the
 * previous cycle. Rare, and so not inlined. */
static __attribute__((noinline)) void debug(struct fast *p, struct fast_flight *f, uint64_t t) {
    struct cluster *c = p->cluster;
    const struct simt_instruction n = fast_instruction(f);
    fast_catch_up(p, t - 1);
    fast_catch_up_decode(p, t - 1);
    c->now = t;
    c->debugger->warp(c->debugger->context, &c->simt, &n, &f->execution);
}

static inline __attribute__((always_inline)) bool execute_threads(struct fast *p, struct fast_flight *f,
                                                                  const bool watched, uint64_t t) {
    struct cluster *c = p->cluster;
    const struct simt_instruction n = fast_instruction(f);
    if (!f->i) return simt_jumps_outside(&c->simt, &n);
    if (watched) simt_watch_before(&c->simt, &n);
    if (arm_is_exclusive(f->i)) c->uncore->monitor.now = t;
    if (__builtin_expect(debugger_asks(c->debugger, f->i), 0))
        debug(p, f, t);
    else if (!f->executed)
        f->i->warp(f->i, &c->threads[f->warp], f->participating, &f->execution);
    return cluster_executed(c, &n, &f->execution, watched, t);
}

bool fast_execute_own(struct fast *p, struct fast_flight *f) {
    const struct cluster *c = p->cluster;
    struct arm_threads *t = &p->cluster->threads[f->warp];
    if (f->executed) return true;
    if (!c->own || !f->i || !f->i->is_access || f->i->writes_pc) return false;
    if (fast_watched(p) &&
        ((c->checks && c->checks->values) || c->spin || recorder_wants_accesses(c->recorder)))
        return false;
    if (!c->own->region[__atomic_load_n(&f->i->hint, __ATOMIC_RELAXED)].size_bytes) return false;
    t->memory = c->own;
    arm_execute(f->i, t, f->participating, &f->execution);
    t->memory = c->memory;
    return f->executed = f->execution.fault == ARM_FAULT_NONE;
}

bool fast_execute(struct fast *p, unsigned number, uint64_t t) {
    struct cluster *c = p->cluster;
    struct fast_flight *f = &p->flight[number];
    const bool watched = fast_watched(p);
    if (watched ? !execute_threads(p, f, true, t) : !execute_threads(p, f, false, t)) return false;
    ++c->warp_instructions;
    if (watched && c->profile) ++simt_profile_row(&c->simt, f->pc)->warps;
    histogram_count(&c->active_threads, (unsigned)__builtin_popcountll(f->participating));
    return true;
}

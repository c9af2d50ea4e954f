/* What an instruction of a warp does when its rounds begin (X), to the threads that participate. */
#include "model/cluster/cluster_fault.h"
#include "model/pipeline/pipeline.h"
#include "model/arm/coprocessor.h"

#include "sim/error.h"

#include <string.h>

static void count_execution(struct cluster *c, const struct flight *f, unsigned threads) {
    if (c->profile) cluster_profile_row(c, f->pc)->executions += threads;
    if (c->executions) c->executions[(f->pc - c->launch->code->text_base) / 4] += threads;
}

/* The result that another warp has left. */
static void reuse(struct cluster *c, unsigned warp, struct flight *f) {
    struct arm_threads *t = &c->threads[warp];
    if (c->check_uniform) {
        arm_execute(f->i, t, f->participating, &f->execution);
        const struct reuse_result r = reuse_result_of(f->i, t, (unsigned)__builtin_ctzll(f->participating));
        invariant(r.value == f->uniform.result.value && r.flags == f->uniform.result.flags,
                  "at %#x the reuse buffer has %#x, flags %#x for warp %u, but the result is %#x, %#x", f->pc,
                  f->uniform.result.value, f->uniform.result.flags, warp, r.value, r.flags);
    }
    reuse_result_put(f->i, t, f->participating, f->uniform.result);
    f->execution.passed = f->participating;
    f->execution.stored = f->execution.in_stack = 0;
    f->execution.fault = ARM_FAULT_NONE;
}

/* Of an exclusive store, each thread that did store. */
static __attribute__((noinline)) void note_claims(struct cluster *c, unsigned warp, const struct flight *f) {
    for (uint64_t rest = f->execution.stored; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint32_t address = f->execution.address[k] & ~3u;
        const int index = memory_find(c->memory, address, 4);
        if (index < 0) continue;
        const struct memory_region *r = &c->memory->region[index];
        uint32_t value;
        memcpy(&value, r->host + (address - r->base), 4);
        exclusive_claims_store(&c->uncore->claims,
                               &(struct exclusive_claim){core_physical(&c->core[0], address),
                                                         value,
                                                         c,
                                                         (uint8_t)warp,
                                                         (uint8_t)k,
                                                         {c->group[0], c->group[1], c->group[2]}});
    }
}

/* For diagnoses. */
static inline __attribute__((always_inline)) void note_execution(struct cluster *c, unsigned warp,
                                                                 const struct flight *f) {
    struct execution_trail *t = &c->trail[warp];
    execution_trail_add(t, f->pc);
    if (!f->i->is_load && !f->i->is_store) return;
    if (f->i->is_load && f->execution.passed) {
        t->load_pc = f->pc;
        t->load_address = f->execution.address[__builtin_ctzll(f->execution.passed)] & ~3u;
    } else if (__builtin_expect(arm_stores_exclusively(f->i), 0)) {
        note_claims(c, warp, f);
    }
}

static enum thread_operation thread_operation(struct coprocessor_decoded op) {
    switch (op.operation) {
    case COPROCESSOR_RAISE: return THREAD_RAISE;
    case COPROCESSOR_LOWER: return THREAD_LOWER;
    case COPROCESSOR_OUTERMOST: return THREAD_OUTERMOST;
    case COPROCESSOR_BARRIER: return THREAD_BARRIER;
    case COPROCESSOR_EXIT: return THREAD_EXIT;
    default: return THREAD_NONE;
    }
}

/* A copy is an instruction after which its threads are where they were. */
static void tell_descriptors(struct cluster *c, unsigned warp, const struct flight *f) {
    if (f->uniform.form == UNIFORM_COPY) {
        tdt_execute(&c->descriptors, warp, f->participating, c->descriptors.warp[warp].pc, true, THREAD_NONE,
                    0);
        return;
    }
    const struct coprocessor_decoded op = f->i->is_coprocessor
                                              ? coprocessor_decode(f->i)
                                              : (struct coprocessor_decoded){COPROCESSOR_UNDEFINED, 0};
    const bool lowers = op.operation == COPROCESSOR_LOWER;
    tdt_execute(&c->descriptors, warp, f->execution.passed, c->threads[warp].next_pc, f->i->writes_pc,
                thread_operation(op), lowers ? op.index : 0);
}

/* Before, and after it was executed. */
static void note_redundancy(struct cluster *c, unsigned warp, const struct flight *f, bool executed) {
    const struct uniform_warp w = {warp, f->participating, tdt_live(&c->descriptors.warp[warp]),
                                   &c->threads[warp]};
    if (executed)
        redundancy_after(c->redundancy, &w, f->pc, f->i, &f->execution);
    else
        redundancy_before(c->redundancy, &w, f->pc, f->i);
}

/* watched: c->watched, or the result may come from the reuse buffer. */
static inline __attribute__((always_inline)) bool execute_threads(struct cluster *c, struct flight *f,
                                                                  const bool watched, uint64_t t) {
    const unsigned warp = f->warp;
    if (!f->i) {
        cluster_diagnose(c, (int)warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                         "jumps outside the program's code");
        return false;
    }
    if (watched && c->redundancy) note_redundancy(c, warp, f, false);
    if (arm_is_exclusive(f->i)) c->uncore->monitor.now = t;
    if (watched && f->uniform.form == UNIFORM_REUSED)
        reuse(c, warp, f);
    else if (!f->executed)
        f->i->warp(f->i, &c->threads[warp], f->participating, &f->execution);
    if (watched && c->fault) cluster_fault_writes(c, f);
    if (f->execution.fault != ARM_FAULT_NONE) {
        cluster_diagnose_fault(c, (int)warp, f->execution.fault_position, f->pc, f->i, &f->execution);
        return false;
    }
    if (f->i->is_coprocessor &&
        !cluster_read_identity(c, f->i, &c->threads[warp], (int)warp, 0, f->execution.passed, t)) {
        cluster_diagnose(c, (int)warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                         "executes a co-processor instruction that does not exist in SIMT mode");
        return false;
    }
    note_execution(c, warp, f);
    if (watched && c->redundancy) note_redundancy(c, warp, f, true);
    const unsigned active = (unsigned)__builtin_popcountll(f->participating);
    c->thread_instructions += active;
    c->condition_failed += (unsigned)__builtin_popcountll(f->participating & ~f->execution.passed);
    if (watched) count_execution(c, f, active);
    return true;
}

bool path_execute_own(struct path *p, struct flight *f) {
    const struct cluster *c = p->cluster;
    struct arm_threads *t = &p->cluster->threads[f->warp];
    if (f->executed) return true;
    if (!c->own || !f->i || !f->i->is_access || f->i->writes_pc || c->redundancy) return false;
    if (!c->own->region[__atomic_load_n(&f->i->hint, __ATOMIC_RELAXED)].size_bytes) return false;
    t->memory = c->own;
    arm_execute(f->i, t, f->participating, &f->execution);
    t->memory = c->memory;
    return f->executed = f->execution.fault == ARM_FAULT_NONE;
}

bool path_execute_threads(struct cluster *c, struct flight *f, uint64_t t) {
    return execute_threads(c, f, true, t);
}

/* path_execute() of what is more than an instruction of all threads. */
static bool execute_watched(struct path *p, unsigned number, uint64_t t) {
    struct cluster *c = p->cluster;
    struct flight *f = &p->flight[number];
    if (f->i && c->fault) cluster_fault_reads(c, f);
    if (f->uniform.form == UNIFORM_COPY)
        f->execution.passed = f->participating;
    else if (path_is_mixed(p, number) ? !alternate_execute(p, number, t) : !execute_threads(c, f, true, t))
        return false;
    if (path_notes_descriptors(p)) tell_descriptors(c, f->warp, f);
    return true;
}

bool path_execute(struct path *p, unsigned number, uint64_t t) {
    struct cluster *c = p->cluster;
    struct flight *f = &p->flight[number];
    const bool watched = path_watched(p) || path_uniform(p) || path_alternate(p);
    if (watched ? !execute_watched(p, number, t) : !execute_threads(c, f, false, t)) return false;
    if (path_is_copy(f)) return true;
    ++c->warp_instructions;
    histogram_count(&c->active_threads, (unsigned)__builtin_popcountll(f->participating));
    return true;
}

/* What an instruction of a warp does when its rounds begin (X), to the threads that participate. */
#include "model/fast/parts.h"
#include "model/cluster/access_records.h"

#include "sim/error.h"

#include <string.h>

static void count_execution(struct cluster *c, const struct fast_flight *f, unsigned threads) {
    if (c->profile) {
        struct machine_profile *row = cluster_profile_row(c, f->pc);
        const struct arm_execution *x = &f->execution;
        row->executions += threads;
        if (f->i->is_load || f->i->is_store)
            machine_profile_access(row, x->passed & ~x->in_stack, x->address, f->i->access_bytes,
                                   c->config->l2.line_bytes);
    }
    if (c->executions) c->executions[(f->pc - c->launch->code->text_base) / 4] += threads;
}

static __attribute__((noinline)) void show_fault(struct cluster *c, const struct fast_flight *f) {
    const struct unit_flight shown = {
        .i = f->i, .participating = f->participating, .pc = f->pc, .warp = (uint16_t)f->warp};
    c->debugger->fault(c->debugger->context, c, &shown, NULL, &f->execution);
}

static __attribute__((noinline)) void show_execution(const struct cluster *c, const struct fast_flight *f,
                                                     uint64_t t) {
    c->observer->executed(c->observer->context, &(struct observed){.i = f->i,
                                                                   .cycle = t,
                                                                   .participating = f->participating,
                                                                   .passed = f->execution.passed,
                                                                   .address = f->execution.address,
                                                                   .threads = &c->threads[f->warp],
                                                                   .group = c->group,
                                                                   .pc = f->pc,
                                                                   .unit = c->index,
                                                                   .place = f->warp});
}

/* False: the launch has failed. */
static __attribute__((noinline)) bool check_access(struct cluster *c, unsigned warp,
                                                   const struct fast_flight *f) {
    const struct arm_execution *x = &f->execution;
    const struct checked_access a = {.i = f->i,
                                     .pc = f->pc,
                                     .first_item = warp * c->descriptors.warp_size,
                                     .threads = (f->i->is_store ? x->stored : x->passed) & ~x->in_stack,
                                     .address = x->address,
                                     .registers = &c->threads[warp]};
    struct memory_fault fault;
    if (checks_access(c->checks, c->index, &a, &fault)) return true;
    cluster_diagnose_outside_object(c, warp, f->pc, f->i, &fault);
    return false;
}

/* For diagnoses. */
static inline __attribute__((always_inline)) void note_execution(struct cluster *c, unsigned warp,
                                                                 const struct fast_flight *f) {
    struct execution_trail *t = &c->trail[warp];
    execution_trail_add(t, f->pc);
    if (!f->i->is_load && !f->i->is_store) return;
    if (f->i->is_load && f->execution.passed) {
        t->load_pc = f->pc;
        t->load_address = f->execution.address[__builtin_ctzll(f->execution.passed)] & ~3u;
    } else if (__builtin_expect(arm_stores_exclusively(f->i), 0)) {
        cluster_note_claims(c, warp, &f->execution);
    }
}

static inline __attribute__((always_inline)) bool execute_threads(struct cluster *c, struct fast_flight *f,
                                                                  const bool watched, uint64_t t) {
    const unsigned warp = f->warp;
    if (!f->i) {
        cluster_diagnose(c, (int)warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                         "jumps outside the program's code");
        return false;
    }
    if (watched && c->checks)
        checks_instruction(c->checks, c->index, warp, &c->threads[warp], f->i, f->pc, f->participating);
    if (arm_is_exclusive(f->i)) c->uncore->monitor.now = t;
    if (!f->executed) f->i->warp(f->i, &c->threads[warp], f->participating, &f->execution);
    if (f->execution.fault != ARM_FAULT_NONE) {
        if (watched && c->debugger) show_fault(c, f);
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
    if (watched && c->checks && (f->i->is_load || f->i->is_store) && !check_access(c, warp, f)) return false;
    if (watched && (f->i->is_load || f->i->is_store)) access_records_note(c, warp, f->i, &f->execution);
    const unsigned active = (unsigned)__builtin_popcountll(f->participating);
    c->thread_instructions += active;
    c->condition_failed += (unsigned)__builtin_popcountll(f->participating & ~f->execution.passed);
    if (watched) count_execution(c, f, active);
    if (watched && c->observer) show_execution(c, f, t);
    return true;
}

bool fast_execute_own(struct fast *p, struct fast_flight *f) {
    const struct cluster *c = p->cluster;
    struct arm_threads *t = &p->cluster->threads[f->warp];
    if (f->executed) return true;
    if (!c->own || !f->i || !f->i->is_access || f->i->writes_pc) return false;
    if (fast_watched(p) && ((c->checks && c->checks->values) || recorder_wants_accesses(c->recorder)))
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
    if (watched ? !execute_threads(c, f, true, t) : !execute_threads(c, f, false, t)) return false;
    ++c->warp_instructions;
    if (watched && c->profile) ++cluster_profile_row(c, f->pc)->warps;
    histogram_count(&c->active_threads, (unsigned)__builtin_popcountll(f->participating));
    return true;
}

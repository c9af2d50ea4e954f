/* The instruction of a flight is executed when its rounds begin (X), for the threads that participate. */
#include "model/cluster/access_records.h"
#include "model/unit/services.h"

#include <string.h>

/* For diagnoses. */
static inline void note_execution(struct cluster *c, const struct unit_flight *f,
                                  const struct arm_execution *x) {
    struct execution_trail *trail = &c->trail[f->warp];
    execution_trail_add(trail, f->pc);
    if (!f->i->is_load && !f->i->is_store) return;
    if (f->i->is_load && x->passed) {
        trail->load_pc = f->pc;
        trail->load_address = x->address[__builtin_ctzll(x->passed)] & ~3u;
    } else if (__builtin_expect(arm_stores_exclusively(f->i), 0)) {
        cluster_note_claims(c, f->warp, x);
    }
}

/* Puts the result that another warp has left. */
static __attribute__((unused)) void reuse(struct unit *u, const struct unit_flight *f,
                                          struct arm_execution *x) {
    struct cluster *c = u->cluster;
    struct arm_threads *t = &c->threads[f->warp];
    const struct reuse_result left = u->uniform[f - u->flight].result;
    if (c->check_uniform) {
        arm_execute(f->i, t, f->participating, x);
        const struct reuse_result r = reuse_result_of(f->i, t, (unsigned)__builtin_ctzll(f->participating));
        invariant(r.value == left.value && r.flags == left.flags,
                  "at %#x the reuse buffer has %#x, flags %#x for warp %u, but the result is %#x, %#x", f->pc,
                  left.value, left.flags, f->warp, r.value, r.flags);
    }
    reuse_result_put(f->i, t, f->participating, left);
    x->passed = f->participating;
    x->stored = x->in_stack = 0;
    x->fault = ARM_FAULT_NONE;
}

static inline bool execute_threads(struct unit *u, struct unit_flight *f, struct arm_execution *x,
                                   uint64_t t) {
    struct cluster *c = u->cluster;
    struct arm_instruction *i = f->i;
    if (!i) {
        cluster_diagnose(c, (int)f->warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                         "jumps outside the program's code");
        return false;
    }
    if (UNIT_GENERAL && __builtin_expect(c->watched, 0)) unit_watch_before(u, f);
    if (arm_is_exclusive(i)) c->uncore->monitor.now = t;
    if (unit_debugger_asks(u, i))
        c->debugger->warp(c->debugger->context, c, f, x);
    else if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_REUSED)
        reuse(u, f, x);
    else
        i->warp(i, &c->threads[f->warp], f->participating, x);
    f->passed = x->passed;
    if (unit_fault(u)) unit_watch_writes(u, f);
    if (x->fault != ARM_FAULT_NONE) {
        if (UNIT_GENERAL && c->debugger) c->debugger->fault(c->debugger->context, c, f, NULL, x);
        cluster_diagnose_fault(c, (int)f->warp, x->fault_position, f->pc, i, x);
        return false;
    }
    if (i->is_coprocessor &&
        !cluster_read_identity(c, i, &c->threads[f->warp], (int)f->warp, 0, x->passed, t)) {
        cluster_diagnose(c, (int)f->warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                         "executes a co-processor instruction that does not exist in SIMT mode");
        return false;
    }
    note_execution(c, f, x);
    if (UNIT_GENERAL && __builtin_expect(c->watched, 0)) {
        if (!unit_watch_access(u, f, x)) return false;
        unit_watch_after(u, f, x, t);
        if (i->is_load || i->is_store) access_records_note(c, f->warp, i, x);
    }
    c->thread_instructions += (unsigned)__builtin_popcountll(f->participating);
    c->condition_failed += (unsigned)__builtin_popcountll(f->participating & ~f->passed);
    return true;
}

UNIT_SERVICE bool unit_execute_threads(struct unit *u, struct unit_flight *f, struct arm_execution *x,
                                       uint64_t t) {
    return execute_threads(u, f, x, t);
}

UNIT_SERVICE bool unit_execute(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    if (unit_fault(u)) unit_watch_reads(u, f);
    const bool copies = UNIT_GENERAL && unit_form(u, f) == UNIFORM_COPY;
    struct arm_execution *x = &u->execution[f - u->flight];
    if (copies)
        f->passed = x->passed = f->participating;
    else if (unit_is_mixed(u, f) ? !SLOTS(u)->mitigation->mixed->execute(u, f, t)
                                 : !execute_threads(u, f, x, t))
        return false;
    if (unit_notes_descriptors(u)) unit_tell_descriptors(u, f);
    if (copies) return true;
    ++c->warp_instructions;
    if (UNIT_GENERAL && __builtin_expect(c->watched, 0) && c->profile) ++cluster_profile_row(c, f->pc)->warps;
    histogram_count(&c->active_threads, (unsigned)__builtin_popcountll(f->participating));
    return true;
}

/* Takes a collected flight to the lanes (X), and executes its instruction for the participating threads. */
#include "model/arm/coprocessor.h"
#include "model/cluster/access_records.h"
#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

#include <string.h>

/* Writes the result that another warp has left in the reuse buffer. */
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

/* Executes the threads of one warp. */
static inline bool execute_warp(struct unit *u, struct unit_flight *f, const struct simt_instruction n,
                                struct arm_execution *x, uint64_t t) {
    struct cluster *c = u->cluster;
    struct arm_instruction *i = f->i;
    const bool watched = UNIT_GENERAL && __builtin_expect(c->watched, 0);
    if (!i) return simt_jumps_outside(&c->simt, &n);
    if (watched) simt_watch_before(&c->simt, &n);
    if (arm_is_exclusive(i)) c->uncore->monitor.now = t;
    if (unit_debugger_asks(u, i))
        c->debugger->warp(c->debugger->context, &c->simt, &n, x);
    else if (UNIT_GENERAL && unit_form(u, f) == UNIFORM_REUSED)
        reuse(u, f, x);
    else
        i->warp(i, &c->threads[n.warp], n.participating, x);
    if (UNIT_GENERAL && u->regrouped) return cluster_executed(c, &n, x, watched, t);
    f->passed = x->passed;
    if (unit_fault(u)) unit_watch_fault(u, f, fault_writes);
    return cluster_executed(c, &n, x, watched, t);
}

/* Adds the execution of a part to that of its flight, whose threads have other positions. */
static void add_part(const struct unit *u, const struct unit_flight *f, const struct unit_part *p,
                     const struct arm_execution *part, struct arm_execution *x) {
    const uint16_t *home = u->regrouped->home[f - u->flight];
    x->passed |= unit_part_positions(u, f, p, part->passed);
    if (!f->i->is_load && !f->i->is_store) return;
    x->in_stack |= unit_part_positions(u, f, p, part->in_stack & part->passed);
    for (uint64_t rest = p->positions; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        x->address[k] = part->address[home[k] % u->cluster->descriptors.warp_size];
    }
}

/* Executes the threads of a flight warp by warp. */
static __attribute__((noinline)) bool execute_parts(struct unit *u, struct unit_flight *f,
                                                    struct arm_execution *x, uint64_t t) {
    x->passed = x->in_stack = 0;
    for (uint64_t rest = f->participating; rest;) {
        const struct unit_part p = unit_next_part(u, f, &rest);
        struct arm_execution part = {.in_stack = 0};
        if (!execute_warp(u, f, (struct simt_instruction){f->i, p.warp, f->pc, p.threads}, &part, t))
            return false;
        add_part(u, f, &p, &part, x);
    }
    f->passed = x->passed;
    if (unit_fault(u)) unit_watch_fault(u, f, fault_writes);
    if (f->passed == f->participating || coprocessor_operation_of(f->i) != COPROCESSOR_BARRIER) return true;
    simt_diagnose(&u->cluster->simt, f->warp, unit_first_position(u, f), f->pc, "%s",
                  REGROUPED_PARTIAL_BARRIER);
    return false;
}

static inline bool execute_threads(struct unit *u, struct unit_flight *f, struct arm_execution *x,
                                   uint64_t t) {
    if (UNIT_GENERAL && u->regrouped) return execute_parts(u, f, x, t);
    return execute_warp(u, f, unit_instruction(f), x, t);
}

UNIT_SERVICE bool unit_execute_threads(struct unit *u, struct unit_flight *f, struct arm_execution *x,
                                       uint64_t t) {
    return execute_threads(u, f, x, t);
}

UNIT_SERVICE bool unit_execute(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    if (unit_fault(u)) unit_watch_fault(u, f, fault_reads);
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
    if (UNIT_GENERAL && __builtin_expect(c->watched, 0) && c->profile)
        ++simt_profile_row(&c->simt, f->pc)->warps;
    histogram_count(&c->active_threads, (unsigned)__builtin_popcountll(f->participating));
    return true;
}

UNIT_SERVICE struct unit_flight *unit_take_collected(struct unit *u, uint64_t t) {
    const unsigned number = u->order[u->started % UNIT_RING];
    struct unit_flight *f = &u->flight[number];
    if (u->x_free < t) SLOTS(u)->home->charge(u, f, t);
    ++u->started;
    u->o_next = 0;
    f->x = t;
    u->shown = (int)number;
    if (!unit_execute(u, f, t)) return NULL;
    if (unit_fault(u) && !unit_is_uniform(u)) unit_watch_fault(u, f, fault_executed);
    return f;
}

/* What depends on the instructions that are executed: faults, redundant operations, the profile, counts. */
#include "model/cluster/cluster_fault.h"
#include "model/unit/services.h"

static struct fault_instruction instruction_of(const struct unit *u, const struct unit_flight *f) {
    return (struct fault_instruction){.i = f->i,
                                      .warp = f->warp,
                                      .pc = f->pc,
                                      .participating = f->participating,
                                      .passed = f->passed,
                                      .form = unit_form(u, f)};
}

static struct uniform_warp warp_of(struct cluster *c, const struct unit_flight *f) {
    return (struct uniform_warp){f->warp, f->participating, tdt_live(&c->descriptors.warp[f->warp]),
                                 &c->threads[f->warp]};
}

void unit_watch_reads(struct unit *u, const struct unit_flight *f) {
    if (f->i) cluster_fault_reads(u->cluster, instruction_of(u, f));
}

void unit_watch_before(struct unit *u, const struct unit_flight *f) {
    struct cluster *c = u->cluster;
    if (c->redundancy) {
        const struct uniform_warp w = warp_of(c, f);
        redundancy_before(c->redundancy, &w, f->pc, f->i);
    }
    if (c->checks)
        checks_instruction(c->checks, c->index, f->warp, &c->threads[f->warp], f->i, f->pc, f->participating);
}

void unit_watch_writes(struct unit *u, const struct unit_flight *f) {
    cluster_fault_writes(u->cluster, instruction_of(u, f));
}

static void note_profile(struct cluster *c, const struct unit_flight *f, const struct arm_execution *x) {
    struct machine_profile *row = cluster_profile_row(c, f->pc);
    row->executions += (unsigned)__builtin_popcountll(f->participating);
    if (f->i->is_load || f->i->is_store)
        machine_profile_access(row, x->passed & ~x->in_stack, x->address, f->i->access_bytes,
                               c->config->l2.line_bytes);
}

static void show_execution(const struct cluster *c, const struct unit_flight *f,
                           const struct arm_execution *x, uint64_t t) {
    c->observer->executed(c->observer->context, &(struct observed){.i = f->i,
                                                                   .cycle = t,
                                                                   .participating = f->participating,
                                                                   .passed = x->passed,
                                                                   .address = x->address,
                                                                   .threads = &c->threads[f->warp],
                                                                   .group = c->group,
                                                                   .pc = f->pc,
                                                                   .unit = c->index,
                                                                   .place = f->warp});
}

void unit_watch_after(struct unit *u, const struct unit_flight *f, const struct arm_execution *x,
                      uint64_t t) {
    struct cluster *c = u->cluster;
    const unsigned active = (unsigned)__builtin_popcountll(f->participating);
    if (c->redundancy) {
        const struct uniform_warp w = warp_of(c, f);
        redundancy_after(c->redundancy, &w, f->pc, f->i, x);
    }
    if (c->profile) note_profile(c, f, x);
    if (c->executions) c->executions[(f->pc - c->launch->code->text_base) / 4] += active;
    if (c->observer) show_execution(c, f, x, t);
}

bool unit_watch_access(struct unit *u, const struct unit_flight *f, const struct arm_execution *x) {
    struct cluster *c = u->cluster;
    const struct checked_access a = {.i = f->i,
                                     .pc = f->pc,
                                     .first_item = f->warp * c->descriptors.warp_size,
                                     .threads = (f->i->is_store ? x->stored : x->passed) & ~x->in_stack,
                                     .address = x->address,
                                     .registers = &c->threads[f->warp]};
    struct memory_fault fault;
    if (!c->checks || !(f->i->is_load || f->i->is_store)) return true;
    if (checks_access(c->checks, c->index, &a, &fault)) return true;
    cluster_diagnose_outside_object(c, f->warp, f->pc, f->i, &fault);
    return false;
}

void unit_watch_form(struct unit *u, const struct unit_flight *f) {
    cluster_fault_executed(u->cluster, instruction_of(u, f));
}

void unit_record_commit(struct unit *u, const struct unit_flight *f, uint64_t t) {
    struct record *r = recorder_add(u->cluster->recorder);
    r->cycle = f->s;
    r->threads = f->participating;
    r->passed = f->passed;
    r->pc = f->pc;
    r->place = f->warp;
    r->kind = RECORD_FLIGHT;
    r->form = (uint8_t)unit_form(u, f);
    r->flags = f->i && (f->i->is_load || f->i->is_store) ? RECORD_ACCESSES : 0;
    r->after[RECORD_F] = (uint32_t)(f->f - f->s);
    r->after[RECORD_FETCHED] = (uint32_t)(f->fetched - f->s);
    r->after[RECORD_LEFT] = (uint32_t)(f->left - f->s);
    r->after[RECORD_O] = (uint32_t)(f->o - f->s);
    r->after[RECORD_COLLECTED] = (uint32_t)(f->collected - f->s);
    r->after[RECORD_X] = (uint32_t)(f->x - f->s);
    r->after[RECORD_LAST] = (uint32_t)(f->last - f->s);
    r->after[RECORD_RESULT] = (uint32_t)(f->result - f->s);
    r->after[RECORD_COMMIT] = (uint32_t)(t - f->s);
}

void unit_record_stall(struct unit *u, enum record_stage stage, const struct unit_flight *f, uint64_t first,
                       uint64_t end) {
    if (first < end) recorder_stall(u->cluster->recorder, stage, first, end - first, f->warp);
}

void unit_record_leave(struct unit *u, const struct unit_flight *f, bool barrier) {
    struct cluster *c = u->cluster;
    recorder_event(c->recorder, barrier ? RECORD_ARRIVE : RECORD_EXIT, c->now + 1, f->warp, f->passed, f->pc);
}

uint64_t unit_fault_step(struct unit *u, uint64_t t) {
    cluster_fault_step(u->cluster, t);
    return cluster_fault_due(u->cluster);
}

/* Cycles in which the blocks decide; and the events of a cycle, as the ports of the co-processor and of the
 * descriptors show them to twins. */
#include "model/arm/coprocessor.h"
#include "model/unit/cycle.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* --- blocks of the divergence engine --- */

void *unit_clocked_model(struct unit *u, enum cluster_block b) {
    struct unit_clocked *x = &u->clocked[b];
    if (x->model || !u->rows.divergence->clocked) return x->model;
    *x = (struct unit_clocked){.unit = u, .block = b};
    x->model = u->rows.divergence->clocked(u, b, unit_clocked_cycle, x);
    return x->model;
}

void unit_clocked_cycle(void *context) {
    struct unit_clocked *x = context;
    x->cycles += x->unit->cluster->twins != NULL;
    unit_run_twin(x->unit, x->block, x->unit->cluster->now);
}

void unit_launch(struct unit *u) {
    if (u->rows.divergence->launch) u->rows.divergence->launch(u);
}

/* --- descriptors --- */

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

void unit_tell_schedule(struct unit *u, const struct unit_flight *f) {
    struct thread_descriptor_table_in *in = &u->cluster->descriptors.in;
    if (!unit_notes_descriptors(u)) return;
    u->cluster->descriptors.warp[f->warp].warp_pc = in->schedule_pc = f->pc;
    in->schedule_threads = f->participating;
    in->schedule = true;
}

/* The threads of a copy instruction stay at the same PC. */
void unit_tell_descriptors(struct unit *u, const struct unit_flight *f) {
    struct cluster *c = u->cluster;
    if (unit_form(u, f) == UNIFORM_COPY) {
        tdt_execute(&c->descriptors, f->warp, f->participating, c->descriptors.warp[f->warp].pc, true,
                    THREAD_NONE, 0);
        return;
    }
    const struct coprocessor_decoded op = f->i->is_coprocessor
                                              ? coprocessor_decode(f->i)
                                              : (struct coprocessor_decoded){COPROCESSOR_UNDEFINED, 0};
    const bool lowers = op.operation == COPROCESSOR_LOWER;
    tdt_execute(&c->descriptors, f->warp, f->passed, c->threads[f->warp].next_pc, f->i->writes_pc,
                thread_operation(op), lowers ? op.index : 0);
}

/* --- the co-processor's registers; its numbers are those of flights on the ports --- */

static uint32_t number_in(const struct unit *u, bool valid, uint32_t n) {
    return valid ? unit_nth(u, n)->number : 0;
}

static void note_flights(const struct unit *u, uint32_t first, uint32_t end, uint32_t *numbers) {
    for (uint32_t n = first; n != end; ++n) *numbers++ = unit_nth(u, n)->number;
}

/* Notes the flights in O (the last one collected, if it is incomplete) and the flights that wait for the
 * lanes. */
static void note_collected(const struct unit *u, struct simt_coprocessor *s, uint64_t t) {
    const bool any = u->collecting != u->started;
    s->d.o_valid = any && unit_nth(u, u->collecting - 1)->collected > t;
    s->d.o_warp = number_in(u, s->d.o_valid, u->collecting - 1);
    s->d.waiting_count = u->collecting - u->started - s->d.o_valid;
    note_flights(u, u->started, u->collecting - s->d.o_valid, s->next.waiting);
}

/* Notes the registers after cycle t. */
static void note_registers(const struct unit *u, struct simt_coprocessor *s, uint64_t t) {
    const struct thread_descriptor_table_in *descriptors = &u->cluster->descriptors.in;
    const warp_set fetched = (warp_set)descriptors->schedule << s->q.a_warp;
    const warp_set decoded = (warp_set)(s->q.d_valid && s->in.decode_memory) << s->q.d_warp;
    s->next = (struct simt_coprocessor_words){0};
    s->d.simt = true;
    s->d.a_valid = u->arbitrated != u->selected;
    s->d.a_warp = number_in(u, s->d.a_valid, u->arbitrated);
    s->d.f_valid = u->left != u->arbitrated;
    s->d.f_warp = number_in(u, s->d.f_valid, u->left);
    s->d.f_pc = s->d.f_valid ? unit_nth(u, u->left)->pc : 0;
    s->d.d_valid = u->decoded != u->left;
    s->d.d_warp = number_in(u, s->d.d_valid, u->decoded);
    s->d.queue_count = u->decoded - u->collecting;
    note_flights(u, u->collecting, u->decoded, s->next.queue);
    note_collected(u, s, t);
    s->d.flight = (s->q.flight & ~descriptors->commit) | fetched;
    s->d.memory = (s->q.memory | decoded) & ~descriptors->commit;
}

/* --- its inputs: whether events of the flights in its registers have come in cycle t --- */

/* Returns the flight between S and X with this number on the ports; NULL if there is none. */
static const struct unit_flight *flight_with(const struct unit *u, unsigned number) {
    for (uint32_t n = u->started; n != u->selected; ++n)
        if (unit_nth(u, n)->number == number) return unit_nth(u, n);
    return NULL;
}

static bool has_fetched(const struct unit_flight *f, uint64_t t) {
    return f && f->fetched <= t;
}
static bool is_memory(const struct unit_flight *f) {
    return f && f->i && (f->i->is_load || f->i->is_store);
}

static void note_inputs(const struct unit *u, struct simt_coprocessor *s, uint64_t t) {
    const struct thread_descriptor_table_in *descriptors = &u->cluster->descriptors.in;
    const struct subwarp_dispatcher_in *dispatcher = &u->blocks->dispatcher.in;
    const struct unit_flight *newest = u->collecting == u->started ? NULL : unit_nth(u, u->collecting - 1);
    const struct unit_flight *queued = s->q.queue_count ? flight_with(u, s->now.queue[0]) : NULL;
    s->in = (struct simt_coprocessor_in){
        .simt = true,
        .start_context = u->cluster->descriptors.start_context,
        .start_pc = u->cluster->descriptors.start_pc,
        .fetched = s->q.f_valid && has_fetched(flight_with(u, s->q.f_warp), t),
        .decode_memory = s->q.d_valid && is_memory(flight_with(u, s->q.d_warp)),
        .collect = queued && queued->o == t,
        .collected = newest && newest->collected == t,
        .rounds = dispatcher->rounds,
        .beats = dispatcher->beats,
        .occupancy = dispatcher->occupancy,
        .hold = dispatcher->hold,
        .execute_passed = descriptors->execute_passed,
        .execute_jumps = descriptors->execute_jumps,
        .execute_target = descriptors->execute_target,
        .execute_operation = descriptors->execute_operation,
        .execute_by = descriptors->execute_by,
        .commit = descriptors->commit,
    };
}

static void coprocessor_cycle(struct unit *u, uint64_t t) {
    struct simt_coprocessor *s = &u->cluster->coprocessor;
    note_inputs(u, s, t);
    note_registers(u, s, t);
    simt_coprocessor_tell(s);
    unit_run_twin(u, CLUSTER_BLOCK_COPROCESSOR, t);
    simt_coprocessor_edge(s);
}

bool unit_whole_chooses(struct unit *u, uint64_t t) {
    struct simt_coprocessor *s = &u->cluster->coprocessor;
    struct cluster_blocks *p = u->blocks;
    note_inputs(u, s, t);
    p->scheduler.in = (struct warp_scheduler_in){u->ready, u->stalled, true};
    if (s->q.a_valid)
        warp_pc_arbiter_read(&p->arbiter, &u->cluster->descriptors.warp[s->q.a_warp]);
    else
        p->arbiter.in.ready = 0;
    const bool a_leaves = simt_coprocessor_choose(s);
    p->scheduler.in.take = !s->q.a_valid || a_leaves;
    return a_leaves;
}

/* --- the cycle --- */

uint64_t unit_step_ports(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    if (__builtin_expect(c->fault != NULL, 0)) simt_fault_step(&c->simt, t);
#define CALL(stage, due) (stage)(u, t);
#define ALWAYS(stage)    (stage)(u, t);
#define DUE(stage, due)                                                                                      \
    if (t >= (due) || c->twins) (stage)(u, t);
    UNIT_BARREL_FIRST(CALL, ALWAYS)
    if (unit_is_uniform(u)) {
        if (cluster_uniform_due(c) || c->twins) unit_uniform_step(u, t);
    }
    UNIT_BARREL_COMMIT(CALL)
    UNIT_BARREL_LAST(DUE)
#undef CALL
#undef ALWAYS
#undef DUE
    SLOTS(u)->home->locate(u, t);
    if (!unit_notes_descriptors(u)) return t + 1;
    if (c->twins->attached[CLUSTER_BLOCK_COPROCESSOR]) coprocessor_cycle(u, t);
    cluster_descriptors_cycle(c, t);
    return t + 1;
}

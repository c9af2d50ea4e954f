#include "model/control/simt_coprocessor.h"

#include "sim/error.h"

#include <string.h>

void simt_coprocessor_init(struct simt_coprocessor *s, const struct simt_coprocessor_config *config,
                           const struct simt_coprocessor_blocks *blocks) {
    invariant(config->queue_entries >= 1 && config->queue_entries <= MACHINE_MAX_QUEUE &&
                  config->collectors >= 1 && config->collectors <= MACHINE_MAX_COLLECTORS,
              "co-processor with %u queue entries and %u collectors", config->queue_entries,
              config->collectors);
    *s = (struct simt_coprocessor){.cfg = *config, .blocks = *blocks};
    simt_coprocessor_reset(s);
}

void simt_coprocessor_reset(struct simt_coprocessor *s) {
    s->now = s->next = (struct simt_coprocessor_words){0};
    s->in = (struct simt_coprocessor_in){.start_context = s->blocks.descriptors->start_context,
                                         .start_pc = s->blocks.descriptors->start_pc,
                                         .execute_target = s->blocks.descriptors->warp[0].next_pc};
    s->q = s->d = (struct simt_coprocessor_state){.queue = s->now.queue, .waiting = s->now.waiting};
}

void simt_coprocessor_tell(struct simt_coprocessor *s) {
    const struct warp_scheduler_out *scheduler = &s->blocks.scheduler->out;
    const struct warp_pc_arbiter_out *arbiter = &s->blocks.arbiter->out;
    const struct thread_descriptor_table_out *descriptors = &s->blocks.descriptors->out;
    const struct subwarp_dispatcher_out *dispatcher = &s->blocks.dispatcher->out;
    const struct barrier_table_out *barriers = &s->blocks.barriers->out;
    const bool fetch = s->blocks.descriptors->in.schedule;
    s->out = (struct simt_coprocessor_out){
        .select = scheduler->valid,
        .select_warp = scheduler->warp,
        .fetch = fetch,
        .fetch_warp = fetch ? s->q.a_warp : 0,
        .fetch_pc = arbiter->pc,
        .fetch_threads = arbiter->participating,
        .fetch_wtid = arbiter->wtid,
        .fetch_level = arbiter->level,
        .decode = s->q.d_valid,
        .decode_warp = s->q.d_warp,
        .offer = s->q.queue_count != 0,
        .offer_warp = s->now.queue[0],
        .first = dispatcher->first,
        .valid = dispatcher->valid,
        .warp = dispatcher->warp,
        .context = dispatcher->context,
        .beat = dispatcher->beat,
        .last = dispatcher->last,
        .busy = dispatcher->busy,
        .runnable = descriptors->runnable,
        .live = descriptors->live,
        .arrive_count = descriptors->arrive_count,
        .exit_count = descriptors->exit_count,
        .opens = barriers->opens,
        .deadlock = barriers->deadlock,
        .release = barriers->release,
        .exited = barriers->exited,
        .done = s->in.simt && descriptors->live == descriptors->exit_count,
        .overflow = descriptors->overflow,
        .illegal = descriptors->illegal,
    };
}

void simt_coprocessor_edge(struct simt_coprocessor *s) {
    s->now = s->next;
    s->q = s->d;
}

/* --- a cycle by the ports --- */

static warp_set bit_of(bool valid, unsigned warp) {
    return (warp_set)valid << warp;
}

static void dispatch(struct simt_coprocessor *s) {
    struct subwarp_dispatcher *d = s->blocks.dispatcher;
    d->in = (struct subwarp_dispatcher_in){.valid = s->q.waiting_count != 0,
                                           .warp = s->now.waiting[0],
                                           .rounds = s->in.rounds,
                                           .beats = s->in.beats,
                                           .occupancy = s->in.occupancy,
                                           .hold = s->in.hold};
    subwarp_dispatcher_eval(d);
}

bool simt_coprocessor_f_leaves(const struct simt_coprocessor *s) {
    return s->q.f_valid && s->in.fetched &&
           s->q.queue_count - s->in.collect + s->q.d_valid < s->cfg.queue_entries;
}

static void tell_arbiter(struct simt_coprocessor *s, bool sees) {
    const struct thread_descriptor_table_out *row = &s->blocks.descriptors->out;
    s->blocks.arbiter->in =
        (struct warp_pc_arbiter_in){.ready = sees ? row->ready : 0, .priority = row->priority, .pc = row->pc};
}

static void tell_scheduler(struct simt_coprocessor *s, bool a_leaves) {
    const warp_set runnable = s->blocks.descriptors->out.runnable;
    s->blocks.scheduler->in = (struct warp_scheduler_in){
        .ready = s->in.simt ? runnable & ~bit_of(s->q.a_valid, s->q.a_warp) : 0,
        .stalled = s->in.simt ? s->q.memory | ~(runnable | s->q.flight) : ~(warp_set)0,
        .take = s->in.simt && (!s->q.a_valid || a_leaves),
    };
}

bool simt_coprocessor_choose(struct simt_coprocessor *s) {
    const struct simt_coprocessor_out *out = &s->out;
    s->policy.choose(s->policy.context, s);
    s->blocks.scheduler->out = (struct warp_scheduler_out){0};
    s->blocks.arbiter->out = (struct warp_pc_arbiter_out){0};
    if (out->select)
        s->blocks.scheduler->out = (struct warp_scheduler_out){
            .valid = true, .warp = out->select_warp, .grant = bit_of(true, out->select_warp)};
    if (out->fetch)
        s->blocks.arbiter->out = (struct warp_pc_arbiter_out){.wtid = out->fetch_wtid,
                                                              .pc = out->fetch_pc,
                                                              .participating = out->fetch_threads,
                                                              .level = out->fetch_level};
    return out->fetch;
}

/* S and A. Returns whether the warp in A leaves it. */
static bool schedule(struct simt_coprocessor *s, bool f_leaves) {
    const bool chosen = s->policy.choose && s->in.simt;
    bool a_leaves = s->q.a_valid && (chosen || !s->q.f_valid || f_leaves);
    tell_arbiter(s, a_leaves);
    tell_scheduler(s, a_leaves);
    if (chosen) {
        a_leaves = simt_coprocessor_choose(s);
        tell_scheduler(s, a_leaves);
        return a_leaves;
    }
    warp_pc_arbiter_eval(s->blocks.arbiter);
    warp_scheduler_eval(s->blocks.scheduler);
    return a_leaves;
}

static void change_descriptors(struct simt_coprocessor *s, bool a_leaves) {
    const struct warp_scheduler_out *selected = &s->blocks.scheduler->out;
    const struct warp_pc_arbiter_out *arbitrated = &s->blocks.arbiter->out;
    const struct subwarp_dispatcher_out *dispatched = &s->blocks.dispatcher->out;
    struct thread_descriptor_table *t = s->blocks.descriptors;
    t->in = (struct thread_descriptor_table_in){
        .start = s->in.start,
        .start_context = s->in.start_context,
        .start_pc = s->in.start_pc,
        .select = selected->valid,
        .select_warp = selected->warp,
        .schedule = a_leaves,
        .schedule_threads = arbitrated->participating,
        .schedule_pc = arbitrated->pc,
        .execute = dispatched->first,
        .execute_warp = dispatched->warp,
        .execute_passed = s->in.execute_passed,
        .execute_jumps = s->in.execute_jumps,
        .execute_target = s->in.execute_target,
        .execute_operation = s->in.execute_operation,
        .execute_by = s->in.execute_by,
        .commit = s->in.commit,
        .release = s->blocks.barriers->q.release,
    };
    thread_descriptor_table_eval(t);
    invariant(!t->out.illegal, "illegal transitions in the co-processor's thread descriptor table");
}

static void count_barriers(struct simt_coprocessor *s) {
    const struct thread_descriptor_table_out *t = &s->blocks.descriptors->out;
    struct barrier_table *b = s->blocks.barriers;
    b->in = (struct barrier_table_in){
        .start = s->in.simt && !s->q.simt,
        .start_live = t->live,
        .arrive_count = t->arrive_count,
        .arrive_pc = t->arrive_pc,
        .exit_count = t->exit_count,
    };
    barrier_table_eval(b);
}

/* Moves A, F and D. */
static void move_front_end(struct simt_coprocessor *s, bool a_goes, bool f_goes) {
    const struct warp_scheduler_out *selected = &s->blocks.scheduler->out;
    s->d.d_valid = f_goes;
    s->d.d_warp = f_goes ? s->q.f_warp : 0;
    if (f_goes || !s->q.f_valid) {
        s->d.f_valid = a_goes;
        s->d.f_warp = a_goes ? s->q.a_warp : 0;
        s->d.f_pc = s->blocks.arbiter->out.pc;
    }
    if (a_goes || !s->q.a_valid) {
        s->d.a_valid = selected->valid;
        s->d.a_warp = selected->warp;
    }
}

/* Moves a queue of `places` entries: the first of `count` leaves, another enters. Returns the new number of
 * entries. */
static unsigned move_queue(uint32_t *to, unsigned places, const uint32_t *from, unsigned count, bool leaves,
                           bool enters, unsigned warp) {
    const unsigned left = count - leaves;
    memset(to, 0, places * sizeof *to);
    memcpy(to, from + leaves, left * sizeof *to);
    if (enters) to[left] = warp;
    return left + enters;
}

static void move_queues(struct simt_coprocessor *s) {
    const unsigned collecting = s->q.o_valid ? s->q.o_warp : s->now.queue[0];
    s->d.queue_count = move_queue(s->next.queue, MACHINE_MAX_QUEUE, s->now.queue, s->q.queue_count,
                                  s->in.collect, s->q.d_valid, s->q.d_warp);
    s->d.o_valid = (s->q.o_valid || s->in.collect) && !s->in.collected;
    s->d.o_warp = s->d.o_valid ? collecting : 0;
    s->d.waiting_count =
        move_queue(s->next.waiting, MACHINE_MAX_COLLECTORS, s->now.waiting, s->q.waiting_count,
                   s->blocks.dispatcher->out.first, s->in.collected, collecting);
}

void simt_coprocessor_eval(struct simt_coprocessor *s) {
    const struct simt_coprocessor_in *in = &s->in;
    invariant(!in->collect || (s->q.queue_count && !s->q.o_valid), "O starts without a warp, or twice");
    invariant(!in->collected || s->q.o_valid || in->collect, "operands are collected, but nothing is in O");
    dispatch(s);
    invariant(s->q.waiting_count - s->blocks.dispatcher->out.first + s->q.o_valid + in->collect <=
                  s->cfg.collectors,
              "more than %u instructions in O or collected", s->cfg.collectors);
    const bool f_goes = simt_coprocessor_f_leaves(s), a_goes = schedule(s, f_goes);
    change_descriptors(s, a_goes);
    count_barriers(s);
    s->d = s->q;
    move_front_end(s, a_goes, f_goes);
    move_queues(s);
    s->d.simt = in->simt;
    s->d.flight = (s->q.flight & ~in->commit) | bit_of(a_goes, s->q.a_warp);
    s->d.memory = (s->q.memory | bit_of(s->q.d_valid && in->decode_memory, s->q.d_warp)) & ~in->commit;
    simt_coprocessor_tell(s);
}

void simt_coprocessor_clock(struct simt_coprocessor *s) {
    warp_scheduler_clock(s->blocks.scheduler);
    thread_descriptor_table_clock(s->blocks.descriptors);
    barrier_table_clock(s->blocks.barriers);
    subwarp_dispatcher_clock(s->blocks.dispatcher);
    simt_coprocessor_edge(s);
}

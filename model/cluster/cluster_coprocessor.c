/* Beside twins: what the pipeline did in a cycle, as the co-processor's and the descriptors' ports say it. */
#include "model/pipeline/pipeline.h"

#include <string.h>

static void descriptors_cycle(struct cluster *c, uint64_t t) {
    thread_descriptor_table_note(&c->descriptors);
    cluster_run_twin(c, CLUSTER_BLOCK_DESCRIPTORS, t);
    thread_descriptor_table_edge(&c->descriptors);
}

/* --- registers --- */

static uint32_t number(int warp) {
    return warp == PATH_NONE ? 0 : (uint32_t)warp;
}

/* The warps of flights `first` to before `end`. */
static void note_flights(const struct path *p, uint32_t first, uint32_t end, uint32_t *warps) {
    for (uint32_t n = first; n != end; ++n) *warps++ = path_flight_number(p, n);
}

/* O has the one collected last, if it is not collected; the others wait for the lanes. */
static void note_collected(const struct path *p, struct simt_coprocessor *s, uint64_t t) {
    const int last = path_last_collected(p);
    s->d.o_valid = last >= 0 && p->flight[last].collected > t;
    s->d.o_warp = s->d.o_valid ? (uint32_t)last : 0;
    s->d.waiting_count = path_collected_count(p) - s->d.o_valid;
    note_flights(p, p->started, p->collecting - s->d.o_valid, s->next.waiting);
}

/* As they are after cycle t. */
static void note_registers(const struct cluster *c, struct simt_coprocessor *s, uint64_t t) {
    const struct thread_descriptor_table_in *descriptors = &c->descriptors.in;
    const warp_set fetched = (warp_set)descriptors->schedule << s->q.a_warp;
    const warp_set decoded = (warp_set)(s->q.d_valid && s->in.decode_memory) << s->q.d_warp;
    s->next = (struct simt_coprocessor_words){0};
    s->d.simt = true;
    const struct path *p = &c->path;
    const int a = path_in_arbitrate(p), f = path_in_fetch(p), d = path_in_decode(p);
    s->d.a_valid = a >= 0;
    s->d.a_warp = number(a);
    s->d.f_valid = f >= 0;
    s->d.f_warp = number(f);
    s->d.f_pc = s->d.f_valid ? p->flight[f].pc : 0;
    s->d.d_valid = d >= 0;
    s->d.d_warp = number(d);
    s->d.queue_count = path_queue_count(p);
    note_flights(p, p->collecting, p->decoded, s->next.queue);
    note_collected(p, s, t);
    s->d.flight = (s->q.flight & ~descriptors->commit) | fetched;
    s->d.memory = (s->q.memory | decoded) & ~descriptors->commit;
}

/* --- ports --- */

static bool accesses_memory(const struct flight *f) {
    return f->i && (f->i->is_load || f->i->is_store);
}

/* The warp is in that register: has the event come in cycle t? */
static void note_inputs(const struct cluster *c, struct simt_coprocessor *s, uint64_t t) {
    const struct thread_descriptor_table_in *descriptors = &c->descriptors.in;
    const struct subwarp_dispatcher_in *dispatcher = &c->path.dispatcher.in;
    const int newest = path_last_collected(&c->path);
    s->in = (struct simt_coprocessor_in){
        .simt = true,
        .start_context = descriptors->start_context,
        .start_pc = descriptors->start_pc,
        .fetched = s->q.f_valid && c->path.flight[s->q.f_warp].fetched <= t,
        .decode_memory = s->q.d_valid && accesses_memory(&c->path.flight[s->q.d_warp]),
        .collect = s->q.queue_count && c->path.flight[s->now.queue[0]].o == t,
        .collected = newest >= 0 && c->path.flight[newest].collected == t,
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

static void coprocessor_cycle(struct cluster *c, uint64_t t) {
    struct simt_coprocessor *s = &c->coprocessor;
    note_inputs(c, s, t);
    note_registers(c, s, t);
    simt_coprocessor_tell(s);
    cluster_run_twin(c, CLUSTER_BLOCK_COPROCESSOR, t);
    simt_coprocessor_edge(s);
}

bool cluster_whole_chooses(struct cluster *c, uint64_t t) {
    struct simt_coprocessor *s = &c->coprocessor;
    struct path *p = &c->path;
    note_inputs(c, s, t);
    p->scheduler.in = (struct warp_scheduler_in){p->ready_to_run, p->stalled, true};
    if (s->q.a_valid)
        warp_pc_arbiter_read(&p->arbiter, &c->descriptors.warp[s->q.a_warp]);
    else
        p->arbiter.in.ready = 0;
    const bool a_leaves = simt_coprocessor_choose(s);
    p->scheduler.in.take = !s->q.a_valid || a_leaves;
    return a_leaves;
}

void cluster_whole_cycle(struct cluster *c, uint64_t t) {
    if (c->twins->attached[CLUSTER_BLOCK_COPROCESSOR]) coprocessor_cycle(c, t);
    descriptors_cycle(c, t);
}

/* Only the table and what it says changes. */
static void coprocessor_start_cycle(struct cluster *c, uint64_t t) {
    struct simt_coprocessor *s = &c->coprocessor;
    const struct thread_descriptor_table *table = &c->descriptors;
    s->in = (struct simt_coprocessor_in){.start = table->in.start,
                                         .start_context = table->start_context,
                                         .start_pc = table->start_pc,
                                         .execute_target = table->in.execute_target};
    s->out = (struct simt_coprocessor_out){
        .runnable = table->out.runnable, .live = table->out.live, .exited = c->barriers.q.exited};
    s->d.simt = false;
    cluster_run_twin(c, CLUSTER_BLOCK_COPROCESSOR, t);
    simt_coprocessor_edge(s);
}

void cluster_start_cycle(struct cluster *c, uint64_t t) {
    path_rest_scheduler(&c->path, t);
    if (c->twins->attached[CLUSTER_BLOCK_COPROCESSOR]) coprocessor_start_cycle(c, t);
    if (cluster_notes_descriptors(c))
        descriptors_cycle(c, t);
    else
        c->descriptors.in.start = 0;
}

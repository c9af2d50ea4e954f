/* Beside twins: what the pipeline did in a cycle, as the co-processor's and the descriptors' ports say it. */
#include "model/cluster/cluster_simt.h"

#include <string.h>

void cluster_rest_scheduler(struct cluster *c, uint64_t t) {
    struct warp_scheduler *s = &c->scheduler;
    s->in = (struct warp_scheduler_in){.stalled = c->warps == 64 ? ~0ull : warp_bit(c->warps) - 1};
    warp_scheduler_eval(s);
    cluster_run_twin(c, CLUSTER_BLOCK_SCHEDULER, t);
    warp_scheduler_clock(s);
}

void cluster_descriptors_cycle(struct cluster *c, uint64_t t) {
    thread_descriptor_table_note(&c->descriptors);
    cluster_run_twin(c, CLUSTER_BLOCK_DESCRIPTORS, t);
    thread_descriptor_table_edge(&c->descriptors);
}

/* --- registers ---------------------------------------------------------------------------------------------
 */

static uint32_t number(int warp) {
    return warp == CLUSTER_NO_WARP ? 0 : (uint32_t)warp;
}

/* O has the one collected last, if it is not collected; the others wait for the lanes. */
static void note_collected(const struct cluster *c, struct simt_coprocessor *s, uint64_t t) {
    unsigned waiting = c->collected_count;
    s->d.o_valid = waiting && c->flight[c->collected[waiting - 1]].collected > t;
    if (s->d.o_valid) --waiting;
    s->d.o_warp = s->d.o_valid ? c->collected[waiting] : 0;
    s->d.waiting_count = waiting;
    memcpy(s->next.waiting, c->collected, waiting * sizeof c->collected[0]);
}

/* As they are after cycle t. */
static void note_registers(const struct cluster *c, struct simt_coprocessor *s, uint64_t t) {
    const struct thread_descriptor_table_in *descriptors = &c->descriptors.in;
    const uint64_t fetched = (uint64_t)descriptors->schedule << s->q.a_warp;
    const uint64_t decoded = (uint64_t)(s->q.d_valid && s->in.decode_memory) << s->q.d_warp;
    s->next = (struct simt_coprocessor_words){0};
    s->d.simt = true;
    s->d.a_valid = c->a_warp >= 0;
    s->d.a_warp = number(c->a_warp);
    s->d.f_valid = c->f_warp >= 0;
    s->d.f_warp = number(c->f_warp);
    s->d.f_pc = s->d.f_valid ? c->flight[c->f_warp].pc : 0;
    s->d.d_valid = c->d_warp >= 0;
    s->d.d_warp = number(c->d_warp);
    s->d.queue_count = c->queue_count;
    memcpy(s->next.queue, c->queue, c->queue_count * sizeof c->queue[0]);
    note_collected(c, s, t);
    s->d.flight = (s->q.flight & ~descriptors->commit) | fetched;
    s->d.memory = (s->q.memory | decoded) & ~descriptors->commit;
}

/* --- ports -------------------------------------------------------------------------------------------------
 */

static bool accesses_memory(const struct warp_flight *f) {
    return f->i && (f->i->is_load || f->i->is_store);
}

/* The warp is in that register: has the event come in cycle t? */
static void note_inputs(const struct cluster *c, struct simt_coprocessor *s, uint64_t t) {
    const struct thread_descriptor_table_in *descriptors = &c->descriptors.in;
    const struct subwarp_dispatcher_in *dispatcher = &c->dispatcher.in;
    const unsigned newest = c->collected_count ? c->collected[c->collected_count - 1] : 0;
    s->in = (struct simt_coprocessor_in){
        .simt = true,
        .start_context = descriptors->start_context,
        .start_pc = descriptors->start_pc,
        .fetched = s->q.f_valid && c->flight[s->q.f_warp].fetched <= t,
        .decode_memory = s->q.d_valid && accesses_memory(&c->flight[s->q.d_warp]),
        .collect = s->q.queue_count && c->flight[s->now.queue[0]].o == t,
        .collected = c->collected_count && c->flight[newest].collected == t,
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

void cluster_coprocessor_cycle(struct cluster *c, uint64_t t) {
    struct simt_coprocessor *s = &c->coprocessor;
    note_inputs(c, s, t);
    note_registers(c, s, t);
    simt_coprocessor_tell(s);
    cluster_run_twin(c, CLUSTER_BLOCK_COPROCESSOR, t);
    simt_coprocessor_edge(s);
}

/* Only the table and what it says changes. */
void cluster_start_cycle(struct cluster *c, uint64_t t) {
    struct simt_coprocessor *s = &c->coprocessor;
    const struct thread_descriptor_table *table = &c->descriptors;
    cluster_rest_scheduler(c, t);
    s->in = (struct simt_coprocessor_in){.start = table->in.start,
                                         .start_context = table->start_context,
                                         .start_pc = table->start_pc,
                                         .execute_target = table->in.execute_target};
    s->out = (struct simt_coprocessor_out){
        .runnable = table->out.runnable, .live = table->out.live, .exited = c->barriers.q.exited};
    s->d.simt = false;
    cluster_run_twin(c, CLUSTER_BLOCK_COPROCESSOR, t);
    simt_coprocessor_edge(s);
    cluster_descriptors_cycle(c, t);
}

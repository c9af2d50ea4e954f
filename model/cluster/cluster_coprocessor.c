/* The co-processor in cycles in which contexts start. */
#include "model/cluster/cluster.h"

void cluster_rest_scheduler(struct cluster *c, uint64_t t) {
    struct warp_scheduler *s = &c->blocks.scheduler;
    s->in = (struct warp_scheduler_in){.stalled = warp_set_all(c->warps)};
    warp_scheduler_eval(s);
    block_twins_cycle(c->twins, CLUSTER_BLOCK_SCHEDULER, t);
    warp_scheduler_clock(s);
}

void cluster_descriptors_cycle(struct cluster *c, uint64_t t) {
    thread_descriptor_table_note(&c->descriptors);
    block_twins_cycle(c->twins, CLUSTER_BLOCK_DESCRIPTORS, t);
    thread_descriptor_table_edge(&c->descriptors);
}

/* Steps the co-processor's twin. Only the table of descriptors and its outputs change in such a cycle. */
static void coprocessor_cycle(struct cluster *c, uint64_t t) {
    struct simt_coprocessor *s = &c->coprocessor;
    const struct thread_descriptor_table *table = &c->descriptors;
    s->in = (struct simt_coprocessor_in){.start = table->in.start,
                                         .start_context = table->start_context,
                                         .start_pc = table->start_pc,
                                         .execute_target = table->in.execute_target};
    s->out = (struct simt_coprocessor_out){
        .runnable = table->out.runnable, .live = table->out.live, .exited = c->barriers.q.exited};
    s->d.simt = false;
    block_twins_cycle(c->twins, CLUSTER_BLOCK_COPROCESSOR, t);
    simt_coprocessor_edge(s);
}

void cluster_start_cycle(struct cluster *c, uint64_t t) {
    cluster_rest_scheduler(c, t);
    if (c->twins->attached[CLUSTER_BLOCK_COPROCESSOR]) coprocessor_cycle(c, t);
    if (cluster_notes_descriptors(c))
        cluster_descriptors_cycle(c, t);
    else
        c->descriptors.in.start = 0;
}

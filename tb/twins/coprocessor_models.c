#include "tb/twins/coprocessor_models.h"

void coprocessor_models_init(struct coprocessor_models *m, const struct coprocessor_sizes *s) {
    m->descriptors.warp = m->room.warp;
    m->descriptors.rows = m->room.row[0];
    warp_scheduler_init(&m->scheduler, s->scheduler, s->warps, s->active_warps);
    warp_pc_arbiter_init(&m->arbiter, s->pc_policy, s->warp_size, s->levels);
    thread_descriptor_table_init(&m->descriptors, s->warps, s->warp_size, s->levels);
    thread_descriptor_table_lanes(&m->descriptors, s->lanes, s->cyclic);
    barrier_table_init(&m->barriers, 1, false);
    subwarp_dispatcher_init(&m->dispatcher, s->warps, s->warp_size, s->lanes);
    simt_coprocessor_init(&m->whole, &(struct simt_coprocessor_config){s->queue_entries, s->collectors},
                          &(struct simt_coprocessor_blocks){&m->scheduler, &m->arbiter, &m->descriptors,
                                                            &m->barriers, &m->dispatcher});
}

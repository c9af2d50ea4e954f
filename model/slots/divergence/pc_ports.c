/* pc with decisions by the blocks warp_pc_arbiter and thread_descriptor_table. The descriptors have the PC of
 * each thread. */
#include "model/slots/divergence/pc_ports.h"

#include "model/unit/slots.h"

void pc_ports_rest(struct unit *u, uint64_t t) {
    struct warp_pc_arbiter *a = &u->blocks->arbiter;
    if (!u->cluster->twins) return;
    a->in.ready = 0; /* the arbiter sees a warp in the cycle in which A hands it over */
    warp_pc_arbiter_eval(a);
    unit_run_twin(u, CLUSTER_BLOCK_ARBITER, t);
}

static void pc_ports_next(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    struct warp_pc_arbiter *a = &u->blocks->arbiter;
    struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    if (!c->coprocessor.policy.choose) { /* a policy has evaluated the arbiter already */
        warp_pc_arbiter_read(a, w);
        warp_pc_arbiter_eval(a);
        unit_run_twin(u, CLUSTER_BLOCK_ARBITER, t);
    }
    f->pc = a->out.pc;
    f->participating = a->out.participating;
    const uint64_t together = u->mixed ? u->slots->mitigation->mixed->together(u, f->warp) : 0;
    if (together & ~f->participating) f->participating = together;
    tdt_schedule(w, f->participating);
    unit_tell_schedule(u, f);
}

static uint64_t pc_ports_commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    return divergence_pc.commit(u, f, t);
}

const struct divergence_slot divergence_pc_ports = {.next = pc_ports_next, .commit = pc_ports_commit};

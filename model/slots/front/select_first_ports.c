/* select_first with decisions by the blocks warp_scheduler and warp_pc_arbiter, or by the co-processor's
 * policy. */
#include "model/slots/divergence/pc_ports.h"
#include "model/unit/services.h"

static void clock_scheduler(struct unit *u, bool take, uint64_t t) {
    struct warp_scheduler *s = &u->blocks->scheduler;
    s->in.ready = u->ready;
    s->in.stalled = u->stalled;
    s->in.take = take;
    warp_scheduler_eval(s);
    unit_run_twin(u, CLUSTER_BLOCK_SCHEDULER, t);
    warp_scheduler_clock(s);
}

static uint64_t select_first_ports_step(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    const struct warp_scheduler_out *picked = &u->blocks->scheduler.out;
    const bool f_holds = u->left != u->arbitrated, a_holds = u->arbitrated != u->selected;
    struct unit_flight *f = nth(u, u->left), *a = nth(u, u->arbitrated);
    const bool f_leaves =
        f_holds && !unit_holds(u, f) && f->fetched <= t && u->left - u->collecting < u->queue_entries;
    const bool f_free = (!u->mixed || u->slots->mitigation->mixed->fetch(u, t)) && (!f_holds || f_leaves);
    const bool chosen = c->coprocessor.policy.choose != NULL;
    bool a_leaves = a_holds && a->s + u->arbitrate_cycles <= t && f_free;
    if (chosen)
        a_leaves = unit_whole_chooses(u, t);
    else
        clock_scheduler(u, !a_holds || a_leaves, t);
    if (u->decoded != u->left) unit_decode(u, t);
    if (f_leaves) {
        f->left = t;
        ++u->left;
    }
    if (a_leaves)
        unit_leave_arbitrate(u, a, t);
    else if (!chosen)
        pc_ports_rest(u, t);
    if (!picked->valid) return t + 1;
    c->descriptors.in.select = true;
    c->descriptors.in.select_warp = picked->warp;
    unit_select(u, picked->warp, t);
    return t + 1;
}

const struct front_slot front_select_first_ports = {.step = select_first_ports_step};

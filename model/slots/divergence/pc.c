/* Each thread has a PC. An arbiter chooses a PC of the ready threads, and all ready threads there run
 * together.
 *
 * Without ports, threads that have run together have one PC (struct warp_descriptors: together) until their
 * PCs differ. The arbiter is evaluated only after other threads have reached that PC, or levels or the set of
 * ready threads have changed. */
#include "model/slots/divergence/pc_ports.h"

/* --- A --- */

UNIT_STAGE void pc_next(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct warp_descriptors *w = &u->cluster->descriptors.warp[f->warp];
    (void)t;
    cluster_arbitrate(u->cluster, f->warp, UNIT_GENERAL && u->shows);
    f->pc = w->together_pc;
    f->participating = w->together;
    tdt_schedule(w, f->participating);
}

/* --- C --- */

/* Executes a co-processor instruction. Returns the threads that stay ready. */
static __attribute__((noinline)) uint64_t operate(struct unit *u, const struct unit_flight *f) {
    struct cluster *c = u->cluster;
    const struct simt_instruction n = unit_instruction(f);
    bool leaves = false;
    const uint64_t stay = cluster_commit_operation(c, &n, f->passed, &leaves, c->now + 1);
    if (!leaves) return stay;
    u->barriers_next = 0;
    u->left_pc = f->pc;
    if (unit_is_uniform(u) && !tdt_live(&c->descriptors.warp[f->warp]))
        uniform_released(&c->uniform, f->warp);
    return stay;
}

UNIT_STAGE uint64_t pc_commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    const struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    const struct simt_instruction n = unit_instruction(f);
    (void)t;
    if (UNIT_GENERAL && w->together != f->participating)
        cluster_part(c, &n, f->passed); /* there is a second flight of the warp, or there are ports */
    else
        cluster_go_on(c, &n, f->passed);
    return __builtin_expect(f->i->is_coprocessor, 0) ? operate(u, f) : f->participating;
}

UNIT_ROW const struct divergence_slot divergence_pc = {
    .next = pc_next, .commit = pc_commit, .ports = &divergence_pc_ports};

/* Uniform instructions in a cluster's pipeline: what its stages tell the blocks of uniform.h in a cycle, and
 * what these decide. */
#include "model/cluster.h"

static struct uniform_warp warp_of(struct cluster *c, int warp) {
    return (struct uniform_warp){(unsigned)warp, c->flight[warp].participating,
                                 tdt_live(&c->descriptors.warp[warp]), &c->threads[warp]};
}

static void nothing_happens(struct cluster *c) {
    c->uniform_now.decoded = c->uniform_now.collecting = c->uniform_now.writing = CLUSTER_NO_WARP;
    c->uniform_now.executed = c->uniform_now.landed = CLUSTER_NO_WARP;
}

void cluster_uniform_begin(struct cluster *c, uint64_t t) {
    uint64_t warps = 0;
    for (unsigned w = 0; w < c->warps; ++w) warps |= (uint64_t)(tdt_live(&c->descriptors.warp[w]) != 0) << w;
    nothing_happens(c);
    uniform_start(&c->uniform, warps, t);
    if (c->twins) return; /* they see it in the first cycle */
    uniform_eval(&c->uniform);
    uniform_clock(&c->uniform);
}

void cluster_uniform_inputs(struct cluster *c) {
    struct uniform *u = &c->uniform;
    const int d = c->uniform_now.decoded, o = c->uniform_now.collecting, x = c->uniform_now.writing;
    if (d != CLUSTER_NO_WARP) {
        const struct uniform_warp w = warp_of(c, d);
        uniform_read(u, &w, c->flight[d].i);
    }
    if (o != CLUSTER_NO_WARP) {
        const struct uniform_warp w = warp_of(c, o);
        uniform_look_up(u, &w, c->flight[o].pc, c->flight[o].i, &c->flight[o].uniform);
    }
    if (x != CLUSTER_NO_WARP) {
        struct warp_flight *f = &c->flight[x];
        const struct uniform_warp w = warp_of(c, x);
        uniform_write(u, &w, f->i, &f->execution, &f->uniform, c->uniform_now.beat);
    }
}

static void decoded(struct cluster *c, int warp) {
    struct warp_flight *f = &c->flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    uniform_decoded(&c->uniform, &w, &f->i, &f->uniform);
    f->read_lines = f->uniform.read_lines;
    f->rounds = f->uniform.form == UNIFORM_SCALAR ? 1 : c->rounds;
}

/* The collection that began in this cycle. */
static void collected(struct cluster *c, int warp) {
    struct warp_flight *f = &c->flight[warp];
    uniform_collected(&c->uniform, f->i, &f->uniform);
    f->collected += f->uniform.broadcast;
    c->o_free += f->uniform.broadcast;
    if (f->uniform.form == UNIFORM_REUSED) f->rounds = 1;
}

static void written(struct cluster *c, int warp) {
    struct warp_flight *f = &c->flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    uniform_written(&c->uniform, &w, f->i, &f->uniform);
    if (c->uniform_now.executed == warp && f->uniform.form == UNIFORM_VECTOR) f->rounds = c->rounds;
}

static void executed(struct cluster *c, int warp) {
    const struct warp_flight *f = &c->flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    uniform_executed(&c->uniform, &w, f->i, f->execution.passed, &f->uniform, f->x);
}

void cluster_uniform_outputs(struct cluster *c) {
    if (c->uniform_now.decoded != CLUSTER_NO_WARP) decoded(c, c->uniform_now.decoded);
    if (c->uniform_now.collecting != CLUSTER_NO_WARP) collected(c, c->uniform_now.collecting);
    if (c->uniform_now.writing != CLUSTER_NO_WARP) written(c, c->uniform_now.writing);
    if (c->uniform_now.executed != CLUSTER_NO_WARP) executed(c, c->uniform_now.executed);
    if (c->uniform_now.landed != CLUSTER_NO_WARP) executed(c, c->uniform_now.landed);
}

void cluster_uniform_clock(struct cluster *c) {
    const int x = c->uniform_now.writing;
    uniform_clock(&c->uniform);
    if (c->check_uniform && x != CLUSTER_NO_WARP && !c->flight[x].uniform.loads) {
        const struct uniform_warp w = warp_of(c, x);
        uniform_check(&c->uniform, &w, c->flight[x].pc);
    }
    nothing_happens(c);
}

bool cluster_uniform_active(const struct cluster *c) {
    return c->uniform_now.decoded != CLUSTER_NO_WARP || c->uniform_now.collecting != CLUSTER_NO_WARP ||
           c->uniform_now.writing != CLUSTER_NO_WARP || c->uniform.reuse.in.insert ||
           c->uniform.rename.in.release;
}

void cluster_uniform_committed(struct cluster *c, unsigned warp) {
    const struct warp_flight *f = &c->flight[warp];
    const struct uniform_warp w = warp_of(c, (int)warp);
    uniform_committed(&c->uniform, &w, f->pc, f->s, f->i, &f->uniform);
}

/* Uniform instructions (uniform.h): inputs that the stages give to its blocks, and the blocks' decisions. A
 * stage gets its answer at once; with twins, the blocks have their cycle after all stages. */
#include "model/unit/services.h"

static struct uniform_warp warp_of(struct unit *u, const struct unit_flight *f) {
    struct cluster *c = u->cluster;
    return (struct uniform_warp){f->warp, f->participating, tdt_live(&c->descriptors.warp[f->warp]),
                                 &c->threads[f->warp]};
}

static struct uniform_flight *form_of(struct unit *u, const struct unit_flight *f) {
    return &u->uniform[f - u->flight];
}

void unit_uniform_begin(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    const bool srf = c->config->uniform.storage == UNIFORM_SRF; /* warps without threads have no registers */
    uniform_start(&c->uniform, srf ? cluster_live_warps(c) : warp_set_all(c->warps), t);
    if (c->twins) return; /* the first cycle does this, together with the twins */
    uniform_eval(&c->uniform);
    uniform_clock(&c->uniform);
}

/* --- D --- */

void unit_uniform_decode(struct unit *u, struct unit_flight *f) {
    struct uniform *blocks = &u->cluster->uniform;
    struct uniform_flight *x = form_of(u, f);
    const struct uniform_warp w = warp_of(u, f);
    uniform_read(blocks, &w, f->i);
    uniform_decoded(blocks, &f->i, x);
    if (x->form == UNIFORM_COPY) warp_set_add(&u->copying, f->warp);
    f->read_lines = (uint16_t)x->read_lines;
    u->slots->contexts->reads(u, f);
    if (x->form == UNIFORM_SCALAR)
        f->rounds = 1;
    else
        u->slots->mitigation->rounds(u, f);
}

bool unit_uniform_holds(const struct unit *u, const struct unit_flight *f) {
    const struct unit_flight *d = unit_nth(u, u->decoded);
    if (u->decoded == u->left || d->warp != f->warp || !d->i) return warp_set_has(u->copying, f->warp);
    const struct uniform_warp w = warp_of((struct unit *)u, d);
    return uniform_copies_first(&u->cluster->uniform, &w, d->i); /* D finds this out in this cycle */
}

/* --- O --- */

void unit_uniform_collect(struct unit *u, struct unit_flight *f) {
    struct uniform *blocks = &u->cluster->uniform;
    struct uniform_flight *x = form_of(u, f);
    if (!f->i || !(x->uniform || u->cluster->config->uniform.broadcast_cycles)) return;
    const struct uniform_warp w = warp_of(u, f);
    uniform_operands(blocks, &w, f->i, x);
    uniform_collected(blocks, f->pc, f->i, x);
    f->collected += x->broadcast;
    u->o_free += x->broadcast;
    if (x->form == UNIFORM_REUSED) f->rounds = 1;
}

/* --- X --- */

/* Compares the values of the threads of a warp with the warp's tokens. */
static void check_tokens(struct unit *u, const struct unit_flight *f) {
    const struct uniform_warp w = warp_of(u, f);
    if (!form_of(u, f)->loads) uniform_check(&u->cluster->uniform, &w, f->pc);
}

void unit_uniform_write(struct unit *u, struct unit_flight *f, unsigned beat) {
    struct cluster *c = u->cluster;
    struct uniform_flight *x = form_of(u, f);
    const struct uniform_warp w = warp_of(u, f);
    if (!c->twins && uniform_keeps_tokens(&c->uniform, f->warp, f->i, x)) {
        uniform_written_plainly(&c->uniform, f->i, x);
        return;
    }
    uniform_write(&c->uniform, &w, f->i, f->passed, u->execution[f - u->flight].address, x, beat);
    if (!c->uniform.writes) return;
    uniform_eval(&c->uniform);
    uniform_written(&c->uniform, &w, f->i, x);
    if (x->form == UNIFORM_VECTOR) u->slots->mitigation->rounds(u, f);
    if (c->twins) return;
    uniform_clock(&c->uniform);
    if (c->check_uniform) check_tokens(u, f);
}

/* Notes the results of a beat. A load has a register for each beat of the last round; a store may write its
 * base back in the last one. */
void unit_uniform_write_beat(struct unit *u, struct unit_flight *f) {
    if (f->i->is_store && u->x_beat + 1 < f->i->access_count) return;
    unit_uniform_write(u, f, u->x_beat);
}

void unit_uniform_execute(struct unit *u, struct unit_flight *f) {
    if (f->passed) unit_uniform_write(u, f, 0);
    if (u->cluster->fault) unit_watch_fault(u, f, fault_executed);
    unit_uniform_executed(u, f);
}

void unit_uniform_executed(struct unit *u, const struct unit_flight *f) {
    const struct uniform_warp w = warp_of(u, f);
    uniform_executed(&u->cluster->uniform, &w, f->i, f->passed, form_of(u, f), f->x);
}

/* --- C --- */

void unit_uniform_committed(struct unit *u, const struct unit_flight *f) {
    const struct uniform_warp w = warp_of(u, f);
    uniform_committed(&u->cluster->uniform, &w, f->pc, f->s, f->i, form_of(u, f));
}

/* --- the cycle --- */

/* Returns the flight of the warp whose results are written: the one in X. */
static const struct unit_flight *written(const struct unit *u, unsigned warp) {
    const struct unit_flight *f = &u->flight[u->shown];
    invariant(f->warp == warp, "warp %u writes uniform values, but warp %u is in X", warp, f->warp);
    return f;
}

static void step_twins(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    struct uniform *blocks = &c->uniform;
    const bool writes = blocks->writes;
    const unsigned warp = c->config->uniform.storage == UNIFORM_SRF ? blocks->rename.in.write_warp
                                                                    : blocks->tokens.in.write_warp;
    uniform_eval(blocks);
    simt_uniform_edge(&c->simt, c->twins, t);
    if (writes && c->check_uniform) check_tokens(u, written(u, warp));
    if (c->config->uniform.inter) simt_uniform_edge_reuse(&c->simt, c->twins, t);
}

void unit_uniform_step(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    if (c->twins) {
        step_twins(u, t);
        return;
    }
    if (c->uniform.rename.in.release) {
        uniform_eval(&c->uniform);
        uniform_clock(&c->uniform);
    }
    if (c->uniform.looks_up || c->uniform.reuse.in.insert) simt_uniform_edge_reuse(&c->simt, NULL, t);
}

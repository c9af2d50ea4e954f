/* Uniform instructions in a cluster's pipeline: what its stages tell the blocks of uniform.h, and what these
 * decide. A stage has its answer at once; beside twins the blocks have their cycle when all has begun that
 * begins in it. */
#include "model/pipeline/pipeline.h"

static struct uniform_warp warp_of(struct cluster *c, unsigned warp) {
    return (struct uniform_warp){warp, c->path.flight[warp].participating,
                                 tdt_live(&c->descriptors.warp[warp]), &c->threads[warp]};
}

static enum cluster_block tokens_block(const struct cluster *c) {
    return c->config->uniform.storage == UNIFORM_SRF ? CLUSTER_BLOCK_RENAME : CLUSTER_BLOCK_TOKENS;
}

warp_set cluster_live_warps(const struct cluster *c) {
    warp_set warps = 0;
    for (unsigned w = 0; w < c->warps; ++w) warps |= (warp_set)(tdt_live(&c->descriptors.warp[w]) != 0) << w;
    return warps;
}

void cluster_uniform_begin(struct cluster *c, uint64_t t) {
    const bool srf = c->config->uniform.storage == UNIFORM_SRF; /* none for warps without threads */
    uniform_start(&c->uniform, srf ? cluster_live_warps(c) : warp_set_all(c->warps), t);
    if (c->twins) return; /* they see it in the first cycle */
    uniform_eval(&c->uniform);
    uniform_clock(&c->uniform);
}

/* --- D --- */

void cluster_uniform_decode(struct cluster *c, unsigned warp) {
    struct flight *f = &c->path.flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    uniform_read(&c->uniform, &w, f->i);
    uniform_eval_read(&c->uniform);
    uniform_decoded(&c->uniform, &f->i, &f->uniform);
    f->read_lines = f->uniform.read_lines;
    path_count_reads(&c->path, f);
    f->rounds = f->uniform.form == UNIFORM_SCALAR ? 1 : cluster_rounds_of(c, f->participating);
}

/* --- O --- */

void cluster_uniform_collect(struct cluster *c, unsigned warp) {
    struct flight *f = &c->path.flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    uniform_look_up(&c->uniform, &w, f->pc, f->i, &f->uniform);
    if (c->uniform.looks_up) uniform_eval_reuse(&c->uniform);
    uniform_collected(&c->uniform, f->i, &f->uniform);
    f->collected += f->uniform.broadcast;
    c->path.o_free += f->uniform.broadcast;
    if (f->uniform.form == UNIFORM_REUSED) f->rounds = 1;
}

/* --- X --- */

static void check(struct cluster *c, unsigned warp) {
    const struct uniform_warp w = warp_of(c, warp);
    if (!c->path.flight[warp].uniform.loads) uniform_check(&c->uniform, &w, c->path.flight[warp].pc);
}

void cluster_uniform_write(struct cluster *c, unsigned warp, unsigned beat) {
    struct flight *f = &c->path.flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    if (!c->twins && uniform_keeps_tokens(&c->uniform, warp, f->i, &f->uniform)) {
        uniform_written_plainly(&c->uniform, f->i, &f->uniform);
        return;
    }
    uniform_write(&c->uniform, &w, f->i, &f->execution, &f->uniform, beat);
    if (!c->uniform.writes) return;
    uniform_eval(&c->uniform);
    uniform_written(&c->uniform, &w, f->i, &f->uniform);
    if (f->uniform.form == UNIFORM_VECTOR) f->rounds = cluster_rounds_of(c, f->participating);
    if (c->twins) return;
    uniform_clock(&c->uniform);
    if (c->check_uniform) check(c, warp);
}

void cluster_uniform_executed(struct cluster *c, unsigned warp) {
    const struct flight *f = &c->path.flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    uniform_executed(&c->uniform, &w, f->i, f->execution.passed, &f->uniform, f->x);
}

/* --- C --- */

void cluster_uniform_committed(struct cluster *c, unsigned warp) {
    const struct flight *f = &c->path.flight[warp];
    const struct uniform_warp w = warp_of(c, warp);
    uniform_committed(&c->uniform, &w, f->pc, f->s, f->i, &f->uniform);
}

/* --- the cycle --- */

static void step_twins(struct cluster *c, uint64_t t) {
    struct uniform *u = &c->uniform;
    const bool writes = u->writes;
    const unsigned warp =
        tokens_block(c) == CLUSTER_BLOCK_RENAME ? u->rename.in.write_warp : u->tokens.in.write_warp;
    uniform_eval(u);
    if (tokens_block(c) == CLUSTER_BLOCK_RENAME) srf_rename_write_map(&u->rename);
    cluster_run_twin(c, tokens_block(c), t);
    uniform_clock(u);
    if (writes && c->check_uniform) check(c, warp);
    if (!c->config->uniform.inter) return;
    uniform_eval_reuse(u);
    cluster_run_twin(c, CLUSTER_BLOCK_REUSE, t);
    uniform_clock_reuse(u);
}

void cluster_uniform_step_blocks(struct cluster *c, uint64_t t) {
    struct uniform *u = &c->uniform;
    if (c->twins) {
        step_twins(c, t);
        return;
    }
    if (u->rename.in.release) {
        uniform_eval(u);
        uniform_clock(u);
    }
    if (!u->looks_up && !u->reuse.in.insert) return;
    if (!u->looks_up) uniform_eval_reuse(u);
    if (__builtin_expect(c->fault != NULL, 0)) fault_reused(c->fault, u);
    uniform_clock_reuse(u);
}

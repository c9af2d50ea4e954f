#include "model/divergence/re_convergence_stack_cycle.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void re_convergence_stack_cycle_init(struct re_convergence_stack_cycle *c, struct re_convergence_stack *s) {
    invariant(s->cfg.warps <= SM_MAX_WARPS && s->cfg.warp_size <= RE_CONVERGENCE_STACK_CYCLE_MAX_WARP_SIZE &&
                  s->cfg.calls <= RE_CONVERGENCE_STACK_MAX_CALLS,
              "cycles of re-convergence stacks of %u warps of %u threads, %u calls", s->cfg.warps,
              s->cfg.warp_size, s->cfg.calls);
    memset(c, 0, sizeof *c);
    c->stack = s;
    c->q.depth = c->depth;
    s->cycle = c;
    re_convergence_stack_cycle_reset(c);
}

struct re_convergence_stack_cycle *re_convergence_stack_cycle_create(struct re_convergence_stack *s,
                                                                     void (*evaluated)(void *context),
                                                                     void *context) {
    struct re_convergence_stack_cycle *c = malloc(sizeof *c);
    require_memory(c);
    re_convergence_stack_cycle_init(c, s);
    c->evaluated = evaluated;
    c->context = context;
    return c;
}

static void write_row(struct re_convergence_stack_cycle *c, unsigned warp) {
    struct re_convergence_stack_row *r = &c->row[warp];
    memset(r, 0, sizeof *r);
    for (unsigned n = 0; n < re_convergence_stack_depth(c->stack, warp); ++n) {
        const struct re_convergence_entry e = re_convergence_stack_entry(c->stack, warp, n);
        r->mask[n] = (uint64_t)e.mask;
        r->pc[n] = e.pc;
        r->rpc[n] = e.rpc;
        r->call[n] = e.call;
    }
    c->written |= (block_rows)1 << warp;
}

void re_convergence_stack_cycle_reset(struct re_convergence_stack_cycle *c) {
    c->in = (struct re_convergence_stack_in){0};
    memset(c->stack->warp, 0, c->stack->cfg.warps * sizeof *c->stack->warp);
    memset(c->depth, 0, sizeof c->depth);
    for (unsigned w = 0; w < c->stack->cfg.warps; ++w) write_row(c, w);
    c->written = 0;
}

/* --- a cycle --- */

static bool overflows(const struct re_convergence_stack_cycle *c) {
    const struct re_convergence_stack_in *in = &c->in;
    const unsigned more = (in->first_mask && in->first_call) + (in->second_mask && in->second_call);
    return in->commit && !in->move && c->stack->warp[in->commit_warp].calls + more > c->stack->cfg.calls;
}

/* Returns whether an entry has been moved. */
static bool commit(struct re_convergence_stack *s, const struct re_convergence_stack_in *in) {
    const unsigned w = in->commit_warp;
    const struct re_convergence_group groups[] = {{in->first_mask, in->first_pc, in->first_call},
                                                  {in->second_mask, in->second_pc, in->second_call}};
    if (in->move) return re_convergence_stack_move(s, w, in->ready_mask);
    if (in->exit_mask) re_convergence_stack_exit(s, w, in->exit_mask);
    if (in->more)
        re_convergence_stack_more(s, w, groups[0]);
    else if (in->second_mask)
        re_convergence_stack_part(s, w, groups, in->meeting);
    else if (in->first_mask && in->first_call)
        re_convergence_stack_call(s, w, in->first_pc, in->meeting);
    else if (in->first_mask)
        re_convergence_stack_jump(s, w, in->first_pc);
    return false;
}

void re_convergence_stack_cycle_eval(struct re_convergence_stack_cycle *c) {
    struct re_convergence_stack *s = c->stack;
    const struct re_convergence_stack_in *in = &c->in;
    c->out = (struct re_convergence_stack_out){
        .pc = re_convergence_stack_pc(s, in->read_warp),
        .mask = re_convergence_stack_mask(s, in->read_warp),
        .empty = !re_convergence_stack_depth(s, in->read_warp),
        .overflow = overflows(c),
    };
    c->written = 0;
    s->cycle = NULL; /* operations below act on the stack at once */
    if (in->commit && !c->out.overflow) {
        c->out.moves = commit(s, in);
        write_row(c, in->commit_warp);
    }
    if (in->start) {
        re_convergence_stack_start(s, in->start_warp, in->start_pc, in->start_mask);
        write_row(c, in->start_warp);
    }
    s->cycle = c;
}

void re_convergence_stack_cycle_clock(struct re_convergence_stack_cycle *c) {
    for (unsigned warp = 0; warp < c->stack->cfg.warps; ++warp)
        if (c->written >> warp & 1) c->depth[warp] = re_convergence_stack_depth(c->stack, warp);
    c->in = (struct re_convergence_stack_in){0};
}

struct re_convergence_stack_out re_convergence_stack_cycle_step(struct re_convergence_stack_cycle *c) {
    re_convergence_stack_cycle_eval(c);
    if (c->evaluated) c->evaluated(c->context);
    const struct re_convergence_stack_out out = c->out;
    re_convergence_stack_cycle_clock(c);
    return out;
}

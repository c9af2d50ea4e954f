#include "model/divergence/re_convergence_stack.h"

#include "model/divergence/re_convergence_stack_cycle.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

static unsigned room(const struct re_convergence_stack *s) {
    return 2 * s->cfg.warp_size + s->cfg.calls;
}

static struct re_convergence_entry *entries_of(const struct re_convergence_stack *s, unsigned warp) {
    return s->below + (size_t)warp * room(s);
}

void re_convergence_stack_init(struct re_convergence_stack *s, unsigned warps, unsigned warp_size,
                               unsigned calls) {
    invariant(warps >= 1 && warps <= SM_MAX_WARPS && warp_size >= 1 &&
                  warp_size <= RE_CONVERGENCE_STACK_MAX_WARP_SIZE,
              "re-convergence stacks of %u warps of %u threads", warps, warp_size);
    *s = (struct re_convergence_stack){.cfg = {warps, warp_size, calls}};
    s->warp = calloc(warps, sizeof *s->warp);
    s->below = calloc((size_t)warps * room(s), sizeof *s->below);
    require_memory(s->warp);
    require_memory(s->below);
}

void re_convergence_stack_free(struct re_convergence_stack *s) {
    free(s->warp);
    free(s->below);
    s->warp = NULL;
    s->below = NULL;
}

/* --- operations as cycles --- */

void re_convergence_stack_read(struct re_convergence_stack *s, unsigned warp) {
    if (!s->cycle) return;
    s->cycle->in.read_warp = warp;
    re_convergence_stack_cycle_step(s->cycle);
}

void re_convergence_stack_jump_cycle(struct re_convergence_stack *s, unsigned warp, uint32_t pc) {
    s->cycle->in = (struct re_convergence_stack_in){.commit = true,
                                                    .commit_warp = warp,
                                                    .read_warp = warp,
                                                    .first_mask = re_convergence_stack_mask(s, warp),
                                                    .first_pc = pc};
    re_convergence_stack_cycle_step(s->cycle);
}

static bool call_cycle(struct re_convergence_stack *s, unsigned warp, uint32_t target, uint32_t back) {
    s->cycle->in = (struct re_convergence_stack_in){.commit = true,
                                                    .commit_warp = warp,
                                                    .read_warp = warp,
                                                    .first_mask = re_convergence_stack_mask(s, warp),
                                                    .first_pc = target,
                                                    .first_call = true,
                                                    .meeting = back};
    return !re_convergence_stack_cycle_step(s->cycle).overflow;
}

/* Pushes one group of a divergent branch, or the last two at once. Each call takes a cycle of the block. */
static bool groups_cycle(struct re_convergence_stack *s, unsigned warp,
                         const struct re_convergence_group *groups, bool more, uint32_t meeting) {
    struct re_convergence_stack_in *in = &s->cycle->in;
    *in = (struct re_convergence_stack_in){.commit = true,
                                           .commit_warp = warp,
                                           .read_warp = warp,
                                           .more = more,
                                           .first_mask = (uint64_t)groups[0].mask,
                                           .first_pc = groups[0].pc,
                                           .first_call = groups[0].call,
                                           .meeting = meeting};
    if (!more) {
        in->second_mask = (uint64_t)groups[1].mask;
        in->second_pc = groups[1].pc;
        in->second_call = groups[1].call;
    }
    return !re_convergence_stack_cycle_step(s->cycle).overflow;
}

static bool move_cycle(struct re_convergence_stack *s, unsigned warp, re_convergence_mask ready) {
    s->cycle->in = (struct re_convergence_stack_in){
        .commit = true, .commit_warp = warp, .read_warp = warp, .move = true, .ready_mask = (uint64_t)ready};
    return re_convergence_stack_cycle_step(s->cycle).moves;
}

/* --- operations --- */

void re_convergence_stack_start(struct re_convergence_stack *s, unsigned warp, uint32_t pc,
                                re_convergence_mask mask) {
    if (s->cycle) {
        s->cycle->in = (struct re_convergence_stack_in){.start = true,
                                                        .start_warp = warp,
                                                        .read_warp = warp,
                                                        .start_pc = pc,
                                                        .start_mask = (uint64_t)mask};
        re_convergence_stack_cycle_step(s->cycle);
        return;
    }
    s->warp[warp] = mask ? (struct re_convergence_warp){.top = {.mask = mask, .pc = pc}, .depth = 1}
                         : (struct re_convergence_warp){.depth = 0};
}

/* --- pushing and removing the top --- */

static void push(struct re_convergence_stack *s, unsigned warp, struct re_convergence_entry e) {
    struct re_convergence_warp *w = &s->warp[warp];
    if (w->depth) entries_of(s, warp)[w->depth - 1] = w->top;
    w->top = e;
    ++w->depth;
    w->calls += e.call;
    invariant(w->depth - w->calls <= 2 * s->cfg.warp_size,
              "re-convergence stack of warp %u: %u entries, %u of calls", warp, w->depth, w->calls);
    if (w->depth > s->counted.deepest) s->counted.deepest = w->depth;
}

static void remove_top(struct re_convergence_stack *s, unsigned warp) {
    struct re_convergence_warp *w = &s->warp[warp];
    invariant(w->depth, "the re-convergence stack of warp %u is empty", warp);
    w->calls -= w->top.call;
    if (--w->depth)
        w->top = entries_of(s, warp)[w->depth - 1];
    else
        w->top = (struct re_convergence_entry){0};
}

void re_convergence_stack_pop(struct re_convergence_stack *s, unsigned warp) {
    const struct re_convergence_warp *w = &s->warp[warp];
    while (w->depth && (w->top.pc == w->top.rpc || !w->top.mask)) remove_top(s, warp);
}

/* --- commits --- */

bool re_convergence_stack_call(struct re_convergence_stack *s, unsigned warp, uint32_t target,
                               uint32_t back) {
    struct re_convergence_warp *w = &s->warp[warp];
    if (s->cycle) return call_cycle(s, warp, target, back);
    if (w->calls >= s->cfg.calls) return false;
    w->top.pc = back;
    push(s, warp,
         (struct re_convergence_entry){.mask = w->top.mask, .pc = target, .rpc = back, .call = true});
    return true;
}

/* Returns the return address of the innermost function of the top's threads; 0 if they are in none. Entries
 * below are searched by thread: after a barrier, an entry may lie above a call of other threads. */
static uint32_t return_address(const struct re_convergence_stack *s, unsigned warp) {
    const struct re_convergence_warp *w = &s->warp[warp];
    if (!w->calls) return 0;
    if (w->top.call) return w->top.rpc;
    const struct re_convergence_entry *entries = entries_of(s, warp);
    for (unsigned n = w->depth - 1; n--;)
        if (entries[n].call && entries[n].mask & w->top.mask) return entries[n].rpc;
    return 0;
}

/* Pushes a group, unless its PC is its re-convergence point. */
static void push_group(struct re_convergence_stack *s, unsigned warp, struct re_convergence_group g,
                       uint32_t rpc) {
    if (g.pc != rpc) push(s, warp, (struct re_convergence_entry){g.mask, g.pc, rpc, g.call});
}

bool re_convergence_stack_part(struct re_convergence_stack *s, unsigned warp,
                               const struct re_convergence_group *groups, uint32_t meeting) {
    struct re_convergence_warp *w = &s->warp[warp];
    if (s->cycle) return groups_cycle(s, warp, groups, false, meeting);
    if (w->calls + groups[0].call + groups[1].call > s->cfg.calls) return false;
    const uint32_t rpc = meeting ? meeting : return_address(s, warp);
    if (!rpc || (w->top.rpc == rpc && !w->top.call))
        remove_top(s, warp);
    else
        w->top.pc = rpc;
    for (unsigned n = 2; n--;) push_group(s, warp, groups[n], rpc);
    ++s->counted.divergences;
    s->counted.groups += 2;
    return true;
}

void re_convergence_stack_more(struct re_convergence_stack *s, unsigned warp,
                               struct re_convergence_group group) {
    if (s->cycle) {
        groups_cycle(s, warp, &group, true, 0);
        return;
    }
    push_group(s, warp, group, s->warp[warp].top.rpc);
    ++s->counted.groups;
}

bool re_convergence_stack_diverge(struct re_convergence_stack *s, unsigned warp,
                                  const struct re_convergence_group *groups, unsigned count,
                                  uint32_t meeting) {
    const re_convergence_mask top = s->warp[warp].top.mask;
    re_convergence_mask mask = 0;
    for (unsigned n = 0; n < count; ++n) {
        invariant(groups[n].mask && !(mask & groups[n].mask) && (count == 2 || !groups[n].call),
                  "group %u of %u of warp %u", n, count, warp);
        mask |= groups[n].mask;
    }
    invariant(count >= 2 && mask == top, "warp %u: %u groups of 0x%llx, its top has 0x%llx", warp, count,
              (unsigned long long)(uint64_t)mask, (unsigned long long)(uint64_t)top);
    if (!re_convergence_stack_part(s, warp, groups + count - 2, meeting)) return false;
    for (unsigned n = count - 2; n--;) re_convergence_stack_more(s, warp, groups[n]);
    return true;
}

/* Returns the threads of `mask` that continue at `pc`. */
static re_convergence_mask going_to(uint32_t pc, re_convergence_mask mask, const uint32_t *next) {
    re_convergence_mask its = 0;
    for (re_convergence_mask rest = mask; rest; rest &= rest - 1)
        if (next[re_convergence_first(rest)] == pc) its |= rest & -rest;
    return its;
}

/* Returns whether the threads of `mask` are in lanes 0 to n and all continue at one PC. This common case is
 * tested without a search. */
static bool go_together(re_convergence_mask mask, const uint32_t *next) {
    const uint64_t low = (uint64_t)mask;
    uint32_t differences = 0;
    if (!mask || mask != low || low & (low + 1)) return false;
    const unsigned count = (unsigned)__builtin_popcountll(low);
    for (unsigned k = 0; k < count; ++k) differences |= next[k] ^ next[0];
    return !differences;
}

unsigned re_convergence_groups(uint32_t pc, re_convergence_mask mask, const uint32_t *next,
                               struct re_convergence_group *groups) {
    unsigned count = 0;
    if (go_together(mask, next)) {
        groups[0] = (struct re_convergence_group){.mask = mask, .pc = next[0]};
        return 1;
    }
    re_convergence_mask its = going_to(pc + 4, mask, next);
    if (its) groups[count++] = (struct re_convergence_group){.mask = its, .pc = pc + 4};
    for (mask &= ~its; mask; mask &= ~its) {
        uint32_t least = UINT32_MAX;
        for (re_convergence_mask rest = mask; rest; rest &= rest - 1)
            if (next[re_convergence_first(rest)] < least) least = next[re_convergence_first(rest)];
        its = going_to(least, mask, next);
        groups[count++] = (struct re_convergence_group){.mask = its, .pc = least};
    }
    return count;
}

void re_convergence_stack_exit(struct re_convergence_stack *s, unsigned warp, re_convergence_mask mask) {
    struct re_convergence_warp *w = &s->warp[warp];
    struct re_convergence_entry *e = entries_of(s, warp);
    if (s->cycle) {
        const struct re_convergence_entry top = w->top; /* its remaining threads keep the entry */
        s->cycle->in = (struct re_convergence_stack_in){.commit = true,
                                                        .commit_warp = warp,
                                                        .read_warp = warp,
                                                        .exit_mask = (uint64_t)mask,
                                                        .first_mask = (uint64_t)(top.mask & ~mask),
                                                        .first_pc = top.pc};
        re_convergence_stack_cycle_step(s->cycle);
        return;
    }
    w->top.mask &= ~mask;
    for (unsigned n = 0; n + 1 < w->depth; ++n) e[n].mask &= ~mask;
    re_convergence_stack_pop(s, warp);
}

/* --- at a barrier --- */

/* Returns the index of the entry that `barrier` moves to the top; −1 if none can run. */
static int runnable_below(const struct re_convergence_stack *s, unsigned warp, re_convergence_mask ready) {
    const struct re_convergence_warp *w = &s->warp[warp];
    const struct re_convergence_entry *e = entries_of(s, warp);
    re_convergence_mask above = w->top.mask;
    for (int n = (int)w->depth - 2; n >= 0; --n) {
        if (e[n].mask & ready && !(e[n].mask & above)) return n;
        above |= e[n].mask;
    }
    return -1;
}

bool re_convergence_stack_move(struct re_convergence_stack *s, unsigned warp, re_convergence_mask ready) {
    struct re_convergence_warp *w = &s->warp[warp];
    struct re_convergence_entry *e = entries_of(s, warp);
    if (s->cycle) return move_cycle(s, warp, ready);
    const int n = runnable_below(s, warp, ready);
    if (n < 0) return false;
    const struct re_convergence_entry up = e[n];
    e[w->depth - 1] = w->top;
    memmove(e + n, e + n + 1, (w->depth - 1 - (unsigned)n) * sizeof *e);
    w->top = up;
    ++s->counted.moves;
    re_convergence_stack_pop(s, warp);
    return true;
}

bool re_convergence_stack_barrier(struct re_convergence_stack *s, unsigned warp, re_convergence_mask ready) {
    /* An entry at its RPC is removed, and the next that can run becomes the top. */
    while (!(s->warp[warp].top.mask & ready))
        if (!re_convergence_stack_move(s, warp, ready)) return false;
    return true;
}

void re_convergence_stack_separate(struct re_convergence_stack *s, unsigned warp,
                                   re_convergence_mask waiting) {
    const struct re_convergence_entry *top = &s->warp[warp].top;
    const struct re_convergence_group sides[] = {{.pc = top->pc, .mask = top->mask & ~waiting},
                                                 {.pc = top->pc, .mask = top->mask & waiting}};
    if (sides[0].mask && sides[1].mask) re_convergence_stack_diverge(s, warp, sides, 2, top->rpc);
}

/* --- instructions --- */

static bool is_call(const struct arm_instruction *i) {
    return i->destinations >> 14 & 1 && i->writes_pc && i->class == ARM_CLASS_BRANCH;
}

/* Moves threads to their next PCs, where they may part. Returns false if the stack has no room for a call. */
static bool branch(struct re_convergence_stack *s, const struct re_convergence_commit *c) {
    struct re_convergence_group group[RE_CONVERGENCE_STACK_MAX_WARP_SIZE + 1];
    const unsigned count = re_convergence_groups(c->pc, c->participating, c->next, group);
    for (unsigned n = 0; n < count; ++n) group[n].call = is_call(c->i) && group[n].pc != c->pc + 4;
    if (count > 1) return re_convergence_stack_diverge(s, c->warp, group, count, c->meeting);
    if (group[0].call) return re_convergence_stack_call(s, c->warp, group[0].pc, c->pc + 4);
    re_convergence_stack_jump(s, c->warp, group[0].pc);
    return true;
}

bool re_convergence_stack_commit(struct re_convergence_stack *s, const struct re_convergence_commit *c) {
    const bool all = c->left == c->participating;
    if (c->i->writes_pc && !branch(s, c)) return false;
    if (!c->i->writes_pc && (!c->exits || !all)) re_convergence_stack_advance(s, c->warp);
    if (c->exits) re_convergence_stack_exit(s, c->warp, c->left);
    if (c->left && !c->exits) re_convergence_stack_separate(s, c->warp, c->barrier);
    if (c->ready && !(s->warp[c->warp].top.mask & c->ready))
        re_convergence_stack_barrier(s, c->warp, c->ready);
    return true;
}

struct re_convergence_entry re_convergence_stack_entry(const struct re_convergence_stack *s, unsigned warp,
                                                       unsigned n) {
    const struct re_convergence_warp *w = &s->warp[warp];
    return n + 1 == w->depth ? w->top : entries_of(s, warp)[n];
}

#include "model/divergence/thread_block_compaction.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned threads_of(const struct thread_block_compaction *c) {
    return c->cfg.rows * c->cfg.width;
}

/* Returns the capacity: 2 · T entries for a work-group of T threads, since each divergence leaves fewer
 * threads in an entry, and the entries of calls. */
static unsigned entries_of(const struct thread_block_compaction *c) {
    return 2 * threads_of(c) + c->cfg.groups * c->cfg.calls;
}

void thread_block_compaction_init(struct thread_block_compaction *c, unsigned rows, unsigned width,
                                  unsigned groups, unsigned calls) {
    invariant(rows >= 1 && rows <= COMPACTION_MAX_ROWS && width >= 1 && width <= REGROUPED_MAX_LANES &&
                  groups,
              "compaction of %u work-groups in %u rows of %u threads", groups, rows, width);
    *c = (struct thread_block_compaction){.cfg = {rows, width, groups, calls}};
    c->block = calloc(groups, sizeof *c->block);
    c->entry = calloc(entries_of(c), sizeof *c->entry);
    c->thread = calloc(threads_of(c), sizeof *c->thread);
    c->target = calloc(threads_of(c), sizeof *c->target);
    require_memory(c->block);
    require_memory(c->entry);
    require_memory(c->thread);
    require_memory(c->target);
    thread_block_compaction_clear(c);
}

void thread_block_compaction_clear(struct thread_block_compaction *c) {
    memset(c->warp, 0, sizeof c->warp);
    memset(c->unformed, 0, sizeof c->unformed);
    c->ready = 0;
    c->forming = 0;
    c->free = -1;
    for (unsigned n = entries_of(c); n--; c->free = (int)n) c->entry[n].below = c->free;
    for (unsigned n = 0; n < c->cfg.groups; ++n) c->block[n] = (struct compaction_block){.top = -1};
    for (unsigned n = 0; n < threads_of(c); ++n) c->thread[n].entry = -1;
}

void thread_block_compaction_free(struct thread_block_compaction *c) {
    free(c->block);
    free(c->entry);
    free(c->thread);
    free(c->target);
    c->block = NULL;
    c->entry = NULL;
    c->thread = NULL;
    c->target = NULL;
}

/* --- the stack --- */

static int push(struct thread_block_compaction *c, struct compaction_block *b, struct compaction_entry e) {
    const int n = c->free;
    invariant(n >= 0, "compaction: %u threads make more entries", threads_of(c));
    c->free = c->entry[n].below;
    e.below = b->top;
    c->entry[n] = e;
    b->top = n;
    b->calls += e.call;
    b->entered = false;
    if (++b->depth > c->counted.deepest) c->counted.deepest = b->depth;
    return n;
}

static void remove_top(struct thread_block_compaction *c, struct compaction_block *b) {
    struct compaction_entry *e = &c->entry[b->top];
    const int n = b->top;
    b->top = e->below;
    b->calls -= e->call;
    b->entered = false;
    --b->depth;
    e->below = c->free;
    c->free = n;
}

/* Returns the next thread after `behind` (−1: the first) whose innermost entry is n; −1 if none is left. */
static int next_thread(const struct thread_block_compaction *c, const struct compaction_block *b, int n,
                       int behind) {
    unsigned thread = (unsigned)(behind + 1);
    for (;;) {
        const unsigned row = thread / c->cfg.width;
        const uint64_t rows = row < 64 ? b->rows >> row << row : 0;
        if (!rows) return -1;
        if (!(rows >> row & 1)) thread = (unsigned)__builtin_ctzll(rows) * c->cfg.width;
        if (c->thread[thread].entry == n) return (int)thread;
        ++thread;
    }
}

/* Frees the warps of the top entry. */
static void dissolve(struct thread_block_compaction *c, struct compaction_block *b) {
    for (uint64_t rest = b->rows; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        c->warp[n].state = COMPACTION_FREE;
        c->ready &= ~(rest & -rest);
    }
}

/* Removes an exited thread from its entries. */
static void leave(struct thread_block_compaction *c, unsigned thread) {
    --c->entry[c->thread[thread].entry].own;
    for (int n = c->thread[thread].entry; n >= 0; n = c->entry[n].parent) --c->entry[n].all;
    c->thread[thread].entry = -1;
}

/* Removes the top entry: its threads have reached the re-convergence point and move to the parent entry, or
 * it has none. */
static void pop(struct thread_block_compaction *c, struct compaction_block *b) {
    const struct compaction_entry *e = &c->entry[b->top];
    if (e->own) {
        for (int thread = -1; (thread = next_thread(c, b, b->top, thread)) >= 0;)
            c->thread[thread].entry = e->parent;
        c->entry[e->parent].own += e->own;
    }
    dissolve(c, b);
    remove_top(c, b);
}

/* --- all warps of the top have arrived --- */

/* Collects the targets of the top's threads: the next instruction first, then by ascending address. Returns
 * their number. */
static unsigned find_targets(struct thread_block_compaction *c, const struct compaction_block *b) {
    unsigned count = 0;
    bool falls = false;
    for (int thread = -1; (thread = next_thread(c, b, b->top, thread)) >= 0;) {
        const uint32_t next = c->thread[thread].next;
        unsigned n = 0;
        if (next == b->pc + 4) {
            falls = true;
            continue;
        }
        while (n < count && c->target[n] < next) ++n;
        if (n < count && c->target[n] == next) continue;
        memmove(&c->target[n + 1], &c->target[n], (count++ - n) * sizeof c->target[0]);
        c->target[n] = next;
    }
    if (!falls) return count;
    memmove(&c->target[1], &c->target[0], count * sizeof c->target[0]);
    c->target[0] = b->pc + 4;
    return count + 1;
}

/* Pushes an entry for the threads of `from` with the target `e.pc`. */
static void push_group(struct thread_block_compaction *c, struct compaction_block *b, int from,
                       struct compaction_entry e) {
    const int n = push(c, b, e);
    for (int thread = -1; (thread = next_thread(c, b, from, thread)) >= 0;) {
        if (c->thread[thread].next != e.pc) continue;
        c->thread[thread].entry = n;
        ++c->entry[n].own;
    }
    c->entry[n].all = c->entry[n].own;
    if (e.parent == from) c->entry[from].own -= c->entry[n].own;
}

/* Returns the return address of the innermost call; 0 if there is none. */
static uint32_t return_address(const struct thread_block_compaction *c, int entry) {
    while (entry >= 0 && !c->entry[entry].call) entry = c->entry[entry].parent;
    return entry < 0 ? 0 : c->entry[entry].rpc;
}

static void diverge(struct thread_block_compaction *c, struct compaction_block *b, unsigned count) {
    const int from = b->top;
    struct compaction_entry *top = &c->entry[from];
    const uint32_t meeting = b->meeting ? b->meeting : return_address(c, from);
    const bool removed = !meeting || (top->rpc == meeting && !top->call);
    const int parent = removed ? top->parent : from;
    dissolve(c, b);
    if (removed) { /* threads keep its number until they get another entry */
        b->top = top->below;
        --b->depth;
        b->calls -= top->call;
    } else {
        top->pc = meeting;
    }
    for (unsigned n = count; n--;)
        if (c->target[n] != meeting)
            push_group(c, b, from,
                       (struct compaction_entry){.pc = c->target[n],
                                                 .rpc = meeting,
                                                 .parent = parent,
                                                 .call = b->calling && c->target[n] != b->pc + 4});
    b->entered = false;
    if (removed) {
        for (int thread = -1; (thread = next_thread(c, b, from, thread)) >= 0;) {
            c->thread[thread].entry = parent;
            ++c->entry[parent].own;
        }
        top->below = c->free;
        c->free = from;
    }
    ++c->counted.divergences;
    c->counted.groups += count;
}

/* Continues with the same warps at another PC. */
static void go_on(struct thread_block_compaction *c, struct compaction_block *b, uint32_t pc) {
    c->entry[b->top].pc = pc;
    for (uint64_t rest = b->rows; rest; rest &= rest - 1) {
        struct compaction_warp *w = &c->warp[__builtin_ctzll(rest)];
        if (w->state != COMPACTION_ARRIVED) continue;
        w->warp.pc = pc;
        w->state = COMPACTION_READY;
        c->ready |= rest & -rest;
    }
}

/* Commits an instruction that all warps of the top have executed. Returns false if the stack has no room for
 * a call. */
static bool commit_all(struct thread_block_compaction *c, struct compaction_block *b) {
    const unsigned count = find_targets(c, b), falls = c->target[0] == b->pc + 4;
    if (b->calling && b->calls + count - falls > c->cfg.calls) return false;
    if (count > 1) {
        diverge(c, b, count);
    } else if (b->calling && !falls) {
        dissolve(c, b);
        c->entry[b->top].pc = b->pc + 4;
        push_group(
            c, b, b->top,
            (struct compaction_entry){.pc = c->target[0], .rpc = b->pc + 4, .parent = b->top, .call = true});
    } else {
        go_on(c, b, c->target[0]);
    }
    return true;
}

/* --- barriers --- */

/* Moves an entry with runnable threads to the top, since all warps of the top wait at a barrier. Returns
 * false if there is none. */
static bool move(struct thread_block_compaction *c, struct compaction_block *b) {
    struct compaction_entry *top = &c->entry[b->top];
    int *link = &top->below;
    while (*link >= 0) {
        const struct compaction_entry *e = &c->entry[*link];
        if (e->own && e->own == e->all && !e->waits) break;
        link = &c->entry[*link].below;
    }
    const int up = *link;
    if (up < 0) return false;
    for (uint64_t rest = b->rows; rest; rest &= rest - 1)
        if (c->warp[__builtin_ctzll(rest)].state == COMPACTION_BARRIER)
            top->pc = c->warp[__builtin_ctzll(rest)].warp.pc;
    dissolve(c, b);
    top->waits = true;
    *link = c->entry[up].below;
    c->entry[up].below = b->top;
    b->top = up;
    b->entered = false;
    ++c->counted.moves;
    return true;
}

/* --- next steps of a work-group --- */

static void enter(struct thread_block_compaction *c, struct compaction_block *b) {
    b->entered = true;
    b->since = c->time++;
    c->forming += c->entry[b->top].own - b->unformed;
    b->unformed = c->entry[b->top].own;
    for (int thread = -1; (thread = next_thread(c, b, b->top, thread)) >= 0;)
        c->unformed[(unsigned)thread / c->cfg.width] |= UINT64_C(1) << (unsigned)thread % c->cfg.width;
}

/* Returns the number of warps of the top in a state. */
static unsigned count_in(const struct thread_block_compaction *c, const struct compaction_block *b,
                         enum compaction_state state) {
    unsigned count = 0;
    for (uint64_t rest = b->rows; rest; rest &= rest - 1)
        count += c->warp[__builtin_ctzll(rest)].state == state;
    return count;
}

/* Updates the stack until a warp of the work-group can run or all wait. Returns false if the stack has no
 * room for a call. */
static bool settle(struct thread_block_compaction *c, struct compaction_block *b) {
    while (b->top >= 0) {
        const struct compaction_entry *top = &c->entry[b->top];
        if (!top->all || (top->pc == top->rpc && !top->waits)) {
            pop(c, b);
        } else if (top->waits) {
            if (!move(c, b)) return true;
        } else if (!b->entered) {
            enter(c, b);
        } else {
            if (b->unformed || count_in(c, b, COMPACTION_READY) || count_in(c, b, COMPACTION_ISSUED))
                return true;
            if (count_in(c, b, COMPACTION_BARRIER)) {
                if (count_in(c, b, COMPACTION_ARRIVED) || !move(c, b)) return true;
            } else if (!commit_all(c, b)) {
                return false;
            }
        }
    }
    b->rows = 0;
    return true;
}

/* --- warps --- */

void thread_block_compaction_start(struct thread_block_compaction *c, const struct regrouped_warp *row) {
    struct compaction_block *b = &c->block[row->group];
    const unsigned first = row->row[__builtin_ctzll(row->valid)];
    if (b->top < 0) push(c, b, (struct compaction_entry){.pc = row->pc, .parent = -1});
    b->rows |= UINT64_C(1) << first;
    for (uint64_t rest = row->valid; rest; rest &= rest - 1)
        c->thread[first * c->cfg.width + (unsigned)__builtin_ctzll(rest)] =
            (struct compaction_thread){.entry = b->top, .next = row->pc};
    c->entry[b->top].own += (unsigned)__builtin_popcountll(row->valid);
    c->entry[b->top].all = c->entry[b->top].own;
    c->unformed[first] = row->valid;
    if (!b->entered) b->since = c->time++;
    b->entered = true;
    c->forming += c->entry[b->top].own - b->unformed;
    b->unformed = c->entry[b->top].own;
}

/* Returns the work-group that has waited longest for a warp to be formed. */
static struct compaction_block *next_block(const struct thread_block_compaction *c) {
    struct compaction_block *next = NULL;
    for (unsigned n = 0; n < c->cfg.groups; ++n) {
        struct compaction_block *b = &c->block[n];
        if (b->unformed && (!next || b->since < next->since)) next = b;
    }
    return next;
}

void thread_block_compaction_form(struct thread_block_compaction *c) {
    if (!c->forming) return;
    struct compaction_block *b = next_block(c);
    struct regrouped_warp w = {.pc = c->entry[b->top].pc, .group = (uint32_t)(b - c->block)};
    unsigned number = 0;
    for (uint64_t rest = b->rows; rest; rest &= rest - 1) {
        const unsigned row = (unsigned)__builtin_ctzll(rest);
        const uint64_t lanes = c->unformed[row] & ~w.valid;
        if (!lanes) continue;
        c->unformed[row] &= ~lanes;
        w.in_row = !w.valid;
        w.valid |= lanes;
        for (unsigned lane = 0; lane < c->cfg.width; ++lane)
            w.row[lane] = lanes >> lane & 1 ? (uint16_t)row : w.row[lane];
    }
    for (uint64_t rest = b->rows; rest; rest &= rest - 1)
        if (c->warp[number = (unsigned)__builtin_ctzll(rest)].state == COMPACTION_FREE) break;
    c->warp[number] = (struct compaction_warp){.warp = w, .state = COMPACTION_READY};
    c->ready |= UINT64_C(1) << number;
    b->unformed -= (unsigned)__builtin_popcountll(w.valid);
    c->forming -= (unsigned)__builtin_popcountll(w.valid);
    ++c->counted.formed;
}

const struct regrouped_warp *thread_block_compaction_issue(struct thread_block_compaction *c, unsigned warp) {
    c->ready &= ~(UINT64_C(1) << warp);
    c->warp[warp].state = COMPACTION_ISSUED;
    return &c->warp[warp].warp;
}

/* Returns whether all threads of a warp continue at the same PC and have not reached the re-convergence point
 * of their entry. */
static bool stays(const struct regrouped_warp *w, const struct regrouped_outcome *o, uint32_t rpc) {
    const uint32_t pc = regrouped_next(o, (unsigned)__builtin_ctzll(w->valid));
    for (uint64_t rest = o->together ? 0 : w->valid; rest; rest &= rest - 1)
        if (o->next[__builtin_ctzll(rest)] != pc) return false;
    return pc != rpc;
}

bool thread_block_compaction_commit(struct thread_block_compaction *c, unsigned warp,
                                    const struct regrouped_outcome *o, enum compaction_kind kind) {
    struct compaction_warp *w = &c->warp[warp];
    struct compaction_block *b = &c->block[w->warp.group];
    const uint64_t living = regrouped_living(&w->warp, o), valid = w->warp.valid;
    const bool straight = kind == COMPACTION_STRAIGHT && !o->waits && living == valid;
    if (straight && stays(&w->warp, o, c->entry[b->top].rpc)) { /* the other warps of the work-group are not
                                                                 * affected */
        w->warp.pc = regrouped_next(o, (unsigned)__builtin_ctzll(valid));
        w->state = COMPACTION_READY;
        c->ready |= UINT64_C(1) << warp;
        return true;
    }
    for (uint64_t rest = valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        const unsigned thread = w->warp.row[lane] * c->cfg.width + lane;
        c->thread[thread].next = regrouped_next(o, lane);
        if (!c->thread[thread].next) leave(c, thread);
    }
    w->warp.valid = living;
    if (!living) {
        w->state = COMPACTION_FREE;
    } else if (o->waits) {
        w->warp.pc = regrouped_next(o, (unsigned)__builtin_ctzll(living));
        w->state = COMPACTION_BARRIER;
    } else if (kind == COMPACTION_STRAIGHT && stays(&w->warp, o, c->entry[b->top].rpc)) {
        w->warp.pc = regrouped_next(o, (unsigned)__builtin_ctzll(living));
        w->state = COMPACTION_READY;
        c->ready |= UINT64_C(1) << warp;
    } else {
        w->state = COMPACTION_ARRIVED;
        b->pc = w->warp.pc;
        b->meeting = o->meeting;
        b->calling = kind == COMPACTION_CALLS;
    }
    return settle(c, b);
}

void thread_block_compaction_release(struct thread_block_compaction *c, unsigned group) {
    struct compaction_block *b = &c->block[group];
    for (int n = b->top; n >= 0; n = c->entry[n].below) c->entry[n].waits = false;
    for (uint64_t rest = b->rows; rest; rest &= rest - 1) {
        struct compaction_warp *w = &c->warp[__builtin_ctzll(rest)];
        if (w->state != COMPACTION_BARRIER) continue;
        if (w->warp.pc == c->entry[b->top].rpc) {
            w->state = COMPACTION_ARRIVED;
            b->pc = w->warp.pc - 4;
            b->calling = false;
        } else {
            w->state = COMPACTION_READY;
            c->ready |= rest & -rest;
        }
    }
    settle(c, b);
}

/* --- instructions and counters --- */

enum compaction_kind compaction_kind_of(const struct arm_instruction *i, bool parts) {
    if (i->destinations >> 14 & 1 && i->writes_pc && i->class == ARM_CLASS_BRANCH) return COMPACTION_CALLS;
    return parts ? COMPACTION_PARTS : COMPACTION_STRAIGHT;
}

void thread_block_compaction_register(struct thread_block_compaction *c, const char *scope, unsigned n,
                                      struct counter_registry *r) {
    char sub[48];
    snprintf(sub, sizeof sub, "%s.tbc%u", scope, n);
    counter_register(r, sub, "formed", "warps", "made of the threads at the top of a stack",
                     &c->counted.formed);
    counter_register(r, sub, "divergences", "instructions",
                     "of all warps of an entry, after which threads parted", &c->counted.divergences);
    counter_register(r, sub, "groups", "groups", "into which they parted", &c->counted.groups);
    counter_register(r, sub, "moves", "entries", "brought up since all at the top waited at a barrier",
                     &c->counted.moves);
}

/* base_machine: S to D, W and C of the shadow, barriers and descriptors, and the attachment to a machine. */
#include "tests/reckoning/base_machine.h"

#include "model/config/divergence_kind.h"
#include "tests/reckoning/base_alternate.h"
#include "tests/reckoning/base_formed.h"
#include "tests/reckoning/base_lanes.h"
#include "tests/reckoning/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct base_reckoning {
    unsigned count;
    struct base_shadow shadow[];
};

unsigned base_priority(const struct base_shadow *h, unsigned level) {
    return levels_priority(h->c->config, level);
}

unsigned base_place(const struct base_shadow *h, int number) {
    const struct unit_flight *flight = h->c->unit->flight;
    unsigned last = 0;
    uint64_t s = 0;
    for (unsigned n = 0; n < base_flights(h); ++n) {
        if (flight[n].number != (unsigned)number || flight[n].s == UNIT_NEVER || flight[n].s < s) continue;
        s = flight[n].s;
        last = n;
    }
    return last;
}

const struct flown *base_flight(struct base_shadow *h, int number) {
    const struct unit *u = h->c->unit;
    const unsigned place = base_place(h, number);
    const struct unit_flight *f = &u->flight[place];
    struct flown *x = &h->flown[number];
    *x = (struct flown){.i = f->i,
                        .pc = f->pc,
                        .warp = f->warp,
                        .rounds = f->rounds,
                        .participating = f->participating,
                        .fetched = f->fetched,
                        .result = f->result,
                        .execution = &u->execution[place]};
    if (u->uniform) x->uniform = u->uniform[place];
    return x;
}

static unsigned lines_of_vtpo(const struct base_shadow *h) {
    const unsigned bytes = h->c->config->simt.warp_size / h->c->lanes * 4,
                   line = h->c->config->l1d.line_bytes;
    return (bytes + line - 1) / line;
}

/* --- a work-group begins --- */

static void begin(struct base_shadow *h, uint64_t t) {
    const struct machine_launch *l = h->c->launch;
    unsigned left = l->local_size[0] * l->local_size[1] * l->local_size[2];
    memset(h->warp, 0, sizeof h->warp);
    memset(h->flying, 0, sizeof h->flying);
    h->live = left;
    h->a = h->f = h->d = h->x = h->o = h->fetching = h->gathering = NOBODY;
    h->queue.count = h->collected.count = 0;
    h->o_free = h->x_free = t;
    h->words = 0;
    h->begun = h->opened = false;
    h->simt = true;
    for (unsigned w = 0; left; ++w) {
        const unsigned size = h->c->config->simt.warp_size, count = left < size ? left : size;
        h->warp[w].ready = count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
        for (unsigned k = 0; k < size; ++k) h->warp[w].pc[k] = l->thunk;
        shadow_stack_start(&h->stack[w], h->warp[w].ready, l->thunk);
        left -= count;
    }
    if (h->formed) base_formed_begin(h);
}

/* --- S, A, F, D --- */

/* Returns whether a warp may have a second instruction in flight (divergence.md §4, dpe). */
static bool has_second(const struct base_shadow *h, unsigned w) {
    const struct threads *x = &h->warp[w];
    unsigned ready = 0, executes = 0;
    if (h->c->config->simt.mitigation != MITIGATION_DPE) return false;
    if (h->flying[w].used && h->flying[w + h->c->warps].used) return false;
    for (unsigned k = 0; k < h->c->config->simt.warp_size; ++k) {
        const unsigned level = base_priority(h, x->level[k]);
        if (x->ready >> k & 1 && level > ready) ready = level;
        if (x->execution >> k & 1 && level > executes) executes = level;
    }
    return ready >= executes;
}

/* Returns the ready threads of a warp from which the next ones are chosen: all; with a stack, those in its
 * top entry. */
static uint64_t can_run(const struct base_shadow *h, unsigned w) {
    const struct shadow_warp *x = &h->stack[w];
    return h->warp[w].ready & (!h->stacks ? ~UINT64_C(0)
                               : x->depth ? (uint64_t)x->stack[x->depth - 1].mask
                                          : 0);
}

static bool is_ready(const struct base_shadow *h, unsigned w) {
    const struct threads *x = &h->warp[w];
    const bool in_front = h->a != NOBODY && h->flying[h->a].warp == w;
    return can_run(h, w) && !in_front && (!x->execution || has_second(h, w));
}

/* Returns whether a warp waits for memory (from D to C of a load or store), or no thread of it runs or can
 * run. */
static bool is_stalled(const struct base_shadow *h, unsigned w) {
    const struct threads *x = &h->warp[w];
    bool waits = false;
    for (unsigned n = w; n < base_flights(h); n += h->c->warps)
        waits |= h->flying[n].used && h->flying[n].stalls;
    return waits || !(can_run(h, w) | x->execution);
}

static void scheduler(struct base_shadow *h, uint64_t t) {
    const struct warp_scheduler_in *in = &h->c->blocks.scheduler.in;
    const struct machine_config *m = h->c->config;
    const bool simt = h->c->mode == CLUSTER_SIMT;
    reckoned_bits ready = 0, stalled = 0;
    for (unsigned w = 0; w < h->c->warps; ++w) {
        ready |= (reckoned_bits)(simt && is_ready(h, w)) << w;
        stalled |= (reckoned_bits)(!simt || is_stalled(h, w)) << w;
    }
    if (simt) {
        base_end_collection(h, t);
        const unsigned waiting = (h->d != NOBODY) + h->queue.count;
        h->f_leaves = h->f != NOBODY && base_flight(h, h->f)->fetched <= t && waiting < m->simt.queue_entries;
        h->a_leaves = base_fetch_is_free(h, t) && h->a != NOBODY &&
                      t >= h->flying[h->a].s + m->simt.arbitrate_cycles && (h->f == NOBODY || h->f_leaves);
    }
    SAME(h, "scheduler: ready", t, in->ready, ready);
    SAME(h, "scheduler: stalled", t, in->stalled, stalled);
    SAME(h, "scheduler: take", t, in->take, simt && (h->a == NOBODY || h->a_leaves));
}

static void select_warp(struct base_shadow *h, unsigned w, uint64_t t) {
    const unsigned n = h->flying[w].used ? w + h->c->warps : w;
    h->flying[n] = (struct flying){.used = true, .warp = w, .s = t, .collected = NEVER, .result = NEVER};
    h->a = (int)n;
}

/* Checks the arbiter's choice against its policy. */
static void check_choice(struct base_shadow *h, const struct threads *w, uint64_t t) {
    const struct warp_pc_arbiter_out *out = &h->c->blocks.arbiter.out;
    const enum pc_policy policy = h->c->config->simt.pc_policy;
    uint64_t its = 0;
    unsigned first = (unsigned)__builtin_ctzll(w->ready);
    for (unsigned k = first; k < h->c->config->simt.warp_size; ++k) {
        if (!(w->ready >> k & 1)) continue;
        const bool better =
            (policy == PC_MIN_PC && w->pc[k] < w->pc[first]) ||
            (policy == PC_ICS_FIRST && base_priority(h, w->level[k]) > base_priority(h, w->level[first]));
        if (better) first = k;
    }
    for (unsigned k = 0; k < h->c->config->simt.warp_size; ++k)
        if (w->ready >> k & 1 && w->pc[k] == w->pc[first]) its |= UINT64_C(1) << k;
    SAME(h, "arbiter: PC", t, out->pc, w->pc[first]);
    SAME(h, "arbiter: participating", t, out->participating, its);
}

static void arbiter(struct base_shadow *h, uint64_t t) {
    const struct warp_pc_arbiter_in *in = &h->c->blocks.arbiter.in;
    struct threads *w = h->a_leaves ? &h->warp[h->flying[h->a].warp] : NULL;
    SAME(h, "arbiter: ready", t, in->ready, w ? w->ready : 0);
    for (uint64_t rest = w ? w->ready : 0; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        uint32_t levels = 0;
        for (unsigned n = 0; n < h->c->config->simt.priority_levels; ++n)
            levels |= (uint32_t)(in->priority[n] >> k & 1) << n;
        reckon_of(&h->place, "arbiter: PC of thread", k, t, in->pc[k], w->pc[k]);
        reckon_of(&h->place, "arbiter: priority of thread", k, t, levels,
                  1u << base_priority(h, w->level[k]));
    }
    if (w) check_choice(h, w, t);
}

/* Notes the threads of the flight that leaves A, which run together. */
static void choose(struct base_shadow *h, struct flying *x) {
    const struct warp_pc_arbiter_out *out = &h->c->blocks.arbiter.out;
    struct threads *w = &h->warp[x->warp];
    x->pc = h->stacks ? shadow_top(&h->stack[x->warp])->pc : out->pc;
    x->participating = h->stacks ? can_run(h, x->warp) : out->participating;
    base_mixed_begin(h, x, h->a);
    w->ready &= ~x->participating;
    w->execution |= x->participating;
}

static void move_front(struct base_shadow *h, uint64_t t) {
    const struct warp_scheduler_out *picked = &h->c->blocks.scheduler.out;
    h->fetched = h->f != NOBODY && base_flight(h, h->f)->fetched <= t;
    h->decodes_memory = h->d != NOBODY && base_accesses(base_flight(h, h->d));
    h->handed_over = h->a_leaves ? h->a : NOBODY;
    h->decoded = h->d;
    if (h->d != NOBODY) {
        h->flying[h->d].stalls =
            base_is_mixed(h, h->d) ? base_mixed_accesses(h, h->d) : base_accesses(base_flight(h, h->d));
        h->queue.flight[h->queue.count++] = h->d;
        h->d = NOBODY;
    }
    if (h->f_leaves) {
        h->d = h->f;
        h->f = NOBODY;
    }
    if (h->a_leaves) {
        choose(h, &h->flying[h->a]);
        h->f = h->a;
        h->a = NOBODY;
    }
    if (picked->valid) select_warp(h, picked->warp, t);
    h->done = t;
}

/* --- tokens, and reuse --- */

static void tokens(struct base_shadow *h, uint64_t t) {
    const struct uniform *u = &h->c->uniform;
    const bool srf = h->c->config->uniform.storage == UNIFORM_SRF;
    if (h->decoded != NOBODY) {
        struct flying *x = &h->flying[h->decoded];
        const struct arm_instruction *i = machine_code_at(h->c->launch->code, x->pc);
        const uint64_t live = base_live(&h->warp[x->warp]);
        if (i)
            uniform_told_read(&h->told, i, x->warp, x->participating == live, live, &h->c->threads[x->warp]);
        x->uniform = srf ? u->rename.out.uniform : u->tokens.out.uniform;
    }
    h->told.starts = t == h->c->simt_first;
    for (unsigned w = 0; h->told.starts && w < h->c->warps; ++w)
        if (!srf || base_live(&h->warp[w])) warp_set_add(&h->told.start_warps, w);
    h->told.release = srf && h->released != NOBODY;
    if (h->told.release) h->told.release_warp = (unsigned)h->released;
    h->released = NOBODY;
    uniform_told_compare(&h->place, u, &h->told, t);
    if (srf && h->told.to && u->rename.out.refused && h->taken != NOBODY)
        h->flying[h->taken].reuses.is = false;
}

static void reuse(struct base_shadow *h, uint64_t t) {
    const struct uniform *u = &h->c->uniform;
    struct reuse_told lookup = {.is = false};
    if (h->asks != NOBODY) {
        struct flying *x = &h->flying[h->asks];
        const struct flown *f = base_flight(h, h->asks);
        const bool copy = f->uniform.form == UNIFORM_COPY;
        if (f->i && !copy)
            lookup = uniform_told_operands(u, f->i, x->pc, x->uniform, base_live(&h->warp[x->warp]),
                                           &h->c->threads[x->warp]);
        x->reuses = lookup;
        if (u->reuse.out.hit) x->reuses.is = false;
    }
    uniform_told_compare_reuse(&h->place, u, &lookup, &h->insert, t);
    h->insert.is = false;
}

/* --- W, C --- */

void base_commit_thread(struct base_shadow *h, const struct flown *f, struct threads *w, unsigned k) {
    const uint64_t bit = UINT64_C(1) << k;
    const bool passed = f->execution->passed & bit, copy = f->uniform.form == UNIFORM_COPY;
    const enum coprocessor_operation o = passed && !copy ? base_operation(f->i) : COPROCESSOR_UNDEFINED;
    w->execution &= ~bit;
    if (!copy) w->pc[k] = passed && f->i->writes_pc ? h->c->threads[f->warp].next_pc[k] : f->pc + 4;
    if (o == COPROCESSOR_BARRIER) {
        w->barrier |= bit;
        w->barrier_pc[k] = f->pc;
        h->arrive_pc = f->pc;
        ++h->arrive;
    } else if (o == COPROCESSOR_EXIT) {
        w->level[k] = 0;
        --h->live;
        ++h->leave;
    } else {
        w->ready |= bit;
        if (o != COPROCESSOR_UNDEFINED) levels_change(&w->level[k], coprocessor_decode(f->i));
    }
}

/* Moves the top of the stack of a warp whose threads have been committed. */
static void commit_stack(struct base_shadow *h, const struct flown *f) {
    const uint64_t passed = f->execution->passed;
    const struct threads *w = &h->warp[f->warp];
    struct shadow_warp *x = &h->stack[f->warp];
    const enum coprocessor_operation o = base_operation(f->i);
    const bool exits = o == COPROCESSOR_EXIT;
    if (!exits && o != COPROCESSOR_BARRIER) {
        const bool calls = f->i->writes_pc && f->i->class == ARM_CLASS_BRANCH && f->i->destinations >> 14 & 1;
        shadow_stack_diverge(x, w->pc, f->pc + 4, calls ? passed : 0,
                             shadow_meeting_of(h->c->launch->code, f->pc));
        return;
    }
    if (!exits || f->participating & ~passed) shadow_stack_advance(x);
    if (exits) shadow_stack_exit(x, passed);
    shadow_stack_stand(x, w->barrier);
}

static void commit(struct base_shadow *h, unsigned n, uint64_t t) {
    const struct flown *f = base_flight(h, (int)n);
    reckon_of(&h->place, "commit: threads of flight", n, t, f->participating, h->flying[n].participating);
    reckon_of(&h->place, "commit: PC of flight", n, t, f->pc, h->flying[n].pc);
    struct reuse_told *r = &h->flying[n].reuses;
    if (r->is && (!h->insert.is || h->flying[n].s < h->insert.age)) {
        h->insert = *r;
        h->insert.age = h->flying[n].s;
        h->insert.result =
            reuse_result_of(f->i, &h->c->threads[f->warp], (unsigned)__builtin_ctzll(f->participating));
    }
    for (uint64_t rest = h->flying[n].participating; rest; rest &= rest - 1)
        base_commit_thread(h, f, &h->warp[h->flying[n].warp], (unsigned)__builtin_ctzll(rest));
    if (h->stacks) commit_stack(h, f);
    if (!base_live(&h->warp[h->flying[n].warp])) h->released = (int)h->flying[n].warp;
    h->flying[n] = (struct flying){.used = false};
}

static void write_back(struct base_shadow *h, uint64_t t) {
    const struct writeback_arbiter *a = &h->c->blocks.writeback;
    const struct flown *f = h->lands ? base_flight(h, (int)h->landing) : NULL;
    reckoned_bits there = 0;
    SAME(h, "write-back: land", t, a->in.land, h->lands);
    if (f) {
        const unsigned registers =
            f->execution->passed ? (unsigned)__builtin_popcountll(f->i->destinations) : 0;
        SAME(h, "write-back: warp", t, a->in.warp, h->landing);
        SAME(h, "write-back: lines", t, a->in.lines,
             h->c->uniform.on ? f->uniform.write_lines : registers * lines_of_vtpo(h));
        SAME(h, "write-back: scalars", t, a->in.scalars, h->c->uniform.on ? f->uniform.scalar_writes : 0);
    }
    for (unsigned n = 0; n < base_flights(h); ++n) {
        struct flying *x = &h->flying[n];
        if (!x->landed) continue;
        if (x->result == NEVER) x->result = base_flight(h, (int)n)->result;
        there |= (reckoned_bits)(x->result <= t) << n;
    }
    SAME(h, "write-back: result", t, a->in.result, there);
    h->arrive = h->leave = 0;
    h->commits = 0;
    for (unsigned n = 0; n < base_flights(h); ++n) {
        if (!(a->out.commit & a->in.result) || !warp_set_has(a->out.commit & a->in.result, n)) continue;
        warp_set_add(&h->commits, h->flying[n].warp);
        commit(h, n, t);
    }
}

/* --- barriers --- */

static void barriers(struct base_shadow *h, uint64_t t) {
    base_mixed_commit(h, t);
    const struct barrier_table *b = &h->c->barriers;
    const bool starts = t == h->c->simt_first;
    unsigned waiting = 0, live = 0;
    uint32_t pc = 0;
    bool mixed = false;
    SAME(h, "barriers: start", t, b->in.start, starts);
    if (starts) SAME(h, "barriers: start_live", t, b->in.start_live, h->live);
    SAME(h, "barriers: arrive_count", t, b->in.arrive_count, h->arrive);
    if (h->arrive) SAME(h, "barriers: arrive_pc", t, b->in.arrive_pc, h->arrive_pc);
    SAME(h, "barriers: exit_count", t, b->in.exit_count, h->leave);
    for (unsigned w = 0; w < h->c->warps; ++w) {
        live += (unsigned)__builtin_popcountll(base_live(&h->warp[w]));
        for (uint64_t rest = h->opened ? 0 : h->warp[w].barrier; rest; rest &= rest - 1) {
            const uint32_t its = h->warp[w].barrier_pc[__builtin_ctzll(rest)];
            mixed |= waiting++ && its != pc;
            pc = its;
        }
    }
    const bool all = waiting && waiting == live;
    SAME(h, "barriers: opens", t, b->out.opens, all && !mixed);
    SAME(h, "barriers: deadlock", t, b->out.deadlock, all && mixed);
    SAME(h, "barriers: release", t, b->out.release, h->opened);
    h->releases = h->opened;
    for (unsigned w = 0; h->opened && w < h->c->warps; ++w) {
        h->warp[w].ready |= h->warp[w].barrier;
        h->warp[w].barrier = 0;
    }
    h->opened = all && !mixed;
}

/* --- the whole, the descriptors --- */

static enum thread_operation operation_to(const struct flown *f) {
    switch (f->uniform.form == UNIFORM_COPY ? COPROCESSOR_UNDEFINED : base_operation(f->i)) {
    case COPROCESSOR_RAISE: return THREAD_RAISE;
    case COPROCESSOR_LOWER: return THREAD_LOWER;
    case COPROCESSOR_OUTERMOST: return THREAD_OUTERMOST;
    case COPROCESSOR_BARRIER: return THREAD_BARRIER;
    case COPROCESSOR_EXIT: return THREAD_EXIT;
    default: return THREAD_NONE;
    }
}

static void check_execution(struct base_shadow *h, uint64_t t, uint64_t passed, bool jumps,
                            uint32_t operation, uint32_t by) {
    const struct flown *f = base_flight(h, h->taken);
    const bool copy = f->uniform.form == UNIFORM_COPY;
    const bool lowers = !copy && base_operation(f->i) == COPROCESSOR_LOWER;
    SAME(h, "execute_passed", t, passed, copy ? f->participating : f->execution->passed);
    SAME(h, "execute_jumps", t, jumps, copy || f->i->writes_pc);
    SAME(h, "execute_operation", t, operation, operation_to(f));
    SAME(h, "execute_by", t, by, lowers ? coprocessor_decode(f->i).index : 0);
}

static void coprocessor(struct base_shadow *h, uint64_t t) {
    const struct simt_coprocessor_in *in = &h->c->coprocessor.in;
    const bool simt = h->c->mode == CLUSTER_SIMT;
    const int newest = simt && h->collected.count ? h->collected.flight[h->collected.count - 1] : NOBODY;
    SAME(h, "co-processor: simt", t, in->simt, simt);
    if (!simt) return;
    SAME(h, "co-processor: start", t, in->start, 0);
    SAME(h, "co-processor: fetched", t, in->fetched, h->fetched);
    SAME(h, "co-processor: decode_memory", t, in->decode_memory, h->decodes_memory);
    SAME(h, "co-processor: collect", t, in->collect, h->collects);
    SAME(h, "co-processor: collected", t, in->collected,
         newest != NOBODY && h->flying[newest].collected == t);
    SAME(h, "co-processor: rounds", t, in->rounds, h->c->blocks.dispatcher.in.rounds);
    SAME(h, "co-processor: beats", t, in->beats, h->c->blocks.dispatcher.in.beats);
    SAME(h, "co-processor: occupancy", t, in->occupancy, h->c->blocks.dispatcher.in.occupancy);
    SAME(h, "co-processor: hold", t, in->hold, h->c->blocks.dispatcher.in.hold);
    SAME(h, "co-processor: commit", t, in->commit, h->commits);
    if (h->taken != NOBODY)
        check_execution(h, t, in->execute_passed, in->execute_jumps, in->execute_operation, in->execute_by);
}

/* Checks contexts that start: the next one of each lane, at the thunk, which must be free. */
static void check_starts(struct base_shadow *h, uint64_t t) {
    const struct thread_descriptor_table_in *in = &h->c->descriptors.in;
    for (uint32_t rest = in->start; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest), context = in->start_context[lane];
        const unsigned warp = context / h->c->rounds, round = context % h->c->rounds;
        const struct lane_map map = {h->c->config->simt.lane_map == LANE_MAP_BLOCK ? LANE_MAP_BLOCK
                                                                                   : LANE_MAP_CYCLIC,
                                     h->c->lanes, h->c->rounds};
        reckon_of(&h->place, "descriptors: PC of a context that starts in lane", lane, t, in->start_pc[lane],
                  h->c->launch->thunk);
        reckon_of(&h->place, "descriptors: context that starts in lane", lane, t,
                  h->started[warp] >> lane_map_position(map, lane, round) & 1, false);
        h->started[warp] |= UINT64_C(1) << lane_map_position(map, lane, round);
    }
}

static void check_row(struct base_shadow *h, unsigned w, bool whole, uint64_t t) {
    const struct warp_descriptors *d = &h->c->descriptors.warp[w];
    const struct threads *x = &h->warp[w];
    reckon_of(&h->place, "Ready threads of warp", w, t, d->ready, x->ready);
    reckon_of(&h->place, "threads in Execution of warp", w, t, d->execution, x->execution);
    reckon_of(&h->place, "threads at a barrier of warp", w, t, d->barrier, x->barrier);
    for (uint64_t rest = whole ? base_live(x) : 0; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        reckon_of(&h->place, "PC of a thread of warp", w, t, d->pc[k], x->pc[k]);
        reckon_of(&h->place, "level of a thread of warp", w, t, d->level[k], x->level[k]);
    }
}

static void descriptors(struct base_shadow *h, uint64_t t) {
    const struct thread_descriptor_table_in *in = &h->c->descriptors.in;
    const struct warp_scheduler_out *picked = &h->c->blocks.scheduler.out;
    if (h->c->mode != CLUSTER_SIMT) {
        check_starts(h, t);
        return;
    }
    for (unsigned w = 0; w < h->c->warps; ++w) check_row(h, w, warp_set_has(h->commits, w), t);
    if (h->c->config->simt.mitigation == MITIGATION_ALT) return; /* its dispatcher has no Verilog */
    SAME(h, "descriptors: start", t, in->start, 0);
    SAME(h, "descriptors: select", t, in->select, picked->valid);
    if (picked->valid) SAME(h, "descriptors: select_warp", t, in->select_warp, picked->warp);
    SAME(h, "descriptors: schedule", t, in->schedule, h->handed_over != NOBODY);
    if (h->handed_over != NOBODY) {
        SAME(h, "descriptors: schedule_threads", t, in->schedule_threads,
             h->flying[h->handed_over].participating);
        SAME(h, "descriptors: schedule_pc", t, in->schedule_pc, h->flying[h->handed_over].pc);
    }
    SAME(h, "descriptors: execute", t, in->execute, h->taken != NOBODY);
    if (h->taken != NOBODY) {
        SAME(h, "descriptors: execute_warp", t, in->execute_warp, base_flight(h, h->taken)->warp);
        check_execution(h, t, in->execute_passed, in->execute_jumps, in->execute_operation, in->execute_by);
    }
    SAME(h, "descriptors: commit", t, in->commit, h->commits);
    SAME(h, "descriptors: release", t, in->release, h->releases);
}

/* --- the hooks --- */

/* Checks a cycle of a block of an engine that forms warps, or of the barriers. */
static void formed_cycle(struct base_shadow *h, enum cluster_block block, uint64_t t) {
    base_formed_cycle(h, block, t);
    if (block != CLUSTER_BLOCK_BARRIERS) return;
    for (unsigned w = 0; w < h->c->warps; ++w) check_row(h, w, false, t);
    barriers(h, t);
    h->arrive = h->leave = 0;
    if (h->releases) base_formed_released(h, t);
}

static void cycle(void *context, enum cluster_block block, uint64_t t) {
    struct base_shadow *h = context;
    const bool simt = h->c->mode == CLUSTER_SIMT;
    if (simt && !h->simt) begin(h, t);
    h->simt = simt;
    if (h->formed) {
        formed_cycle(h, block, t);
        return;
    }
    switch (block) {
    case CLUSTER_BLOCK_DISPATCHER: base_dispatcher(h, t); break;
    case CLUSTER_BLOCK_COLLECTOR: base_collector(h, t); break;
    case CLUSTER_BLOCK_SCHEDULER: scheduler(h, t); break;
    case CLUSTER_BLOCK_ARBITER: /* the stacks take its place */
        if (h->stacks) break;
        arbiter(h, t);
        move_front(h, t);
        break;
    case CLUSTER_BLOCK_TOKENS:
    case CLUSTER_BLOCK_RENAME: tokens(h, t); break;
    case CLUSTER_BLOCK_REUSE: reuse(h, t); break;
    case CLUSTER_BLOCK_WRITEBACK:
        if (h->stacks) move_front(h, t);
        write_back(h, t);
        break;
    case CLUSTER_BLOCK_BARRIERS: barriers(h, t); break;
    case CLUSTER_BLOCK_ADDRESS: base_address(h, t); break;
    case CLUSTER_BLOCK_COPROCESSOR: coprocessor(h, t); break;
    case CLUSTER_BLOCK_DESCRIPTORS: descriptors(h, t); break;
    default: break;
    }
}

/* Ends SIMT mode, after which another work-group may start. Pending inputs of the blocks of uniform values
 * arrive in the first cycle of the next one. */
static void stop(void *context) {
    struct base_shadow *h = context;
    h->simt = false;
    memset(h->started, 0, sizeof h->started);
}

static void reset(void *context) {
    struct base_shadow *h = context;
    stop(h);
    h->released = NOBODY;
    h->insert.is = false;
}

static void attach(struct base_shadow *h, struct cluster *c) {
    const struct machine_config *m = c->config;
    const bool whole = m->simt.arbitrate_cycles == 1 && m->simt.mitigation == MITIGATION_NONE;
    static const enum cluster_block blocks[] = {
        CLUSTER_BLOCK_SCHEDULER, CLUSTER_BLOCK_ARBITER,   CLUSTER_BLOCK_DISPATCHER, CLUSTER_BLOCK_BARRIERS,
        CLUSTER_BLOCK_COLLECTOR, CLUSTER_BLOCK_WRITEBACK, CLUSTER_BLOCK_ADDRESS,    CLUSTER_BLOCK_DESCRIPTORS,
        CLUSTER_BLOCK_TOKENS,    CLUSTER_BLOCK_RENAME,    CLUSTER_BLOCK_REUSE};
    h->c = c;
    h->stacks = m->simt.divergence == DIVERGENCE_sbr || m->simt.divergence == DIVERGENCE_oracle;
    h->place.error = &c->error;
    snprintf(h->place.name, sizeof h->place.name, "cluster %u", c->index);
    h->place.hook =
        (struct cluster_twins){.context = h, .reset = reset, .cycle = cycle, .stop = stop, .end = UINT64_MAX};
    h->formed = base_formed_create(h);
    for (unsigned b = 0; b < sizeof blocks / sizeof *blocks; ++b)
        h->place.hook.attached[blocks[b]] = !h->formed || blocks[b] == CLUSTER_BLOCK_BARRIERS;
    h->place.hook.attached[CLUSTER_BLOCK_COPROCESSOR] = whole && !h->formed;
    c->twins = &h->place.hook;
}

void *base_reckoning_create(struct machine *m) {
    const unsigned count = machine_configuration(m)->cluster.count;
    struct base_reckoning *r = calloc(1, sizeof *r + count * sizeof r->shadow[0]);
    require_memory(r);
    r->count = count;
    for (unsigned n = 0; n < count; ++n) attach(&r->shadow[n], machine_cluster(m, n));
    return r;
}

void base_reckoning_destroy(void *context) {
    struct base_reckoning *r = context;
    for (unsigned n = 0; n < r->count; ++n) {
        r->shadow[n].c->twins = NULL;
        free(r->shadow[n].formed);
    }
    free(r);
}

uint64_t base_reckoning_comparisons(const void *context) {
    const struct base_reckoning *r = context;
    uint64_t count = 0;
    for (unsigned n = 0; n < r->count; ++n) count += r->shadow[n].place.comparisons;
    return count;
}

/* I: schedulers select warps, whose instructions are executed and move to operand collectors (gpu-like.md
 * §3). */
#include "model/arm/coprocessor.h"
#include "model/control/round_compactor.h"
#include "model/sm/idle.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDERED (ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES)

/* --- hazards --- */

enum sm_unit_kind sm_kind_of(const struct sm *s, const struct arm_instruction *i) {
    const struct machine_code *code = s->launch->code;
    if (s->lanes.scalar_unit && !i->is_load && !i->is_store && s->scalarized[i - code->decoded].scalar)
        return SM_SCALAR;
    switch (i->class) {
    case ARM_CLASS_LOAD:
    case ARM_CLASS_STORE:
    case ARM_CLASS_LOAD_MULTIPLE:
    case ARM_CLASS_STORE_MULTIPLE: return SM_LDST;
    case ARM_CLASS_VFP_DIVIDE_SINGLE:
    case ARM_CLASS_VFP_DIVIDE_DOUBLE: return s->config->cluster.sfu_lanes ? SM_SFU : SM_SP;
    default: return SM_SP;
    }
}

/* Returns the registers and flags that an instruction reads or writes and that no older instruction may be
 * about to write. Rarely used state (Q, GE, the cumulative flags) is not tracked: instructions issue in
 * order. */
uint64_t sm_needs(const struct arm_instruction *i) {
    return ((i->reads | i->writes) & (ORDERED | (bit_of(ARM_REGISTERS) - 1))) |
           (i->condition != 14 ? ARM_STATE_NZCV : 0);
}

enum sm_effect sm_effect_of(const struct arm_instruction *i) {
    if (i->is_coprocessor) {
        const enum coprocessor_operation op = coprocessor_decode(i).operation;
        if (op == COPROCESSOR_BARRIER || op == COPROCESSOR_SYNC) return SM_BARRIER;
        if (op == COPROCESSOR_EXIT) return SM_EXIT;
    }
    return i->writes_pc ? SM_BRANCH : SM_NO_EFFECT;
}

bool sm_is_memory_barrier(const struct arm_instruction *i) {
    return (i->encoding & 0xffffffe0u) == 0xf57ff040u;
}

static uint64_t pending_of(const struct sm_warp *w) {
    return sm_pending(w);
}

/* Returns whether all pending operands arrive by chaining. */
static bool is_chained(const struct sm *s, const struct sm_warp *w, const struct sm_next *x) {
    const uint64_t blocked = x->needs & pending_of(w);
    return s->lanes.chaining && blocked && !(x->writes & w->unread) &&
           sm_chains(s, (unsigned)(w - s->warp), x->i, blocked);
}

/* Returns whether the older instructions that an exit or a memory barrier waits for have completed. */
static bool is_drained(const struct sm *s, const struct sm_warp *w, const struct sm_next *x) {
    if (x->drains == SM_DRAINS_ALL) return !w->in_flight;
    return !(w->loads || w->stores || sm_stores_on_the_way(s, (unsigned)(w - s->warp)));
}

/* Returns whether nothing delays the instruction. `clear`: the scoreboard finds no hazard. */
static inline bool is_clear(const struct sm *s, const struct sm_warp *w, const struct sm_next *x,
                            bool clear) {
    if (!clear && (!s->lanes.chaining || !is_chained(s, w, x))) return false;
    return x->drains == SM_DRAINS_NOTHING || is_drained(s, w, x);
}

/* Decodes the first instruction in a warp's buffer. An address outside the code has no hazards: the
 * instruction faults at issue. */
static void look(struct sm *s, unsigned warp) {
    struct sm_warp *w = &s->warp[warp];
    struct sm_next *x = &w->next;
    struct arm_instruction *i = sm_instruction(s, w->buffer_pc);
    *x = (struct sm_next){.known = true, .i = i, .pc = w->buffer_pc};
    if (i) {
        x->kind = (uint8_t)sm_kind_of(s, i);
        x->drains = sm_effect_of(i) == SM_EXIT ? SM_DRAINS_ALL
                    : sm_is_memory_barrier(i)  ? SM_DRAINS_MEMORY
                                               : SM_DRAINS_NOTHING;
        x->needs = sm_needs(i);
        x->writes = i->destinations;
    }
}

static inline const struct sm_next *next_of(struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    if (__builtin_expect(!w->next.known || w->next.pc != w->buffer_pc, 0)) look(s, warp);
    return &w->next;
}

void sm_refresh(struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    struct sm_scheduler *q = &s->scheduler[w->scheduler];
    const uint64_t bit = w->bit;
    if (!(q->decoded & bit)) return;
    const struct sm_next *x = next_of(s, warp);
    const bool copies = s->uniform.on && x->i && sm_copies_first(s, warp, x->i);
    const enum sm_unit_kind kind = copies ? SM_SP : x->kind;
    for (unsigned k = 0; k < SM_UNIT_KINDS && !(q->by_unit[kind] & bit); ++k) q->by_unit[k] &= ~bit;
    q->by_unit[kind] |= bit;
    const bool free = !(x->writes & w->unread) && !(x->needs & pending_of(w)); /* the condition of the
                                                                                * scoreboard */
    q->clear = is_clear(s, w, x, free) ? q->clear | bit : q->clear & ~bit;
}

/* --- flights --- */

static struct sm_flight *allocate(struct sm *s) {
    if (s->flight_free == SM_NO_FLIGHT) {
        const unsigned room = s->flight_room;
        s->flight_room = 2 * room + 32;
        s->flight = realloc(s->flight, s->flight_room * sizeof *s->flight);
        s->writing = realloc(s->writing, s->flight_room * sizeof *s->writing);
        s->finished = realloc(s->finished, s->flight_room * sizeof *s->finished);
        require_memory(s->flight && s->writing && s->finished);
        memset(&s->flight[room], 0, (s->flight_room - room) * sizeof *s->flight);
        for (unsigned n = s->flight_room; n-- > room;) {
            s->flight[n].next = s->flight_free;
            s->flight_free = (uint16_t)n;
        }
    }
    struct sm_flight *f = &s->flight[s->flight_free];
    s->flight_free = f->next;
    ++s->flights;
    return f;
}

struct sm_unit *sm_free_unit(struct sm *s, unsigned warp, enum sm_unit_kind kind) {
    struct sm_unit *best = NULL;
    if (s->lanes.apart && kind != SM_SCALAR) return sm_lanes_unit(s, warp, kind);
    for (struct sm_unit *u = &s->unit[s->first_unit[kind]]; u < &s->unit[s->first_unit[kind + 1]]; ++u)
        if (u->taken < u->collectors && (!best || u->taken < best->taken)) best = u;
    return best;
}

void sm_note_room(struct sm *s, enum sm_unit_kind kind) {
    bool room = false;
    for (unsigned n = s->first_unit[kind]; n < s->first_unit[kind + 1]; ++n)
        room |= s->unit[n].taken < s->unit[n].collectors;
    s->room[kind] = room ? ~UINT64_C(0) : 0;
}

static void to_collector(struct sm *s, struct sm_unit *u, struct sm_flight *f) {
    const uint16_t number = (uint16_t)(f - s->flight);
    u->collector[u->collected++] = number;
    s->used |= bit_of((unsigned)(u - s->unit));
    if (++u->taken == u->collectors) sm_note_room(s, u->kind);
    s->collecting[s->collecting_count++] = number;
    f->unit = (uint8_t)(u - s->unit);
    const bool beside = s->lanes.apart && u->kind == SM_SCALAR; /* takes no lane group */
    f->lane_group = beside && s->config->lanes.bound ? (uint8_t)(f->warp % s->lanes.groups) : u->group;
    if (s->lanes.in_turn && !beside) s->lanes.reading |= 1u << u->group;
    if (s->lanes.apart && !beside) {
        ++s->lanes.warps_instructions[u->group];
        s->lanes.threads_instructions[u->group] += (unsigned)__builtin_popcountll(f->passed);
        if (s->lanes.interval) sm_lanes_note(s, u->group, f->passed);
    }
    sm_begin_collection(s, f);
    f->unread = f->i->sources & ~f->saved;
    s->warp[f->warp].unread |= f->unread;
}

/* --- execution --- */

/* Returns the number of SP rounds in which at least one thread participates. */
static unsigned active_rounds(const struct sm *s, const struct sm_flight *f) {
    const unsigned lanes = s->row_lanes;
    unsigned rounds = 0;
    if (lanes >= s->positions) return 1;
    if (s->lanes.packs) return sm_packed_rounds(lanes, f->participating);
    if (f->participating == s->whole) return s->whole_rounds;
    for (uint64_t rest = f->participating; rest; rest >>= lanes) rounds += (rest & (bit_of(lanes) - 1)) != 0;
    return rounds;
}

static void count(struct sm *s, const struct sm_flight *f) {
    const unsigned active = (unsigned)__builtin_popcountll(f->participating);
    ++s->warp_instructions;
    const unsigned rounds = active_rounds(s, f);
    s->active_rounds += rounds;
    s->lane_slots += (uint64_t)rounds * s->row_lanes;
    ++s->class_instructions[f->i->class];
    if (f->i->is_load || f->i->is_store) s->memory_instructions += (unsigned)__builtin_popcountll(f->passed);
    histogram_add(&s->active_threads, active);
    if (__builtin_expect(s->profile != NULL, 0)) ++simt_profile_row(&s->simt, f->pc)->warps;
    if (s->divergence->count) s->divergence->count(s, f);
}

/* Calls fault_reads(), fault_writes() or fault_executed() for the threads of a flight. */
void sm_fault(struct sm *s, const struct sm_flight *f, uint64_t passed, fault_event *event) {
    uint16_t at[ARM_MAX_POSITIONS];
    for (unsigned n = 0; f->threads.regrouped && n < s->positions; ++n) {
        const struct sm_thread thread = sm_thread_of(s, f, n);
        at[n] = (uint16_t)(thread.warp * s->warp_size + thread.position);
    }
    const struct simt_instruction n = {(struct arm_instruction *)f->i, f->warp, f->pc, f->participating};
    simt_fault(&s->simt, event, &n, passed, f->uniform.form, f->threads.regrouped ? at : NULL);
}

void sm_flight_thread(const struct sm *s, const struct sm_flight *f, unsigned position, unsigned *warp,
                      unsigned *at) {
    const struct sm_thread t = sm_thread_of(s, f, position);
    *warp = t.warp;
    *at = t.position;
}

/* Executes the instruction of a flight whose threads are a warp of the register file. Returns false if the
 * launch has failed. */
static bool execute(struct sm *s, struct sm_flight *f, const struct simt_instruction *n, uint64_t t) {
    struct arm_execution x;
    x.in_stack = 0;
    if (__builtin_expect(s->redundancy || s->checks || s->spin, 0)) simt_watch_before(&s->simt, n);
    if (__builtin_expect(s->scalars != NULL, 0)) sm_check_scalar_reads(s, f);
    sm_execute_threads(s, n, &x);
    if (!sm_executed(s, n, &x, t)) return false;
    f->passed = x.passed;
    if (f->kind == SM_LDST && x.passed) {
        memcpy(f->address, x.address, s->warp_size * sizeof f->address[0]);
        f->in_stack = x.in_stack;
    }
    if (__builtin_expect(s->scalars != NULL, 0)) sm_check_scalar_writes(s, f);
    if (__builtin_expect(s->redundancy || s->profile || s->spin, 0)) simt_watch_after(&s->simt, n, &x);
    return true;
}

/* Executes a flight, also a copy instruction. Returns false if the launch has failed. */
static bool carry_out(struct sm *s, struct sm_flight *f, uint64_t t) {
    const struct simt_instruction n = {(struct arm_instruction *)f->i, f->warp, f->pc, f->participating};
    const bool has_fault = __builtin_expect(s->fault != NULL, 0), regrouped = f->threads.regrouped;
    if (has_fault) sm_fault(s, f, 0, fault_reads);
    if (f->uniform.form == UNIFORM_COPY) {
        f->passed = s->warp[f->warp].live;
    } else {
        if (arm_is_exclusive(f->i)) s->shared->monitor.now = t;
        if (!(regrouped ? sm_execute_regrouped(s, f, t) : execute(s, f, &n, t))) return false;
        if (has_fault) sm_fault(s, f, f->passed, fault_writes);
        count(s, f);
        if (__builtin_expect(s->observer != NULL, 0))
            simt_show_execution(&s->simt, &n, f->passed, f->address,
                                regrouped ? NULL : &s->warp[f->warp].threads, f, f->o_from);
        if (regrouped && __builtin_expect(s->profile != NULL, 0) && (f->i->is_load || f->i->is_store))
            machine_profile_access(simt_profile_row(&s->simt, f->pc), f->passed & ~f->in_stack, f->address,
                                   f->i->access_bytes, s->config->l2.line_bytes);
    }
    if (s->uniform.on) sm_scalars_write(s, f, t);
    if (has_fault && !f->uniform.inserts) sm_fault(s, f, f->passed, fault_executed);
    return !has_fault || s->error->status == EXIT_SOUND;
}

/* Advances the PC of a warp. After a branch, barrier or exit, the warp is unresolved until the effect at the
 * end of a cycle. */
static void advance(struct sm *s, struct sm_flight *f) {
    struct sm_warp *w = &s->warp[f->warp];
    struct sm_scheduler *q = sm_scheduler_of(s, f->warp);
    const uint64_t bit = sm_scheduler_bit(s, f->warp);
    --w->buffered;
    w->buffer_pc += 4;
    if (f->effect != SM_NO_EFFECT) {
        q->unresolved |= bit;
        if (!w->buffered) q->decoded &= ~bit;
        return;
    }
    re_convergence_stack_advance(&s->stack, f->warp);
    sm_redirect(s, f->warp);
}

/* Returns the rounds in which register d is written. A scalar is written once, after the last round, or after
 * the access of a load. A vector register is written in all rounds, even if a uniform load makes only one
 * access. */
static uint64_t writes_of(const struct sm *s, const struct sm_flight *f, unsigned d) {
    const bool one_access = f->i->is_load && f->uniform.form == UNIFORM_SCALAR;
    const unsigned rounds =
        !one_access      ? f->of_beat
        : s->lanes.packs ? sm_packed_rounds(s->width[SM_LDST], f->passed)
        : s->lanes.compaction
            ? (unsigned)__builtin_popcountll(round_compactor_rounds(s->width[SM_LDST], sm_taking_part(s, f)))
            : s->rounds[SM_LDST];
    if (f->uniform.scalars >> d & 1) return f->from_memory ? 1 : bit_of(f->of_beat - 1u);
    return rounds < 64 ? bit_of(rounds) - 1 : ~UINT64_C(0);
}

/* Presents an issued instruction to the scoreboard, which includes it from the next cycle on. */
static void note_issue(struct sm *s, const struct sm_flight *f) {
    struct scoreboard_in *in = &sm_scheduler_of(s, f->warp)->board.in;
    in->issued = true;
    in->warp = f->warp / s->schedulers;
    in->writes |= f->destinations | f->flags;
}

static void note_results(struct sm *s, struct sm_flight *f) {
    struct sm_warp *w = &s->warp[f->warp];
    f->destinations =
        f->passed ? f->i->destinations & (bit_of(ARM_REGISTERS) - 1) & ~bit_of(15) & ~f->saved : 0;
    f->flags = f->passed ? f->i->writes & ORDERED : 0;
    f->from_memory = f->kind == SM_LDST && f->passed && (f->i->is_load || arm_stores_exclusively(f->i));
    w->pending[f->kind] |= f->destinations | f->flags;
    if (s->stepped) note_issue(s, f);
    for (uint64_t rest = f->destinations; rest; rest &= rest - 1) {
        const unsigned d = (unsigned)__builtin_ctzll(rest);
        f->w_left[d] = writes_of(s, f, d);
        if (s->lanes.chaining) w->producer[d] = (uint16_t)(f - s->flight);
    }
    ++w->in_flight;
    if (f->kind == SM_LDST && f->i->is_load && !w->loads++) s->scheduler[w->scheduler].loading |= w->bit;
    if (f->kind == SM_LDST && f->i->is_store) ++w->stores;
}

/* Starts an instruction of a warp, or a copy instruction for it (NULL: none), in cycle t; its first cycle in
 * O is o_from. Returns NULL if the launch has failed. */
static struct sm_flight *begin(struct sm *s, const struct sm_selected *x, const struct sm_copied *copied,
                               uint64_t o_from, uint64_t t) {
    const struct unit_flight *its = x->flight;
    struct arm_instruction *i = sm_instruction(s, its->pc);
    if (!i) {
        const struct sm_thread first =
            sm_selected_thread(s, its->warp, &x->threads, (unsigned)__builtin_ctzll(its->participating));
        simt_jumps_outside(&s->simt,
                           &(struct simt_instruction){NULL, its->warp, its->pc, bit_of(first.position)});
        return NULL;
    }
    struct sm_flight *f = allocate(s);
    f->i = i;
    f->age = s->issued++;
    f->issue = its->s;
    f->pc = its->pc;
    f->warp = (uint8_t)its->warp;
    f->bank = s->warp[its->warp].bank;
    f->participating = its->participating;
    sm_copy_threads(&f->threads, &x->threads);
    if (copied)
        sm_scalars_copy(s, f, copied);
    else if (s->uniform.on)
        sm_scalars_decode(s, f);
    else
        sm_scalarized_decode(s, f);
    i = (struct arm_instruction *)f->i;
    const enum sm_unit_kind kind = sm_kind_of(s, i);
    f->kind = (uint8_t)kind;
    f->latency =
        (uint16_t)(s->barrel ? s->config->simt.pipeline_depth - 6 : s->config->core.latency_cycles[i->class]);
    f->occupancy = kind == SM_LDST ? 1 : (uint16_t)s->config->core.occupancy_cycles[i->class];
    f->o_round = f->x_round = f->answers = 0;
    f->o_from = o_from;
    f->all_sent = f->by_round = false;
    f->chained = 0;
    f->data = f->w_next = 0;
    f->effect = (uint8_t)sm_effect_of(i);
    if (!carry_out(s, f, t)) return NULL;
    if (__builtin_expect(s->access_values.positions, 0) && kind == SM_LDST)
        access_values_note(&s->access_values, (unsigned)(f - s->flight), i, &s->warp[f->warp].threads,
                           f->passed, f->address);
    sm_set_rounds(s, f);
    if (s->lanes.chaining) sm_chain(s, f);
    note_results(s, f);
    return f;
}

/* Issues the next instruction of a warp in cycle t. Returns false if the launch has failed. */
static bool issue(struct sm *s, unsigned warp, uint64_t t) {
    re_convergence_stack_read(&s->stack, warp);
    struct unit_flight its; /* only the fields used below; the structs are large */
    struct sm_selected x;
    its.warp = (uint16_t)warp;
    its.pc = s->warp[warp].buffer_pc;
    its.s = t;
    its.participating = sm_participating(s, warp);
    x.flight = &its;
    x.threads.regrouped = x.threads.in_place = false;
    struct sm_flight *f = begin(s, &x, NULL, t + 1, t);
    if (!f) return false;
    to_collector(s, sm_free_unit(s, warp, f->kind), f);
    if (s->lanes.apart) sm_lanes_count_issue(s);
    if (f->uniform.form != UNIFORM_COPY) advance(s, f);
    sm_refresh(s, warp);
    return true;
}

/* A pseudo-result, so that an instruction without a result takes its time until C, too. */
#define WRITES_NOTHING (UINT64_C(1) << 63)

bool sm_begin_copy(struct sm *s, const struct sm_selected *x, const struct sm_copied *copied,
                   struct sm_unit *u, uint64_t t) {
    struct unit_flight its; /* only the fields used below; the structs are large */
    struct sm_selected whole;
    its.warp = (uint16_t)copied->warp;
    its.pc = x->flight->pc;
    its.s = x->flight->s;
    its.participating = s->warp[copied->warp].live;
    whole.flight = &its;
    whole.threads.warp = copied->warp;
    whole.threads.regrouped = whole.threads.in_place = false;
    struct sm_flight *f = begin(s, &whole, copied, t, t);
    if (!f) return false;
    ++s->copies;
    to_collector(s, u, f);
    return true;
}

bool sm_begin_flight(struct sm *s, const struct sm_selected *x, struct sm_unit *u, uint64_t t) {
    struct sm_flight *f = begin(s, x, NULL, t, t);
    if (!f) return false;
    if (f->uniform.form == UNIFORM_COPY) warp_set_add(&s->copying, f->warp);
    if (!f->destinations && !f->flags && (f->kind != SM_LDST || !f->passed)) f->flags = WRITES_NOTHING;
    to_collector(s, u, f);
    return true;
}

/* Returns the warps of a scheduler that wait for memory or at a barrier, or have ended (warp_scheduler's
 * `stalled`). */
static uint64_t stalled_warps(const struct sm *s, unsigned scheduler) {
    const struct sm_scheduler *q = &s->scheduler[scheduler];
    const uint64_t stalled = q->barrier | ~q->live | q->loading;
    return stalled & (~UINT64_C(0) >> (64 - q->policy.cfg.warps));
}

/* --- a scheduler's cycle --- */

/* Returns the warps of a scheduler whose next instruction can issue. */
static inline uint64_t can_issue(struct sm *s, const struct sm_scheduler *q, bool plain) {
    const uint64_t clear = q->decoded & q->clear & ~q->unresolved & ~q->barrier;
    uint64_t ready = 0;
    if (!plain && s->lanes.apart) return sm_lanes_eligible(s, q, clear);
    if (!plain && s->lanes.reading) return 0;
    for (unsigned k = 0; k < SM_UNIT_KINDS; ++k) ready |= q->by_unit[k] & s->room[k];
    return ready & clear;
}

/* Marks the instructions that have been decoded by cycle t. */
static __attribute__((noinline)) void decode(struct sm *s, unsigned scheduler, uint64_t t) {
    struct sm_scheduler *q = &s->scheduler[scheduler];
    q->decode_at = SM_NEVER;
    for (uint64_t rest = q->decoding; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest), warp = n * s->schedulers + scheduler;
        if (s->warp[warp].buffer_at > t) {
            sm_earlier(&q->decode_at, s->warp[warp].buffer_at);
            continue;
        }
        q->decoding &= ~bit_of(n);
        q->decoded |= bit_of(n);
        sm_refresh(s, warp);
    }
}

/* Sets the inputs of the scoreboard. A warp without a decoded instruction requests nothing. */
static void ask_scoreboard(const struct sm *s, unsigned scheduler, struct scoreboard *b) {
    for (unsigned n = 0; n < b->cfg.warps; ++n) {
        const struct sm_warp *w = &s->warp[n * s->schedulers + scheduler];
        const uint64_t was = b->pending[n] | (b->in.issued && b->in.warp == n ? b->in.writes : 0);
        const bool decoded = s->scheduler[scheduler].decoded >> n & 1;
        const struct arm_instruction *i = decoded ? sm_instruction(s, w->buffer_pc) : NULL;
        invariant(!(pending_of(w) & ~was), "registers that nothing will write are pending");
        b->release[n] = was & ~pending_of(w);
        b->unread[n] = w->unread & (bit_of(SM_RESOURCES) - 1);
        b->needs[n] = i ? sm_needs(i) : 0;
        b->destinations[n] = i ? i->destinations & (bit_of(SM_RESOURCES) - 1) : 0;
    }
}

/* Steps the scoreboard, whose output determines the warps that can issue. */
static void step_scoreboard(struct sm *s, unsigned scheduler, uint64_t t) {
    struct sm_scheduler *q = &s->scheduler[scheduler];
    struct scoreboard *b = &q->board;
    ask_scoreboard(s, scheduler, b);
    scoreboard_eval(b);
    block_twins_cycle(s->twins[scheduler], CLUSTER_BLOCK_SCOREBOARD, t);
    for (uint64_t rest = q->decoded; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        const unsigned warp = n * s->schedulers + scheduler;
        const bool clear = is_clear(s, &s->warp[warp], next_of(s, warp), b->out.clear >> n & 1);
        q->clear = clear ? q->clear | bit_of(n) : q->clear & ~bit_of(n);
    }
    scoreboard_clock(b);
}

/* Cycles without a grant after which a driving twin counts as livelocked, if simt.livelock_cycles is 0. */
#define LIVELOCK_CYCLES 100000

void sm_watch_for_livelock(struct sm *s, uint64_t *count, bool refused, const struct sm_refusal *r,
                           uint64_t t) {
    const uint64_t limit =
        s->config->simt.livelock_cycles ? s->config->simt.livelock_cycles : LIVELOCK_CYCLES;
    *count = refused ? *count + 1 : 0;
    if (*count == limit) sm_diagnose_refusal(s, r, limit, t);
}

/* Counts cycles in which the warp scheduler grants none of the ready warps. */
static void watch_scheduler(struct sm *s, unsigned scheduler, bool refused, uint64_t t) {
    char block[48];
    snprintf(block, sizeof block, "warp_scheduler of scheduler %u", scheduler);
    sm_watch_for_livelock(s, &s->refused[scheduler], refused,
                          &(struct sm_refusal){block, "granted no warp", "some could issue"}, t);
}

bool sm_pick_some(struct sm *s, unsigned scheduler, uint64_t ready, uint64_t t, unsigned *n) {
    struct sm_scheduler *q = &s->scheduler[scheduler];
    q->policy.in.ready = ready;
    q->policy.in.take = true;
    if (q->policy.cfg.policy->moves || s->stepped)
        q->policy.in.stalled = stalled_warps(s, scheduler); /* the other policies do not use `stalled` */
    warp_scheduler_eval(&q->policy);
    s->picks[scheduler] += s->twins[scheduler] != NULL;
    block_twins_cycle(s->twins[scheduler], CLUSTER_BLOCK_SCHEDULER, t);
    if (s->twins[scheduler]) watch_scheduler(s, scheduler, ready && !q->policy.out.valid, t);
    q->moves = q->policy.out.valid || (s->stepped && (ready || s->lanes.withheld)) ||
               warp_scheduler_moves(&q->policy);
    *n = q->policy.out.warp;
    const bool valid = q->policy.out.valid;
    warp_scheduler_clock(&q->policy);
    return valid;
}

void sm_note_issue(struct sm *s, unsigned scheduler, unsigned warp, uint32_t pc, enum sm_unit_kind kind,
                   uint64_t t) {
    struct sm_scheduler *q = &s->scheduler[scheduler];
    q->cause = sm_issue_cause(kind);
    q->issue_cycle = t;
    q->issue_warp = (uint16_t)warp;
    q->issue_pc = pc;
    sm_count_cycles(s, q->cause, q->issue_pc, 1);
}

/* Prefetches the registers of the next instruction of warp n into the host's cache, which is smaller than the
 * registers of all warps. */
static void fetch_ahead(const struct sm *s, unsigned scheduler, unsigned n) {
    const struct sm_warp *w = &s->warp[n * s->schedulers + scheduler];
    if (!w->next.i) return;
    for (uint64_t rest = (w->next.i->sources | w->next.i->destinations) & (bit_of(ARM_REGISTERS) - 1); rest;
         rest &= rest - 1) {
        const char *row = (const char *)&w->threads.registers[(unsigned)__builtin_ctzll(rest) * s->warp_size];
        for (unsigned k = 0; k < s->warp_size * 4; k += 64) __builtin_prefetch(&row[k], 1);
    }
}

/* Issues instructions of warp n. A function of its own keeps cycles without an issue fast. */
static __attribute__((noinline)) void issue_picked(struct sm *s, unsigned scheduler, unsigned n,
                                                   uint64_t ready, uint64_t t) {
    struct sm_scheduler *q = &s->scheduler[scheduler];
    const unsigned warp = n * s->schedulers + scheduler;
    const uint64_t others = ready & ~bit_of(n), after = others & ~((UINT64_C(2) << n) - 1);
    if (others) fetch_ahead(s, scheduler, (unsigned)__builtin_ctzll(after ? after : others));
    for (unsigned width = 0; width < s->config->simt.issue_width; ++width) {
        if (!((width ? can_issue(s, q, s->plain) : ready) & bit_of(n))) break;
        enum sm_unit_kind kind = SM_SP;
        while (!(q->by_unit[kind] & bit_of(n))) ++kind;
        if (width == 0) {
            sm_note_issue(s, scheduler, warp, s->warp[warp].buffer_pc, kind, t);
            histogram_add(&s->issue_threads, (unsigned)__builtin_popcountll(sm_participating(s, warp)));
        }
        if (!issue(s, warp, t)) return;
    }
}

/* Returns whether an instruction has issued. */
static inline bool step_scheduler(struct sm *s, unsigned scheduler, uint64_t t, bool plain) {
    const uint64_t ready = can_issue(s, &s->scheduler[scheduler], plain);
    unsigned n;
    if (!sm_pick(s, scheduler, ready, t, &n)) return false;
    issue_picked(s, scheduler, n, ready, t);
    return true;
}

static inline __attribute__((always_inline)) uint64_t issue_of(struct sm *s, uint64_t t, bool plain,
                                                               unsigned schedulers) {
    const bool renames = !plain && s->renaming != SM_NO_FLIGHT;
    uint64_t next = SM_NEVER;
    for (unsigned n = 0; n < schedulers; ++n) {
        const unsigned scheduler = schedulers == 1 ? 0 : (unsigned)((t + n) % schedulers);
        struct sm_scheduler *q = &s->scheduler[scheduler];
        if (q->decode_at <= t) decode(s, scheduler, t);
        sm_earlier(&next, q->decode_at);
        if (!plain && s->stepped) step_scoreboard(s, scheduler, t);
        const bool issued = !renames && step_scheduler(s, scheduler, t, plain);
        if (!issued) sm_note_idle(s, scheduler);
        if (q->moves) next = t + 1;
    }
    if (renames) {
        sm_rename_next(s);
        next = t + 1;
    }
    if (!plain && s->lanes.apart) sm_lanes_count(s, 1);
    s->charged = t + 1;
    return next;
}

uint64_t sm_issue(struct sm *s, uint64_t t) {
    return !s->plain            ? issue_of(s, t, false, s->schedulers)
           : s->schedulers == 1 ? issue_of(s, t, true, 1)
                                : issue_of(s, t, true, s->schedulers);
}

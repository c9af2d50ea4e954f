/* F, D and I of scalar threads, and the causes of cycles without an issue (scalar-unit.md §4.1). */
#include "model/arm/coprocessor.h"
#include "model/sm/scalar_parts.h"
#include "model/memory/memory.h"
#include "model/sm/sm_ldst.h"

#include "sim/error.h"

#include <stdio.h>

/* --- F, D --- */

static bool wants_fetch(const struct scalar_thread *h, uint64_t t) {
    return h->live && !h->buffered && !h->fetching && h->fetch_from <= t &&
           (h->effect == SM_NO_EFFECT || h->effect == SM_BARRIER);
}

void scalar_units_fetched(struct sm *s, uint32_t tag, uint64_t t) {
    struct scalar_units *u = s->scalar;
    struct scalar_thread *h = &u->thread[tag - SCALAR_L1I_TAG];
    h->fetching = false;
    h->buffered = h->pc & 4 ? 1 : SM_BUFFER;
    h->buffer_at = scalar_cycle(u, t + 1) + u->divisor;
}

uint64_t scalar_units_fetch(struct sm *s, uint64_t t) {
    struct scalar_units *u = s->scalar;
    uint64_t next = SM_NEVER;
    const unsigned after = u->fetch_turn + 1;
    for (unsigned n = 0; n < u->threads; ++n) {
        const unsigned slot = (after + n) % u->threads;
        struct scalar_thread *h = &u->thread[slot];
        if (!wants_fetch(h, t)) continue;
        if (!s->fetches_left || !scalar_is_cycle(u, t)) {
            next = scalar_cycle(u, t + 1);
            break;
        }
        --s->fetches_left;
        h->fetching = true;
        if (sm_ldst_fetch(s, SCALAR_L1I_TAG + slot, h->pc, t)) {
            u->fetch_turn = slot;
            continue;
        }
        h->fetching = false; /* the L1I accepts no request in this cycle */
        s->fetches_left = 0;
        next = scalar_cycle(u, t + 1);
    }
    return next;
}

/* --- hazards --- */

static enum coprocessor_operation operation_of(const struct arm_instruction *i) {
    return i ? coprocessor_operation_of(i) : COPROCESSOR_UNDEFINED;
}

/* Returns the resources that an instruction waits for. The destination of a load in flight is omitted if the
 * instruction overwrites it unconditionally. The register operand of an exit has no meaning and
 * is omitted. */
static uint64_t needs(const struct scalar_thread *h, const struct arm_instruction *i,
                      enum coprocessor_operation op) {
    uint64_t needed = op == COPROCESSOR_EXIT ? sm_needs(i) & ARM_STATE_NZCV : sm_needs(i);
    if (i->condition != 14) return needed;
    for (uint64_t rest = needed & i->writes & ~i->reads; rest; rest &= rest - 1)
        if (h->loader[__builtin_ctzll(rest)]) needed &= ~(rest & -rest);
    return needed;
}

/* Returns the first cycle in which all operands of a thread's buffered instruction are ready; SM_NEVER if one
 * waits for memory. */
static uint64_t ready_at(const struct sm *s, const struct scalar_thread *h) {
    const struct arm_instruction *i = sm_instruction(s, h->pc);
    uint64_t at = h->buffer_at;
    if (!i) return at;
    const enum coprocessor_operation op = operation_of(i);
    const bool drains = op == COPROCESSOR_EXIT || op == COPROCESSOR_CYCLES;
    if (h->in_memory && (op == COPROCESSOR_CYCLES || sm_is_memory_barrier(i))) return SM_NEVER;
    if (h->unsent && op == COPROCESSOR_EXIT) return SM_NEVER;
    if (sm_is_memory_barrier(i) &&
        sm_stores_on_the_way(s, SM_STORES_OF_SCALARS + (unsigned)(h - s->scalar->thread)))
        return SM_NEVER;
    if (drains && h->settled > at) at = h->settled;
    for (uint64_t rest = needs(h, i, op); rest; rest &= rest - 1) {
        const uint64_t ready = h->ready[__builtin_ctzll(rest)];
        at = ready > at ? ready : at;
    }
    return at;
}

static bool may_issue(const struct scalar_thread *h) {
    return h->live && !h->waits && h->effect == SM_NO_EFFECT && h->buffered;
}

/* --- causes --- */

enum scalar_cause scalar_thread_cause(const struct sm *s, unsigned slot, uint64_t t) {
    const struct scalar_thread *h = &s->scalar->thread[slot];
    if (!h->live) return SCALAR_CAUSE_EMPTY;
    if (h->waits || h->effect == SM_BARRIER) return SCALAR_CAUSE_BARRIER;
    if (h->effect == SM_BRANCH && h->effect_at == SM_NEVER) return SCALAR_CAUSE_MEMORY;
    if (h->effect != SM_NO_EFFECT || !h->buffered || h->buffer_at > t) return SCALAR_CAUSE_FETCH;
    const uint64_t at = ready_at(s, h);
    return at == SM_NEVER ? SCALAR_CAUSE_MEMORY : at > t ? SCALAR_CAUSE_DEPENDENCY : SCALAR_CAUSE_ISSUE;
}

/* Returns the PC of the next instruction of the thread in a slot, or of the instruction whose effect it waits
 * for. */
static uint32_t pc_of(const struct sm *s, unsigned slot) {
    const struct scalar_thread *h = &s->scalar->thread[slot];
    return h->waits || h->effect != SM_NO_EFFECT ? h->effect_pc : h->pc;
}

enum scalar_cause scalar_units_idle_cause(const struct sm *s, unsigned unit, uint64_t t, uint32_t *pc) {
    const struct scalar_units *u = s->scalar;
    enum scalar_cause first = SCALAR_CAUSE_EMPTY;
    *pc = 0;
    for (unsigned slot = unit; u->live && slot < u->threads; slot += u->units) {
        const enum scalar_cause cause = scalar_thread_cause(s, slot, t);
        if (cause >= first) continue;
        first = cause;
        *pc = pc_of(s, slot);
    }
    return first == SCALAR_CAUSE_ISSUE ? SCALAR_CAUSE_OCCUPIED : first;
}

static void count_cycles(struct sm *s, unsigned unit, enum scalar_cause cause, uint32_t pc, uint64_t cycles) {
    const uint32_t offset = pc - s->launch->code->text_base;
    s->scalar->cause[cause] += cycles;
    s->scalar->unit[unit].cycles[cause] += cycles;
    if (s->profile && cause != SCALAR_CAUSE_EMPTY && offset < s->launch->code->text_bytes)
        s->profile[offset / 4].scalar_cycles[cause] += cycles;
}

/* Returns the number of work-groups all of whose SIMT threads wait for the scalar thread. */
static unsigned groups_that_wait(const struct sm *s) {
    const struct barrier_table *b = &s->barriers;
    unsigned count = 0;
    for (uint64_t rest = b->q.scalar_live & ~b->q.scalar_waits & b->q.with; rest; rest &= rest - 1) {
        const unsigned g = (unsigned)__builtin_ctzll(rest);
        count += b->now.waiting[g] && b->now.waiting[g] == b->now.live[g];
    }
    return count;
}

void scalar_units_charge(struct sm *s, uint64_t from, uint64_t to) {
    struct scalar_units *u = s->scalar;
    if (from >= to) return;
    u->simt_waits += groups_that_wait(s) * (to - from);
    const uint64_t first = scalar_cycle(u, from);
    const uint64_t cycles = first < to ? (to - first + u->divisor - 1) / u->divisor : 0;
    for (unsigned n = 0; cycles && n < u->units; ++n) {
        uint32_t pc;
        const enum scalar_cause cause = scalar_units_idle_cause(s, n, first, &pc);
        count_cycles(s, n, cause, pc, cycles);
    }
}

/* --- I --- */

/* Returns false if the operation does not exist for a scalar thread. */
static bool coprocess(struct sm *s, unsigned slot, const struct arm_instruction *i, uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    const struct sm_group *g = &s->group[slot];
    struct arm_threads *threads = &s->scalar->thread[slot].threads;
    if (op.operation == COPROCESSOR_BARRIER && !scalar_units_share(s)) {
        scalar_diagnose(s, slot, i->pc,
                        "executes a barrier of the SIMT threads alone; the barrier that includes a scalar "
                        "thread is lockstep_sync(1)");
        return false;
    }
    if (op.operation == COPROCESSOR_SYNC && scalar_units_share(s)) {
        scalar_diagnose(s, slot, i->pc, SM_SYNC_ALONE, s->launch->kernel);
        return false;
    }
    if (op.operation == COPROCESSOR_UNDEFINED || coprocessor_mimd_only(op.operation)) {
        scalar_diagnose(s, slot, i->pc,
                        "executes a co-processor instruction that does not exist on this machine");
        return false;
    }
    if (op.operation == COPROCESSOR_NOTE) histogram_add(&s->scalar->noted, threads->registers[i->rd]);
    if (!i->coprocessor_reads) return true;
    const struct identity d = sm_identity(s, g, NULL, 0);
    identity_read(&d, i, threads, 1, t);
    return true;
}

static enum sm_effect effect_of(const struct arm_instruction *i) {
    const enum coprocessor_operation op = operation_of(i);
    if (op == COPROCESSOR_SYNC || op == COPROCESSOR_BARRIER) return SM_BARRIER;
    if (op == COPROCESSOR_EXIT) return SM_EXIT;
    return i->writes_pc ? SM_BRANCH : SM_NO_EFFECT;
}

/* Repeats a load that found no memory on a region of zeros, if the scalar thread only prefetches
 * (`prefetches` of the launch). Returns whether it did. */
static bool reads_nothing(struct sm *s, struct scalar_thread *h, struct arm_instruction *i,
                          struct arm_execution *x) {
    struct scalar_units *u = s->scalar;
    struct memory *const memory = h->threads.memory;
    const uint32_t address = x->address[0], rest = -address;
    const bool nowhere = x->fault == ARM_FAULT_UNMAPPED || x->fault == ARM_FAULT_FOREIGN_STACK;
    if (!s->launch->prefetches || !nowhere || !i->is_load || i->is_store) return false;
    const uint32_t bytes = rest && rest < sizeof u->zeros ? rest : sizeof u->zeros;
    const int region = memory_add(u->nothing, MEMORY_BUFFER, address, bytes, u->zeros, false, "nothing");
    h->threads.memory = u->nothing;
    arm_execute(i, &h->threads, 1, x);
    h->threads.memory = memory;
    memory_remove(u->nothing, region);
    if (x->fault != ARM_FAULT_NONE) return false;
    ++u->loads;
    ++u->outside;
    return true;
}

/* Executes an instruction. Returns false if a prefetching load found no memory and read 0 instead. */
static bool execute(struct sm *s, struct scalar_thread *h, struct arm_instruction *i,
                    struct arm_execution *x) {
    struct memory *const memory = h->threads.memory;
    struct memory_outside *const outside = memory->outside;
    if (s->launch->prefetches)
        memory->outside = NULL; /* prefetches outside the buffers are not errors of the
                                 * program */
    arm_execute(i, &h->threads, 1, x);
    memory->outside = outside;
    return x->fault == ARM_FAULT_NONE || !reads_nothing(s, h, i, x);
}

/* Records when the results of an instruction are ready; results of loads become ready with the answer. */
static void note_results(struct sm *s, unsigned slot, const struct arm_instruction *i,
                         const struct arm_execution *x, bool sent, uint64_t t) {
    struct scalar_units *u = s->scalar;
    struct scalar_thread *h = &u->thread[slot];
    const uint64_t at = t + (s->config->core.latency_cycles[i->class] + 2) * u->divisor;
    const uint64_t known = (bit_of(SCALAR_RESOURCES) - 1) & ~bit_of(15);
    uint64_t writes = i->writes & known, loaded = 0;
    if (!x->passed) return;
    if (sent && (i->is_load || i->is_store)) {
        loaded = i->is_load || arm_stores_exclusively(i) ? writes : 0;
        if (i->write_back) loaded &= ~bit_of(i->rn);
        scalar_memory_begin(s, slot, i, x->address[0], loaded, t);
    }
    for (uint64_t rest = loaded; rest; rest &= rest - 1) h->ready[__builtin_ctzll(rest)] = SM_NEVER;
    for (uint64_t rest = writes & ~loaded; rest; rest &= rest - 1) {
        h->ready[__builtin_ctzll(rest)] = at;
        h->loader[__builtin_ctzll(rest)] = 0;
    }
    if (writes & ~loaded && at > h->settled) h->settled = at;
}

/* Advances the thread to the next instruction. After a branch, barrier or exit, the thread waits for the
 * effect. */
static void advance(struct sm *s, struct scalar_thread *h, const struct arm_instruction *i,
                    const struct arm_execution *x, uint64_t t) {
    h->effect = effect_of(i);
    h->effect_pc = h->pc;
    h->effect_at = t + 3 * s->scalar->divisor;
    if (h->effect == SM_BRANCH && !x->passed) h->threads.next_pc[0] = h->pc + 4;
    if (h->effect == SM_BRANCH && i->is_load && x->passed) h->effect_at = SM_NEVER;
    if ((h->effect == SM_BARRIER || h->effect == SM_EXIT) && !x->passed) h->effect = SM_NO_EFFECT;
    h->pc += 4;
    --h->buffered;
    if (h->effect == SM_BRANCH || h->effect == SM_EXIT) h->buffered = 0;
}

static void count(struct sm *s, struct scalar_unit *x, unsigned slot, const struct arm_instruction *i,
                  bool passed, uint64_t t) {
    struct scalar_units *u = s->scalar;
    const struct machine_code *code = s->launch->code;
    ++u->instructions;
    ++u->class_instructions[i->class];
    u->condition_failed += !passed;
    u->registers_read += (unsigned)__builtin_popcountll(i->sources & (bit_of(ARM_REGISTERS) - 1));
    if (passed)
        u->registers_written += (unsigned)__builtin_popcountll(i->destinations & (bit_of(ARM_REGISTERS) - 1));
    if (s->profile) ++s->profile[(u->thread[slot].pc - code->text_base) / 4].executions;
    x->issue_cycle = t;
    x->issue_pc = u->thread[slot].pc;
    x->issue_slot = (uint8_t)slot;
}

static void issue(struct sm *s, struct scalar_unit *unit, unsigned slot, uint64_t t) {
    struct scalar_thread *h = &s->scalar->thread[slot];
    struct arm_instruction *i = sm_instruction(s, h->pc);
    struct arm_execution x;
    if (!i) {
        scalar_diagnose(s, slot, h->pc, "jumps outside the program's code");
        return;
    }
    h->threads.pc[0] = h->pc;
    if (arm_is_exclusive(i)) s->shared->monitor.now = t;
    const bool sent = execute(s, h, i, &x);
    if (x.fault != ARM_FAULT_NONE) {
        scalar_diagnose_fault(s, slot, i, &x);
        return;
    }
    if (s->checks && i->is_store && x.stored)
        checks_store(s->checks, sm_check_slot(s, slot), x.address[0], i->access_bytes);
    if (i->is_coprocessor && x.passed && !coprocess(s, slot, i, t)) return;
    note_results(s, slot, i, &x, sent, t);
    count(s, unit, slot, i, x.passed, t);
    advance(s, h, i, &x, t);
    unit->next = t + s->config->core.occupancy_cycles[i->class] * s->scalar->divisor;
}

/* Returns the threads of a unit whose next instruction can issue in cycle t, one bit each. */
static uint64_t ready_threads(const struct sm *s, unsigned unit, uint64_t t) {
    const struct scalar_units *u = s->scalar;
    uint64_t ready = 0;
    for (unsigned slot = unit, n = 0; slot < u->threads; slot += u->units, ++n) {
        const struct scalar_thread *h = &u->thread[slot];
        if (may_issue(h) && ready_at(s, h) <= t) ready |= bit_of(n);
    }
    return ready;
}

/* Counts cycles in which the scheduler of a unit grants none of the ready threads. */
static void watch_unit(struct sm *s, unsigned n, uint64_t t) {
    struct scalar_unit *x = &s->scalar->unit[n];
    const bool refused = x->scheduler.in.ready && !x->scheduler.out.valid;
    char block[48];
    if (!x->scheduler.in.ready) return; /* no thread to grant */
    snprintf(block, sizeof block, "scalar_scheduler of scalar unit %u", n);
    sm_watch_for_livelock(s, &x->refused, refused,
                          &(struct sm_refusal){block, "granted no thread", "some could issue"}, t);
}

/* Steps a unit. With twins or --exact-steps it is called in every cycle of the cluster; no thread is ready in
 * a cycle without an edge of the unit's clock. */
static void step_unit(struct sm *s, unsigned n, uint64_t t) {
    struct scalar_units *u = s->scalar;
    struct scalar_unit *x = &u->unit[n];
    struct scalar_scheduler *q = &x->scheduler;
    const bool works = scalar_is_cycle(u, t);
    uint32_t pc = 0;
    if (!q->cfg.threads) {
        if (works) count_cycles(s, n, SCALAR_CAUSE_EMPTY, 0, 1);
        return;
    }
    q->in.cycle = t & 7;
    q->in.ready = works && x->next <= t ? ready_threads(s, n, t) : 0;
    scalar_scheduler_eval(q);
    if (x->twins && t >= x->twins->end) x->twins = NULL;
    x->watched += x->twins != NULL;
    block_twins_cycle(x->twins, CLUSTER_BLOCK_SCALAR, t);
    if (x->twins) watch_unit(s, n, t);
    const bool issues = q->out.valid;
    const unsigned slot = q->out.thread * u->units + n;
    scalar_scheduler_clock(q);
    if (!works) return;
    x->cause_cycle = t;
    x->cause = issues ? SCALAR_CAUSE_ISSUE : scalar_units_idle_cause(s, n, t, &pc);
    count_cycles(s, n, x->cause, issues ? u->thread[slot].pc : pc, 1);
    if (issues) issue(s, x, slot, t);
}

/* Returns the first cycle after t in which the state or the cause of a unit's threads can change. */
static uint64_t next_of(const struct sm *s, unsigned unit, uint64_t t) {
    const struct scalar_units *u = s->scalar;
    const uint64_t after = scalar_cycle(u, t + 1);
    uint64_t next = SM_NEVER;
    for (unsigned slot = unit; slot < u->threads; slot += u->units) {
        const struct scalar_thread *h = &u->thread[slot];
        if (!h->live) continue;
        if (wants_fetch(h, h->fetch_from))
            sm_earlier(&next, scalar_cycle(u, h->fetch_from > t ? h->fetch_from : t + 1));
        if (!may_issue(h)) continue;
        if (h->buffer_at > t) sm_earlier(&next, scalar_cycle(u, h->buffer_at));
        const uint64_t at = ready_at(s, h);
        if (at != SM_NEVER) sm_earlier(&next, at > t ? scalar_cycle(u, at) : after);
    }
    if (next != SM_NEVER && u->unit[unit].next > t) sm_earlier(&next, u->unit[unit].next);
    return next;
}

uint64_t scalar_units_issue(struct sm *s, uint64_t t) {
    struct scalar_units *u = s->scalar;
    uint64_t next = SM_NEVER;
    u->simt_waits += groups_that_wait(s);
    for (unsigned n = 0; n < u->units && s->error->status == EXIT_SOUND; ++n) {
        if (s->stepped || scalar_is_cycle(u, t)) step_unit(s, n, t);
        sm_earlier(&next, next_of(s, n, t));
    }
    return next;
}

/*
 * in_order: the core kind that issues up to `core.issue_width` instructions a cycle in program order
 * (superscalar.h).
 *
 * In each cycle the oldest instructions of the fetch queue issue, up to the first with one of these hazards:
 * a source is not usable; it reads or writes a result of another instruction issued in this cycle; its result
 * would be usable before that of an older instruction with the same destination; its unit is not free; it
 * follows a branch. Instructions that issue alone wait until all results are usable and the load-store queue
 * is empty.
 *
 * A load or store enters the load-store queue at its issue. Accesses are made in order, one a cycle: an
 * access has its address in X and uses the L1D in the next cycle, a multiple access does so for each
 * register. After a load that missed, the next access waits until the line is there, but instructions issue
 * on. Registers whose loads have not been made are not usable.
 *
 * In a SIMT launch, in which the L1D is the TPM, an access goes to the L2, and the next one waits for it.
 */
#include "model/control/exclusive_monitor.h"
#include "model/core/superscalar_parts.h"

#include <stddef.h>

/* --- loads and stores --- */

/* Sets the cycle from which the registers loaded by the last access are usable. */
static void set_result(struct core *c, struct core_access *m, uint64_t t, bool missed) {
    const unsigned made = m->count - m->done;
    core_later(&c->superscalar->all, t);
    core_later(&m->result, t);
    for (unsigned n = 0; m->rest && (n == 0 || made == 1); ++n, m->rest &= m->rest - 1)
        c->ready[__builtin_ctzll(m->rest)] = t;
    if (missed) c->superscalar->missed = t;
}

/* Makes the access of a SIMT launch, all registers at once. */
static void access_uncached(struct core *c, struct core_access *m, uint64_t t) {
    struct superscalar *s = c->superscalar;
    const uint64_t unblocked = t + core_access_l2(c, m->i, m->address, t);
    m->done = m->count - 1;
    s->access_next = t + (uint64_t)c->config->core.occupancy_cycles[m->i->class] * m->count;
    core_later(&s->access_next, unblocked);
    set_result(c, m, m->i->is_load ? s->access_next : t + c->config->core.latency_cycles[m->i->class], true);
    ++m->done;
}

/* Makes the next access with its address in X in cycle t, or starts its translation. */
static void make_access(struct core *c, struct core_access *m, uint64_t t) {
    struct superscalar *s = c->superscalar;
    if (!m->translated) {
        s->access_next = core_translate(c, &c->dtlb, m->address, t);
        m->address = core_physical(c, m->address);
        m->translated = true;
        if (s->access_next > t) return;
    }
    if (!c->caches_data) {
        access_uncached(c, m, t);
        return;
    }
    const struct access_time a = core_access_once(c, m->i, m->address + m->done * m->bytes, m->bytes, t);
    set_result(c, m, a.result, a.blocked);
    ++m->done;
    s->access_next = a.next;
}

/* Makes the next access of the queue. */
static void step_queue(struct core *c, uint64_t t) {
    struct superscalar *s = c->superscalar;
    struct core_access *m = &s->queue[s->first_access];
    s->blocked = 0;
    make_access(c, m, t);
    if (m->done < m->count) return;
    if (m->branches && s->front.next == SUPERSCALAR_NEVER)
        s->front.next = m->i->is_load ? m->result : s->access_next;
    s->first_access = (s->first_access + 1) % CORE_MAX_LSQ;
    --s->accesses;
}

/* Makes an ordinary access if the caches answer it at once. */
INLINE bool access_hits(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t) {
    struct superscalar *s = c->superscalar;
    const uint32_t at = core_physical(c, address), last = at + i->access_bytes - 1;
    if (s->accesses || s->access_next > t || i->access_count != 1 || i->writes_pc || !c->caches_data ||
        recorder_wants_accesses(c->record.recorder) || (at ^ last) >> c->l1d.tags.line_shift ||
        !tlb_hits(&c->dtlb, address, t))
        return false;
    if (i->is_store ? !l1d_store_hits(&c->l1d, at, t + 1) : !l1d_load_hits(&c->l1d, at, t + 1)) return false;
    tlb_use(&c->dtlb, address);
    s->access_next = t + c->config->core.occupancy_cycles[i->class];
    if (i->is_store) return true;
    const uint64_t result = t + c->config->core.latency_cycles[i->class] + c->l1d.latency_cycles - 1;
    core_set_ready(c, i, result);
    core_later(&s->all, result);
    return true;
}

/* Queues the access of an instruction that has executed in cycle t, and makes it if the queue was empty and
 * the core has its turn. Returns the cycle in which a loaded PC is known. */
static uint64_t queue_access(struct core *c, const struct arm_instruction *i, uint32_t pc, uint32_t address,
                             uint64_t t, bool turn) {
    struct superscalar *s = c->superscalar;
    struct core_access *m = &s->queue[(s->first_access + s->accesses++) % CORE_MAX_LSQ];
    *m = core_access_of(i, pc, address);
    for (uint64_t rest = m->rest; rest; rest &= rest - 1) c->ready[__builtin_ctzll(rest)] = SUPERSCALAR_NEVER;
    if (s->accesses == 1 && s->access_next <= t && turn) step_queue(c, t);
    if (s->accesses) return SUPERSCALAR_NEVER;
    return i->is_load ? m->result : s->access_next;
}

INLINE uint64_t begin_access(struct core *c, const struct arm_instruction *i, uint32_t pc, uint32_t address,
                             uint64_t t, bool turn) {
    struct superscalar *s = c->superscalar;
    uint64_t known = 0;
    if (!i->is_access || !access_hits(c, i, address, t)) known = queue_access(c, i, pc, address, t, turn);
    if (i->write_back) {
        const uint64_t base = t + c->config->core.latency_cycles[ARM_CLASS_ALU];
        c->ready[i->rn] = base;
        core_later(&s->all, base);
    }
    return known;
}

/* --- issue --- */

/* Ends the issue of this cycle. */
INLINE bool stop(struct superscalar *s, enum machine_cause cause, uint64_t retry) {
    s->ended = true;
    s->cause = cause;
    s->retry = retry;
    return false;
}

/* Ends the issue of this cycle; before cycle `retry` only an access can change this. */
INLINE bool block(struct superscalar *s, enum machine_cause cause, uint64_t retry) {
    s->blocked = retry;
    return stop(s, cause, retry);
}

/* Stops for a register that is not usable before `ready`. */
INLINE bool block_for_operand(struct superscalar *s, uint64_t ready) {
    const bool memory = ready >= SUPERSCALAR_NEVER / 2 || ready == s->missed;
    return block(s, memory ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, ready);
}

/* Returns the first cycle in which all results of the instruction are usable. */
static __attribute__((noinline)) uint64_t results_usable(const struct core *c,
                                                         const struct arm_instruction *i) {
    uint64_t latest = 0;
    for (uint64_t rest = i->destinations; rest; rest &= rest - 1)
        core_later(&latest, c->ready[__builtin_ctzll(rest)]);
    if (i->sets_flags) core_later(&latest, c->ready[ARM_RESOURCE_NZCV]);
    if (i->writes_fpscr) core_later(&latest, c->ready[ARM_RESOURCE_FPSCR]);
    return latest;
}

/* Returns whether older values of the instruction's destinations are usable by cycle t. */
INLINE bool results_are_usable(const struct core *c, const struct arm_instruction *i, uint64_t t) {
    const uint8_t *to = i->results_in;
    if (__builtin_expect(!i->lists_all, 0)) return results_usable(c, i) <= t;
    return !((c->ready[to[0]] > t) | (c->ready[to[1]] > t) | (c->ready[to[2]] > t));
}

/* Returns whether an instruction issued in cycle t has a destination in common with this one. */
INLINE bool writes_again(const struct superscalar *s, const struct arm_instruction *i, uint64_t t) {
    const uint8_t *to = i->results_in;
    if (__builtin_expect(i->lists_all, 1))
        return (s->written[to[0]] == t) | (s->written[to[1]] == t) | (s->written[to[2]] == t);
    for (uint64_t rest = i->destinations; rest; rest &= rest - 1)
        if (s->written[__builtin_ctzll(rest)] == t) return true;
    return (i->sets_flags && s->written[ARM_RESOURCE_NZCV] == t) ||
           (i->writes_fpscr && s->written[ARM_RESOURCE_FPSCR] == t);
}

INLINE void note_written(struct superscalar *s, const struct arm_instruction *i, uint64_t t) {
    if (__builtin_expect(i->lists_all, 1)) {
        for (unsigned n = 0; n < sizeof i->results_in; ++n) s->written[i->results_in[n]] = t;
        s->written[ARM_RESOURCE_UNWRITTEN] = SUPERSCALAR_NEVER;
        return;
    }
    for (uint64_t rest = i->destinations; rest; rest &= rest - 1) s->written[__builtin_ctzll(rest)] = t;
    if (i->sets_flags) s->written[ARM_RESOURCE_NZCV] = t;
    if (i->writes_fpscr) s->written[ARM_RESOURCE_FPSCR] = t;
}

INLINE void set_ready(struct core *c, const struct arm_instruction *i, uint64_t t) {
    if (__builtin_expect(!i->lists_all, 0)) {
        core_set_ready(c, i, t);
        return;
    }
    for (unsigned n = 0; n < sizeof i->results_in; ++n) c->ready[i->results_in[n]] = t;
    c->ready[ARM_RESOURCE_UNWRITTEN] = 0;
}

static __attribute__((noinline)) uint64_t operands_usable(const struct core *c,
                                                          const struct arm_instruction *i) {
    uint64_t ready = core_operands_ready(c, i);
    if (reads_carry(i)) core_later(&ready, c->ready[ARM_RESOURCE_NZCV]);
    if (reads_other(i)) core_later(&ready, c->superscalar->other);
    return ready;
}

/* Returns whether all operands of the instruction are usable in cycle t. */
INLINE bool operands_are_usable(const struct core *c, const struct arm_instruction *i, uint64_t t) {
    const uint8_t *from = i->waits_for;
    if (__builtin_expect(!i->lists_all, 0) || __builtin_expect(reads_carry(i) || reads_other(i), 0))
        return operands_usable(c, i) <= t;
    return !((c->ready[from[0]] > t) | (c->ready[from[1]] > t) | (c->ready[from[2]] > t) |
             (c->ready[from[3]] > t));
}

/* Returns whether the instruction may issue in cycle t with those already issued; *unit is its unit. */
INLINE bool may_issue(struct core *c, const struct arm_instruction *i, uint64_t t, uint64_t **unit) {
    struct superscalar *s = c->superscalar;
    const uint64_t latency = c->config->core.latency_cycles[i->class];
    uint64_t free;
    if (!operands_are_usable(c, i, t)) return block_for_operand(s, operands_usable(c, i));
    if (!results_are_usable(c, i, t + latency)) return block_for_operand(s, results_usable(c, i) - latency);
    if (s->slot && writes_again(s, i, t)) return stop(s, MACHINE_CAUSE_LATENCY, t + 1);
    *unit = free_unit(c, i, t, &free);
    if (!*unit) return block(s, MACHINE_CAUSE_OCCUPIED, free);
    if (__builtin_expect(issues_alone(i), 0)) {
        uint64_t drained = s->all;
        core_later(&drained, s->access_next);
        if (s->slot) return stop(s, MACHINE_CAUSE_SERIAL, t + 1);
        if (s->accesses) return block(s, MACHINE_CAUSE_SERIAL, SUPERSCALAR_NEVER);
        if (drained > t) return block(s, MACHINE_CAUSE_SERIAL, drained);
    }
    if (i->access_count && superscalar_queued(s, t) >= c->config->core.lsq)
        return block(s, MACHINE_CAUSE_LSQ, s->access_next);
    return true;
}

/* Handles a branch that has executed in cycle t; its target is known in cycle `known`, SUPERSCALAR_NEVER:
 * when its data arrive. */
static void resolve(struct core *c, const struct arm_instruction *i, uint32_t pc, bool taken,
                    uint64_t known) {
    struct superscalar *s = c->superscalar;
    struct front_end *f = &s->front;
    const bool conditional = i->condition != 14;
    const struct branch_prediction p = branch_tables_predict(&f->predictor, pc, conditional);
    ++s->branches;
    s->taken += taken;
    s->btb_hits += p.hit;
    branch_tables_learn(&f->predictor, pc, conditional, taken, c->pc);
    if (front_end_predicted(f) == c->pc) return;
    ++s->wrong;
    s->wrong_target += taken && p.taken;
    front_end_redirect(f, c->pc, known);
}

/* Sets the times of an instruction that has executed in cycle t. */
INLINE void issued(struct core *c, const struct arm_instruction *i, const struct arm_execution *x, uint64_t t,
                   uint64_t *unit, bool turn) {
    struct superscalar *s = c->superscalar;
    const uint32_t pc = c->pc;
    const uint64_t latency = c->config->core.latency_cycles[i->class];
    uint64_t occupancy = c->config->core.occupancy_cycles[i->class], known = t + latency;
    const bool accesses = i->access_count && x->passed;
    c->pc = i->writes_pc && x->passed ? c->next_pc : pc + 4;
    front_end_take(&s->front);
    note_written(s, i, t);
    if (!x->passed) {
        occupancy = 1;
    } else if (accesses) {
        occupancy *= i->access_count;
        c->memory_instructions += c->in_kernel;
        const uint64_t loaded = begin_access(c, i, pc, x->address[0], t, turn);
        if (i->is_load) known = loaded;
    } else {
        set_ready(c, i, t + latency);
        core_later(&s->all, t + latency);
        if (writes_other(i)) s->other = t + latency;
    }
    *unit = t + occupancy;
    if (issues_alone(i)) s->ended = true;
    if (!i->writes_pc) return;
    resolve(c, i, pc, x->passed, known);
    s->ended = true;
    if (known == SUPERSCALAR_NEVER && s->front.next != SUPERSCALAR_NEVER) /* the fetch does not wait for it */
        s->queue[(s->first_access + s->accesses - 1) % CORE_MAX_LSQ].branches = false;
}

/* Issues the next instruction in the core's cycle; STEP_STALLED: no more issue. */
INLINE enum step issue_one(struct core *c, const struct machine_code *code, uint64_t turn, bool inside,
                           struct arm_instruction **out, struct arm_execution *x) {
    struct superscalar *s = c->superscalar;
    const uint64_t t = c->next;
    if (s->ended || s->blocked > t) return STEP_STALLED;
    if (s->slot == c->config->core.issue_width || !front_end_ready(&s->front, t)) {
        if (!s->front.groups && !machine_code_at(code, c->pc)) return inside ? STEP_TURN : STEP_FAULTED;
        stop(s, s->front.cause, SUPERSCALAR_NEVER);
        return STEP_STALLED;
    }
    struct arm_instruction *i = &code->decoded[(c->pc - code->text_base) / 4];
    uint64_t *unit = NULL;
    if (!may_issue(c, i, t, &unit)) return STEP_STALLED;
    const bool own = t >= turn && i->is_access;
    if (__builtin_expect(inside && i->stops, 0)) return STEP_TURN;
    if (inside && !i->is_private &&
        (!i->is_access || (own && (!c->alone.memory || s->accesses || s->access_next > t)) ||
         (i->is_store && c->threads.monitor && c->threads.monitor->asking && !own)))
        return STEP_TURN;
    if (!inside && c->executes) c->executes(c, i);
    i->thread(i, own ? &c->alone : &c->threads, 1, x);
    if (__builtin_expect(x->fault != ARM_FAULT_NONE, 0)) {
        *out = i;
        if (inside) return STEP_TURN; /* core_issue() repeats it and reports */
        if (x->fault != ARM_FAULT_HELD) return STEP_FAULTED;
        stop(s, MACHINE_CAUSE_MEMORY, t + 1);
        return STEP_STALLED;
    }
    *out = i;
    note_instruction(c, code, i, c->pc);
    c->account[MACHINE_CAUSE_ISSUE] += !s->slot++;
    issued(c, i, x, t, unit, t < turn);
    return STEP_ISSUED;
}

/* Ends the cycle, unless the fetch needs the core's turn and the core does not have it. */
INLINE enum step finish_cycle(struct core *c, const struct machine_code *code, uint64_t turn) {
    struct superscalar *s = c->superscalar;
    const uint64_t t = c->next;
    if (front_end_may_fetch(&s->front, t) && !front_end_fetch(c, code, t, t < turn)) return STEP_TURN;
    uint64_t next = t + 1;
    if (!s->slot) {
        next = s->retry;
        const uint64_t fetch = front_end_next(c, code, t);
        if (fetch < next) next = fetch;
        if (s->accesses && s->access_next < next) next = s->access_next;
        if (next <= t) next = t + 1;
    }
    end_cycle(c, next, s->slot, s->cause, superscalar_queued(s, t));
    return STEP_STALLED;
}

INLINE enum step step(struct core *c, const struct machine_code *code, uint64_t turn, bool inside,
                      struct arm_instruction **out, struct arm_execution *x) {
    struct superscalar *s = c->superscalar;
    core_cross(c);
    if (s->accesses && s->access_next <= c->next) {
        if (c->next >= turn) return STEP_TURN;
        step_queue(c, c->next);
    }
    const enum step done = issue_one(c, code, turn, inside, out, x);
    return done == STEP_STALLED ? finish_cycle(c, code, turn) : done;
}

static enum core_issue issue(struct core *c, const struct machine_code *code, uint64_t t,
                             struct arm_instruction **i, struct arm_execution *x) {
    return superscalar_issue(c, code, t, i, x, step, finish_cycle);
}

static void run(struct core *c, const struct machine_code *code, uint64_t turn, uint64_t horizon) {
    superscalar_run(c, code, turn, horizon, step);
}

static uint32_t working_pc(const struct core *c) {
    return c->pc;
}

static void init(struct core *c) {
    superscalar_init(c, c->config->core.front_stages);
}

const struct core_kind core_in_order = {.doc = "several a cycle, in program order",
                                        .superscalar = true,
                                        .check = superscalar_check,
                                        .init = init,
                                        .free = superscalar_free,
                                        .start = superscalar_start,
                                        .issue = issue,
                                        .run = run,
                                        .working_pc = working_pc};

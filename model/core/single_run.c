/*
 * single_run: core_run() with the changing state in the host's registers. core_issue() does the same for one
 * instruction at a time.
 *
 * run_straight() continues to the next decision: a taken branch, a new line of code, or an access that the
 * caches do not answer. A faster design would generate a function for each basic block, with its instructions
 * and issue cycles.
 */
#include "model/control/exclusive_monitor.h"
#include "model/core/core_parts.h"

#define INLINE static inline __attribute__((always_inline))

struct run {
    struct core *c;
    const struct machine_code *code;
    const uint32_t *latency, *occupancy; /* cycles by class */
    uint64_t turn, horizon, next;        /* `next` replaces the core's */
    uint32_t pc;                         /* replaces the core's */
    bool
        quick; /* accesses that hit in the L1D are made here: a MIMD launch whose accesses are not recorded */
    /* Charged when the run ends or crosses between start-up code and kernel: */
    uint64_t issued, waited, occupied, branched;
    uint64_t accesses; /* loads and stores among these instructions */
    /* first cycle after the issue of an access that the caches have not answered at once; 0: none */
    uint64_t accessed;
};

INLINE uint64_t latest(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Writes the run's state back to the core. */
static void settle(struct run *r) {
    struct core *c = r->c;
    c->next = r->next;
    c->pc = r->pc;
    c->instructions += r->issued;
    c->memory_instructions += c->in_kernel ? r->accesses : 0;
    c->account[MACHINE_CAUSE_ISSUE] += r->issued;
    c->account[MACHINE_CAUSE_LATENCY] += r->waited;
    c->account[MACHINE_CAUSE_OCCUPIED] += r->occupied;
    c->account[MACHINE_CAUSE_BRANCH] += r->branched;
    r->issued = r->waited = r->occupied = r->branched = r->accesses = 0;
}

/* Reads the run's state after the core has changed it. */
static void resume(struct run *r) {
    r->next = r->c->next;
    r->pc = r->c->pc;
}

INLINE uint64_t operands_ready(const struct core *c, const struct arm_instruction *i) {
    const uint8_t *from = i->waits_for;
    if (__builtin_expect(!i->lists_all, 0)) return core_operands_ready(c, i);
    return latest(latest(c->ready[from[0]], c->ready[from[1]]), latest(c->ready[from[2]], c->ready[from[3]]));
}

INLINE void set_ready(struct core *c, const struct arm_instruction *i, uint64_t t) {
    const uint8_t *to = i->results_in;
    if (__builtin_expect(!i->lists_all, 0)) {
        core_set_ready(c, i, t);
        return;
    }
    c->ready[to[0]] = c->ready[to[1]] = c->ready[to[2]] = t;
}

/* --- accesses --- */

/* Makes the single access of a load or store that executed in cycle `next` if the caches answer it at once;
 * else changes nothing. */
INLINE bool access_hits(struct run *r, const struct arm_instruction *i, uint32_t address) {
    struct core *c = r->c;
    const uint32_t at = core_physical(c, address), last = at + i->access_bytes - 1;
    if (i->access_count != 1 || i->writes_pc || !r->quick || (at ^ last) >> c->l1d.tags.line_shift)
        return false;
    if (!tlb_hits(&c->dtlb, address, r->next)) return false;
    if (i->is_store ? !l1d_store_hits(&c->l1d, at, r->next + 1) : !l1d_load_hits(&c->l1d, at, r->next + 1))
        return false;
    tlb_use(&c->dtlb, address);
    const uint32_t occupancy = r->occupancy[i->class];
    set_ready(c, i, r->next + r->latency[i->class] + (i->is_load ? c->l1d.latency_cycles - 1 : 0));
    r->next += occupancy;
    r->occupied += occupancy - 1;
    return true;
}

/* Handles an executed access that does not hit: makes it if the core has its turn, else lets it wait. */
static void access_slowly(struct run *r, const struct arm_instruction *i, const struct arm_execution *x,
                          bool own) {
    struct core *c = r->c;
    r->accessed = r->next + r->occupancy[i->class];
    settle(r);
    if (own)
        core_put_off_access(c, i, x->address[0]);
    else
        core_access_memory(c, i, x->address[0], c->next);
    c->pc = i->writes_pc ? c->next_pc : c->pc + 4;
    resume(r);
}

/* Continues the waiting access; returns false if it waits for the core's turn. */
static bool continue_access(struct run *r) {
    settle(r);
    if (r->next >= r->turn && !core_continues_alone(r->c)) return false;
    core_continue_access(r->c);
    resume(r);
    return true;
}

/* --- instructions --- */

/* Handles a PC that may have entered another line of code, or crossed between kernel and start-up code. */
INLINE bool enter(struct run *r) {
    struct core *c = r->c;
    const uint32_t offset = r->pc - r->code->text_base;
    if (offset >= r->code->text_bytes || offset % 4) return false;
    if (__builtin_expect(r->pc == c->crossing, 0)) {
        settle(r);
        core_cross(c);
    }
    if (r->pc >> c->l1i.line_shift == c->fetched_line) return true;
    if (tlb_hits(&c->itlb, r->pc, r->next) && cache_find(&c->l1i, r->pc)) {
        c->fetched_line = r->pc >> c->l1i.line_shift;
        tlb_use(&c->itlb, r->pc);
        ++c->l1i.accesses;
        return true;
    }
    if (r->next >= r->turn && !core_fetches_alone(c, r->pc)) return false;
    settle(r);
    core_fetch_line(c);
    resume(r);
    return true;
}

/* Returns the end of the instructions from the PC on that need no check of the PC. */
INLINE const struct arm_instruction *straight_end(const struct run *r) {
    const struct core *c = r->c;
    const uint32_t first = r->pc - r->code->text_base;
    uint32_t end = (((r->pc >> c->l1i.line_shift) + 1) << c->l1i.line_shift) - r->code->text_base;
    const uint32_t crossing = c->crossing - r->code->text_base;
    if (end > r->code->text_bytes) end = r->code->text_bytes;
    if (crossing > first && crossing < end && crossing % 4 == 0) end = crossing;
    return &r->code->decoded[end / 4];
}

/* Starts a context if other cores cannot see it. Returns false if the run ends before the instruction. */
static __attribute__((noinline)) bool start(struct run *r, const struct arm_instruction *i) {
    struct core *c = r->c;
    const uint64_t t = latest(core_operands_ready(c, i), r->next);
    if (i->condition != 14 || t >= r->horizon || !c->starts(c, i)) return false;
    const uint32_t occupancy = r->occupancy[i->class];
    r->waited += t - r->next;
    r->occupied += occupancy - 1;
    ++r->issued;
    core_set_ready(c, i, t + r->latency[i->class]);
    r->next = t + occupancy + CORE_START_CYCLES;
    return true;
}

/* Executes instructions from *at on, which is at the PC, up to `straight_end` or a decision; *at becomes the
 * first instruction not executed. watched: the core has `executes`, `accessed` or a recorder. Returns false
 * if the run ends. */
INLINE bool run_to_decision(struct run *r, struct arm_instruction **at, bool watched) {
    struct core *c = r->c;
    struct arm_instruction *i = *at;
    const struct arm_instruction *const end = straight_end(r);
    struct arm_execution x;
    for (; i != end; *at = ++i, r->pc += 4) {
        if (__builtin_expect(i->stops, 0)) return false;
        if (!i->is_private && !i->is_access) {
            if (!i->is_coprocessor || !c->starts || !start(r, i)) return false;
            continue;
        }
        if (__builtin_expect(r->next >= r->horizon, 0)) return false;
        const uint64_t ready = operands_ready(c, i);
        /* A branch, not a maximum: if the host predicts it, it does not wait for `ready`. */
        if (__builtin_expect(ready > r->next, 0)) {
            r->waited += ready - r->next;
            r->next = ready;
            if (ready >= r->horizon) return false;
        }
        const uint64_t t = r->next;
        const bool own = i->is_access && t >= r->turn;
        if (own && !c->alone.memory) return false;
        if (__builtin_expect(i->is_store && c->threads.monitor && c->threads.monitor->asking, 0) && !own)
            return false; /* core_issue() computes the cycle in which it can issue */
        if (watched && c->executes) c->executes(c, i);
        i->thread(i, own ? &c->alone : &c->threads, 1, &x);
        if (__builtin_expect(x.fault != ARM_FAULT_NONE, 0)) return false; /* core_issue() repeats it */
        ++r->issued;
        if (!x.passed) {
            ++r->next;
            continue;
        }
        if (i->is_access) {
            if (watched && c->accessed && !c->accessed(c, i, &x)) return false;
            ++r->accesses;
            if (access_hits(r, i, x.address[0])) continue;
            *at = i + 1;
            access_slowly(r, i, &x, own);
            return true;
        }
        set_ready(c, i, t + r->latency[i->class]);
        const uint32_t occupancy = r->occupancy[i->class];
        r->next = t + occupancy;
        r->occupied += occupancy - 1;
        if (i->writes_pc) {
            r->next += c->config->core.branch_penalty_cycles;
            r->branched += c->config->core.branch_penalty_cycles;
            r->pc = c->next_pc;
            *at = i + 1;
            return true;
        }
    }
    return true;
}

INLINE bool run_straight(struct run *r, bool watched) {
    struct arm_instruction *const first = &r->code->decoded[(r->pc - r->code->text_base) / 4], *end = first;
    const uint64_t begun = r->next;
    const uint32_t pc = r->pc;
    const bool goes_on = run_to_decision(r, &end, watched);
    core_count(r->c, r->code, first, end);
    if (watched && r->c->record.recorder)
        core_record_run(&r->c->record, pc, (uint32_t)(end - first), begun,
                        r->accessed ? r->accessed : r->next);
    r->accessed = 0;
    return goes_on;
}

INLINE void run(struct core *c, const struct machine_code *code, uint64_t turn, uint64_t horizon,
                bool watched) {
    struct run r = {.c = c,
                    .code = code,
                    .latency = c->config->core.latency_cycles,
                    .occupancy = c->config->core.occupancy_cycles,
                    .turn = turn,
                    .quick = c->caches_data && !recorder_wants_accesses(c->record.recorder),
                    .horizon = horizon};
    resume(&r);
    while (r.next < horizon && (c->access.i ? continue_access(&r) : enter(&r) && run_straight(&r, watched)))
        continue;
    settle(&r);
}

/* Two variants: checks of observers cost 3 % of the instructions of a launch in MIMD mode. */
void single_run(struct core *c, const struct machine_code *code, uint64_t turn, uint64_t horizon) {
    if (__builtin_expect(c->executes || c->accessed || c->record.recorder, 0))
        run(c, code, turn, horizon, true);
    else
        run(c, code, turn, horizon, false);
}

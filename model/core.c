#include "model/core.h"

#include <string.h>

const char *const core_state_name[CORE_STATE_COUNT] = {"asleep", "run", "maintain L1D", "wait for SIMT"};

void core_init(struct core *c, unsigned index, const struct machine_config *config, struct memory *memory) {
    memset(c, 0, sizeof *c);
    c->index = index;
    c->config = config;
    c->fetched_line = ~0u;
    c->threads = (struct arm_threads){
        .positions = 1,
        .registers = c->registers,
        .pc = &c->pc,
        .next_pc = &c->next_pc,
        .n = &c->n,
        .z = &c->z,
        .c = &c->c,
        .v = &c->v,
        .q = &c->q,
        .ge = &c->ge,
        .fpscr = &c->fpscr,
        .memory = memory,
    };
    c->account = c->startup_account;
    cache_init(&c->l1i, &config->l1i);
    cache_init(&c->l1d, &config->l1d);
    tlb_init(&c->itlb, config->mem.itlb_entries);
    tlb_init(&c->dtlb, config->mem.dtlb_entries);
    private_l2_init(&c->l2, config);
}

void core_free(struct core *c) {
    cache_free(&c->l1i);
    cache_free(&c->l1d);
    tlb_free(&c->itlb);
    tlb_free(&c->dtlb);
    private_l2_free(&c->l2);
}

void core_start(struct core *c, uint32_t pc, uint32_t sp, uint64_t t) {
    memset(c->registers, 0, sizeof c->registers);
    memset(c->ready, 0, sizeof c->ready);
    memset(c->launch_register, 0, sizeof c->launch_register);
    memset(c->group, 0, sizeof c->group);
    memset(c->startup_account, 0, sizeof c->startup_account);
    memset(c->kernel_account, 0, sizeof c->kernel_account);
    c->account = c->startup_account;
    c->caches_data = c->has_group = c->in_kernel = false;
    c->kernel_pc = c->crossing = CORE_NO_PC;
    arm_set_apsr(&c->threads, 0, 0);
    c->fpscr = 0;
    c->registers[13] = sp;
    c->pc = pc;
    c->flags_ready = c->fpscr_ready = c->all_ready = 0;
    c->fetched_line = ~0u;
    c->state = CORE_RUN;
    c->next = t;
}

/* Takes the request as soon as the L2 can: nothing else of this core waits meanwhile. */
static uint64_t l2_done(struct core *c, uint32_t address, bool store, uint64_t t) {
    uint64_t done;
    while (!private_l2_access(&c->l2, address, store, t, &done)) t = done;
    return done;
}

static unsigned translate(const struct core *c, struct tlb *tlb, uint32_t address) {
    return tlb_access(tlb, address) ? 0 : c->config->mem.tlb_miss_cycles;
}

uint64_t core_fetch(struct core *c, uint32_t pc, uint64_t t) {
    const unsigned translation = translate(c, &c->itlb, pc);
    const uint64_t hit = t + c->config->l1i.latency_cycles - 1;
    ++c->l1i.accesses;
    if (cache_find(&c->l1i, pc)) return hit + translation;
    ++c->l1i.misses;
    const uint64_t done = l2_done(c, pc, false, hit + 1) + translation;
    cache_fill(&c->l1i, pc, UINT64_MAX, done + 1);
    return done;
}

/* --- results --- */

static inline void later(uint64_t *t, uint64_t candidate) {
    if (candidate > *t) *t = candidate;
}

static uint64_t operands_ready(const struct core *c, const struct arm_instruction *i) {
    uint64_t t = i->condition != 14 ? c->flags_ready : 0;
    if (i->reads_fpscr) later(&t, c->fpscr_ready);
    for (uint64_t rest = i->sources; rest; rest &= rest - 1) later(&t, c->ready[__builtin_ctzll(rest)]);
    return t;
}

static inline void set_ready(struct core *c, const struct arm_instruction *i, uint64_t t) {
    for (uint64_t rest = i->destinations; rest; rest &= rest - 1) c->ready[__builtin_ctzll(rest)] = t;
    if (i->sets_flags) c->flags_ready = t;
    if (i->writes_fpscr) c->fpscr_ready = t;
    later(&c->all_ready, t);
}

/* --- loads and stores --- */

/* A SIMT launch. Every line the access touches, one request a cycle; the cycles for which it blocks the core.
 */
static uint64_t access_l2(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t) {
    const unsigned shift = c->l2.tags.line_shift;
    const uint32_t last = (address + i->access_bytes - 1) >> shift;
    uint64_t at = t, latest = t;
    for (uint32_t line = address >> shift; line <= last; ++line)
        later(&latest, l2_done(c, line << shift, i->is_store, ++at));
    return i->is_load ? latest + 1 - t : 1;
}

/* A MIMD launch: a line that is looked up in the L1D in cycle t. The first cycle in which the core may go on
 * after a load that missed, 0 if it need not wait. */
static inline uint64_t access_line(struct core *c, bool store, uint32_t address, uint64_t t) {
    ++c->l1d.accesses;
    const bool hit = cache_find(&c->l1d, address) != NULL;
    if (hit && !store) return 0;
    if (!hit) ++c->l1d.misses;
    const uint64_t done = l2_done(c, address, store, t + c->config->l1d.latency_cycles);
    if (store) return 0;
    cache_fill(&c->l1d, address, UINT64_MAX, done + 1);
    return done + 1;
}

/* Between two accesses, and how long one has been waited for. */
struct access_time {
    uint64_t next;    /* first cycle for the core's next access or instruction */
    uint64_t result;  /* first cycle in which the data may be used */
    uint64_t blocked; /* cycles waited for a line */
};

/* One register's access (or an ordinary one), with its address in X in cycle t. */
static inline struct access_time access_once(struct core *c, const struct arm_instruction *i,
                                             uint32_t address, unsigned bytes, uint64_t t) {
    const unsigned shift = c->l1d.line_shift;
    const uint32_t first = address >> shift, last = (address + bytes - 1) >> shift;
    uint64_t unblocked = access_line(c, i->is_store, address, t + 1), extra = 0;
    for (uint32_t line = first; line != last; ++extra)
        later(&unblocked, access_line(c, i->is_store, ++line << shift, t + 2 + extra));
    struct access_time a = {.next = t + c->config->core.occupancy_cycles[i->class] + extra};
    a.result = t + c->config->core.latency_cycles[i->class] + extra;
    if (i->is_load) a.result += c->config->l1d.latency_cycles - 1;
    if (unblocked > a.next) a.blocked = unblocked - a.next;
    a.next += a.blocked;
    later(&a.result, unblocked);
    return a;
}

/* Register after register; the base that is written back comes with the first. */
static struct access_time access_multiple(struct core *c, const struct arm_instruction *i, uint32_t address,
                                          uint64_t t) {
    const unsigned bytes = i->access_bytes / i->access_count;
    const uint64_t base = i->write_back ? UINT64_C(1) << i->rn : 0;
    uint64_t rest = i->destinations & ~base;
    struct access_time all = {.next = t};
    for (unsigned n = 0; n < i->access_count; ++n) {
        const struct access_time a = access_once(c, i, address + n * bytes, bytes, all.next);
        if (n == 0 && base) c->ready[i->rn] = a.result;
        if (i->is_load && rest) c->ready[__builtin_ctzll(rest)] = a.result;
        rest &= rest - 1;
        all.next = a.next;
        all.blocked += a.blocked;
        later(&all.result, a.result);
    }
    later(&c->all_ready, all.result);
    return all;
}

static uint64_t access_cached(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t,
                              unsigned translation) {
    const uint64_t x = t + translation;
    struct access_time a;
    if (i->access_count == 1) {
        a = access_once(c, i, address, i->access_bytes, x);
        set_ready(c, i, a.result);
    } else {
        a = access_multiple(c, i, address, x);
    }
    c->next = a.next;
    c->account[MACHINE_CAUSE_MEMORY] += a.blocked + translation;
    c->account[MACHINE_CAUSE_OCCUPIED] += a.next - x - a.blocked - 1;
    return i->is_load ? a.result : a.next;
}

/* Sets `next` and ready times; the first cycle in which all that was loaded may be used. */
static uint64_t access_memory(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t) {
    const unsigned translation = translate(c, &c->dtlb, address);
    if (c->caches_data) return access_cached(c, i, address, t, translation);
    const uint64_t occupied = (uint64_t)c->config->core.occupancy_cycles[i->class] * i->access_count;
    const uint64_t unblocked = t + access_l2(c, i, address, t) + translation;
    c->next = t + occupied;
    later(&c->next, unblocked);
    c->account[MACHINE_CAUSE_OCCUPIED] += occupied - 1;
    c->account[MACHINE_CAUSE_MEMORY] += c->next - t - occupied;
    const uint64_t result = i->is_load ? c->next : t + c->config->core.latency_cycles[i->class];
    set_ready(c, i, result);
    return c->next;
}

/* --- issue --- */

static inline void issue_unit(struct core *c, const struct arm_instruction *i, uint64_t t) {
    const unsigned occupancy = c->config->core.occupancy_cycles[i->class];
    c->next = t + occupancy;
    if (occupancy > 1) c->account[MACHINE_CAUSE_OCCUPIED] += occupancy - 1;
    set_ready(c, i, t + c->config->core.latency_cycles[i->class]);
}

static inline void finish(struct core *c, const struct arm_instruction *i, const struct arm_execution *x,
                          uint64_t t) {
    uint64_t target_known = 0;
    ++c->instructions;
    ++c->account[MACHINE_CAUSE_ISSUE];
    c->pc += 4;
    c->next = t + 1;
    if (!x->passed) return;
    if (i->access_count) {
        c->memory_instructions += c->in_kernel;
        target_known = access_memory(c, i, x->address[0], t);
    } else {
        issue_unit(c, i, t);
    }
    if (!i->writes_pc) return;
    const uint64_t issued = c->next;
    later(&c->next, target_known);
    c->next += c->config->core.branch_penalty_cycles;
    c->account[MACHINE_CAUSE_BRANCH] += c->next - issued;
    c->pc = c->next_pc;
}

/* The line that the PC has entered. */
static void fetch(struct core *c) {
    const uint64_t t = c->next;
    c->fetched_line = c->pc >> c->l1i.line_shift;
    c->next = core_fetch(c, c->pc, t) - c->config->l1i.latency_cycles + 1;
    c->account[MACHINE_CAUSE_FETCH] += c->next - t;
}

/* The instruction at the PC, NULL if there is none; `next` becomes the cycle in which it can issue. */
static inline struct arm_instruction *prepare(struct core *c, const struct machine_code *code) {
    const uint32_t offset = c->pc - code->text_base;
    if (offset >= code->text_bytes || offset % 4) return NULL;
    core_cross(c);
    if (c->pc >> c->l1i.line_shift != c->fetched_line) fetch(c);
    struct arm_instruction *i = &code->decoded[offset / 4];
    if (c->all_ready <= c->next) return i;
    const uint64_t ready = operands_ready(c, i);
    if (ready > c->next) {
        c->account[MACHINE_CAUSE_LATENCY] += ready - c->next;
        c->next = ready;
    }
    return i;
}

enum core_issue core_issue(struct core *c, const struct machine_code *code, uint64_t t,
                           struct arm_instruction **i, struct arm_execution *x) {
    *i = prepare(c, code);
    if (!*i) return CORE_FAULTED;
    if (c->next > t) return CORE_STALLED;
    arm_execute(*i, &c->threads, 1, x);
    if (x->fault != ARM_FAULT_NONE) return CORE_FAULTED;
    finish(c, *i, x, t);
    if ((*i)->is_wait && x->passed) {
        c->state = CORE_ASLEEP;
        c->asleep_since = c->next;
    }
    return CORE_ISSUED;
}

void core_run_ahead(struct core *c, const struct machine_code *code, uint64_t horizon) {
    struct arm_execution x;
    while (c->next < horizon) {
        struct arm_instruction *i = prepare(c, code);
        if (!i || !i->is_private || c->next >= horizon) return;
        i->thread(i, &c->threads, 1, &x);
        if (__builtin_expect(x.fault != ARM_FAULT_NONE, 0)) return; /* core_issue() finds it again */
        finish(c, i, &x, c->next);
    }
}

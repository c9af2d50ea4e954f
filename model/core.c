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
    cache_init(&c->l1i, &config->l1i);
    tlb_init(&c->itlb, config->mem.itlb_entries);
    tlb_init(&c->dtlb, config->mem.dtlb_entries);
    private_l2_init(&c->l2, config);
}

void core_free(struct core *c) {
    cache_free(&c->l1i);
    tlb_free(&c->itlb);
    tlb_free(&c->dtlb);
    private_l2_free(&c->l2);
}

void core_start(struct core *c, uint32_t pc, uint32_t sp, uint64_t t) {
    memset(c->registers, 0, sizeof c->registers);
    memset(c->ready, 0, sizeof c->ready);
    memset(c->launch_register, 0, sizeof c->launch_register);
    arm_set_apsr(&c->threads, 0, 0);
    c->fpscr = 0;
    c->registers[13] = sp;
    c->pc = pc;
    c->flags_ready = 0;
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

static uint64_t operands_ready(const struct core *c, const struct arm_instruction *i) {
    uint64_t t = i->condition != 14 ? c->flags_ready : 0;
    for (uint64_t rest = i->sources; rest; rest &= rest - 1) {
        const uint64_t r = c->ready[__builtin_ctzll(rest)];
        if (r > t) t = r;
    }
    return t;
}

static void set_ready(struct core *c, const struct arm_instruction *i, uint64_t t) {
    for (uint64_t rest = i->destinations; rest; rest &= rest - 1) c->ready[__builtin_ctzll(rest)] = t;
    if (i->sets_flags) c->flags_ready = t;
}

/* Every line the access touches, one request a cycle; the cycles for which it blocks the core. */
static uint64_t access_memory(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t) {
    const unsigned translation = translate(c, &c->dtlb, address);
    const unsigned shift = c->l2.tags.line_shift;
    const uint32_t last = (address + i->access_bytes - 1) >> shift;
    uint64_t at = t, latest = t;
    for (uint32_t line = address >> shift; line <= last; ++line) {
        const uint64_t done = l2_done(c, line << shift, i->is_store, ++at);
        if (done > latest) latest = done;
    }
    return translation + (i->is_load ? latest + 1 - t : 1);
}

static void finish(struct core *c, const struct arm_instruction *i, const struct arm_execution *x,
                   uint64_t t) {
    c->pc += 4;
    c->next = t + 1;
    if (!x->passed) return;
    const unsigned accesses = i->access_count ? i->access_count : 1;
    uint64_t result = t + c->config->core.latency_cycles[i->class];
    c->next = t + (uint64_t)c->config->core.occupancy_cycles[i->class] * accesses;
    if (i->is_load || i->is_store) {
        const uint64_t unblocked = t + access_memory(c, i, x->address[0], t);
        if (unblocked > c->next) c->next = unblocked;
        if (i->is_load) result = c->next;
    }
    set_ready(c, i, result);
    if (i->writes_pc) {
        c->pc = c->next_pc;
        c->next += c->config->core.branch_penalty_cycles;
    }
}

enum core_issue core_issue(struct core *c, const struct machine_code *code, uint64_t t,
                           struct arm_instruction **i, struct arm_execution *x) {
    *i = NULL;
    if (c->pc - code->text_base >= code->text_bytes || c->pc % 4) return CORE_FAULTED;
    const uint32_t line = c->pc >> c->l1i.line_shift;
    if (line != c->fetched_line) {
        c->fetched_line = line;
        c->next = core_fetch(c, c->pc, t) - c->config->l1i.latency_cycles + 1;
        if (c->next > t) return CORE_STALLED;
    }
    *i = &code->decoded[(c->pc - code->text_base) / 4];
    const uint64_t ready = operands_ready(c, *i);
    if (ready > t) {
        c->next = ready;
        return CORE_STALLED;
    }
    arm_execute(*i, &c->threads, 1, x);
    if (x->fault != ARM_FAULT_NONE) return CORE_FAULTED;
    ++c->instructions;
    finish(c, *i, x, t);
    if ((*i)->is_wait && x->passed) c->state = CORE_ASLEEP;
    return CORE_ISSUED;
}

#include "model/config/core_kind.h"
#include "model/config/core_kinds.h"
#include "model/core/core_parts.h"

#include <string.h>

const char *const core_state_name[CORE_STATE_COUNT] = {"asleep", "run", "maintain L1D", "wait for SIMT"};

/* --- the kinds: files NAME_kind.c --- */

#define ROW(name) extern const struct core_kind core_##name;
CORE_LIST(ROW)
#undef ROW
#define ROW(name) &core_##name,
const struct core_kind *const core_kinds[] = {CORE_LIST(ROW)};
#undef ROW
#define NAME(name) #name,
const char *const core_kind_names[] = {CORE_LIST(NAME) NULL};
#undef NAME

const char *core_kind_doc(uint32_t kind) {
    return core_kinds[kind]->doc;
}

/* --- functions of all kinds --- */

void core_init(struct core *c, unsigned index, const struct machine_config *config, struct memory *memory,
               struct snoop_bus *bus) {
    memset(c, 0, sizeof *c);
    c->index = index;
    c->config = config;
    c->fetched_line = ~0u;
    c->threads = (struct arm_threads){
        .positions = 1,
        .stack_row = machine_registers(config),
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
    c->kind = core_kinds[config->core.kind];
    if (c->kind->init) c->kind->init(c);
    cache_init(&c->l1i, &config->l1i, config->mem.replacement_seed);
    tlb_init(&c->itlb, config->mem.itlb_entries, config->mem.tlb_replacement, config->mem.replacement_seed);
    tlb_init(&c->dtlb, config->mem.dtlb_entries, config->mem.tlb_replacement, config->mem.replacement_seed);
    private_l2_init(&c->l2, config, bus);
    page_walkers_init(&c->walkers, config, &c->l2);
    l1d_init(&c->l1d, config, &c->l2);
    core_set_mode(c, config->mode);
}

void core_set_mode(struct core *c, enum machine_mode mode) {
    cache_invalidate(&c->l1d.tags);
    c->l2.l1d = mode == MODE_MIMD ? &c->l1d.tags : NULL; /* SIMT mode: the storage is the TPM */
    c->threads.waits = false;
    c->alone = c->threads;
    c->alone.memory = NULL;
}

void core_free(struct core *c) {
    if (c->kind->free) c->kind->free(c);
    cache_free(&c->l1i);
    l1d_free(&c->l1d);
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
    c->fetched_line = ~0u;
    c->access.i = NULL;
    c->awaited_count = 0;
    c->state = CORE_RUN;
    c->next = t;
    if (c->kind->start) c->kind->start(c, pc, t);
}

uint64_t core_l2_done(struct core *c, uint32_t address, bool store, uint64_t t) {
    uint64_t done;
    while (!private_l2_access(&c->l2, address, store, t, &done)) t = done;
    return done;
}

uint64_t core_walk(struct core *c, struct tlb *tlb, uint32_t address, uint64_t t) {
    const uint64_t joined = tlb_walk_end(tlb, address);
    if (joined != TLB_NO_WALK) return joined;
    const struct page_walk_times walk = page_walkers_take(&c->walkers, address, t);
    ++tlb->walked;
    tlb->walk_cycles += walk.end - walk.start;
    tlb_begin_walk(tlb, address, walk.end);
    return walk.end;
}

uint64_t core_fetch(struct core *c, uint32_t pc, uint64_t t) {
    const uint64_t hit = core_translate(c, &c->itlb, pc, t) + c->config->l1i.latency_cycles - 1;
    ++c->l1i.accesses;
    if (cache_find(&c->l1i, pc)) return hit;
    ++c->l1i.misses;
    const uint64_t done = core_l2_done(c, pc, false, hit + 1);
    cache_fill(&c->l1i, pc, UINT64_MAX, done + 1);
    return done;
}

void core_fetch_line(struct core *c) {
    const uint64_t t = c->next;
    c->fetched_line = c->pc >> c->l1i.line_shift;
    c->next = core_fetch(c, c->pc, t) - c->config->l1i.latency_cycles + 1;
    c->account[MACHINE_CAUSE_FETCH] += c->next - t;
}

uint64_t core_operands_ready(const struct core *c, const struct arm_instruction *i) {
    uint64_t t = i->condition != 14 ? c->ready[ARM_RESOURCE_NZCV] : 0;
    if (i->reads_fpscr) core_later(&t, c->ready[ARM_RESOURCE_FPSCR]);
    for (uint64_t rest = i->sources; rest; rest &= rest - 1) core_later(&t, c->ready[__builtin_ctzll(rest)]);
    return t;
}

bool core_fetches_alone(const struct core *c, uint32_t pc) {
    return cache_peek(&c->l1i, pc) && tlb_holds(&c->itlb, pc);
}

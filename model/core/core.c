#include "model/core/core.h"

#include <string.h>

const char *const core_state_name[CORE_STATE_COUNT] = {"asleep", "run", "maintain L1D", "wait for SIMT"};

void core_init(struct core *c, unsigned index, const struct machine_config *config, struct memory *memory,
               struct snoop_bus *bus) {
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
    tlb_init(&c->itlb, config->mem.itlb_entries);
    tlb_init(&c->dtlb, config->mem.dtlb_entries);
    private_l2_init(&c->l2, config, bus);
    page_walkers_init(&c->walkers, config, &c->l2);
    l1d_init(&c->l1d, config, &c->l2);
}

void core_free(struct core *c) {
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
    c->flags_ready = c->fpscr_ready = c->all_ready = 0;
    c->fetched_line = ~0u;
    c->access.i = NULL;
    c->awaited_count = 0;
    c->state = CORE_RUN;
    c->next = t;
}

/* Takes the request as soon as the L2 can: nothing else of this core waits meanwhile. */
static uint64_t l2_done(struct core *c, uint32_t address, bool store, uint64_t t) {
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
    const uint64_t done = l2_done(c, pc, false, hit + 1);
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

/* The instruction has loaded or computed the PC; its target is known in cycle `known`. */
static inline void branch(struct core *c, uint64_t known) {
    const uint64_t issued = c->next;
    later(&c->next, known);
    c->next += c->config->core.branch_penalty_cycles;
    c->account[MACHINE_CAUSE_BRANCH] += c->next - issued;
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

/* When the core may go on after an access, and how long it has been held. */
struct access_time {
    uint64_t next;    /* first cycle for the core's next access or instruction */
    uint64_t result;  /* first cycle in which the data may be used */
    uint64_t blocked; /* cycles waited for a line */
    uint64_t full;    /* cycles waited for the write buffer */
};

/* A load waits for a line until cycle `until`: the cycle in which the core, which could go on in cycle t,
 * does.
 */
static uint64_t await_line(struct core *c, uint64_t until, uint64_t t) {
    unsigned waiting = 0, first = 0;
    c->awaited[c->awaited_count++] = until;
    for (unsigned n = 0; n < c->awaited_count; ++n)
        if (c->awaited[n] > t) c->awaited[waiting++] = c->awaited[n];
    c->awaited_count = waiting;
    if (waiting <= c->config->core.hit_under_miss) return t;
    for (unsigned n = 1; n < waiting; ++n)
        if (c->awaited[n] < c->awaited[first]) first = n;
    t = c->awaited[first];
    c->awaited[first] = c->awaited[--c->awaited_count];
    return t;
}

/* One register's access (or an ordinary one), with its address in X in cycle t. */
static inline struct access_time access_once(struct core *c, const struct arm_instruction *i,
                                             uint32_t address, unsigned bytes, uint64_t t) {
    const unsigned shift = c->l1d.tags.line_shift;
    const uint32_t first = address >> shift, last = (address + bytes - 1) >> shift;
    struct access_time a = {0};
    uint64_t there = 0, extra = 0;
    for (uint32_t line = first;; ++extra) {
        const uint32_t at = line == first ? address : line << shift;
        if (i->is_store)
            a.full += l1d_store(&c->l1d, at, t + 1 + extra + a.full);
        else
            later(&there, l1d_load(&c->l1d, at, t + 1 + extra));
        if (line++ == last) break;
    }
    a.next = t + c->config->core.occupancy_cycles[i->class] + extra + a.full;
    a.result = t + c->config->core.latency_cycles[i->class] + extra;
    if (i->is_load) a.result += c->l1d.latency_cycles - 1;
    if (there > a.next) {
        const uint64_t on = await_line(c, there, a.next);
        a.blocked = on - a.next;
        a.next = on;
    }
    later(&a.result, there);
    return a;
}

static void charge_access(struct core *c, const struct access_time *a, uint64_t held) {
    c->account[MACHINE_CAUSE_MEMORY] += a->blocked;
    c->account[MACHINE_CAUSE_WRITE_BUFFER] += a->full;
    c->account[MACHINE_CAUSE_OCCUPIED] += held - a->blocked - a->full;
}

/* The accesses that fall into cycle `next`: register after register, one instruction's access or all. The
 * base that is written back comes with the first. */
static void continue_access(struct core *c) {
    struct core_access *m = &c->access;
    const struct arm_instruction *i = m->i;
    const uint64_t t = c->next;
    const struct access_time a = access_once(c, i, m->address + m->done * m->bytes, m->bytes, t);
    if (m->count == 1) {
        set_ready(c, i, a.result);
    } else {
        if (m->done == 0 && i->write_back) c->ready[i->rn] = a.result;
        if (i->is_load && m->rest) c->ready[__builtin_ctzll(m->rest)] = a.result;
        m->rest &= m->rest - 1;
    }
    later(&m->result, a.result);
    c->next = a.next;
    charge_access(c, &a, a.next - t - (m->done == 0));
    if (++m->done < m->count) return;
    m->i = NULL;
    later(&c->all_ready, m->result);
    if (m->branches) branch(c, i->is_load ? m->result : 0);
}

/* A MIMD launch. */
static void access_cached(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t,
                          uint64_t translation) {
    address = core_physical(c, address);
    if (__builtin_expect(i->access_count == 1 && !translation, 1)) {
        const struct access_time a = access_once(c, i, address, i->access_bytes, t);
        set_ready(c, i, a.result);
        c->next = a.next;
        charge_access(c, &a, a.next - t - 1);
        if (i->writes_pc) branch(c, i->is_load ? a.result : 0);
        return;
    }
    const uint64_t base = i->write_back ? UINT64_C(1) << i->rn : 0;
    c->access = (struct core_access){.i = i,
                                     .pc = c->pc,
                                     .address = address,
                                     .count = i->access_count,
                                     .bytes = i->access_bytes / i->access_count,
                                     .rest = i->destinations & ~base,
                                     .branches = i->writes_pc};
    c->next = t + translation;
    c->account[MACHINE_CAUSE_MEMORY] += translation;
    if (!translation) continue_access(c);
}

/* Sets `next` and ready times. */
static void access_memory(struct core *c, const struct arm_instruction *i, uint32_t address, uint64_t t) {
    const uint64_t there = core_translate(c, &c->dtlb, address, t);
    if (c->caches_data) {
        access_cached(c, i, address, t, there - t);
        return;
    }
    const uint64_t occupied = (uint64_t)c->config->core.occupancy_cycles[i->class] * i->access_count;
    const uint64_t unblocked = there + access_l2(c, i, core_physical(c, address), there);
    c->next = t + occupied;
    later(&c->next, unblocked);
    c->account[MACHINE_CAUSE_OCCUPIED] += occupied - 1;
    c->account[MACHINE_CAUSE_MEMORY] += c->next - t - occupied;
    set_ready(c, i, i->is_load ? c->next : t + c->config->core.latency_cycles[i->class]);
    if (i->writes_pc) branch(c, c->next);
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
    ++c->instructions;
    ++c->account[MACHINE_CAUSE_ISSUE];
    c->next = t + 1;
    if (x->passed) {
        if (i->access_count) {
            c->memory_instructions += c->in_kernel;
            access_memory(c, i, x->address[0], t);
        } else {
            issue_unit(c, i, t);
            if (i->writes_pc) branch(c, 0);
        }
    }
    c->pc = i->writes_pc && x->passed ? c->next_pc : c->pc + 4;
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
    *i = NULL;
    if (c->access.i) {
        continue_access(c);
        return CORE_STALLED;
    }
    *i = prepare(c, code);
    if (!*i) return CORE_FAULTED;
    if (c->next > t) return CORE_STALLED;
    arm_execute(*i, &c->threads, 1, x);
    if (x->fault != ARM_FAULT_NONE) return CORE_FAULTED;
    finish(c, *i, x, t);
    if ((*i)->is_wait && x->passed && !c->in_kernel) {
        c->state = CORE_ASLEEP;
        c->asleep_since = c->next;
    }
    return CORE_ISSUED;
}

bool core_fetches_alone(const struct core *c, uint32_t pc) {
    const struct cache_line *guess = c->l1i.last;
    const bool there = guess->state && guess->tag == pc >> c->l1i.line_shift;
    return (there || cache_peek(&c->l1i, pc)) && tlb_holds(&c->itlb, pc);
}

void core_run_ahead(struct core *c, const struct machine_code *code, uint64_t horizon) {
    struct arm_execution x;
    if (c->access.i) return;
    while (c->next < horizon) {
        if (c->pc >> c->l1i.line_shift != c->fetched_line && !core_fetches_alone(c, c->pc)) return;
        struct arm_instruction *i = prepare(c, code);
        if (!i || !i->is_private || c->next >= horizon) return;
        i->thread(i, &c->threads, 1, &x);
        if (__builtin_expect(x.fault != ARM_FAULT_NONE, 0)) return; /* core_issue() finds it again */
        finish(c, i, &x, c->next);
    }
}

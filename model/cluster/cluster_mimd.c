/* A cluster in a MIMD launch: each core takes work-groups of its own and runs the kernel's twin on them
 * (machine.md §2). Interactions of the cores happen in the order of cycles, and within a cycle of core
 * numbers. */
#include "model/cluster/cluster.h"
#include "model/arm/coprocessor.h"
#include "model/core/spin_watch.h"

#include "sim/error.h"

#include <string.h>

/* Largest number of cycles that a core may be ahead of others, and that a step takes. */
#define CYCLES_AHEAD 1024

/* --- checks, and the watch for endless repetition --- */

static unsigned check_slot(const struct core *k) {
    return k->cluster->index * k->cluster->lanes + k->index;
}

/* Called before an instruction executes. */
static void executes(struct core *k, const struct arm_instruction *i) {
    struct cluster *c = k->cluster;
    if (!k->in_kernel) return;
    if (c->spin)
        spin_watch_before(c->spin, k->index, (struct arm_instruction *)i, &k->threads, 1, i->pc, k->group,
                          sizeof k->group);
    if (!c->checks) return;
    if (i->pc == k->kernel_pc) checks_core(c->checks, check_slot(k), &k->threads);
    checks_instruction(c->checks, check_slot(k), 0, &k->threads, i, i->pc, 1);
}

/* Called after an access of an executed instruction. Returns false if the launch has failed. */
static bool accessed(struct core *k, const struct arm_instruction *i, const struct arm_execution *x) {
    struct cluster *c = k->cluster;
    const bool in_stack = x->address[0] >= MEMORY_LAUNCH_BASE && x->address[0] < MEMORY_LOCAL_BASE;
    const uint64_t threads = i->is_store ? x->stored : x->passed;
    const struct checked_access a = {.i = i,
                                     .pc = i->pc,
                                     .first_item = NO_ITEM,
                                     .threads = in_stack ? 0 : threads,
                                     .in_stack = in_stack ? threads : 0,
                                     .address = x->address,
                                     .registers = &k->threads};
    struct memory_fault fault;
    if (c->spin) spin_watch_after(c->spin, &k->threads, i, x);
    if (!c->checks || !k->in_kernel || checks_access(c->checks, check_slot(k), &a, &fault)) return true;
    cluster_diagnose_outside_object(c, k->index, i->pc, i, &fault);
    return false;
}

void cluster_set_calls(struct cluster *c) {
    for (struct core *k = c->core; k < c->core + c->lanes; ++k) {
        k->executes = c->spin || (c->checks && c->checks->values) ? executes : NULL;
        k->accessed = c->spin || c->checks ? accessed : NULL;
    }
}

/* --- a launch --- */

void cluster_launch_mimd(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                         const struct launch_block *block, struct memory *core_memory,
                         struct memory *core_own, uint64_t t, struct error *e) {
    cluster_begin_launch(c, l, launch_block_address, t, e);
    for (unsigned i = 0; i < c->lanes; ++i) {
        struct core *k = &c->core[i];
        k->threads.memory = &core_memory[i];
        cluster_start_core(c, i, l->code->startup_mimd, block,
                           (c->index * c->lanes + i) * machine_local_stride(c->config), t);
        k->record.recorder = c->recorder; /* SIMT launches record start-up code only as a mode */
        k->threads.waits = true;
        k->alone = k->threads;
        k->alone.memory = &core_own[i];
        k->alone.monitor = NULL; /* no other core can reserve memory of this core */
        k->caches_data = true;
        k->kernel_pc = k->crossing = l->twin;
    }
    c->mode = CLUSTER_MIMD;
    cluster_set_calls(c);
    if (c->recorder) recorder_mode(c->recorder, t, CLUSTER_MIMD);
}

/* --- the co-processor --- */

static void end_group(struct cluster *c, struct core *k, uint64_t t) {
    const uint32_t *size = c->launch->local_size;
    if (k->has_group) {
        simt_record(&c->simt, RECORD_GROUP_END, t + 1, k->index, 0, 0);
        ++c->groups_done;
        c->work_items += (uint64_t)size[0] * size[1] * size[2];
    }
    k->has_group = false;
}

static uint32_t next_group(struct cluster *c, struct core *k, uint64_t t) {
    end_group(c, k, t);
    struct work_group group;
    if (!work_group_dispatcher_take(&c->uncore->groups, &group)) return UINT32_MAX;
    k->has_group = true;
    memcpy(k->group, group.id, sizeof k->group);
    if (c->checks) checks_group(c->checks, check_slot(k), group.number);
    if (c->recorder) recorder_group(c->recorder, t + 1, k->index, k->group);
    return (uint32_t)group.number;
}

static void invalidate(struct cluster *c, struct core *k, uint64_t t) {
    cache_invalidate(&k->l1d.tags);
    cluster_maintain(c, k, t);
    k->account[MACHINE_CAUSE_MODE_SWITCH] += k->next - (t + 1);
}

/* Executes a co-processor instruction that core k has issued in cycle t. */
static void coprocessor(struct cluster *c, struct core *k, const struct arm_instruction *i, uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    switch (op.operation) {
    case COPROCESSOR_LAUNCH_BLOCK: k->registers[i->rd] = c->launch_block; return;
    case COPROCESSOR_NEXT_GROUP: k->registers[i->rd] = next_group(c, k, t); return;
    case COPROCESSOR_L1D_TO_CACHE: invalidate(c, k, t); return;
    case COPROCESSOR_LAUNCH_REGISTER:
    case COPROCESSOR_START_CONTEXT:
    case COPROCESSOR_L1D_TO_TPM:
    case COPROCESSOR_ENTER_SIMT:
        cluster_diagnose(c, k->index, k->pc - 4,
                         "executes a co-processor instruction that belongs to a SIMT launch");
        return;
    default:
        if (!cluster_read_identity(c, k, i, t))
            cluster_diagnose(c, k->index, k->pc - 4,
                             "executes a co-processor instruction that does not exist in MIMD mode");
    }
}

/* Notes an exclusive store of core k, for diagnoses. */
static void note_claim(struct cluster *c, const struct core *k, const struct arm_execution *x) {
    const struct memory *m = k->threads.memory;
    struct exclusive_claim claim = {.address = x->address[0] & ~3u, .cluster = c, .warp = (uint8_t)k->index};
    const int index = memory_find(m, claim.address, 4);
    if (index < 0) return;
    memcpy(&claim.value, m->region[index].host + (claim.address - m->region[index].base), 4);
    memcpy(claim.group, k->group, sizeof claim.group);
    claim.address = core_physical(k, claim.address);
    exclusive_claims_store(&c->uncore->claims, &claim);
}

/* --- the cycle --- */

/* Issues an instruction and charges all its cycles in the profile to the instruction at the PC. */
static enum core_issue profiled_issue(struct cluster *c, struct core *k, uint64_t t,
                                      struct arm_instruction **i, struct arm_execution *x) {
    k->profiled_pc = core_working_pc(k);
    struct machine_profile *row = simt_profile_row(&c->simt, k->profiled_pc);
    uint64_t before[MACHINE_CAUSE_COUNT];
    memcpy(before, k->account, sizeof before);
    const enum core_issue issued = core_issue(k, c->launch->code, t, i, x);
    for (unsigned n = 0; row && n < MACHINE_CAUSE_COUNT; ++n) row->cycles[n] += k->account[n] - before[n];
    struct machine_profile *executed = issued == CORE_ISSUED ? simt_profile_row(&c->simt, (*i)->pc) : NULL;
    if (executed) ++executed->executions;
    return issued;
}

static inline enum core_issue issue(struct cluster *c, struct core *k, uint64_t t, struct arm_instruction **i,
                                    struct arm_execution *x) {
    return __builtin_expect(c->profile && k->in_kernel, 0) ? profiled_issue(c, k, t, i, x)
                                                           : core_issue(k, c->launch->code, t, i, x);
}

static void show_execution(const struct cluster *c, const struct core *k, const struct arm_instruction *i,
                           const struct arm_execution *x, uint64_t t) {
    c->observer->executed(c->observer->context, &(struct observed){.i = i,
                                                                   .cycle = t,
                                                                   .participating = 1,
                                                                   .passed = x->passed,
                                                                   .address = x->address,
                                                                   .threads = &k->threads,
                                                                   .group = k->has_group ? k->group : NULL,
                                                                   .pc = i->pc,
                                                                   .unit = c->index,
                                                                   .place = k->index,
                                                                   .is_core = true});
}

/* Returns the first cycle after the issue of an instruction, for the recording. */
static uint64_t issued_until(const struct core *k, const struct arm_instruction *i,
                             const struct arm_execution *x, uint64_t t) {
    if (k->state != CORE_RUN) return t + 1;
    return x->passed && i->access_count ? t + k->config->core.occupancy_cycles[i->class] : k->next;
}

/* Steps cycle t of core k. Returns false if the launch has failed. */
static bool step_core(struct cluster *c, struct core *k, uint64_t t) {
    struct arm_instruction *i;
    struct arm_execution x;
    const uint32_t pc = k->pc;
    k->state = CORE_RUN;
    c->uncore->monitor.now = t;
    core_cross(k);
    if (__builtin_expect(c->debugger != NULL, 0) && k->in_kernel)
        c->debugger->core(c->debugger->context, c, k);
    switch (issue(c, k, t, &i, &x)) {
    case CORE_STALLED: return true;
    case CORE_ISSUED:
        if (k->record.recorder && !k->superscalar)
            core_record_run(&k->record, pc, 1, t, issued_until(k, i, &x, t));
        if (k->state == CORE_ASLEEP) {
            end_group(c, k, t);
            k->next = CLUSTER_NEVER;
        }
        if (i->is_coprocessor && x.passed) coprocessor(c, k, i, t);
        if (arm_stores_exclusively(i) && x.stored) note_claim(c, k, &x);
        if (__builtin_expect(c->observer != NULL, 0)) show_execution(c, k, i, &x, t);
        if (__builtin_expect(k->accessed != NULL, 0) && (i->is_load || i->is_store)) k->accessed(k, i, &x);
        break;
    case CORE_FAULTED:
        if (i && c->debugger) c->debugger->core_fault(c->debugger->context, c, k, &x);
        if (i)
            cluster_diagnose_fault(c, k->index, pc, i, &x);
        else
            cluster_diagnose(c, k->index, pc, "jumps outside the program's code");
        break;
    }
    return c->error->status == EXIT_SOUND;
}

/* The core with the next turn: the earliest cycle, and of equal cycles the lowest core. */
struct turn {
    unsigned core;
    uint64_t cycle; /* CLUSTER_NEVER if all cores are asleep */
    uint64_t end;   /* first cycle that is another core's turn */
};

static struct turn first_turn(const uint64_t *next, unsigned cores) {
    struct turn turn = {0, next[0], CLUSTER_NEVER};
    for (unsigned i = 1; i < cores; ++i) {
        if (next[i] < turn.cycle) {
            turn.end = turn.cycle;
            turn.cycle = next[i];
            turn.core = i;
        } else if (next[i] < turn.end) {
            turn.end = next[i];
        }
    }
    return turn;
}

/* Steps the core with the turn up to `until` or another core's turn. Then steps it up to `ahead` as long as
 * no other core sees its steps. Returns false if the launch has failed. */
static bool take_turn(struct cluster *c, const struct turn *turn, uint64_t until, uint64_t ahead) {
    struct core *k = &c->core[turn->core];
    c->now = turn->cycle;
    k->state = CORE_RUN;
    if (!c->observer && (!c->debugger || !c->debugger->every))
        core_run(k, c->launch->code, turn->end < until ? turn->end : until, ahead);
    if (__builtin_expect(c->error->status != EXIT_SOUND, 0)) return false;
    return k->next != turn->cycle || step_core(c, k, turn->cycle);
}

/* Steps the cores before cycle `until`, in the order of time. next[] holds the next cycle of each core.
 * Returns the next cycle of all. */
static uint64_t step_cores(struct cluster *c, uint64_t *next, uint64_t until, uint64_t ahead) {
    struct turn turn;
    while ((turn = first_turn(next, c->lanes)).cycle < until) {
        if (!take_turn(c, &turn, until, ahead)) return CLUSTER_NEVER;
        next[turn.core] = c->core[turn.core].next;
    }
    if (turn.cycle == CLUSTER_NEVER) {
        c->mode = CLUSTER_IDLE;
        if (c->recorder) recorder_mode(c->recorder, c->now + 1, CLUSTER_IDLE);
    }
    return turn.cycle;
}

uint64_t cluster_mimd_step(struct cluster *c, uint64_t t) {
    uint64_t next[MACHINE_MAX_LANES], until = t + 1, ahead = t; /* single steps for a profile */
    const bool skips = cluster_skips(c, t);
    for (unsigned i = 0; i < c->lanes; ++i) next[i] = c->core[i].next;
    if (skips && !c->profile) {
        const uint64_t limit = cluster_skip_to(c, t, c->horizon);
        ahead = t + CYCLES_AHEAD < limit ? t + CYCLES_AHEAD : limit;
        until = c->until < ahead ? c->until : ahead;
    }
    t = step_cores(c, next, until, ahead);
    if (t == CLUSTER_NEVER) return t;
    return skips ? cluster_skip_to(c, until - 1, t) : until;
}

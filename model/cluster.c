/* Building a cluster, launches, and the cores' part of a launch. */
#include "model/cluster.h"
#include "model/coprocessor.h"
#include "model/tpo_address.h"

#include "sim/error.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

const char *const cluster_mode_name[CLUSTER_MODE_COUNT] = {"idle", "start-up",   "enter SIMT",
                                                           "SIMT", "leave SIMT", "MIMD"};

#define MONITOR_GRANULE 64 /* bytes: the line of the base machine's L2 */

static uint32_t tpm_words(const struct cluster *c) {
    return c->lanes * c->config->l1d.size_bytes / 4;
}

static void bind_threads(struct cluster *c, unsigned warp, struct memory *memory) {
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    c->threads[warp] = (struct arm_threads){
        .positions = c->config->simt.warp_size,
        .registers = c->tpm,
        .pc = w->pc,
        .next_pc = c->next_pc[warp],
        .n = w->n,
        .z = w->z,
        .c = w->c,
        .v = w->v,
        .q = w->q,
        .ge = w->ge,
        .fpscr = w->fpscr,
        .stack_top = w->stack_top,
        .first_thread = warp * c->config->simt.warp_size,
        .cumulative_flags = c->config->arm.cumulative_flags,
        .memory = memory,
        .monitor = &c->monitor,
    };
}

void cluster_init(struct cluster *c, const struct machine_config *config, struct memory *memory) {
    memset(c, 0, sizeof *c);
    c->config = config;
    c->memory = memory;
    c->lanes = config->cluster.lanes;
    c->rounds = config->simt.warp_size / c->lanes;
    c->warps = config->cluster.threads_per_lane / c->rounds;
    c->vtpo_lines = (c->rounds * 4 + config->l1d.line_bytes - 1) / config->l1d.line_bytes;
    c->tpm = aligned_alloc(64, tpm_words(c) * sizeof *c->tpm);
    invariant(c->tpm, "no memory for the thread privatisation memory");
    memset(c->tpm, 0, tpm_words(c) * sizeof *c->tpm);
    exclusive_monitor_init(&c->monitor, c->warps * config->simt.warp_size + c->lanes, MONITOR_GRANULE);
    thread_descriptor_table_init(&c->descriptors, c->warps, config->simt.warp_size,
                                 config->simt.priority_levels);
    warp_scheduler_init(&c->scheduler, c->warps);
    warp_pc_arbiter_init(&c->arbiter, config->simt.pc_policy, config->simt.warp_size,
                         config->simt.priority_levels);
    barrier_table_init(&c->barriers);
    c->trace_first = c->trace_last = CLUSTER_NEVER;
    histogram_init_linear(&c->active_threads, 1, 1, config->simt.warp_size);
    histogram_init_powers(&c->memory_latency, 16);
    histogram_init_linear(&c->queue_occupancy, 1, 1, CLUSTER_MAX_QUEUE);
    for (unsigned i = 0; i < c->lanes; ++i) {
        core_init(&c->core[i], i, config, memory);
        c->core[i].threads.monitor = &c->monitor;
        c->core[i].threads.first_thread = c->warps * config->simt.warp_size + i;
    }
    for (unsigned w = 0; w < c->warps; ++w) bind_threads(c, w, memory);
}

void cluster_free(struct cluster *c) {
    exclusive_monitor_free(&c->monitor);
    for (unsigned i = 0; i < c->lanes; ++i) core_free(&c->core[i]);
    free(c->tpm);
}

uint32_t *cluster_tpo(struct cluster *c, unsigned lane, unsigned context, unsigned object) {
    const uint32_t word = tpo_address(c->rounds, c->n_tpo, context, object);
    const unsigned position = cluster_position(c, lane, tpo_round(c->rounds, word));
    return &c->tpm[tpo_row(c->rounds, word) * c->config->simt.warp_size + position];
}

/* --- counters --- */

static void register_core(struct core *k, struct counter_registry *r) {
    char scope[64];
    snprintf(scope, sizeof scope, "cluster0.lane%u", k->index);
    counter_register(r, scope, "scalar_instructions", "instructions",
                     "instructions the core executed in MIMD mode (start-up code, twins)", &k->instructions);
    counter_register(r, scope, "memory_instructions", "instructions",
                     "loads and stores of kernels' twins (part of scalar_instructions)",
                     &k->memory_instructions);
    snprintf(scope, sizeof scope, "cluster0.lane%u.l1i", k->index);
    counter_register(r, scope, "accesses", "accesses", "instruction fetches (MIMD: one a line entered)",
                     &k->l1i.accesses);
    counter_register(r, scope, "misses", "accesses", "instruction fetches that missed the L1I",
                     &k->l1i.misses);
    snprintf(scope, sizeof scope, "cluster0.lane%u.l1d", k->index);
    counter_register(r, scope, "accesses", "accesses", "loads and stores in MIMD launches, a line at a time",
                     &k->l1d.accesses);
    counter_register(r, scope, "misses", "accesses", "loads and stores whose line the L1D did not have",
                     &k->l1d.misses);
    snprintf(scope, sizeof scope, "cluster0.lane%u.l2", k->index);
    counter_register(r, scope, "accesses", "accesses",
                     "requests of one line, from data accesses and L1I misses", &k->l2.tags.accesses);
    counter_register(r, scope, "misses", "accesses", "requests that went to main memory", &k->l2.tags.misses);
    counter_register(r, scope, "writebacks", "lines", "dirty lines evicted to main memory",
                     &k->l2.tags.writebacks);
    counter_register_histogram(r, scope, "misses_in_flight", "misses",
                               "miss registers in use when a miss begins, its own included",
                               &k->l2.in_flight);
    const struct {
        const char *name;
        struct tlb *tlb;
    } tlbs[] = {{"itlb", &k->itlb}, {"dtlb", &k->dtlb}};
    for (unsigned n = 0; n < 2; ++n) {
        snprintf(scope, sizeof scope, "cluster0.lane%u.%s", k->index, tlbs[n].name);
        counter_register(r, scope, "accesses", "accesses", "translations asked for", &tlbs[n].tlb->accesses);
        counter_register(r, scope, "misses", "accesses", "translations that took the miss penalty",
                         &tlbs[n].tlb->misses);
    }
}

static void register_histograms(const struct cluster *c, struct counter_registry *r) {
    counter_register_histogram(r, "cluster0", "active_threads", "threads",
                               "threads that execute each warp instruction: those whose PC is the warp PC",
                               &c->active_threads);
    counter_register_histogram(r, "cluster0", "memory_latency", "cycles",
                               "from a warp's load or store starting its first round to its last data, or "
                               "to its last store accepted",
                               &c->memory_latency);
    counter_register_histogram(r, "cluster0", "queue_occupancy", "instructions",
                               "warp instructions in the dispatch queue when one enters, itself included",
                               &c->queue_occupancy);
}

static void register_ratios(const struct cluster *c, struct counter_registry *r) {
    static const struct {
        const char *name, *description, *formula;
    } percent[] = {
        {"l1i_miss_ratio", "share of the instruction fetches that missed the L1I",
         "100 * lane*.l1i.misses / lane*.l1i.accesses"},
        {"l1d_miss_ratio", "share of the MIMD loads and stores that missed the L1D",
         "100 * lane*.l1d.misses / lane*.l1d.accesses"},
        {"l2_miss_ratio", "share of the requests to the L2s that went to main memory",
         "100 * lane*.l2.misses / lane*.l2.accesses"},
        {"itlb_miss_ratio", "share of the translations that missed the ITLB",
         "100 * lane*.itlb.misses / lane*.itlb.accesses"},
        {"dtlb_miss_ratio", "share of the translations that missed the DTLB",
         "100 * lane*.dtlb.misses / lane*.dtlb.accesses"},
    };
    char formula[64];
    snprintf(formula, sizeof formula, "100 * thread_instructions / (%u * warp_instructions)",
             c->config->simt.warp_size);
    counter_register_ratio(r, "cluster0", "simd_efficiency", "%",
                           "share of the warp's positions that execute its instructions", formula);
    counter_register_ratio(
        r, "cluster0", "thread_instructions_per_cycle", "instructions/cycle",
        "thread-instructions of SIMT launches in each cycle of all launches (MIMD: of each "
        "core)",
        "thread_instructions / cycles.*");
    for (size_t i = 0; i < sizeof percent / sizeof *percent; ++i)
        counter_register_ratio(r, "cluster0", percent[i].name, "%", percent[i].description,
                               percent[i].formula);
}

void cluster_register_counters(struct cluster *c, struct counter_registry *r) {
    counter_register(r, "cluster0", "warp_instructions", "instructions",
                     "warp instructions executed in SIMT mode", &c->warp_instructions);
    counter_register(r, "cluster0", "thread_instructions", "instructions",
                     "warp instructions times the threads whose PC was the warp PC", &c->thread_instructions);
    counter_register(r, "cluster0", "condition_failed", "instructions",
                     "thread-instructions whose condition failed (part of thread_instructions)",
                     &c->condition_failed);
    counter_register(r, "cluster0", "memory_instructions", "instructions",
                     "thread-instructions that loaded or stored (part of thread_instructions)",
                     &c->memory_instructions);
    counter_register(r, "cluster0", "barriers", "barriers", "work-group barriers opened",
                     &c->barriers.opened);
    counter_register(r, "cluster0", "barriers_short", "barriers",
                     "barriers opened after a thread of the work-group had exited (a mistake in OpenCL)",
                     &c->barriers.opened_without);
    counter_register(r, "cluster0", "work_groups", "work-groups", "work-groups executed", &c->groups_done);
    counter_register(r, "cluster0", "work_items", "work-items",
                     "thread contexts started; MIMD: work-items of the work-groups executed", &c->work_items);
    for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i)
        counter_register(r, "cluster0.cycles", machine_cause_name[i], "cycles", machine_cause_description[i],
                         &c->cause[i]); /* of a MIMD launch: of each core */
    for (unsigned i = 0; i < c->lanes; ++i) register_core(&c->core[i], r);
    register_histograms(c, r);
    register_ratios(c, r);
}

struct machine_profile *cluster_profile_row(const struct cluster *c, uint32_t pc) {
    const uint32_t offset = pc - c->launch->code->text_base;
    return offset < c->launch->code->text_bytes ? &c->profile[offset / 4] : NULL;
}

/* --- the launch --- */

static uint64_t count_groups(struct cluster *c, const struct machine_launch *l) {
    uint64_t groups = 1;
    for (unsigned d = 0; d < 3; ++d) {
        c->group_count[d] = l->global_size[d] / l->local_size[d];
        groups *= c->group_count[d];
    }
    return groups;
}

void cluster_begin_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                          uint64_t t, struct error *e) {
    c->launch = l;
    c->launch_block = launch_block_address;
    c->error = e;
    c->groups = count_groups(c, l);
    c->groups_begun = 0;
    c->live = 0;
    c->short_barrier[0] = '\0';
    c->n_act = c->n_tpo = 0;
    c->first_cycle = t;
    c->horizon = CLUSTER_NEVER;
    for (unsigned n = 0; n < c->monitor.threads; ++n) exclusive_monitor_clear(&c->monitor, n);
    thread_descriptor_table_init(&c->descriptors, c->warps, c->config->simt.warp_size,
                                 c->config->simt.priority_levels);
    warp_scheduler_init(&c->scheduler, c->warps);
    barrier_table_reset(&c->barriers);
    if (c->twins) c->twins->reset(c->twins->context);
}

void cluster_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                    const struct machine_launch_block *block, uint64_t t, struct error *e) {
    const uint32_t warp_size = c->config->simt.warp_size;
    const uint32_t warps = (block->work_group_size + warp_size - 1) / warp_size;
    invariant(warps >= 1 && warps <= c->warps, "a work-group of %u threads in %u warps",
              block->work_group_size, c->warps);
    cluster_begin_launch(c, l, launch_block_address, t, e);
    c->n_act = c->rounds * warps;
    c->n_tpo = c->config->l1d.size_bytes / (c->n_act * 4);
    invariant(c->n_tpo >= ARM_REGISTERS, "%u registers for a thread of a work-group of %u", c->n_tpo,
              block->work_group_size);
    for (unsigned w = 0; w < c->warps; ++w) {
        c->threads[w].registers = w < warps ? &c->tpm[(size_t)w * c->n_tpo * warp_size] : c->tpm;
        c->threads[w].stack_size = block->stack_size;
    }
    for (unsigned i = 0; i < c->lanes; ++i) {
        c->core[i].threads.memory = c->memory;
        core_start(&c->core[i], l->code->startup, block->core_stack_top + i * block->core_stack_size, t);
    }
    c->mode = CLUSTER_CORES;
}

/* --- the cores: start-up code --- */

void cluster_group_id(const struct cluster *c, uint64_t number, uint32_t id[3]) {
    for (unsigned d = 0; d < 3; ++d) {
        id[d] = (uint32_t)(number % c->group_count[d]);
        number /= c->group_count[d];
    }
}

/* All cores of a cluster take the same work-group: it advances once all have run it. */
static void begin_group(struct cluster *c) {
    cluster_group_id(c, c->groups_begun++, c->group);
}

static bool start_context(struct cluster *c, struct core *k, const struct arm_instruction *i) {
    const uint32_t j = k->launch_register[2]++;
    if (j >= c->n_act) {
        cluster_diagnose(c, -1, k->index, k->pc - 4, "starts context %u of %u", j, c->n_act);
        return false;
    }
    const unsigned warp = j / c->rounds, position = cluster_position(c, k->index, j % c->rounds);
    const uint32_t sp = k->registers[i->rn];
    tdt_start(&c->descriptors, warp, position, k->launch_register[0], k->registers[i->rd], sp);
    *cluster_tpo(c, k->index, j, 0) = k->launch_register[1];
    *cluster_tpo(c, k->index, j, 13) = sp;
    ++c->live;
    ++c->work_items;
    ++k->next; /* two cycles in all */
    return true;
}

void cluster_maintain(struct cluster *c, struct core *k, uint64_t t) {
    const struct machine_cache_config *l1d = &c->config->l1d;
    k->state = CORE_MAINTAIN;
    k->next = t + 1 + l1d->size_bytes / (l1d->ways * l1d->line_bytes); /* one set a cycle */
}

/* Carries out a co-processor instruction that core k has just issued. */
static bool coprocessor(struct cluster *c, struct core *k, const struct arm_instruction *i, uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    switch (op.operation) {
    case COPROCESSOR_LAUNCH_BLOCK: k->registers[i->rd] = c->launch_block; return true;
    case COPROCESSOR_NEXT_GROUP:
        k->registers[i->rd] = c->groups_begun < c->groups ? (uint32_t)c->groups_begun : UINT32_MAX;
        return true;
    case COPROCESSOR_LAUNCH_REGISTER: k->launch_register[op.index] = k->registers[i->rd]; return true;
    case COPROCESSOR_START_CONTEXT: return start_context(c, k, i);
    case COPROCESSOR_L1D_TO_TPM:
    case COPROCESSOR_L1D_TO_CACHE: cluster_maintain(c, k, t); return true;
    case COPROCESSOR_ENTER_SIMT: k->state = CORE_WAIT_SIMT; return true;
    default:
        if (cluster_read_identity(c, i, &k->threads, -1, k->index, 1, t)) return true;
        cluster_diagnose(c, -1, k->index, k->pc - 4,
                         "executes a co-processor instruction that does not exist in MIMD mode");
        return false;
    }
}

static void step_core(struct cluster *c, struct core *k, uint64_t t) {
    struct arm_instruction *i;
    struct arm_execution x;
    if (k->state == CORE_MAINTAIN) k->state = CORE_RUN;
    const uint32_t pc = k->pc;
    switch (core_issue(k, c->launch->code, t, &i, &x)) {
    case CORE_STALLED: break;
    case CORE_ISSUED:
        if (i->is_coprocessor && x.passed) coprocessor(c, k, i, t);
        break;
    case CORE_FAULTED:
        if (i)
            cluster_diagnose_fault(c, -1, k->index, pc, i, &x);
        else
            cluster_diagnose(c, -1, k->index, pc, "jumps outside the program's code");
        break;
    }
}

static bool all_in(const struct cluster *c, enum core_state s) {
    for (unsigned i = 0; i < c->lanes; ++i)
        if (c->core[i].state != s) return false;
    return true;
}

static void resume_cores(struct cluster *c, uint64_t t) {
    for (unsigned i = 0; i < c->lanes; ++i) {
        c->core[i].state = CORE_RUN;
        c->core[i].next = t;
    }
    c->mode = CLUSTER_CORES;
}

/* All cores wait: the work-group runs, from `enter_cycles` after cycle t, in which the last has raised its
 * register. */
static uint64_t enter_simt(struct cluster *c, uint64_t t) {
    if (c->groups_begun == c->groups) {
        cluster_diagnose(c, -1, 0, c->core[0].pc - 4, "enters SIMT mode without a work-group");
        return CLUSTER_NEVER;
    }
    begin_group(c);
    c->mode = CLUSTER_ENTER;
    c->resume = t + c->config->simt.enter_cycles;
    c->cause[MACHINE_CAUSE_STARTUP] += 1;
    c->cause[MACHINE_CAUSE_MODE_SWITCH] += c->resume - (t + 1);
    return c->resume;
}

/* The cycles from t to before `next` are start-up if a core runs, mode switch if those that do not wait
 * maintain. */
static uint64_t charge_cores(struct cluster *c, uint64_t t, uint64_t next) {
    enum machine_cause cause = MACHINE_CAUSE_MODE_SWITCH;
    for (unsigned i = 0; i < c->lanes; ++i)
        if (c->core[i].state == CORE_RUN) cause = MACHINE_CAUSE_STARTUP;
    c->cause[cause] += next - t;
    return next;
}

static uint64_t step_cores(struct cluster *c, uint64_t t) {
    uint64_t next = CLUSTER_NEVER;
    for (unsigned i = 0; i < c->lanes; ++i) {
        struct core *k = &c->core[i];
        if (k->state == CORE_ASLEEP || k->state == CORE_WAIT_SIMT) continue;
        if (k->next <= t) step_core(c, k, t);
        if (c->error->status != EXIT_SOUND) return CLUSTER_NEVER;
        if ((k->state == CORE_RUN || k->state == CORE_MAINTAIN) && k->next < next) next = k->next;
    }
    if (all_in(c, CORE_WAIT_SIMT)) return enter_simt(c, t);
    if (all_in(c, CORE_ASLEEP)) {
        charge_cores(c, t, t + 1);
        c->mode = CLUSTER_IDLE;
        return CLUSTER_NEVER;
    }
    if (next == CLUSTER_NEVER) {
        cluster_diagnose(c, -1, 0, c->core[0].pc,
                         "start-up code: some cores sleep while others wait for SIMT mode");
        return CLUSTER_NEVER;
    }
    return charge_cores(c, t, cluster_skips(c, t) ? next : t + 1);
}

static uint64_t step_mode(struct cluster *c, uint64_t t) {
    if (c->mode == CLUSTER_ENTER) {
        if (t < c->resume) return cluster_skips(c, t) ? c->resume : t + 1;
        cluster_simt_begin(c, t);
    }
    if (c->mode == CLUSTER_LEAVE) {
        if (t < c->resume) return cluster_skips(c, t) ? c->resume : t + 1;
        ++c->groups_done;
        resume_cores(c, t);
    }
    if (c->mode == CLUSTER_MIMD) return cluster_mimd_step(c, t);
    return c->mode == CLUSTER_SIMT ? cluster_simt_step(c, t) : step_cores(c, t);
}

uint64_t cluster_step(struct cluster *c, uint64_t t) {
    c->now = t;
    const uint64_t next = step_mode(c, t);
    if (cluster_traced(c, t)) cluster_trace_cycle(c, t);
    return next;
}

/* --- identity registers --- */

static uint32_t constant(const struct cluster *c, unsigned index, unsigned core) {
    const uint32_t value[8] = {core,
                               0,
                               c->lanes,
                               c->config->simt.warp_size,
                               c->config->cluster.threads_per_lane,
                               c->n_act,
                               c->config->simt.priority_levels,
                               COPROCESSOR_VERSION};
    return value[index];
}

static uint32_t geometry(const struct cluster *c, const struct coprocessor_decoded op, unsigned core) {
    const struct machine_launch *l = c->launch;
    switch (op.operation) {
    case COPROCESSOR_GROUP_ID:
        return c->mode == CLUSTER_MIMD ? c->core[core].group[op.index] : c->group[op.index];
    case COPROCESSOR_NUM_GROUPS: return c->group_count[op.index];
    case COPROCESSOR_LOCAL_SIZE: return l->local_size[op.index];
    case COPROCESSOR_GLOBAL_SIZE: return l->global_size[op.index];
    case COPROCESSOR_GLOBAL_OFFSET: return l->global_offset[op.index];
    default: return l->work_dim;
    }
}

/* The core number is that of the lane which holds the position. */
static unsigned core_of(const struct cluster *c, unsigned position) {
    return c->config->simt.lane_map == LANE_MAP_BLOCK ? position / c->rounds : position % c->lanes;
}

static void fill(struct arm_threads *t, unsigned row, uint64_t mask, uint32_t value) {
    for (uint64_t rest = mask; rest; rest &= rest - 1)
        t->registers[row * t->positions + (unsigned)__builtin_ctzll(rest)] = value;
}

static void fill_ids(struct cluster *c, struct arm_threads *t, unsigned row, int warp, uint64_t mask,
                     unsigned d, uint32_t base) {
    const uint32_t *id = c->descriptors.warp[warp].local_id[d];
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        t->registers[row * t->positions + k] = base + id[k];
    }
}

bool cluster_read_identity(struct cluster *c, const struct arm_instruction *i, struct arm_threads *t,
                           int warp, unsigned core, uint64_t mask, uint64_t cycle) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    const bool simt = warp >= 0;
    if (op.operation == COPROCESSOR_UNDEFINED ||
        (simt ? coprocessor_mimd_only : coprocessor_simt_only)(op.operation))
        return false;
    if (!i->coprocessor_reads) return true; /* carried out at the commit */
    if (op.operation == COPROCESSOR_CYCLES) {
        fill(t, i->rd, mask, (uint32_t)cycle);
        fill(t, i->rn, mask, (uint32_t)(cycle >> 32));
    } else if (op.operation == COPROCESSOR_LOCAL_ID) {
        fill_ids(c, t, i->rd, warp, mask, op.index, 0);
    } else if (op.operation == COPROCESSOR_GLOBAL_ID) {
        const unsigned d = op.index;
        fill_ids(c, t, i->rd, warp, mask, d,
                 c->group[d] * c->launch->local_size[d] + c->launch->global_offset[d]);
    } else if (op.operation == COPROCESSOR_CONSTANT && op.index == 0 && simt) {
        for (uint64_t rest = mask; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            t->registers[i->rd * t->positions + k] = core_of(c, k);
        }
    } else {
        fill(t, i->rd, mask,
             op.operation == COPROCESSOR_CONSTANT ? constant(c, op.index, core) : geometry(c, op, core));
    }
    return true;
}

/* Construction of a cluster, launches, and the start-up code on the cores. */
#include "model/cluster/cluster.h"
#include "model/arm/coprocessor.h"
#include "model/control/tpo_address.h"
#include "model/unit/unit.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cluster_mode_name[CLUSTER_MODE_COUNT] = {"idle", "start-up",   "enter SIMT",
                                                           "SIMT", "leave SIMT", "MIMD"};

static uint32_t tpm_words(const struct cluster *c) {
    return c->lanes * c->config->l1d.size_bytes / 4;
}

static char *take(size_t *used, char *base, size_t bytes) {
    char *const at = base ? base + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return at;
}

/* Assigns parts of the storage from `base` on to all arrays whose sizes depend on the configuration, the most
 * frequently used ones first. Returns the number of bytes used. With base NULL only counts them. */
static size_t assign_storage(struct cluster *c, char *base) {
    const size_t flights = cluster_flights(c), row = tdt_row_words(c->config->simt.warp_size);
    struct fast *p = &c->fast;
    size_t used = 0;
#define ASSIGN(member, count) (member) = (void *)take(&used, base, (count) * sizeof *(member))
    ASSIGN(p->landing, flights);
    ASSIGN(p->landing_due, flights);
    ASSIGN(p->wait, c->warps);
    ASSIGN(p->chosen, flights);
    ASSIGN(p->flight, flights);
    ASSIGN(c->descriptors.warp, c->warps);
    ASSIGN(c->threads, c->warps);
    ASSIGN(c->trail, c->warps);
    ASSIGN(c->next_pc, c->warps * row);
    ASSIGN(c->descriptors.rows, c->warps * TDT_ROWS * row);
    ASSIGN(c->of_round, c->rounds);
    ASSIGN(p->runs, c->lanes);
    ASSIGN(c->core, c->lanes);
    ASSIGN(c->tpm, tpm_words(c));
#undef ASSIGN
    return used;
}

static void create_storage(struct cluster *c) {
    const size_t bytes = assign_storage(c, NULL);
    c->storage = aligned_alloc(64, bytes);
    require_memory(c->storage);
    memset(c->storage, 0, bytes);
    assign_storage(c, c->storage);
}

static void bind_threads(struct cluster *c, unsigned warp, struct memory *memory) {
    struct warp_descriptors *w = &c->descriptors.warp[warp];
    c->threads[warp] = (struct arm_threads){
        .positions = c->config->simt.warp_size,
        .stack_row = machine_registers(c->config),
        .registers = c->tpm,
        .pc = w->pc,
        .next_pc = c->next_pc + (size_t)warp * tdt_row_words(c->config->simt.warp_size),
        .n = w->n,
        .z = w->z,
        .c = w->c,
        .v = w->v,
        .q = w->q,
        .ge = w->ge,
        .fpscr = w->fpscr,
        .stack_top = w->stack_top,
        .first_thread = c->index * uncore_threads(c->config) + warp * c->config->simt.warp_size,
        .cumulative_flags = c->config->arm.cumulative_flags,
        .memory = memory,
        .monitor = &c->uncore->monitor,
    };
}

static struct simt_warp warp_of(struct simt *u, unsigned warp) {
    const struct cluster *c = (struct cluster *)u;
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    return (struct simt_warp){&c->threads[warp], tdt_live(w), w->barrier,          w->local_id,
                              c->group,          c->index,    c->trail[warp].count};
}

static uint64_t fault_cycles(const struct simt *u, uint64_t t) {
    const struct cluster *c = (const struct cluster *)u;
    return c->simt_cycles + (c->mode == CLUSTER_SIMT ? t - c->simt_first : 0);
}

static struct identity identity_of(const struct simt *u, unsigned warp) {
    const struct cluster *c = (const struct cluster *)u;
    uint32_t *const *local_id = c->descriptors.warp[warp].local_id;
    return (struct identity){.config = c->config,
                             .launch = c->launch,
                             .cluster = c->index,
                             .map = c->map,
                             .contexts = c->n_act,
                             .groups_in_flight = c->config->cluster.count,
                             .group = c->group,
                             .local_id = {local_id[0], local_id[1], local_id[2]}};
}

static struct simt_parts parts_of(const struct simt *u) {
    return (struct simt_parts){.cores = u->config->cluster.lanes};
}

static bool runs_warps(const struct simt *u) {
    return ((const struct cluster *)u)->mode == CLUSTER_SIMT;
}

static const struct simt_kind kind = {.name = "cluster",
                                      .spin = &cluster_spin,
                                      .parts = parts_of,
                                      .runs_warps = runs_warps,
                                      .pc = cluster_thread_pc,
                                      .warp = warp_of,
                                      .fault_cycles = fault_cycles,
                                      .identity = identity_of,
                                      .report = cluster_report};

void cluster_init(struct cluster *c, unsigned index, const struct machine_config *config,
                  struct memory *memory, struct uncore *uncore) {
    memset(c, 0, sizeof *c);
    c->index = index;
    c->config = config;
    c->kind = &kind;
    c->fast.cluster = c;
    const char *fast = getenv("LOCKSTEP_FAST");
    c->fast.off = fast && strcmp(fast, "0") == 0;
    c->uncore = uncore;
    c->memory = memory;
    c->lanes = config->cluster.lanes;
    c->rounds = config->simt.warp_size / c->lanes;
    c->map = (struct lane_map){config->simt.lane_map, c->lanes, c->rounds};
    c->warps = config->cluster.threads_per_lane / c->rounds;
    c->positions = config->simt.warp_size;
    c->vtpo_lines = (c->rounds * 4 + config->l1d.line_bytes - 1) / config->l1d.line_bytes;
    uniform_init(&c->uniform, config,
                 (struct uniform_registers){.lanes = c->lanes,
                                            .words = config->simt.warp_size,
                                            .vector_lines = c->vtpo_lines,
                                            .scalar_lines = 1},
                 c->warps);
    create_storage(c);
    for (unsigned k = 0; k < config->simt.warp_size; ++k) {
        c->of_lane[lane_map_lane(c->map, k)] |= UINT64_C(1) << k;
        c->of_round[lane_map_round(c->map, k)] |= UINT64_C(1) << k;
    }
    thread_descriptor_table_init(&c->descriptors, c->warps, config->simt.warp_size,
                                 config->simt.priority_levels);
    warp_scheduler_init_of(&c->blocks.scheduler, config, c->warps);
    warp_pc_arbiter_init(&c->blocks.arbiter, config->simt.pc_policy, config->simt.warp_size,
                         config->simt.priority_levels);
    barrier_table_init(&c->barriers, 1, false);
    c->livelock_cycles = cluster_livelock_cycles(config);
    subwarp_dispatcher_init(&c->blocks.dispatcher, c->warps, config->simt.warp_size, c->lanes);
    simt_coprocessor_init(
        &c->coprocessor,
        &(struct simt_coprocessor_config){config->simt.queue_entries, config->simt.collectors},
        &(struct simt_coprocessor_blocks){&c->blocks.scheduler, &c->blocks.arbiter, &c->descriptors,
                                          &c->barriers, &c->blocks.dispatcher});
    c->trace_first = c->trace_last = CLUSTER_NEVER;
    snoop_bus_init(&c->bus, index, config, &uncore->memory, uncore->several ? &uncore->directory : NULL);
    c->bus.protocol = &uncore->protocol;
    c->bus.before_forward = cluster_is_asked;
    c->bus.context = c;
    histogram_init_counts(&c->active_threads, 1, config->simt.warp_size);
    histogram_init_powers(&c->memory_latency, 16);
    histogram_init_counts(&c->queue_occupancy, 1, MACHINE_MAX_QUEUE);
    histogram_init_counts(&c->rounds_started, 0, CORE_MAX_UNITS + 1);
    for (unsigned i = 0; i < c->lanes; ++i) {
        core_init(&c->core[i], i, config, memory, &c->bus);
        c->core[i].cluster = c;
        c->core[i].threads.monitor = &uncore->monitor;
        c->core[i].threads.first_thread =
            index * uncore_threads(config) + c->warps * config->simt.warp_size + i;
    }
    for (unsigned w = 0; w < c->warps; ++w) bind_threads(c, w, memory);
    c->unit = unit_create(c);
}

void cluster_free(struct cluster *c) {
    unit_free(c->unit);
    for (unsigned i = 0; i < c->lanes; ++i) core_free(&c->core[i]);
    simt_free(&c->simt);
    held_accesses_free(&c->fast.held);
    free(c->storage);
}

warp_set cluster_live_warps(const struct cluster *c) {
    warp_set live = 0;
    for (unsigned w = 0; w < c->warps; ++w)
        if (tdt_live(&c->descriptors.warp[w])) warp_set_add(&live, w);
    return live;
}

/* --- the launch --- */

void cluster_begin_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                          uint64_t t, struct error *e) {
    simt_launch(&c->simt, l, e);
    c->launch_block = launch_block_address;
    c->has_next = false;
    c->live = 0;
    memset(c->trail, 0, c->warps * sizeof *c->trail);
    c->n_act = c->n_tpo = 0;
    c->first_cycle = t;
    c->until = c->horizon = CLUSTER_NEVER;
    thread_descriptor_table_init(&c->descriptors, c->warps, c->config->simt.warp_size,
                                 c->config->simt.priority_levels);
    warp_scheduler_init_of(&c->blocks.scheduler, c->config, c->warps);
    subwarp_dispatcher_reset(&c->blocks.dispatcher);
    writeback_arbiter_init(&c->blocks.writeback, cluster_flights(c), c->config->tpm.write_ports);
    simt_coprocessor_reset(&c->coprocessor);
    unit_launch(c->unit);
    thread_descriptor_table_lanes(&c->descriptors, c->lanes, c->map.kind != LANE_MAP_BLOCK);
    if (c->twins) c->twins->reset(c->twins->context);
}

void cluster_start_core(struct cluster *c, unsigned i, uint32_t pc, const struct launch_block *block,
                        uint32_t local_offset, uint64_t t) {
    struct core *k = &c->core[i];
    const uint32_t number = c->index * c->lanes + i;
    core_start(k, pc, block->core_stack_top + number * block->core_stack_size, t);
    k->local_bytes = c->launch->local_bytes;
    k->local_offset = local_offset;
    k->executes = NULL;
    k->accessed = NULL;
    exclusive_monitor_offset(&c->uncore->monitor, k->threads.first_thread, local_offset);
    k->record = (struct core_record){.place = i};
}

static void reset_tpm_blocks(struct cluster *c, const struct launch_block *block) {
    const struct machine_config *config = c->config;
    operand_collector_init(&c->blocks.collector,
                           &(struct operand_collector_config){.collectors = config->simt.collectors,
                                                              .read_ports = config->tpm.read_ports,
                                                              .read_latency = config->tpm.latency_cycles,
                                                              .vtpo_lines = c->vtpo_lines});
    c->stack_segment = block->stack_segment;
    c->stack_top = block->stack_top + c->index * c->lanes * block->stack_segment;
    c->address.more_registers = machine_registers(config) - ARM_REGISTERS;
    c->address.in = (struct tpo_address_in){
        .rounds_bits = (uint32_t)__builtin_ctz(c->rounds),
        .contexts_bits = (uint32_t)__builtin_ctz(config->cluster.threads_per_lane),
        .stack_bits = block->stack_size ? (uint32_t)__builtin_ctz(block->stack_size) : 8,
        .n_tpo = c->n_tpo,
        .top = c->stack_top,
        .bytes = 4,
    };
}

void cluster_launch(struct cluster *c, const struct machine_launch *l, uint32_t launch_block_address,
                    const struct launch_block *block, struct memory *memory, struct memory *own, uint64_t t,
                    struct error *e) {
    const uint32_t warp_size = c->config->simt.warp_size;
    const uint32_t warps = (block->work_group_size + warp_size - 1) / warp_size;
    invariant(warps >= 1 && warps <= c->warps, "a work-group of %u threads in %u warps",
              block->work_group_size, c->warps);
    cluster_begin_launch(c, l, launch_block_address, t, e);
    c->n_act = c->rounds * warps;
    c->n_tpo = c->config->l1d.size_bytes / (c->n_act * 4);
    invariant(c->n_tpo >= machine_registers(c->config), "%u registers for a thread of a work-group of %u",
              c->n_tpo, block->work_group_size);
    c->memory = memory;
    c->own = own;
    reset_tpm_blocks(c, block);
    const uint32_t local_offset = c->index * machine_local_stride(c->config);
    for (unsigned w = 0; w < c->warps; ++w) {
        c->threads[w].memory = memory;
        c->threads[w].registers = w < warps ? &c->tpm[(size_t)w * c->n_tpo * warp_size] : c->tpm;
        c->threads[w].stack_size = block->stack_size;
        c->threads[w].stack_objects = tpo_stack_objects(block->stack_size, c->n_tpo, c->threads[w].stack_row);
    }
    for (unsigned i = 0; i < c->lanes; ++i) {
        c->core[i].threads.memory = memory;
        cluster_start_core(c, i, l->code->startup, block, local_offset, t);
    }
    if (c->recorder) recorder_mode(c->recorder, t, CLUSTER_CORES);
    for (unsigned n = 0; n < uncore_threads(c->config); ++n)
        exclusive_monitor_offset(&c->uncore->monitor, c->threads[0].first_thread + n, local_offset);
    c->mode = CLUSTER_CORES;
}

/* --- the cores: start-up code --- */

/* Returns the number of the work-group that the cluster runs next, UINT32_MAX if none is left. All cores get
 * the same one: the first request takes it, later requests return it until it begins. */
static uint32_t next_group(struct cluster *c) {
    if (!c->has_next) c->has_next = work_group_dispatcher_take(&c->uncore->groups, &c->next);
    return c->has_next ? (uint32_t)c->next.number : UINT32_MAX;
}

static void check_group(const struct cluster *c) {
    const uint32_t *size = c->launch->local_size, items = size[0] * size[1] * size[2];
    checks_group(c->checks, c->index, c->next.number);
    for (unsigned w = 0; w * c->positions < items; ++w)
        checks_warp(c->checks, c->index, w, &c->threads[w], w * c->positions);
}

static void begin_group(struct cluster *c) {
    memcpy(c->group, c->next.id, sizeof c->group);
    if (c->checks) check_group(c);
    c->has_next = false;
}

/* Returns the position in its warp of a core's next context. With a balanced lane map the initial map is
 * cyclic: each context gets the lane, and the stacks, of that map. */
static unsigned next_position(const struct cluster *c, const struct core *k) {
    const unsigned round = k->launch_register[2] % c->rounds;
    return c->map.kind != LANE_MAP_BLOCK ? round * c->lanes + k->index : k->index * c->rounds + round;
}

/* Returns NULL if the core may start its next context, otherwise the reason as text. */
static const char *start_refused(const struct cluster *c, const struct core *k) {
    const uint32_t j = k->launch_register[2];
    if (j >= c->n_act) return "there are no more";
    return tdt_live(&c->descriptors.warp[j / c->rounds]) >> next_position(c, k) & 1 ? "it runs already"
                                                                                    : NULL;
}

static void start_context(struct cluster *c, struct core *k, const struct arm_instruction *i) {
    const unsigned position = next_position(c, k), warp = k->launch_register[2]++ / c->rounds;
    const unsigned lane = lane_map_lane(c->map, position);
    const uint32_t sp = k->registers[i->rn] + (lane - k->index) * c->stack_segment;
    tdt_start(&c->descriptors, warp, position, k->launch_register[0], k->registers[i->rd], sp);
    const struct arm_threads *t = &c->threads[warp];
    t->registers[position] = k->launch_register[1];
    t->registers[13 * t->positions + position] = sp;
    ++c->live;
    ++c->work_items;
}

/* Starts a context in the core's run ahead, in any cycle: without twins the cycle of a start has no effect.
 * Returns false if the instruction is no start, or an error. */
static bool start_ahead(struct core *k, const struct arm_instruction *i) {
    struct cluster *c = k->cluster;
    if (coprocessor_decode(i).operation != COPROCESSOR_START_CONTEXT || start_refused(c, k)) return false;
    start_context(c, k, i);
    return true;
}

/* Starts a context in its cycle. Returns false with a diagnosis if the context cannot be started. */
static bool start_now(struct cluster *c, struct core *k, const struct arm_instruction *i) {
    const uint32_t j = k->launch_register[2];
    const char *refused = start_refused(c, k);
    if (refused) {
        cluster_diagnose(c, k->index, k->pc - 4, "starts context %u of %u: %s", j, c->n_act, refused);
        return false;
    }
    start_context(c, k, i);
    c->descriptors.in.start |= 1u << k->index;
    c->descriptors.start_context[k->index] = j;
    c->descriptors.start_pc[k->index] = k->launch_register[0];
    k->next += CORE_START_CYCLES;
    return true;
}

void cluster_maintain(struct cluster *c, struct core *k, uint64_t t) {
    const struct machine_cache_config *l1d = &c->config->l1d;
    k->state = CORE_MAINTAIN;
    k->next = t + 1 + l1d->size_bytes / (l1d->ways * l1d->line_bytes); /* one set a cycle */
}

/* Executes a co-processor instruction that core k has issued in cycle t. Returns false if it has failed. */
static bool coprocessor(struct cluster *c, struct core *k, const struct arm_instruction *i, uint64_t t) {
    const struct coprocessor_decoded op = coprocessor_decode(i);
    switch (op.operation) {
    case COPROCESSOR_LAUNCH_BLOCK: k->registers[i->rd] = c->launch_block; return true;
    case COPROCESSOR_NEXT_GROUP: k->registers[i->rd] = next_group(c); return true;
    case COPROCESSOR_LAUNCH_REGISTER: k->launch_register[op.index] = k->registers[i->rd]; return true;
    case COPROCESSOR_START_CONTEXT: return start_now(c, k, i);
    case COPROCESSOR_L1D_TO_TPM:
    case COPROCESSOR_L1D_TO_CACHE: cluster_maintain(c, k, t); return true;
    case COPROCESSOR_ENTER_SIMT: k->state = CORE_WAIT_SIMT; return true;
    default:
        if (cluster_read_identity(c, k, i, t)) return true;
        cluster_diagnose(c, k->index, k->pc - 4,
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
            cluster_diagnose_fault(c, k->index, pc, i, &x);
        else
            cluster_diagnose(c, k->index, pc, "jumps outside the program's code");
        break;
    }
    if (k->state == CORE_RUN && c->error->status == EXIT_SOUND && cluster_skips(c, t)) {
        k->starts = c->twins ? NULL : start_ahead;
        core_run(k, c->launch->code, t,
                 cluster_skip_to(c, t, c->horizon)); /* steps without effects on other cores and clusters */
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
    if (c->recorder) recorder_mode(c->recorder, t + 1, CLUSTER_CORES);
}

/* Begins the work-group after all cores have raised their SIMT-mode registers, the last one in cycle t. SIMT
 * mode begins simt.enter_cycles later. Returns the next cycle to step. */
static uint64_t enter_simt(struct cluster *c, uint64_t t) {
    if (!c->has_next) {
        cluster_diagnose(c, 0, c->core[0].pc - 4, "enters SIMT mode without a work-group");
        return CLUSTER_NEVER;
    }
    if (!c->live) {
        cluster_diagnose(c, 0, c->core[0].pc - 4, "enters SIMT mode, but no thread has been started");
        return CLUSTER_NEVER;
    }
    begin_group(c);
    c->mode = CLUSTER_ENTER;
    if (c->recorder) {
        recorder_mode(c->recorder, t + 1, CLUSTER_ENTER);
        recorder_group(c->recorder, t + 1, 0, c->group);
    }
    c->resume = t + c->config->simt.enter_cycles;
    c->cause[MACHINE_CAUSE_STARTUP] += 1;
    c->cause[MACHINE_CAUSE_MODE_SWITCH] += c->resume - (t + 1);
    return cluster_skip_to(c, t, c->resume);
}

/* Returns the cause of a cycle of the cores: start-up if any core runs, mode switch if all others maintain
 * their L1Ds. */
static enum machine_cause cores_cause(const struct cluster *c) {
    for (unsigned i = 0; i < c->lanes; ++i)
        if (c->core[i].state == CORE_RUN) return MACHINE_CAUSE_STARTUP;
    return MACHINE_CAUSE_MODE_SWITCH;
}

/* Charges the cycles from t to before `next`. Returns `next`. */
static uint64_t charge_cores(struct cluster *c, uint64_t t, uint64_t next) {
    c->cause[cores_cause(c)] += next - t;
    return next;
}

static void started_contexts(struct cluster *c, uint64_t t) {
    if (c->twins) {
        ++c->start_cycles;
        cluster_start_cycle(c, t);
    } else {
        c->descriptors.in.start = 0;
    }
}

static uint64_t step_cores(struct cluster *c, uint64_t t) {
    uint64_t next = CLUSTER_NEVER;
    for (unsigned i = 0; i < c->lanes; ++i) {
        struct core *k = &c->core[i];
        if (k->state == CORE_ASLEEP || k->state == CORE_WAIT_SIMT) continue;
        while (k->next <= t && k->state != CORE_WAIT_SIMT && k->state != CORE_ASLEEP &&
               c->error->status == EXIT_SOUND)
            step_core(c, k, t);
        if (c->error->status != EXIT_SOUND) break;
        if ((k->state == CORE_RUN || k->state == CORE_MAINTAIN) && k->next < next) next = k->next;
    }
    if (c->descriptors.in.start) started_contexts(c, t);
    if (c->error->status != EXIT_SOUND) return CLUSTER_NEVER;
    if (all_in(c, CORE_WAIT_SIMT)) return enter_simt(c, t);
    if (all_in(c, CORE_ASLEEP)) {
        charge_cores(c, t, t + 1);
        c->mode = CLUSTER_IDLE;
        if (c->recorder) recorder_mode(c->recorder, t + 1, CLUSTER_IDLE);
        return CLUSTER_NEVER;
    }
    if (next == CLUSTER_NEVER) {
        cluster_diagnose(c, 0, c->core[0].pc,
                         "start-up code: some cores sleep while others wait for SIMT mode");
        return CLUSTER_NEVER;
    }
    return charge_cores(c, t, cluster_skip_to(c, t, next));
}

static uint64_t step_mode(struct cluster *c, uint64_t t) {
    if (c->mode == CLUSTER_ENTER) {
        if (t < c->resume) return cluster_skip_to(c, t, c->resume);
        cluster_simt_begin(c, t);
    }
    if (c->mode == CLUSTER_LEAVE) {
        if (t < c->resume) return cluster_skip_to(c, t, c->resume);
        ++c->groups_done;
        resume_cores(c, t);
    }
    if (c->mode == CLUSTER_MIMD) return cluster_mimd_step(c, t);
    return c->mode == CLUSTER_SIMT ? cluster_simt_step(c, t) : step_cores(c, t);
}

uint64_t cluster_step(struct cluster *c, uint64_t t) {
    c->asks = t;
    if (c->mode != CLUSTER_SIMT) c->now = t;
    return step_mode(c, t);
}

/* --- where the cycles went --- */

/* Returns the first cycle without a cause, of a core in a MIMD launch. */
static uint64_t core_charged_until(const struct cluster *c, const struct core *k) {
    uint64_t t = c->first_cycle;
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) t += k->startup_account[n] + k->kernel_account[n];
    return t;
}

uint64_t cluster_charged_until(const struct cluster *c, const uint64_t before[MACHINE_CAUSE_COUNT]) {
    uint64_t until = c->first_cycle;
    if (c->config->mode == MODE_MIMD) {
        for (unsigned i = 0; i < c->lanes; ++i)
            if (core_charged_until(c, &c->core[i]) > until) until = core_charged_until(c, &c->core[i]);
        return until;
    }
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) until += c->cause[n] - before[n];
    return until;
}

static void settle_core(struct cluster *c, const struct core *k, uint64_t end) {
    c->cause[k->state == CORE_ASLEEP ? MACHINE_CAUSE_NO_GROUP : MACHINE_CAUSE_LATENCY] +=
        end - core_charged_until(c, k);
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) {
        const bool kept = n == MACHINE_CAUSE_MODE_SWITCH;
        c->cause[n] += k->kernel_account[n];
        c->cause[kept ? n : MACHINE_CAUSE_STARTUP] += k->startup_account[n];
    }
}

/* Takes back the cycles from `end` on that an instruction in flight has already been charged, cycles of waits
 * first. */
static void end_core(struct cluster *c, struct core *k, uint64_t end) {
    static const enum machine_cause order[] = {
        MACHINE_CAUSE_MEMORY,   MACHINE_CAUSE_FETCH,  MACHINE_CAUSE_LATENCY,     MACHINE_CAUSE_WRITE_BUFFER,
        MACHINE_CAUSE_OCCUPIED, MACHINE_CAUSE_BRANCH, MACHINE_CAUSE_MODE_SWITCH, MACHINE_CAUSE_FRONT_END,
        MACHINE_CAUSE_WINDOW,   MACHINE_CAUSE_LSQ,    MACHINE_CAUSE_SERIAL};
    const uint64_t charged = core_charged_until(c, k);
    uint64_t over = charged > end ? charged - end : 0;
    const bool profiled = c->profile && k->account == k->kernel_account;
    struct machine_profile *row = profiled ? simt_profile_row(&c->simt, k->profiled_pc) : NULL;
    for (unsigned n = 0; n < sizeof order / sizeof order[0]; ++n) {
        uint64_t *cycles = &k->account[order[n]], taken = over < *cycles ? over : *cycles;
        if (row && taken > row->cycles[order[n]]) taken = row->cycles[order[n]];
        if (row) row->cycles[order[n]] -= taken;
        *cycles -= taken;
        over -= taken;
    }
    invariant(!over, "core %u has been charged %llu cycles after the end of its launch", k->index,
              (unsigned long long)over);
}

/* Returns the cause that cycle t has already been charged to, although it has not been stepped. */
static enum machine_cause cause_ahead(const struct cluster *c, uint64_t t, uint32_t *pc) {
    if (c->mode == CLUSTER_ENTER || c->mode == CLUSTER_LEAVE) return MACHINE_CAUSE_MODE_SWITCH;
    if (c->mode != CLUSTER_SIMT) return cores_cause(c);
    return cluster_lanes_cause(c, t, pc);
}

static void end_lanes(struct cluster *c, uint64_t charged, uint64_t end) {
    uint32_t pc = 0; /* start-up code has no profile */
    for (uint64_t t = end; t < charged; ++t) {
        const enum machine_cause cause = cause_ahead(c, t, &pc);
        if (c->mode == CLUSTER_SIMT)
            simt_charge(&c->simt, cause, pc, -UINT64_C(1));
        else
            --c->cause[cause];
    }
}

/* Uncharged cycles of a cluster stopped in SIMT mode are latency: they would get their cause at the start of
 * the next rounds. */
void cluster_settle(struct cluster *c, const uint64_t before[MACHINE_CAUSE_COUNT], uint64_t end) {
    if (c->config->mode == MODE_MIMD)
        for (unsigned i = 0; i < c->lanes; ++i) end_core(c, &c->core[i], end);
    else
        end_lanes(c, cluster_charged_until(c, before), end);
    if (c->mode == CLUSTER_SIMT && !c->fast.on) unit_settle(c->unit, end);
    if (c->config->mode == MODE_MIMD)
        for (unsigned i = 0; i < c->lanes; ++i) settle_core(c, &c->core[i], end);
    else
        c->cause[c->mode == CLUSTER_IDLE ? MACHINE_CAUSE_NO_GROUP : MACHINE_CAUSE_LATENCY] +=
            end - cluster_charged_until(c, before);
}

/* --- identity registers of a core --- */

bool cluster_read_identity(const struct cluster *c, struct core *k, const struct arm_instruction *i,
                           uint64_t t) {
    const enum coprocessor_operation op = coprocessor_decode(i).operation;
    if (op == COPROCESSOR_UNDEFINED || op == COPROCESSOR_SYNC || op == COPROCESSOR_NOTE ||
        coprocessor_simt_only(op))
        return false;
    if (!i->coprocessor_reads) return true;
    const bool mimd = c->mode == CLUSTER_MIMD;
    const struct identity d = {.config = c->config,
                               .launch = c->launch,
                               .cluster = c->index,
                               .first_lane = k->index,
                               .map = {LANE_MAP_BLOCK, 1, 1},
                               .contexts = c->n_act,
                               .groups_in_flight = c->config->cluster.count * (mimd ? c->lanes : 1),
                               .group = mimd ? k->group : c->group};
    identity_read(&d, i, &k->threads, 1, t);
    return true;
}

void cluster_charge_gap(struct cluster *c, uint64_t t, uint64_t until, const struct lane_gap *g) {
    const struct {
        uint64_t end;
        enum machine_cause cause;
        uint32_t pc;
    } phase[] = {
        {g->wait.since, g->wait.cause, g->wait.pc},   {g->f + 1, MACHINE_CAUSE_FRONT_END, g->pc},
        {g->fetched + 1, MACHINE_CAUSE_FETCH, g->pc}, {g->o, MACHINE_CAUSE_FRONT_END, g->pc},
        {until, MACHINE_CAUSE_OPERANDS, g->pc},
    };
    for (unsigned n = 0; n < sizeof phase / sizeof phase[0] && t < until; ++n) {
        const uint64_t end = phase[n].end < until ? phase[n].end : until;
        if (end <= t) continue;
        simt_charge(&c->simt, phase[n].cause, phase[n].pc, end - t);
        t = end;
    }
}

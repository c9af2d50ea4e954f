#include "model/machine/machine_parts.h"

#include "model/arm/coprocessor.h"
#include "model/config/scalar_config.h"
#include "model/sm/idle.h"
#include "model/sm/scalar_units.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CORE_STACK_BYTES   4096
#define LAUNCH_BLOCK_BASE  MEMORY_LAUNCH_BASE
#define LAUNCH_BLOCK_BYTES 256
#define CORE_STACKS_BASE   (MEMORY_LAUNCH_BASE + 0x1000)

double machine_host_now(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- building --- */

static uint8_t *zeroed(size_t bytes) {
    uint8_t *p = calloc(1, bytes);
    require_memory(p);
    return p;
}

static void add_memory(struct machine *m) {
    const struct machine_config *c = &m->config;
    const uint32_t cores = c->cluster.count * c->cluster.lanes;
    m->launch_memory = zeroed(CORE_STACKS_BASE - LAUNCH_BLOCK_BASE + cores * CORE_STACK_BYTES);
    m->local_memory = zeroed((size_t)c->cluster.count * c->cluster.local_bytes);
    memory_init(&m->memory);
    memory_add(&m->memory, MEMORY_LAUNCH, LAUNCH_BLOCK_BASE, LAUNCH_BLOCK_BYTES, m->launch_memory, false,
               "the launch block");
    memory_add(&m->memory, MEMORY_LAUNCH, CORE_STACKS_BASE, cores * CORE_STACK_BYTES,
               m->launch_memory + (CORE_STACKS_BASE - LAUNCH_BLOCK_BASE), true, "the cores' own stacks");
    m->stack_region = -1;
    if (c->mode != MODE_SIMT) mimd_memory_init(&m->mimd_memory, c);
}

static void add_sms(struct machine *m) {
    m->counters = counter_registry_create();
    m->sms = sms_create(&m->config);
    sms_register_counters(m->sms, m->counters);
    for (unsigned k = 0; k < m->units; ++k) m->unit[k] = &m->sms->sm[k].simt;
}

static void add_clusters(struct machine *m) {
    m->clusters = m->config.cluster.count;
    uncore_init(&m->uncore, &m->config);
    m->cluster = aligned_alloc(64, (m->clusters * sizeof *m->cluster + 63) / 64 * 64);
    m->counters = counter_registry_create();
    require_memory(m->cluster);
    for (unsigned k = 0; k < m->clusters; ++k) {
        cluster_init(&m->cluster[k], k, &m->config, &m->memory, &m->uncore);
        cluster_register_counters(&m->cluster[k], m->counters);
        m->unit[k] = &m->cluster[k].simt;
    }
    uncore_register_counters(&m->uncore, m->counters);
    if (m->clusters == 1 || m->config.mode == MODE_MIMD) return;
    m->view = calloc(m->clusters, sizeof *m->view);
    m->own = calloc(m->clusters, sizeof *m->own);
    require_memory(m->view && m->own);
}

_Static_assert(MACHINE_MAX_CLUSTERS <= TURNS_MAX, "every cluster has a turn");

struct machine *machine_create(const struct machine_config *c, struct error *e) {
    if (!config_check(&machine_config_table, c, e)) return NULL;
    struct machine *m = aligned_alloc(64, (sizeof *m + 63) / 64 * 64);
    require_memory(m);
    memset(m, 0, sizeof *m);
    m->config = *c;
    m->units = c->cluster.count;
    m->chooses = c->mode == MODE_AUTO;
    m->last = MODE_AUTO;
    m->stop_at = UINT64_MAX;
    add_memory(m);
    m->kernel = kernel_create();
    m->clock = clock_create(m->kernel, "clock", 1000000, c->clock_mhz);
    m->start = event_create(m->kernel, "launch");
    m->process = process_create(m->kernel, "machine", machine_process, m);
    process_sensitive(m->process, m->start);
    process_dont_initialize(m->process);
    (m->config.contexts == CONTEXTS_VRF ? add_sms : add_clusters)(m);
    return m;
}

void machine_destroy(struct machine *m) {
    if (!m) return;
    for (unsigned k = 0; k < m->clusters; ++k) {
        cluster_trace_free(m->cluster[k].trace);
        cluster_free(&m->cluster[k]);
    }
    if (m->clusters) uncore_free(&m->uncore);
    sms_free(m->sms);
    free(m->cluster);
    free(m->view);
    free(m->own);
    counter_registry_destroy(m->counters);
    kernel_destroy(m->kernel);
    checks_destroy(&m->checks);
    mimd_memory_free(&m->mimd_memory);
    free(m->profile);
    free(m->thread_executions);
    free(m->core_executions);
    free(m->launch_memory);
    free(m->local_memory);
    free(m->stack_memory);
    free(m);
}

struct memory *machine_memory(struct machine *m) {
    return &m->memory;
}
const struct machine_config *machine_configuration(const struct machine *m) {
    return &m->config;
}
struct counter_registry *machine_counters(struct machine *m) {
    return m->counters;
}
uint64_t machine_cycle(const struct machine *m) {
    return m->cycle;
}
sim_time machine_time(const struct machine *m) {
    return clock_edge(m->clock, m->cycle);
}
sim_time machine_time_of(const struct machine *m, uint64_t cycle) {
    return clock_edge(m->clock, cycle);
}
const struct machine_launch *machine_running(const struct machine *m) {
    return m->launch;
}
struct error *machine_error(const struct machine *m) {
    return m->error;
}
struct sms *machine_sms(struct machine *m) {
    return m->sms;
}
struct cluster *machine_cluster(struct machine *m, unsigned index) {
    return &m->cluster[index];
}
struct simt *machine_unit(struct machine *m, unsigned index) {
    return m->unit[index];
}
void machine_host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes) {
    if (m->checks.values) value_check_write(m->checks.values, address, size_bytes);
    if (m->sms) {
        partitioned_memory_overwrite(m->sms->memory, address, size_bytes);
        return;
    }
    const unsigned shift = (unsigned)__builtin_ctz(m->config.l2.line_bytes);
    const uint32_t first = address >> shift, last = (address + size_bytes - 1) >> shift;
    for (unsigned k = 0; k < m->clusters; ++k) snoop_bus_overwrite(&m->cluster[k].bus, first, last);
}

void machine_set_max_cycles(struct machine *m, uint64_t cycles) {
    m->max_cycles = cycles;
}
void machine_set_check_places(struct machine *m, bool check) {
    for (unsigned k = 0; m->sms && k < m->sms->count; ++k) m->sms->sm[k].checks_places = check;
}

void machine_set_threads(struct machine *m, unsigned threads) {
    if (m->sms) sms_set_threads(m->sms, threads);
}
void machine_set_exact_steps(struct machine *m, bool exact) {
    if (m->sms) m->sms->exact = exact;
    machine_set_check_places(m, exact);
    for (unsigned k = 0; k < m->clusters; ++k) m->cluster[k].exact = exact;
}
void machine_set_check_levels(struct machine *m, bool check) {
    for (unsigned k = 0; k < m->clusters; ++k) m->cluster[k].check_levels = check;
}

void machine_set_lane_interval(struct machine *m, uint64_t cycles) {
    for (unsigned k = 0; m->sms && k < m->sms->count; ++k) m->sms->sm[k].lanes.interval = cycles;
}

void machine_count_redundancy(struct machine *m) {
    for (unsigned n = 0; n < m->units; ++n) { /* records know the counters of SMs from the last SM on */
        const unsigned k = m->sms ? m->units - 1 - n : n;
        simt_count_redundancy(m->unit[k], m->counters);
    }
}

void machine_count_idle(struct machine *m) {
    for (unsigned k = m->sms ? m->sms->count : 0; k-- > 0;) sm_count_idle(&m->sms->sm[k], m->counters);
}

void machine_set_check_uniform(struct machine *m, bool check) {
    for (unsigned k = 0; k < m->units; ++k) m->unit[k]->check_uniform = check;
}
void machine_set_check_scalar(struct machine *m, bool check) {
    for (unsigned k = m->sms ? m->sms->count : 0; k-- > 0;) sm_set_check_scalar(&m->sms->sm[k], check);
}
static unsigned check_slots(const struct machine *m) {
    for (unsigned k = 0; k < m->units; ++k) m->unit[k]->checks = &m->checks;
    return m->sms ? m->sms->count * m->sms->sm[0].groups : m->clusters;
}
void machine_check_races(struct machine *m) {
    m->checks.races = race_check_create(check_slots(m));
}
void machine_check_memory(struct machine *m, bool all) {
    const unsigned slots = check_slots(m);
    m->checks.memory = memory_check_create(slots, all);
    memory_check_register_counters(m->checks.memory, m->counters);
    if (all && m->clusters && m->config.cluster.isa == ISA_VFP)
        m->checks.values = value_check_create(slots, m->cluster[0].warps, m->config.simt.warp_size);
}
void machine_forget(struct machine *m, uint32_t address, uint32_t size_bytes) {
    if (m->checks.values) value_check_forget(m->checks.values, address, size_bytes);
}
void machine_debug(struct machine *m, const struct debugger *d) {
    m->debugger = d;
    for (unsigned k = 0; k < m->units; ++k) m->unit[k]->debugger = d;
}
void machine_observe(struct machine *m, const struct observer *o) {
    m->observer = o;
    for (unsigned k = 0; k < m->units; ++k) m->unit[k]->observer = o;
}
bool machine_interrupted(const struct machine *m) {
    return atomic_load_explicit(&m->interrupted, memory_order_relaxed);
}
const struct checks *machine_checks(const struct machine *m) {
    return &m->checks;
}
void machine_set_profiling(struct machine *m, bool on) {
    m->profiling = on;
}
void machine_set_counting(struct machine *m, bool on) {
    m->counting = on;
}

const struct machine_profile *machine_profile(const struct machine *m) {
    return m->profile;
}

const int64_t *machine_thread_executions(const struct machine *m) {
    return m->thread_executions;
}

const int64_t *machine_core_executions(const struct machine *m) {
    return m->core_executions;
}

struct machine_traffic machine_traffic(const struct machine *m) {
    struct machine_traffic t = {0};
    for (const struct cluster *c = m->cluster; c < m->cluster + m->clusters; ++c) {
        t.barrier_arrivals += c->barriers.arrived;
        for (const struct core *k = c->core; k < c->core + c->lanes; ++k) {
            t.l1d_stores += k->l1d.stores;
            t.l2_stores += k->l2.stores;
        }
    }
    return t;
}
void machine_interrupt(struct machine *m) {
    atomic_store_explicit(&m->interrupted, true, memory_order_relaxed);
}

void machine_clear_interrupt(struct machine *m) {
    atomic_store_explicit(&m->interrupted, false, memory_order_relaxed);
}

void machine_stop_at(struct machine *m, uint64_t cycle) {
    m->stop_at = cycle;
}

void machine_forget_threads(struct machine *m) {
    if (m->sms) m->sms->crew = NULL;
}

void machine_on_progress(struct machine *m, machine_progress_function *f, void *context) {
    m->progress = f;
    m->progress_context = context;
}

static sim_time edge_time(const void *context, uint64_t cycle) {
    return clock_edge(context, cycle);
}

void machine_trace(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count) {
    if (m->sms) sms_trace(m->sms, t, windows, count, edge_time, m->clock);
    for (unsigned k = 0; k < m->clusters; ++k) {
        struct cluster *c = &m->cluster[k];
        c->trace = cluster_trace_create(c, t, edge_time, m->clock);
        c->trace_windows = windows;
        c->trace_windows_end = windows + count;
        cluster_next_window(c, 0);
    }
    if (count == 1 && windows->first == 0 && windows->last == UINT64_MAX) return;
    for (size_t i = 0; i < count; ++i) {
        const uint64_t last = windows[i].last;
        trace_window(t, clock_edge(m->clock, windows[i].first),
                     last == UINT64_MAX ? SIM_TIME_NEVER : clock_edge(m->clock, last + 1) - 1);
    }
}

void machine_record(struct machine *m, const struct machine_recorder *r) {
    m->recorder = *r;
    for (unsigned k = 0; k < m->units; ++k) {
        struct simt *u = m->unit[k];
        u->recorder = r->unit(r->context, k);
        if (recorder_wants_accesses(u->recorder))
            access_values_init(&u->access_values, m->sms ? m->sms->sm[k].positions : u->config->simt.warp_size);
    }
}

/* --- a launch --- */

static uint64_t groups_done(const struct machine *m) {
    uint64_t done = 0;
    for (unsigned k = 0; k < m->units; ++k) done += m->unit[k]->groups_done;
    return done;
}

void machine_fill_result(const struct machine *m, struct machine_result *r) {
    r->mode = m->config.mode;
    r->units = m->units * (m->sms                        ? m->config.cluster.schedulers
                           : m->config.mode == MODE_MIMD ? m->config.cluster.lanes
                                                         : 1);
    r->first_cycle = m->first_cycle;
    r->cycles = m->cycle - r->first_cycle;
    r->start = clock_edge(m->clock, r->first_cycle);
    r->end = clock_edge(m->clock, m->cycle);
    r->work_groups = groups_done(m) - m->groups_before;
    r->work_items =
        r->work_groups * m->launch->local_size[0] * m->launch->local_size[1] * m->launch->local_size[2];
    r->host_seconds = machine_host_now(CLOCK_MONOTONIC) - m->host_start;
    r->host_cpu_seconds = machine_host_now(CLOCK_PROCESS_CPUTIME_ID) - m->host_cpu_start;
    r->limited = m->limited;
    r->alone = m->sms && m->sms->crew ? m->sms->alone : NULL;
    for (unsigned k = m->units; k-- > 0;) /* the first barrier of the lowest unit is reported */
        if (m->unit[k]->short_barrier[0])
            memcpy(r->short_barrier, m->unit[k]->short_barrier, sizeof r->short_barrier);
}

static bool map_stacks(struct machine *m, const struct machine_launch *l, struct error *e) {
    const struct machine_config *c = &m->config;
    const struct stack_layout layout = stack_layout_of(c, l);
    const uint64_t bytes = layout.stack_bytes * layout.stacks;
    char why[MACHINE_STACKS_TEXT];
    if (!machine_has_stacks(c, l, why)) return error_set(e, EXIT_PROGRAM_FAULT, "%s", why);
    for (unsigned k = 0; m->sms && k < m->sms->count; ++k) m->sms->sm[k].stack_warps = layout.warps;
    if (layout.stack_bytes == m->stack_size) return true;
    if (m->stack_region >= 0) memory_remove(&m->memory, m->stack_region);
    free(m->stack_memory);
    m->stack_size = (uint32_t)layout.stack_bytes;
    m->stack_memory = zeroed(bytes);
    m->stack_region = memory_add(&m->memory, MEMORY_STACK, MEMORY_STACK_BASE, (uint32_t)bytes,
                                 m->stack_memory, true, "private memory");
    return true;
}

static void fill_block(const struct machine *m, const struct machine_launch *l, struct launch_block *b) {
    const struct machine_config *c = &m->config;
    const bool mimd = c->mode == MODE_MIMD;
    const uint32_t segment = c->cluster.threads_per_lane * m->stack_size;
    const uint32_t core_stack = mimd ? (uint32_t)mimd_memory_stack_bytes(l) : CORE_STACK_BYTES;
    *b = (struct launch_block){
        .mode = c->mode,
        .kernel_pc = mimd ? l->twin : l->thunk,
        .argument_block = l->argument_block,
        .stack_top = MEMORY_STACK_BASE + segment,
        .stack_size = m->stack_size,
        .stack_segment = segment,
        .core_stack_top = (mimd ? MIMD_STACKS_BASE : CORE_STACKS_BASE) + core_stack,
        .core_stack_size = core_stack,
        .lane_map = c->simt.lane_map == LANE_MAP_BLOCK ? LANE_MAP_BLOCK : LANE_MAP_CYCLIC,
        .work_group_size = l->local_size[0] * l->local_size[1] * l->local_size[2],
        .local_size = {l->local_size[0], l->local_size[1], l->local_size[2]},
    };
    memcpy(m->launch_memory, b, sizeof *b);
}

/* Returns the memory that the threads of cluster k see: all, and a local memory of their own. With several
 * clusters, m->own becomes the parts that no other cluster can change. */
static struct memory *view_of(struct machine *m, unsigned k, const struct machine_launch *l, int *local,
                              struct error *e) {
    struct memory *view = m->view ? &m->view[k] : &m->memory;
    *local = -1;
    if (m->view) memory_copy(view, &m->memory);
    if (l->local_bytes) {
        *local =
            memory_add(view, MEMORY_LOCAL, MEMORY_LOCAL_BASE, l->local_bytes,
                       m->local_memory + (size_t)k * m->config.cluster.local_bytes, true, "local memory");
        if (*local < 0)
            error_set(e, EXIT_USER, "kernel '%s': %u memory objects are too many for a launch; release some",
                      l->kernel, m->memory.used);
    }
    if (m->own) memory_own(&m->own[k], view, MEMORY_NO_STACK, m->config.l2.line_bytes);
    return view;
}

static void *rows_of(const struct machine_launch *l, size_t bytes) {
    void *rows = calloc(l->code->text_bytes / 4 + 1, bytes);
    require_memory(rows);
    return rows;
}

static void begin_profile(struct machine *m, const struct machine_launch *l) {
    free(m->profile);
    free(m->thread_executions);
    free(m->core_executions);
    m->profile = m->profiling ? rows_of(l, sizeof *m->profile) : NULL;
    m->thread_executions = m->counting ? rows_of(l, sizeof *m->thread_executions) : NULL;
    m->core_executions = m->counting ? rows_of(l, sizeof *m->core_executions) : NULL;
    for (unsigned k = 0; k < m->units; ++k) {
        m->unit[k]->profile = m->profile;
        m->unit[k]->executions = m->thread_executions;
    }
    for (unsigned k = 0; k < m->clusters; ++k)
        for (unsigned n = 0; n < m->cluster[k].lanes; ++n)
            m->cluster[k].core[n].executions = m->core_executions;
}

/* Turns the differences between neighbouring instructions into counts. */
static void end_counting(struct machine *m, const struct machine_launch *l) {
    for (uint32_t n = 1; m->core_executions && n < l->code->text_bytes / 4; ++n)
        m->core_executions[n] += m->core_executions[n - 1];
}

static void run_kernel(struct machine *m, struct error *e) {
    event_notify_after(m->start, clock_edge(m->clock, m->cycle) - kernel_now(m->kernel));
    const enum kernel_outcome outcome = kernel_run(m->kernel, SIM_TIME_NEVER, e);
    invariant(outcome == KERNEL_PAUSED || e->status != EXIT_SOUND, "a launch ended with kernel outcome %d",
              outcome);
}

/* Runs the launch that the clusters have begun, until it ends or has failed. */
static void run_clusters(struct machine *m, struct error *e) {
    uint64_t before[MACHINE_MAX_CLUSTERS][MACHINE_CAUSE_COUNT];
    turns_init(&m->turns);
    for (unsigned k = 0; k < m->clusters; ++k) {
        memcpy(before[k], m->cluster[k].cause, sizeof before[k]);
        turns_set(&m->turns, k, m->cycle);
        if (machine_traced(m, m->cycle)) cluster_trace_launch(&m->cluster[k], m->cycle);
    }
    run_kernel(m, e);
    for (unsigned k = 0; k < m->clusters; ++k) cluster_stop_twins(&m->cluster[k]);
    for (unsigned k = 0; k < m->clusters; ++k) {
        const uint64_t until = cluster_charged_until(&m->cluster[k], before[k]);
        if (until > m->cycle) m->cycle = until < machine_limit(m) ? until : machine_limit(m);
    }
    for (unsigned k = 0; k < m->clusters; ++k) {
        cluster_settle(&m->cluster[k], before[k], m->cycle);
        if (machine_traced(m, m->cycle)) cluster_trace_end(&m->cluster[k], m->cycle);
    }
}

static void run_gpu(struct machine *m, struct error *e) {
    if (!map_stacks(m, m->launch, e)) return;
    sms_launch(m->sms, m->launch, &m->memory, m->stack_size, m->cycle, e);
    if (e->status != EXIT_SOUND) return;
    run_kernel(m, e);
    sms_settle(m->sms, m->cycle);
}

static void run_simt(struct machine *m, struct error *e) {
    struct launch_block block;
    int local = -1;
    if (!map_stacks(m, m->launch, e)) return;
    fill_block(m, m->launch, &block);
    memset(m->local_memory, 0, (size_t)m->clusters * m->config.cluster.local_bytes);
    for (unsigned k = 0; k < m->clusters && e->status == EXIT_SOUND; ++k)
        cluster_launch(&m->cluster[k], m->launch, LAUNCH_BLOCK_BASE, &block,
                       view_of(m, k, m->launch, &local, e), m->own ? &m->own[k] : NULL, m->cycle, e);
    if (e->status == EXIT_SOUND) run_clusters(m, e);
    if (local >= 0 && !m->view) memory_remove(&m->memory, local);
}

static void run_mimd(struct machine *m, struct error *e) {
    const struct machine_launch *l = m->launch;
    struct launch_block block;
    if (!mimd_memory_map(&m->mimd_memory, &m->memory, m->stack_region, l, e)) return;
    fill_block(m, l, &block);
    for (unsigned k = 0; k < m->clusters; ++k)
        cluster_launch_mimd(&m->cluster[k], l, LAUNCH_BLOCK_BASE, &block,
                            &m->mimd_memory.view[k * m->config.cluster.lanes],
                            &m->mimd_memory.own[k * m->config.cluster.lanes], m->cycle, e);
    run_clusters(m, e);
}

/* Returns whether the image has the kernel's code for this mode. */
static bool has_code(const struct machine *m, struct error *e) {
    const struct machine_launch *l = m->launch;
    const bool mimd = m->config.mode == MODE_MIMD;
    if (mimd ? l->twin && l->code->startup_mimd : l->thunk) return true;
    return error_set(e, EXIT_USER,
                     "kernel '%s' was built without %s mode: build its program again with this version's "
                     "lockstep-cc, or set mode to %s",
                     l->kernel, mimd ? "a twin for MIMD" : "code for SIMT", mimd ? "simt" : "mimd");
}

/* Checks that the machine can run the launch: a kernel that waits for a scalar thread needs a machine with
 * scalar threads, and units that run none cannot have a scalar kernel. Returns false with *e if not. */
static bool has_partner(const struct machine *m, struct error *e) {
    const struct machine_launch *l = m->launch;
    const struct machine_config *c = &m->config;
    if (l->scalar_kernel && c->scalar.mode == SCALAR_GCN)
        return error_set(
            e, EXIT_USER,
            "kernel '%s' has the scalar kernel '%s', but with scalar.mode gcn the scalar units take "
            "instructions of the warps and run no scalar kernels: set scalar.mode to own",
            l->kernel, l->scalar_kernel);
    const char *where =
        c->contexts == CONTEXTS_VRF ? "" : " on a GPU-like machine, such as configs/gt640-like.yaml";
    if (c->scalar.mode == SCALAR_OWN) return true;
    if (l->synchronises)
        return error_set(e, EXIT_USER,
                         "kernel '%s' waits for its scalar kernel%s%s at lockstep_sync(1), but this machine "
                         "runs no scalar kernels: set scalar.mode to own%s",
                         l->kernel, l->scalar_kernel ? " " : "", l->scalar_kernel ? l->scalar_kernel : "",
                         where);
    if (l->scalar_kernel && l->scalar_stores)
        return error_set(e, EXIT_USER,
                         "the scalar kernel '%s' of kernel '%s' stores, but this machine runs no scalar "
                         "kernels: set scalar.mode to own%s",
                         l->scalar_kernel, l->kernel, where);
    return true;
}

/* Sets the mode of machine and cores to the launch's. */
static void begin_mode(struct machine *m, enum machine_mode mode) {
    invariant(mode != MODE_AUTO, "kernel '%s' is launched in no mode", m->launch->kernel);
    m->config.mode = mode;
    for (unsigned k = 0; k < m->clusters && mode != m->last; ++k)
        for (unsigned n = 0; n < m->cluster[k].lanes; ++n) core_set_mode(&m->cluster[k].core[n], mode);
    m->last = mode;
}

static uint64_t groups_of_launch(const struct machine *m) {
    return work_group_dispatcher_all(m->sms ? &m->sms->shared.groups : &m->uncore.groups);
}

static void sum_causes(const struct machine *m, uint64_t cause[MACHINE_CAUSE_COUNT]) {
    memset(cause, 0, MACHINE_CAUSE_COUNT * sizeof *cause);
    for (unsigned k = 0; k < m->units; ++k)
        for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) cause[i] += m->unit[k]->cause[i];
}

/* Adds the causes of the scalar units' cycles up to now, or subtracts them. */
static void add_scalar_causes(const struct machine *m, struct machine_result *r, bool adds) {
    for (unsigned k = 0; m->sms && k < m->sms->count; ++k) {
        const struct scalar_units *u = m->sms->sm[k].scalar;
        for (unsigned i = 0; u && i < SCALAR_CAUSE_COUNT; ++i)
            r->scalar_cause[i] += adds ? u->cause[i] : 0 - u->cause[i];
    }
}

/* Ends the comparison of shared twins after a launch has ended or failed. */
static void stop_shared_twins(struct machine *m) {
    const struct exclusive_monitor *monitor = m->sms ? &m->sms->shared.monitor : &m->uncore.monitor;
    for (uint32_t n = 0; n < monitor->banks; ++n) block_requests_stop(&monitor->bank[n].requests);
    block_requests_stop(&(m->sms ? &m->sms->shared.groups : &m->uncore.groups)->requests);
    if (!m->sms) block_requests_stop(&m->uncore.protocol.requests);
}

static void end_record(struct machine *m, const struct error *e) {
    for (unsigned k = 0; k < m->clusters; ++k)
        for (unsigned n = 0; n < m->cluster[k].lanes; ++n) core_record_flush(&m->cluster[k].core[n].record);
    m->recorder.ends(m->recorder.context, m->cycle, e);
}

bool machine_run(struct machine *m, const struct machine_launch *launch, struct machine_result *r,
                 struct error *e) {
    struct error own = {0};
    uint64_t before[MACHINE_CAUSE_COUNT], charged = 0;
    memset(r, 0, sizeof *r);
    sum_causes(m, before);
    add_scalar_causes(m, r, false);
    m->launch = launch;
    m->error = &own;
    m->host_start = m->host_shown = machine_host_now(CLOCK_MONOTONIC);
    m->host_cpu_start = machine_host_now(CLOCK_PROCESS_CPUTIME_ID);
    m->limited = false;
    m->groups_before = groups_done(m);
    if (m->sms) m->cycle = sms_ready(m->sms, m->cycle);
    m->first_cycle = m->cycle;
    if (m->chooses) begin_mode(m, launch->mode);
    if (m->clusters) uncore_begin_launch(&m->uncore, launch);
    begin_profile(m, launch);
    if (m->recorder.begins) m->recorder.begins(m->recorder.context, launch, m->config.mode, m->cycle);
    checks_launch(&m->checks, launch);
    if (m->debugger) m->debugger->launch(m->debugger->context, launch);
    if (m->observer) m->observer->launch(m->observer->context, launch);
    if (!has_code(m, &own) || !has_partner(m, &own))
        ; /* the error is set */
    else if (m->sms)
        run_gpu(m, &own);
    else if (m->config.mode == MODE_MIMD)
        run_mimd(m, &own);
    else
        run_simt(m, &own);

    stop_shared_twins(m);
    machine_fill_result(m, r);
    end_counting(m, launch);
    if (own.status == EXIT_SOUND && r->work_groups != groups_of_launch(m))
        error_set(&own, EXIT_PROGRAM_FAULT,
                  "kernel '%s': its start-up code has ended after %llu of %llu work-groups", launch->kernel,
                  (unsigned long long)r->work_groups, (unsigned long long)groups_of_launch(m));
    sum_causes(m, r->cause);
    add_scalar_causes(m, r, true);
    if (m->sms && (scalar_units_used(&m->sms->sm[0]) || scalar_units_share(&m->sms->sm[0])))
        r->scalar_units = m->sms->count * m->config.scalar.units;
    for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) charged += r->cause[i] -= before[i];
    if (m->recorder.ends) end_record(m, &own);
    m->launch = NULL;
    m->error = NULL;
    if (m->chooses) m->config.mode = MODE_AUTO;
    if (own.status != EXIT_SOUND) {
        atomic_store(&m->interrupted, false);
        return error_set(e, own.status, "%s", own.message);
    }
    invariant(charged == r->cycles * r->units, "%llu cycles have a cause, the launch took %llu of %u units",
              (unsigned long long)charged, (unsigned long long)r->cycles, r->units);
    return true;
}

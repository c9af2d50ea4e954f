#include "model/machine/machine_parts.h"

#include "model/arm/coprocessor.h"
#include "model/config/scalar_config.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LAUNCH_BLOCK_BYTES 256

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
    m->launch_memory =
        zeroed(MACHINE_CORE_STACKS_BASE - MEMORY_LAUNCH_BASE + cores * MACHINE_CORE_STACK_BYTES);
    m->local_memory = zeroed((size_t)c->cluster.count * c->cluster.local_bytes);
    memory_init(&m->memory);
    memory_add(&m->memory, MEMORY_LAUNCH, MEMORY_LAUNCH_BASE, LAUNCH_BLOCK_BYTES, m->launch_memory, false,
               "the launch block");
    memory_add(&m->memory, MEMORY_LAUNCH, MACHINE_CORE_STACKS_BASE, cores * MACHINE_CORE_STACK_BYTES,
               m->launch_memory + (MACHINE_CORE_STACKS_BASE - MEMORY_LAUNCH_BASE), true,
               "the cores' own stacks");
    m->stack_region = -1;
    if (c->mode != MODE_SIMT) mimd_memory_init(&m->mimd_memory, c);
}

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
    m->fabric = contexts_kind(c)->fabric;
    m->fabric->create(m);
    return m;
}

void machine_destroy(struct machine *m) {
    if (!m) return;
    m->fabric->destroy(m);
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
uint64_t machine_first_cycle(const struct machine *m) {
    return m->first_cycle;
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
struct cluster *machine_cluster(struct machine *m, unsigned index) {
    return &m->cluster[index];
}
struct simt *machine_unit(struct machine *m, unsigned index) {
    return m->unit[index];
}
struct exclusive_monitor *machine_monitor(struct machine *m) {
    return m->monitor;
}
struct work_group_dispatcher *machine_groups(struct machine *m) {
    return m->groups;
}
bool machine_traced(struct machine *m, unsigned unit, uint64_t t) {
    return m->fabric->traced(m, unit, t);
}
void machine_host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes) {
    if (m->checks.values) value_check_write(m->checks.values, address, size_bytes);
    m->fabric->host_wrote(m, address, size_bytes);
}

void machine_set_max_cycles(struct machine *m, uint64_t cycles) {
    m->max_cycles = cycles;
}
void machine_set_exact_steps(struct machine *m, bool exact) {
    m->fabric->set_exact(m, exact);
}
void machine_set_check_levels(struct machine *m, bool check) {
    for (unsigned k = 0; k < m->units; ++k) m->unit[k]->check_levels = check;
}

void machine_count_redundancy(struct machine *m) {
    for (unsigned k = 0; k < m->units; ++k) simt_count_redundancy(m->unit[k], m->counters);
}

void machine_set_check_uniform(struct machine *m, bool check) {
    for (unsigned k = 0; k < m->units; ++k) m->unit[k]->check_uniform = check;
}
/* Returns the largest number of work-groups in flight. */
static unsigned check_slots(const struct machine *m) {
    for (unsigned k = 0; k < m->units; ++k) m->unit[k]->checks = &m->checks;
    return m->units *
           (m->config.mode == MODE_SIMT ? m->unit[0]->barriers.cfg.groups : m->config.cluster.lanes);
}
void machine_check_races(struct machine *m) {
    m->checks.races = race_check_create(check_slots(m));
}
void machine_check_memory(struct machine *m, bool all) {
    const unsigned slots = check_slots(m), units = m->config.mode == MODE_SIMT ? m->units : slots;
    m->checks.memory = memory_check_create(slots, all);
    memory_check_register_counters(m->checks.memory, m->counters);
    if (all && m->config.cluster.isa == ISA_VFP)
        m->checks.values =
            value_check_create(units, slots / units, m->unit[0]->warps, m->config.simt.warp_size);
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

void machine_interrupt(struct machine *m) {
    atomic_store_explicit(&m->interrupted, true, memory_order_relaxed);
}

void machine_clear_interrupt(struct machine *m) {
    atomic_store_explicit(&m->interrupted, false, memory_order_relaxed);
}

void machine_stop_at(struct machine *m, uint64_t cycle) {
    m->stop_at = cycle;
}

void machine_on_progress(struct machine *m, machine_progress_function *f, void *context) {
    m->progress = f;
    m->progress_context = context;
}

sim_time machine_edge_time(const void *context, uint64_t cycle) {
    return clock_edge(context, cycle);
}

void machine_trace(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count) {
    m->fabric->trace(m, t, windows, count);
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
        if (recorder_wants_accesses(u->recorder)) access_values_init(&u->access_values, u->positions);
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
    r->units = m->units * (r->mode == MODE_MIMD ? m->config.cluster.lanes : machine_schedulers(&m->config));
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
    for (unsigned k = m->units; k-- > 0;) /* the first barrier of the lowest unit is reported */
        if (m->unit[k]->short_barrier[0])
            memcpy(r->short_barrier, m->unit[k]->short_barrier, sizeof r->short_barrier);
}

bool machine_map_stacks(struct machine *m, struct error *e) {
    const struct machine_config *c = &m->config;
    const struct machine_launch *l = m->launch;
    const struct stack_layout layout = stack_layout_of(c, l);
    const uint64_t bytes = layout.stack_bytes * layout.stacks;
    char why[MACHINE_STACKS_TEXT];
    if (!machine_has_stacks(c, l, why)) return error_set(e, EXIT_PROGRAM_FAULT, "%s", why);
    if (layout.stack_bytes == m->stack_size) return true;
    if (m->stack_region >= 0) memory_remove(&m->memory, m->stack_region);
    free(m->stack_memory);
    m->stack_size = (uint32_t)layout.stack_bytes;
    m->stack_memory = zeroed(bytes);
    m->stack_region = memory_add(&m->memory, MEMORY_STACK, MEMORY_STACK_BASE, (uint32_t)bytes,
                                 m->stack_memory, true, "private memory");
    return true;
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
}

/* Turns the differences between neighbouring instructions into counts. */
static void end_counting(struct machine *m, const struct machine_launch *l) {
    for (uint32_t n = 1; m->core_executions && n < l->code->text_bytes / 4; ++n)
        m->core_executions[n] += m->core_executions[n - 1];
}

void machine_run_kernel(struct machine *m, struct error *e) {
    event_notify_after(m->start, clock_edge(m->clock, m->cycle) - kernel_now(m->kernel));
    machine_spin_begin(m);
    const enum kernel_outcome outcome = kernel_run(m->kernel, SIM_TIME_NEVER, e);
    machine_spin_end(m);
    invariant(outcome == KERNEL_PAUSED || e->status != EXIT_SOUND, "a launch ended with kernel outcome %d",
              outcome);
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
    const char *where = config_has_effect(&machine_config_table, c, "scalar.mode")
                            ? ""
                            : " on a GPU-like machine, such as configs/gt640-like.yaml";
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

static void sum_causes(const struct machine *m, uint64_t cause[MACHINE_CAUSE_COUNT]) {
    memset(cause, 0, MACHINE_CAUSE_COUNT * sizeof *cause);
    for (unsigned k = 0; k < m->units; ++k)
        for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) cause[i] += m->unit[k]->cause[i];
}

/* Ends the comparison of shared twins after a launch has ended or failed. */
static void stop_shared_twins(struct machine *m) {
    for (uint32_t n = 0; n < m->monitor->banks; ++n) block_requests_stop(&m->monitor->bank[n].requests);
    block_requests_stop(&m->groups->requests);
}

bool machine_is_stuck(const struct machine *m) {
    return m->fabric->is_stuck(m);
}

bool machine_run(struct machine *m, const struct machine_launch *launch, struct machine_result *r,
                 struct error *e) {
    struct error own = {0};
    uint64_t before[MACHINE_CAUSE_COUNT], charged = 0;
    memset(r, 0, sizeof *r);
    sum_causes(m, before);
    m->launch = launch;
    m->error = &own;
    m->host_start = m->host_shown = machine_host_now(CLOCK_MONOTONIC);
    m->host_cpu_start = machine_host_now(CLOCK_PROCESS_CPUTIME_ID);
    m->limited = false;
    m->groups_before = groups_done(m);
    if (m->chooses) m->config.mode = launch->mode;
    invariant(m->config.mode != MODE_AUTO, "kernel '%s' is launched in no mode", launch->kernel);
    begin_profile(m, launch);
    m->fabric->begin(m, r);
    m->last = m->config.mode;
    m->first_cycle = m->cycle;
    if (m->recorder.begins) m->recorder.begins(m->recorder.context, launch, m->config.mode, m->cycle);
    checks_launch(&m->checks, launch);
    if (m->debugger) m->debugger->launch(m->debugger->context, launch);
    if (m->observer) m->observer->launch(m->observer->context, launch);
    if (has_code(m, &own) && has_partner(m, &own)) m->fabric->run(m, &own);

    stop_shared_twins(m);
    m->fabric->end(m, r);
    machine_fill_result(m, r);
    end_counting(m, launch);
    if (own.status == EXIT_SOUND && r->work_groups != work_group_dispatcher_all(m->groups))
        error_set(&own, EXIT_PROGRAM_FAULT,
                  "kernel '%s': its start-up code has ended after %llu of %llu work-groups", launch->kernel,
                  (unsigned long long)r->work_groups,
                  (unsigned long long)work_group_dispatcher_all(m->groups));
    sum_causes(m, r->cause);
    for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) charged += r->cause[i] -= before[i];
    if (m->recorder.ends) m->recorder.ends(m->recorder.context, m->cycle, &own);
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

/* The fabric of a machine whose units are clusters of cores with coherent caches: building them, launches,
 * and the order and length of their steps. */
#include "model/machine/machine_parts.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

#define LAUNCH_BLOCK_BASE MEMORY_LAUNCH_BASE
#define CYCLES_AHEAD      1024 /* cycles that a cluster may be ahead of the others */

/* --- building --- */

_Static_assert(MACHINE_MAX_CLUSTERS <= TURNS_MAX, "every cluster has a turn");

static void create(struct machine *m) {
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
    m->groups = &m->uncore.groups;
    m->monitor = &m->uncore.monitor;
    uncore_register_counters(&m->uncore, m->counters);
    if (m->clusters == 1 || m->config.mode == MODE_MIMD) return;
    m->view = calloc(m->clusters, sizeof *m->view);
    m->own = calloc(m->clusters, sizeof *m->own);
    require_memory(m->view && m->own);
}

static void destroy(struct machine *m) {
    for (unsigned k = 0; k < m->clusters; ++k) {
        cluster_trace_free(m->cluster[k].trace);
        cluster_free(&m->cluster[k]);
    }
    uncore_free(&m->uncore);
    free(m->cluster);
    free(m->view);
    free(m->own);
}

static void host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes) {
    const unsigned shift = (unsigned)__builtin_ctz(m->config.l2.line_bytes);
    const uint32_t first = address >> shift, last = (address + size_bytes - 1) >> shift;
    for (unsigned k = 0; k < m->clusters; ++k) snoop_bus_overwrite(&m->cluster[k].bus, first, last);
}

static void set_exact(struct machine *m, bool exact) {
    for (unsigned k = 0; k < m->clusters; ++k) m->cluster[k].exact = exact;
}

static void show(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count) {
    for (unsigned k = 0; k < m->clusters; ++k) {
        struct cluster *c = &m->cluster[k];
        c->trace = cluster_trace_create(c, t, machine_edge_time, m->clock);
        c->trace_windows = windows;
        c->trace_windows_end = windows + count;
        cluster_next_window(c, 0);
    }
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

/* --- a launch --- */

static bool is_traced(struct machine *m, unsigned unit, uint64_t t) {
    return cluster_traced(&m->cluster[unit], t);
}

static void begin(struct machine *m, struct machine_result *r) {
    (void)r;
    for (unsigned k = 0; k < m->clusters; ++k)
        for (unsigned n = 0; n < m->cluster[k].lanes; ++n) {
            struct core *core = &m->cluster[k].core[n];
            if (m->chooses && m->config.mode != m->last) core_set_mode(core, m->config.mode);
            core->executions = m->core_executions;
        }
    uncore_begin_launch(&m->uncore, m->launch);
}

static void fill_block(const struct machine *m, const struct machine_launch *l, struct launch_block *b) {
    const struct machine_config *c = &m->config;
    const bool mimd = c->mode == MODE_MIMD;
    const uint32_t segment = c->cluster.threads_per_lane * m->stack_size;
    const uint32_t core_stack = mimd ? (uint32_t)mimd_memory_stack_bytes(l) : MACHINE_CORE_STACK_BYTES;
    *b = (struct launch_block){
        .mode = c->mode,
        .kernel_pc = mimd ? l->twin : l->thunk,
        .argument_block = l->argument_block,
        .stack_top = MEMORY_STACK_BASE + segment,
        .stack_size = m->stack_size,
        .stack_segment = segment,
        .core_stack_top = (mimd ? MIMD_STACKS_BASE : MACHINE_CORE_STACKS_BASE) + core_stack,
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

/* Runs the launch that the clusters have begun, until it ends or has failed. */
static void run_clusters(struct machine *m, struct error *e) {
    uint64_t before[MACHINE_MAX_CLUSTERS][MACHINE_CAUSE_COUNT];
    turns_init(&m->turns);
    for (unsigned k = 0; k < m->clusters; ++k) {
        memcpy(before[k], m->cluster[k].cause, sizeof before[k]);
        turns_set(&m->turns, k, m->cycle);
        if (is_traced(m, 0, m->cycle)) cluster_trace_launch(&m->cluster[k], m->cycle);
    }
    machine_run_kernel(m, e);
    for (unsigned k = 0; k < m->clusters; ++k) cluster_stop_twins(&m->cluster[k]);
    for (unsigned k = 0; k < m->clusters; ++k) {
        const uint64_t until = cluster_charged_until(&m->cluster[k], before[k]);
        if (until > m->cycle) m->cycle = until < machine_limit(m) ? until : machine_limit(m);
    }
    for (unsigned k = 0; k < m->clusters; ++k) {
        cluster_settle(&m->cluster[k], before[k], m->cycle);
        if (is_traced(m, 0, m->cycle)) cluster_trace_end(&m->cluster[k], m->cycle);
    }
}

static void run_simt(struct machine *m, struct error *e) {
    struct launch_block block;
    int local = -1;
    if (!machine_map_stacks(m, e)) return;
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

/* --- steps --- */

/* Steps cycle t of the only cluster, which may continue until `until`. */
static uint64_t step_cluster(struct machine *m, uint64_t t, uint64_t until) {
    struct cluster *c = m->cluster;
    c->until = c->horizon = until;
    const uint64_t next = cluster_step(c, t);
    return m->error->status == EXIT_SOUND ? next : CLUSTER_NEVER;
}

/* Returns the cycle up to which a cluster may be ahead of cycle t with steps that other clusters cannot
 * see. */
static uint64_t ahead_until(struct machine *m, uint64_t t, uint64_t until) {
    struct cluster *c = m->cluster;
    if (!cluster_skips(c, t) || c->twins) return t;
    uint64_t ahead = t + CYCLES_AHEAD < until ? t + CYCLES_AHEAD : until;
    return t < c->trace_first && c->trace_first < ahead ? c->trace_first : ahead;
}

/* Steps cycle t of every cluster with work in it, in the order of their numbers. */
static void step_in_lockstep(struct machine *m, uint64_t t, uint64_t until) {
    for (unsigned k = 0; k < m->clusters && m->error->status == EXIT_SOUND; ++k) {
        if (turns_cycle(&m->turns, k) != t) continue;
        m->uncore.has_turn = &m->cluster[k];
        m->cluster[k].until = m->cluster[k].far = t + 1;
        m->cluster[k].horizon = until;
        turns_set(&m->turns, k, cluster_step(&m->cluster[k], t));
    }
    m->uncore.asked = 0; /* each cluster has a turn in the next cycle */
}

/* Gives a turn to clusters that were asked for lines: they have delayed accesses to make. */
static void turn_asked(struct machine *m) {
    for (uint64_t rest = m->uncore.asked; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const uint64_t due = cluster_late(&m->cluster[k]);
        if (due < turns_cycle(&m->turns, k)) turns_set(&m->turns, k, due);
    }
    m->uncore.asked = 0;
}

/* Steps to cycle `ahead`: the first cluster continues for its turn, and then with steps that other clusters
 * cannot see. The results are the same. */
static void step_far(struct machine *m, uint64_t until, uint64_t ahead) {
    unsigned k;
    for (uint64_t t; (t = turns_first(&m->turns, &k)) < ahead && m->error->status == EXIT_SOUND;) {
        const uint64_t limit = turns_limit(&m->turns, k), turn = limit < ahead ? limit : ahead;
        struct cluster *c = &m->cluster[k];
        m->uncore.has_turn = c;
        c->until = turn;
        c->horizon = until;
        c->far = ahead;
        do t = cluster_step(c, t);
        while (t < c->until);
        turns_set(&m->turns, k, t);
        turn_asked(m);
    }
    if (m->error->status != EXIT_SOUND) return;
    for (k = 0; k < m->clusters; ++k) cluster_catch_up(&m->cluster[k], ahead);
}

/* Steps from cycle t on. Returns the next cycle with work; CLUSTER_NEVER when all clusters are done or one
 * has failed. */
static uint64_t step(struct machine *m, uint64_t t, uint64_t until) {
    unsigned first;
    if (m->clusters == 1) return step_cluster(m, t, until);
    const uint64_t ahead = ahead_until(m, t, until);
    if (ahead == t)
        step_in_lockstep(m, t, until);
    else
        step_far(m, until, ahead);
    return m->error->status == EXIT_SOUND ? turns_first(&m->turns, &first) : CLUSTER_NEVER;
}

static uint64_t step_and_trace(struct machine *m, uint64_t t, uint64_t until) {
    const uint64_t next = step(m, t, until);
    if (!is_traced(m, 0, t)) return next;
    for (unsigned k = 0; k < m->clusters; ++k) cluster_trace_stages(&m->cluster[k], t);
    for (unsigned k = 0; k < m->clusters; ++k) cluster_trace_registers(&m->cluster[k], t);
    return next;
}

static uint64_t last_cycle(const struct machine *m) {
    uint64_t last = 0;
    for (unsigned k = 0; k < m->clusters; ++k)
        if (m->cluster[k].now > last) last = m->cluster[k].now;
    return last;
}

static bool is_stuck(const struct machine *m) {
    for (const struct cluster *c = m->cluster; c < m->cluster + m->clusters; ++c)
        if (c->barriers.out.deadlock || c->now - cluster_committed(c) >= c->livelock_cycles) return true;
    return false;
}

static void run(struct machine *m, struct error *e) {
    (m->config.mode == MODE_MIMD ? run_mimd : run_simt)(m, e);
}

static void end(struct machine *m, struct machine_result *r) {
    (void)r;
    block_requests_stop(&m->uncore.protocol.requests);
    for (unsigned k = 0; m->recorder.ends && k < m->clusters; ++k)
        for (unsigned n = 0; n < m->cluster[k].lanes; ++n) core_record_flush(&m->cluster[k].core[n].record);
}

const struct fabric fabric_coherent = {.create = create,
                                       .destroy = destroy,
                                       .host_wrote = host_wrote,
                                       .set_exact = set_exact,
                                       .trace = show,
                                       .traced = is_traced,
                                       .begin = begin,
                                       .run = run,
                                       .step = step_and_trace,
                                       .first_look = UINT64_C(1) << 20,
                                       .last = last_cycle,
                                       .is_stuck = is_stuck,
                                       .end = end};

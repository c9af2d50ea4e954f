/* The fabric of a GPU-like machine, whose units are SMs behind a crossbar (sms.h). */
#include "model/machine/machine_parts.h"

#include "model/sm/idle.h"
#include "model/sm/scalar_units.h"

static void create(struct machine *m) {
    m->counters = counter_registry_create();
    m->sms = sms_create(&m->config);
    sms_register_counters(m->sms, m->counters);
    for (unsigned k = 0; k < m->units; ++k) m->unit[k] = &m->sms->sm[k].simt;
    m->groups = &m->sms->shared.groups;
    m->monitor = &m->sms->shared.monitor;
}

static void destroy(struct machine *m) {
    sms_free(m->sms);
}

static void host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes) {
    partitioned_memory_overwrite(m->sms->memory, address, size_bytes);
}

static void set_exact(struct machine *m, bool exact) {
    m->sms->exact = exact;
    machine_set_check_places(m, exact);
}

static void show(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count) {
    sms_trace(m->sms, t, windows, count, machine_edge_time, m->clock);
}

static bool is_traced(struct machine *m, unsigned unit, uint64_t t) {
    (void)unit;
    return sms_traced(m->sms, t);
}

/* --- a launch --- */

/* Adds the causes of the scalar units' cycles up to now, or subtracts them. */
static void add_scalar_causes(const struct machine *m, struct machine_result *r, bool adds) {
    for (unsigned k = 0; k < m->units; ++k) {
        const struct scalar_units *u = m->sms->sm[k].scalar;
        for (unsigned i = 0; u && i < SCALAR_CAUSE_COUNT; ++i)
            r->scalar_cause[i] += adds ? u->cause[i] : 0 - u->cause[i];
    }
}

static void begin(struct machine *m, struct machine_result *r) {
    add_scalar_causes(m, r, false);
    m->cycle = sms_ready(m->sms, m->cycle);
}

static void run(struct machine *m, struct error *e) {
    if (!machine_map_stacks(m, e)) return;
    const uint32_t warps = stack_layout_of(&m->config, m->launch).warps;
    for (unsigned k = 0; k < m->units; ++k) m->sms->sm[k].stack_warps = warps;
    sms_launch(m->sms, m->launch, &m->memory, m->stack_size, m->cycle, e);
    if (e->status != EXIT_SOUND) return;
    machine_run_kernel(m, e);
    sms_settle(m->sms, m->cycle);
}

static uint64_t step(struct machine *m, uint64_t t, uint64_t until) {
    return sms_step(m->sms, t, until);
}

static bool goes_round(struct machine *m) {
    if (!sms_go_round(m->sms, m->cycle)) return false;
    m->cycle = sms_watched_until(m->sms);
    return true;
}

static uint64_t last_cycle(const struct machine *m) {
    return sms_last(m->sms);
}

static void end(struct machine *m, struct machine_result *r) {
    add_scalar_causes(m, r, true);
    if (scalar_units_used(&m->sms->sm[0]) || scalar_units_share(&m->sms->sm[0]))
        r->scalar_units = m->units * m->config.scalar.units;
    r->alone = m->sms->crew ? m->sms->alone : NULL;
}

const struct fabric fabric_crossbar = {.create = create,
                                       .destroy = destroy,
                                       .host_wrote = host_wrote,
                                       .set_exact = set_exact,
                                       .trace = show,
                                       .traced = is_traced,
                                       .begin = begin,
                                       .run = run,
                                       .step = step,
                                       .goes_round = goes_round,
                                       .last = last_cycle,
                                       .end = end};

/* --- options of SMs only --- */

static unsigned count_of(const struct machine *m) {
    return m->sms ? m->units : 0;
}

void machine_set_check_places(struct machine *m, bool check) {
    for (unsigned k = 0; k < count_of(m); ++k) m->sms->sm[k].checks_places = check;
}

void machine_watch(struct machine *m, uint64_t end) {
    if (m->sms) m->sms->watched = end;
}

uint64_t machine_step_end(const struct machine *m) {
    return m->sms && m->sms->end > m->cycle ? m->sms->end : m->cycle;
}

void machine_set_threads(struct machine *m, unsigned threads) {
    if (m->sms) sms_set_threads(m->sms, threads);
}

void machine_forget_threads(struct machine *m) {
    if (m->sms) m->sms->crew = NULL;
}

void machine_set_lane_interval(struct machine *m, uint64_t cycles) {
    for (unsigned k = 0; k < count_of(m); ++k) m->sms->sm[k].lanes.interval = cycles;
}

void machine_count_idle(struct machine *m) {
    for (unsigned k = count_of(m); k-- > 0;) sm_count_idle(&m->sms->sm[k], m->counters);
}

void machine_set_check_scalar(struct machine *m, bool check) {
    for (unsigned k = 0; k < count_of(m); ++k) sm_set_check_scalar(&m->sms->sm[k], check);
}

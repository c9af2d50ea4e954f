/* The fabric of a GPU-like machine, whose units are SMs behind a crossbar (sms.h): building them, launches,
 * and the watch for endless repetition. */
#include "model/machine/machine_parts.h"

#include "model/config/scalar_config.h"
#include "model/machine/crew.h"
#include "model/sm/idle.h"
#include "model/sm/scalar_units.h"
#include "sim/error.h"

#include <stdlib.h>

/* --- building --- */

/* A reservation has the fewest bytes that the architecture allows. A GPU executes atomic operations on words
 * at the L2, where stores to other words of a line do not disturb them. */
#define ATOMIC_BYTES 8

static void register_counters(struct sms *s, struct counter_registry *r) {
    for (unsigned k = 0; k < s->count; ++k) sm_register_counters(&s->sm[k], r);
    partitioned_memory_register(s->memory, r);
    counter_register(r, "work_group_dispatcher", "tail", "cycles",
                     "of a launch after the one in which its last work-group is handed out", &s->tail);
}

static void create(struct machine *m) {
    const struct machine_config *c = &m->config;
    struct sms *s = m->sms = calloc(1, sizeof *s);
    require_memory(s);
    s->config = c;
    s->count = c->cluster.count;
    s->sm = aligned_alloc(64, (s->count * sizeof *s->sm + 63) / 64 * 64);
    s->next = calloc(3 * s->count, sizeof *s->next);
    require_memory(s->sm);
    require_memory(s->next);
    s->at = s->next + s->count;
    s->turn = s->at + s->count;
    s->errors = calloc(s->count, sizeof *s->errors);
    s->ready = calloc(s->count, sizeof *s->ready);
    s->seen = calloc(s->count, sizeof *s->seen);
    require_memory(s->errors && s->ready && s->seen ? s : NULL);
    s->memory = partitioned_memory_create(c);
    const uint32_t threads = s->count * machine_stacks(c);
    exclusive_monitor_init(&s->shared.monitor, threads, ATOMIC_BYTES,
                           (uint64_t)threads * c->mem.exclusive_hold_cycles);
    if (c->mem.exclusive_livelock_cycles) s->shared.monitor.limit = c->mem.exclusive_livelock_cycles;
    s->shared.monitor.apart = machine_runs_apart(c);
    for (unsigned k = 0; k < s->count; ++k)
        sm_init(&s->sm[k], k, c, &s->shared, partitioned_memory_port(s->memory, k));
    for (unsigned k = 0; k < m->units; ++k) m->unit[k] = &s->sm[k].simt;
    m->groups = &s->shared.groups;
    m->monitor = &s->shared.monitor;
    register_counters(s, m->counters = counter_registry_create());
}

static void destroy(struct machine *m) {
    struct sms *s = m->sms;
    for (unsigned k = 0; k < s->count; ++k) {
        if (s->trace) sm_trace_free(s->trace[k]);
        sm_free(&s->sm[k]);
    }
    crew_destroy(s->crew);
    free(s->errors);
    free(s->ready);
    free(s->seen);
    free(s->trace);
    exclusive_monitor_free(&s->shared.monitor);
    partitioned_memory_destroy(s->memory);
    free(s->next);
    free(s->sm);
    free(s);
}

static void host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes) {
    partitioned_memory_overwrite(m->sms->memory, address, size_bytes);
}

static void set_exact(struct machine *m, bool exact) {
    m->sms->exact = exact;
    machine_set_check_places(m, exact);
}

/* --- waves --- */

static void show(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count) {
    struct sms *s = m->sms;
    s->trace = calloc(s->count, sizeof(struct sm_trace *));
    require_memory(s->trace);
    for (unsigned k = 0; k < s->count; ++k) {
        s->trace[k] = sm_trace_create(&s->sm[k], t);
        s->sm[k].shown = true;
    }
    s->window = windows;
    s->windows_end = windows + count;
    s->traced_in = t;
    s->time = machine_edge_time;
    s->time_context = m->clock;
    trace_hold(t);
}

static bool is_traced(struct machine *m, unsigned unit, uint64_t t) {
    (void)unit;
    return sms_traced(m->sms, t);
}

/* --- endless repetition --- */

static bool work_begins(const struct machine *m) {
    const struct sms *s = m->sms;
    bool begins = false;
    for (unsigned k = 0; k < s->count && !begins; ++k) begins = sms_groups_left(s) && sm_has_room(&s->sm[k]);
    return begins;
}

/* --- launches --- */

/* Returns whether caches still wait for lines, of warps that ended while they were fetching; or, after a
 * failed launch, whether the L2 waits for stores. */
static bool are_waiting(const struct sms *s) {
    for (unsigned k = 0; k < s->count; ++k)
        if (sm_waits(&s->sm[k])) return true;
    return false;
}

/* Returns the cycle in which a launch can begin if the last one ended before cycle t: no cache waits for a
 * line. Steps have a fixed length, so that the cycle does not depend on how far an SM was ahead. */
static uint64_t ready(struct sms *s, uint64_t t) {
    const uint64_t step = partitioned_memory_lookahead(s->memory);
    if (!s->error) return t;
    do {
        t += step;
        partitioned_memory_advance(s->memory, t);
        for (unsigned k = 0; k < s->count; ++k) sm_drop_answers(&s->sm[k], t);
    } while (are_waiting(s));
    return t;
}

/* Returns whether the instruction is LDREX, STREX or similar. */
static bool is_exclusive(uint32_t encoding) {
    return (encoding & 0x0f800ff0) == 0x01800f90;
}

static bool has_exclusives(const struct machine_launch *l) {
    for (uint32_t n = 0; n < l->code->text_bytes / 4; ++n)
        if (is_exclusive(l->code->decoded[n].encoding)) return true;
    return false;
}

/* Returns why the SMs of the launch must run one after the other: shared data would depend on their order. */
static const char *why_alone(const struct sms *s, const struct memory *memory) {
    if (!s->sm[0].log) return "its program has atomic operations";
    if (s->sm[0].profile || s->sm[0].executions) return "what its instructions do is counted";
    return memory->outside ? "accesses outside every buffer are noted" : NULL;
}

static void begin_sms(struct machine *m, struct error *e) {
    struct sms *s = m->sms;
    const struct machine_launch *l = m->launch;
    const uint64_t t = m->cycle;
    uint32_t groups[3];
    s->first_cycle = s->last_turn = t;
    s->error = e;
    s->stuck = false;
    const bool exclusives = has_exclusives(l);
    machine_launch_groups(l, groups);
    work_group_dispatcher_begin(&s->shared.groups, groups);
    exclusive_monitor_window(&s->shared.monitor, MEMORY_LOCAL_BASE, l->local_bytes);
    exclusive_monitor_reset(&s->shared.monitor);
    partitioned_memory_advance(s->memory, t);
    for (unsigned k = 0; k < s->count; ++k) {
        s->sm[k].log = exclusives ? NULL : &s->sm[k].stores;
        s->sm[k].stepped = sms_steps_all(s, t);
        s->sm[k].stack_warps = stack_layout_of(&m->config, l).warps;
        s->next[k] = SM_NEVER;
        s->at[k] = t;
        s->errors[k].status = EXIT_SOUND;
        sm_launch(&s->sm[k], l, &m->memory, m->stack_size, t, &s->errors[k]);
        sms_look(s, k);
    }
    s->alone = why_alone(s, &m->memory);
    sms_has_failed(s);
}

static void stop_twins(const struct cluster_twins *twins) {
    if (twins && twins->stop) twins->stop(twins->context);
}

static void settle(struct sms *s, uint64_t end) {
    sms_store_all(s);
    for (unsigned k = 0; k < s->count; ++k) {
        for (unsigned n = 0; n < SM_MAX_SCHEDULERS; ++n) stop_twins(s->sm[k].twins[n]);
        for (unsigned n = 0; s->sm[k].scalar && n < SCALAR_MAX_UNITS; ++n)
            stop_twins(s->sm[k].scalar->unit[n].twins);
    }
    for (unsigned k = 0; k < s->count; ++k) sm_settle(&s->sm[k], end);
    if (end > s->last_turn) s->tail += end - s->last_turn - 1;
    partitioned_memory_advance(s->memory, end);
    partitioned_memory_count(s->memory);
}

/* Adds the causes of the scalar units' cycles up to now, or subtracts them. */
static void add_scalar_causes(const struct machine *m, struct machine_result *r, bool adds) {
    for (unsigned k = 0; k < m->units; ++k) {
        const struct scalar_units *u = m->sms->sm[k].scalar;
        for (unsigned i = 0; u && i < SCALAR_CAUSE_COUNT; ++i)
            r->scalar_cause[i] += adds ? u->cause[i] : 0 - u->cause[i];
    }
}

static void begin(struct machine *m, struct machine_result *r) {
    struct recorder *recorder = m->unit[0]->recorder;
    add_scalar_causes(m, r, false);
    if (recorder_wants_accesses(recorder)) partitioned_memory_record(m->sms->memory, recorder);
    m->cycle = ready(m->sms, m->cycle);
}

static void end_traces(struct sms *s, uint64_t t) {
    for (unsigned k = 0; s->trace && k < s->count; ++k)
        sm_trace_end(s->trace[k], sms_traced(s, t), s->time(s->time_context, t));
}

static void run(struct machine *m, struct error *e) {
    if (!machine_map_stacks(m, e)) return;
    begin_sms(m, e);
    if (e->status != EXIT_SOUND) return;
    machine_run_kernel(m, e);
    settle(m->sms, m->cycle);
    end_traces(m->sms, m->cycle);
}

static uint64_t step(struct machine *m, uint64_t t, uint64_t until) {
    return sms_step(m->sms, t, until);
}

static uint64_t end_of_step(const struct machine *m, uint64_t t) {
    return sms_end_of_step(m->sms, t);
}

static uint64_t last_cycle(const struct machine *m) {
    return sms_last(m->sms);
}

static bool is_stuck(const struct machine *m) {
    return m->sms->stuck;
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
                                       .end_of_step = end_of_step,
                                       .first_look = UINT64_C(1) << 18,
                                       .work_begins = work_begins,
                                       .last = last_cycle,
                                       .is_stuck = is_stuck,
                                       .end = end};

/* --- options of SMs only --- */

static unsigned count_of(const struct machine *m) {
    return m->sms ? m->units : 0;
}

void machine_set_check_places(struct machine *m, bool check) {
    for (unsigned k = 0; k < count_of(m); ++k) m->sms->sm[k].checks_places = check;
}

struct dram_channel *machine_channel(struct machine *m, unsigned n) {
    return m->sms && n < m->config.dram.channels ? partitioned_memory_channel(m->sms->memory, n) : NULL;
}

const struct sm_lanes *machine_lanes_over_time(const struct machine *m) {
    return m->sms && m->sms->sm[0].lanes.interval ? &m->sms->sm[0].lanes : NULL;
}

void machine_watch(struct machine *m, uint64_t end) {
    if (m->sms) m->sms->watched = end;
}

uint64_t machine_step_end(const struct machine *m) {
    return m->sms && m->sms->end > m->cycle ? m->sms->end : m->cycle;
}

void machine_set_threads(struct machine *m, unsigned threads) {
    if (!m->sms) return;
    crew_destroy(m->sms->crew);
    m->sms->crew = threads > 1 ? crew_create(threads) : NULL;
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

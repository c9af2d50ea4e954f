#include "model/machine/sms.h"

#include "model/config/divergence_engine.h"
#include "model/config/scalar_config.h"
#include "model/machine/crew.h"
#include "model/memory/non_blocking_cache.h"
#include "model/sm/scalar_units.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* A reservation has the fewest bytes that the architecture allows. A GPU executes atomic operations on words
 * at the L2, where stores to other words of a line do not disturb them. */
#define ATOMIC_BYTES 8

struct sms *sms_create(const struct machine_config *c) {
    struct sms *s = calloc(1, sizeof *s);
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
    s->shared.monitor.regroups = divergence_engines[c->simt.divergence]->regroups;
    for (unsigned k = 0; k < s->count; ++k)
        sm_init(&s->sm[k], k, c, &s->shared, partitioned_memory_port(s->memory, k));
    return s;
}

void sms_free(struct sms *s) {
    if (!s) return;
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

void sms_set_threads(struct sms *s, unsigned threads) {
    crew_destroy(s->crew);
    s->crew = threads > 1 ? crew_create(threads) : NULL;
}

void sms_register_counters(struct sms *s, struct counter_registry *r) {
    for (unsigned k = 0; k < s->count; ++k) sm_register_counters(&s->sm[k], r);
    partitioned_memory_register(s->memory, r);
    counter_register(r, "work_group_dispatcher", "tail", "cycles",
                     "of a launch after the one in which its last work-group is handed out", &s->tail);
}

/* --- time --- */

static bool groups_left(const struct sms *s) {
    return s->shared.groups.q.left;
}

/* Returns the first cycle from t on in which the dispatcher visits SM k. */
static uint64_t turn_from(const struct sms *s, unsigned k, uint64_t t) {
    const uint64_t passed = t - s->first_cycle, phase = s->count == 1 ? 0 : passed % s->count;
    return t + (phase <= k ? k - phase : s->count - phase + k);
}

/* Returns whether any cycle of [first, end) is traced. */
static bool traces_within(const struct sms *s, uint64_t first, uint64_t end) {
    const struct machine_window *w = s->window;
    while (w != s->windows_end && w->last < first) ++w;
    return w != s->windows_end && w->first < end;
}

static bool steps_all(const struct sms *s, uint64_t t) {
    return s->exact || t < s->watched;
}

bool sms_traced(const struct sms *s, uint64_t t) {
    return traces_within(s, t, t + 1);
}

static bool has_stopped(const struct sms *s, unsigned k) {
    return s->errors[k].status != EXIT_SOUND;
}

/* Sets the launch's error to the earliest of all SMs; of equal cycles, the lowest SM's. */
static bool has_failed(struct sms *s) {
    unsigned first = s->count;
    for (unsigned k = 0; k < s->count; ++k)
        if (s->seen[k].stopped && (first == s->count || s->sm[k].now < s->sm[first].now)) first = k;
    if (first < s->count && s->error->status == EXIT_SOUND) *s->error = s->errors[first];
    return s->error->status != EXIT_SOUND;
}

/* Traces SM k's work in cycle t and its state afterwards. */
static void show(struct sms *s, unsigned k, uint64_t t) {
    sm_trace_stages(s->trace[k], t, s->time(s->time_context, t));
    sm_trace_registers(s->trace[k], t + 1, s->time(s->time_context, t + 1));
    trace_reach(s->traced_in, s->time(s->time_context, t + 1));
}

/* Steps cycles to `end`, some of which are traced. */
static void step_and_show(struct sms *s, unsigned k, uint64_t end) {
    for (uint64_t t = s->at[k]; t < end && !has_stopped(s, k); ++t) {
        if (steps_all(s, t) || s->next[k] <= t) s->next[k] = sm_step(&s->sm[k], t);
        if (sms_traced(s, t)) show(s, k, t);
    }
    s->at[k] = end;
}

/* Steps SM k's cycles before `end`: those with work, or all. */
static void step_before(struct sms *s, unsigned k, uint64_t end) {
    if (traces_within(s, s->at[k], end)) {
        step_and_show(s, k, end);
        return;
    }
    for (uint64_t t = s->at[k]; steps_all(s, t) && t < end && !has_stopped(s, k); ++t)
        s->next[k] = sm_step(&s->sm[k], t);
    while (s->next[k] < end && !has_stopped(s, k)) s->next[k] = sm_step(&s->sm[k], s->next[k]);
    s->at[k] = end;
}

/* Notes the state of SM k for the steps of others. */
static void look(struct sms *s, unsigned k) {
    s->seen[k] = (struct sms_seen){has_stopped(s, k), sm_has_room(&s->sm[k])};
}

static void run_until(struct sms *s, unsigned k, uint64_t end) {
    s->turn[k] = SM_NEVER;
    while (s->at[k] < end && !has_stopped(s, k)) {
        const uint64_t turn = groups_left(s) ? turn_from(s, k, s->at[k]) : SM_NEVER;
        if (turn >= end) {
            step_before(s, k, end);
            return;
        }
        step_before(s, k, turn);
        if (!has_stopped(s, k) && sm_has_room(&s->sm[k])) {
            s->turn[k] = turn;
            return;
        }
        const uint64_t next = steps_all(s, turn) ? turn : s->next[k]; /* no earlier cycle makes room */
        step_before(s, k, next < end ? next + 1 : end);
    }
}

/* Runs SM k until `end`, or until a turn of its own in which it has room for a work-group. */
static void run(struct sms *s, unsigned k, uint64_t end) {
    run_until(s, k, end);
    look(s, k);
}

/* Returns the SM with the earliest turn; `count` if none waits. */
static unsigned first_in_turn(const struct sms *s) {
    unsigned first = s->count;
    for (unsigned k = 0; k < s->count; ++k)
        if (s->turn[k] != SM_NEVER && (first == s->count || s->turn[k] < s->turn[first])) first = k;
    return first;
}

static void dispatch(struct sms *s, unsigned k) {
    struct work_group group;
    if (!work_group_dispatcher_take(&s->shared.groups, &group)) return;
    sm_take_group(&s->sm[k], &group, s->turn[k]);
    s->last_turn = s->turn[k];
    s->next[k] = s->turn[k];
    step_before(s, k, s->turn[k] + 1);
    look(s, k);
}

/* Returns the next cycle in which an SM has work. */
static uint64_t next_of_all(const struct sms *s) {
    uint64_t next = SM_NEVER;
    for (unsigned k = 0; k < s->count; ++k) {
        uint64_t t = s->next[k];
        if (groups_left(s) && s->seen[k].has_room) {
            const uint64_t turn = turn_from(s, k, s->at[k]);
            t = turn < t ? turn : t;
        }
        next = t < next ? t : next;
    }
    return next;
}

static bool all_ended(const struct sms *s) {
    if (groups_left(s)) return false;
    for (unsigned k = 0; k < s->count; ++k)
        if (!sm_has_ended(&s->sm[k])) return false;
    return true;
}

/* Makes SMs step in the cycles of answers that have become known. */
static void hear(struct sms *s) {
    for (unsigned k = 0; k < s->count; ++k) {
        const uint64_t answer = sm_next_answer(&s->sm[k]);
        if (answer < s->next[k]) s->next[k] = answer;
    }
}

static uint64_t stuck(struct sms *s) {
    s->stuck = true;
    for (unsigned k = 0; k < s->count; ++k)
        if (s->sm[k].groups_used) {
            sm_diagnose_deadlock(&s->sm[k], s->at[k]);
            look(s, k);
            break;
        }
    return SM_NEVER;
}

/* Returns the next cycle with a possible event after all SMs have done the cycles before `end`. The memory
 * has advanced so far that no answer can come earlier. */
static uint64_t next_cycle(struct sms *s, uint64_t end) {
    const uint64_t ahead = partitioned_memory_lookahead(s->memory) - 1;
    uint64_t now = end, next;
    for (;;) {
        hear(s);
        next = next_of_all(s);
        if (next <= now + ahead) return next > end ? next : end;
        if (next == SM_NEVER && partitioned_memory_next_event(s->memory) == UINT64_MAX) return stuck(s);
        if (steps_all(s, end)) return end;
        now = partitioned_memory_idle(s->memory, next);
        if (partitioned_memory_next_event(s->memory) == UINT64_MAX && next != SM_NEVER) now = next;
    }
}

/* Within a step the SMs run one after the other, so that SMs with common memory see the ends of steps.
 * Therefore these ends are at fixed distances from the launch's first cycle, whatever is skipped or
 * traced. */
static uint64_t end_of_step(const struct sms *s, uint64_t t) {
    const uint64_t ahead = partitioned_memory_lookahead(s->memory);
    return t + ahead - (t - s->first_cycle) % ahead;
}

uint64_t sms_end_of_step(const struct sms *s, uint64_t t) {
    return end_of_step(s, t);
}

static void run_ready(void *context, unsigned n) {
    struct sms *s = context;
    run(s, s->ready[n], s->end);
}

/* Runs the ready SMs to the end of the step, or to a turn of theirs. With twins, the first difference ends
 * it. */
static void run_all(struct sms *s, uint64_t t) {
    if (s->crew && !s->alone && s->ready_count > 1 && !traces_within(s, t, s->end)) {
        crew_run(s->crew, s->ready_count, run_ready, s);
        return;
    }
    for (unsigned n = 0; n < s->ready_count; ++n) {
        run_ready(s, n);
        if (t < s->watched && has_stopped(s, s->ready[n])) return;
    }
}

/* Dispatches work-groups, in the order of turns, to SMs whose turns come before the next turn of any SM. */
static bool dispatch_all(struct sms *s) {
    unsigned k = first_in_turn(s);
    const uint64_t before = k < s->count ? s->turn[k] + s->count : 0;
    s->ready_count = 0;
    for (; k < s->count && s->turn[k] < before; k = first_in_turn(s)) {
        dispatch(s, k);
        s->turn[k] = SM_NEVER;
        s->ready[s->ready_count++] = k;
    }
    return s->ready_count > 0;
}

/* Makes all stores visible to all SMs at the end of the step. */
static void store_all(struct sms *s) {
    for (unsigned k = 0; k < s->count; ++k)
        if (s->sm[k].log) store_log_apply(s->sm[k].log);
}

/* Writes the lines kept by all L1Ds to the L2 after all SMs have ended (l1d.write_policy), in parallel. */
static void write_back(struct sms *s) {
    if (!write_policies[s->config->l1d_write_policy].at_end) return;
    for (uint64_t t = sms_last(s) + 1;; ++t) {
        bool any = false;
        partitioned_memory_advance(s->memory, t);
        for (unsigned k = 0; k < s->count; ++k) any |= sm_write_back(&s->sm[k], t);
        if (!any) break;
    }
}

uint64_t sms_step(struct sms *s, uint64_t t, uint64_t until) {
    const uint64_t far = end_of_step(s, t), end = far < until ? far : until;
    while (s->window != s->windows_end && s->window->last < t) ++s->window;
    if (t >= s->seen_from) store_all(s);
    s->seen_from = far;
    partitioned_memory_advance(s->memory, t);
    hear(s);
    s->end = end;
    s->ready_count = s->count;
    for (unsigned k = 0; k < s->count; ++k) s->at[k] = t;
    for (unsigned k = 0; k < s->count; ++k) s->ready[k] = k;
    do run_all(s, t);
    while (!has_failed(s) && dispatch_all(s));
    const bool over = has_failed(s) || all_ended(s);
    if (over) {
        store_all(s);
        if (!has_failed(s)) write_back(s);
        return SM_NEVER;
    }
    partitioned_memory_advance(s->memory, end);
    if (s->error->status != EXIT_SOUND) return SM_NEVER;
    const uint64_t next = next_cycle(s, end);
    if (s->trace) trace_release(s->traced_in, s->time(s->time_context, end));
    if (has_failed(s)) return SM_NEVER;
    return next != SM_NEVER && traces_within(s, end, next) ? end : next; /* each traced cycle is shown */
}

/* --- endless repetition --- */

#define SPIN_FIRST_LOOK  (UINT64_C(1) << 18) /* cycles of a launch before the first check */
#define SPIN_LONGEST_GAP (UINT64_C(1) << 26) /* largest distance of two checks in cycles */
#define SPIN_SAMPLE      4096                /* cycles after which a watch is evaluated */

/* Sets the cycle of the next check: the end of a step. */
static void look_after(struct sms *s, uint64_t cycles) {
    s->spin_at = end_of_step(s, s->spin_at + cycles - 1);
}

static void end_watch(struct sms *s) {
    const uint64_t passed = s->spin_at - s->first_cycle;
    for (unsigned k = 0; k < s->count; ++k) sm_end_watch(&s->sm[k]);
    s->spin = SPIN_IDLE;
    look_after(s, passed < SPIN_LONGEST_GAP ? passed : SPIN_LONGEST_GAP);
}

static void begin_watch(struct sms *s, bool strict) {
    for (unsigned k = 0; k < s->count; ++k) sm_watch_spin(&s->sm[k], strict);
    s->spin = strict ? SPIN_STRICT : SPIN_FIRST;
    look_after(s, SPIN_SAMPLE);
}

/* Returns whether a watch has failed: a warp does not repeat, or a work-group can still begin. */
static bool watch_fails(struct sms *s) {
    bool fails = false;
    for (unsigned k = 0; k < s->count && !fails; ++k)
        fails = sm_spin_failed(&s->sm[k]) || (groups_left(s) && sm_has_room(&s->sm[k]));
    return fails;
}

static bool all_go_round(const struct sms *s) {
    bool any = false;
    unsigned k = 0;
    while (k < s->count && sm_goes_round(&s->sm[k], &any)) ++k;
    return k == s->count && any;
}

uint64_t sms_watched_until(const struct sms *s) {
    return s->spin_at;
}

bool sms_go_round(struct sms *s, uint64_t t) {
    while (t >= s->spin_at) {
        if (s->spin == SPIN_IDLE)
            begin_watch(s, false);
        else if (watch_fails(s))
            end_watch(s);
        else if (!all_go_round(s))
            look_after(s, SPIN_SAMPLE);
        else if (s->spin == SPIN_STRICT)
            return true;
        else
            begin_watch(s, true);
    }
    return false;
}

/* --- waves --- */

void sms_trace(struct sms *s, struct trace *t, const struct machine_window *windows, size_t count,
               sms_time_function *time, const void *time_context) {
    s->trace = calloc(s->count, sizeof(struct sm_trace *));
    require_memory(s->trace);
    for (unsigned k = 0; k < s->count; ++k) {
        s->trace[k] = sm_trace_create(&s->sm[k], t);
        s->sm[k].shown = true;
    }
    s->window = windows;
    s->windows_end = windows + count;
    s->traced_in = t;
    s->time = time;
    s->time_context = time_context;
    trace_hold(t);
}

/* --- launches --- */

/* Returns whether caches still wait for lines, of warps that ended while they were fetching; or, after a
 * failed launch, whether the L2 waits for stores. */
static bool are_waiting(const struct sms *s) {
    for (unsigned k = 0; k < s->count; ++k)
        if (sm_waits(&s->sm[k])) return true;
    return false;
}

/* Steps have a fixed length, so that the cycle does not depend on how far an SM was ahead. */
uint64_t sms_ready(struct sms *s, uint64_t t) {
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

void sms_launch(struct sms *s, const struct machine_launch *l, const struct memory *memory,
                uint32_t stack_size, uint64_t t, struct error *e) {
    uint32_t groups[3];
    s->first_cycle = s->last_turn = t;
    s->error = e;
    s->stuck = false;
    s->spin = SPIN_IDLE;
    s->spin_at = sm_can_watch_spin(&s->sm[0]) ? end_of_step(s, t + SPIN_FIRST_LOOK - 1) : UINT64_MAX;
    const bool exclusives = has_exclusives(l);
    machine_launch_groups(l, groups);
    work_group_dispatcher_begin(&s->shared.groups, groups);
    exclusive_monitor_window(&s->shared.monitor, MEMORY_LOCAL_BASE, l->local_bytes);
    exclusive_monitor_reset(&s->shared.monitor);
    partitioned_memory_advance(s->memory, t);
    for (unsigned k = 0; k < s->count; ++k) {
        s->sm[k].log = exclusives ? NULL : &s->sm[k].stores;
        s->sm[k].stepped = steps_all(s, t);
        s->next[k] = SM_NEVER;
        s->at[k] = t;
        s->errors[k].status = EXIT_SOUND;
        sm_launch(&s->sm[k], l, memory, stack_size, t, &s->errors[k]);
        look(s, k);
    }
    s->alone = why_alone(s, memory);
    has_failed(s);
}

uint64_t sms_last(const struct sms *s) {
    const bool whole = all_ended(s);
    uint64_t last = s->first_cycle;
    for (unsigned k = 0; k < s->count; ++k) {
        const uint64_t charged = s->sm[k].charged, of_sm = whole ? s->sm[k].ended : charged ? charged - 1 : 0;
        if (of_sm > last) last = of_sm;
    }
    return last;
}

static void stop_twins(const struct cluster_twins *twins) {
    if (twins && twins->stop) twins->stop(twins->context);
}

void sms_settle(struct sms *s, uint64_t end) {
    store_all(s);
    for (unsigned k = 0; k < s->count; ++k) sm_end_watch(&s->sm[k]);
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

#include "model/machine/sms.h"

#include "model/machine/crew.h"
#include "model/memory/non_blocking_cache.h"

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

bool sms_traced(const struct sms *s, uint64_t t) {
    return traces_within(s, t, t + 1);
}

static bool has_stopped(const struct sms *s, unsigned k) {
    return s->errors[k].status != EXIT_SOUND;
}

bool sms_has_failed(struct sms *s) {
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
        if (sms_steps_all(s, t) || s->next[k] <= t) s->next[k] = sm_step(&s->sm[k], t);
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
    for (uint64_t t = s->at[k]; sms_steps_all(s, t) && t < end && !has_stopped(s, k); ++t)
        s->next[k] = sm_step(&s->sm[k], t);
    while (s->next[k] < end && !has_stopped(s, k)) s->next[k] = sm_step(&s->sm[k], s->next[k]);
    s->at[k] = end;
}

void sms_look(struct sms *s, unsigned k) {
    s->seen[k] = (struct sms_seen){has_stopped(s, k), sm_has_room(&s->sm[k])};
}

static void run_until(struct sms *s, unsigned k, uint64_t end) {
    s->turn[k] = SM_NEVER;
    while (s->at[k] < end && !has_stopped(s, k)) {
        const uint64_t turn = sms_groups_left(s) ? turn_from(s, k, s->at[k]) : SM_NEVER;
        if (turn >= end) {
            step_before(s, k, end);
            return;
        }
        step_before(s, k, turn);
        if (!has_stopped(s, k) && sm_has_room(&s->sm[k])) {
            s->turn[k] = turn;
            return;
        }
        const uint64_t next = sms_steps_all(s, turn) ? turn : s->next[k]; /* no earlier cycle makes room */
        step_before(s, k, next < end ? next + 1 : end);
    }
}

/* Runs SM k until `end`, or until a turn of its own in which it has room for a work-group. */
static void run(struct sms *s, unsigned k, uint64_t end) {
    run_until(s, k, end);
    sms_look(s, k);
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
    sms_look(s, k);
}

/* Returns the next cycle in which an SM has work. */
static uint64_t next_of_all(const struct sms *s) {
    uint64_t next = SM_NEVER;
    for (unsigned k = 0; k < s->count; ++k) {
        uint64_t t = s->next[k];
        if (sms_groups_left(s) && s->seen[k].has_room) {
            const uint64_t turn = turn_from(s, k, s->at[k]);
            t = turn < t ? turn : t;
        }
        next = t < next ? t : next;
    }
    return next;
}

static bool all_ended(const struct sms *s) {
    if (sms_groups_left(s)) return false;
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
            sms_look(s, k);
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
        if (sms_steps_all(s, end)) return end;
        now = partitioned_memory_idle(s->memory, next);
        if (partitioned_memory_next_event(s->memory) == UINT64_MAX && next != SM_NEVER) now = next;
    }
}

/* Within a step the SMs run one after the other, so that SMs with common memory see the ends of steps.
 * Therefore these ends are at fixed distances from the launch's first cycle, whatever is skipped or
 * traced. */
uint64_t sms_end_of_step(const struct sms *s, uint64_t t) {
    const uint64_t ahead = partitioned_memory_lookahead(s->memory);
    return t + ahead - (t - s->first_cycle) % ahead;
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

void sms_store_all(struct sms *s) {
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
    const uint64_t far = sms_end_of_step(s, t), end = far < until ? far : until;
    while (s->window != s->windows_end && s->window->last < t) ++s->window;
    if (t >= s->seen_from) sms_store_all(s);
    s->seen_from = far;
    partitioned_memory_advance(s->memory, t);
    hear(s);
    s->end = end;
    s->ready_count = s->count;
    for (unsigned k = 0; k < s->count; ++k) s->at[k] = t;
    for (unsigned k = 0; k < s->count; ++k) s->ready[k] = k;
    do run_all(s, t);
    while (!sms_has_failed(s) && dispatch_all(s));
    const bool over = sms_has_failed(s) || all_ended(s);
    if (over) {
        sms_store_all(s);
        if (!sms_has_failed(s)) write_back(s);
        return SM_NEVER;
    }
    partitioned_memory_advance(s->memory, end);
    if (s->error->status != EXIT_SOUND) return SM_NEVER;
    const uint64_t next = next_cycle(s, end);
    if (s->trace) trace_release(s->traced_in, s->time(s->time_context, end));
    if (sms_has_failed(s)) return SM_NEVER;
    return next != SM_NEVER && traces_within(s, end, next) ? end : next; /* each traced cycle is shown */
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

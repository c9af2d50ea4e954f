/* The cycles of a launch: the order of the clusters' steps, and their lengths. */
#include "model/machine/machine_parts.h"

#include "sim/error.h"

#include <stdio.h>
#include <string.h>

/* Most steps, and most cycles, between two checks of the interrupt flag and the clock. A step is long, unless
 * it is traced or other clusters are behind. */
#define STEPS_BETWEEN_LOOKS      64
#define CYCLES_BETWEEN_LOOKS     100000
#define SECONDS_BETWEEN_PROGRESS 0.05
#define CYCLES_AHEAD             1024 /* cycles that a cluster may be ahead of the others */

static void stop_with_report(struct machine *m, enum exit_status status, const char *why) {
    char report[3600];
    size_t used = 0;
    if (m->sms) sms_report(m->sms, m->cycle, report, sizeof report);
    for (unsigned k = 0; k < m->clusters && sizeof report - used > 80; ++k) {
        if (k) report[used++] = '\n';
        cluster_report(&m->cluster[k], m->cycle, report + used, sizeof report - used);
        used += strlen(report + used);
    }
    error_set(m->error, status, "kernel '%s': %s\n%s", m->launch->kernel, why, report);
}

/* Does periodic checks. Returns false to end the launch. */
static bool go_on(struct machine *m) {
    if (m->debugger) m->debugger->poll(m->debugger->context);
    if (atomic_load_explicit(&m->interrupted, memory_order_relaxed)) {
        stop_with_report(m, EXIT_USER, "interrupted");
        return false;
    }
    const double now = machine_host_now(CLOCK_MONOTONIC);
    if (m->progress && now - m->host_shown >= SECONDS_BETWEEN_PROGRESS) {
        struct machine_result so_far = {0};
        machine_fill_result(m, &so_far);
        m->host_shown = now;
        m->progress(m->progress_context, m->launch, &so_far);
    }
    return true;
}

static bool within_limit(struct machine *m) {
    if (m->cycle >= m->stop_at) {
        stop_with_report(m, EXIT_USER, "interrupted");
        return false;
    }
    if (!m->max_cycles || m->cycle - m->first_cycle < m->max_cycles) return true;
    char why[80];
    snprintf(why, sizeof why, "has reached the limit of %llu cycles; does it loop for ever?",
             (unsigned long long)m->max_cycles);
    m->limited = true;
    stop_with_report(m, EXIT_PROGRAM_FAULT, why);
    return false;
}

/* Returns false if the launch repeats for ever. */
static bool has_prospects(struct machine *m) {
    if (!m->sms || !sms_go_round(m->sms, m->cycle)) return true;
    m->cycle = sms_watched_until(m->sms);
    stop_with_report(
        m, EXIT_PROGRAM_FAULT,
        "goes round for ever: every warp that can run has come back to the same PC with the same "
        "registers, and no store has changed a value");
    return false;
}

/* Returns the first cycle at or after which another event in the kernel is pending. */
static uint64_t alone_until(const struct machine *m) {
    const sim_time next = kernel_next_time(m->kernel);
    return next == SIM_TIME_NEVER ? UINT64_MAX : clock_cycles(m->clock, next);
}

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
static uint64_t step_clusters(struct machine *m, uint64_t t, uint64_t until) {
    unsigned first;
    if (m->sms) return sms_step(m->sms, t, until);
    if (m->clusters == 1) return step_cluster(m, t, until);
    const uint64_t ahead = ahead_until(m, t, until);
    if (ahead == t)
        step_in_lockstep(m, t, until);
    else
        step_far(m, until, ahead);
    return m->error->status == EXIT_SOUND ? turns_first(&m->turns, &first) : CLUSTER_NEVER;
}

static void trace_cycle(struct machine *m, uint64_t t) {
    for (unsigned k = 0; k < m->clusters; ++k) cluster_trace_stages(&m->cluster[k], t);
    for (unsigned k = 0; k < m->clusters; ++k) cluster_trace_registers(&m->cluster[k], t);
}

/* Returns the first cycle after all steps. */
static uint64_t after_the_last(const struct machine *m) {
    uint64_t last = m->sms ? sms_last(m->sms) : 0;
    for (unsigned k = 0; k < m->clusters; ++k)
        if (m->cluster[k].now > last) last = m->cluster[k].now;
    return last + 1;
}

/* The machine's clocked process. It continues from cycle to cycle while no other event is pending. */
void machine_process(void *context) {
    struct machine *m = context;
    const uint64_t alone = alone_until(m), until = alone < machine_limit(m) ? alone : machine_limit(m);
    uint64_t looked = m->cycle;
    for (unsigned steps = 1;; ++steps) {
        if (steps % STEPS_BETWEEN_LOOKS == 0 || m->cycle - looked >= CYCLES_BETWEEN_LOOKS) {
            if (!go_on(m)) break;
            looked = m->cycle;
        }
        if (!within_limit(m) || !has_prospects(m)) break;
        const uint64_t t = m->cycle, next = step_clusters(m, t, until);
        if (machine_traced(m, t)) trace_cycle(m, t);
        m->cycle = next == CLUSTER_NEVER     ? after_the_last(m)
                   : next < machine_limit(m) ? next
                                             : machine_limit(m);
        if (next == CLUSTER_NEVER) break;
        if (next >= alone) {
            process_next_trigger_at(m->process, clock_edge(m->clock, next));
            return;
        }
    }
    kernel_pause(m->kernel);
}

/* The cycles of a launch. */
#include "model/machine/machine_parts.h"

#include "sim/error.h"

#include <stdio.h>
#include <string.h>

/* Most steps, and most cycles, between two checks of the interrupt flag and the clock. A step is long, unless
 * it is traced or other clusters are behind. */
#define STEPS_BETWEEN_LOOKS      64
#define CYCLES_BETWEEN_LOOKS     100000
#define SECONDS_BETWEEN_PROGRESS 0.05

static void report_units(const struct machine *m, char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (unsigned k = 0; k < m->units && size - used > 80; ++k) {
        if (used && out[used - 1] != '\n') out[used++] = '\n';
        m->unit[k]->kind->report(m->unit[k], m->cycle, out + used, size - used);
        used += strlen(out + used);
    }
}

static void stop_with_report(struct machine *m, enum exit_status status, const char *why) {
    char report[3600];
    report_units(m, report, sizeof report);
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
    if (!machine_goes_round(m)) return true;
    stop_with_report(
        m, EXIT_PROGRAM_FAULT,
        m->config.mode == MODE_MIMD
            ? "goes round for ever: every core that can run has come back to the same PC with the "
              "same registers, and no store has changed a value"
            : "goes round for ever: every warp that can run has come back to the same PC with the "
              "same registers, and no store has changed a value");
    return false;
}

/* Returns false if exclusive stores fail for ever. */
static bool stores_go_on(struct machine *m) {
    char why[1600];
    if (__builtin_expect(!exclusive_monitor_is_livelock(m->monitor, m->cycle), 1)) return true;
    m->cycle = exclusive_monitor_deadline(m->monitor);
    if (m->fabric->end_of_step) m->cycle = m->fabric->end_of_step(m, m->cycle - 1);
    machine_describe_failures(m, why, sizeof why);
    stop_with_report(m, EXIT_PROGRAM_FAULT, why);
    return false;
}

/* Returns the end of a step from m->cycle on, at most `until`: a livelock, or endless repetition, cannot be
 * known earlier than in the cycle of the end. Steps with fixed ends are short. */
static uint64_t end_of_step(const struct machine *m, uint64_t until) {
    if (m->fabric->end_of_step) return until;
    const uint64_t deadline = exclusive_monitor_deadline(m->monitor);
    const uint64_t known =
        deadline > m->cycle && deadline != UINT64_MAX ? deadline : m->cycle + m->monitor->limit;
    const uint64_t look = m->spin_at > m->cycle && m->spin_at < known ? m->spin_at : known;
    return look < until ? look : until;
}

/* Returns the first cycle at or after which another event in the kernel is pending. */
static uint64_t alone_until(const struct machine *m) {
    const sim_time next = kernel_next_time(m->kernel);
    return next == SIM_TIME_NEVER ? UINT64_MAX : clock_cycles(m->clock, next);
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
        if (!within_limit(m) || !has_prospects(m) || !stores_go_on(m)) break;
        const uint64_t t = m->cycle, next = m->fabric->step(m, t, end_of_step(m, until));
        m->cycle = next == CLUSTER_NEVER     ? m->fabric->last(m) + 1
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

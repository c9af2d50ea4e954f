/* Reports on processes that loop, and on processes that wait. */
#include "sim/kernel_private.h"

#include <stdio.h>
#include <string.h>

void kernel_record_runnable(struct kernel *k) {
    if (k->left > (k->limit + 1) / 2) return; /* processes need not loop if the limit is low */
    for (uint64_t i = k->head; i != k->tail; i++) {
        const uintptr_t entry = k->ring[i & k->mask];
        if (entry & 1) {
            const struct event *e = (struct event *)(entry - 1); // NOLINT(performance-no-int-to-ptr)
            for (uint32_t n = 0; n < e->count; n++) e->listeners[n]->seen_at = k->now;
        } else {
            ((struct process *)entry)->seen_at = k->now; // NOLINT(performance-no-int-to-ptr)
        }
    }
}

enum kernel_outcome kernel_report_loop(struct kernel *k, struct error *e) {
    enum { SHOWN = 10 };
    char names[1024] = "";
    unsigned count = 0;
    for (uint32_t i = 0; i < k->process_count; i++) {
        struct process *p = k->processes[i];
        const size_t used = strlen(names);
        if (p->seen_at == k->now && count++ < SHOWN)
            snprintf(names + used, sizeof names - used, "%s'%.80s'", used ? ", " : "", p->name);
        p->seen_at = SIM_TIME_NEVER;
    }
    char more[32] = "";
    if (count > SHOWN) snprintf(more, sizeof more, " and %u more", count - SHOWN);
    error_set(e, EXIT_PROGRAM_FAULT,
              "time stands still at %lu ps after %lu delta cycles; these processes loop: %s%s", k->now,
              k->limit, names, more);
    k->left = k->limit;
    return KERNEL_DELTA_LIMIT;
}

static void write_events(FILE *out, const struct process *p) {
    if (p->waiter.event) fprintf(out, " for '%s'", p->waiter.event->name);
    const char *between = " for ";
    for (uint32_t i = 0; i < p->list_count; i++) {
        if (!p->list[i].waiter.event) continue; /* the event has occurred */
        fprintf(out, "%s'%s'", between, p->list[i].waiter.event->name);
        between = p->wants_all ? " and " : " or ";
    }
}

static void write_dynamic(FILE *out, const struct process *p) {
    const char *most = p->list_count || p->waiter.event ? ", at most" : "";
    write_events(out, p);
    if (p->timeout.kind == NOTIFY_TIMED) fprintf(out, "%s until %lu ps", most, p->timeout.time);
    if (p->timeout.kind == NOTIFY_DELTA) fprintf(out, "%s until the next delta cycle", most);
}

static void write_static(FILE *out, const struct process *p) {
    for (uint32_t i = 0; i < p->event_count; i++)
        fprintf(out, "%s'%s'", i ? " or " : " for ", p->events[i]->name);
    if (!p->event_count) fputs(" for nothing", out);
}

/* Returns the time of the process's last run. */
static sim_time since(const struct process *p) {
    sim_time last = p->since;
    if (p->event_count != 1) return last;
    const struct event *e = p->events[0];
    if (e->ran_at > last) last = e->ran_at;
    if (e->signal && e->signal->listening == LISTENING_ONE && e->signal->changed_at > last)
        last = e->signal->changed_at;
    return last;
}

static bool about_to_run(const struct process *p) {
    return p->state & PROCESS_RUNNABLE ||
           (p->event_count == 1 && p->events[0]->group && p->events[0]->queued == QUEUED_WAITING);
}

void kernel_report_waiting(const struct kernel *k, FILE *out) {
    for (uint32_t i = 0; i < k->process_count; i++) {
        const struct process *p = k->processes[i];
        if (p->state & PROCESS_ENDED) continue;
        fprintf(out, "%s '%s' ", p->is_thread ? "thread" : "method", p->name);
        if (about_to_run(p)) {
            fputs("is about to run\n", out);
            continue;
        }
        fputs("waits", out);
        if (p->state & PROCESS_DYNAMIC)
            write_dynamic(out, p);
        else
            write_static(out, p);
        fprintf(out, ", since %lu ps\n", since(p));
    }
}

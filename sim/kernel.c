/* The scheduler: evaluation, update, delta notification, advance of time. */
#include "sim/kernel_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64, LOOP_SEEN = 64 };

/* --- memory --- */

void *kernel_grow(void *array, size_t count, uint32_t *capacity, size_t element_size) {
    if (count < *capacity) return array;
    *capacity = *capacity ? 2 * *capacity : 16;
    array = realloc(array, *capacity * element_size);
    invariant(array, "out of memory");
    return array;
}

static void *keep(struct kernel *k, void *object) {
    invariant(object, "out of memory");
    if (k->object_count == k->object_capacity) {
        k->object_capacity = k->object_capacity ? 2 * k->object_capacity : 256;
        k->objects = realloc(k->objects, k->object_capacity * sizeof(void *));
        invariant(k->objects, "out of memory");
    }
    return k->objects[k->object_count++] = object;
}

void *kernel_allocate(struct kernel *k, size_t size) {
    size = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *object = keep(k, aligned_alloc(CACHE_LINE, size));
    return memset(object, 0, size);
}

const char *kernel_copy_name(struct kernel *k, const char *name) {
    return keep(k, strdup(name));
}

struct kernel *kernel_create(void) {
    struct kernel *k = calloc(1, sizeof *k);
    invariant(k, "out of memory");
    k->limit = 1000000;
    timed_queue_init(&k->timed);
    return k;
}

void kernel_destroy(struct kernel *k) {
    if (!k) return;
    for (struct event *e = k->last_event; e; e = e->previous)
        if (e->listener_count > 1) free(e->listeners);
    for (size_t i = 0; i < k->object_count; i++) free(k->objects[i]);
    free(k->objects);
    free(k->ring);
    free(k->updates);
    free(k->deltas);
    free(k->edge_time);
    free(k->edges);
    free(k->processes);
    timed_queue_free(&k->timed);
    free(k);
}

/* --- questions --- */

sim_time kernel_now(const struct kernel *k) {
    return k->now;
}
uint64_t kernel_delta_count(const struct kernel *k) {
    return k->cycles;
}
uint64_t kernel_event_count(const struct kernel *k) {
    return k->head + k->advances;
}
void kernel_stop(struct kernel *k) {
    k->stop = true;
}
void kernel_set_delta_limit(struct kernel *k, uint64_t n) {
    k->limit = n;
}

static bool is_busy(const struct kernel *k) {
    return k->head != k->tail || k->update_count || k->delta_count;
}

static sim_time next_timed(const struct kernel *k) {
    sim_time next = timed_queue_next(&k->timed);
    for (uint32_t i = 0; i < k->edge_count; i++)
        if (k->edge_time[i] < next) next = k->edge_time[i];
    return next;
}

sim_time kernel_next_time(const struct kernel *k) {
    return is_busy(k) ? k->now : next_timed(k);
}

/* --- running --- */

static void initialize(struct kernel *k) {
    uint32_t size = 16;
    while (size < k->process_count) size *= 2;
    k->ring = calloc(size, sizeof(struct process *));
    invariant(k->ring, "out of memory");
    k->mask = size - 1;
    k->initialized = true;
    for (uint32_t i = 0; i < k->process_count; i++) {
        struct process *p = k->processes[i];
        if (!p->initialize) continue;
        process_forget(p);
        process_make_runnable(k, p);
    }
}

/* Runs those that are runnable now; they may make others runnable. */
static void run_generation(struct kernel *k) {
    uint64_t end = k->tail;
    while (k->head != end) {
        struct process *p = k->ring[k->head++ & k->mask];
        p->state = PROCESS_RUNNING;
        k->running = p;
        p->function(p->context);
        p->state &= (uint8_t)~PROCESS_RUNNING;
        if (p->sleeps != (p->state == PROCESS_DYNAMIC)) process_set_sleep(p, !p->sleeps);
    }
    k->running = NULL;
}

/* Delta notifications first, then those of signals: the order in which they were asked for. */
static void notify(struct kernel *k) {
    for (uint32_t i = 0; i < k->delta_count; i++) {
        struct notification *n = k->deltas[i];
        if (!n) continue;
        n->kind = NOTIFY_NOTHING;
        notification_fire(k, n);
    }
    k->delta_count = 0;
    if (k->update_count) kernel_update_signals(k);
}

static void record_runnable(struct kernel *k) {
    for (uint64_t i = k->head; i != k->tail; i++) k->ring[i & k->mask]->recorded = true;
}

static enum kernel_outcome report_loop(struct kernel *k, struct error *e) {
    enum { SHOWN = 10 };
    char names[1024] = "";
    unsigned count = 0;
    for (uint32_t i = 0; i < k->process_count; i++) {
        struct process *p = k->processes[i];
        size_t used = strlen(names);
        if (p->recorded && count++ < SHOWN)
            snprintf(names + used, sizeof names - used, "%s'%.80s'", used ? ", " : "", p->name);
        p->recorded = false;
    }
    char more[32] = "";
    if (count > SHOWN) snprintf(more, sizeof more, " and %u more", count - SHOWN);
    error_set(e, EXIT_PROGRAM_FAULT,
              "time stands still at %lu ps after %lu delta cycles; these processes loop: %s%s", k->now,
              k->limit, names, more);
    k->here = 0;
    return KERNEL_DELTA_LIMIT;
}

/* One delta cycle. A generation of immediate notifications counts as one for the limit, for they can loop
 * too. False if the limit was reached. */
static bool run_cycle(struct kernel *k) {
    while (k->head != k->tail) {
        if (__builtin_expect(k->here + LOOP_SEEN >= k->limit, 0)) {
            if (k->here >= k->limit) return false;
            record_runnable(k);
        }
        k->here++;
        run_generation(k);
    }
    k->cycles++;
    notify(k);
    return true;
}

static void advance_to(struct kernel *k, sim_time time) {
    if (time != k->now) k->here = 0;
    k->now = time;
    if (k->edge_count) kernel_step_clocks(k);
    while (timed_queue_next(&k->timed) == time) notification_fire(k, timed_queue_pop(&k->timed));
}

enum kernel_outcome kernel_run(struct kernel *k, sim_time until, struct error *e) {
    invariant(!k->running, "kernel_run() is called by a process");
    invariant(until >= k->now, "kernel_run() to %lu ps, but it is %lu ps", until, k->now);
    k->until = until;
    if (!k->initialized) initialize(k);
    for (;;) {
        while (is_busy(k)) {
            if (k->stop) break;
            if (!run_cycle(k)) return report_loop(k, e);
        }
        if (k->stop) {
            k->stop = false;
            return KERNEL_STOPPED;
        }
        k->arrived = true;
        sim_time next = next_timed(k);
        if (next > until || next == SIM_TIME_NEVER) {
            if (next == SIM_TIME_NEVER) return KERNEL_STARVED;
            k->now = until;
            k->here = 0;
            return KERNEL_REACHED;
        }
        advance_to(k, next);
    }
}

bool kernel_advance(struct kernel *k, sim_time t) {
    struct process *p = k->running;
    invariant(p, "kernel_advance() is called by no process");
    invariant(t >= k->now, "'%s' asks at %lu ps to run at %lu ps, which is past", p->name, k->now, t);
    if (is_busy(k) || k->stop || t > k->until) return false;
    if (t == k->now && k->here + LOOP_SEEN >= k->limit) return false; /* let the scheduler count and record */
    bool hears_clocks = p->edge_count && !p->sleeps;
    if (hears_clocks) process_set_sleep(p, true); /* as it would after process_next_trigger_at() */
    if (next_timed(k) <= t) {
        if (hears_clocks) process_set_sleep(p, false);
        return false;
    }
    if (p->state != PROCESS_RUNNING) process_forget(p);
    k->here = t == k->now ? k->here + 1 : 1;
    k->now = t;
    k->cycles++;
    k->advances++;
    return true;
}

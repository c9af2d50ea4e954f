/* The scheduler: evaluation, update, delta notification, advance of time. */
#include "sim/kernel_private.h"

#include <stdlib.h>
#include <string.h>

struct kernel *kernel_create(void) {
    struct kernel *k = aligned_alloc(_Alignof(struct kernel), sizeof *k);
    require_memory(k);
    memset(k, 0, sizeof *k);
    k->limit = k->left = 1000000;
    k->next_edge = SIM_TIME_NEVER;
    k->scope = "";
    k->deltas = kernel_grow(NULL, 0, &k->delta_capacity, sizeof(struct notification *));
    timed_queue_init(&k->timed);
    return k;
}

void kernel_destroy(struct kernel *k) {
    if (!k) return;
    kernel_free_stacks(k);
    for (struct event *e = k->last_event; e; e = e->previous) free(e->listeners);
    for (uint32_t i = 0; i < k->process_count; i++) free(k->processes[i]->events);
    arena_free(&k->signals);
    arena_free(&k->events);
    arena_free(&k->rest);
    free(k->written);
    free(k->ring);
    free(k->deltas);
    free(k->edge_time);
    free(k->edges);
    free(k->processes);
    free(k->objects);
    free(k->object_index);
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
    return k->activations + (k->walking ? (uint64_t)(k->walk - k->walking->activations) + 1 : 0);
}
void kernel_set_delta_limit(struct kernel *k, uint64_t n) {
    invariant(n > 0, "a limit of no delta cycles");
    k->left = n;
    k->limit = n;
}

struct process *process_running(const struct kernel *k) {
    if (k->running) return k->running;
    if (k->direct) return k->direct->detail->changed->listeners[0];
    return k->walking ? k->walking->listeners[k->walk - k->walking->activations] : NULL;
}

static bool is_queued(const struct kernel *k) {
    return k->head != k->tail || k->updates.end != k->written || k->delta_count;
}

static sim_time next_timed(const struct kernel *k) {
    const sim_time next = timed_queue_next(&k->timed);
    return next < k->next_edge ? next : k->next_edge;
}

/* Returns whether more work is to run now, besides the running process. */
static bool is_busy(const struct kernel *k) {
    return is_queued(k) || (k->walking && k->walk + 1 < k->walk_end);
}

sim_time kernel_next_time(const struct kernel *k) {
    return is_busy(k) ? k->now : next_timed(k);
}

/* --- stopping --- */

void kernel_pause(struct kernel *k) {
    if (k->stop == STOP_NOT) k->stop = STOP_PAUSE;
}
void kernel_stop(struct kernel *k) {
    if (k->stop != STOP_NOW) k->stop = STOP_CYCLE;
}
void kernel_stop_now(struct kernel *k) {
    k->stop = STOP_NOW;
    if (k->walking) k->walk_end = k->walk + 1;
}

static enum kernel_outcome stop(struct kernel *k) {
    if (k->stop == STOP_PAUSE) {
        k->stop = STOP_NOT;
        return KERNEL_PAUSED;
    }
    k->stopped = true;
    return KERNEL_STOPPED;
}

/* --- running --- */

static void initialize(struct kernel *k) {
    uint64_t most = k->process_count;
    for (const struct event *e = k->last_event; e; e = e->previous) most += e->count > 0;
    uint64_t size = 16;
    while (size < most) size *= 2;
    k->ring = calloc(size, sizeof *k->ring);
    require_memory(k->ring);
    for (uint64_t i = 0; k->process_count && i < size; i++)
        k->ring[i] = (uintptr_t)k->processes[0]; /* address to prefetch */
    k->mask = (uint32_t)(size - 1);
    k->initialized = true;
    kernel_create_stacks(k);
    for (uint32_t i = 0; i < k->process_count; i++) {
        struct process *p = k->processes[i];
        if (!p->initialize) continue;
        process_forget(p);
        process_make_runnable(k, p);
    }
}

struct process *kernel_single_out(struct kernel *k) {
    struct process *p = process_running(k);
    if (!p || k->running) return p;
    struct event *e = p->events[0];
    if (k->walking) { /* the remaining members keep their place before all others */
        k->activations += (uint64_t)(k->walk - e->activations) + 1;
        for (uint32_t i = e->count - 1; e->listeners[i] != p; i--) {
            e->listeners[i]->state |= PROCESS_RUNNABLE;
            k->ring[--k->head & k->mask] = (uintptr_t)e->listeners[i];
        }
        k->walk_end = k->walk + 1;
        k->walking = NULL;
        e->queued = QUEUED_NOT;
    }
    k->direct = NULL;
    k->running = p;
    p->state |= PROCESS_RUNNING;
    p->since = k->now;
    event_dissolve_group(e);
    return p;
}

/* Ends the activation of a group's member that was singled out. */
static void finish_singled_out(struct kernel *k) {
    process_finish(k->running);
    k->running = NULL;
}

static void run_group(struct kernel *k, struct event *e) {
    struct activation *const begin = e->count == 1 ? &e->first : e->activations, *a = begin;
    e->queued = QUEUED_WALKING;
    e->ran_at = k->now;
    k->walk_end = a + e->count;
    k->walking = e;
    do {
        k->walk = a;
        a->function(a->context);
        a++;
    } while (a < k->walk_end);
    if (__builtin_expect(!k->walking, 0)) {
        finish_singled_out(k);
        return;
    }
    e->queued = QUEUED_NOT;
    k->activations += (uint64_t)(a - begin);
    k->walking = NULL;
}

static void run_process(struct kernel *k, struct process *p) {
    if (p->is_thread) {
        thread_enter(k, p);
        return;
    }
    process_begin(k, p);
    p->activation.function(p->activation.context);
    process_finish(p);
    k->running = NULL;
}

/* Runs the processes that are runnable now. They may make others runnable, and threads may begin another
 * generation. */
static void run_generation(struct kernel *k) {
    k->left--;
    k->ran = true;
    k->end = k->tail;
    while (k->head != k->end && k->stop != STOP_NOW) {
        const uintptr_t entry = k->ring[k->head++ & k->mask];
        if (entry & 1)
            run_group(k, (struct event *)(entry - 1)); // NOLINT(performance-no-int-to-ptr)
        else
            run_process(k, (struct process *)entry); // NOLINT(performance-no-int-to-ptr)
    }
}

/* Notifies: delta notifications first, then those of signals, each in the order of their requests. */
void kernel_notify(struct kernel *k) {
    for (uint32_t i = 0; i < k->delta_count; i++) {
        struct notification *n = k->deltas[i];
        if (!n) continue;
        n->kind = NOTIFY_NOTHING;
        notification_fire(k, n);
    }
    k->delta_count = 0;
    if (k->updates.end != k->written) kernel_update_signals(k);
}

/* Returns the only written signal, if its change makes one method runnable and has no other effect; else
 * NULL. */
static struct signal *one_written(struct kernel *k) {
    if (k->updates.end != k->written + 1 || k->delta_count || k->stop || k->left <= LOOP_SEEN) return NULL;
    struct signal *s = k->written[0];
    return s->listening == LISTENING_ONE && s->next != s->value ? s : NULL;
}

/* Runs update, notification and the following evaluation for such a signal. */
static void run_direct(struct kernel *k, struct signal *s) {
    k->updates.end = k->written;
    s->pending = 0;
    s->value = s->next;
    s->changed_at = k->now;
    s->changed_cycle = (uint32_t)k->cycles;
    k->left--;
    k->ran = true;
    k->activations++;
    k->direct = s;
    s->function(s->context);
    if (__builtin_expect(k->running != NULL, 0)) finish_singled_out(k);
    k->direct = NULL;
}

/* Runs one delta cycle or several. A generation of immediate notifications counts as one for the limit,
 * because generations can loop, too. Returns false if the limit was reached. */
static bool run_cycle(struct kernel *k) {
    struct signal *s;
    do {
        while (k->head != k->tail) {
            if (__builtin_expect(k->left <= LOOP_SEEN, 0)) {
                if (!k->left) return false;
                kernel_record_runnable(k);
            }
            run_generation(k);
            if (k->stop == STOP_NOW) return true;
        }
        if (__builtin_expect(!k->grouped, 0)) kernel_form_groups(k);
        k->cycles += k->ran;
        k->ran = false;
        s = one_written(k);
        if (s) run_direct(k, s);
    } while (s);
    kernel_notify(k);
    return true;
}

/* Prefetches the context of a process that a timed event will run soon. */
static void prefetch_context(const struct timed_queue *q) {
    const struct notification *n = q->near[q->head + TIMED_BLOCK];
    if (!n->is_process) __builtin_prefetch(((const struct event *)n)->first.context);
}

/* Returns the group that n triggers, if it is the only effect now; else NULL. */
static struct event *only_group(struct kernel *k, struct notification *n) {
    struct event *e = (struct event *)n;
    const bool only = !n->is_process && e->group && e->count == 1 && !e->waiting;
    return only && timed_queue_next(&k->timed) != k->now && !k->stop ? e : NULL;
}

/* Runs a group that is the only runnable one, without the queue. */
static void run_only_group(struct kernel *k, struct event *e) {
    k->left--;
    k->ran = true;
    run_group(k, e);
}

static void advance_to(struct kernel *k, sim_time time) {
    struct event *only;
    if (time != k->now) k->left = k->limit;
    k->now = time;
    if (k->next_edge == time) {
        only = kernel_step_clocks(k);
    } else {
        struct notification *n = timed_queue_pop(&k->timed);
        only = only_group(k, n);
        if (only)
            prefetch_context(&k->timed);
        else
            notification_fire(k, n);
    }
    if (only)
        run_only_group(k, only);
    else
        while (timed_queue_next(&k->timed) == time) notification_fire(k, timed_queue_pop(&k->timed));
}

enum kernel_outcome kernel_run(struct kernel *k, sim_time until, struct error *e) {
    invariant(!process_running(k), "kernel_run() is called by a process");
    invariant(until >= k->now, "kernel_run() to %lu ps, but it is %lu ps", until, k->now);
    if (k->stopped) return KERNEL_STOPPED;
    k->until = until;
    if (!k->initialized) initialize(k);
    for (;;) {
        while (is_queued(k)) {
            if (k->stop) break;
            if (!run_cycle(k)) return kernel_report_loop(k, e);
        }
        k->cycles += k->ran; /* cycle without the queue */
        k->ran = false;
        if (k->stop) return stop(k);
        k->arrived = true;
        const sim_time next = next_timed(k);
        if (next > until || next == SIM_TIME_NEVER) {
            if (next == SIM_TIME_NEVER) return KERNEL_STARVED;
            k->now = until;
            k->left = k->limit;
            return KERNEL_REACHED;
        }
        advance_to(k, next);
    }
}

bool kernel_advance(struct kernel *k, sim_time t) {
    struct process *p = process_running(k);
    invariant(p && !p->is_thread, "kernel_advance() is called by no method");
    invariant(t >= k->now, "'%s' asks at %lu ps to run at %lu ps, which is past", p->name, k->now, t);
    if (is_busy(k) || k->stop || t > k->until) return false;
    if (t == k->now && k->left <= LOOP_SEEN) return false; /* the scheduler must count and record */
    kernel_single_out(k);
    const bool hears_clocks = p->edge_count && !p->sleeps;
    if (hears_clocks) process_set_sleep(p, true); /* same effect as process_next_trigger_at() */
    if (next_timed(k) <= t) {
        if (hears_clocks) process_set_sleep(p, false);
        return false;
    }
    process_forget(p);
    k->left = t == k->now ? k->left - 1 : k->limit - 1;
    k->now = t;
    p->since = t;
    k->cycles++;
    k->activations++;
    return true;
}

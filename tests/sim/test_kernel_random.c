/* Random programs of processes, events, signals and clocks, run by the kernel and by a naive model of the
 * same rules that keeps everything in unsorted arrays. Both must write the same log. The seed is printed;
 * LOCKSTEP_SEED=n repeats a run. */
#include "sim/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

enum { PROCESSES = 7, EVENTS = 5, SIGNALS = 3, CLOCKS = 2 };
enum {
    CLOCK_EVENTS = EVENTS,
    SIGNAL_EVENTS = CLOCK_EVENTS + 2 * CLOCKS,
    ALL_EVENTS = SIGNAL_EVENTS + 3 * SIGNALS
};

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Returns a name such as "clock3", unique within a kernel. */
static const char *numbered(const char *name, unsigned i) {
    static char text[32];
    snprintf(text, sizeof text, "%s%u", name, i);
    return text;
}

/* Structure of a program, drawn from the seed. */
struct program {
    uint64_t seed;
    bool sensitive[PROCESSES][ALL_EVENTS], initialize[PROCESSES];
    bool is_thread[PROCESSES];
    bool in_group[PROCESSES]; /* methods with a single event that no other method hears, and with rare
                               * requests */
    uint64_t numerator[CLOCKS], denominator[CLOCKS];
    sim_time longest; /* delay */
};

static void draw_group(struct program *g, uint64_t r) {
    const unsigned e = (unsigned)(r % ALL_EVENTS);
    for (unsigned p = 0; p < PROCESSES; p++) {
        g->sensitive[p][e] = false;
        if (mix(r + p) % 2) continue;
        memset(g->sensitive[p], 0, sizeof g->sensitive[p]);
        g->sensitive[p][e] = g->in_group[p] = true;
        g->is_thread[p] = false;
    }
}

static struct program draw(uint64_t seed) {
    struct program g = {.seed = seed};
    uint64_t r = mix(seed);
    for (int p = 0; p < PROCESSES; p++) {
        for (int e = 0; e < ALL_EVENTS; e++) g.sensitive[p][e] = (r = mix(r + 1)) % 7 == 0;
        g.initialize[p] = (r = mix(r + 1)) % 4 != 0;
    }
    for (int p = 0; p < PROCESSES; p++) g.is_thread[p] = (r = mix(r + 1)) % 3 == 0;
    if (mix(r + 3) % 2) draw_group(&g, mix(r + 4));
    for (int c = 0; c < CLOCKS; c++) {
        g.denominator[c] = 1 + (r = mix(r + 1)) % 9;
        g.numerator[c] = g.denominator[c] * (2 + mix(r) % 30) + mix(r + 7) % g.denominator[c];
    }
    g.longest = seed % 3 == 0 ? 3 : seed % 3 == 1 ? 40 : 2000; /* crowded and sparse in time */
    return g;
}

/* --- the naive model --- */

enum pending { NONE, DELTA, TIMED };
struct pend {
    enum pending kind;
    sim_time time;
    uint64_t sequence;
};

struct naive {
    sim_time now;
    uint64_t cycles, activations, sequence;
    struct pend event[ALL_EVENTS], timeout[PROCESSES];
    uint32_t waits_for[PROCESSES]; /* a bit for each event */
    bool wants_all[PROCESSES];
    uint64_t asked[PROCESSES];
    bool dynamic[PROCESSES], runnable[PROCESSES];
    int queue[PROCESSES], queued, running;
    uint64_t value[SIGNALS], next[SIGNALS], written[SIGNALS]; /* written: sequence, 0 if not */
    uint64_t edge[2 * CLOCKS];
};

/* --- a world runs the program either way --- */

struct world {
    struct program program;
    struct kernel *kernel; /* NULL: the naive model */
    struct naive naive;
    struct process *processes[PROCESSES];
    struct event *events[ALL_EVENTS];
    struct signal *signals[SIGNALS];
    uint64_t count[PROCESSES];
    char *log;
    size_t log_size;
    FILE *out;
};

struct body {
    struct world *world;
    int process;
};

static sim_time now(const struct world *w) {
    return w->kernel ? kernel_now(w->kernel) : w->naive.now;
}

static void make_runnable(struct naive *n, int p) {
    if (n->runnable[p]) return;
    n->runnable[p] = true;
    n->dynamic[p] = false;
    n->queue[n->queued++] = p;
}

static void trigger(struct world *w, int e) {
    struct naive *n = &w->naive;
    for (int p = 0; p < PROCESSES; p++)
        if (w->program.sensitive[p][e] && !n->dynamic[p] && p != n->running) make_runnable(n, p);
    uint64_t after = 0;
    for (;;) { /* waiting processes, in the order of requests */
        int first = -1;
        for (int p = 0; p < PROCESSES; p++)
            if (n->waits_for[p] >> e & 1 && p != n->running && n->asked[p] > after &&
                (first < 0 || n->asked[p] < n->asked[first]))
                first = p;
        if (first < 0) return;
        after = n->asked[first];
        n->waits_for[first] &= n->wants_all[first] ? ~(1u << e) : 0;
        if (n->waits_for[first]) continue;
        n->timeout[first].kind = NONE;
        make_runnable(n, first);
    }
}

static void set_delta(struct naive *n, struct pend *d) {
    *d = (struct pend){DELTA, 0, ++n->sequence};
}

static void do_notify(struct world *w, int e) {
    if (w->kernel) {
        event_notify(w->events[e]);
        return;
    }
    w->naive.event[e].kind = NONE;
    trigger(w, e);
}

static void do_notify_after(struct world *w, int e, sim_time delay) {
    struct naive *n = &w->naive;
    struct pend *d = &n->event[e];
    if (w->kernel)
        event_notify_after(w->events[e], delay);
    else if (d->kind == DELTA)
        return;
    else if (delay == 0)
        set_delta(n, d);
    else if (d->kind == NONE || d->time > n->now + delay)
        *d = (struct pend){TIMED, n->now + delay, ++n->sequence};
}

static void do_notify_delta(struct world *w, int e) {
    if (w->kernel)
        event_notify_delta(w->events[e]);
    else
        do_notify_after(w, e, 0);
}

static void do_cancel(struct world *w, int e) {
    if (w->kernel)
        event_cancel(w->events[e]);
    else
        w->naive.event[e].kind = NONE;
}

static void do_next_trigger(struct world *w, int p, int e) {
    struct naive *n = &w->naive;
    if (w->kernel) {
        process_next_trigger(w->processes[p], w->events[e]);
        return;
    }
    n->dynamic[p] = true;
    n->timeout[p].kind = NONE;
    n->waits_for[p] = 1u << e;
    n->wants_all[p] = false;
    n->asked[p] = ++n->sequence;
}

static void do_next_trigger_after(struct world *w, int p, sim_time delay) {
    struct naive *n = &w->naive;
    if (w->kernel) {
        if (delay % 2)
            process_next_trigger_after(w->processes[p], delay);
        else
            process_next_trigger_at(w->processes[p], now(w) + delay);
        return;
    }
    n->dynamic[p] = true;
    n->waits_for[p] = 0;
    if (delay)
        n->timeout[p] = (struct pend){TIMED, n->now + delay, ++n->sequence};
    else
        set_delta(n, &n->timeout[p]);
}

/* Any or all of up to four events, perhaps with a timeout. */
static void do_next_trigger_list(struct world *w, int p, uint64_t r, sim_time delay) {
    struct naive *n = &w->naive;
    struct event *events[4];
    const unsigned count = 1 + r % 4;
    const bool all = mix(r) & 1, times_out = mix(r + 1) & 1;
    uint32_t set = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned e = (unsigned)(mix(r + 2 + i) % ALL_EVENTS);
        events[i] = w->events[e];
        set |= 1u << e;
    }
    const sim_time timeout = times_out ? delay : SIM_TIME_NEVER;
    if (w->kernel) {
        if (all)
            process_next_trigger_all(w->processes[p], events, count, timeout);
        else
            process_next_trigger_any(w->processes[p], events, count, timeout);
        return;
    }
    do_next_trigger_after(w, p, delay);
    if (!times_out) n->timeout[p].kind = NONE;
    n->waits_for[p] = set;
    n->wants_all[p] = all;
    n->asked[p] = ++n->sequence;
}

static void do_write(struct world *w, int s, uint64_t value) {
    struct naive *n = &w->naive;
    if (w->kernel) {
        signal_write(w->signals[s], value);
        return;
    }
    n->next[s] = value & 3;
    if (!n->written[s] && n->next[s] != n->value[s]) n->written[s] = ++n->sequence;
}

static uint64_t do_read(const struct world *w, int s) {
    return w->kernel ? signal_read(w->signals[s]) : w->naive.value[s];
}

static void do_something(struct world *w, int p, uint64_t r) {
    int e = (int)(mix(r) % EVENTS), any = (int)(mix(r + 1) % ALL_EVENTS), s = (int)(mix(r + 2) % SIGNALS);
    sim_time delay = mix(r + 3) % (w->program.longest + 1);
    const unsigned what = mix(r + 4) % 32;
    if (what >= 10 && what < 20 && w->program.in_group[p] && mix(r + 9) % 64) return;
    /* immediate notifications and zero delays are rare, otherwise time would not advance */
    switch (what) {
    case 0: do_notify(w, e); break;
    case 1: do_notify_delta(w, e); break;
    case 2: do_cancel(w, e); break;
    case 3: do_notify_after(w, any, delay); break;
    case 4: do_notify_delta(w, any); break;
    case 5:
    case 6:
    case 7:
    case 8:
    case 9: do_notify_after(w, e, delay + 1); break;
    case 10: do_next_trigger_after(w, p, delay); break;
    case 11:
    case 12:
    case 13: do_next_trigger_after(w, p, delay + 1); break;
    case 14:
    case 15: do_next_trigger_list(w, p, mix(r + 7), delay + 1); break;
    case 16:
    case 17: do_next_trigger(w, p, any); break;
    case 18:
    case 19: do_next_trigger(w, p, CLOCK_EVENTS + (int)(mix(r + 5) % (2 * CLOCKS))); break;
    case 20:
    case 21:
    case 22: do_write(w, s, mix(r + 6)); break;
    default: break;
    }
}

static void run_body(struct world *w, int p) {
    fprintf(w->out, "%lu:%d", now(w), p);
    for (int s = 0; s < SIGNALS; s++) fprintf(w->out, " %lu", do_read(w, s));
    fputc('\n', w->out);
    uint64_t r = mix(w->program.seed * 1000003 + (uint64_t)p * 7919 + w->count[p]++);
    for (int i = 0; i < 5; i++) do_something(w, p, r += 0x9e3779b97f4a7c15u);
}

static void kernel_body(void *context) {
    struct body *b = context;
    run_body(b->world, b->process);
}

/* The same as a thread, which waits where a method returns. */
static void thread_body(void *context) {
    struct body *b = context;
    for (;;) {
        run_body(b->world, b->process);
        process_wait(b->world->processes[b->process]);
    }
}

/* --- the naive scheduler --- */

static void time_out(struct naive *n, int p) {
    n->waits_for[p] = 0;
    make_runnable(n, p);
}

/* Fires pending notifications of a kind and time, in order of sequence. */
static void fire(struct world *w, enum pending kind, sim_time time) {
    struct naive *n = &w->naive;
    uint64_t limit = n->sequence;
    for (;;) {
        struct pend *first = NULL;
        int which = 0;
        for (int i = 0; i < ALL_EVENTS + PROCESSES; i++) {
            struct pend *d = i < ALL_EVENTS ? &n->event[i] : &n->timeout[i - ALL_EVENTS];
            if (d->kind == kind && (kind == DELTA || d->time == time) && d->sequence <= limit &&
                (!first || d->sequence < first->sequence))
                first = d, which = i;
        }
        if (!first) return;
        first->kind = NONE;
        if (which < ALL_EVENTS)
            trigger(w, which);
        else
            time_out(n, which - ALL_EVENTS);
    }
}

static void update(struct world *w) {
    struct naive *n = &w->naive;
    for (;;) {
        int s = -1;
        for (int i = 0; i < SIGNALS; i++)
            if (n->written[i] && (s < 0 || n->written[i] < n->written[s])) s = i;
        if (s < 0) return;
        n->written[s] = 0;
        uint64_t old = n->value[s];
        n->value[s] = n->next[s];
        bool happens[3] = {n->value[s] != old, !old && n->value[s], old && !n->value[s]};
        for (int i = 0; i < 3; i++) {
            if (!happens[i]) continue;
            n->event[SIGNAL_EVENTS + 3 * s + i].kind = NONE;
            trigger(w, SIGNAL_EVENTS + 3 * s + i);
        }
    }
}

static bool is_busy(const struct naive *n) {
    bool busy = n->queued > 0;
    for (int i = 0; i < ALL_EVENTS; i++) busy |= n->event[i].kind == DELTA;
    for (int i = 0; i < PROCESSES; i++) busy |= n->timeout[i].kind == DELTA;
    for (int i = 0; i < SIGNALS; i++) busy |= n->written[i] != 0;
    return busy;
}

static void naive_cycle(struct world *w) {
    struct naive *n = &w->naive;
    while (n->queued) {
        int p = n->queue[0];
        memmove(n->queue, n->queue + 1, (size_t)--n->queued * sizeof *n->queue);
        n->runnable[p] = false;
        n->running = p;
        n->activations++;
        run_body(w, p);
        n->running = -1;
    }
    n->cycles++;
    fire(w, DELTA, 0);
    update(w);
}

static sim_time edge_time(const struct world *w, int edge) {
    const struct program *g = &w->program;
    return (2 * w->naive.edge[edge] + (edge & 1)) * g->numerator[edge / 2] / (2 * g->denominator[edge / 2]);
}

static void naive_run(struct world *w, sim_time until) {
    struct naive *n = &w->naive;
    for (;;) {
        while (is_busy(n)) naive_cycle(w);
        sim_time next = SIM_TIME_NEVER;
        for (int i = 0; i < 2 * CLOCKS; i++)
            if (edge_time(w, i) < next) next = edge_time(w, i);
        for (int i = 0; i < ALL_EVENTS + PROCESSES; i++) {
            const struct pend *d = i < ALL_EVENTS ? &n->event[i] : &n->timeout[i - ALL_EVENTS];
            if (d->kind == TIMED && d->time < next) next = d->time;
        }
        if (next > until) return;
        n->now = next;
        for (int i = 0; i < 2 * CLOCKS; i++) {
            if (edge_time(w, i) != next) continue;
            n->edge[i]++;
            trigger(w, CLOCK_EVENTS + i);
        }
        fire(w, TIMED, next);
    }
}

/* --- both --- */

static void build_kernel(struct world *w, struct body *bodies) {
    const struct program *g = &w->program;
    struct kernel *k = w->kernel = kernel_create();
    for (int e = 0; e < EVENTS; e++) w->events[e] = event_create(k, numbered("event", (unsigned)e));
    for (int c = 0; c < CLOCKS; c++) {
        struct clock *clock =
            clock_create(k, numbered("clock", (unsigned)c), g->numerator[c], g->denominator[c]);
        w->events[CLOCK_EVENTS + 2 * c] = clock_posedge(clock);
        w->events[CLOCK_EVENTS + 2 * c + 1] = clock_negedge(clock);
    }
    for (int s = 0; s < SIGNALS; s++) {
        w->signals[s] = signal_create(k, numbered("signal", (unsigned)s), 2, 0);
        w->events[SIGNAL_EVENTS + 3 * s] = signal_changed(w->signals[s]);
        w->events[SIGNAL_EVENTS + 3 * s + 1] = signal_posedge(w->signals[s]);
        w->events[SIGNAL_EVENTS + 3 * s + 2] = signal_negedge(w->signals[s]);
    }
    for (int p = 0; p < PROCESSES; p++) {
        bodies[p] = (struct body){w, p};
        const char *name = numbered("process", (unsigned)p);
        w->processes[p] = g->is_thread[p] ? process_create_thread(k, name, thread_body, &bodies[p], 0)
                                          : process_create(k, name, kernel_body, &bodies[p]);
        if (!g->initialize[p]) process_dont_initialize(w->processes[p]);
        for (int e = 0; e < ALL_EVENTS; e++)
            if (g->sensitive[p][e]) process_sensitive(w->processes[p], w->events[e]);
    }
}

static void build_naive(struct world *w) {
    w->naive.running = -1;
    for (int p = 0; p < PROCESSES; p++) {
        if (w->program.initialize[p]) make_runnable(&w->naive, p);
    }
}

static void compare(uint64_t seed, uint64_t *activations) {
    struct world real = {.program = draw(seed)}, naive = {.program = draw(seed)};
    struct body bodies[PROCESSES];
    real.out = open_memstream(&real.log, &real.log_size);
    naive.out = open_memstream(&naive.log, &naive.log_size);
    build_kernel(&real, bodies);
    build_naive(&naive);
    struct error e = {0};
    const sim_time stops[] = {0, 1, 50, 51, 300, 1200, 3000};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        enum kernel_outcome o = kernel_run(real.kernel, stops[i], &e);
        naive_run(&naive, stops[i]);
        if (o == KERNEL_STARVED || o == KERNEL_DELTA_LIMIT) break;
    }
    fclose(real.out);
    fclose(naive.out);
    if (e.status) fail_msg("seed %lu: %s", seed, e.message);
    if (strcmp(real.log, naive.log)) {
        size_t i = 0;
        while (real.log[i] == naive.log[i]) i++;
        fail_msg("LOCKSTEP_SEED=%lu: the logs part at byte %zu:\n%.60s\n-- naive --\n%.60s", seed, i,
                 real.log + (i < 20 ? 0 : i - 20), naive.log + (i < 20 ? 0 : i - 20));
    }
    assert_int_equal(kernel_event_count(real.kernel), naive.naive.activations);
    assert_int_equal(kernel_delta_count(real.kernel), naive.naive.cycles);
    *activations += naive.naive.activations;
    kernel_destroy(real.kernel);
    free(real.log);
    free(naive.log);
}

static void test_random_programs(void **state) {
    (void)state;
    const char *given = getenv("LOCKSTEP_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) * 1000;
    uint64_t activations = 0;
    printf("seeds from %lu (LOCKSTEP_SEED=%lu repeats)\n", seed, seed);
    for (int i = 0; i < (given ? 1 : 1000); i++) compare(seed + (uint64_t)i, &activations);
    printf("%lu activations compared\n", activations);
    assert_true(given || activations > 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

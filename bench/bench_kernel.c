/* Speed of the event kernel: process activations per second of user CPU time, the median of five runs. */
#include "sim/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { REPEATS = 5, ROUNDS = 100 };
static const double seconds_each = 0.1;

/* A method of a workload; the fields it has no use for are zero. */
struct node {
    struct kernel *kernel;
    struct process *process;
    struct signal *in, *out;
    uint64_t state;
};

static double user_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static const char *numbered(const char *name, uint32_t i) {
    static char text[32];
    snprintf(text, sizeof text, "%s%u", name, i);
    return text;
}

static void pass_on(void *context) {
    struct node *n = context;
    signal_write(n->out, signal_read(n->in));
}

/* n methods on one 3 GHz clock pass a token round. */
static void build_ring(struct kernel *k, struct node *nodes, uint32_t n) {
    struct clock *clock = clock_create(k, "clock", 1000, 3);
    for (uint32_t i = 0; i < n; i++) nodes[i].out = signal_create(k, numbered("token", i), 1, i == 0);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].in = nodes[(i + n - 1) % n].out;
        struct process *p = process_create(k, numbered("node", i), pass_on, &nodes[i]);
        process_dont_initialize(p);
        process_sensitive(p, clock_posedge(clock));
    }
}

static void wait_at_random(void *context) {
    struct node *n = context;
    n->state = n->state * 6364136223846793005u + 1442695040888963407u;
    process_next_trigger_after(n->process, 1 + (n->state >> 44));
}

/* n processes wait for a random time, up to a microsecond, again and again: n timed events are pending. */
static void build_timers(struct kernel *k, struct node *nodes, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].state = i;
        nodes[i].process = process_create(k, numbered("timer", i), wait_at_random, &nodes[i]);
    }
}

/* The first of a chain changes what comes round, and lets the measurement go on after some rounds. */
static void change(void *context) {
    struct node *n = context;
    signal_write(n->out, !signal_read(n->in));
    if (++n->state % ROUNDS == 0) kernel_pause(n->kernel);
}

/* A change runs down n signals, one delta cycle each, and round again for ever. */
static void build_chain(struct kernel *k, struct node *nodes, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) nodes[i].out = signal_create(k, numbered("link", i), 1, 0);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i].kernel = k;
        nodes[i].in = nodes[(i + n - 1) % n].out;
        struct process *p = process_create(k, numbered("method", i), i ? pass_on : change, &nodes[i]);
        process_sensitive(p, signal_changed(nodes[i].in));
    }
    kernel_set_delta_limit(k, UINT64_MAX);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double measure(void (*build)(struct kernel *, struct node *, uint32_t), uint32_t n, sim_time slice) {
    struct kernel *k = kernel_create();
    struct node *nodes = calloc(n, sizeof *nodes);
    struct error e = {0};
    build(k, nodes, n);
    kernel_run(k, slice, &e);
    uint64_t before = kernel_event_count(k);
    double start = user_seconds(), spent;
    do {
        kernel_run(k, kernel_now(k) + slice, &e);
        spent = user_seconds() - start;
    } while (spent < seconds_each);
    double rate = (double)(kernel_event_count(k) - before) / spent;
    kernel_destroy(k);
    free(nodes);
    return rate;
}

int main(void) {
    static const struct {
        const char *name;
        void (*build)(struct kernel *, struct node *, uint32_t);
        uint32_t n;
        sim_time slice; /* ps simulated between two looks at the time */
    } workloads[] = {
        {"clocked ring", build_ring, 1, 100000000},     {"clocked ring", build_ring, 100, 1000000},
        {"clocked ring", build_ring, 10000, 10000},     {"timed events", build_timers, 10, 5000000000},
        {"timed events", build_timers, 1000, 50000000}, {"timed events", build_timers, 100000, 500000},
        {"delta chain", build_chain, 1000, 1},
    };
    printf("event kernel       size   M activations/s\n");
    for (size_t w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        double rates[REPEATS];
        for (int r = 0; r < REPEATS; r++)
            rates[r] = measure(workloads[w].build, workloads[w].n, workloads[w].slice);
        qsort(rates, REPEATS, sizeof *rates, compare);
        printf("%-14s %8u   %15.1f\n", workloads[w].name, workloads[w].n, rates[REPEATS / 2] / 1e6);
    }
    return 0;
}

/*
 * Speed of the event kernel: C twins of the SystemC programs in bench/systemc/, which do the same work and
 * print the same lines (`NAME N=… ops=… seconds=… rate=…`, user CPU seconds of the run itself; `# check=…` by
 * which scripts/bench-kernel sees that it was the same).
 *
 * usage: bench_kernel toggle N cycles | timed N events | chain N repetitions | pingpong N rounds
 * delta|immediate | arbiter cycles [N] | arbiter_plain cycles [N] arbiter is written in the kernel's idiom
 * (vectors of bits, no unpredictable branches), arbiter_plain as in SystemC. Without arguments all of them
 * run, shortly.
 */
#include "sim/kernel.h"
#include "sim/trace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double user_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static void report(const char *name, uint64_t n, uint64_t ops, double seconds) {
    printf("%s N=%lu ops=%lu seconds=%.4f rate=%.4g\n", name, n, ops, seconds,
           seconds > 0 ? (double)ops / seconds : 0.0);
}

static uint32_t xorshift32(uint32_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return *s;
}

static const char *numbered(const char *name, uint64_t i) {
    static char text[32];
    snprintf(text, sizeof text, "%s%lu", name, i);
    return text;
}

static void *allocate(uint64_t n, size_t size) {
    void *memory = calloc(n, size);
    require_memory(memory);
    return memory;
}

/* Runs all activity before a time, as sc_start() does. */
static void run_before(struct kernel *k, sim_time end) {
    struct error e = {0};
    kernel_run(k, end - 1, &e);
    invariant(e.status == EXIT_SOUND, "%s", e.message);
}

/* --- methods on a clock's rising edge, in a ring: each reads its neighbour and writes its own signal --- */

struct toggle {
    struct signal *in, *out;
};

static void toggle_step(void *context) {
    const struct toggle *t = context;
    signal_write(t->out, signal_read(t->in) + 1);
}

static void bench_toggle(uint64_t n, uint64_t cycles) {
    struct kernel *k = kernel_create();
    struct clock *clock = clock_create(k, "clk", 10 * SIM_NS, 1);
    struct toggle *t = allocate(n, sizeof *t);
    for (uint64_t i = 0; i < n; i++) t[i].out = signal_create(k, numbered("s", i), 32, 0);
    for (uint64_t i = 0; i < n; i++) {
        t[i].in = t[(i + n - 1) % n].out;
        struct process *p = process_create(k, numbered("m", i), toggle_step, &t[i]);
        process_dont_initialize(p);
        process_sensitive(p, clock_posedge(clock));
    }
    run_before(k, 100 * SIM_NS);
    const uint64_t before = kernel_event_count(k);
    const double start = user_seconds();
    run_before(k, 100 * SIM_NS + cycles * 10 * SIM_NS);
    const double seconds = user_seconds() - start;
    const uint64_t activations = kernel_event_count(k) - before;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) sum += signal_read(t[i].out);
    report("toggle_activations", n, activations, seconds);
    printf("# check=%lu\n", sum);
    kernel_destroy(k);
    free(t);
}

/* --- timed events that notify themselves again after a random delay --- */

struct timed {
    struct kernel *kernel;
    uint64_t fired, limit;
    uint32_t span;
};

struct source {
    struct timed *all;
    struct event *event;
    uint32_t seed;
};

static void rearm(struct source *s) {
    event_notify_after(s->event, 1 + xorshift32(&s->seed) % s->all->span);
}

static void fire(void *context) {
    struct source *s = context;
    if (++s->all->fired == s->all->limit) kernel_stop(s->all->kernel);
    rearm(s);
}

static void bench_timed(uint64_t n, uint64_t events) {
    struct timed all = {kernel_create(), 0, 0, 1u << 20};
    struct kernel *k = all.kernel;
    struct source *s = allocate(n, sizeof *s);
    uint32_t seed = 0x9e3779b9u;
    for (uint64_t i = 0; i < n; i++) {
        s[i] = (struct source){&all, event_create(k, numbered("event", i)), xorshift32(&seed) | 1u};
        struct process *p = process_create(k, numbered("m", i), fire, &s[i]);
        process_dont_initialize(p);
        process_sensitive(p, s[i].event);
        rearm(&s[i]);
    }
    run_before(k, all.span);
    const uint64_t before = all.fired;
    all.limit = before + events;
    const double start = user_seconds();
    run_before(k, SIM_TIME_NEVER);
    report("timed_events", n, all.fired - before, user_seconds() - start);
    /* SystemC does not count the delta cycle in which it is stopped */
    printf("# deltas=%lu\n# time_ps=%lu\n", kernel_delta_count(k) - 1, kernel_now(k));
    kernel_destroy(k);
    free(s);
}

/* --- combinational methods in a chain: each change of its head ripples down it, a delta cycle each --- */

struct head {
    struct process *process;
    struct signal *out;
    uint64_t value;
};

static void head_tick(void *context) {
    struct head *h = context;
    signal_write(h->out, ++h->value);
    process_next_trigger_after(h->process, SIM_NS);
}

static void bench_chain(uint64_t n, uint64_t repetitions) {
    struct kernel *k = kernel_create();
    struct toggle *m = allocate(n, sizeof *m);
    struct signal **s = allocate(n + 1, sizeof(struct signal *));
    for (uint64_t i = 0; i <= n; i++) s[i] = signal_create(k, numbered("s", i), 32, 0);
    for (uint64_t i = 0; i < n; i++) {
        m[i] = (struct toggle){s[i], s[i + 1]};
        process_sensitive(process_create(k, numbered("m", i), toggle_step, &m[i]), signal_changed(s[i]));
    }
    struct head h = {.out = s[0]};
    h.process = process_create(k, "h", head_tick, &h);
    run_before(k, 10 * SIM_NS);
    const uint64_t before = kernel_delta_count(k);
    const double start = user_seconds();
    run_before(k, 10 * SIM_NS + repetitions * SIM_NS);
    report("chain_deltas", n, kernel_delta_count(k) - before, user_seconds() - start);
    printf("# check=%lu\n", signal_read(s[n]));
    kernel_destroy(k);
    free(s);
    free(m);
}

/* --- pairs of threads that hand a token back and forth --- */

struct pingpong {
    struct kernel *kernel;
    uint64_t switches, limit;
    bool immediate;
};

struct pair {
    struct pingpong *all;
    struct process *ping, *pong;
    struct event *a, *b;
};

static void wake(const struct pair *p, struct event *e) {
    if (p->all->immediate)
        event_notify(e);
    else
        event_notify_delta(e);
}

static void ping(void *context) {
    struct pair *p = context;
    for (;;) {
        process_wait_event(p->ping, p->a);
        if (++p->all->switches >= p->all->limit) kernel_stop_now(p->all->kernel);
        wake(p, p->b);
    }
}

static void pong(void *context) {
    struct pair *p = context;
    for (;;) {
        process_wait_event(p->pong, p->b);
        ++p->all->switches;
        wake(p, p->a);
    }
}

static void serve(void *context) {
    struct pair *p = context;
    wake(p, p->a);
}

static void bench_pingpong(uint64_t n, uint64_t rounds, bool immediate) {
    struct pingpong all = {kernel_create(), 0, rounds * 2 * n, immediate};
    struct kernel *k = all.kernel;
    struct pair *p = allocate(n, sizeof *p);
    kernel_set_delta_limit(k, UINT64_MAX);
    for (uint64_t i = 0; i < n; i++) {
        scope_enter(k, numbered("m", i));
        p[i] = (struct pair){.all = &all, .a = event_create(k, "a"), .b = event_create(k, "b")};
        p[i].ping = process_create_thread(k, "ping", ping, &p[i], 0);
        p[i].pong = process_create_thread(k, "pong", pong, &p[i], 0);
        struct event *go = event_create(k, "go");
        struct process *start = process_create(k, "start", serve, &p[i]);
        process_dont_initialize(start);
        process_sensitive(start, go);
        event_notify_after(go, SIM_NS);
        scope_leave(k);
    }
    const double start = user_seconds();
    run_before(k, SIM_TIME_NEVER);
    report(immediate ? "pingpong_immediate" : "pingpong_delta", n, all.switches, user_seconds() - start);
    kernel_destroy(k);
    free(p);
}

/* --- requesters and a round-robin arbiter, register-transfer style --- */

struct arbiter {
    struct kernel *kernel;
    struct clock *clock;
    struct signal *rst, *ptr, *win; /* pointer register; winner (n: none) */
    struct signal *req, *gnt;       /* a bit for each requester; in the plain form: */
    struct signal **reqs, **gnts;
    unsigned n;
};

struct requester {
    const struct arbiter *arbiter;
    struct signal *served, *req, *gnt;
    uint32_t lfsr;
    unsigned number;
};

static void requester_seq(void *context) {
    struct requester *q = context;
    const struct arbiter *a = q->arbiter;
    if (signal_read(a->rst)) {
        signal_write_bit(a->req, q->number, false);
        signal_write(q->served, 0);
        return;
    }
    const uint32_t r = xorshift32(&q->lfsr);
    const uint64_t req = signal_read(a->req) >> q->number & 1;
    const uint64_t granted = req & signal_read(a->gnt) >> q->number;
    const uint64_t next = granted ? r & 1 : req | ((r & 15) == 0);
    signal_write_bit(a->req, q->number, next);
    signal_write(q->served, signal_read(q->served) + granted);
}

static void arbiter_comb(void *context) {
    const struct arbiter *a = context;
    const uint64_t req = signal_read(a->req), p = signal_read(a->ptr);
    const uint64_t turned = req >> p | req << (a->n - p); /* from the pointer on, then all again */
    const uint64_t first = p + (uint64_t)__builtin_ctzl(turned | UINT64_C(1) << 63);
    const uint64_t w = req ? first - (first >= a->n ? a->n : 0) : a->n;
    signal_write(a->gnt, UINT64_C(1) << w); /* bit n is none of its bits */
    signal_write(a->win, w);
}

static void arbiter_seq(void *context) {
    const struct arbiter *a = context;
    if (signal_read(a->rst)) {
        signal_write(a->ptr, 0);
        return;
    }
    const uint64_t w = signal_read(a->win), next = w + 1 == a->n ? 0 : w + 1;
    signal_write(a->ptr, w < a->n ? next : signal_read(a->ptr));
}

static void plain_requester_seq(void *context) {
    struct requester *q = context;
    if (signal_read(q->arbiter->rst)) {
        signal_write(q->req, 0);
        signal_write(q->served, 0);
        return;
    }
    const uint32_t r = xorshift32(&q->lfsr);
    if (signal_read(q->req)) {
        if (signal_read(q->gnt)) {
            signal_write(q->req, r & 1);
            signal_write(q->served, signal_read(q->served) + 1);
        }
    } else if ((r & 15) == 0) {
        signal_write(q->req, 1);
    }
}

static void plain_arbiter_comb(void *context) {
    const struct arbiter *a = context;
    const unsigned p = (unsigned)signal_read(a->ptr);
    unsigned w = a->n;
    for (unsigned k = 0; k < a->n; ++k) {
        unsigned i = p + k;
        if (i >= a->n) i -= a->n;
        if (signal_read(a->reqs[i])) {
            w = i;
            break;
        }
    }
    for (unsigned i = 0; i < a->n; ++i) signal_write(a->gnts[i], i == w);
    signal_write(a->win, w);
}

static void plain_arbiter_seq(void *context) {
    const struct arbiter *a = context;
    if (signal_read(a->rst)) {
        signal_write(a->ptr, 0);
        return;
    }
    const uint64_t w = signal_read(a->win);
    if (w < a->n) signal_write(a->ptr, w + 1 == a->n ? 0 : w + 1);
}

static void make_clocked(struct arbiter *a, const char *name, process_function *f, void *context) {
    struct process *p = process_create(a->kernel, name, f, context);
    process_dont_initialize(p);
    process_sensitive(p, clock_posedge(a->clock));
}

static void make_signals(struct arbiter *a, bool plain) {
    struct kernel *k = a->kernel;
    a->clock = clock_create(k, "clk", 10 * SIM_NS, 1);
    a->rst = signal_create(k, "rst", 1, 0);
    if (!plain) {
        a->req = signal_create(k, "req", a->n, 0);
        a->gnt = signal_create(k, "gnt", a->n, 0);
    }
    for (unsigned i = 0; plain && i < a->n; i++) {
        a->reqs[i] = signal_create(k, numbered("req", i), 1, 0);
        a->gnts[i] = signal_create(k, numbered("gnt", i), 1, 0);
    }
    scope_enter(k, "arb");
    a->ptr = signal_create(k, "ptr", 32, 0);
    a->win = signal_create(k, "win", 32, 0);
    scope_leave(k);
}

static void make_processes(struct arbiter *a, struct requester *q, bool plain) {
    uint32_t seed = 0x2545f491u;
    for (unsigned i = 0; i < a->n; i++) {
        q[i] = (struct requester){a,
                                  signal_create(a->kernel, numbered("served", i), 32, 0),
                                  a->reqs[i],
                                  a->gnts[i],
                                  xorshift32(&seed) | 1u,
                                  i};
        make_clocked(a, numbered("w", i), plain ? plain_requester_seq : requester_seq, &q[i]);
    }
    struct process *comb = process_create(a->kernel, "comb", plain ? plain_arbiter_comb : arbiter_comb, a);
    process_sensitive(comb, signal_changed(a->ptr));
    if (!plain) process_sensitive(comb, signal_changed(a->req));
    for (unsigned i = 0; plain && i < a->n; i++) process_sensitive(comb, signal_changed(a->reqs[i]));
    make_clocked(a, "seq", plain ? plain_arbiter_seq : arbiter_seq, a);
}

/* A clock of SystemC takes a delta cycle for itself at each of its edges, in which its value changes; ours
 * takes none. They are counted here as well, so that the number can be compared. */
static uint64_t deltas_of_clock(uint64_t cycles) {
    return 2 * cycles;
}

static struct trace *open_trace(struct kernel *k, const char *path) {
    struct error e = {0};
    struct trace *t = path ? trace_open(path, NULL, &e) : NULL;
    if (t) trace_attach(t, k, "*", TRACE_DECIMAL);
    invariant(e.status == EXIT_SOUND, "%s", e.message);
    return t;
}

static void close_trace(struct trace *t) {
    struct error e = {0};
    invariant(!t || trace_close(t, &e), "%s", e.message);
}

static void bench_arbiter(uint64_t cycles, const char *path, bool plain) {
    enum { n = 16 };
    struct signal *reqs[n] = {0}, *gnts[n] = {0};
    struct arbiter a = {.kernel = kernel_create(), .reqs = reqs, .gnts = gnts, .n = n};
    struct requester q[n];
    make_signals(&a, plain);
    make_processes(&a, q, plain);
    struct trace *trace = open_trace(a.kernel, path);
    signal_write(a.rst, 1);
    run_before(a.kernel, 100 * SIM_NS);
    const uint64_t before = kernel_delta_count(a.kernel);
    const double start = user_seconds();
    signal_write(a.rst, 0);
    run_before(a.kernel, 100 * SIM_NS + cycles * 10 * SIM_NS);
    close_trace(trace);
    const double seconds = user_seconds() - start;
    uint64_t grants = 0;
    for (unsigned i = 0; i < n; i++) grants += signal_read(q[i].served);
    report(plain ? "arbiter_plain" : path ? "arbiter_traced" : "arbiter", n, cycles, seconds);
    printf("# grants=%lu\n# deltas=%lu\n", grants,
           kernel_delta_count(a.kernel) - before + deltas_of_clock(cycles));
    kernel_destroy(a.kernel);
}

/* --- */

static void bench_all(void) {
    bench_toggle(1, 2000000);
    bench_toggle(100, 100000);
    bench_toggle(10000, 1000);
    bench_timed(10, 3000000);
    bench_timed(1000, 2000000);
    bench_timed(100000, 2000000);
    bench_chain(1000, 20000);
    bench_pingpong(1, 2000000, false);
    bench_pingpong(1, 2000000, true);
    bench_pingpong(1000, 2000, false);
    bench_arbiter(1000000, NULL, false);
    bench_arbiter(1000000, NULL, true);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0,
                   second = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;
    if (argc == 1)
        bench_all();
    else if (!strcmp(name, "toggle") && argc == 4)
        bench_toggle(first, second);
    else if (!strcmp(name, "timed") && argc == 4)
        bench_timed(first, second);
    else if (!strcmp(name, "chain") && argc == 4)
        bench_chain(first, second);
    else if (!strcmp(name, "pingpong") && argc == 5)
        bench_pingpong(first, second, !strcmp(argv[4], "immediate"));
    else if ((!strcmp(name, "arbiter") || !strcmp(name, "arbiter_plain")) && argc >= 3)
        bench_arbiter(first, argc > 3 ? argv[3] : NULL, name[7]);
    else
        return fputs("bench_kernel: see the head of bench/bench_kernel.c for its arguments\n", stderr), 125;
    return 0;
}

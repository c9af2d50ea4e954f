/* partitioned_memory under random requests. Every load is answered once and not earlier than possible, every
 * store is accepted once. All times are equal whether the machine advances by single cycles, by the
 * lookahead, or from event to event. */
#include "tests/memory/gpu_fixture.h"

#include <inttypes.h>

#define MOST_TAGS 4000

enum steps { STEPS_LONGEST, STEPS_OF_ONE, STEPS_RANDOM, STEPS_IDLE, STEP_KINDS };

static const char *const step_names[] = {"as long as may be", "of one cycle", "of random length",
                                         "from event to event"};

/* A cluster: makes requests at random times, and repeats each in the next cycle if it is refused. */
struct client {
    struct seed seed, steps;
    uint64_t next; /* the cycle of its next request */
    unsigned made, waiting, stores, in_burst;
    struct cache_request request; /* the refused or next request */
    bool again;
    uint64_t asked[MOST_TAGS], data[MOST_TAGS], taken[MOST_TAGS]; /* cycles of events; 0: not yet */
    bool joined[MOST_TAGS];
};

static struct client client[GPU_CLUSTERS];
static unsigned requests, spread, gap, kinds;
static uint64_t refused;

static struct cache_request random_request(struct client *c) {
    static const uint8_t kind[] = {CACHE_LOAD,          CACHE_LOAD,           CACHE_STORE,
                                   CACHE_PRIVATE_STORE, CACHE_EXCLUSIVE_LOAD, CACHE_EXCLUSIVE_STORE};
    struct cache_request r = {.bytes = 4, .kind = kind[seed_below(&c->seed, kinds)], .tag = c->made};
    r.address = 4 * seed_below(&c->seed, spread);
    if (r.kind == CACHE_PRIVATE_STORE) r.address += 0x40000000 + 0x1000000 * (uint32_t)(c - client);
    return r;
}

static void set_next(struct client *c, uint64_t cycle) {
    if (c->in_burst) {
        --c->in_burst;
        c->next = cycle + 1;
    } else {
        c->in_burst = seed_below(&c->seed, 60);
        c->next = cycle + 1 + seed_below(&c->seed, gap);
    }
}

static void take_answers(unsigned n, uint64_t cycle) {
    struct client *c = &client[n];
    struct memory_answer a;
    while (cycle && cluster_port_answer(partitioned_memory_port(gpu_memory, n), cycle - 1, &a)) {
        assert_int_equal(a.cycle, cycle - 1); /* no answer has been missed */
        if (a.kind == ANSWER_TAKEN) {
            assert_int_equal(c->taken[a.tag], 0);
            c->taken[a.tag] = a.cycle;
            --c->stores;
            continue;
        }
        const uint32_t *waiting;
        const unsigned count = non_blocking_cache_fill(&gpu_l1d[n], &a, &waiting);
        for (unsigned w = 0; w < count; ++w) {
            assert_int_equal(c->data[waiting[w]], 0);
            c->data[waiting[w]] = a.cycle;
            --c->waiting;
        }
    }
}

static void run_cycle(unsigned n, uint64_t cycle) {
    struct client *c = &client[n];
    take_answers(n, cycle);
    if (c->made == requests || cycle < c->next) return;
    if (!c->again) c->request = random_request(c);
    const uint64_t merged = gpu_l1d[n].merged;
    uint64_t done;
    const enum cache_result r = non_blocking_cache_request(&gpu_l1d[n], &c->request, cycle, &done);
    c->again = r > CACHE_MISS;
    refused += c->again;
    if (c->again) {
        c->next = cycle + 1;
        return;
    }
    c->asked[c->made] = cycle;
    c->joined[c->made] = gpu_l1d[n].merged != merged;
    c->waiting += r == CACHE_MISS;
    c->stores += c->request.kind == CACHE_STORE;
    if (r == CACHE_HIT && c->request.kind != CACHE_STORE) c->data[c->made] = done;
    ++c->made;
    set_next(c, cycle);
}

/* Returns the first cycle from `now` on in which a cluster acts, as far as it can know. */
static uint64_t next_cycle(unsigned n, uint64_t now) {
    const struct client *c = &client[n];
    uint64_t next = cluster_port_next(partitioned_memory_port(gpu_memory, n));
    if (next != UINT64_MAX) ++next;
    if (c->made < requests && c->next < next) next = c->next;
    return next < now ? now : next;
}

/* Runs cycles [from, to) of all clusters. */
static void run_cycles(uint64_t from, uint64_t to) {
    for (unsigned n = 0; n < gpu_config.cluster.count; ++n)
        for (uint64_t cycle = from; cycle < to; ++cycle) run_cycle(n, cycle);
}

static bool are_done(void) {
    for (unsigned n = 0; n < gpu_config.cluster.count; ++n)
        if (client[n].made < requests || client[n].waiting || client[n].stores) return false;
    return true;
}

static void run(enum steps steps, uint64_t seed) {
    const uint64_t lookahead = partitioned_memory_lookahead(gpu_memory);
    struct seed lengths = {.state = seed};
    uint64_t now = 0;
    memset(client, 0, sizeof client);
    for (unsigned n = 0; n < gpu_config.cluster.count; ++n) client[n].seed.state = seed + 77 * n;
    while (!are_done()) {
        assert_true(now < 50000000);
        uint64_t length = lookahead;
        if (steps == STEPS_OF_ONE) length = 1;
        if (steps == STEPS_RANDOM) length = 1 + seed_below(&lengths, (unsigned)lookahead);
        if (steps == STEPS_IDLE) {
            uint64_t next = UINT64_MAX;
            for (unsigned n = 0; n < gpu_config.cluster.count; ++n)
                if (next_cycle(n, now) < next) next = next_cycle(n, now);
            if (next == UINT64_MAX) next = now + 100000;
            if (next > now) {
                const uint64_t to = partitioned_memory_idle(gpu_memory, next);
                assert_in_range(to, now, next);
                if (to == now) assert_int_equal(partitioned_memory_next_event(gpu_memory), UINT64_MAX);
                now = to == now ? next : to;
                continue;
            }
        }
        run_cycles(now, now + length);
        partitioned_memory_advance(gpu_memory, now += length);
    }
}

/* Returns the earliest cycle at whose end a load, at the L1D in `cycle`, has its data: with the line in the
 * L2 and no other traffic (latency_model.py). */
static uint64_t soonest(uint64_t cycle) {
    const uint64_t core = gpu_config.clock_mhz, icnt = gpu_config.icnt.clock_mhz;
    uint64_t i = ((cycle + gpu_config.l1d.latency_cycles) * icnt + core - 1) / core;
    i += gpu_config.icnt.latency_cycles + gpu_config.l2.latency_cycles + 1 + gpu_config.icnt.latency_cycles;
    return ((i + 1) * core + icnt - 1) / icnt - 1; /* a flit of a reply at least */
}

static void check_answers(void) {
    for (unsigned n = 0; n < gpu_config.cluster.count; ++n)
        for (unsigned t = 0; t < requests; ++t) {
            const struct client *c = &client[n];
            const bool from_l2 = c->data[t] >= c->asked[t] + gpu_config.l1d.latency_cycles;
            assert_true(c->data[t] || c->taken[t] || c->asked[t] == 0);
            assert_false(c->data[t] && c->taken[t]);
            if (c->data[t] && from_l2 && !c->joined[t]) assert_true(c->data[t] >= soonest(c->asked[t]));
        }
}

/* Runs the same requests with all kinds of steps. */
static void compare_steps(uint64_t seed) {
    static struct client first[GPU_CLUSTERS];
    uint64_t first_refused = 0;
    for (enum steps steps = 0; steps < STEP_KINDS; ++steps) {
        gpu_create();
        refused = 0;
        run(steps, seed);
        check_answers();
        if (steps == 0) {
            memcpy(first, client, sizeof first);
            first_refused = refused;
        }
        for (unsigned n = 0; n < gpu_config.cluster.count; ++n)
            for (unsigned t = 0; t < requests; ++t) {
                if (first[n].data[t] == client[n].data[t] && first[n].taken[t] == client[n].taken[t])
                    continue;
                fail_msg("steps %s: cluster %u, request %u: data %" PRIu64 " and %" PRIu64 ", taken %" PRIu64
                         " and %" PRIu64,
                         step_names[steps], n, t, first[n].data[t], client[n].data[t], first[n].taken[t],
                         client[n].taken[t]);
            }
        assert_int_equal(refused, first_refused);
        gpu_destroy();
    }
}

static void set(const char *setting) {
    struct error e = {0};
    if (!config_set(&machine_config_table, &gpu_config, setting, &e)) fail_msg("%s", e.message);
}

static void set_number(const char *field, unsigned value) {
    char setting[64];
    snprintf(setting, sizeof setting, "%s=%u", field, value);
    set(setting);
}

/* Small things of any size, so that all of them fill up. */
static void random_machine(struct seed *s) {
    static const char *const *const machines[] = {gtx285_like, fermi_like, gt640_like};
    gpu_set(machines[seed_below(s, 3)]);
    set_number("cluster.count", 1 + seed_below(s, 8));
    set_number("cluster.clock_mhz", 100 + seed_below(s, 2000));
    set_number("icnt.clock_mhz", 100 + seed_below(s, 2000));
    set_number("dram.clock_mhz", 100 + seed_below(s, 2000));
    set_number("icnt.share", 1 + seed_below(s, 4));
    set_number("icnt.queue", 1 + seed_below(s, 10));
    set_number("icnt.latency", 1 + seed_below(s, 8));
    set_number("l1d.mshrs", 1 + seed_below(s, 40));
    set_number("l1d.latency", 1 + seed_below(s, 6));
    set_number("l1d.size", gpu_config.l1d.ways * gpu_config.l1d.line_bytes * (2 + seed_below(s, 4)));
    set_number("l2.size", gpu_config.l2.ways * gpu_config.l2.line_bytes * (1 + seed_below(s, 8)) * 2);
    set_number("l2.mshrs", 1 + seed_below(s, 20));
    set_number("l2.latency", 1 + seed_below(s, 60));
    set_number("dram.pipe", 1 + seed_below(s, 30));
    set_number("dram.queue", 1 + seed_below(s, 20));
    set_number("dram.channels", 1 + seed_below(s, 4));
}

static void times_do_not_depend_on_steps(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned run = 0; run < 60; ++run) {
        random_machine(&s);
        requests = 50 + seed_below(&s, 1000);
        spread = 64u << seed_below(&s, 12);
        gap = 1u << seed_below(&s, 12);
        kinds = 1 + seed_below(&s, 6);
        compare_steps(seed_next(&s));
    }
}

static void the_four_machines(void **state) {
    (void)state;
    struct seed s = seed_start();
    static const char *const *const machines[] = {gtx285_like, fermi_like, gt640_like};
    for (unsigned n = 0; n < 3; ++n) {
        gpu_set(machines[n]);
        requests = 1000;
        spread = 1u << 18;
        gap = 500;
        kinds = 6;
        compare_steps(seed_next(&s));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_do_not_depend_on_steps),
        cmocka_unit_test(the_four_machines),
    };
    return cmocka_run_group_tests_name("partitioned_memory, random", tests, NULL, NULL);
}

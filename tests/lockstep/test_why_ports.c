/* `lockstep why` of ports and flip-flops: the models repeat the machine's cycles, and causes are those bits
 * which change a signal. LOCKSTEP_LONG=1 tries 200 places instead of 12. */
#include "lockstep/why/block_causes.h"
#include "recording/causes.h"
#include "tests/fixture.h"
#include "tests/seed.h"

#include <stdlib.h>
#include <string.h>

struct ports {
    struct block_history h;
    struct block_model *m;
};

/* Records the ports of cluster 0 in some cycles of a program. */
static void record(struct ports *p, const char *settings, const char *program, unsigned first,
                   unsigned last) {
    char *blocks = fixture_path("blocks"), *folder = spawn_text("%s/rtl", spawn_source());
    char *options = spawn_text("--record t.lsr --record-blocks 0,%u:%u,simt_coprocessor,blocks", first, last);
    struct error e = {0};
    struct spawned s = fixture_run(NULL, settings, options, program);
    assert_status(&s, 0);
    spawn_free(&s);
    p->m = aligned_alloc(_Alignof(struct block_model), sizeof *p->m);
    assert_non_null(p->m);
    if (!block_history_read(&p->h, blocks, &e) || !block_model_open(p->m, &p->h, folder, &e))
        fail_msg("%s", e.message);
    free(options);
    free(folder);
    free(blocks);
}

static void release(struct ports *p) {
    block_model_free(p->m);
    free(p->m);
    block_history_free(&p->h);
}

/* A thousand cycles of reduction, with a barrier, for most tests. */
static struct ports *reduction(void) {
    static struct ports p;
    if (!p.m) record(&p, "", "benchmarks/reduction", 199000, 199999);
    return &p;
}

/* --- the models are the machine --- */

static bool is_register(const struct block_signal *s) {
    return s->kind == VERILOG_STATE || s->kind == VERILOG_MEMORY;
}

/* Goes to the next element of a signal. */
static bool next_element(const struct block_signal *s, struct block_bits *b) {
    if (++b->element < s->elements) return true;
    b->element = 0;
    return ++b->row < s->rows;
}

/* Copies all flip-flops and memories of the models. Returns their number. */
static size_t read_registers(const struct block_model *m, twin_value *value, size_t room) {
    size_t count = 0;
    for (unsigned n = 0; n < m->signals; ++n) {
        const struct block_signal *s = &m->signal[n];
        struct block_bits b = {.signal = n, .count = s->bits};
        if (!is_register(s)) continue;
        do {
            assert_true(count < room);
            value[count++] = block_model_get(m, &b);
        } while (next_element(s, &b));
    }
    return count;
}

/* Evaluation and edge of each cycle lead to the flip-flops of the next one. So the models have the wires of
 * the machine, which the Verilog of the co-processor is compared with (`--rtl check=simt_coprocessor`). */
static void assert_repeats(const struct ports *p) {
    enum { ROOM = 1 << 16 };
    twin_value *computed = calloc(ROOM, sizeof *computed), *is = calloc(ROOM, sizeof *is);
    size_t compared = 0;
    assert_true(computed && is);
    for (size_t n = 1; n < p->h.count; ++n) {
        if (!block_history_follows(&p->h, n)) continue;
        assert_true(block_model_run(p->m, n - 1, BLOCK_WHOLE, BLOCK_EDGE, NULL, 0));
        const size_t count = read_registers(p->m, computed, ROOM);
        assert_true(block_model_run(p->m, n, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0));
        assert_int_equal(read_registers(p->m, is, ROOM), count);
        assert_memory_equal(computed, is, count * sizeof *is);
        ++compared;
    }
    assert_true(compared > 500);
    free(computed);
    free(is);
}

static void test_models_repeat(void **state) {
    (void)state;
    static const struct {
        const char *settings, *program;
        unsigned first, last;
    } other[] = {{"", "tests/hosts/divergence", 0, 20000},
                 {"simt.scheduler=two_level simt.collectors=4", "benchmarks/bfs", 90000, 100000},
                 {"simt.pc_policy=min_pc simt.queue_entries=4", "benchmarks/mandelbrot", 50000, 60000}};
    assert_repeats(reduction());
    for (size_t n = 0; getenv("LOCKSTEP_LONG") && n < sizeof other / sizeof *other; ++n) {
        struct ports p;
        record(&p, other[n].settings, other[n].program, other[n].first, other[n].last);
        assert_repeats(&p);
        release(&p);
    }
}

/* --- causes --- */

/* Draws a signal that can have causes, and some of its bits. */
static struct block_bits random_bits(const struct block_model *m, struct seed *s) {
    struct block_bits b = {0};
    const struct block_signal *signal;
    do {
        b.signal = (unsigned)seed_below(s, (unsigned)m->signals);
        signal = &m->signal[b.signal];
    } while ((signal->block == BLOCK_WHOLE && signal->kind == VERILOG_INPUT) ||
             (signal->block != BLOCK_WHOLE && strncmp(signal->name, "start", 5) == 0));
    b.row = (unsigned)seed_below(s, signal->rows);
    b.element = (unsigned)seed_below(s, signal->elements);
    b.count = seed_below(s, 2) ? 1 : signal->bits;
    if (b.count == 1) b.first = (unsigned)seed_below(s, signal->bits);
    return b;
}

static bool changes(struct ports *p, const struct block_bits *of, size_t n, const struct block_bits *inverted,
                    unsigned count) {
    assert_true(block_causes_force(p->m, of, n, NULL, 0));
    const twin_value value = block_model_get(p->m, of);
    return block_causes_force(p->m, of, n, inverted, count) && block_model_get(p->m, of) != value;
}

static bool has(const struct block_causes *c, const struct block_bits *b) {
    for (unsigned n = 0; n < c->count; ++n)
        if (memcmp(&c->cause[n], b, sizeof *b) == 0) return true;
    return false;
}

/* A set changes the value, and does not without any one of its bits. */
static void assert_smallest(struct ports *p, const struct block_bits *of, size_t n, struct block_causes *c) {
    struct block_bits *set = c->cause + c->count, left[256];
    if (!c->together) return;
    assert_in_range(c->together, 1, 256);
    assert_true(changes(p, of, n, set, c->together));
    for (unsigned k = 0; k < c->together; ++k) {
        memcpy(left, set, k * sizeof *set);
        memcpy(left + k, set + k + 1, (c->together - k - 1) * sizeof *set);
        assert_false(changes(p, of, n, left, c->together - 1));
    }
}

/* Bits of the same kinds that are no causes do not change the value. */
static void assert_others_rest(struct ports *p, const struct block_bits *of, size_t n, struct block_causes *c,
                               struct seed *s) {
    for (unsigned k = 0; k < 50 && c->count; ++k) {
        struct block_bits b = c->cause[seed_below(s, c->count)];
        b.row = (unsigned)seed_below(s, p->m->signal[b.signal].rows);
        b.element = (unsigned)seed_below(s, p->m->signal[b.signal].elements);
        b.first = (unsigned)seed_below(s, p->m->signal[b.signal].bits);
        assert_int_equal(changes(p, of, n, &b, 1), has(c, &b));
    }
}

/* Finds a cycle in which the value begins, since there the causes are what has changed. */
static size_t random_cycle(struct ports *p, const struct block_bits *b, struct seed *s) {
    size_t n = 2 + seed_below(s, (unsigned)p->h.count - 2);
    block_model_run(p->m, n, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0);
    const twin_value value = block_model_get(p->m, b);
    for (size_t at = n; at > 2; --at) {
        block_model_run(p->m, at - 1, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0);
        if (block_model_get(p->m, b) != value) return at;
    }
    return n;
}

static void test_forced(void **state) {
    (void)state;
    struct seed s = seed_start();
    struct ports *p = reduction();
    unsigned places = getenv("LOCKSTEP_LONG") ? 200 : 12, explained = 0, sets = 0;
    const unsigned all = places;
    while (places--) {
        struct block_causes c;
        const struct block_bits of = random_bits(p->m, &s);
        const size_t n = random_cycle(p, &of, &s);
        block_causes_find(&c, p->m, &of, n);
        for (unsigned k = 0; k < c.count; ++k) assert_true(changes(p, &of, n, &c.cause[k], 1));
        assert_smallest(p, &of, n, &c);
        assert_others_rest(p, &of, n, &c, &s);
        explained += c.count + c.together > 0;
        sets += c.together > 0;
        block_causes_free(&c);
    }
    print_message("%u of %u places have causes, %u of them a set\n", explained, all, sets);
    assert_true(explained * 2 > all);
}

/* --- the scheduler by hand --- */

static unsigned signal_named(const struct block_model *m, unsigned block, const char *name) {
    for (unsigned n = 0; n < m->signals; ++n)
        if (m->signal[n].block == block && strcmp(m->signal[n].name, name) == 0) return n;
    fail_msg("no %s", name);
    return 0;
}

/* Round robin: the first ready warp after the last one, if A takes one. */
static unsigned grant_of(unsigned ready, unsigned take, unsigned last, unsigned warps) {
    for (unsigned n = 1; take && n <= warps; ++n)
        if (ready >> (last + n) % warps & 1) return 1u << (last + n) % warps;
    return 0;
}

/* The causes of a grant are the bits of ready_i, take_i and last_q that change it by the rule above;
 * stalled_i is none in round robin. */
static void test_scheduler_by_hand(void **state) {
    (void)state;
    struct ports *p = reduction();
    unsigned granted = 0;
    const unsigned warps = p->h.sizes.warps;
    const unsigned input = signal_named(p->m, BLOCK_SCHEDULER, "ready"),
                   take = signal_named(p->m, BLOCK_SCHEDULER, "take"),
                   last = signal_named(p->m, BLOCK_SCHEDULER, "last"),
                   grant = signal_named(p->m, BLOCK_SCHEDULER, "grant");
    for (size_t n = 1; n < p->h.count; n += 7) {
        const struct block_bits of = {.signal = grant, .count = warps};
        struct block_causes c;
        assert_true(block_model_run(p->m, n, BLOCK_WHOLE, BLOCK_EVALUATE, NULL, 0));
        const unsigned r = (unsigned)p->m->models.scheduler.in.ready, t = p->m->models.scheduler.in.take,
                       l = p->m->models.scheduler.q.round_robin.last, g = grant_of(r, t, l, warps);
        unsigned expected = 0;
        assert_int_equal((unsigned)block_model_get(p->m, &of), g);
        block_causes_find(&c, p->m, &of, n);
        for (unsigned w = 0; w < warps; ++w) {
            const struct block_bits b = {.signal = input, .first = w, .count = 1};
            assert_int_equal(has(&c, &b), grant_of(r ^ 1u << w, t, l, warps) != g);
            expected += grant_of(r ^ 1u << w, t, l, warps) != g;
        }
        for (unsigned k = 0; k < p->m->signal[last].bits; ++k) {
            const struct block_bits b = {.signal = last, .first = k, .count = 1};
            assert_int_equal(has(&c, &b), grant_of(r, t, l ^ 1u << k, warps) != g);
            expected += grant_of(r, t, l ^ 1u << k, warps) != g;
        }
        assert_int_equal(has(&c, &(struct block_bits){.signal = take, .count = 1}),
                         grant_of(r, !t, l, warps) != g);
        expected += grant_of(r, !t, l, warps) != g;
        assert_int_equal(c.count, expected);
        granted += g != 0;
        block_causes_free(&c);
    }
    assert_true(granted > 3);
}

/* --- the command --- */

/* The barrier opens in cycle 199,708, since the last warp commits its barrier instruction there
 * (machine.md §3): the threads are released in the cycle after it, and are Ready from 199,710 on. */
static void test_command(void **state) {
    (void)state;
    struct spawned s = fixture_run(NULL, "", "--record t.lsr", "benchmarks/reduction");
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("why", "thread_descriptor_table.ready_q[0]@199720", "t.lsr", "--depth", "6");
    assert_status(&s, 0);
    assert_string_equal(
        s.out,
        "in cycle 199,720 cluster0.thread_descriptor_table.ready_q[0] depends on this:\n"
        "       199,710  thread_descriptor_table.ready_q[0] = 0xffffffff: of "
        "thread_descriptor_table.release_i, "
        "thread_descriptor_table.barrier_q[0]\n"
        "       199,709  thread_descriptor_table.release_i = 1: of barrier_table.release_q\n"
        "       199,709  barrier_table.release_q = 1: of barrier_table.arrive_count_i[5], "
        "barrier_table.arrive_pc_i, barrier_table.live_q, barrier_table.waiting_q, barrier_table.pc_q, "
        "barrier_table.with_q and 2 more\n"
        "       199,708  barrier_table.arrive_count_i[5] = 1: of thread_descriptor_table.passed_q[0], "
        "thread_descriptor_table.operation_q[0], simt_coprocessor.commit_i[0]\n"
        "       199,708  simt_coprocessor.commit_i[0] = 1: the results of the warp's instruction\n"
        "       199,708  warp 0 commits (0x10084, line 20): its result is there\n");
    spawn_free(&s);
}

static void assert_refused(char *place, const char *says) {
    struct spawned s = LOCKSTEP("why", place, "t.lsr");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    spawn_free(&s);
}

static void assert_no_signal(const char *name, const char *says) {
    struct block_bits bits;
    struct error e = {0};
    assert_false(block_causes_parse(reduction()->m, name, &bits, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_says(e.message, says);
}

static void test_refusals(void **state) {
    (void)state;
    assert_no_signal("warp_scheduler.grants_o@5000",
                     "signals of warp_scheduler are ready_i, stalled_i, take_i, "
                     "valid_o, warp_o, grant_o, last_q");
    assert_no_signal("warp_scheduler.@5000", "signals of warp_scheduler are");
    assert_no_signal("warp_pc_arbiter.pc_i@5000",
                     "in brackets, an element of 0 to 31, and if wanted a bit of 0 to");
    assert_no_signal("warp_pc_arbiter.pc_i[32]@5000", "an element of 0 to 31");
    assert_no_signal("warp_pc_arbiter.pc_i[1][32]@5000", "a bit of 0 to 31");
    assert_no_signal("warp_scheduler.take_i[-1]@5000", "in brackets, a bit of 0 to 0");
    assert_no_signal("warp_scheduler.take_i[0@5000", "in brackets, a bit of 0 to 0");
    struct spawned s = fixture_run(NULL, "cluster.count=1", "--record t.lsr", "tests/hosts/vector_add");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_refused("warp_scheduler.ready_i@100", "no warp runs in these cycles");
    s = fixture_run("gtx285-like", "cluster.count=1", "--record t.lsr", "tests/hosts/vector_add");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_refused("thread_descriptor_table.live_o@20000", "is in machines with contexts tpm only");
}

static int end(void **state) {
    (void)state;
    if (reduction()->m) release(reduction());
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_models_repeat), TEST(test_forced),
                                       TEST(test_scheduler_by_hand), TEST(test_command), TEST(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, end);
}

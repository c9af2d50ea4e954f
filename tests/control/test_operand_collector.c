/* operand_collector by cycles counted by hand from timing.md §O; and a cluster with the block, cycle by
 * cycle, compared with one that computes ahead. */
#include "model/control/operand_collector.h"
#include "tests/seed.h"
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define R(d) (UINT64_C(1) << (d))

/* Expected outputs of a cycle: start, objects, lines, stall, done. */
struct expected {
    bool start;
    uint64_t objects;
    unsigned reads;
    bool stall, done;
};

static struct operand_collector o;
typedef struct operand_collector_in inputs;
typedef struct expected expect;

static void start(unsigned collectors, unsigned ports, unsigned latency, unsigned lines) {
    operand_collector_init(&o, &(struct operand_collector_config){collectors, ports, latency, lines});
}

/* Steps one cycle with an instruction of warp 3; omitted fields are 0. It is evaluated twice, since outputs
 * and next state depend only on inputs and state. */
static void cycle(inputs in, expect e) {
    in.warp = 3;
    o.in = in;
    const bool collecting = (operand_collector_eval(&o), o.q.busy || o.out.start);
    operand_collector_eval(&o);
    assert_int_equal(o.out.start, e.start);
    assert_int_equal(o.out.objects, e.objects);
    assert_int_equal(o.out.reads, e.reads);
    assert_int_equal(o.out.stall, e.stall);
    assert_int_equal(o.out.done, e.done);
    assert_int_equal(o.out.warp, collecting ? 3 : 0);
    operand_collector_clock(&o);
    assert_int_equal(o.q.busy, collecting && !e.done);
}

static void lines_are_read_in_batches(void **state) {
    (void)state;
    start(2, 1, 1, 1); /* the base machine */
    cycle((inputs){.valid = true, .sources = R(1) | R(13)}, (expect){true, R(1), 1, false, false});
    cycle((inputs){.valid = true}, (expect){false, R(13), 1, false, true});
    assert_int_equal(o.q.waiting, 1);
    start(2, 2, 1, 1); /* two ports: both in one cycle */
    cycle((inputs){.valid = true, .sources = R(1) | R(13)}, (expect){true, R(1) | R(13), 2, false, true});
    start(2, 2, 1, 1); /* three registers: two, then one */
    cycle((inputs){.valid = true, .sources = R(0) | R(2) | R(47)},
          (expect){true, R(0) | R(2), 2, false, false});
    cycle((inputs){.valid = false}, (expect){false, R(47), 1, false, true});
    start(2, 3, 1, 2); /* 4 lines: both of r4 and one of r5, then r5's other */
    cycle((inputs){.valid = true, .sources = R(4) | R(5)}, (expect){true, R(4) | R(5), 3, false, false});
    assert_int_equal(o.q.line, 1);
    cycle((inputs){.valid = false}, (expect){false, R(5), 1, false, true});
}

static void a_batch_takes_the_latency(void **state) {
    (void)state;
    start(2, 1, 3, 1);
    cycle((inputs){.valid = true, .sources = R(1) | R(2)}, (expect){true, R(1), 1, false, false});
    for (unsigned n = 0; n < 2; ++n) cycle((inputs){.valid = false}, (expect){false, R(1), 1, false, false});
    for (unsigned n = 0; n < 3; ++n) cycle((inputs){.valid = false}, (expect){false, R(2), 1, false, n == 2});
    /* Without operands: one cycle, whatever the latency. */
    cycle((inputs){.valid = true}, (expect){.start = true, .done = true});
    assert_int_equal(o.q.waiting, 2);
}

static void loads_go_first(void **state) {
    (void)state;
    start(2, 2, 2, 1);
    cycle((inputs){.valid = true, .sources = R(1) | R(2) | R(3), .taken = 1},
          (expect){.start = true, .stall = true});
    cycle((inputs){.taken = 0}, (expect){false, R(1) | R(2), 2, false, false});
    cycle((inputs){.taken = 2}, (expect){.stall = true});
    cycle((inputs){.taken = 0}, (expect){false, R(1) | R(2), 2, false, false});
    cycle((inputs){.taken = 1}, (expect){false, R(3), 1, false, false}); /* one is enough */
    cycle((inputs){.taken = 2}, (expect){.stall = true});
    cycle((inputs){.taken = 1}, (expect){false, R(3), 1, false, true});
    cycle((inputs){.valid = true, .taken = 2}, (expect){.start = true, .done = true});
}

/* Two buffers: if one waits and one is in X, no collection starts until the last round of the one in X has
 * started. */
static void buffers_are_held_to_the_last_round(void **state) {
    (void)state;
    const inputs none = {.valid = true};
    inputs in = none;
    start(2, 1, 1, 1);
    cycle(in, (expect){.start = true, .done = true});
    cycle(in, (expect){.start = true, .done = true});
    cycle(in, (expect){.start = false}); /* two wait */
    in.take = in.hold = true;
    cycle(in, (expect){.start = false}); /* one waits, one is in X */
    in.take = false;
    cycle(in, (expect){.start = false}); /* its last round */
    cycle(none, (expect){.start = true, .done = true});
    in.take = true;
    in.valid = false;
    cycle(in, (expect){.start = false});
    assert_int_equal(o.q.waiting, 1);
    start(1, 1, 1, 1); /* one buffer: collection never overlaps rounds */
    cycle(none, (expect){.start = true, .done = true});
    cycle((inputs){.valid = true, .take = true, .hold = true}, (expect){.start = false});
    cycle(none, (expect){.start = true, .done = true});
}

/* Two lines of r4, one of the scalar r5, two of r6. */
static void scalars_are_read_once(void **state) {
    (void)state;
    start(2, 2, 1, 2);
    cycle((inputs){.valid = true, .sources = R(4) | R(5) | R(6), .scalars = R(5)},
          (expect){true, R(4), 2, false, false});
    cycle((inputs){.valid = false}, (expect){false, R(5) | R(6), 2, false, false});
    assert_int_equal(o.q.line, 1);
    cycle((inputs){.valid = false}, (expect){false, R(6), 1, false, true});
    cycle((inputs){.valid = true, .sources = R(5), .scalars = R(5)}, (expect){true, R(5), 1, false, true});
}

static void batches_of_any_lines(void **state) {
    (void)state;
    const uint64_t sources = R(3) | R(8) | R(40);
    assert_int_equal(operand_collector_batch(sources, 0, 1, 0, 1), R(3));
    assert_int_equal(operand_collector_batch(sources, 0, 1, 1, 2), R(8) | R(40));
    assert_int_equal(operand_collector_batch(sources, 0, 1, 3, 4), 0);
    assert_int_equal(operand_collector_batch(sources, 0, 4, 3, 1), R(3)); /* its last line */
    assert_int_equal(operand_collector_batch(sources, 0, 4, 3, 6), R(3) | R(8) | R(40));
    assert_int_equal(operand_collector_batch(sources, 0, 4, 4, 4), R(8));
    assert_int_equal(operand_collector_batch(0, 0, 4, 0, 4), 0);
    assert_int_equal(operand_collector_batch(sources, R(3), 4, 0, 2), R(3) | R(8)); /* a scalar has one */
    assert_int_equal(operand_collector_batch(sources, R(8), 4, 5, 1), R(40));
}

/* --- a cluster with the block, and one that computes ahead --- */

/* No twin; but the cluster then executes the blocks cycle by cycle. */
static void no_reset(void *context) {
    (void)context;
}

static uint64_t calls[CLUSTER_BLOCK_COUNT];
static void count_calls(void *context, enum cluster_block b, uint64_t t) {
    (void)context, (void)t;
    ++calls[b];
}

static const struct cluster_twins nobody = {
    .attached =
        {[CLUSTER_BLOCK_ADDRESS] = true, [CLUSTER_BLOCK_COLLECTOR] = true, [CLUSTER_BLOCK_WRITEBACK] = true},
    .reset = no_reset,
    .cycle = count_calls};

/* Arithmetic with 0 to 4 sources, loads and stores of a stack, of one word, two and
 * several, and of memory. */
static const uint32_t instructions[] = {
    0xe3a02001u, /* mov r2, #1 */
    0xe0802001u, /* add r2, r0, r1 */
    0xe0222093u, /* mla r2, r3, r0, r2 */
    0xe51d0004u, /* ldr r0, [sp, #-4] */
    0xe51d0006u, /* ldr r0, [sp, #-6]: two words */
    0xe51d0042u, /* ldr r0, [sp, #-66]: one held, one not */
    0xe50d0006u, /* str r0, [sp, #-6] */
    0xe50d0044u, /* str r0, [sp, #-68] */
    0xe92d000fu, /* push {r0-r3} */
    0xe8bd000fu, /* pop {r0-r3}, which must follow it */
    0xed1d0b02u, /* vldr d0, [sp, #-8] */
    0xe5913000u, /* ldr r3, [r1] */
    0xe5813000u, /* str r3, [r1] */
    0xee300a20u, /* vadd.f32 s0, s0, s1 */
};
enum { INSTRUCTIONS = sizeof instructions / sizeof instructions[0], PUSH = 8, MOST = 40 };

static unsigned random_text(struct seed *seed, uint32_t *text) {
    unsigned n = 0;
    while (n < MOST) {
        const unsigned which = seed_below(seed, INSTRUCTIONS);
        if (which == PUSH + 1) continue;
        text[n++] = instructions[which];
        if (which == PUSH) text[n++] = instructions[PUSH + 1];
    }
    text[n++] = EXIT;
    return n;
}

static struct bench *run_text(const struct machine_config *config, const uint32_t *text, unsigned words,
                              unsigned threads, bool told) {
    struct bench *b = bench_create();
    b->config = *config;
    b->stack_size = 256;
    begin(b, text, words, threads, 4);
    b->cluster.twins = told ? &nobody : NULL;
    cluster_simt_begin(&b->cluster, T);
    run(b);
    if (b->error.status != EXIT_SOUND) fail_msg("%s", b->error.message);
    return b;
}

/* The 16 stores of warp 0 take cycles 14 to 29. SP takes the only write port in 30, so that those of warp 1,
 * which could begin then, take 31 to 46, and its SP the port in 47. Warp 1 has executed nothing before. */
static void a_store_begins_as_a_result_lands(void **state) {
    (void)state;
    static const uint32_t text[] = {0xe92d000fu /* push {r0-r3} */, EXIT};
    struct machine_config config;
    config_defaults(&machine_config_table, &config);
    config.cluster.lanes = 8;
    config.simt.lane_map = LANE_MAP_CYCLIC;
    config.tpm.latency_cycles = 2;
    for (unsigned told = 0; told < 2; ++told) {
        struct bench *b = run_text(&config, text, 2, 64, told);
        assert_int_equal(b->commit[0][0], 30);
        assert_int_equal(b->commit[1][0], 47);
        bench_free(b);
    }
}

static void being_told_is_computing_ahead(void **state) {
    (void)state;
    struct seed seed = seed_start();
    uint64_t waits[CLUSTER_TPM_WAIT_COUNT] = {0};
    for (unsigned round = 0; round < 150; ++round) {
        struct machine_config config;
        uint32_t text[MOST + 2];
        config_defaults(&machine_config_table, &config);
        config.cluster.lanes = 1u << seed_below(&seed, 4);
        config.simt.warp_size = seed_below(&seed, 2) ? 32 : 64;
        config.simt.lane_map = seed_below(&seed, 2) ? LANE_MAP_BLOCK : LANE_MAP_CYCLIC;
        config.simt.collectors = 1 + seed_below(&seed, 3);
        config.simt.queue_entries = 1 + seed_below(&seed, 3);
        config.l1d.line_bytes = seed_below(&seed, 2) ? 32 : 64;
        config.tpm.read_ports = 1 + seed_below(&seed, 4);
        config.tpm.write_ports = 1 + seed_below(&seed, 3);
        config.tpm.latency_cycles = 1 + seed_below(&seed, 3);
        config.mem.mshrs = 2 + seed_below(&seed, 4);
        if (seed_below(&seed, 3) == 0) {
            config.uniform.storage = UNIFORM_TOKEN;
            config.uniform.intra = true;
            config.uniform.broadcast_cycles = seed_below(&seed, 4);
        }
        const unsigned warps = 1 + seed_below(&seed, config.cluster.lanes == 1 ? 2 : 3),
                       words = random_text(&seed, text);
        struct bench *ahead = run_text(&config, text, words, warps * config.simt.warp_size, false);
        memset(calls, 0, sizeof calls);
        struct bench *told = run_text(&config, text, words, warps * config.simt.warp_size, true);
        const struct cluster *a = &ahead->cluster, *b = &told->cluster;
        assert_int_equal(ahead->end, told->end);
        assert_memory_equal(ahead->commit, told->commit, sizeof ahead->commit);
        assert_memory_equal(ahead->select, told->select, sizeof ahead->select);
        assert_memory_equal(a->cause, b->cause, sizeof a->cause);
        assert_memory_equal(a->tpm_wait, b->tpm_wait, sizeof a->tpm_wait);
        assert_int_equal(a->stack_held, b->stack_held);
        assert_int_equal(a->stack_spilled, b->stack_spilled);
        assert_int_equal(calls[CLUSTER_BLOCK_ADDRESS], told->end - T);
        assert_int_equal(calls[CLUSTER_BLOCK_COLLECTOR], told->end - T);
        assert_int_equal(calls[CLUSTER_BLOCK_WRITEBACK], told->end - T);
        for (unsigned n = 0; n < CLUSTER_TPM_WAIT_COUNT; ++n) waits[n] += a->tpm_wait[n];
        bench_free(ahead);
        bench_free(told);
    }
    for (unsigned n = 0; n < CLUSTER_TPM_WAIT_COUNT; ++n) assert_true(waits[n] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_in_batches),
        cmocka_unit_test(a_batch_takes_the_latency),
        cmocka_unit_test(loads_go_first),
        cmocka_unit_test(buffers_are_held_to_the_last_round),
        cmocka_unit_test(scalars_are_read_once),
        cmocka_unit_test(batches_of_any_lines),
        cmocka_unit_test(a_store_begins_as_a_result_lands),
        cmocka_unit_test(being_told_is_computing_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

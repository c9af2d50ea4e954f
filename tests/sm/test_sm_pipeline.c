/*
 * The scoreboard pipeline of an SM against cycles counted by hand from gpu-like.md §3 and §7. Cycles are
 * relative to T, in which the first instructions are in the buffers.
 */
#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R1 0xe0802001u
#define ADD_R3_R2_R1 0xe0823001u
#define ADD_R4_R0_R1 0xe0804001u
#define ADD_R2_R2_R1 0xe0822001u

/* §7, example 1: I 0, O 1–4, X 2–5, W 13–16 · I 16, X 18–21 · F 17, D 18, I 19, X 22–25. */
static void example_1(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, ADD_R4_R0_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    sm_begin(b, text, 4, 32, 1, 4);
    sm_run(b, 200, 1);
    static const struct note expected[] = {{0, 0, 0, 2, 5}, {0, 1, 16, 18, 21}, {0, 2, 19, 22, 25}};
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < 3; ++n) {
        assert_int_equal(b->note[n].i, expected[n].i);
        assert_int_equal(b->note[n].x, expected[n].x);
        assert_int_equal(b->note[n].x_last, expected[n].x_last);
    }
    assert_int_equal(b->sm.groups_used, 0);
    sm_bench_free(b);
}

/* §7, example 2: chains of dependent ADDs. */
static void example_2(void **state) {
    (void)state;
    uint32_t text[64];
    static const struct {
        unsigned warps;
        uint64_t issue[10];
    } cases[] = {{4, {0, 1, 6, 10, 16, 20, 24, 28, 32, 36}},
                 {1, {0, 16, 32, 48, 64, 80, 96, 112, 128, 144}},
                 {2, {0, 1, 16, 20, 32, 36, 48, 52, 64, 68}}};
    for (unsigned n = 0; n < 63; ++n) text[n] = ADD_R2_R2_R1;
    text[63] = EXIT;
    for (unsigned c = 0; c < 3; ++c) {
        struct sm_bench *b = sm_bench_create();
        sm_begin(b, text, 64, 32 * cases[c].warps, 1, 4);
        sm_run(b, 200, 1);
        for (unsigned n = 0; n < 10; ++n) assert_int_equal(b->note[n].i, cases[c].issue[n]);
        sm_bench_free(b);
    }
}

/* stsimt Fig. 5a: w warps of dependent ADDs of n of 32 threads each: IPC = min(n / 4, w · n / 16). */
static void throughput_of_dependent_instructions(void **state) {
    (void)state;
    enum { LENGTH = 400 };
    static uint32_t text[LENGTH];
    for (unsigned n = 0; n < LENGTH - 1; ++n) text[n] = ADD_R2_R2_R1;
    text[LENGTH - 1] = EXIT;
    for (unsigned warps = 1; warps <= 32; warps *= 2)
        for (unsigned threads = 1; threads <= 32; threads *= 2) {
            struct sm_bench *b = sm_bench_create();
            b->config.cluster.groups = 32;
            b->config.vrf.registers = 32768;
            sm_begin(b, text, LENGTH, threads, warps, 4);
            sm_run(b, 100, 1);
            const uint64_t before = b->sm.thread_instructions;
            const uint64_t cycles = warps == 32 ? 4000 : 3000;
            sm_run(b, 100 + cycles, 1);
            const double ipc = (double)(b->sm.thread_instructions - before) / (double)cycles;
            const double by_lanes = threads / 4.0, by_warps = warps * threads / 16.0;
            const double expected = by_lanes < by_warps ? by_lanes : by_warps;
            printf("%2u threads, %2u warps: IPC %.3f, expected %.3f\n", threads, warps, ipc, expected);
            assert_true(ipc > expected * 0.995 && ipc < expected * 1.005);
            sm_bench_free(b);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(example_1), cmocka_unit_test(example_2),
                                       cmocka_unit_test(throughput_of_dependent_instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

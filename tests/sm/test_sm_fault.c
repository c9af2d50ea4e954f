/* A particle strike in an SM: a strike that counts as detected or corrected is (tests/cluster/test_fault.c
 * tests every place on the base machine, with the same code). One warp of 32 threads on 8 lanes; r1 is
 * DATA_BASE + 4 · thread. */
#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define MOV_R2_1     0xe3a02001u
#define ADD_R2_R2_1  0xe2822001u
#define ADD_R3_R1_R1 0xe0813001u
#define CMP_R0_0     0xe3500000u

enum {
    THREADS = 32,
    FIRST_COPY = 24, /* thread of the last round, lanes 0 and 1 */
    SECOND_COPY = 25,
    WRITTEN = 5 /* MOV has issued in 0, the next instruction issues in 13 */
};

static struct sm_bench *bench;
static struct fault fault;

/* r0 is uniform: the argument block's address, with its token. */
static void start(const uint32_t *text, unsigned words, enum uniform_storage storage, bool on) {
    bench = sm_bench_create();
    bench->config.simt.lane_map = LANE_MAP_CYCLIC;
    bench->config.uniform.storage = storage;
    bench->config.uniform.intra = on;
    bench->config.uniform.inter = on;
    sm_begin(bench, text, words, THREADS, 1, 4);
    bench->sm.fault = &fault;
    sm_run(bench, 400, 1);
}

static uint32_t value_of(unsigned reg, unsigned thread) {
    return bench->sm.warp[0].threads.registers[reg * THREADS + thread];
}

static void finish(enum fault_state state) {
    assert_int_equal(fault.state, state);
    assert_int_equal(bench->error.status, state == FAULT_DETECTED ? EXIT_PROGRAM_FAULT : EXIT_SOUND);
    sm_bench_free(bench);
}

static void strike(enum fault_place place, uint64_t at, uint64_t random) {
    fault = (struct fault){.place = place, .at = at, .random = random, .state = FAULT_TO_COME};
}

/* MOV and CMP are carried out once, the addition by all threads: bit n of r3 of thread n. It issues in 1,
 * when the reuse buffer has not been asked for MOV yet: its operations are the first 32. */
static void operations_carried_out_once_are_checked(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R3_R1_R1, CMP_R0_0, EXIT};
    for (unsigned at = 0; at < 3 * THREADS; ++at) {
        const bool once = at / THREADS != 0;
        strike(FAULT_ALU, at, at % THREADS);
        start(text, 4, UNIFORM_TOKEN, true);
        if (once) assert_non_null(strstr(bench->error.message, "gets different results from two lanes"));
        for (unsigned k = 0; !once && k < THREADS; ++k)
            assert_int_equal(value_of(3, k), 2 * (DATA_BASE + 4 * k) ^ (at == k ? 1u << k : 0));
        finish(once ? FAULT_DETECTED : FAULT_AT_LARGE);
    }
    strike(FAULT_ALU, 3 * THREADS, 0);
    start(text, 4, UNIFORM_TOKEN, true);
    assert_int_equal(fault.operations, 3 * THREADS);
    assert_int_equal(bench->sm.uniform.count[UNIFORM_COUNT_ALU_OPERATIONS], 3 * THREADS);
    assert_int_equal(bench->sm.uniform.count[UNIFORM_COUNT_ALU_PROTECTED], 2 * THREADS);
    finish(FAULT_TO_COME);
}

/* A bit of r2, the only row used so far, in each thread: two of the words are copies, the others hold
 * nothing. */
static void either_copy_of_a_scalar_is_mended(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, EXIT};
    for (unsigned thread = 0; thread < THREADS; ++thread) {
        const bool copy = thread == FIRST_COPY || thread == SECOND_COPY;
        strike(FAULT_REGISTER, WRITTEN, thread + THREADS * (uint64_t)7);
        start(text, 3, UNIFORM_TOKEN, true);
        for (unsigned k = 0; k < THREADS; ++k) assert_int_equal(value_of(2, k), 2);
        finish(copy ? FAULT_CORRECTED : FAULT_NOWHERE);
        strike(FAULT_REGISTER, WRITTEN, thread + THREADS * (uint64_t)7);
        start(text, 3, UNIFORM_NONE, false);
        for (unsigned k = 0; k < THREADS; ++k) assert_int_equal(value_of(2, k), k == thread ? 130 : 2);
        finish(FAULT_AT_LARGE);
    }
}

/* r0 and r2 are mapped. */
static void a_scalar_register_is_mended(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, EXIT};
    for (unsigned bit = 0; bit < 32; ++bit) {
        strike(FAULT_SRF, WRITTEN, 1 + 2 * (uint64_t)bit);
        start(text, 3, UNIFORM_SRF, true);
        for (unsigned k = 0; k < THREADS; ++k) assert_int_equal(value_of(2, k), 2);
        finish(FAULT_CORRECTED);
    }
}

/* Barrel issue, without uniform values: it strikes in its cycle all the same. */
static void a_register_of_a_barrel(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, EXIT};
    for (unsigned at = 0; at < 20; ++at) {
        strike(FAULT_REGISTER, at, 3);
        bench = sm_bench_create();
        sm_bench_barrel(bench, 16);
        sm_begin(bench, text, 3, THREADS, 1, 4);
        bench->sm.fault = &fault;
        sm_run(bench, 400, 1);
        /* MOV executes in 4, the addition in 13: r2 is used from 5 on, and struck before it is read
         * until 13. */
        assert_int_equal(value_of(2, 3), at < 5 ? 2 : at <= 13 ? 1 : 3);
        finish(at < 5 ? FAULT_NOWHERE : FAULT_AT_LARGE);
    }
}

/* With an engine that forms warps, a copy is mended before the addition, which overwrites the scalar. */
static void a_scalar_of_regrouped_threads_is_mended(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, EXIT};
    for (unsigned thread = 0; thread < THREADS; ++thread) {
        const bool copy = thread == 16 || thread == 17; /* threads of lanes 0 and 1 in round 1 */
        strike(FAULT_REGISTER, 6, thread + THREADS * (uint64_t)7);
        bench = sm_bench_create();
        sm_bench_barrel(bench, 16);
        bench->config.simt.divergence = DIVERGENCE_dwf;
        bench->config.uniform.storage = UNIFORM_TOKEN;
        bench->config.uniform.intra = true;
        sm_begin(bench, text, 3, THREADS, 1, 4);
        bench->sm.fault = &fault;
        sm_run(bench, 400, 1);
        for (unsigned k = 0; k < THREADS; ++k) assert_int_equal(value_of(2, k), 2);
        finish(copy ? FAULT_CORRECTED : FAULT_NOWHERE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_carried_out_once_are_checked),
        cmocka_unit_test(either_copy_of_a_scalar_is_mended),
        cmocka_unit_test(a_scalar_register_is_mended),
        cmocka_unit_test(a_register_of_a_barrel),
        cmocka_unit_test(a_scalar_of_regrouped_threads_is_mended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

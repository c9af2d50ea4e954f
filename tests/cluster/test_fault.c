/* A particle strike in a cluster: a strike that the coverage counts as detected or corrected is, whatever
 * operation or copy it hits. One warp of 32 threads on 4 lanes; r0 is DATA_BASE in all threads and uniform,
 * r1 is DATA_BASE + 4 · thread. */
#include "model/uniform/fault.h"
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define MOV_R2_1      0xe3a02001u
#define MOV_R2_9      0xe3a02009u
#define ADD_R2_R2_1   0xe2822001u
#define ADD_R2_R0_R1  0xe0802001u
#define ADD_R3_R2_R1  0xe0823001u
#define CMP_R0_0      0xe3500000u
#define CMP_R1_R0     0xe1510000u
#define ADDEQ_R2_R2_1 0x02822001u
#define WRITTEN       8 /* a cycle in which the first instruction has been executed, and the second not */

enum {
    THREADS = 32,
    FIRST_COPY = 7,
    SECOND_COPY = 15
}; /* storage token: of the last of 8 rounds, lanes 0 and 1 */

static struct bench *bench;
static struct fault fault;

static void start(const uint32_t *text, unsigned words, unsigned storage, unsigned intra) {
    bench = bench_create();
    bench->config.uniform.storage = storage;
    bench->config.uniform.intra = intra;
    begin(bench, text, words, THREADS, 4);
    for (unsigned n = 0; n < THREADS; ++n) bench->cluster.threads[0].registers[n] = DATA_BASE;
    bench->cluster.fault = &fault;
    look(bench);
    run(bench);
}

static uint32_t value_of(unsigned reg, unsigned thread) {
    return bench->cluster.threads[0].registers[reg * THREADS + thread];
}

static void expect_all(unsigned reg, uint32_t value) {
    for (unsigned n = 0; n < THREADS; ++n) assert_int_equal(value_of(reg, n), value);
}

static void finish(enum fault_state state) {
    assert_int_equal(fault.state, state);
    assert_int_equal(bench->error.status, state == FAULT_DETECTED ? EXIT_PROGRAM_FAULT : EXIT_SOUND);
    bench_free(bench);
}

/* --- results of the ALU --- */

static void strike_operation(uint64_t at, uint64_t random) {
    fault = (struct fault){.place = FAULT_ALU, .at = at, .random = random, .state = FAULT_TO_COME};
}

static const uint32_t mixed[] = {MOV_R2_1, ADD_R2_R0_R1, CMP_R0_0, CMP_R1_R0, EXIT};

/* MOV and the first CMP are carried out once: operations 0–31 and 64–95. */
static void every_operation_carried_out_once_is_checked(void **state) {
    (void)state;
    for (unsigned at = 0; at < 4 * THREADS; ++at) {
        const bool once = at / THREADS == 0 || at / THREADS == 2;
        strike_operation(at, 1000003u * at);
        start(mixed, 5, UNIFORM_TOKEN, 1);
        if (once) assert_non_null(strstr(bench->error.message, "gets different results from two lanes"));
        finish(once ? FAULT_DETECTED : FAULT_AT_LARGE);
    }
}

/* The number of detected strikes equals the covered number. */
static void as_many_are_detected_as_are_covered(void **state) {
    (void)state;
    fault = (struct fault){.state = FAULT_NONE};
    start(mixed, 5, UNIFORM_TOKEN, 1);
    assert_int_equal(fault.operations, 4 * THREADS);
    assert_int_equal(bench->cluster.uniform.count[UNIFORM_COUNT_ALU_OPERATIONS], 4 * THREADS);
    assert_int_equal(bench->cluster.uniform.count[UNIFORM_COUNT_ALU_PROTECTED], 2 * THREADS);
    finish(FAULT_NONE);
}

static void a_vector_operation_is_wrong_in_its_thread(void **state) {
    (void)state;
    for (unsigned n = 0; n < THREADS; ++n) {
        strike_operation(THREADS + n, n); /* bit n of r2 */
        start(mixed, 5, UNIFORM_TOKEN, 1);
        for (unsigned k = 0; k < THREADS; ++k)
            assert_int_equal(value_of(2, k), (2 * DATA_BASE + 4 * k) ^ (k == n ? 1u << n : 0));
        finish(FAULT_AT_LARGE);
    }
}

static void without_uniform_values_nothing_is_checked(void **state) {
    (void)state;
    for (unsigned at = 0; at < 4 * THREADS; ++at) {
        strike_operation(at, at);
        start(mixed, 5, UNIFORM_NONE, 0);
        finish(FAULT_AT_LARGE);
    }
}

static void an_operation_that_never_comes_is_not_struck(void **state) {
    (void)state;
    strike_operation(4 * THREADS, 0);
    start(mixed, 5, UNIFORM_TOKEN, 1);
    finish(FAULT_TO_COME);
}

/* --- registers --- */

/* Bit `bit` of a thread of the row that is number `row` of `rows` used so far. */
static void strike_register(unsigned row, unsigned rows, unsigned thread, unsigned bit) {
    fault = (struct fault){.place = FAULT_REGISTER,
                           .at = WRITTEN,
                           .random = row + rows * (thread + THREADS * (uint64_t)bit),
                           .state = FAULT_TO_COME};
}

static void either_copy_of_a_scalar_is_mended(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, EXIT};
    for (unsigned bit = 0; bit < 32; ++bit)
        for (unsigned thread = 0; thread < THREADS; ++thread) {
            const bool copy = thread == FIRST_COPY || thread == SECOND_COPY;
            if (!copy && bit != thread) continue;
            strike_register(0, 1, thread, bit);
            start(text, 3, UNIFORM_TOKEN, 1);
            expect_all(2, 2);
            finish(copy ? FAULT_CORRECTED : FAULT_NOWHERE);
        }
}

/* With the scalar register file the second copy is with thread 0. */
static void either_copy_beside_the_scalar_register_file_is_mended(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, EXIT};
    strike_register(0, 1, 0, 7);
    start(text, 3, UNIFORM_SRF, 1);
    expect_all(2, 2);
    finish(FAULT_CORRECTED);
    strike_register(0, 1, FIRST_COPY, 7);
    start(text, 3, UNIFORM_SRF, 1);
    finish(FAULT_NOWHERE);
    for (unsigned bit = 0; bit < 32; ++bit) { /* r0 and r2 are mapped */
        fault = (struct fault){
            .place = FAULT_SRF, .at = WRITTEN, .random = 1 + 2 * (uint64_t)bit, .state = FAULT_TO_COME};
        start(text, 3, UNIFORM_SRF, 1);
        expect_all(2, 2);
        finish(FAULT_CORRECTED);
    }
}

/* Before a partial write a copy instruction reads the scalar. */
static void a_copy_instruction_mends_it_too(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, ADDEQ_R2_R2_1, EXIT};
    strike_register(0, 1, FIRST_COPY, 3);
    start(text, 4, UNIFORM_TOKEN, 1);
    for (unsigned n = 0; n < THREADS; ++n) assert_int_equal(value_of(2, n), n == 0 ? 2 : 1);
    finish(FAULT_CORRECTED);
}

static void what_is_overwritten_is_harmless(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, MOV_R2_9, ADD_R2_R2_1, EXIT};
    strike_register(0, 1, FIRST_COPY, 3);
    start(text, 4, UNIFORM_TOKEN, 1);
    expect_all(2, 10);
    finish(FAULT_NOWHERE);
}

static void what_is_never_read_stays(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, EXIT};
    strike_register(0, 1, FIRST_COPY, 3);
    start(text, 2, UNIFORM_TOKEN, 1);
    finish(FAULT_AT_LARGE);
}

/* ADD r2, r0, r1 has used three rows; r2 is the third. */
static void a_vector_register_is_wrong_in_its_thread(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    strike_register(2, 3, 5, 31);
    start(text, 3, UNIFORM_TOKEN, 1);
    for (unsigned k = 0; k < THREADS; ++k)
        assert_int_equal(value_of(3, k), (3 * DATA_BASE + 8 * k) ^ (k == 5 ? 1u << 31 : 0));
    finish(FAULT_AT_LARGE);
}

/* With vectors only, every struck bit counts, one for each thread. */
static void without_scalars_nothing_is_mended(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, ADD_R2_R2_1, EXIT};
    strike_register(0, 1, FIRST_COPY, 3);
    start(text, 3, UNIFORM_NONE, 0);
    for (unsigned k = 0; k < THREADS; ++k) assert_int_equal(value_of(2, k), k == FIRST_COPY ? 10 : 2);
    finish(FAULT_AT_LARGE);
}

static void places_need_their_machine(void **state) {
    (void)state;
    struct machine_config c;
    config_defaults(&machine_config_table, &c);
    assert_null(fault_place_missing(&c, FAULT_ALU));
    assert_null(fault_place_missing(&c, FAULT_REGISTER));
    assert_string_equal(fault_place_missing(&c, FAULT_SRF), "uniform.storage: srf");
    assert_string_equal(fault_place_missing(&c, FAULT_IRB), "uniform.inter: on");
    c.uniform.storage = UNIFORM_SRF;
    c.uniform.inter = 1;
    assert_null(fault_place_missing(&c, FAULT_SRF));
    assert_null(fault_place_missing(&c, FAULT_IRB));
    c.mode = MODE_MIMD;
    assert_string_equal(fault_place_missing(&c, FAULT_ALU), "mode: simt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_carried_out_once_is_checked),
        cmocka_unit_test(as_many_are_detected_as_are_covered),
        cmocka_unit_test(a_vector_operation_is_wrong_in_its_thread),
        cmocka_unit_test(without_uniform_values_nothing_is_checked),
        cmocka_unit_test(an_operation_that_never_comes_is_not_struck),
        cmocka_unit_test(either_copy_of_a_scalar_is_mended),
        cmocka_unit_test(either_copy_beside_the_scalar_register_file_is_mended),
        cmocka_unit_test(a_copy_instruction_mends_it_too),
        cmocka_unit_test(what_is_overwritten_is_harmless),
        cmocka_unit_test(what_is_never_read_stays),
        cmocka_unit_test(a_vector_register_is_wrong_in_its_thread),
        cmocka_unit_test(without_scalars_nothing_is_mended),
        cmocka_unit_test(places_need_their_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

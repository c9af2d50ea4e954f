/* The scalar register file and the reuse buffer in the SIMT pipeline against cycles counted by hand from
 * docs/uniform.md. */
#include "tests/uniform/uniform_fixture.h"

/* --- the scalar register file --- */

/* S 0 · D 3 · O 4: no line of the TPM is read · X 5 · W 6: nor written. Warps follow in each cycle. */
static void scalar_registers_take_no_port_of_the_tpm(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R2_R0_R2, EXIT};
    struct bench *b = start(text, 3, 512, 0, srf);
    finish(b);
    for (unsigned w = 0; w < 16; ++w)
        for (unsigned n = 0; n < 2; ++n) assert_int_equal(b->commit[w][n], 6 + 16 * n + w);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_READS), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_WRITES), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_READS), 16 * (1 + 2 + 1)); /* EXIT names r0 */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_WRITES), 32);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 16); /* the second time r2 has one */
    bench_free(b);
}

/* A vector takes the lines that it needs: r0 is a scalar, r1 is not. MOV: C 6; ADD: S 7, O 11,
 * X 12–19, W 20. */
static void a_vector_write_frees_the_scalar_register(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, ADD_R2_R0_R1, MOV_R3_7, EXIT};
    const uint64_t commit[] = {6, 20};
    struct bench *b = expect_commits(text, 4, 4, srf, commit, 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_READS), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 2);
    /* The warp has ended, and all its registers are free again. */
    cluster_simt_begin(&b->cluster, 0);
    for (unsigned n = 0; n < 4; ++n) assert_int_equal(b->cluster.uniform.rename.free[n], ~0u);
    bench_free(b);
}

/* r0 of warps 0–7 has all the registers: MOV is executed by every thread, X 5–12, W 13. */
static void without_a_free_register_it_is_an_ordinary_instruction(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R0_0, EXIT};
    struct bench *b = start(text, 3, 512, 0, srf_8);
    finish(b);
    for (unsigned w = 0; w < 16; ++w) assert_int_equal(b->commit[w][0], 13 + 8 * w);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_HAZARDS), 16);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_UNIFORM), 16 + 8 + 16); /* MOV, CMP of warps 0–7, EXIT */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 8 + 16);
    bench_free(b);
}

/* One register is free: r2, the first, gets it; r3 is written for all threads. */
static void a_multiple_load_takes_a_register_a_beat(void **state) {
    (void)state;
    const uint32_t text[] = {LDM_R0_R2_R3, EXIT};
    struct bench *b = start(text, 2, 32, 0, srf_8);
    b->cluster.uniform.rename.free[0] = 1u << 6;
    finish(b);
    assert_int_equal(b->commit[0][0], 15); /* X 5–6, data at the end of 14, W 15 of both files */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_HAZARDS), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR_WRITES), 1);
    assert_int_equal(count_of(b, UNIFORM_COUNT_VECTOR_WRITES), 1);
    bench_free(b);
}

static void a_copy_frees_its_scalar_register(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, ADDEQ_R2_R2_1, EXIT};
    const uint64_t commit[] = {6, 19, 33, 47}; /* CMP reads one line less; the copy none: O 24, as with one */
    struct bench *b = expect_commits(text, 4, 4, srf, commit, 4);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(value_of(b, 2, k), k ? 1 : 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
    bench_free(b);
}

/* --- the reuse buffer --- */

/* Warp 0: O 4, X 5–9 (occupancy and latency 5), W 10; look-ups hit its result from 12 on. The others look up
 * in their first cycle of O: 5, 6, 11 (two collectors), 16, 21. Those of warps 4 and 5 hit, and take a cycle
 * after warp 3's X 20–24. */
static void a_hit_takes_a_cycle(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, EXIT};
    static const uint64_t commit[] = {10, 15, 20, 25, 26, 27};
    struct bench *b = start(text, 2, 6 * 32, 0, both);
    finish(b);
    for (unsigned w = 0; w < 6; ++w) assert_int_equal(b->commit[w][0], commit[w]);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_LOOKUPS), 6);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_MISSES), 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_HITS), 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 2);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_INSERTED), 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_EXECUTED), 4);
    assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_PROTECTED), 6 * 32);
    for (unsigned k = 0; k < 32; ++k) assert_int_equal(b->cluster.threads[5].registers[2 * 32 + k], 1);
    bench_free(b);
}

/* Warp 0: O 4, X 5–12, W 13, hits from 15 on; warp 1: O 5, X 13–20; warp 2: O 13, X 21–28; warp 3: O 21, a
 * hit, X 29; warp 4: O 29, X 30. */
static void inter_alone_converts_only_hits(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, EXIT};
    static const uint64_t commit[] = {13, 21, 29, 30, 31};
    struct bench *b = start(text, 2, 5 * 32, 0, inter_only);
    finish(b);
    for (unsigned w = 0; w < 5; ++w) assert_int_equal(b->commit[w][0], commit[w]);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 2);
    bench_free(b);
}

static void other_operands_are_no_hit(void **state) {
    (void)state;
    const uint32_t text[] = {ADDS_R2_R0_1, EXIT};
    struct bench *b = start(text, 2, 512, 0, both);
    for (unsigned w = 0; w < 16; ++w)
        for (unsigned k = 0; k < 32; ++k) b->cluster.threads[w].registers[k] = w < 8 ? 0xffffffff : w;
    finish(b);
    for (unsigned w = 0; w < 16; ++w)
        for (unsigned k = 0; k < 32; ++k) {
            assert_int_equal(b->cluster.threads[w].registers[2 * 32 + k], w < 8 ? 0 : w + 1);
            assert_int_equal(arm_get_apsr(&b->cluster.threads[w], k), w < 8 ? 0x60000000 : 0);
        }
    assert_true(count_of(b, UNIFORM_COUNT_IRB_HITS) > 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_OTHER), 8);
    bench_free(b);
}

/* A wrong entry is noticed by the check. */
static void run_with_a_wrong_entry(void *wrong) {
    const uint32_t text[] = {UDIV_R2_R0_R0, EXIT};
    struct bench *b = start(text, 2, 512, 0, both);
    uint64_t t = T;
    while (!b->cluster.uniform.reuse.valid[0]) {
        b->cluster.until = t + 1;
        t = cluster_simt_step(&b->cluster, t);
    }
    if (*(bool *)wrong) {
        b->cluster.uniform.reuse.result[0] ^= 3; /* two bits: the parity does not see it */
        for (unsigned e = 1; e < 8; ++e) b->cluster.uniform.reuse.valid[e] = false;
    }
    b->cluster.until = UINT64_MAX;
    while (b->cluster.mode == CLUSTER_SIMT) t = cluster_simt_step(&b->cluster, t);
    bench_free(b);
}

static void a_wrong_entry_is_caught(void **state) {
    (void)state;
    bool wrong = true, none = false;
    assert_true(panics(run_with_a_wrong_entry, &wrong));
    assert_false(panics(run_with_a_wrong_entry, &none));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_registers_take_no_port_of_the_tpm),
        cmocka_unit_test(a_vector_write_frees_the_scalar_register),
        cmocka_unit_test(without_a_free_register_it_is_an_ordinary_instruction),
        cmocka_unit_test(a_multiple_load_takes_a_register_a_beat),
        cmocka_unit_test(a_copy_frees_its_scalar_register),
        cmocka_unit_test(a_hit_takes_a_cycle),
        cmocka_unit_test(inter_alone_converts_only_hits),
        cmocka_unit_test(other_operands_are_no_hit),
        cmocka_unit_test(a_wrong_entry_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

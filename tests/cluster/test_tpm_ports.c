/* The ports of the TPM, compared with cycles counted by hand from timing.md: arbitration, waiting, and
 * counters. Programs start in cycle 0 of SIMT mode (T) as in test_simt_pipeline. The number of threads
 * determines n_tpo and thus the words held. */
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R1  0xe0802001u
#define LDR_R0_SP_4   0xe51d0004u /* ldr r0, [sp, #-4] */
#define LDR_R0_SP_6   0xe51d0006u /* two words */
#define LDR_R0_SP_66  0xe51d0042u /* two words, the deeper one is the 17th */
#define LDR_R0_SP_68  0xe51d0044u
#define STR_R0_SP_4   0xe50d0004u
#define STR_R0_SP_6   0xe50d0006u
#define STR_R0_SP_66  0xe50d0042u
#define PUSH_R0_TO_R3 0xe92d000fu
#define VLDR_D0_SP_8  0xed1d0b02u

struct machine_case {
    unsigned read_ports, write_ports, latency;
};
static const struct machine_case base = {1, 1, 1};

static struct bench *run_text(struct machine_case m, const uint32_t *text, unsigned words, unsigned threads) {
    struct bench *b = bench_create();
    b->config.tpm.read_ports = m.read_ports;
    b->config.tpm.write_ports = m.write_ports;
    b->config.tpm.latency_cycles = m.latency;
    b->stack_size = 256;
    begin(b, text, words, threads, 0);
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    return b;
}

/* Checks one instruction of one warp: C, and its accesses. n_tpo is 1,024: all 64 words are held. */
static void expect(struct machine_case m, uint32_t instruction, uint64_t commit, uint64_t word_cycles) {
    const uint32_t text[] = {instruction, EXIT};
    struct bench *b = run_text(m, text, 2, 32);
    const struct cluster *c = &b->cluster;
    assert_int_equal(c->threads[0].stack_objects, 64);
    assert_int_equal(b->commit[0][0], commit);
    assert_int_equal(b->select[0][1], commit + 1);
    assert_int_equal(c->tpm_wait[CLUSTER_TPM_WAIT_WORDS], word_cycles);
    assert_int_equal(c->cause[MACHINE_CAUSE_TPM], word_cycles);
    assert_int_equal(c->stack_spilled, 0);
    assert_int_equal(c->stack_held, instruction == PUSH_R0_TO_R3 ? 4 * 32 : 32);
    for (unsigned i = 0; i < 4; ++i)
        assert_int_equal(c->core[i].l2.tags.accesses, i == 0 ? 1 : 0); /* fetch */
    bench_free(b);
}

static void accesses_without_conflict(void **state) {
    (void)state;
    expect(base, LDR_R0_SP_4, 13, 0);   /* O 4 (sp), X 5–12, word at the end of 12, W 13 */
    expect(base, STR_R0_SP_4, 13, 0);   /* O 4–5, X 6–13, stored at the end of 13, no W */
    expect(base, PUSH_R0_TO_R3, 41, 0); /* O 4–8, X 9–40 (a register a cycle), W of sp 41 */
    expect((struct machine_case){1, 1, 3}, LDR_R0_SP_4, 17,
           0); /* O 4–6, X 7–14, word at the end of 16, W 17 */
    expect((struct machine_case){1, 1, 3}, STR_R0_SP_4, 17, 0); /* O 4–9, X 10–17 */
}

static void an_access_of_two_words_takes_two_ports(void **state) {
    (void)state;
    expect(base, LDR_R0_SP_6, 21, 8);                           /* O 4, X 5–20: two cycles a round, W 21 */
    expect((struct machine_case){2, 1, 1}, LDR_R0_SP_6, 13, 0); /* both words in one cycle */
    expect(base, STR_R0_SP_6, 21, 8);                           /* O 4–5, X 6–21 */
    expect((struct machine_case){1, 2, 1}, STR_R0_SP_6, 13, 0);
    expect(base, VLDR_D0_SP_8, 22, 8); /* O 4, X 5–20, W 21–22 */
    expect((struct machine_case){2, 2, 1}, VLDR_D0_SP_8, 13, 0);
}

/* Two warps load: warp 0's rounds in 5–12 have the read port, so that warp 1's O, due in 5, is in 13. Warp
 * 1's rounds are in 14–21, so that the O of warp 0's EXIT, due in 18, is in 22. */
static void loads_go_before_operands(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_SP_4, EXIT};
    struct bench *b = run_text(base, text, 2, 64);
    assert_int_equal(b->commit[0][0], 13);
    assert_int_equal(b->commit[1][0], 22); /* O 13, X 14–21, W 22 */
    assert_int_equal(b->commit[0][1], 30); /* EXIT: X 23–30 */
    assert_int_equal(b->cluster.tpm_wait[CLUSTER_TPM_WAIT_LOADS], 8 + 4);
    bench_free(b);
    b = run_text((struct machine_case){2, 1, 1}, text, 2, 64); /* one port is free for sp: O 5, X 13–20,
                                                                * W 21 */
    assert_int_equal(b->commit[1][0], 21);
    assert_int_equal(b->cluster.tpm_wait[CLUSTER_TPM_WAIT_LOADS], 0);
    bench_free(b);
}

/* With one load in progress, three of four ports suffice for ADD's two operands, two ports do not: then O
 * stalls. Warp 0's LDR: X 5–12, W 13, ADD: S 14 … D 17, O from 18; warp 1's LDR with one read port X 14–21,
 * with two 13–20. */
static void operands_stand_still_when_a_port_is_missing(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_SP_4, ADD_R2_R0_R1, EXIT};
    static const struct {
        unsigned ports;
        uint64_t commit, waited;
    } rows[] = {
        {1, 32, 8 + 4}, /* O of ADD stalls in 18–21, reads in 22–23; X 24–31, W 32 */
        {2, 30, 3},     /* stalls in 18–20, both reads in 21; X 22–29, W 30 */
        {3, 29, 0},     /* both reads in 18; X 21–28, W 29 */
    };
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; ++n) {
        struct bench *b = run_text((struct machine_case){rows[n].ports, 1, 1}, text, 3, 64);
        assert_int_equal(b->commit[0][1], rows[n].commit);
        assert_int_equal(b->cluster.tpm_wait[CLUSTER_TPM_WAIT_LOADS], rows[n].waited);
        bench_free(b);
    }
}

/* Warp 0's STR has its rounds from 22 on, in which warp 1's ADD writes its result. */
static void results_go_before_stores(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, STR_R0_SP_4, EXIT};
    struct bench *b = run_text(base, text, 3, 64);
    assert_int_equal(b->commit[1][0], 22);
    assert_int_equal(b->commit[0][1], 30); /* held in 22; X 23–30 */
    assert_int_equal(b->commit[1][1], 38); /* X 31–38 */
    assert_int_equal(b->cluster.tpm_wait[CLUSTER_TPM_WAIT_STORES], 1);
    assert_int_equal(b->cluster.cause[MACHINE_CAUSE_TPM], 1);
    bench_free(b);
    b = run_text((struct machine_case){1, 2, 1}, text, 3, 64);
    assert_int_equal(b->commit[0][1], 29);
    assert_int_equal(b->cluster.tpm_wait[CLUSTER_TPM_WAIT_STORES], 0);
    bench_free(b);
}

/* Collection of ADD's two operands, one at a time, three cycles each; one write port for
 * two words of VLDR. */
static void stalls_are_counted_by_cause(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, VLDR_D0_SP_8, EXIT};
    struct bench *b = run_text((struct machine_case){1, 1, 3}, text, 3, 32);
    const uint64_t *wait = b->cluster.tpm_wait;
    /* ADD O 4–9, X 10–17, W 18; VLDR S 19 … O 23–25, X 26–41, words at the end of 43, W 44–45; EXIT
     * O 1 · 3 */
    assert_int_equal(b->commit[0][0], 18);
    assert_int_equal(b->commit[0][1], 45);
    assert_int_equal(wait[CLUSTER_TPM_WAIT_OPERANDS], 1);
    assert_int_equal(wait[CLUSTER_TPM_WAIT_LATENCY], 2 * 2 + 2 + 2);
    assert_int_equal(wait[CLUSTER_TPM_WAIT_RESULTS], 1);
    assert_int_equal(wait[CLUSTER_TPM_WAIT_WORDS], 8);
    assert_int_equal(wait[CLUSTER_TPM_WAIT_LOADS], 0);
    assert_int_equal(wait[CLUSTER_TPM_WAIT_STORES], 0);
    bench_free(b);
}

/* 512 threads: n_tpo 64, 16 words of each stack are held. */
static void deeper_words_are_in_memory(void **state) {
    (void)state;
    static const struct {
        uint32_t instruction;
        uint64_t held, spilled;
    } rows[] = {
        {LDR_R0_SP_4, 512, 0}, {LDR_R0_SP_68, 0, 512}, {LDR_R0_SP_66, 512, 512}, {STR_R0_SP_66, 512, 512}};
    for (unsigned n = 0; n < sizeof rows / sizeof rows[0]; ++n) {
        const uint32_t text[] = {rows[n].instruction, EXIT};
        struct bench *b = run_text(base, text, 2, 512);
        assert_int_equal(b->cluster.threads[0].stack_objects, 16);
        assert_int_equal(b->cluster.stack_held, rows[n].held);
        assert_int_equal(b->cluster.stack_spilled, rows[n].spilled);
        assert_int_equal(b->cluster.core[3].l2.tags.accesses, rows[n].spilled / 4);
        assert_int_equal(b->cluster.tpm_wait[CLUSTER_TPM_WAIT_WORDS], 0);
        bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_without_conflict),
        cmocka_unit_test(an_access_of_two_words_takes_two_ports),
        cmocka_unit_test(loads_go_before_operands),
        cmocka_unit_test(operands_stand_still_when_a_port_is_missing),
        cmocka_unit_test(results_go_before_stores),
        cmocka_unit_test(stalls_are_counted_by_cause),
        cmocka_unit_test(deeper_words_are_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

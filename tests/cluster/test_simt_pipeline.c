/*
 * The SIMT pipeline against cycles counted by hand from timing.md. Each program starts in cycle 0 of SIMT
 * mode (T below) with warm L1I, ITLB and DTLB; S and C are the cycles of selection and commit relative to T.
 */
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R1   0xe0802001u
#define MOV_R2_1       0xe3a02001u
#define CMP_R0_R1      0xe1500001u
#define MUL_R2_R0_R1   0xe0020190u
#define ADDEQ_R2_R0_R1 0x00802001u
#define LDR_R0_R1      0xe5910000u
#define STR_R0_R1      0xe5810000u
#define LDM_R1_R2_R3   0xe891000cu
#define VDIV_S2_S0_S1  0xee801a20u
#define VADD_D2_D0_D1  0xee302b01u
#define B_NEXT         0xeaffffffu
#define BARRIER        0xee040710u /* mcr p7, 0, r0, c4, c0, 0 */
#define RAISE          0xee030710u /* mcr p7, 0, r0, c3, c0, 0 */
#define LOWER_1        0xee030731u /* mcr p7, 0, r0, c3, c1, 1 */

/* One warp of 32: the cycles of C of the first instruction and S of the second. */
static void expect_first(uint32_t instruction, uint64_t commit, uint64_t select) {
    const uint32_t text[] = {instruction, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 2, 32, 0);
    for (unsigned i = 0; i < 4; ++i) {
        uint64_t done;
        private_l2_access(&b->cluster.core[i].l2, DATA_BASE, false, 0, &done); /* there long before T */
    }
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->select[0][0], 0);
    assert_int_equal(b->commit[0][0], commit);
    assert_int_equal(b->select[0][1], select);
    bench_free(b);
}

/* Example 1: S 0 · A 1 · F 2 · D 3 · O 4–5 · X 6–13 · W 14 · S again in 15. */
static void example_1(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 4, 32, 0);
    run(b);
    for (unsigned n = 0; n < 3; ++n) {
        assert_int_equal(b->select[0][n], 15 * n);
        assert_int_equal(b->commit[0][n], 15 * n + 14);
    }
    bench_free(b);
}

/* WFI, WFE, SEV, YIELD, DBG: no sources, O 4 · X 5–12 · no W. */
static void hints_are_nops(void **state) {
    (void)state;
    static const uint32_t hints[] = {0xe320f003u, 0xe320f002u, 0xe320f004u, 0xe320f001u, 0xe320f0f5u};
    for (unsigned n = 0; n < 5; ++n) expect_first(hints[n], 12, 13);
}

/* Example 1 with A of three cycles: S 0 · A 1–3 · F 4 · D 5 · O 6–7 · X 8–15 · W 16 · S again in 17. */
static void arbitration_takes_its_cycles(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    struct bench *b = bench_create();
    b->config.simt.arbitrate_cycles = 3;
    begin(b, text, 4, 32, 0);
    run(b);
    for (unsigned n = 0; n < 3; ++n) {
        assert_int_equal(b->select[0][n], 17 * n);
        assert_int_equal(b->commit[0][n], 17 * n + 16);
    }
    bench_free(b);
}

/* A holds one warp at a time. Two warps: warp 1: S 3 · A 4–6 · F 7 · D 8 · O 9–10 · X 16–23 · W 24; warp 0
 * again: S 17 · A 18–20 · F 21 · D 22 · O 23–24 · X 25–32, a cycle after warp 1's. */
static void arbitration_is_not_pipelined(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    struct bench *b = bench_create();
    b->config.simt.arbitrate_cycles = 3;
    begin(b, text, 4, 64, 0);
    run(b);
    for (unsigned n = 0; n < 3; ++n) {
        assert_int_equal(b->commit[0][n], 17 * n + 16);
        assert_int_equal(b->commit[1][n], 17 * n + 24);
    }
    assert_int_equal(b->select[1][0], 3);
    bench_free(b);
    /* Sixteen warps, A of 12 cycles: S 0, 12, 24 … The bound is A, not the rounds. */
    b = bench_create();
    b->config.simt.arbitrate_cycles = 12;
    begin(b, text, 4, 512, 0);
    run(b);
    for (unsigned n = 0; n < 48; ++n) {
        assert_int_equal(b->select[n % 16][n / 16], 12 * n);
        assert_int_equal(b->commit[n % 16][n / 16], 12 * n + 25);
    }
    bench_free(b);
}

/* Example 2: rounds follow each other without a gap, one instruction every 8 cycles. */
static void example_2(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    for (unsigned warps = 2; warps <= 16; warps *= 2) {
        struct bench *b = bench_create();
        begin(b, text, 5, 32 * warps, 0);
        run(b);
        for (unsigned n = 0; n < 4; ++n)
            for (unsigned w = 0; w < warps; ++w) assert_int_equal(b->commit[w][n], 14 + 8 * (n * warps + w));
        bench_free(b);
    }
}

/* Two warps are selected in consecutive cycles; the first again when its commit is visible. */
static void two_warps_are_selected_in_turn(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 3, 64, 0);
    run(b);
    assert_int_equal(b->select[0][0], 0);
    assert_int_equal(b->select[1][0], 1);
    assert_int_equal(b->select[0][1], 15);
    assert_int_equal(b->select[1][1], 23);
    bench_free(b);
}

static void stages_of_each_class(void **state) {
    (void)state;
    expect_first(CMP_R0_R1, 13, 14);       /* no destination, no W: C at the end of the last X */
    expect_first(MOV_R2_1, 13, 14);        /* no source: O takes 1 cycle; X 5–12, W 13 */
    expect_first(B_NEXT, 12, 13);          /* X 5–12 */
    expect_first(MUL_R2_R0_R1, 15, 16);    /* latency 2: last result at the end of 14 */
    expect_first(VDIV_S2_S0_S1, 120, 121); /* X 6, 20, … 104, latency 16: end of 119, W 120 */
    expect_first(VADD_D2_D0_D1, 20, 21);   /* O 4–7, X 8–15, latency 4: end of 18, W 19–20 */
    expect_first(RAISE, 12, 13);           /* O of Rt 4, X 5–12 */
}

static void a_condition_that_fails_takes_its_rounds_but_writes_nothing(void **state) {
    (void)state;
    expect_first(ADDEQ_R2_R0_R1, 13, 14);
}

static void loads_and_stores_that_hit_the_l2(void **state) {
    (void)state;
    expect_first(LDR_R0_R1, 21, 22); /* O 4, X 5–12, request 13, data at the end of 20, W 21 */
    expect_first(STR_R0_R1, 14, 15); /* O 4–5, X 6–13, accepted at the end of 14 */
    /* O 4; X 5–20, a register each cycle; last request 21, data at the end of 28, W 29–30 */
    expect_first(LDM_R1_R2_R3, 30, 31);
}

static void a_load_that_misses_waits_for_memory(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 2, 32, 0);
    run(b);
    /* First requests of all lanes in 6, L2 6–13. Lane 0 has the bus in 14–17, and its line arrives from
     * memory at the end of 213; its other rounds merge into that miss. The other lanes have the bus in 18, 22
     * and 26 and find that lane 0 will have the line in 214: 8 cycles more, end of 221; W 222. */
    assert_int_equal(b->commit[0][0], 222);
    assert_int_equal(b->cluster.core[0].l2.tags.misses, 1 + 1); /* plus the fetch of the code in
                                                                 * the warm-up */
    bench_free(b);
}

static void a_full_miss_register_file_holds_the_round(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, EXIT};
    struct bench *b = bench_create();
    b->config.mem.mshrs = 2;
    begin(b, text, 2, 32, 64); /* every thread its own line */
    run(b);
    /* Rounds in 5 and 6, requests in 6 and 7, lookups end in 13 and 14. The bus serves the lanes in 14 18 22
     * 26 and 30 34 38 42. Lane 3's lines arrive last, at the ends of 26 + 199 and 42 + 199. Then its
     * registers are free for requests of the next rounds in 226 and 242: rounds in 225 and 241, bus in 234 …
     * 246 and 250 … 262, lines at the ends of 445 and 461. The same for rounds in 445 and 461 with lines at
     * 665 and 681, and rounds in 665 and 681 with lines at 885 and 901; W 902. */
    assert_int_equal(b->commit[0][0], 902);
    assert_int_equal(b->cluster.cause[MACHINE_CAUSE_MSHR], (225 - 7) + 3 * (241 - 226) + 2 * (445 - 242));
    bench_free(b);
}

static void a_dtlb_miss_holds_the_access_not_the_round(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 2, 32, 4);
    for (unsigned i = 0; i < 4; ++i) {
        uint64_t done;
        private_l2_access(&b->cluster.core[i].l2, DATA_BASE, false, 0, &done);
        private_l2_access(&b->cluster.core[i].l2, DATA_BASE + 64, false, 0, &done);
        b->cluster.core[i].dtlb.used = 0;
    }
    run(b);
    /* the first round, in 5, misses: walk 6–25, for which the rounds in 6 to 12 wait, too; requests in 26 to
     * 33, the last one served at the end of 40; W 41 */
    assert_int_equal(b->commit[0][0], 41);
    bench_free(b);
}

static void a_fetch_that_misses_the_l1i_holds_the_front_end(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 2, 64, 0);
    cache_invalidate(&b->cluster.core[0].l1i);
    run(b);
    /* F 2: request 3, line at the end of 10; D 11, O 12–13, X 14–21, W 22. The other warp stays in A until
     * 10, F 11. */
    assert_int_equal(b->commit[0][0], 22);
    assert_int_equal(b->select[1][0], 1);
    assert_int_equal(b->commit[1][0], 30);
    assert_int_equal(b->cluster.cause[MACHINE_CAUSE_FETCH], 8);
    bench_free(b);
}

static void a_barrier_opens_one_cycle_after_the_last_arrival(void **state) {
    (void)state;
    const uint32_t text[] = {BARRIER, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 2, 64, 0);
    run(b);
    /* warp 0: X 5–12, C 12; warp 1: O 5, X 13–20, C 20; compared in 20, released at the end of 21 */
    assert_int_equal(b->commit[0][0], 12);
    assert_int_equal(b->commit[1][0], 20);
    assert_int_equal(b->select[0][1], 22);
    assert_int_equal(b->select[1][1], 23);
    assert_int_equal(b->cluster.barriers.opened, 1);
    bench_free(b);
}

static void the_older_instruction_has_the_write_port(void **state) {
    (void)state;
    /* warp 0's VADD.F64 of latency 4 writes two lines after 18 + …; warp 1's MUL would write in its way */
    const uint32_t text[] = {VADD_D2_D0_D1, EXIT};
    struct bench *b = bench_create();
    b->config.core.latency_cycles[ARM_CLASS_VFP_ADD_DOUBLE] =
        11; /* result of warp 0: 15 + 10 = 25, W 26–27 */
    begin(b, text, 2, 64, 0);
    run(b);
    assert_int_equal(b->commit[0][0], 27);
    assert_int_equal(b->commit[1][0], 35); /* X 16–23, result at the end of 33, W 34–35 */
    bench_free(b);
}

static void a_partly_filled_warp_takes_all_its_rounds(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    struct bench *b = bench_create();
    begin(b, text, 2, 1, 0);
    run(b);
    assert_int_equal(b->commit[0][0], 14);
    assert_int_equal(b->cluster.thread_instructions, 2);
    assert_int_equal(b->cluster.warp_instructions, 2);
    bench_free(b);
}

static void two_read_ports_halve_the_collection(void **state) {
    (void)state;
    const uint32_t text[] = {VADD_D2_D0_D1, EXIT};
    struct bench *b = bench_create();
    b->config.tpm.read_ports = 2;
    b->config.tpm.write_ports = 2;
    begin(b, text, 2, 32, 0);
    run(b);
    assert_int_equal(b->commit[0][0], 17); /* O 4–5, X 6–13, end of 16, W 17 */
    bench_free(b);
}

static void a_line_of_32_bytes_holds_one_vtpo_of_8(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    struct bench *b = bench_create();
    b->config.cluster.lanes = 2; /* N_it = 16: 64 bytes, two lines of 32 */
    b->config.l1d.line_bytes = 32;
    begin(b, text, 2, 32, 0);
    run(b);
    assert_int_equal(b->commit[0][0], 25); /* O 4–7, X 8–23, W 24–25 */
    bench_free(b);
}

/* Cycles of SIMT mode: from T to the end of the last commit, and those of leaving. */
static void every_cycle_has_one_cause(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, VDIV_S2_S0_S1, RAISE,        LOWER_1,
                             BARRIER,   STR_R0_R1,     LDM_R1_R2_R3, EXIT};
    for (unsigned threads = 1; threads <= 512; threads = threads * 3 + 4) {
        struct bench *b = bench_create();
        b->config.mem.mshrs = 2;
        begin(b, text, 8, threads, 24);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        uint64_t sum = 0;
        for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) sum += b->cluster.cause[i];
        assert_int_equal(sum, b->cluster.resume - T);
        bench_free(b);
    }
}

/* ADD: front end 0–3, O 4–5, X 6–13, W 14. LDR: front end 15–18, O 19, X 20–27, data and W to 36. EXIT: front
 * end 37–40, O 41, X 42–49. Each waits for the one before, which is charged for that. */
static void where_each_instruction_spends_its_cycles(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, LDR_R0_R1, EXIT};
    static const uint64_t expected[3][MACHINE_CAUSE_COUNT] = {
        {[MACHINE_CAUSE_FRONT_END] = 4,
         [MACHINE_CAUSE_OPERANDS] = 2,
         [MACHINE_CAUSE_EXECUTE] = 8,
         [MACHINE_CAUSE_LATENCY] = 1},
        {[MACHINE_CAUSE_FRONT_END] = 4,
         [MACHINE_CAUSE_OPERANDS] = 1,
         [MACHINE_CAUSE_EXECUTE] = 8,
         [MACHINE_CAUSE_MEMORY] = 9},
        {[MACHINE_CAUSE_FRONT_END] = 4, [MACHINE_CAUSE_OPERANDS] = 1, [MACHINE_CAUSE_EXECUTE] = 8},
    };
    struct machine_profile profile[3] = {0};
    struct bench *b = bench_create();
    begin(b, text, 3, 32, 0);
    b->cluster.profile = profile;
    look(b);
    for (unsigned i = 0; i < 4; ++i) {
        uint64_t done;
        private_l2_access(&b->cluster.core[i].l2, DATA_BASE, false, 0, &done); /* there long before T */
    }
    run(b);
    for (unsigned n = 0; n < 3; ++n) {
        assert_memory_equal(profile[n].cycles, expected[n], sizeof expected[n]);
        assert_int_equal(profile[n].executions, 32);
    }
    assert_int_equal(b->cluster.memory_instructions, 32);
    bench_free(b);
}

/* Every cycle of SIMT mode has an instruction; only leaving it has none. */
static void every_cycle_has_an_instruction(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, VDIV_S2_S0_S1, BARRIER, STR_R0_R1, MUL_R2_R0_R1, LDM_R1_R2_R3, EXIT};
    for (unsigned threads = 1; threads <= 512; threads = threads * 2 + 3) {
        struct machine_profile profile[7] = {0};
        struct bench *b = bench_create();
        b->config.mem.mshrs = 3;
        begin(b, text, 7, threads, 40);
        b->cluster.profile = profile;
        look(b);
        run(b);
        for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) {
            for (unsigned n = 0; n < 7; ++n) b->cluster.cause[i] -= profile[n].cycles[i];
            if (i != MACHINE_CAUSE_MODE_SWITCH) assert_int_equal(b->cluster.cause[i], 0);
        }
        for (unsigned n = 0; n < 7; ++n) assert_int_equal(profile[n].executions, threads);
        assert_true(profile[2].cycles[MACHINE_CAUSE_BARRIER] > 0 || threads <= 32);
        bench_free(b);
    }
}

/* Skipping quiet cycles changes nothing: same end, same causes, same counts. */
static void skipping_is_exact(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, VDIV_S2_S0_S1, BARRIER, STR_R0_R1, MUL_R2_R0_R1, LDM_R1_R2_R3, EXIT};
    for (unsigned threads = 1; threads <= 512; threads = threads * 2 + 3) {
        struct bench *b[2];
        for (unsigned skip = 0; skip < 2; ++skip) {
            b[skip] = bench_create();
            b[skip]->config.mem.mshrs = 3;
            begin(b[skip], text, 7, threads, 40);
            set_exact(b[skip], !skip);
            for (uint64_t t = T; b[skip]->cluster.mode == CLUSTER_SIMT;)
                t = cluster_simt_step(&b[skip]->cluster, t);
        }
        assert_int_equal(b[0]->cluster.resume, b[1]->cluster.resume);
        assert_memory_equal(b[0]->cluster.cause, b[1]->cluster.cause, sizeof b[0]->cluster.cause);
        assert_int_equal(b[0]->cluster.core[3].l2.tags.misses, b[1]->cluster.core[3].l2.tags.misses);
        bench_free(b[0]);
        bench_free(b[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_1),
        cmocka_unit_test(hints_are_nops),
        cmocka_unit_test(arbitration_takes_its_cycles),
        cmocka_unit_test(arbitration_is_not_pipelined),
        cmocka_unit_test(example_2),
        cmocka_unit_test(two_warps_are_selected_in_turn),
        cmocka_unit_test(stages_of_each_class),
        cmocka_unit_test(a_condition_that_fails_takes_its_rounds_but_writes_nothing),
        cmocka_unit_test(loads_and_stores_that_hit_the_l2),
        cmocka_unit_test(a_load_that_misses_waits_for_memory),
        cmocka_unit_test(a_full_miss_register_file_holds_the_round),
        cmocka_unit_test(a_dtlb_miss_holds_the_access_not_the_round),
        cmocka_unit_test(a_fetch_that_misses_the_l1i_holds_the_front_end),
        cmocka_unit_test(a_barrier_opens_one_cycle_after_the_last_arrival),
        cmocka_unit_test(the_older_instruction_has_the_write_port),
        cmocka_unit_test(a_partly_filled_warp_takes_all_its_rounds),
        cmocka_unit_test(two_read_ports_halve_the_collection),
        cmocka_unit_test(a_line_of_32_bytes_holds_one_vtpo_of_8),
        cmocka_unit_test(every_cycle_has_one_cause),
        cmocka_unit_test(where_each_instruction_spends_its_cycles),
        cmocka_unit_test(every_cycle_has_an_instruction),
        cmocka_unit_test(skipping_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

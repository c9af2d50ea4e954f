/*
 * core: hand-counted cycles of loads and stores through the L1D, as in a MIMD launch (timing.md §7), and of
 * running ahead. In the ordinary machine a hit is usable 2 cycles after the load issues. A miss has its
 * address in X, the L1D in the next cycle, the L2 in the one after that, and 8 cycles of it. */
#include "tests/core/core_fixture.h"
#include "tests/seed.h"

#define MOV_R1_2      0xe3a01002u
#define ADD_R1_R0_R0  0xe0801000u
#define ADD_R6_R4_R4  0xe0846004u
#define ADD_R6_R3_R3  0xe0836003u
#define ADD_R6_R1_R1  0xe0816001u
#define LDR_R0_R4     0xe5940000u
#define LDR_R0_R4_64  0xe5940040u
#define LDR_R0_R4_WB  0xe5b40004u /* ldr r0, [r4, #4]! */
#define LDR_PC_R4     0xe594f000u
#define LDM_R4_4      0xe894000fu /* ldm r4, {r0-r3} */
#define LDM_R4_PC     0xe8948001u /* ldm r4, {r0, pc} */
#define LDRD_R0_R4    0xe1c400d0u
#define VLDR_D0_R4    0xed940b00u
#define VLDM_R4_D0_D1 0xec940b04u
#define VADD_D2_D0_D0 0xee302b00u
#define VADD_D2_D1_D1 0xee312b01u
#define STR_R0_R4     0xe5840000u
#define STM_R4_4      0xe884000fu
#define NOP           0xe320f000u

/* The data's lines in the L1D (and the L2), the L2 only, or nowhere. */
static void line_in_l1d(uint32_t address) {
    line_in_l2(address);
    assert_non_null(cache_fill(&core.l1d.tags, address, 0, 0));
}

static void store_in_l2(uint32_t address) {
    uint64_t done;
    assert_true(private_l2_access(&core.l2, address, true, 0, &done));
}

#define CACHED(...)                                                                                          \
    do {                                                                                                     \
        WARMED(__VA_ARGS__);                                                                                 \
        core.caches_data = true;                                                                             \
    } while (0)

static void a_hit_is_usable_after_two_cycles_and_blocks_nothing(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, ADD_R1_R0_R0);
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 2); /* load-use: one cycle more than after an addition */
    core_free(&core);
    CACHED(LDR_R0_R4, ADD_R6_R4_R4, ADD_R1_R0_R0);
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 2);
    assert_int_equal(core.l1d.tags.accesses, 1);
    assert_int_equal(core.l1d.tags.misses, 0);
    assert_int_equal(core.account[MACHINE_CAUSE_MEMORY], 0);
    core_free(&core);
}

static void hits_follow_each_other(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, LDR_R0_R4, LDR_R0_R4, LDR_R0_R4, ADD_R1_R0_R0);
    line_in_l1d(DATA);
    for (unsigned n = 0; n < 4; ++n) issues(n, WARM + n);
    issues(4, WARM + 5);
    assert_int_equal(core.account[MACHINE_CAUSE_LATENCY], 1);
    core_free(&core);
}

static void a_slow_l1d_delays_the_result_only(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, ADD_R6_R4_R4, ADD_R1_R0_R0);
    core.l1d.latency_cycles = 3;
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 4);
    core_free(&core);
}

static void a_miss_blocks_until_the_l2_has_answered(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, ADD_R6_R4_R4, ADD_R1_R0_R0, LDR_R0_R4, ADD_R1_R0_R0);
    line_in_l2(DATA);
    issues(0, WARM);
    issues(1, WARM + 10); /* X 0, L1D 1, L2 2–9 */
    issues(2, WARM + 11);
    issues(3, WARM + 12); /* after the fill */
    issues(4, WARM + 14);
    assert_int_equal(core.l1d.tags.accesses, 2);
    assert_int_equal(core.l1d.tags.misses, 1);
    assert_int_equal(core.account[MACHINE_CAUSE_MEMORY], 9);
    core_free(&core);
}

static void a_miss_of_both_waits_for_memory(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, ADD_R1_R0_R0, LDR_R0_R4_64, ADD_R1_R0_R0);
    issues(0, WARM);
    issues(1, WARM + 210);
    issues(2, WARM + 211); /* another line */
    issues(3, WARM + 421);
    assert_int_equal(core.l1d.tags.misses, 2);
    core_free(&core);
}

static void a_dtlb_miss_blocks_for_20_cycles(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, ADD_R6_R4_R4, ADD_R1_R0_R0, STR_R0_R4, ADD_R6_R4_R4);
    line_in_l1d(DATA);
    empty_dtlb();
    issues(0, WARM);
    issues(1, WARM + 21);
    issues(2, WARM + 22);
    empty_dtlb();
    issues(3, WARM + 23);
    issues(4, WARM + 44);
    assert_int_equal(core.account[MACHINE_CAUSE_MEMORY], 40);
    core_free(&core);
}

/* An access of two lines takes a cycle for each. */
static void an_unaligned_load_of_two_lines(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, ADD_R6_R4_R4, ADD_R1_R0_R0);
    core.registers[4] = DATA + 62;
    line_in_l1d(DATA);
    line_in_l1d(DATA + 64);
    issues(0, WARM);
    issues(1, WARM + 2);
    issues(2, WARM + 3);
    assert_int_equal(core.l1d.tags.accesses, 2);
    core_free(&core);
    CACHED(LDR_R0_R4, ADD_R6_R4_R4);
    core.registers[4] = DATA + 62;
    line_in_l1d(DATA);
    line_in_l2(DATA + 64);
    issues(0, WARM);
    issues(1, WARM + 11); /* X 0, 1; L1D 2; L2 3–10 */
    core_free(&core);
}

static void stores_write_through_and_fill_nothing(void **state) {
    (void)state;
    CACHED(STR_R0_R4, STR_R0_R4, LDR_R0_R4, MOV_R1_2);
    line_in_l2(DATA);
    const uint64_t requests = core.l2.tags.accesses;
    issues(0, WARM);
    issues(1, WARM + 1);
    assert_int_equal(core.l2.tags.accesses, requests + 2);
    assert_int_equal(cache_find(&core.l2.tags, DATA)->state, MOESI_M);
    assert_null(cache_find(&core.l1d.tags, DATA));
    assert_int_equal(core.l1d.tags.misses, 2);
    issues(2, WARM + 2); /* thus a miss */
    issues(3, WARM + 12);
    core_free(&core);
    CACHED(STR_R0_R4, LDR_R0_R4, ADD_R1_R0_R0);
    line_in_l1d(DATA);
    issues(0, WARM); /* does not evict the line */
    issues(1, WARM + 1);
    issues(2, WARM + 3);
    assert_int_equal(core.l1d.tags.misses, 0);
    core_free(&core);
}

/* Also when the L2 misses, again and again, with all its miss registers in use. */
static void stores_never_block(void **state) {
    (void)state;
    static uint32_t text[20];
    for (unsigned n = 0; n < 20; ++n) text[n] = 0xe4840040u; /* str r0, [r4], #64 */
    warm(text, 20);
    core.caches_data = true;
    for (unsigned n = 0; n < 20; ++n) issues(n, WARM + n);
    core_free(&core);
}

static void a_load_of_a_line_that_a_store_fetches_waits_for_it(void **state) {
    (void)state;
    CACHED(STR_R0_R4, LDR_R0_R4, MOV_R1_2);
    issues(0, WARM); /* L1D 1, L2 2, memory: there at the end of 209 */
    issues(1, WARM + 1);
    issues(2, WARM + 210);
    core_free(&core);
}

/* r0 in cycle 0, r1 in 1, r2 in 2, r3 in 3, each usable 2 later. */
static void a_multiple_load_is_a_load_for_each_register(void **state) {
    (void)state;
    CACHED(LDM_R4_4, ADD_R6_R1_R1, ADD_R6_R3_R3);
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 4);
    issues(2, WARM + 5);
    assert_int_equal(core.l1d.tags.accesses, 4);
    core_free(&core);
    CACHED(LDM_R4_4, ADD_R6_R3_R3);
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 5); /* load-use */
    assert_int_equal(core.account[MACHINE_CAUSE_OCCUPIED], 3);
    assert_int_equal(core.account[MACHINE_CAUSE_LATENCY], 1);
    core_free(&core);
    CACHED(LDM_R4_4, MOV_R1_2);
    core.registers[4] = DATA + 56; /* r2 is the first of the next line */
    line_in_l1d(DATA);
    line_in_l2(DATA + 64);
    issues(0, WARM);
    issues(1, WARM + 13); /* r0 0, r1 1, r2 2 … 11, r3 12 */
    assert_int_equal(core.l1d.tags.misses, 1);
    core_free(&core);
}

static void pairs_and_vfp_lists_are_multiple_too(void **state) {
    (void)state;
    CACHED(LDRD_R0_R4, ADD_R6_R1_R1);
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 3);
    core_free(&core);
    CACHED(VLDM_R4_D0_D1, VADD_D2_D0_D0, VADD_D2_D1_D1);
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 4); /* d0's words arrive in 0 and 1 */
    issues(2, WARM + 5); /* d1's in 2 and 3: 5 */
    core_free(&core);
    CACHED(VLDR_D0_R4, VADD_D2_D0_D0); /* a single access */
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 2);
    assert_int_equal(core.l1d.tags.accesses, 1);
    core_free(&core);
}

static void a_multiple_store_is_a_store_for_each_register(void **state) {
    (void)state;
    CACHED(STM_R4_4, MOV_R1_2);
    line_in_l1d(DATA);
    const uint64_t requests = core.l2.tags.accesses;
    issues(0, WARM);
    issues(1, WARM + 4);
    assert_int_equal(core.l1d.tags.accesses, 4);
    assert_int_equal(core.l2.tags.accesses, requests + 4);
    core_free(&core);
}

static void the_base_written_back_comes_with_the_data(void **state) {
    (void)state;
    CACHED(LDR_R0_R4_WB, ADD_R6_R4_R4);
    line_in_l1d(DATA);
    issues(0, WARM);
    issues(1, WARM + 2);
    core_free(&core);
}

static void a_pc_that_is_loaded_is_known_when_it_is_usable(void **state) {
    (void)state;
    CACHED(LDR_PC_R4, NOP, MOV_R1_2);
    line_in_l1d(DATA);
    memcpy(data, &(uint32_t){TEXT + 8}, 4);
    issues(0, WARM);
    issues(2, WARM + 2 + 2);
    assert_int_equal(core.account[MACHINE_CAUSE_BRANCH], 3);
    core_free(&core);
    CACHED(LDM_R4_PC, NOP, MOV_R1_2);
    line_in_l1d(DATA);
    memcpy(data + 4, &(uint32_t){TEXT + 8}, 4);
    issues(0, WARM);
    issues(2, WARM + 3 + 2); /* its second register */
    core_free(&core);
}

/* Least recently used first: five lines of one set of four ways. */
static void the_oldest_line_goes(void **state) {
    (void)state;
    static uint32_t text[12];
    for (unsigned n = 0; n < 12; ++n) text[n] = LDR_R0_R4;
    warm(text, 12);
    core.caches_data = true;
    config.l1d.size_bytes = 1024; /* 4 sets: lines at a distance of 256 bytes share one */
    cache_free(&core.l1d.tags);
    cache_init(&core.l1d.tags, &config.l1d, config.mem.replacement_seed);
    static const struct {
        unsigned line;
        bool misses;
    } loads[] = {{0, true},  {1, true},  {2, true},
                 {3, true},  {0, false}, {4, true} /* for 1 */,
                 {0, false}, {2, false}, {1, true} /* for 3 */,
                 {4, false}, {3, true}};
    uint64_t misses = 0;
    for (unsigned n = 0; n < sizeof loads / sizeof loads[0]; ++n) {
        core.registers[4] = DATA + 256 * loads[n].line;
        issues(n, core.next);
        misses += loads[n].misses;
        assert_int_equal(core.l1d.tags.misses, misses);
    }
    core_free(&core);
}

/* Two misses far apart, with r0 of the first used last. L1D 1, L2 2–9 of each. */
static void hits_go_on_under_a_miss(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, ADD_R6_R4_R4, LDR_R0_R4_64, ADD_R1_R0_R0);
    config.core.hit_under_miss = 1;
    line_in_l2(DATA);
    line_in_l1d(DATA + 64);
    issues(0, WARM);
    issues(1, WARM + 1); /* the miss blocks nothing */
    issues(2, WARM + 2);
    issues(3, WARM + 4); /* after the hit */
    assert_int_equal(core.account[MACHINE_CAUSE_MEMORY], 0);
    core_free(&core);
    CACHED(LDR_R0_R4, ADD_R1_R0_R0);
    config.core.hit_under_miss = 1;
    line_in_l2(DATA);
    issues(0, WARM);
    issues(1, WARM + 10); /* waits for its operand: as long as if it had been blocked */
    assert_int_equal(core.account[MACHINE_CAUSE_LATENCY], 9);
    core_free(&core);
}

static void one_miss_too_many_blocks_until_the_first_line_is_there(void **state) {
    (void)state;
    CACHED(LDR_R0_R4, LDR_R0_R4_64, ADD_R6_R4_R4, ADD_R6_R4_R4);
    config.core.hit_under_miss = 1;
    line_in_l2(DATA);
    line_in_l2(DATA + 64);
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 10); /* the first line: L2 2–9 */
    assert_int_equal(core.account[MACHINE_CAUSE_MEMORY], 8);
    issues(3, WARM + 11);
    core_free(&core);
}

/* A buffer of one: a store enters it in the cycle after X and the L2 takes it in the next. The entry is free
 * one cycle later, so stores follow each other every second cycle. */
static void a_full_write_buffer_blocks(void **state) {
    (void)state;
    CACHED(STR_R0_R4, STR_R0_R4, STR_R0_R4, MOV_R1_2);
    core.l1d.entries = 1;
    store_in_l2(DATA);
    issues(0, WARM);
    issues(1, WARM + 1); /* L1D in 2, entry free in 3: a cycle lost */
    issues(2, WARM + 3);
    issues(3, WARM + 5);
    assert_int_equal(core.account[MACHINE_CAUSE_WRITE_BUFFER], 2);
    assert_int_equal(core.l1d.full_cycles, 2);
    core_free(&core);
}

/* --- running ahead --- */

/* Ends before a cycle that others may observe, including the stall before it. */
static void running_ahead_ends_before_memory(void **state) {
    (void)state;
    CACHED(MOV_R1_2, 0xe0040690 /* mul r4, r0, r6 */, LDR_R0_R4, MOV_R1_2);
    core_run(&core, &code, 0, WARM + 100);
    assert_int_equal(core.pc, TEXT + 8);
    assert_int_equal(core.next, WARM + 3); /* r4 is usable then */
    assert_int_equal(core.instructions, 2);
    core_free(&core);
}

static void running_ahead_ends_at_the_horizon(void **state) {
    (void)state;
    CACHED(MOV_R1_2, MOV_R1_2, MOV_R1_2, MOV_R1_2);
    core_run(&core, &code, 0, WARM + 2);
    assert_int_equal(core.pc, TEXT + 8);
    assert_int_equal(core.next, WARM + 2);
    core_run(&core, &code, 0, WARM + 2);
    assert_int_equal(core.pc, TEXT + 8);
    core_free(&core);
}

/* Random straight-line code has the same cycles and causes whether it is stepped or run ahead. */
static void running_ahead_is_stepping(void **state) {
    (void)state;
    static const uint32_t choice[] = {MOV_R1_2,
                                      ADD_R1_R0_R0,
                                      ADD_R6_R1_R1,
                                      LDR_R0_R4,
                                      STR_R0_R4,
                                      LDM_R4_4,
                                      VLDR_D0_R4,
                                      VADD_D2_D0_D0,
                                      0xe0010690 /* mul r1, r0, r6 */,
                                      0xee820b03 /* vdiv.f64 d0, d2, d3 */,
                                      0xe3500000 /* cmp r0, #0 */,
                                      0x03a01005 /* moveq r1, #5 */,
                                      0xeeb40a60 /* vcmp.f32 s0, s1 */,
                                      0xeef1fa10 /* vmrs APSR_nzcv, fpscr */,
                                      0xeaffffff /* b to the next */};
    struct seed s = seed_start();
    for (unsigned round = 0; round < 200; ++round) {
        static uint32_t text[64];
        uint64_t next[2], account[2][MACHINE_CAUSE_COUNT];
        for (unsigned n = 0; n < 64; ++n) text[n] = choice[seed_below(&s, sizeof choice / sizeof choice[0])];
        text[63] = LDR_R0_R4;
        for (unsigned ahead = 0; ahead < 2; ++ahead) {
            cold(text, 64, WARM);
            core.caches_data = true;
            while (core.pc != TEXT + 4 * 63 || core.instructions < 63) {
                if (ahead) core_run(&core, &code, 0, core.next + 40);
                if (core.pc == TEXT + 4 * 63) break;
                assert_int_not_equal(core_issue(&core, &code, core.next, &issued, &x), CORE_FAULTED);
            }
            while (core_issue(&core, &code, core.next, &issued, &x) == CORE_STALLED) continue;
            next[ahead] = core.next;
            memcpy(account[ahead], core.account, sizeof account[ahead]);
            core_free(&core);
        }
        assert_int_equal(next[0], next[1]);
        assert_memory_equal(account[0], account[1], sizeof account[0]);
        uint64_t sum = WARM;
        for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) sum += account[0][n];
        assert_int_equal(sum, next[0]); /* every cycle has one cause */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_is_usable_after_two_cycles_and_blocks_nothing),
        cmocka_unit_test(hits_follow_each_other),
        cmocka_unit_test(a_slow_l1d_delays_the_result_only),
        cmocka_unit_test(a_miss_blocks_until_the_l2_has_answered),
        cmocka_unit_test(a_miss_of_both_waits_for_memory),
        cmocka_unit_test(a_dtlb_miss_blocks_for_20_cycles),
        cmocka_unit_test(an_unaligned_load_of_two_lines),
        cmocka_unit_test(stores_write_through_and_fill_nothing),
        cmocka_unit_test(stores_never_block),
        cmocka_unit_test(a_load_of_a_line_that_a_store_fetches_waits_for_it),
        cmocka_unit_test(a_multiple_load_is_a_load_for_each_register),
        cmocka_unit_test(pairs_and_vfp_lists_are_multiple_too),
        cmocka_unit_test(a_multiple_store_is_a_store_for_each_register),
        cmocka_unit_test(the_base_written_back_comes_with_the_data),
        cmocka_unit_test(a_pc_that_is_loaded_is_known_when_it_is_usable),
        cmocka_unit_test(hits_go_on_under_a_miss),
        cmocka_unit_test(one_miss_too_many_blocks_until_the_first_line_is_there),
        cmocka_unit_test(a_full_write_buffer_blocks),
        cmocka_unit_test(the_oldest_line_goes),
        cmocka_unit_test(running_ahead_ends_before_memory),
        cmocka_unit_test(running_ahead_ends_at_the_horizon),
        cmocka_unit_test(running_ahead_is_stepping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

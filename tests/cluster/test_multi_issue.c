/*
 * simt.multi_issue against cycles counted by hand (docs/superscalar.md §7). Each warp executes one
 * instruction and EXIT, with 4 lanes, warps of 32, six collectors and two read ports: warps 0, 1, 2 ... have
 * S in 0, 1, 2
 * ..., and O, of one cycle, in 4, 5, 6 ... Every count is taken twice: in each cycle, and with cycles
 * skipped.
 */
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R1  0xe0802001u
#define MUL_R2_R0_R1  0xe0020190u
#define CMP_R0_R1     0xe1500001u
#define VADD_S2_S0_S1 0xee301a20u
#define VDIV_S2_S0_S1 0xee801a20u
#define LDR_R0_SP_4   0xe51d0004u /* ldr r0, [sp, #-4] */

enum { WARPS = 4 };

/* A machine of Table 3. */
static struct bench *create(enum multi_issue multi_issue, unsigned width) {
    struct bench *b = bench_create();
    b->config.simt.multi_issue = multi_issue;
    b->config.simt.issue_width = width;
    b->config.simt.collectors = 6;
    b->config.tpm.read_ports = 2;
    b->stack_size = 64;
    return b;
}

static const uint32_t *text_of(const uint32_t *instruction, unsigned warps, uint32_t *text, struct bench *b) {
    for (unsigned w = 0; w < warps; ++w) {
        b->entry[w] = 2 * w;
        text[2 * w] = instruction[w];
        text[2 * w + 1] = EXIT;
    }
    return text;
}

/* Every cycle of SIMT mode has one cause, and is in the histogram of started rounds. */
static void assert_adds_up(const struct bench *b) {
    const struct cluster *c = &b->cluster;
    uint64_t causes = 0, cycles = 0, rounds = 0;
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n)
        if (n != MACHINE_CAUSE_MODE_SWITCH) causes += c->cause[n];
    for (unsigned n = 0; n <= CORE_MAX_UNITS; ++n) {
        cycles += c->rounds_started.bucket[n];
        rounds += n * c->rounds_started.bucket[n];
    }
    assert_int_equal(causes, b->end - T);
    assert_int_equal(cycles, b->end - T);
    assert_int_equal(rounds, 8 * c->warp_instructions);
}

/* Runs one instruction and EXIT of each warp. */
static void run_warps(struct bench *b, const uint32_t *instruction, unsigned warps, bool exact) {
    uint32_t text[2 * WARPS];
    begin(b, text_of(instruction, warps, text, b), 2 * warps, 32 * warps, 4);
    set_exact(b, exact);
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_adds_up(b);
}

/* Compares the cycles of C of the instructions, and those of EXITs if `exit` is not NULL. */
static void expect(const struct bench *b, unsigned warps, const uint64_t *commit, const uint64_t *exit) {
    for (unsigned w = 0; w < warps; ++w) {
        assert_int_equal(b->select[w][0], w);
        assert_int_equal(b->commit[w][0], commit[w]);
        if (exit) assert_int_equal(b->commit[w][1], exit[w]);
    }
}

/* Example 5 of superscalar.md: X 5-12, 6-13, 7-14; the fourth waits for an integer unit: 13-20. Results in
 * the cycles after the last rounds, but VADD's in 18. EXIT has no operand and no W. Warp 0: S 14, O 18, X
 * 19-26 beside warp 3's ADD. Warp 1: S 15, O 19; both units are taken until 20: X 21-28. Warp 2: S 19, O 23,
 * X 27-34. Warp 3: S 22, O 26; warp 2 is older: X 29-36.
 *
 * Rounds: of one instruction in 5, 15 to 18, 35 and 36; of three in 7 to 13; of two in the other 18 cycles.
 */
static void example_5_of_warps(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, VADD_S2_S0_S1, ADD_R2_R0_R1};
    static const uint64_t commit[] = {13, 14, 18, 21}, exit[] = {26, 28, 34, 36};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(MULTI_ISSUE_WARPS, 3);
        run_warps(b, text, 4, exact);
        expect(b, 4, commit, exit);
        assert_int_equal(b->select[0][1], 14);
        assert_int_equal(b->end - T, 37);
        const struct cluster *c = &b->cluster;
        assert_int_equal(c->cause[MACHINE_CAUSE_EXECUTE], 32);
        assert_int_equal(c->cause[MACHINE_CAUSE_OPERANDS], 1);
        assert_int_equal(c->cause[MACHINE_CAUSE_FRONT_END], 4);
        assert_int_equal(c->rounds_started.bucket[0], 5);
        assert_int_equal(c->rounds_started.bucket[1], 7);
        assert_int_equal(c->rounds_started.bucket[2], 18);
        assert_int_equal(c->rounds_started.bucket[3], 7);
        assert_int_equal(c->late_places, 1); /* cycle 12: the lanes have three instructions, warp 3 waits */
        assert_int_equal(c->late_units, 3);
        bench_free(b);
    }
}

/* X 5-8, 9-12, 13-16, 17-20: two rounds a cycle. With two collectors O is in 4, 5, 9 and 13. EXIT of warp 0:
 * S 10, O 17, X 21-24; the others four cycles later each. */
static void example_5_of_rounds(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, VADD_S2_S0_S1, ADD_R2_R0_R1};
    static const uint64_t commit[] = {9, 13, 20, 21}, exit[] = {24, 28, 32, 36};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(MULTI_ISSUE_ROUNDS, 1);
        b->config.simt.collectors = 2;
        run_warps(b, text, 4, exact);
        expect(b, 4, commit, exit);
        assert_int_equal(b->cluster.cause[MACHINE_CAUSE_EXECUTE], 32);
        assert_int_equal(b->cluster.rounds_started.bucket[2], 32);
        bench_free(b);
    }
}

/* Three integer units start three rounds a cycle: 3, 3 and 2. X 5-7, C in 8; EXIT: S 9, O 13, X 14-16. */
static void a_last_cycle_of_fewer_rounds(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(MULTI_ISSUE_ROUNDS, 1);
        b->config.core.integer_units = 3;
        run_warps(b, text, 1, exact);
        expect(b, 1, (uint64_t[]){8}, (uint64_t[]){16});
        assert_int_equal(b->cluster.rounds_started.bucket[3], 4);
        assert_int_equal(b->cluster.rounds_started.bucket[2], 2);
        bench_free(b);
    }
}

/* The first integer unit multiplies: warp 1 waits for it until 13, and warp 2's ADD goes before. MUL has a
 * latency of 2: W 14; X 13-20, W 22. ADD: X 7-14, W 15. With `rounds`, MUL takes 8 cycles: X 5-12, 13-20, and
 * ADD 21-24. */
static void multiplications_need_the_first_unit(void **state) {
    (void)state;
    static const uint32_t text[] = {MUL_R2_R0_R1, MUL_R2_R0_R1, ADD_R2_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(MULTI_ISSUE_WARPS, 3);
        run_warps(b, text, 3, exact);
        expect(b, 3, (uint64_t[]){14, 22, 15}, NULL);
        bench_free(b);
        b = create(MULTI_ISSUE_ROUNDS, 1);
        run_warps(b, text, 3, exact);
        expect(b, 3, (uint64_t[]){14, 22, 25}, NULL);
        bench_free(b);
    }
}

/* Two units of each kind: with three places the fourth starts in 13, when warp 0 has left: result in 23, W
 * 24; with four in 8: result in 18, W 19. */
static void places_in_the_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, VADD_S2_S0_S1, VADD_S2_S0_S1};
    for (unsigned exact = 0; exact < 2; ++exact)
        for (unsigned width = 3; width <= 4; ++width) {
            struct bench *b = create(MULTI_ISSUE_WARPS, width);
            run_warps(b, text, 4, exact);
            expect(b, 4, (uint64_t[]){13, 14, 18, width == 3 ? 24 : 19}, NULL);
            bench_free(b);
        }
}

/* One VFP unit divides, a round in 14 cycles: X 5, 19 ... 103, until 116; result in 118, W 119. ADD: X 6-13,
 * W 14; its EXIT: S 15, O 19, X 20-27. EXIT of warp 0: S 120, O 124, X 125-132. A round starts in
 * 8 + 8 + 8 of the cycles 5 to 116, and 88 are occupied. */
static void an_occupied_unit_leaves_the_others(void **state) {
    (void)state;
    static const uint32_t text[] = {VDIV_S2_S0_S1, ADD_R2_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(MULTI_ISSUE_WARPS, 3);
        run_warps(b, text, 2, exact);
        expect(b, 2, (uint64_t[]){119, 14}, (uint64_t[]){132, 27});
        assert_int_equal(b->cluster.cause[MACHINE_CAUSE_EXECUTE], 32);
        assert_int_equal(b->cluster.cause[MACHINE_CAUSE_OCCUPIED], 88);
        bench_free(b);
    }
}

/* A flight has its collector until its last round has started. With two collectors, warp 2 gets warp 0's in
 * 13: X 14-21, W 22. With three, warp 2 has O in 6, and waits for an integer unit: X 13-20, W 21. */
static void collectors_are_held_by_the_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact)
        for (unsigned collectors = 2; collectors <= 3; ++collectors) {
            struct bench *b = create(MULTI_ISSUE_WARPS, 3);
            b->config.simt.collectors = collectors;
            run_warps(b, text, 3, exact);
            expect(b, 3, (uint64_t[]){13, 14, collectors == 2 ? 22 : 21}, NULL);
            bench_free(b);
        }
}

/* One unit for loads and stores. Warp 0's load has X 5-12, one read port in each, and W 13. Warp 1's has its
 * operand through the other port in 5, and X 13-20, W 21. Warp 2's ADD needs two ports: O, due in 6, is in
 * 21, X 22-29, W 30. EXIT of warp 0, behind it, has X 23-30; that of warp 1 has O in 26, and waits until 30.
 */
static void loads_take_turns(void **state) {
    (void)state;
    static const uint32_t text[] = {LDR_R0_SP_4, LDR_R0_SP_4, ADD_R2_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(MULTI_ISSUE_WARPS, 3);
        run_warps(b, text, 3, exact);
        expect(b, 3, (uint64_t[]){13, 21, 30}, NULL);
        assert_int_equal(b->cluster.tpm_wait[CLUSTER_TPM_WAIT_LOADS], 15);
        assert_int_equal(b->cluster.late_units, 2);
        bench_free(b);
    }
}

/* Results of MUL and ADD are there in 13. Two write ports write both in 14, and so many of them commit then,
 * the older first. */
static void commits_of_a_cycle(void **state) {
    (void)state;
    static const uint32_t text[] = {MUL_R2_R0_R1, ADD_R2_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact)
        for (unsigned width = 1; width <= 2; ++width) {
            struct bench *b = create(MULTI_ISSUE_WARPS, 3);
            b->config.tpm.write_ports = 2;
            b->config.core.commit_width = width;
            run_warps(b, text, 2, exact);
            expect(b, 2, (uint64_t[]){14, width == 1 ? 15 : 14}, NULL);
            bench_free(b);
        }
}

/* With simt.mitigation skip, warp 1, without the threads of its last round, has X 6-12. Warp 0 exits in 12,
 * as warp 1 could: it does in 13. Two comparisons commit in 12. */
static void one_exit_a_cycle(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, EXIT}, others[] = {CMP_R0_R1, CMP_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact)
        for (unsigned n = 0; n < 2; ++n) {
            uint32_t words[4];
            struct bench *b = create(MULTI_ISSUE_WARPS, 3);
            b->config.simt.mitigation = MITIGATION_SKIP;
            b->absent = UINT64_C(0x80808080) << 32;
            begin(b, text_of(n ? others : text, 2, words, b), 4, 64, 0);
            set_exact(b, exact);
            run(b);
            expect(b, 2, (uint64_t[]){12, n ? 12 : 13}, NULL);
            bench_free(b);
        }
}

/* As above, warp 1 has X 6-12: both units are free in 13, and warps 2 and 3 have X 13-20. Warps 0 and 1 write
 * in 13 and 14, and wait with EXIT until 21: X 21-28 and 21-27. Warps 2 and 3 write in 21 and 22, and have
 * their operands in 26 and 27: X 28-35 and 29-36. Six have waited for units, none for a place: of three, two
 * are used. */
static void two_start_in_a_cycle(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1, ADD_R2_R0_R1};
    for (unsigned exact = 0; exact < 2; ++exact) {
        uint32_t words[8];
        struct bench *b = create(MULTI_ISSUE_WARPS, 3);
        b->config.simt.mitigation = MITIGATION_SKIP;
        b->absent = UINT64_C(0x80808080) << 32;
        begin(b, text_of(text, 4, words, b), 8, 128, 0);
        set_exact(b, exact);
        run(b);
        expect(b, 4, (uint64_t[]){13, 14, 21, 22}, (uint64_t[]){28, 27, 35, 36});
        assert_int_equal(b->cluster.late_places, 0);
        assert_int_equal(b->cluster.late_units, 6);
        bench_free(b);
    }
}

/* One place, and no two flights that end in one cycle: the machine without. */
static void one_place_is_off(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, LDR_R0_SP_4, VADD_S2_S0_S1, CMP_R0_R1};
    struct bench *off = create(MULTI_ISSUE_OFF, 1), *one = create(MULTI_ISSUE_WARPS, 1);
    uint32_t words[8];
    begin(off, text_of(text, 4, words, off), 8, 128, 4);
    run(off);
    run_warps(one, text, 4, false);
    for (unsigned w = 0; w < 4; ++w)
        for (unsigned n = 0; n < 2; ++n) assert_int_equal(off->commit[w][n], one->commit[w][n]);
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n)
        assert_int_equal(off->cluster.cause[n], one->cluster.cause[n]);
    bench_free(off);
    bench_free(one);
}

#define TEST(name) cmocka_unit_test(name)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(example_5_of_warps),
        TEST(example_5_of_rounds),
        TEST(a_last_cycle_of_fewer_rounds),
        TEST(multiplications_need_the_first_unit),
        TEST(places_in_the_lanes),
        TEST(an_occupied_unit_leaves_the_others),
        TEST(collectors_are_held_by_the_lanes),
        TEST(loads_take_turns),
        TEST(commits_of_a_cycle),
        TEST(one_exit_a_cycle),
        TEST(two_start_in_a_cycle),
        TEST(one_place_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

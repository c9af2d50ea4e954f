/* Superscalar cores: cycles of the kinds in_order and out_of_order, counted by hand, with all in L1I, L1D and
 * TLBs unless a test says otherwise. */
#include "model/config/core_kinds.h"
#include "tests/core/core_fixture.h"

#include "model/core/out_of_order.h"

#define NOP           0xe320f000u
#define WFI           0xe320f003u
#define MOV_R0_1      0xe3a00001u
#define MOV_R1_2      0xe3a01002u
#define ADD_R1_R1_1   0xe2811001u
#define LDR_R3_R4     0xe5943000u
#define LDR_R3_R0_UP  0xe4903004u /* ldr r3, [r0], #4 */
#define ADD_R2_R2_R3  0xe0822003u
#define SUBS_R1_1     0xe2511001u
#define BNE_BACK_3    0x1afffffbu /* branch to the instruction 3 before */
#define STR_R1_R4     0xe5841000u
#define STRB_R1_R4    0xe5c41000u
#define MUL_R1_R1_R1  0xe0010191u
#define VADD_S2_S0_S1 0xee301a20u
#define DMB           0xf57ff05fu
#define B_SELF        0xeafffffeu
#define MAX_SEEN      512

static enum core_kinds kind;
static unsigned width, stages;
static void (*change)(struct machine_config *c);

static void wide(struct machine_config *c) {
    c->core.kind = kind;
    c->core.issue_width = width;
    c->core.front_stages = stages;
    if (change) change(c);
}

/* A core of a kind with its text and data in the caches, in a MIMD launch. */
static void ready(enum core_kinds of, unsigned instructions, const uint32_t *program, unsigned count) {
    uint32_t text[64];
    memcpy(text, program, count * sizeof *text);
    text[count++] = B_SELF;
    kind = of;
    width = instructions;
    stages = of == CORE_in_order ? 8 : 15;
    configure = wide;
    warm(text, count);
    core.caches_data = true;
    for (uint32_t at = DATA; at < DATA + sizeof data; at += 64) l1d_load(&core.l1d, at, 0);
    for (unsigned n = 0; n < 16; ++n) core.registers[n] = DATA;
    core.registers[1] = 100;
}
#define READY(of, instructions, ...)                                                                         \
    do {                                                                                                     \
        static const uint32_t text[] = {__VA_ARGS__};                                                        \
        ready(of, instructions, text, sizeof text / sizeof text[0]);                                         \
    } while (0)

/* Cycles in which instructions issued or were selected, relative to the first issue or dispatch, in program
 * order. */
static struct {
    unsigned count, at[MAX_SEEN];
    uint32_t pc[MAX_SEEN];
} seen;

/* Runs until `count` instructions have executed. Returns the cycle in which the first one did. */
static uint64_t execute(unsigned count) {
    uint64_t first = 0;
    for (seen.count = 0; seen.count < count;) {
        const uint64_t t = core.next;
        const uint32_t pc = core.pc;
        const enum core_issue done = core_issue(&core, &code, t, &issued, &x);
        assert_int_not_equal(done, CORE_FAULTED);
        if (done != CORE_ISSUED) continue;
        if (!seen.count) first = t;
        seen.pc[seen.count] = pc;
        seen.at[seen.count++] = (unsigned)(t - first);
    }
    return first;
}

/* Runs until `count` instructions have committed. */
static void run(unsigned count) {
    const uint64_t first = execute(count);
    if (kind != CORE_out_of_order) return;
    const struct window *w = core.superscalar->window;
    while (w->first <= count) core_issue(&core, &code, core.next, &issued, &x);
    for (unsigned n = 0; n < count && n < WINDOW_SLOTS; ++n)
        seen.at[n] = (unsigned)(w->entry[(n + 1) % WINDOW_SLOTS].selected - first);
}

static void assert_cycles(const unsigned *at, unsigned count) {
    for (unsigned n = 0; n < count; ++n)
        if (seen.at[n] != at[n]) fail_msg("instruction %u: cycle %u, not %u", n, seen.at[n], at[n]);
}
#define CYCLES(...)                                                                                          \
    do {                                                                                                     \
        static const unsigned at[] = {__VA_ARGS__};                                                          \
        assert_cycles(at, sizeof at / sizeof at[0]);                                                         \
    } while (0)

/* Makes the branch at TEXT + 4·n known and predicted taken. */
static void learn(unsigned n, unsigned target) {
    for (unsigned k = 0; k < 2; ++k)
        branch_tables_learn(&core.superscalar->front.predictor, TEXT + 4 * n, true, true, TEXT + 4 * target);
}

/* --- the worked examples of superscalar.md --- */

static void a_sum_takes_4_cycles_a_turn_in_order(void **state) {
    (void)state;
    READY(CORE_in_order, 2, LDR_R3_R0_UP, ADD_R2_R2_R3, SUBS_R1_1, BNE_BACK_3);
    learn(3, 0);
    run(12);
    CYCLES(0, 2, 2, 3, 4, 6, 6, 7, 8, 10, 10, 11);
    core_free(&core);
}

static void a_sum_takes_1_5_cycles_a_turn_out_of_order(void **state) {
    (void)state;
    READY(CORE_out_of_order, 3, LDR_R3_R0_UP, ADD_R2_R2_R3, SUBS_R1_1, BNE_BACK_3);
    learn(3, 0);
    run(80);
    CYCLES(1, 3, 1, 2, 2);
    assert_int_equal(seen.at[79] - seen.at[39], 15); /* the branches of 10 turns */
    core_free(&core);
}

#define MIX                                                                                                  \
    0xe5903000 /* ldr r3, [r0] */, 0xe5904004 /* ldr r4, [r0, #4] */, 0xee301a20 /* vadd.f32 s2, s0, s1 */,  \
        0xe0835004 /* add r5, r3, r4 */, 0xee612a82 /* vmul.f32 s5, s3, s4 */,                               \
        0xe0060795 /* mul r6, r5, r7 */, 0xe5886000 /* str r6, [r8] */

static void units_work_side_by_side_in_order(void **state) {
    (void)state;
    READY(CORE_in_order, 2, MIX);
    run(7);
    CYCLES(0, 1, 1, 3, 3, 4, 6);
    core_free(&core);
}

static void units_work_side_by_side_out_of_order(void **state) {
    (void)state;
    READY(CORE_out_of_order, 3, MIX);
    run(7);
    CYCLES(1, 2, 1, 4, 2, 5, 7);
    core_free(&core);
}

/* A loop of n turns, and the branches that were predicted wrong. */
static void count_loop(enum core_kinds of, unsigned n) {
    READY(of, 2, MOV_R0_1, SUBS_R1_1, 0x1afffffd /* bne to the one before */, NOP);
    core.registers[1] = n;
    execute(1 + 2 * n + 1);
    assert_int_equal(core.superscalar->branches, n);
    assert_int_equal(core.superscalar->taken, n - 1);
    assert_int_equal(core.superscalar->wrong, n == 1 ? 0 : 2);
}

static void a_loop_is_predicted_wrong_twice(void **state) {
    (void)state;
    for (unsigned n = 1; n <= 100; ++n) {
        count_loop(CORE_in_order, n);
        core_free(&core);
        count_loop(CORE_out_of_order, n);
        core_free(&core);
    }
}

/* A wrong prediction costs `front_stages` cycles without issue. */
static void a_wrong_prediction_costs_the_front_end(void **state) {
    (void)state;
    READY(CORE_in_order, 2, MOV_R0_1, SUBS_R1_1, 0x1afffffd, NOP);
    core.registers[1] = 3;
    run(8);
    CYCLES(0, 0, 1, 10, 11, 12, 13, 22);
    assert_int_equal(core.account[MACHINE_CAUSE_BRANCH], 16);
    core_free(&core);
    READY(CORE_out_of_order, 2, MOV_R0_1, SUBS_R1_1, 0x1afffffd, NOP);
    core.registers[1] = 3;
    run(8);
    CYCLES(1, 1, 2, 18, 19, 19, 20, 36);
    core_free(&core);
}

/* A branch with alternating direction: if first taken, always mispredicted; if first not taken, mispredicted
 * when taken. */
static void an_alternating_branch_is_predicted_wrong(void **state) {
    (void)state;
    for (unsigned first = 0; first < 2; ++first) {
        READY(CORE_in_order, 2, 0xe3110001 /* tst r1, #1 */, 0x1a000000 /* bne over the next */, NOP,
              0xe2811001 /* add r1, r1, #1 */, 0xeafffffa /* b to the first */);
        core.registers[1] = first;
        branch_tables_learn(&core.superscalar->front.predictor, TEXT + 16, false, true, TEXT);
        while (core.superscalar->branches < 40) core_issue(&core, &code, core.next, &issued, &x);
        assert_int_equal(core.superscalar->wrong, first ? 20 : 10);
        core_free(&core);
    }
}

static void a_store_forwards_to_a_load(void **state) {
    (void)state;
    READY(CORE_out_of_order, 3, STR_R1_R4, LDR_R3_R4, ADD_R2_R2_R3);
    run(3);
    CYCLES(1, 2, 4);
    assert_int_equal(core.superscalar->window->loads_forwarded, 1);
    core_free(&core);
}

/* The load waits until the store has committed (2) and is written in the same cycle. */
static void a_load_waits_for_a_store_of_a_part(void **state) {
    (void)state;
    READY(CORE_out_of_order, 3, STRB_R1_R4, LDR_R3_R4, ADD_R2_R2_R3);
    run(3);
    CYCLES(1, 3, 5);
    assert_int_equal(core.superscalar->window->loads_forwarded, 0);
    assert_int_equal(core.superscalar->window->loads_partial, 1);
    core_free(&core);
}

/* --- acceptance 3: chains and independent instructions --- */

static void fill(uint32_t *text, unsigned count, const uint32_t *pattern, unsigned of) {
    for (unsigned n = 0; n < count; ++n) text[n] = pattern[n % of];
}

static void chains_take_a_cycle_a_link(void **state) {
    (void)state;
    static const uint32_t link[] = {ADD_R1_R1_1};
    uint32_t text[60];
    fill(text, 60, link, 1);
    static const enum core_kinds kinds[] = {CORE_single, CORE_in_order, CORE_out_of_order};
    for (unsigned k = 0; k < 3; ++k) {
        ready(kinds[k], 3, text, 60);
        run(60);
        for (unsigned n = 0; n < 60; ++n) assert_int_equal(seen.at[n] - seen.at[0], n);
        core_free(&core);
    }
}

static void independent_additions_use_both_units(void **state) {
    (void)state;
    static const uint32_t add[] = {0xe2811001, 0xe2822001, 0xe2833001, 0xe2855001}; /* r1, r2, r3, r5 */
    uint32_t text[60];
    fill(text, 60, add, 4);
    for (unsigned of = CORE_in_order; of <= CORE_out_of_order; ++of) {
        ready(of, 3, text, 60);
        run(60);
        assert_int_equal(seen.at[59] - seen.at[0], 29);
        core_free(&core);
    }
}

static void a_mix_is_issued_three_a_cycle(void **state) {
    (void)state;
    static const uint32_t mix[] = {0xe2811001, VADD_S2_S0_S1, LDR_R3_R4};
    uint32_t text[60];
    fill(text, 60, mix, 3);
    ready(CORE_in_order, 2, text, 60);
    run(60);
    assert_int_equal(seen.at[59] - seen.at[0], 29);
    core_free(&core);
    ready(CORE_out_of_order, 3, text, 60);
    run(60);
    assert_int_equal(seen.at[59] - seen.at[0], 19);
    core_free(&core);
}

/* --- acceptance 4 --- */

static void narrow(struct machine_config *c) {
    c->core.integer_units = c->core.vfp_units = 1;
    c->core.front_stages = 2;
    c->core.btb_entries = 0;
}

static void a_narrow_core_in_order_is_as_fast_as_single(void **state) {
    (void)state;
    static const uint32_t mix[] = {0xe2811001, LDR_R3_R4, ADD_R2_R2_R3, 0xe0010192 /* mul r1, r2, r1 */,
                                   0xe0811001 /* add r1, r1, r1 */};
    uint32_t text[60];
    unsigned single[60];
    fill(text, 60, mix, 5);
    ready(CORE_single, 1, text, 60);
    run(60);
    memcpy(single, seen.at, sizeof single);
    core_free(&core);
    change = narrow;
    ready(CORE_in_order, 1, text, 60);
    change = NULL;
    run(60);
    assert_cycles(single, 60);
    core_free(&core);
}

/* --- rules of issue --- */

static void one_multiplication_a_cycle(void **state) {
    (void)state;
    READY(CORE_in_order, 3, 0xe0020191 /* mul r2, r1, r1 */, 0xe0030191 /* mul r3, r1, r1 */);
    run(2);
    CYCLES(0, 1);
    core_free(&core);
    READY(CORE_in_order, 3, 0xe2822001 /* add r2, r2, #1 */, 0xe0030191);
    run(2);
    CYCLES(0, 0);
    core_free(&core);
}

/* A result must not be usable before an older one of the same register, nor written in the same cycle. */
static void results_of_a_register_come_in_order(void **state) {
    (void)state;
    READY(CORE_in_order, 2, 0xe0020191 /* mul r2, r1, r1 */, 0xe3a02001 /* mov r2, #1 */, 0xe3a02002);
    run(3);
    CYCLES(0, 1, 2);
    core_free(&core);
    READY(CORE_out_of_order, 3, 0xe0020191, 0xe3a02001, 0xe3a02002);
    run(3);
    CYCLES(1, 1, 2); /* renamed; two integer units */
    core_free(&core);
}

/* The carry is an operand: ADC does not issue together with ADDS. */
static void the_carry_is_awaited(void **state) {
    (void)state;
    READY(CORE_in_order, 2, 0xe0911001 /* adds r1, r1, r1 */, 0xe2a22000 /* adc r2, r2, #0 */);
    run(2);
    CYCLES(0, 1);
    core_free(&core);
    READY(CORE_out_of_order, 2, 0xe0911001, 0xe2a22000);
    run(2);
    CYCLES(1, 2);
    core_free(&core);
}

/* DMB waits for the results of all older instructions, and issues alone. */
static void a_barrier_issues_alone(void **state) {
    (void)state;
    READY(CORE_in_order, 2, LDR_R3_R4, DMB, MOV_R0_1, MOV_R1_2);
    run(4);
    CYCLES(0, 2, 3, 3);
    core_free(&core);
    READY(CORE_out_of_order, 3, LDR_R3_R4, DMB, MOV_R0_1, MOV_R1_2);
    run(4); /* the load commits in 3 and leaves both queues; DMB is dispatched in 4 and commits in 6 */
    CYCLES(1, 5, 7, 7);
    core_free(&core);
}

/* --- memory --- */

/* A load that misses delays later accesses, which are in order, but no other instruction. */
static void accesses_wait_for_a_miss_in_order(void **state) {
    (void)state;
    READY(CORE_in_order, 2, LDR_R3_R4, 0xe5942040 /* ldr r2, [r4, #64] */, MOV_R0_1,
          0xe0820002 /* add r0, r2, r2 */);
    cache_invalidate(&core.l1d.tags);
    l1d_load(&core.l1d, DATA + 64, 0);
    run(4);
    CYCLES(0, 1, 1,
           12); /* the first line arrives in 10: L1D in 1, 8 cycles of L2; the second access follows */
    assert_int_equal(core.account[MACHINE_CAUSE_MEMORY], 8);
    assert_int_equal(core.account[MACHINE_CAUSE_LATENCY], 2);
    core_free(&core);
}

static void hits_pass_misses_out_of_order(void **state) {
    (void)state;
    READY(CORE_out_of_order, 3, LDR_R3_R4, 0xe5942040, MOV_R0_1, 0xe0820002);
    cache_invalidate(&core.l1d.tags);
    l1d_load(&core.l1d, DATA + 64, 0);
    run(4);
    CYCLES(1, 2, 1, 4);
    core_free(&core);
}

static void two_entries(struct machine_config *c) {
    c->core.lsq = 2;
}

static void a_full_queue_stops_issue(void **state) {
    (void)state;
    change = two_entries;
    READY(CORE_in_order, 2, LDR_R3_R4, 0xe5942040, 0xe5945044 /* ldr r5, [r4, #68] */, MOV_R0_1);
    change = NULL;
    cache_invalidate(&core.l1d.tags);
    l1d_load(&core.l1d, DATA + 64, 0);
    run(4);
    CYCLES(0, 1, 10, 10); /* after the first line has arrived */
    assert_int_equal(core.account[MACHINE_CAUSE_LSQ], 8);
    core_free(&core);
}

static void four_entries(struct machine_config *c) {
    c->core.window = 4;
}

/* Two divisions of 5 cycles, and more additions than the window has room for. */
static void a_full_window_stops_dispatch(void **state) {
    (void)state;
    change = four_entries;
    READY(CORE_out_of_order, 3, 0xe712f113 /* sdiv r2, r3, r1 */, MOV_R0_1, MOV_R0_1, MOV_R0_1, MOV_R0_1);
    change = NULL;
    core.registers[3] = 7;
    run(5);
    CYCLES(1, 1, 2, 3, 8); /* the division commits in 6, with two others; dispatched in 7 */
    assert_true(core.account[MACHINE_CAUSE_WINDOW] > 0);
    core_free(&core);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_takes_4_cycles_a_turn_in_order),
        cmocka_unit_test(a_sum_takes_1_5_cycles_a_turn_out_of_order),
        cmocka_unit_test(units_work_side_by_side_in_order),
        cmocka_unit_test(units_work_side_by_side_out_of_order),
        cmocka_unit_test(a_loop_is_predicted_wrong_twice),
        cmocka_unit_test(a_wrong_prediction_costs_the_front_end),
        cmocka_unit_test(an_alternating_branch_is_predicted_wrong),
        cmocka_unit_test(a_store_forwards_to_a_load),
        cmocka_unit_test(a_load_waits_for_a_store_of_a_part),
        cmocka_unit_test(chains_take_a_cycle_a_link),
        cmocka_unit_test(independent_additions_use_both_units),
        cmocka_unit_test(a_mix_is_issued_three_a_cycle),
        cmocka_unit_test(a_narrow_core_in_order_is_as_fast_as_single),
        cmocka_unit_test(one_multiplication_a_cycle),
        cmocka_unit_test(results_of_a_register_come_in_order),
        cmocka_unit_test(the_carry_is_awaited),
        cmocka_unit_test(a_barrier_issues_alone),
        cmocka_unit_test(accesses_wait_for_a_miss_in_order),
        cmocka_unit_test(hits_pass_misses_out_of_order),
        cmocka_unit_test(a_full_queue_stops_issue),
        cmocka_unit_test(a_full_window_stops_dispatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

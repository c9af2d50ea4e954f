/*
 * core: cycles of the in-order core, counted by hand (timing.md §7). Each test checks the cycle in which an
 * instruction issues, and that it does not issue one cycle earlier.
 */
#include "tests/core/core_fixture.h"

#define MOV_R0_1     0xe3a00001u
#define MOV_R1_2     0xe3a01002u
#define MOV_R2_3     0xe3a02003u
#define MOVEQ_R1_5   0x03a01005u
#define MOVNE_R1_5   0x13a01005u
#define ADD_R1_R0_R0 0xe0801000u
#define ADD_R1_R4_R4 0xe0841004u
#define CMP_R0_0     0xe3500000u
#define NOP          0xe320f000u
#define B_16         0xea000002u /* branch to its own address + 16 */
#define BNE_16       0x1a000002u
#define BEQ_16       0x0a000002u
#define BL_16        0xeb000002u
#define BX_LR        0xe12fff1eu
#define BX_R0        0xe12fff10u
#define LDR_R0_R4    0xe5940000u
#define LDREQ_R0_R4  0x05940000u
#define LDR_R0_R4_WB 0xe5b40004u /* ldr r0, [r4, #4]! */
#define LDR_PC_R4    0xe594f000u
#define LDM_R4_4     0xe894000fu /* ldm r4, {r0-r3} */
#define STR_R0_R4    0xe5840000u
#define STR_R0_R4_64 0xe4840040u /* str r0, [r4], #64 */
#define STM_R4_4     0xe884000fu
#define WFI          0xe320f003u
#define WFIEQ        0x0320f003u

static void instructions_without_dependences_issue_one_a_cycle(void **state) {
    (void)state;
    WARMED(MOV_R0_1, MOV_R1_2, MOV_R2_3, ADD_R1_R0_R0);
    for (unsigned n = 0; n < 4; ++n) issues(n, WARM + n);
    assert_int_equal(core.registers[0], 1);
    assert_int_equal(core.registers[1], 2); /* 1 + 1, after 2 */
    assert_int_equal(core.registers[2], 3);
    assert_int_equal(core.instructions, 4);
    core_free(&core);
}

/* A result is usable `latency` cycles after its instruction issued; an instruction that does not need it
 * issues after `occupancy` cycles. */
static void results_are_forwarded_after_their_latency(void **state) {
    (void)state;
    static const uint32_t add_r1_r4_r4 = ADD_R1_R4_R4, vadd_s8_s10_s10 = 0xee354a05;
    static const uint32_t add_r1_r0_r0 = ADD_R1_R0_R0, add_r1_r2_r2 = 0xe0821002, vadd_s1_s0_s0 = 0xee700a00,
                          vadd_d1_d0_d0 = 0xee301b00;
    static const struct {
        uint32_t producer, consumer, other;
        unsigned latency, occupancy;
    } pairs[] = {
        {MOV_R0_1, add_r1_r0_r0, add_r1_r4_r4, 1, 1},         /* alu */
        {0xe0850106, add_r1_r0_r0, add_r1_r4_r4, 1, 1},       /* add r0, r5, r6, lsl #2 */
        {0xe0000695, add_r1_r0_r0, add_r1_r4_r4, 2, 1},       /* mul r0, r5, r6 */
        {0xe0820695, add_r1_r0_r0, add_r1_r4_r4, 2, 1},       /* umull r0, r2, r5, r6: low word */
        {0xe0820695, add_r1_r2_r2, add_r1_r4_r4, 2, 1},       /* high word */
        {0xe710f615, add_r1_r0_r0, add_r1_r4_r4, 5, 5},       /* sdiv r0, r5, r6 */
        {0xee005a10, vadd_s1_s0_s0, vadd_s8_s10_s10, 4, 1},   /* vmov s0, r5 */
        {0xee110a10, add_r1_r0_r0, add_r1_r4_r4, 4, 1},       /* vmov r0, s2 */
        {0xee310a21, vadd_s1_s0_s0, vadd_s8_s10_s10, 4, 1},   /* vadd.f32 s0, s2, s3 */
        {0xee210a21, vadd_s1_s0_s0, vadd_s8_s10_s10, 4, 1},   /* vmul.f32 s0, s2, s3 */
        {0xee220b03, vadd_d1_d0_d0, vadd_s8_s10_s10, 7, 4},   /* vmul.f64 d0, d2, d3 */
        {0xee010a21, vadd_s1_s0_s0, vadd_s8_s10_s10, 8, 1},   /* vmla.f32 s0, s2, s3 */
        {0xee020b03, vadd_d1_d0_d0, vadd_s8_s10_s10, 11, 4},  /* vmla.f64 d0, d2, d3 */
        {0xee810a21, vadd_s1_s0_s0, vadd_s8_s10_s10, 16, 14}, /* vdiv.f32 s0, s2, s3 */
        {0xee820b03, vadd_d1_d0_d0, vadd_s8_s10_s10, 31, 29}, /* vdiv.f64 d0, d2, d3 */
        {0xee820b03, vadd_s1_s0_s0, vadd_s8_s10_s10, 31, 29}, /* the lower half as a single register */
        {0xee100710, add_r1_r0_r0, add_r1_r4_r4, 1, 1},       /* mrc p7, 0, r0, c0, c0, 0 */
    };
    for (unsigned n = 0; n < sizeof pairs / sizeof pairs[0]; ++n) {
        const uint32_t text[] = {pairs[n].producer, pairs[n].other, pairs[n].consumer};
        warm(text, 3);
        issues(0, WARM);
        issues(1, WARM + pairs[n].occupancy);
        const unsigned after_other = pairs[n].occupancy + 1;
        issues(2, WARM + (pairs[n].latency > after_other ? pairs[n].latency : after_other));
        core_free(&core);
        const uint32_t dependent[] = {pairs[n].producer, pairs[n].consumer};
        warm(dependent, 2);
        issues(0, WARM);
        if (pairs[n].latency > pairs[n].occupancy) {
            assert_int_equal(core_issue(&core, &code, WARM + pairs[n].latency - 1, &issued, &x),
                             CORE_STALLED);
            assert_int_equal(core.next, WARM + pairs[n].latency);
        }
        issues(1, WARM + pairs[n].latency);
        core_free(&core);
    }
}

static void the_configured_latency_counts(void **state) {
    (void)state;
    WARMED(MOV_R0_1, ADD_R1_R0_R0);
    config.core.latency_cycles[ARM_CLASS_ALU] = 3;
    config.core.occupancy_cycles[ARM_CLASS_ALU] = 2;
    issues(0, WARM);
    assert_int_equal(core.next, WARM + 2);
    issues(1, WARM + 3);
    core_free(&core);
}

static void conditions_wait_for_the_flags(void **state) {
    (void)state;
    WARMED(CMP_R0_0, MOVEQ_R1_5, MOVNE_R1_5);
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 2);
    assert_int_equal(core.registers[1], 5);
    core_free(&core);
    WARMED(0xe0100695 /* muls r0, r5, r6 */, MOVEQ_R1_5);
    issues(0, WARM);
    issues(1, WARM + 2);
    core_free(&core);
    WARMED(0xeef1fa10 /* vmrs APSR_nzcv, fpscr */, MOV_R0_1, MOVEQ_R1_5);
    issues(0, WARM);
    issues(1, WARM + 1); /* unconditional */
    issues(2, WARM + 4);
    core_free(&core);
}

/* The FPSCR flags are a result of the comparison, whose latency is 4. */
static void vmrs_waits_for_the_comparison(void **state) {
    (void)state;
    static const uint32_t compares[] = {0xeeb40a60 /* vcmp.f32 s0, s1 */, 0xeeb50a40 /* vcmp.f32 s0, #0 */,
                                        0xeeb40b41 /* vcmp.f64 d0, d1 */, 0xeeb50bc0 /* vcmpe.f64 d0, #0 */};
    for (unsigned n = 0; n < 4; ++n) {
        const uint32_t text[] = {compares[n], MOV_R0_1, 0xeef1fa10 /* vmrs APSR_nzcv, fpscr */, MOVEQ_R1_5};
        warm(text, 4);
        issues(0, WARM);
        issues(1, WARM + 1);
        issues(2, WARM + 4);
        issues(3, WARM + 8);
        core_free(&core);
    }
    WARMED(0xeee10a10 /* vmsr fpscr, r0 */, 0xeef10a10 /* vmrs r0, fpscr */, ADD_R1_R0_R0);
    issues(0, WARM);
    issues(1, WARM + 4);
    issues(2, WARM + 8);
    core_free(&core);
}

static void a_taken_branch_costs_two_cycles(void **state) {
    (void)state;
    WARMED(MOV_R0_1, B_16, NOP, NOP, NOP, MOV_R1_2);
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(5, WARM + 4);
    core_free(&core);
}

static void a_branch_not_taken_costs_nothing(void **state) {
    (void)state;
    WARMED(CMP_R0_0, BNE_16, NOP, BEQ_16, NOP, NOP, NOP, MOV_R1_2); /* r0 is 0 */
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 2);
    issues(3, WARM + 3);
    issues(7, WARM + 6);
    core_free(&core);
}

static void a_call_and_its_return_cost_two_cycles_each(void **state) {
    (void)state;
    WARMED(BL_16, MOV_R0_1, NOP, NOP, BX_LR);
    issues(0, WARM);
    assert_int_equal(core.registers[14], TEXT + 4);
    issues(4, WARM + 3);
    issues(1, WARM + 6);
    core_free(&core);
}

static void the_branch_penalty_may_be_configured_away(void **state) {
    (void)state;
    WARMED(B_16, NOP, NOP, NOP, MOV_R1_2);
    config.core.branch_penalty_cycles = 0;
    issues(0, WARM);
    issues(4, WARM + 1);
    core_free(&core);
}

/* --- fetch --- */

static void the_first_fetch_misses_everything(void **state) {
    (void)state;
    COLD(100, MOV_R0_1, MOV_R1_2);
    issues(0, 100 + 20 + 8 + 200); /* ITLB, L2, memory; the L1I's own cycle is overlapped */
    issues(1, 329);
    assert_int_equal(core.l1i.misses, 1);
    assert_int_equal(core.l1i.accesses, 1);
    assert_int_equal(core.itlb.misses, 1);
    core_free(&core);
}

static void a_line_that_only_the_l2_has_stalls_8_cycles(void **state) {
    (void)state;
    COLD(WARM, MOV_R0_1, MOV_R1_2);
    tlb_fill(&core.itlb, TEXT);
    line_in_l2(TEXT);
    issues(0, WARM + 8);
    issues(1, WARM + 9);
    core_free(&core);
}

/* Lines of 64 bytes: the 17th instruction is in the next. */
static void each_new_line_is_fetched_once(void **state) {
    (void)state;
    uint32_t text[20];
    for (unsigned n = 0; n < 20; ++n) text[n] = NOP;
    cold(text, 20, WARM);
    tlb_fill(&core.itlb, TEXT);
    line_in_l2(TEXT);
    line_in_l2(TEXT + 64);
    for (unsigned n = 0; n < 16; ++n) issues(n, WARM + 8 + n);
    issues(16, WARM + 24 + 8); /* 24 had it been there */
    issues(17, WARM + 33);
    assert_int_equal(core.l1i.accesses, 2);
    assert_int_equal(core.l1i.misses, 2);
    core_free(&core);
}

static void a_fetch_says_when_the_instruction_is_there(void **state) {
    (void)state;
    COLD(0, NOP);
    assert_int_equal(core_fetch(&core, TEXT, 1000),
                     1000 + 20 + 208); /* end of the cycle; L1I look-up in 1000 */
    assert_false(moesi_dirty(cache_find(&core.l2.tags, TEXT)->state));
    assert_int_equal(core_fetch(&core, TEXT + 60, 2000), 2000); /* hit */
    core.itlb.used = 0;
    assert_int_equal(core_fetch(&core, TEXT + 60, 2500), 2520); /* hits the L1I, but is not translated */
    assert_int_equal(core_fetch(&core, TEXT + 64, 3000), 3208); /* same page */
    line_in_l2(TEXT + 128);
    assert_int_equal(core_fetch(&core, TEXT + 128, 4000), 4008);
    assert_int_equal(core_fetch(&core, TEXT + 4096 - 64, 5000), 5208);
    line_in_l2(TEXT + 4096);
    assert_int_equal(core_fetch(&core, TEXT + 4096, 6000), 6028);
    core_free(&core);
}

static void a_slow_l1i_is_pipelined_when_it_hits(void **state) {
    (void)state;
    WARMED(MOV_R0_1, MOV_R1_2);
    config.l1i.latency_cycles = 3;
    issues(0, WARM);
    issues(1, WARM + 1);
    assert_int_equal(core_fetch(&core, TEXT, WARM), WARM + 2);
    core_free(&core);
}

/* --- loads and stores --- */

/* 1 cycle for the address, 8 for the L2. */
static void a_load_blocks_for_nine_cycles(void **state) {
    (void)state;
    WARMED(LDR_R0_R4, MOV_R1_2, ADD_R1_R0_R0);
    line_in_l2(DATA);
    memcpy(data, &(uint32_t){21}, 4);
    issues(0, WARM);
    issues(1, WARM + 9); /* also blocks an instruction that does not need the data */
    issues(2, WARM + 10);
    assert_int_equal(core.registers[1], 42);
    core_free(&core);
}

static void a_load_of_the_last_word_of_a_line_is_of_one_line(void **state) {
    (void)state;
    WARMED(LDR_R0_R4, MOV_R1_2);
    core.registers[4] = DATA + 60;
    line_in_l2(DATA);
    issues(0, WARM);
    issues(1, WARM + 9);
    core_free(&core);
}

static void a_load_that_misses_waits_for_memory(void **state) {
    (void)state;
    WARMED(LDR_R0_R4, ADD_R1_R0_R0, LDR_R0_R4, ADD_R1_R0_R0);
    issues(0, WARM);
    issues(1, WARM + 209);
    issues(2, WARM + 210);
    issues(3, WARM + 219);                    /* hits the L2 by then */
    assert_int_equal(core.l2.tags.misses, 2); /* one of them for the text */
    core_free(&core);
}

static void a_dtlb_miss_adds_20_cycles(void **state) {
    (void)state;
    WARMED(LDR_R0_R4, MOV_R1_2, STR_R0_R4, MOV_R1_2);
    line_in_l2(DATA);
    empty_dtlb();
    issues(0, WARM);
    issues(1, WARM + 29);
    empty_dtlb();
    issues(2, WARM + 30);
    issues(3, WARM + 51); /* a store needs its translation, too */
    assert_int_equal(core.dtlb.misses, 2);
    core_free(&core);
}

static void the_base_register_written_back_is_right_and_counted(void **state) {
    (void)state;
    WARMED(LDR_R0_R4_WB, LDR_R0_R4_WB, MOV_R1_2);
    line_in_l2(DATA);
    issues(0, WARM);
    issues(1, WARM + 9);
    issues(2, WARM + 18);
    assert_int_equal(core.registers[4], DATA + 8);
    core_free(&core);
}

static void a_load_of_two_lines_waits_for_the_later(void **state) {
    (void)state;
    WARMED(LDR_R0_R4, MOV_R1_2);
    core.registers[4] = DATA + 62;
    line_in_l2(DATA);
    line_in_l2(DATA + 64);
    issues(0, WARM);
    issues(1, WARM + 10); /* the second request one cycle after the first */
    core_free(&core);
    WARMED(LDR_R0_R4, MOV_R1_2);
    core.registers[4] = DATA + 62;
    line_in_l2(DATA + 64); /* the first misses */
    issues(0, WARM);
    issues(1, WARM + 209);
    core_free(&core);
}

static void stores_never_block(void **state) {
    (void)state;
    WARMED(STR_R0_R4, STR_R0_R4, MOV_R1_2);
    issues(0, WARM); /* misses the L2 */
    issues(1, WARM + 1);
    issues(2, WARM + 2);
    assert_true(moesi_dirty(cache_find(&core.l2.tags, DATA)->state));
    core_free(&core);
}

static void multiple_accesses_take_a_cycle_a_register(void **state) {
    (void)state;
    WARMED(STM_R4_4, MOV_R1_2);
    issues(0, WARM);
    issues(1, WARM + 4);
    core_free(&core);
    WARMED(LDM_R4_4, MOV_R1_2);
    line_in_l2(DATA);
    issues(0, WARM);
    issues(1, WARM + 9); /* the wait for the L2 covers the four cycles */
    core_free(&core);
}

/* Eight stores fill the miss registers: the first is free again after cycle WARM + 1 + 207. */
static void a_load_waits_for_a_miss_register(void **state) {
    (void)state;
    WARMED(STR_R0_R4_64, STR_R0_R4_64, STR_R0_R4_64, STR_R0_R4_64, STR_R0_R4_64, STR_R0_R4_64, STR_R0_R4_64,
           STR_R0_R4_64, LDR_R0_R4, MOV_R1_2);
    for (unsigned n = 0; n < 8; ++n) issues(n, WARM + n);
    assert_int_equal(core.registers[4], DATA + 512);
    issues(8, WARM + 8);
    issues(9, WARM + 209 + 208); /* requested in WARM + 209, there at the end of WARM + 416 */
    core_free(&core);
}

static void a_load_to_a_line_that_a_store_fetches_merges(void **state) {
    (void)state;
    WARMED(STR_R0_R4, LDR_R0_R4, MOV_R1_2);
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 209); /* the store's line arrives at the end of WARM + 208 */
    core_free(&core);
}

static void a_load_whose_condition_fails_accesses_nothing(void **state) {
    (void)state;
    WARMED(CMP_R0_0, LDREQ_R0_R4, MOV_R1_2);
    core.registers[0] = 7;
    const uint64_t accesses = core.l2.tags.accesses;
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 2);
    assert_int_equal(core.l2.tags.accesses, accesses);
    assert_int_equal(core.registers[0], 7);
    core_free(&core);
}

static void a_failed_condition_takes_one_cycle_of_any_instruction(void **state) {
    (void)state;
    WARMED(CMP_R0_0, 0x0710f615 /* sdiveq r0, r5, r6 */, 0x0894000f /* ldmeq r4, {r0-r3} */,
           0x0a000002 /* beq */, 0x00000695 /* muleq r0, r5, r6 */, ADD_R1_R0_R0);
    core.registers[0] = 7;
    for (unsigned n = 0; n < 6; ++n) issues(n, WARM + n);
    assert_int_equal(core.registers[1], 14);
    core_free(&core);
}

static void a_load_of_the_pc_blocks_and_branches(void **state) {
    (void)state;
    WARMED(LDR_PC_R4, NOP, MOV_R1_2);
    memcpy(data, &(uint32_t){TEXT + 8}, 4);
    line_in_l2(DATA);
    issues(0, WARM);
    issues(2, WARM + 9 + 2);
    core_free(&core);
}

/* --- end of a program, and errors --- */

static void wfi_puts_the_core_to_sleep(void **state) {
    (void)state;
    WARMED(MOV_R0_1, WFI, NOP);
    issues(0, WARM);
    issues(1, WARM + 1);
    assert_int_equal(core.state, CORE_ASLEEP);
    core_free(&core);
    WARMED(CMP_R0_0, WFIEQ, NOP);
    core.registers[0] = 1;
    issues(0, WARM);
    issues(1, WARM + 1);
    issues(2, WARM + 2); /* awake: the condition failed */
    core_free(&core);
}

static void a_start_forgets_the_earlier_launch(void **state) {
    (void)state;
    WARMED(0xee820b03 /* vdiv.f64 d0, d2, d3 */, 0xee301b00 /* vadd.f64 d1, d0, d0 */, CMP_R0_0);
    issues(0, WARM);
    core.registers[5] = 5;
    core.fpscr = 0x80000000;
    core.launch_register[2] = 9;
    core_start(&core, TEXT + 4, 0x7000, WARM + 2);
    assert_int_equal(core.registers[5], 0);
    assert_int_equal(core.registers[13], 0x7000);
    assert_int_equal(core.fpscr, 0);
    assert_int_equal(core.launch_register[2], 0);
    assert_int_equal(arm_get_apsr(&core.threads, 0), 0);
    issues(1, WARM + 2); /* waits for nothing */
    core_free(&core);
    WARMED(0xeef1fa10 /* vmrs APSR_nzcv, fpscr */, MOVNE_R1_5);
    issues(0, WARM);
    core_start(&core, TEXT + 4, 0x7000, WARM + 1);
    issues(1, WARM + 1);
    assert_int_equal(core.registers[1], 5);
    core_free(&core);
}

static enum core_issue one(void) {
    return core_issue(&core, &code, core.next, &issued, &x);
}

static void a_pc_outside_the_text_is_a_fault(void **state) {
    (void)state;
    WARMED(BX_R0, NOP);
    core.registers[0] = TEXT + 8; /* one past the last instruction */
    issues(0, WARM);
    assert_int_equal(one(), CORE_FAULTED);
    assert_null(issued);
    core.pc = TEXT - 4;
    assert_int_equal(one(), CORE_FAULTED);
    assert_null(issued);
    core.pc = TEXT + 2;
    assert_int_equal(one(), CORE_FAULTED);
    assert_null(issued);
    core.pc = TEXT + 4;
    assert_int_equal(one(), CORE_ISSUED);
    core_free(&core);
}

static void a_faulting_instruction_changes_nothing(void **state) {
    (void)state;
    WARMED(LDR_R0_R4_WB, NOP);
    core.registers[4] = DATA + sizeof data - 4; /* the word after the last */
    assert_int_equal(one(), CORE_FAULTED);
    assert_ptr_equal(issued, &decoded[0]);
    assert_int_equal(x.fault, ARM_FAULT_UNMAPPED);
    assert_int_equal(x.fault_address, DATA + sizeof data);
    assert_int_equal(core.pc, TEXT);
    assert_int_equal(core.registers[4], DATA + sizeof data - 4);
    assert_int_equal(core.instructions, 0);
    core_free(&core);
    WARMED(0xe7f000f0 /* udf */);
    assert_int_equal(one(), CORE_FAULTED);
    assert_ptr_equal(issued, &decoded[0]);
    assert_int_equal(x.fault, ARM_FAULT_UNDEFINED);
    core_free(&core);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_without_dependences_issue_one_a_cycle),
        cmocka_unit_test(results_are_forwarded_after_their_latency),
        cmocka_unit_test(the_configured_latency_counts),
        cmocka_unit_test(conditions_wait_for_the_flags),
        cmocka_unit_test(vmrs_waits_for_the_comparison),
        cmocka_unit_test(a_taken_branch_costs_two_cycles),
        cmocka_unit_test(a_branch_not_taken_costs_nothing),
        cmocka_unit_test(a_call_and_its_return_cost_two_cycles_each),
        cmocka_unit_test(the_branch_penalty_may_be_configured_away),
        cmocka_unit_test(the_first_fetch_misses_everything),
        cmocka_unit_test(a_line_that_only_the_l2_has_stalls_8_cycles),
        cmocka_unit_test(each_new_line_is_fetched_once),
        cmocka_unit_test(a_fetch_says_when_the_instruction_is_there),
        cmocka_unit_test(a_slow_l1i_is_pipelined_when_it_hits),
        cmocka_unit_test(a_load_blocks_for_nine_cycles),
        cmocka_unit_test(a_load_of_the_last_word_of_a_line_is_of_one_line),
        cmocka_unit_test(a_load_that_misses_waits_for_memory),
        cmocka_unit_test(a_dtlb_miss_adds_20_cycles),
        cmocka_unit_test(the_base_register_written_back_is_right_and_counted),
        cmocka_unit_test(a_load_of_two_lines_waits_for_the_later),
        cmocka_unit_test(stores_never_block),
        cmocka_unit_test(multiple_accesses_take_a_cycle_a_register),
        cmocka_unit_test(a_load_waits_for_a_miss_register),
        cmocka_unit_test(a_load_to_a_line_that_a_store_fetches_merges),
        cmocka_unit_test(a_load_whose_condition_fails_accesses_nothing),
        cmocka_unit_test(a_failed_condition_takes_one_cycle_of_any_instruction),
        cmocka_unit_test(a_load_of_the_pc_blocks_and_branches),
        cmocka_unit_test(wfi_puts_the_core_to_sleep),
        cmocka_unit_test(a_start_forgets_the_earlier_launch),
        cmocka_unit_test(a_pc_outside_the_text_is_a_fault),
        cmocka_unit_test(a_faulting_instruction_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

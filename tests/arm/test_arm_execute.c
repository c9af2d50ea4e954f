/* Execution: hand-worked results at the corners, in the thread form and in a warp of four. */
#include "tests/arm/arm_execute_fixture.h"

static uint32_t flags(const char *nzcvq) {
    uint32_t apsr = 0;
    for (unsigned f = 0; f < 5; f++) apsr |= (nzcvq[f] != '-' ? 1u : 0) << (31 - f);
    return apsr;
}

/* --- data processing: r0 is 0xabcd before --- */

static const struct {
    const char *text;
    uint32_t encoding, r1, r2, r3;
    const char *before;
    uint32_t r0;
    const char *after;
} cases[] = {
    {"lsls r0, r1, #31", 0xe1b00f81, 0x3, 0x0, 0x0, "-----", 0x80000000, "N-C--"},
    {"lsrs r0, r1, #32", 0xe1b00021, 0x80000000, 0x0, 0x0, "-----", 0x0, "-ZC--"},
    {"asrs r0, r1, #32", 0xe1b00041, 0x80000000, 0x0, 0x0, "-----", 0xffffffff, "N-C--"},
    {"rrx r0, r1", 0xe1a00061, 0x3, 0x0, 0x0, "--C--", 0x80000001, "--C--"},
    {"rrxs r0, r1", 0xe1b00061, 0x2, 0x0, 0x0, "--C--", 0x80000001, "N----"},
    {"rors r0, r1, #31", 0xe1b00fe1, 0x40000000, 0x0, 0x0, "-----", 0x80000000, "N-C--"},
    {"lsls r0, r1, r2", 0xe1b00211, 0x80000001, 0x0, 0x0, "--CV-", 0x80000001, "N-CV-"},
    {"lsls r0, r1, r2", 0xe1b00211, 0x80000001, 0x100, 0x0, "-----", 0x80000001, "N----"},
    {"lsls r0, r1, r2", 0xe1b00211, 0x80000001, 0x20, 0x0, "-----", 0x0, "-ZC--"},
    {"lsls r0, r1, r2", 0xe1b00211, 0x80000001, 0x21, 0x0, "--C--", 0x0, "-Z---"},
    {"lsrs r0, r1, r2", 0xe1b00231, 0x80000001, 0x1f, 0x0, "-----", 0x1, "-----"},
    {"lsrs r0, r1, r2", 0xe1b00231, 0x80000001, 0x20, 0x0, "-----", 0x0, "-ZC--"},
    {"lsrs r0, r1, r2", 0xe1b00231, 0x80000001, 0x21, 0x0, "--C--", 0x0, "-Z---"},
    {"asrs r0, r1, r2", 0xe1b00251, 0x80000001, 0x21, 0x0, "-----", 0xffffffff, "N-C--"},
    {"rors r0, r1, r2", 0xe1b00271, 0x80000001, 0x20, 0x0, "-----", 0x80000001, "N-C--"},
    {"rors r0, r1, r2", 0xe1b00271, 0x80000001, 0x21, 0x0, "-----", 0xc0000000, "N-C--"},
    {"movs r0, #-16777216", 0xe3b004ff, 0x0, 0x0, 0x0, "-----", 0xff000000, "N-C--"},
    {"movs r0, #255", 0xe3b000ff, 0x0, 0x0, 0x0, "--C--", 0xff, "--C--"},
    {"ands r0, r1, r2", 0xe0110002, 0xf0, 0xf, 0x0, "--CV-", 0x0, "-ZCV-"},
    {"adds r0, r1, r2", 0xe0910002, 0x7fffffff, 0x1, 0x0, "-----", 0x80000000, "N--V-"},
    {"adds r0, r1, r2", 0xe0910002, 0xffffffff, 0x1, 0x0, "-----", 0x0, "-ZC--"},
    {"adcs r0, r1, r2", 0xe0b10002, 0x7fffffff, 0x0, 0x0, "--C--", 0x80000000, "N--V-"},
    {"adcs r0, r1, r2", 0xe0b10002, 0xffffffff, 0xffffffff, 0x0, "--C--", 0xffffffff, "N-C--"},
    {"subs r0, r1, r2", 0xe0510002, 0x0, 0x1, 0x0, "-----", 0xffffffff, "N----"},
    {"subs r0, r1, r2", 0xe0510002, 0x80000000, 0x1, 0x0, "-----", 0x7fffffff, "--CV-"},
    {"subs r0, r1, r2", 0xe0510002, 0x5, 0x5, 0x0, "-----", 0x0, "-ZC--"},
    {"sbcs r0, r1, r2", 0xe0d10002, 0x5, 0x5, 0x0, "-----", 0xffffffff, "N----"},
    {"sbcs r0, r1, r2", 0xe0d10002, 0x5, 0x5, 0x0, "--C--", 0x0, "-ZC--"},
    {"rsbs r0, r1, #0", 0xe2710000, 0x80000000, 0x0, 0x0, "-----", 0x80000000, "N--V-"},
    {"rscs r0, r1, r2", 0xe0f10002, 0x1, 0x1, 0x0, "-----", 0xffffffff, "N----"},
    {"cmp r1, r2", 0xe1510002, 0x1, 0x2, 0x0, "--CVQ", 0xabcd, "N---Q"},
    {"cmn r1, r2", 0xe1710002, 0x80000000, 0x80000000, 0x0, "-----", 0xabcd, "-ZCV-"},
    {"teq r1, r2", 0xe1310002, 0x7, 0x7, 0x0, "--CV-", 0xabcd, "-ZCV-"},
    {"tst r1, r2", 0xe1110002, 0x80000000, 0x80000000, 0x0, "-----", 0xabcd, "N----"},
    {"moveq r0, r1", 0x01a00001, 0x1, 0x0, 0x0, "-Z---", 0x1, "-Z---"},
    {"movne r0, r1", 0x11a00001, 0x1, 0x0, 0x0, "-Z---", 0xabcd, "-Z---"},
    {"movhi r0, r1", 0x81a00001, 0x1, 0x0, 0x0, "-ZC--", 0xabcd, "-ZC--"},
    {"movhi r0, r1", 0x81a00001, 0x1, 0x0, 0x0, "--C--", 0x1, "--C--"},
    {"movls r0, r1", 0x91a00001, 0x1, 0x0, 0x0, "-----", 0x1, "-----"},
    {"movge r0, r1", 0xa1a00001, 0x1, 0x0, 0x0, "N--V-", 0x1, "N--V-"},
    {"movlt r0, r1", 0xb1a00001, 0x1, 0x0, 0x0, "N--V-", 0xabcd, "N--V-"},
    {"movgt r0, r1", 0xc1a00001, 0x1, 0x0, 0x0, "NZ-V-", 0xabcd, "NZ-V-"},
    {"movle r0, r1", 0xd1a00001, 0x1, 0x0, 0x0, "N----", 0x1, "N----"},
    {"movvs r0, r1", 0x61a00001, 0x1, 0x0, 0x0, "---V-", 0x1, "---V-"},
    {"movpl r0, r1", 0x51a00001, 0x1, 0x0, 0x0, "N----", 0xabcd, "N----"},
    {"mls r0, r1, r2, r3", 0xe0603291, 0x3, 0x4, 0x14, "-----", 0x8, "-----"},
    {"muls r0, r1, r2", 0xe0100291, 0x10000, 0x10000, 0x0, "--CV-", 0x0, "-ZCV-"},
    {"smmulr r0, r1, r2", 0xe750f231, 0x60000000, 0x4, 0x0, "-----", 0x2, "-----"},
    {"smmul r0, r1, r2", 0xe750f211, 0x60000000, 0x4, 0x0, "-----", 0x1, "-----"},
    {"smlabb r0, r1, r2, r3", 0xe1003281, 0x7fff, 0x7fff, 0x7fffffff, "-----", 0xbfff0000, "----Q"},
    {"smulwt r0, r1, r2", 0xe12002e1, 0xffff0000, 0x20000, 0x0, "-----", 0xfffffffe, "-----"},
    {"sdiv r0, r1, r2", 0xe710f211, 0x80000000, 0xffffffff, 0x0, "-----", 0x80000000, "-----"},
    {"sdiv r0, r1, r2", 0xe710f211, 0xfffffff9, 0x2, 0x0, "-----", 0xfffffffd, "-----"},
    {"sdiv r0, r1, r2", 0xe710f211, 0x7, 0x0, 0x0, "-----", 0x0, "-----"},
    {"udiv r0, r1, r2", 0xe730f211, 0xffffffff, 0xffffffff, 0x0, "-----", 0x1, "-----"},
    {"udiv r0, r1, r2", 0xe730f211, 0xfffffffe, 0xffffffff, 0x0, "-----", 0x0, "-----"},
    {"udiv r0, r1, r2", 0xe730f211, 0xffffffff, 0x0, 0x0, "-----", 0x0, "-----"},
    {"qadd r0, r1, r2", 0xe1020051, 0x7fffffff, 0x1, 0x0, "-----", 0x7fffffff, "----Q"},
    {"qsub r0, r1, r2", 0xe1220051, 0x80000000, 0x1, 0x0, "-----", 0x80000000, "----Q"},
    {"qdadd r0, r1, r2", 0xe1420051, 0x0, 0x40000000, 0x0, "-----", 0x7fffffff, "----Q"},
    {"qadd r0, r1, r2", 0xe1020051, 0x1, 0x1, 0x0, "----Q", 0x2, "----Q"},
    {"ssat r0, #8, r1", 0xe6a70011, 0x80, 0x0, 0x0, "-----", 0x7f, "----Q"},
    {"ssat r0, #8, r1, lsl #4", 0xe6a70211, 0xfffffff7, 0x0, 0x0, "-----", 0xffffff80, "----Q"},
    {"usat r0, #8, r1", 0xe6e80011, 0xffffffff, 0x0, 0x0, "-----", 0x0, "----Q"},
    {"usat r0, #8, r1, asr #4", 0xe6e80251, 0xff0, 0x0, 0x0, "-----", 0xff, "-----"},
    {"clz r0, r1", 0xe16f0f11, 0x0, 0x0, 0x0, "-----", 0x20, "-----"},
    {"clz r0, r1", 0xe16f0f11, 0x1, 0x0, 0x0, "-----", 0x1f, "-----"},
    {"rbit r0, r1", 0xe6ff0f31, 0x16, 0x0, 0x0, "-----", 0x68000000, "-----"},
    {"rev16 r0, r1", 0xe6bf0fb1, 0x11223344, 0x0, 0x0, "-----", 0x22114433, "-----"},
    {"revsh r0, r1", 0xe6ff0fb1, 0x11223384, 0x0, 0x0, "-----", 0xffff8433, "-----"},
    {"bfc r0, #8, #8", 0xe7cf041f, 0x0, 0x0, 0x0, "-----", 0xcd, "-----"},
    {"bfi r0, r1, #4, #8", 0xe7cb0211, 0x1ff, 0x0, 0x0, "-----", 0xaffd, "-----"},
    {"sbfx r0, r1, #4, #4", 0xe7a30251, 0x80, 0x0, 0x0, "-----", 0xfffffff8, "-----"},
    {"ubfx r0, r1, #0, #32", 0xe7ff0051, 0xfedcba98, 0x0, 0x0, "-----", 0xfedcba98, "-----"},
    {"sxtab r0, r1, r2, ror #8", 0xe6a10472, 0xa, 0xff00, 0x0, "-----", 0x9, "-----"},
    {"uxtb16 r0, r1, ror #8", 0xe6cf0471, 0x11223344, 0x0, 0x0, "-----", 0x110033, "-----"},
    {"pkhtb r0, r1, r2, asr #16", 0xe6810852, 0x12345678, 0x9abcdef0, 0x0, "-----", 0x12349abc, "-----"},
    {"usad8 r0, r1, r2", 0xe780f211, 0x1ff0010, 0x2000110, 0x0, "-----", 0x101, "-----"},
    {"uqsub8 r0, r1, r2", 0xe6610ff2, 0x1ff0010, 0x2000110, 0x0, "-----", 0xff0000, "-----"},
    {"movt r0, #4660", 0xe3410234, 0x0, 0x0, 0x0, "-----", 0x1234abcd, "-----"},
    {"mvn r0, r1", 0xe1e00001, 0x0, 0x0, 0x0, "-----", 0xffffffff, "-----"},
};

static void data_processing_of(uint32_t positions) {
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct machine *m = fresh(positions);
        unsigned k = positions - 1; /* last position; the other threads must not change */
        *reg(m, 0, k) = 0xabcd;
        *reg(m, 1, k) = cases[n].r1;
        *reg(m, 2, k) = cases[n].r2;
        *reg(m, 3, k) = cases[n].r3;
        arm_set_apsr(&m->t, k, flags(cases[n].before));
        assert_int_equal(run(m, cases[n].text, cases[n].encoding, UINT64_C(1) << k), ARM_FAULT_NONE);
        if (*reg(m, 0, k) != cases[n].r0 || arm_get_apsr(&m->t, k) != flags(cases[n].after))
            fail_msg("case %u, %s: r0 = %08x, APSR %08x", n, cases[n].text, *reg(m, 0, k),
                     arm_get_apsr(&m->t, k));
        for (unsigned other = 0; other < k; other++) {
            assert_int_equal(*reg(m, 0, other), 0);
            assert_int_equal(arm_get_apsr(&m->t, other), 0);
        }
    }
}

static void data_processing(void **state) {
    (void)state;
    data_processing_of(1);
    data_processing_of(WARP);
}

static void conditions_select_threads(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    for (unsigned k = 0; k < WARP; k++) *reg(m, 1, k) = k;
    arm_set_apsr(&m->t, 1, 1u << 30);
    arm_set_apsr(&m->t, 2, 1u << 30);
    assert_int_equal(run(m, "moveq r0, r1", 0x01a00001, 0x7), ARM_FAULT_NONE);
    assert_int_equal(m->x.passed, 0x6);
    const uint32_t expected[WARP] = {0, 1, 2, 0};
    assert_memory_equal(reg(m, 0, 0), expected, sizeof expected);
}

static void long_results(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *reg(m, 0, 0) = *reg(m, 1, 0) = *reg(m, 2, 0) = *reg(m, 3, 0) = 0xffffffff;
    run(m, "umaal r0, r3, r1, r2", 0xe0430291, 1); /* (2^32−1)² + 2·(2^32−1) = 2^64 − 1 */
    assert_int_equal(*reg(m, 0, 0), 0xffffffff);
    assert_int_equal(*reg(m, 3, 0), 0xffffffff);
    run(m, "smlal r0, r3, r1, r2", 0xe0e30291, 1); /* −1 + (−1)(−1) = 0 */
    assert_int_equal(*reg(m, 0, 0), 0);
    assert_int_equal(*reg(m, 3, 0), 0);
}

static void parallel_and_select(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *reg(m, 1, 0) = 0xff01ff80, *reg(m, 2, 0) = 0x01010180;
    run(m, "uadd8 r0, r1, r2", 0xe6510f92, 1);
    assert_int_equal(*reg(m, 0, 0), 0x00020000);
    assert_int_equal(m->ge[0], 0xb); /* carries out of bytes 3, 1, 0 */
    *reg(m, 3, 0) = 0x55555555;
    run(m, "sel r0, r2, r3", 0xe6820fb3, 1);
    assert_int_equal(*reg(m, 0, 0), 0x01550180);
}

static void status_register(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *reg(m, 1, 0) = 0xa80affff;
    run(m, "msr CPSR_fs, r1", 0xe12cf001, 1);
    assert_int_equal(arm_get_apsr(&m->t, 0), 0xa80a0000);
    run(m, "mrs r0, CPSR", 0xe10f0000, 1);
    assert_int_equal(*reg(m, 0, 0), 0xa80a0010);
    m->fpscr[0] = 0x60000000;
    run(m, "vmrs APSR_nzcv, fpscr", 0xeef1fa10, 1);
    assert_int_equal(arm_get_apsr(&m->t, 0), 0x680a0000);
}

/* --- branches and the PC --- */

static void branches(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    run(m, "bl 0x10000", 0xebfffffe, 1);
    assert_int_equal(m->next_pc[0], HERE);
    assert_int_equal(*reg(m, 14, 0), HERE + 4);
    assert_int_equal(m->pc[0], HERE);
    *reg(m, 1, 0) = 0x20000;
    run(m, "blx r1", 0xe12fff31, 1);
    assert_int_equal(m->next_pc[0], 0x20000);
    *reg(m, 1, 0) = 3;
    run(m, "add pc, pc, r1, lsl #2", 0xe08ff101, 1);
    assert_int_equal(m->next_pc[0], HERE + 8 + 12);
    assert_true(m->i.writes_pc);
    *reg(m, 1, 0) = BUFFER;
    m->buffer[2] = 3;
    run(m, "ldr pc, [r1]", 0xe591f000, 1);
    assert_int_equal(m->next_pc[0], 0x30000);
    *reg(m, 13, 0) = BUFFER;
    run(m, "pop {r4, pc}", 0xe8bd8010, 1);
    assert_int_equal(m->next_pc[0], 0);
    assert_int_equal(*reg(m, 4, 0), 0x30000);
    assert_int_equal(*reg(m, 13, 0), BUFFER + 8);
}

static void divergent_branch(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    arm_set_apsr(&m->t, 0, 1u << 30);
    arm_set_apsr(&m->t, 3, 1u << 30);
    run(m, "beq 0x10000", 0x0afffffe, 0xf);
    assert_int_equal(m->x.passed, 0x9);
    assert_int_equal(m->next_pc[0], HERE);
    assert_int_equal(m->next_pc[1], HERE + 4);
}

static void thumb_state_is_a_fault(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    *reg(m, 1, 2) = 0x20001;
    assert_int_equal(run(m, "blx r1", 0xe12fff31, 0xf), ARM_FAULT_TARGET);
    assert_int_equal(m->x.fault_position, 2);
    assert_int_equal(m->x.fault_address, 0x20001);
    assert_int_equal(*reg(m, 14, 2), 0);
    m = fresh(1);
    *reg(m, 13, 0) = BUFFER;
    m->buffer[4] = 1;
    assert_int_equal(run(m, "pop {r4, pc}", 0xe8bd8010, 1), ARM_FAULT_TARGET);
    assert_int_equal(*reg(m, 13, 0), BUFFER);
}

/* --- memory --- */

static void addressing(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    for (unsigned b = 0; b < SIZE; b++) m->buffer[b] = (uint8_t)(b + 0x80);
    *reg(m, 1, 0) = BUFFER;
    run(m, "ldr r0, [r1, #3]", 0xe5910003, 1); /* unaligned */
    assert_int_equal(*reg(m, 0, 0), 0x86858483);
    assert_int_equal(m->x.address[0], BUFFER + 3);
    run(m, "ldrsh r0, [r1, #1]", 0xe1d100f1, 1);
    assert_int_equal(*reg(m, 0, 0), 0xffff8281);
    *reg(m, 1, 0) = BUFFER + 8;
    run(m, "ldr r0, [r1], #-4", 0xe4110004, 1);
    assert_int_equal(*reg(m, 0, 0), 0x8b8a8988);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 4);
    *reg(m, 2, 0) = 0x11223344;
    run(m, "str r2, [r1, #4]!", 0xe5a12004, 1);
    assert_int_equal(word(m->buffer + 8), 0x11223344);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 8);
    assert_int_equal(m->x.stored, 1);
    *reg(m, 3, 0) = 6;
    run(m, "ldrb r0, [r1, -r3]", 0xe7510003, 1);
    assert_int_equal(*reg(m, 0, 0), 0x82);
    run(m, "ldrd r4, [r1]", 0xe1c140d0, 1);
    assert_int_equal(*reg(m, 4, 0), 0x11223344);
    assert_int_equal(*reg(m, 5, 0), 0x8f8e8d8c);
}

static void multiple(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    for (unsigned w = 0; w < 16; w++) m->buffer[w * 4] = (uint8_t)w;
    *reg(m, 1, 0) = BUFFER + 16;
    run(m, "ldm r1, {r4, r5, r6}", 0xe8910070, 1);
    assert_int_equal(*reg(m, 4, 0), 4);
    assert_int_equal(*reg(m, 6, 0), 6);
    run(m, "ldmib r1!, {r4, r5}", 0xe9b10030, 1);
    assert_int_equal(*reg(m, 4, 0), 5);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 24);
    run(m, "ldmda r1, {r4, r5}", 0xe8110030, 1);
    assert_int_equal(*reg(m, 4, 0), 5);
    assert_int_equal(*reg(m, 5, 0), 6);
    assert_int_equal(m->x.address[0], BUFFER + 20);
    run(m, "ldmdb r1!, {r4, r5}", 0xe9310030, 1);
    assert_int_equal(*reg(m, 4, 0), 4);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 16);
    *reg(m, 13, 0) = BUFFER + 32;
    *reg(m, 14, 0) = 0xabcd;
    run(m, "push {r4, lr}", 0xe92d4010, 1);
    assert_int_equal(*reg(m, 13, 0), BUFFER + 24);
    assert_int_equal(word(m->buffer + 24), 4);
    assert_int_equal(word(m->buffer + 28), 0xabcd);
    *single(m, 2) = 77;
    run(m, "vstmia r1!, {s0-s2}", 0xeca10a03, 1);
    assert_int_equal(word(m->buffer + 24), 77);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 28);
}

static void literal(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    static uint8_t code[32];
    memory_add(&m->memory, MEMORY_CODE, HERE, sizeof code, code, false, "code");
    code[16] = 42; /* HERE + 8 + 8 */
    assert_int_equal(run(m, "ldr r0, [pc, #8]", 0xe59f0008, 1), ARM_FAULT_NONE);
    assert_int_equal(*reg(m, 0, 0), 42);
}

static void highest_position_wins(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    for (unsigned k = 0; k < WARP; k++) *reg(m, 1, k) = BUFFER, *reg(m, 2, k) = 10 + k;
    run(m, "str r2, [r1]", 0xe5812000, 0xf);
    assert_int_equal(word(m->buffer), 13);
    run(m, "str r2, [r1]", 0xe5812000, 0x5);
    assert_int_equal(word(m->buffer), 12);
}

/* Threads of one warp may access different regions. */
static void regions_may_differ(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    m->buffer[0] = 1, m->constant[0] = 2, m->stacks[2 * STACK_SIZE - 4] = 3;
    *reg(m, 1, 0) = *reg(m, 1, 3) = BUFFER;
    *reg(m, 1, 1) = READ_ONLY;
    *reg(m, 1, 2) = STACKS + 2 * STACK_SIZE - 4; /* its own stack: 128 to 64 below the end */
    assert_int_equal(run(m, "ldr r0, [r1]", 0xe5910000, 0xf), ARM_FAULT_NONE);
    const uint32_t expected[WARP] = {1, 2, 3, 1};
    assert_memory_equal(reg(m, 0, 0), expected, sizeof expected);
}

struct faulty {
    const char *text;
    uint32_t encoding, address;
    enum arm_fault fault;
};

static void faults(void **state) {
    (void)state;
    static const struct faulty table[] = {
        {"ldr r0, [r1]", 0xe5910000, BUFFER + SIZE, ARM_FAULT_UNMAPPED},
        {"ldr r0, [r1]", 0xe5910000, BUFFER + SIZE - 3, ARM_FAULT_UNMAPPED},
        {"ldr r0, [r1]", 0xe5910000, BUFFER - 1, ARM_FAULT_UNMAPPED},
        {"ldr r0, [r1]", 0xe5910000, 0xffffffff, ARM_FAULT_UNMAPPED},
        {"ldm r1, {r4, r5, r6}", 0xe8910070, BUFFER + SIZE - 8, ARM_FAULT_UNMAPPED},
        {"str r2, [r1]", 0xe5812000, READ_ONLY, ARM_FAULT_READ_ONLY},
        {"ldm r1, {r4, r5, r6}", 0xe8910070, BUFFER + 2, ARM_FAULT_MISALIGNED},
        {"ldrd r4, [r1]", 0xe1c140d0, BUFFER + 1, ARM_FAULT_MISALIGNED},
        {"vldr d0, [r1]", 0xed910b00, BUFFER + 2, ARM_FAULT_MISALIGNED},
        {"ldrex r0, [r1]", 0xe1910f9f, BUFFER + 1, ARM_FAULT_MISALIGNED},
        {"str r2, [r1]", 0xe5812000, STACKS + SIZE - 2 * STACK_SIZE - 4, ARM_FAULT_FOREIGN_STACK},
        {"str r2, [r1]", 0xe5812000, STACKS + SIZE - STACK_SIZE - 2, ARM_FAULT_FOREIGN_STACK},
        {"str r2, [r1]", 0xe5812000, STACKS + SIZE - STACK_SIZE, ARM_FAULT_FOREIGN_STACK},
    };
    for (unsigned n = 0; n < sizeof table / sizeof *table; n++) {
        struct machine *m = fresh(WARP);
        for (unsigned k = 0; k < WARP; k++) *reg(m, 1, k) = BUFFER;
        *reg(m, 1, 1) = table[n].address;
        *reg(m, 2, 0) = 99;
        for (unsigned again = 0; again < 2; again++) { /* without and with a hint */
            assert_int_equal(run(m, table[n].text, table[n].encoding, 0xf), table[n].fault);
            assert_int_equal(m->x.fault_position, 1);
            assert_int_equal(m->x.fault_address, table[n].address);
            assert_int_equal(*reg(m, 0, 1), 0);
            m->i.hint = (uint16_t)again;
        }
        assert_int_equal(run(m, table[n].text, table[n].encoding, 0x9), ARM_FAULT_NONE); /* the other threads
                                                                                          * have no fault */
    }
}

static void undefined(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    assert_int_equal(run(m, ".word 0xe7f000f0", 0xe7f000f0, 1), ARM_FAULT_UNDEFINED);
    assert_int_equal(m->x.fault_address, HERE);
    assert_null(m->i.row);
    assert_int_equal(run(m, ".word 0x07f000f0", 0x07f000f0, 1), ARM_FAULT_NONE); /* the condition fails */
}

/* --- forms the manual leaves room in --- */

static void supervisor_call(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    assert_int_equal(run(m, "svc 0x0000002a", 0xef00002a, 0x6), ARM_FAULT_SUPERVISOR_CALL);
    assert_int_equal(m->x.passed, 0x6);
    assert_int_equal(m->x.fault_position, 1);
    assert_int_equal(m->x.fault_address, HERE);
    assert_int_equal(m->i.immediate, 42);
    assert_false(m->i.is_private);
    assert_int_equal(run(m, "svceq 0x00000001", 0x0f000001, 0x6), ARM_FAULT_NONE);
    assert_int_equal(m->x.passed, 0);
}

static void unprivileged(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    m->buffer[3] = 0x12;
    *reg(m, 1, 0) = BUFFER + 3;
    run(m, "ldrt r0, [r1], #4", 0xe4b10004, 1);
    assert_int_equal(*reg(m, 0, 0), 0x12);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 7);
    *reg(m, 0, 0) = 0xaabbccdd;
    run(m, "strht r0, [r1], #-2", 0xe06100b2, 1);
    assert_int_equal(word(m->buffer + 7), 0xccdd);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 5);
}

/* STM with write-back stores the original base, at any place in the list. */
static void base_in_the_list(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *reg(m, 0, 0) = 5, *reg(m, 1, 0) = BUFFER, *reg(m, 2, 0) = 7;
    run(m, "stmia r1!, {r1, r2}", 0xe8a10006, 1);
    assert_int_equal(word(m->buffer), BUFFER);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 8);
    run(m, "stmia r1!, {r0, r1}", 0xe8a10003, 1);
    assert_int_equal(word(m->buffer + 8), 5);
    assert_int_equal(word(m->buffer + 12), BUFFER + 8);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 16);
}

/* FLDMX and FSTMX move the base by one word more than they transfer. */
static void odd_blocks(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    m->buffer[0] = 1, m->buffer[12] = 4;
    *reg(m, 1, 0) = BUFFER;
    run(m, "fldmiax r1!, {d0-d1}", 0xecb10b05, 1);
    assert_int_equal(*single(m, 0), 1);
    assert_int_equal(*single(m, 3), 4);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 20);
    assert_int_equal(m->i.access_bytes, 16);
    run(m, "fstmdbx r1!, {d1}", 0xed211b03, 1);
    assert_int_equal(word(m->buffer + 12), 4);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 8);
    assert_int_equal(m->x.address[0], BUFFER + 8);
}

/* Hints of every number do nothing. */
static void hints(void **state) {
    (void)state;
    for (uint32_t number = 0; number < 256; number++) {
        struct machine *m = fresh(1);
        arm_decode(0xe320f000 | number, HERE, &m->i);
        arm_execute(&m->i, &m->t, 1, &m->x);
        assert_int_equal(m->x.fault, ARM_FAULT_NONE);
        assert_int_equal(m->i.is_wait, number == 3);
    }
    static const uint32_t others[] = {
        0xf57ff04f /* dsb sy */,
        0xf57ff050 /* dmb #0 */,
        0xf57ff06f /* isb sy */,
        0xf57ff01f /* clrex */,
        0xf5d1f004 /* pld [r1, #4] */,
        0xf591f004 /* pldw [r1, #4] */,
        0xf4d1f004 /* pli */,
        0xf7d1f002 /* pld [r1, r2] */,
        0xf6d1f002 /* pli [r1, r2] */,
        0xf55ff004 /* pld literal */,
        0xf4100000,
        0xf6100000,
    };
    for (unsigned n = 0; n < sizeof others / sizeof *others; n++) {
        struct machine *m = fresh(1);
        arm_decode(others[n], HERE, &m->i);
        arm_execute(&m->i, &m->t, 1, &m->x);
        assert_int_equal(m->x.fault, ARM_FAULT_NONE);
        for (unsigned r = 0; r < 15; r++) assert_int_equal(*reg(m, r, 0), 0);
    }
}

static void status_fields(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *reg(m, 1, 0) = 0xf80f001f;
    run(m, "msr CPSR_fc, r1", 0xe129f001, 1); /* the mode is not to be written */
    assert_int_equal(arm_get_apsr(&m->t, 0), 0xf8000000);
    run(m, "msr CPSR_f, #-2147483648", 0xe328f102, 1);
    assert_int_equal(arm_get_apsr(&m->t, 0), 0x80000000);
}

static void program_counter_from_unaligned_memory(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *reg(m, 1, 0) = BUFFER + 2;
    assert_int_equal(run(m, "ldr pc, [r1], #4", 0xe491f004, 1), ARM_FAULT_MISALIGNED);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 2);
    m->buffer[0] = 2;
    *reg(m, 1, 0) = BUFFER;
    assert_int_equal(run(m, "ldr pc, [r1], #4", 0xe491f004, 1), ARM_FAULT_TARGET);
    assert_int_equal(m->x.fault_address, 2);
    assert_int_equal(*reg(m, 1, 0), BUFFER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_processing),
        cmocka_unit_test(conditions_select_threads),
        cmocka_unit_test(long_results),
        cmocka_unit_test(parallel_and_select),
        cmocka_unit_test(status_register),
        cmocka_unit_test(branches),
        cmocka_unit_test(divergent_branch),
        cmocka_unit_test(thumb_state_is_a_fault),
        cmocka_unit_test(addressing),
        cmocka_unit_test(multiple),
        cmocka_unit_test(literal),
        cmocka_unit_test(highest_position_wins),
        cmocka_unit_test(regions_may_differ),
        cmocka_unit_test(faults),
        cmocka_unit_test(undefined),
        cmocka_unit_test(supervisor_call),
        cmocka_unit_test(unprivileged),
        cmocka_unit_test(base_in_the_list),
        cmocka_unit_test(odd_blocks),
        cmocka_unit_test(hints),
        cmocka_unit_test(status_fields),
        cmocka_unit_test(program_counter_from_unaligned_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

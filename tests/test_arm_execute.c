/* Execution: hand-worked results at the corners, in the thread form and in a warp of four. */
#include "model/arm.h"
#include "model/arm_vfp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HERE       0x00010000u
#define BUFFER     0x60000000u
#define SIZE       256u
#define READ_ONLY  0x60001000u
#define STACKS     0x50000000u
#define STACK_SIZE 64u
#define WARP       4u

struct machine {
    struct memory memory;
    uint8_t buffer[SIZE], constant[SIZE], stacks[SIZE];
    uint32_t registers[ARM_REGISTERS * WARP];
    uint32_t pc[WARP], next_pc[WARP], n[WARP], z[WARP], c[WARP], v[WARP], q[WARP], ge[WARP], fpscr[WARP],
        top[WARP];
    struct arm_threads t;
    struct arm_execution x;
    struct arm_instruction i;
};

static struct machine machine;

/* A fresh machine of 1 or WARP threads, registers 0. */
static struct machine *fresh(uint32_t positions) {
    struct machine *m = &machine;
    memset(m, 0, sizeof *m);
    memory_init(&m->memory);
    memory_add(&m->memory, MEMORY_BUFFER, BUFFER, SIZE, m->buffer, true, "buffer");
    memory_add(&m->memory, MEMORY_CODE, READ_ONLY, SIZE, m->constant, false, "constants");
    memory_add(&m->memory, MEMORY_STACK, STACKS, SIZE, m->stacks, true, "stacks");
    for (unsigned k = 0; k < WARP; k++) {
        m->pc[k] = HERE;
        m->next_pc[k] = HERE + 4;
        m->top[k] = STACKS + SIZE - k * STACK_SIZE;
    }
    m->t = (struct arm_threads){.positions = positions, .registers = m->registers, .pc = m->pc};
    m->t.next_pc = m->next_pc, m->t.n = m->n, m->t.z = m->z, m->t.c = m->c, m->t.v = m->v, m->t.q = m->q;
    m->t.ge = m->ge, m->t.fpscr = m->fpscr, m->t.stack_top = m->top, m->t.stack_size = STACK_SIZE;
    m->t.memory = &m->memory;
    for (unsigned k = 0; k < positions; k++) arm_set_apsr(&m->t, k, 0);
    return m;
}

static uint32_t *reg(struct machine *m, unsigned r, unsigned k) {
    return &m->registers[r * m->t.positions + k];
}
static uint32_t *single(struct machine *m, unsigned s) {
    return reg(m, 16 + s, 0);
}
static uint32_t word(const uint8_t *bytes) {
    uint32_t w;
    memcpy(&w, bytes, sizeof w);
    return w;
}

/* Executes; the text is what the encoding must be. */
static enum arm_fault run(struct machine *m, const char *text, uint32_t encoding, uint64_t mask) {
    char ours[80];
    arm_disassemble(encoding, HERE, ours, sizeof ours);
    assert_string_equal(ours, text);
    arm_decode(encoding, HERE, &m->i);
    arm_execute(&m->i, &m->t, mask, &m->x);
    return m->x.fault;
}

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
        unsigned k = positions - 1; /* the last position: others stay as they are */
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

/* Threads of one warp in different regions: every thread finds its own. */
static void regions_may_differ(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    m->buffer[0] = 1, m->constant[0] = 2, m->stacks[2 * STACK_SIZE - 4] = 3;
    *reg(m, 1, 0) = *reg(m, 1, 3) = BUFFER;
    *reg(m, 1, 1) = READ_ONLY;
    *reg(m, 1, 2) = STACKS + 2 * STACK_SIZE - 4; /* its own: 128 to 64 below the end */
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
        assert_int_equal(run(m, table[n].text, table[n].encoding, 0x9), ARM_FAULT_NONE); /* others are well */
    }
}

static void undefined(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    assert_int_equal(run(m, ".word 0xe7f000f0", 0xe7f000f0, 1), ARM_FAULT_UNDEFINED);
    assert_int_equal(m->x.fault_address, HERE);
    assert_null(m->i.row);
    assert_int_equal(run(m, ".word 0x07f000f0", 0x07f000f0, 1), ARM_FAULT_NONE); /* its condition fails */
}

/* --- floating point --- */

static const struct {
    const char *text;
    uint32_t encoding, s0, s1, s2, fpscr, result;
} singles[] = {
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x40000000, 0, 0x40400000},
    /* NaN operands: first signalling, second signalling, first quiet, second quiet; made quiet */
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7fc00001, 0xffa00002, 0, 0xffe00002},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f800001, 0xffa00002, 0, 0x7fc00001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7fc00001, 0xffc00002, 0, 0x7fc00001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0xffc00002, 0, 0xffc00002},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7fc00001, 0xffc00002, ARM_FPSCR_DEFAULT_NAN, 0x7fc00000},
    /* invalid operations: the default NaN */
    {"vsub.f32 s0, s1, s2", 0xee300ac1, 0, 0x7f800000, 0x7f800000, 0, 0x7fc00000},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x7f800000, 0x00000000, 0, 0x7fc00000},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0, 0, 0, 0x7fc00000},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0xbf800000, 0, 0, 0xff800000},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0xbf800000, 0, 0, 0x7fc00000},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0x80000000, 0, 0, 0x80000000},
    /* the product is rounded before the sum: (1 + 2^−12)² − (1 + 2^−11) = 2^−24, but 0 here */
    {"vmla.f32 s0, s1, s2", 0xee000a81, 0xbf801000, 0x3f800800, 0x3f800800, 0, 0x00000000},
    {"vnmls.f32 s0, s1, s2", 0xee100a81, 0x3f800000, 0x40000000, 0x40400000, 0, 0x40a00000},
    /* −d of a NaN has its sign turned; d comes first */
    {"vnmls.f32 s0, s1, s2", 0xee100a81, 0x7fc00005, 0x7fc00006, 0x3f800000, 0, 0xffc00005},
    /* rounding 1 + 2^−24: to nearest even, up, down, towards zero */
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x33800000, 0, 0x3f800000},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x33800000, 1u << 22, 0x3f800001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0xbf800000, 0xb3800000, 2u << 22, 0xbf800001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0xbf800000, 0xb3800000, 3u << 22, 0xbf800000},
    /* denormals: kept, or flushed before and after */
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00800000, 0x3f000000, 0, 0x00400000},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x80800000, 0x3f000000, ARM_FPSCR_FLUSH, 0x80000000},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x007fffff, 0x00000001, ARM_FPSCR_FLUSH, 0x00000000},
    /* only rounding makes it the least normal number: flushed all the same */
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00ffffff, 0x3f000000, 0, 0x00800000},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00ffffff, 0x3f000000, ARM_FPSCR_FLUSH, 0x00000000},
    /* conversions saturate; NaN gives 0 */
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x4f000000, 0, 0, 0x7fffffff},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xcf000000, 0, 0, 0x80000000},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xff800000, 0, 0, 0x80000000},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x7fc00000, 0, 0, 0},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xbfe00000, 0, 0, 0xffffffff}, /* −1.75 */
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0xbfe00000, 0, 0, 0},
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0x4f7fffff, 0, 0, 0xffffff00},
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0x4f800000, 0, 0, 0xffffffff},
    {"vcvtr.s32.f32 s0, s1", 0xeebd0a60, 0, 0x40200000, 0, 0, 2}, /* 2.5 to even */
    {"vcvtr.s32.f32 s0, s1", 0xeebd0a60, 0, 0x40200000, 0, 1u << 22, 3},
    {"vcvt.s32.f32 s0, s0, #16", 0xeebe0ac8, 0x3fc00000, 0, 0, 0, 0x00018000},
    {"vneg.f32 s0, s1", 0xeeb10a60, 0, 0x7f800001, 0, 0, 0xff800001},
    {"vmov.f32 s0, #112", 0xeeb70a00, 0, 0, 0, 0, 0x3f800000},
};

static void single_precision(void **state) {
    (void)state;
    for (unsigned n = 0; n < sizeof singles / sizeof *singles; n++) {
        struct machine *m = fresh(1);
        *single(m, 0) = singles[n].s0;
        *single(m, 1) = singles[n].s1;
        *single(m, 2) = singles[n].s2;
        m->fpscr[0] = singles[n].fpscr;
        assert_int_equal(run(m, singles[n].text, singles[n].encoding, 1), ARM_FAULT_NONE);
        if (*single(m, 0) != singles[n].result)
            fail_msg("case %u, %s: %08x, not %08x", n, singles[n].text, *single(m, 0), singles[n].result);
    }
}

/* One thread's FPSCR, or one thread's NaN, is nobody else's. */
static void modes_are_per_thread(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    for (unsigned k = 0; k < WARP; k++) {
        *reg(m, 17, k) = 0x3f800000;
        *reg(m, 18, k) = 0x33800000;
        m->fpscr[k] = k << 22;
    }
    run(m, "vadd.f32 s0, s1, s2", 0xee300a81, 0xf);
    const uint32_t rounded[WARP] = {0x3f800000, 0x3f800001, 0x3f800000, 0x3f800000};
    assert_memory_equal(reg(m, 16, 0), rounded, sizeof rounded);
    memset(m->fpscr, 0, sizeof m->fpscr);
    *reg(m, 17, 2) = 0x7f800001;
    run(m, "vadd.f32 s0, s1, s2", 0xee300a81, 0xf);
    const uint32_t with_nan[WARP] = {0x3f800000, 0x3f800000, 0x7fc00001, 0x3f800000};
    assert_memory_equal(reg(m, 16, 0), with_nan, sizeof with_nan);
}

static void double_precision(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *single(m, 2) = 0x40490fdb; /* pi */
    run(m, "vcvt.f64.f32 d0, s2", 0xeeb70ac1, 1);
    assert_int_equal(*single(m, 1), 0x400921fb);
    assert_int_equal(*single(m, 0), 0x60000000);
    *single(m, 3) = 0x7ff00000, *single(m, 2) = 0;
    *single(m, 5) = 0xfff00000, *single(m, 4) = 0;
    run(m, "vadd.f64 d0, d1, d2", 0xee310b02, 1);
    assert_int_equal(*single(m, 1), 0x7ff80000);
    assert_int_equal(*single(m, 0), 0);
    *single(m, 3) = 0xfff00000, *single(m, 2) = 1; /* a signalling NaN whose payload is lost */
    run(m, "vcvt.f32.f64 s0, d1", 0xeeb70bc1, 1);
    assert_int_equal(*single(m, 0), 0xffc00000);
    run(m, "vmov.f64 d0, #224", 0xeebe0b00, 1); /* −0.5 */
    assert_int_equal(*single(m, 1), 0xbfe00000);
    assert_int_equal(*single(m, 0), 0);
}

static void comparison(void **state) {
    (void)state;
    static const uint32_t table[][4] = {
        /* s0, s1, FPSCR control, NZCV with the cumulative flags in bits 11:4 */
        {0x3f800000, 0x3f800000, 0, 6},
        {0x00000000, 0x80000000, 0, 6},
        {0x3f800000, 0x40000000, 0, 8},
        {0x40000000, 0x3f800000, 0, 2},
        {0x7fc00000, 0x3f800000, 0, 3},
        {0xff800000, 0x7f800000, 0, 8},
        {0x00000001, 0x00000000, 0, 2},
        {0x00000001, 0x00000000, ARM_FPSCR_FLUSH, 6 | ARM_FPSCR_IDC << 4},
        {0x7f800001, 0x3f800000, 0, 3 | ARM_FPSCR_IOC << 4},
    };
    for (unsigned n = 0; n < sizeof table / sizeof *table; n++) {
        struct machine *m = fresh(1);
        *single(m, 0) = table[n][0], *single(m, 1) = table[n][1];
        m->fpscr[0] = table[n][2] | 0xf0000000;
        run(m, "vcmp.f32 s0, s1", 0xeeb40a60, 1);
        assert_int_equal(m->fpscr[0], table[n][2] | table[n][3] << 28 | table[n][3] >> 4);
    }
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
        cmocka_unit_test(single_precision),
        cmocka_unit_test(modes_are_per_thread),
        cmocka_unit_test(double_precision),
        cmocka_unit_test(comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * startup: the cores' start-up code, run by the ARM core alone with a co-processor that only records: which
 * contexts each lane starts, in which order, with which local id and stack pointer, and at how many
 * instructions a thread.
 * Needs: $(DEVICE_B)/startup.bin $(DEVICE_B)/startup_unrolled.bin
 */
#include "model/arm/arm.h"
#include "model/arm/coprocessor.h"
#include "model/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum {
    CODE_BASE = MEMORY_CODE_BASE,
    BLOCK_BASE = MEMORY_LAUNCH_BASE,
    STACK_BASE = MEMORY_LAUNCH_BASE + 0x10000
};
enum { CODE_BYTES = 4096, STACK_BYTES = 4096, MAX_CONTEXTS = 1024, GROUPS = 2, MAX_STEPS = 100000 };

struct shape {
    uint32_t size[3];
    uint32_t lanes, warp_size, lane_map;
};

struct started {
    uint32_t id, sp;
};

struct run {
    struct shape shape;
    uint32_t lane, cluster;
    struct arm_threads threads;
    uint32_t registers[ARM_REGISTERS], pc, next_pc, n, z, c, v, q, ge, fpscr;
    struct memory memory;
    uint32_t launch_register[4];
    unsigned groups_given, groups_run;
    struct started started[GROUPS][MAX_CONTEXTS];
    unsigned count[GROUPS], instructions[GROUPS];
    bool tpm, ended;
};

static uint8_t code[CODE_BYTES], block_bytes[4096], stack_bytes[STACK_BYTES];
static struct arm_instruction decoded[CODE_BYTES / 4];

static void prepare(struct run *r, const struct shape *s, uint32_t cluster, uint32_t lane) {
    memset(r, 0, sizeof *r);
    r->shape = *s;
    r->lane = lane;
    r->cluster = cluster;
    memory_init(&r->memory);
    memory_add(&r->memory, MEMORY_CODE, CODE_BASE, CODE_BYTES, code, false, "code");
    memory_add(&r->memory, MEMORY_LAUNCH, BLOCK_BASE, sizeof block_bytes, block_bytes, false, "launch block");
    memory_add(&r->memory, MEMORY_LAUNCH, STACK_BASE, STACK_BYTES, stack_bytes, true, "stack");
    r->threads = (struct arm_threads){.positions = 1,
                                      .registers = r->registers,
                                      .pc = &r->pc,
                                      .next_pc = &r->next_pc,
                                      .n = &r->n,
                                      .z = &r->z,
                                      .c = &r->c,
                                      .v = &r->v,
                                      .q = &r->q,
                                      .ge = &r->ge,
                                      .fpscr = &r->fpscr,
                                      .memory = &r->memory};
    arm_set_apsr(&r->threads, 0, 0);
    r->registers[13] = STACK_BASE + STACK_BYTES;
    r->pc = CODE_BASE;
    const struct launch_block block = {.kernel_pc = 0x12340,
                                       .argument_block = 0x5678,
                                       .stack_top = 0x50100000,
                                       .stack_size = 4096,
                                       .stack_segment = 0x80000,
                                       .lane_map = s->lane_map,
                                       .work_group_size = s->size[0] * s->size[1] * s->size[2],
                                       .local_size = {s->size[0], s->size[1], s->size[2]}};
    memcpy(block_bytes, &block, sizeof block);
}

static uint32_t constant(const struct run *r, unsigned index) {
    const uint32_t value[8] = {r->lane, r->cluster, r->shape.lanes, r->shape.warp_size, 128};
    return value[index];
}

static void coprocessor(struct run *r, const struct arm_instruction *i) {
    const struct coprocessor_decoded d = coprocessor_decode(i);
    uint32_t *rt = &r->registers[i->rd];
    switch (d.operation) {
    case COPROCESSOR_CONSTANT: *rt = constant(r, d.index); break;
    case COPROCESSOR_LAUNCH_BLOCK: *rt = BLOCK_BASE; break;
    case COPROCESSOR_NEXT_GROUP:
        assert_true(r->tpm);
        *rt = r->groups_given < GROUPS ? r->groups_given++ : ~0u;
        break;
    case COPROCESSOR_LAUNCH_REGISTER: r->launch_register[d.index] = *rt; break;
    case COPROCESSOR_START_CONTEXT: {
        const unsigned group = r->groups_given - 1, j = r->launch_register[2]++;
        assert_int_equal(j, r->count[group]);
        assert_in_range(j, 0, MAX_CONTEXTS - 1);
        r->started[group][r->count[group]++] = (struct started){*rt, r->registers[i->rn]};
        break;
    }
    case COPROCESSOR_L1D_TO_TPM: r->tpm = true; break;
    case COPROCESSOR_L1D_TO_CACHE:
        assert_int_equal(r->groups_run, GROUPS);
        r->tpm = false;
        break;
    case COPROCESSOR_ENTER_SIMT:
        assert_int_equal(r->launch_register[0], 0x12340);
        assert_int_equal(r->launch_register[1], 0x5678);
        assert_int_equal(r->launch_register[3], r->count[r->groups_run]);
        r->groups_run++;
        break;
    default: fail_msg("operation %d at %#x", (int)d.operation, r->pc);
    }
}

static void run(struct run *r) {
    for (unsigned step = 0; step < MAX_STEPS; step++) {
        assert_in_range(r->pc, CODE_BASE, CODE_BASE + CODE_BYTES - 4);
        struct arm_instruction *i = &decoded[(r->pc - CODE_BASE) / 4];
        struct arm_execution x;
        if (r->groups_given > r->groups_run) r->instructions[r->groups_run]++;
        arm_execute(i, &r->threads, 1, &x);
        if (x.fault != ARM_FAULT_NONE) fail_msg("fault %d at %#x (%#x)", (int)x.fault, r->pc, i->encoding);
        if (i->is_coprocessor && x.passed) coprocessor(r, i);
        if (i->is_wait) return;
        r->pc = i->writes_pc && x.passed ? r->next_pc : r->pc + 4;
    }
    fail_msg("no WFI after %d instructions", MAX_STEPS);
}

/* Returns the work-item of a context; −1 if it does not exist (machine.md §1). */
static int work_item(const struct shape *s, uint32_t lane, uint32_t j) {
    const uint32_t rounds = s->warp_size / s->lanes, m = j / rounds, v = j % rounds;
    const uint32_t w = m * s->warp_size + (s->lane_map == 0 ? lane * rounds + v : v * s->lanes + lane);
    return w < s->size[0] * s->size[1] * s->size[2] ? (int)w : -1;
}

/* Runs one lane and checks every context; returns the instructions of the second group. */
static unsigned check_lane(const struct shape *s, uint32_t cluster, uint32_t lane, unsigned *contexts) {
    static struct run r;
    prepare(&r, s, cluster, lane);
    run(&r);
    assert_int_equal(r.groups_run, GROUPS);
    assert_false(r.tpm);
    unsigned expected = 0;
    for (uint32_t j = 0; j < MAX_CONTEXTS; j++) {
        const int w = work_item(s, lane, j);
        if (w < 0) continue;
        assert_int_equal(j, expected++); /* existing contexts are numbered without gaps */
        const uint32_t x = (uint32_t)w % s->size[0], y = (uint32_t)w / s->size[0] % s->size[1];
        const uint32_t z = (uint32_t)w / s->size[0] / s->size[1];
        const uint32_t top = 0x50100000 + (cluster * s->lanes + lane) * 0x80000;
        for (unsigned g = 0; g < GROUPS; g++) {
            assert_int_equal(r.started[g][j].id, x | y << 10 | z << 20);
            assert_int_equal(r.started[g][j].sp, top - j * 4096);
        }
    }
    for (unsigned g = 0; g < GROUPS; g++) assert_int_equal(r.count[g], expected);
    *contexts = expected;
    return r.instructions[1];
}

static void check_shape(const struct shape *s) {
    unsigned contexts;
    for (uint32_t lane = 0; lane < s->lanes; lane++) check_lane(s, 0, lane, &contexts);
}

static const uint32_t sizes[][3] = {{256, 1, 1}, {16, 16, 1}, {84, 1, 1},  {1, 1, 1}, {7, 5, 3},
                                    {1, 256, 1}, {1, 1, 64},  {1, 4, 16},  {2, 2, 2}, {3, 1, 5},
                                    {4, 4, 8},   {33, 3, 2},  {100, 1, 1}, {8, 1, 8}};

static void test_every_shape(void **state) {
    (void)state;
    unsigned shapes = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t lanes = 1; lanes <= 16; lanes *= 2)
            for (uint32_t warp = lanes > 8 ? lanes : 8; warp <= 64; warp *= 2)
                for (uint32_t map = 0; map < 2; map++, shapes++)
                    check_shape(&(struct shape){{sizes[i][0], sizes[i][1], sizes[i][2]}, lanes, warp, map});
    assert_int_equal(shapes, sizeof sizes / sizeof *sizes * (4 * 4 + 3) * 2);
}

/* Hand-computed: a 3 × 2 group, two lanes, warps of 4 (so 2 rounds), block map: lane 1 starts work-items 2, 3
 * of the first warp and none of the second, which has work-items 4 and 5 on lane 0. */
static void test_by_hand(void **state) {
    (void)state;
    static struct run r;
    const struct shape s = {{3, 2, 1}, 2, 4, 0};
    prepare(&r, &s, 0, 1);
    run(&r);
    assert_int_equal(r.count[0], 2);
    assert_int_equal(r.started[0][0].id, 2);
    assert_int_equal(r.started[0][1].id, 1 << 10);
    assert_int_equal(r.started[0][1].sp, 0x50100000 + 0x80000 - 4096);
    prepare(&r, &s, 0, 0);
    run(&r);
    assert_int_equal(r.count[1], 4);
    assert_int_equal(r.started[1][2].id, 1 << 10 | 1);
    assert_int_equal(r.started[1][3].id, 1 << 10 | 2);
}

static void test_second_cluster_has_its_own_stacks(void **state) {
    (void)state;
    unsigned contexts;
    check_lane(&(struct shape){{64, 1, 1}, 4, 32, 0}, 1, 2, &contexts);
    assert_int_equal(contexts, 16);
}

/* Returns the cost of a thread: the difference of instructions between two sizes of work-groups, divided by
 * the difference of their contexts. */
static double instructions_per_thread(const uint32_t small[3], const uint32_t large[3], uint32_t lanes,
                                      uint32_t map) {
    unsigned few, many;
    const unsigned a =
        check_lane(&(struct shape){{small[0], small[1], small[2]}, lanes, 32, map}, 0, 1, &few);
    const unsigned b =
        check_lane(&(struct shape){{large[0], large[1], large[2]}, lanes, 32, map}, 0, 1, &many);
    return (double)(b - a) / (many - few);
}

static void test_cost_of_a_thread(void **state) {
    (void)state;
    for (uint32_t lanes = 2; lanes <= 4; lanes *= 2)
        for (uint32_t map = 0; map < 2; map++) {
            const double row =
                instructions_per_thread((uint32_t[]){64, 1, 1}, (uint32_t[]){256, 1, 1}, lanes, map);
            const double tile =
                instructions_per_thread((uint32_t[]){16, 8, 1}, (uint32_t[]){16, 32, 1}, lanes, map);
            print_message("lanes %u, %s map: %.2f instructions a thread in a row, %.2f in a tile\n", lanes,
                          map ? "cyclic" : "block", row, tile);
            assert_true(row <= 8 && tile <= 8);
        }
}

static int load_code(void **state, const char *name) {
    (void)state;
    char path[4096];
    const char *b = getenv("B");
    snprintf(path, sizeof path, "%s/device/%s.bin", b ? b : "build", name);
    FILE *f = fopen(path, "rb");
    if (!f) return -1;
    const size_t n = fread(code, 1, sizeof code, f);
    fclose(f);
    for (uint32_t k = 0; k < CODE_BYTES / 4; k++) {
        uint32_t encoding;
        memcpy(&encoding, code + 4 * k, 4);
        arm_decode(encoding, CODE_BASE + 4 * k, &decoded[k]);
    }
    return n > 0 && n < sizeof code ? 0 : -1;
}

static int load_loop(void **state) {
    return load_code(state, "startup");
}
static int load_unrolled(void **state) {
    return load_code(state, "startup_unrolled");
}

/* simt.startup unrolled: a run of 8 contexts in a row, all four lanes alike. CMP, CMNLE, BGT and MOV; two
 * times four contexts of 3 instructions, ADDS and BCC; VMOV, SUBS, BEQ, ADD, ADDS, SUBCS, ADDCS, ADCS, BCS,
 * ADDS and BCC: 4 + 28 + 11 = 43. The loop takes 5 for each context and 19 for the run: 59. */
static void test_cost_of_an_unrolled_thread(void **state) {
    (void)state;
    const double row =
        instructions_per_thread((uint32_t[]){512, 1, 1}, (uint32_t[]){1024, 1, 1}, 4, LANE_MAP_BLOCK);
    assert_true(row > 43 / 8.0 - 0.01 && row < 43 / 8.0 + 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_second_cluster_has_its_own_stacks),
        cmocka_unit_test(test_cost_of_a_thread),
    };
    const struct CMUnitTest unrolled[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_second_cluster_has_its_own_stacks),
        cmocka_unit_test(test_cost_of_a_thread),
        cmocka_unit_test(test_cost_of_an_unrolled_thread),
    };
    const int failed = cmocka_run_group_tests(tests, load_loop, NULL);
    return failed + cmocka_run_group_tests(unrolled, load_unrolled, NULL);
}

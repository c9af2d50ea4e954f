/* MIMD launches of the whole machine: distribution of work-groups, every cycle of a launch counted by hand,
 * memory that each core sees, and errors reported in the program's terms. Kernels are hand-assembled twins
 * behind the real start-up code.
 * Needs: $(DEVICE_B)/startup.bin */
#include "model/machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TEXT      MEMORY_CODE_BASE
#define TWIN      (TEXT + 64) /* a cache line of its own */
#define ARGUMENTS (MEMORY_LOCAL_BASE - 0x01000000u)
#define DATA      MEMORY_BUFFER_BASE

/* lockstep_startup_mimd of runtime/device/startup_mimd.S. */
static const uint32_t startup[] = {
    0xee060731, /* mcr p7, 0, r0, c6, c1, 1: invalidate the L1D */
    0xee170730, /* mrc p7, 0, r0, c7, c0, 1: launch block */
    0xe5904004, /* ldr r4, [r0, #4] */
    0xe5905008, /* ldr r5, [r0, #8] */
    0xee170710, /* mrc p7, 0, r0, c7, c0, 0: next work-group */
    0xe3700001, /* cmn r0, #1 */
    0xe1a00005, /* mov r0, r5 */
    0xe24fe014, /* sub lr, pc, #20 */
    0x112fff14, /* bxne r4 */
    0xee060731, /* mcr p7, 0, r0, c6, c1, 1 */
    0xe320f003, /* wfi */
    0xeafffffd, /* b to the wfi */
};

#define BX_LR          0xe12fff1eu
#define LDR_R1_R0      0xe5901000u /* the argument: DATA */
#define LDR_R2_R1      0xe5912000u
#define CORE_TO_R2     0xee102710u /* mrc p7, 0, r2, c0, c0, 0 */
#define GROUP_TO_R3    0xee123710u /* mrc p7, 0, r3, c2, c0, 0 */
#define GROUPS_TO_R2   0xee122730u /* mrc p7, 0, r2, c2, c0, 1 */
#define STR_R2_R1_R3   0xe7812103u /* str r2, [r1, r3, lsl #2] */
#define MOV_R12_LOCAL  0xe3a0c101u /* mov r12, #0x40000000 */
#define STR_R2_R12     0xe58c2000u
#define LDR_R2_R12     0xe59c2000u
#define MOV_R0_100     0xe3a00064u
#define SUBS_R0_1      0xe2500001u
#define BNE_BACK_1     0x1afffffdu /* branch to the instruction before */
#define B_SELF         0xeafffffeu
#define PUSH_R0        0xe52d0004u
#define B_BACK_1       0xeafffffdu
#define STR_R0_SP_UP   0xe58d0000u /* str r0, [sp]: right above the stack */
#define LOCAL_ID_TO_R2 0xee112710u
#define BARRIER        0xee040710u
#define START_CONTEXT  0xec410751u /* mcrr p7, 5, r0, r1, c1 */
#define ENTER_SIMT     0xee060710u

struct bench {
    struct machine_config config;
    struct machine *machine;
    struct machine_code code;
    struct machine_launch launch;
    struct machine_result result;
    struct error error;
    uint32_t text[64], arguments[4], data[1024];
};

/* Creates one kernel of `groups` work-groups of `items` on a machine of `lanes` cores. */
static struct bench *bench_create(unsigned lanes, const uint32_t *twin, unsigned words, unsigned groups,
                                  unsigned items) {
    struct bench *b = calloc(1, sizeof *b);
    config_defaults(&machine_config_table, &b->config);
    b->config.mode = MODE_MIMD;
    b->config.cluster.lanes = lanes;
    memcpy(b->text, startup, sizeof startup);
    memcpy(b->text + (TWIN - TEXT) / 4, twin, words * 4);
    b->arguments[0] = DATA;
    b->code = (struct machine_code){.text_base = TEXT,
                                    .text_bytes = TWIN - TEXT + 4 * words,
                                    .text = (const uint8_t *)b->text,
                                    .startup_mimd = TEXT};
    b->launch = (struct machine_launch){.kernel = "test",
                                        .code = &b->code,
                                        .twin = TWIN,
                                        .argument_block = ARGUMENTS,
                                        .work_dim = 1,
                                        .global_size = {groups * items, 1, 1},
                                        .local_size = {items, 1, 1}};
    machine_decode(&b->code);
    b->machine = machine_create(&b->config, &b->error);
    assert_non_null(b->machine);
    struct memory *m = machine_memory(b->machine);
    memory_add(m, MEMORY_CODE, TEXT, sizeof b->text, (uint8_t *)b->text, false, "program");
    memory_add(m, MEMORY_LAUNCH, ARGUMENTS, sizeof b->arguments, (uint8_t *)b->arguments, false, "arguments");
    memory_add(m, MEMORY_BUFFER, DATA, sizeof b->data, (uint8_t *)b->data, true, "buffer 1");
    return b;
}
#define BENCH(lanes, groups, items, ...)                                                                     \
    bench_create(lanes, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4,        \
                 groups, items)

static void bench_free(struct bench *b) {
    machine_destroy(b->machine);
    machine_code_free(&b->code);
    free(b);
}

/* Runs the launch; that its causes add up to cycles × cores the machine checks itself, and so do we. */
static void run(struct bench *b) {
    uint64_t sum = 0;
    if (!machine_run(b->machine, &b->launch, &b->result, &b->error)) fail_msg("%s", b->error.message);
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) sum += b->result.cause[n];
    assert_int_equal(b->result.mode, MODE_MIMD);
    assert_int_equal(b->result.units, b->config.cluster.lanes);
    assert_int_equal(sum, b->result.cycles * b->result.units);
}

/* Runs a launch that fails; the diagnosis must have all of the texts. */
static void fails(struct bench *b, enum exit_status status, const char *says, const char *and) {
    uint64_t sum = 0;
    assert_false(machine_run(b->machine, &b->launch, &b->result, &b->error));
    if (b->error.status != status || !strstr(b->error.message, says) || !strstr(b->error.message, and))
        fail_msg("'%s', '%s' not in status %d: %s", says, and, (int)b->error.status, b->error.message);
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) sum += b->result.cause[n];
    assert_int_equal(sum, b->result.cycles * b->result.units);
    bench_free(b);
}

static uint64_t counter(const struct bench *b, const char *scope, const char *name) {
    const struct counter *c = counter_find(machine_counters(b->machine), scope, name);
    assert_non_null(c);
    return *c->value;
}

/* --- every cycle of a launch --- */

/* A first launch, nothing in any cache or TLB; cycles from its start:
 *     0  fetch: ITLB miss 20, L1I miss, L2 miss: 208
 *   228  mcr: invalidate, 128 sets
 *   357  mrc block · 358 ldr: DTLB miss 20; address 378, L1D 379, L2 380, memory: done at the end of 587
 *   588  ldr: L1D hit, r5 usable in 590 · 589 mrc group 0 · 590 cmn · 591 mov · 592 sub · 593 bxne, 2 more
 *   596  fetch of the twin: L2 miss, 208
 *   804  bx lr, 2 more
 *   807  mrc: −1 · 808 cmn · 809 mov · 810 sub · 811 bxne, not taken · 812 mcr: invalidate
 *   941  wfi, the last cycle */
static void every_cycle_of_a_cold_launch(void **state) {
    (void)state;
    struct bench *b = BENCH(1, 1, 1, BX_LR);
    run(b);
    assert_int_equal(b->result.cycles, 942);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_FETCH], 208);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_ISSUE], 1);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_BRANCH], 2);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_MODE_SWITCH], 2 * 128);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_STARTUP], 942 - 208 - 1 - 2 - 256);
    assert_int_equal(b->result.work_groups, 1);
    bench_free(b);
}

/* The same again, code in the L1I and both TLBs warm; the block comes from the L2, for the L1D is empty:
 *     0  mcr · 129 mrc · 130 ldr: L1D 131, L2 132 to the end of 139
 *   140  ldr · 141 mrc · 142 cmn · 143 mov · 144 sub · 145 bxne · 148 bx lr
 *   151  mrc · … · 155 bxne · 156 mcr · 285 wfi */
static void every_cycle_of_a_warm_launch(void **state) {
    (void)state;
    struct bench *b = BENCH(1, 1, 1, BX_LR);
    run(b);
    run(b);
    assert_int_equal(b->result.cycles, 286);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_FETCH], 0);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_MODE_SWITCH], 2 * 128);
    bench_free(b);
}

/* Each further work-group of an empty kernel: mrc, cmn, mov, sub, bxne and its penalty, bx lr and its. */
static void a_work_group_costs_ten_cycles(void **state) {
    (void)state;
    for (unsigned groups = 1; groups < 20; groups += 6) {
        struct bench *b = BENCH(1, groups, 1, BX_LR);
        run(b);
        run(b);
        assert_int_equal(b->result.cycles, 286 + 10 * (groups - 1));
        assert_int_equal(b->result.cause[MACHINE_CAUSE_ISSUE], groups);
        assert_int_equal(b->result.work_groups, groups);
        bench_free(b);
    }
}

/* ldr r1 (argument): L1D 1 miss, L2 miss; ldr r2: misses; bx lr waits for nothing. In the second launch both
 * lines are in the L2, and in no L1D: 10 cycles each where a hit would take 1. */
static void nothing_stale_survives_a_launch(void **state) {
    (void)state;
    struct bench *b = BENCH(1, 1, 1, LDR_R1_R0, LDR_R2_R1, BX_LR);
    run(b);
    assert_int_equal(counter(b, "cluster0.lane0.l1d", "misses"), 3);
    run(b);
    assert_int_equal(counter(b, "cluster0.lane0.l1d", "misses"), 6);
    assert_int_equal(counter(b, "cluster0.lane0.l1d", "accesses"), 8);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_MEMORY], 2 * 9);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_ISSUE], 3);
    assert_int_equal(b->result.cycles, 286 + 2 * 10);
    bench_free(b);
}

/* A loop of 100: per round subs, bne and its penalty; the last round without it. */
static void where_a_loop_spends_its_cycles(void **state) {
    (void)state;
    struct bench *b = BENCH(1, 1, 1, MOV_R0_100, SUBS_R0_1, BNE_BACK_1, BX_LR);
    run(b);
    run(b);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_ISSUE], 202);
    assert_int_equal(b->result.cause[MACHINE_CAUSE_BRANCH], 2 * 99 + 2);
    assert_int_equal(b->result.cycles, 286 + 201 + 2 * 99);
    bench_free(b);
}

/* The same loop: cycles charged to each instruction; profiling changes nothing. */
static void where_each_instruction_of_a_loop_spends_its_cycles(void **state) {
    (void)state;
    static const struct {
        uint64_t executions, branch;
    } expected[4] = {{1, 0}, {100, 0}, {100, 2 * 99}, {1, 2}};
    struct bench *b = BENCH(1, 1, 1, MOV_R0_100, SUBS_R0_1, BNE_BACK_1, BX_LR);
    run(b);
    assert_null(machine_profile(b->machine));
    machine_set_profiling(b->machine, true);
    run(b);
    assert_int_equal(b->result.cycles, 286 + 201 + 2 * 99);
    const struct machine_profile *rows = machine_profile(b->machine);
    assert_non_null(rows);
    for (unsigned n = 0; n < b->code.text_bytes / 4; ++n) {
        const bool twin = n >= (TWIN - TEXT) / 4;
        uint64_t sum = 0;
        for (unsigned i = 0; i < MACHINE_CAUSE_COUNT; ++i) sum += rows[n].cycles[i];
        if (twin) {
            const unsigned k = n - (TWIN - TEXT) / 4;
            assert_int_equal(rows[n].executions, expected[k].executions);
            assert_int_equal(rows[n].cycles[MACHINE_CAUSE_ISSUE], expected[k].executions);
            assert_int_equal(rows[n].cycles[MACHINE_CAUSE_BRANCH], expected[k].branch);
            sum -= expected[k].executions + expected[k].branch;
        }
        assert_int_equal(sum, 0); /* start-up code is in no row */
    }
    bench_free(b);
}

/* --- distribution of work-groups --- */

#define WRITE_CORE_AND_RETURN LDR_R1_R0, CORE_TO_R2, GROUP_TO_R3, STR_R2_R1_R3, BX_LR

/* Identical cores request in the same cycle: the lowest core gets the lowest work-group. */
static void the_lowest_core_goes_first(void **state) {
    (void)state;
    struct bench *b = BENCH(4, 10, 8, WRITE_CORE_AND_RETURN);
    memset(b->data, 0xff, sizeof b->data);
    run(b);
    for (unsigned g = 0; g < 10; ++g) assert_int_equal(b->data[g], g % 4);
    assert_int_equal(b->data[10], ~0u);
    assert_int_equal(b->result.work_groups, 10);
    assert_int_equal(b->result.work_items, 80);
    assert_int_equal(counter(b, "cluster0", "work_items"), 80);
    assert_true(b->result.cause[MACHINE_CAUSE_NO_GROUP] > 0); /* cores 2, 3 end a work-group earlier */
    bench_free(b);
}

/* A core that finishes earlier takes more work-groups: core 0 loops in its group while the others take all
 * remaining ones. */
static void a_core_that_is_done_takes_the_next(void **state) {
    (void)state;
    struct bench *b =
        BENCH(4, 40, 1, LDR_R1_R0, CORE_TO_R2, GROUP_TO_R3, STR_R2_R1_R3, MOV_R0_100,
              0xe3520000 /* cmp r2, #0 */, 0x112fff1e /* bxne lr */, SUBS_R0_1, BNE_BACK_1, BX_LR);
    run(b);
    run(b);
    unsigned taken[4] = {0};
    for (unsigned g = 0; g < 40; ++g) ++taken[b->data[g]];
    assert_int_equal(taken[0] + taken[1] + taken[2] + taken[3], 40);
    assert_in_range(taken[0], 1, 3);
    assert_true(taken[1] >= 12 && taken[2] >= 12 && taken[3] >= 12);
    bench_free(b);
}

static void the_geometry_is_the_groups(void **state) {
    (void)state;
    struct bench *b = BENCH(2, 5, 4, LDR_R1_R0, GROUPS_TO_R2, GROUP_TO_R3, STR_R2_R1_R3, BX_LR);
    run(b);
    for (unsigned g = 0; g < 5; ++g) assert_int_equal(b->data[g], 5);
    assert_int_equal(b->data[5], 0);
    bench_free(b);
}

/* Each core writes its number to local memory, waits while the others do the same, and reads its own. */
static void each_core_has_its_own_local_memory(void **state) {
    (void)state;
    struct bench *b = BENCH(4, 4, 1, LDR_R1_R0, CORE_TO_R2, GROUP_TO_R3, MOV_R12_LOCAL, STR_R2_R12,
                            MOV_R0_100, SUBS_R0_1, BNE_BACK_1, LDR_R2_R12, STR_R2_R1_R3, BX_LR);
    b->launch.local_bytes = 64;
    run(b);
    for (unsigned g = 0; g < 4; ++g) assert_int_equal(b->data[g], g);
    bench_free(b);
}

static void single_steps_change_nothing(void **state) {
    (void)state;
    struct bench *skip = BENCH(4, 33, 8, WRITE_CORE_AND_RETURN),
                 *step = BENCH(4, 33, 8, WRITE_CORE_AND_RETURN);
    machine_set_exact_steps(step->machine, true);
    for (unsigned launches = 0; launches < 3; ++launches) {
        run(skip);
        run(step);
        assert_int_equal(skip->result.cycles, step->result.cycles);
        assert_memory_equal(skip->result.cause, step->result.cause, sizeof skip->result.cause);
        assert_memory_equal(skip->data, step->data, sizeof skip->data);
    }
    bench_free(skip);
    bench_free(step);
}

/* --- errors --- */

static void a_kernel_without_a_twin_is_refused(void **state) {
    (void)state;
    struct bench *b = BENCH(4, 1, 1, BX_LR);
    b->launch.twin = 0;
    fails(b, EXIT_USER, "kernel 'test' was built without a twin for MIMD mode", "set mode to simt");
}

static void a_kernel_without_simt_code_is_refused(void **state) {
    (void)state;
    struct bench *b = BENCH(4, 1, 1, BX_LR);
    machine_destroy(b->machine);
    b->config.mode = MODE_SIMT;
    b->machine = machine_create(&b->config, &b->error);
    fails(b, EXIT_USER, "kernel 'test' was built without code for SIMT mode", "set mode to mimd");
}

static void a_stack_that_does_not_fit_is_refused(void **state) {
    (void)state;
    struct bench *b = BENCH(4, 1, 256, BX_LR);
    b->launch.twin_item_bytes = 1 << 20;
    fails(b, EXIT_PROGRAM_FAULT, "needs a stack of 268435584 bytes on each of 4 cores",
          "make the work-group smaller");
}

/* 40 + 100 items × 8 + 128 in reserve = 968; the alignment of 64 makes 1024, since 960 < 968 ≤ 1024. */
static void a_stack_is_as_small_as_the_twin_allows(void **state) {
    (void)state;
    struct bench *b = BENCH(2, 1, 100, PUSH_R0, B_BACK_1);
    b->launch.twin_stack_bytes = 40;
    b->launch.twin_item_bytes = 8;
    fails(b, EXIT_PROGRAM_FAULT, "core 0 in work-group (0, 0, 0)",
          "the stack of core 0, 1024 bytes at 0x31000000: 4 bytes before its start");
}

static void another_cores_stack_is_not_there(void **state) {
    (void)state;
    struct bench *b = BENCH(2, 1, 1, STR_R0_SP_UP, BX_LR);
    fails(b, EXIT_PROGRAM_FAULT, "writes 4 bytes at 0x31001080, outside every buffer",
          "right behind its end");
}

static void operations_of_simt_mode_are_refused(void **state) {
    (void)state;
    static const uint32_t operations[] = {LOCAL_ID_TO_R2, BARRIER};
    for (unsigned n = 0; n < 2; ++n)
        fails(BENCH(2, 1, 1, operations[n], BX_LR), EXIT_PROGRAM_FAULT, "does not exist in MIMD mode",
              "core 0 in work-group (0, 0, 0)");
    static const uint32_t starts[] = {START_CONTEXT, ENTER_SIMT};
    for (unsigned n = 0; n < 2; ++n)
        fails(BENCH(2, 1, 1, starts[n], BX_LR), EXIT_PROGRAM_FAULT, "belongs to a SIMT launch", "pc 0x10040");
}

/* Errors of the ARM core at run time; also for an instruction that the core executed ahead of its turn. */
static void what_the_core_refuses_is_named(void **state) {
    (void)state;
    fails(BENCH(2, 1, 1, 0xef00002a /* svc 42 */, BX_LR), EXIT_PROGRAM_FAULT,
          "calls supervisor service 42 (SVC): a kernel has no operating system", "pc 0x10040");
    fails(BENCH(2, 1, 1, 0xe3a00801 /* mov r0, #0x10000 */, 0xeee10a10 /* vmsr fpscr, r0 */,
                0xe3a00000 /* mov r0, #0 */, 0xee300a81 /* vadd.f32 s0, s1, s2 */, BX_LR),
          EXIT_PROGRAM_FAULT, "VFP short vectors are not modelled", "pc 0x1004c");
    fails(BENCH(2, 1, 1, 0xe3a00001 /* mov r0, #1 */, 0xe12fff10 /* bx r0 */), EXIT_PROGRAM_FAULT,
          "branches to 0x00000001: Thumb state, which is not modelled", "pc 0x10044");
}

/* Hints of a kernel do nothing, WFI as well, and take a cycle each: all work is done. */
static void hints_in_a_kernel_are_nops(void **state) {
    (void)state;
    static const uint32_t hints[] = {0xe320f003 /* wfi */, 0xe320f002 /* wfe */, 0xe320f004 /* sev */,
                                     0xe320f001 /* yield */, 0xe320f0f5 /* dbg #5 */};
    for (unsigned n = 0; n < 5; ++n) {
        struct bench *nop =
            BENCH(2, 5, 1, 0xe320f000, LDR_R1_R0, GROUP_TO_R3, GROUPS_TO_R2, STR_R2_R1_R3, BX_LR);
        run(nop);
        struct bench *b = BENCH(2, 5, 1, hints[n], LDR_R1_R0, GROUP_TO_R3, GROUPS_TO_R2, STR_R2_R1_R3, BX_LR);
        run(b);
        assert_int_equal(b->result.work_groups, 5);
        for (unsigned g = 0; g < 5; ++g) assert_int_equal(b->data[g], 5);
        assert_int_equal(b->result.cycles, nop->result.cycles);
        bench_free(nop);
        bench_free(b);
    }
}

/* The cycle limit is exact, and the message lists what each core does. */
static void an_endless_twin_meets_the_cycle_limit(void **state) {
    (void)state;
    struct bench *b = BENCH(2, 5, 1, B_SELF);
    machine_set_max_cycles(b->machine, 5000);
    assert_false(machine_run(b->machine, &b->launch, &b->result, &b->error));
    assert_int_equal(b->result.cycles, 5000);
    assert_non_null(strstr(b->error.message, "2 of 5 work-groups begun, mode MIMD"));
    assert_non_null(strstr(b->error.message, "core 0: run, work-group (0, 0, 0), pc 0x10040"));
    assert_non_null(strstr(b->error.message, "core 1: run, work-group (1, 0, 0), pc 0x10040"));
    bench_free(b);
}

static void a_jump_astray_names_the_core(void **state) {
    (void)state;
    fails(BENCH(4, 1, 1, 0xe3a0e000 /* mov lr, #0 */, BX_LR), EXIT_PROGRAM_FAULT,
          "core 0 in work-group (0, 0, 0)", "jumps outside the program's code");
}

static void a_launch_without_room_for_regions_is_refused(void **state) {
    (void)state;
    struct bench *b = BENCH(2, 1, 1, BX_LR);
    static uint8_t host[4];
    for (uint32_t n = 0; machine_memory(b->machine)->used < MEMORY_REGIONS; ++n)
        memory_add(machine_memory(b->machine), MEMORY_BUFFER, DATA + 0x10000 + 16 * n, 4, host, true, "x");
    fails(b, EXIT_USER, "too many for a launch", "kernel 'test'");
}

/* After a failed launch the machine is as good as before. */
static void a_launch_after_a_failed_one_is_sound(void **state) {
    (void)state;
    struct bench *b = BENCH(2, 1, 1, LOCAL_ID_TO_R2, BX_LR);
    assert_false(machine_run(b->machine, &b->launch, &b->result, &b->error));
    b->launch.twin = TWIN + 4;
    run(b);
    assert_int_equal(b->result.work_groups, 1);
    bench_free(b);
}

/* --- the start-up code is the one that images have --- */

static void the_startup_code_is_the_devices(void **state) {
    (void)state;
    static uint8_t code[8192];
    char path[4096];
    const char *build = getenv("B");
    snprintf(path, sizeof path, "%s/device/startup.bin", build ? build : "build");
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t size = fread(code, 1, sizeof code, f);
    fclose(f);
    assert_non_null(memmem(code, size, startup, sizeof startup));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cycle_of_a_cold_launch),
        cmocka_unit_test(every_cycle_of_a_warm_launch),
        cmocka_unit_test(a_work_group_costs_ten_cycles),
        cmocka_unit_test(nothing_stale_survives_a_launch),
        cmocka_unit_test(where_a_loop_spends_its_cycles),
        cmocka_unit_test(where_each_instruction_of_a_loop_spends_its_cycles),
        cmocka_unit_test(the_lowest_core_goes_first),
        cmocka_unit_test(a_core_that_is_done_takes_the_next),
        cmocka_unit_test(the_geometry_is_the_groups),
        cmocka_unit_test(each_core_has_its_own_local_memory),
        cmocka_unit_test(single_steps_change_nothing),
        cmocka_unit_test(a_kernel_without_a_twin_is_refused),
        cmocka_unit_test(a_kernel_without_simt_code_is_refused),
        cmocka_unit_test(a_stack_that_does_not_fit_is_refused),
        cmocka_unit_test(a_stack_is_as_small_as_the_twin_allows),
        cmocka_unit_test(another_cores_stack_is_not_there),
        cmocka_unit_test(operations_of_simt_mode_are_refused),
        cmocka_unit_test(what_the_core_refuses_is_named),
        cmocka_unit_test(hints_in_a_kernel_are_nops),
        cmocka_unit_test(an_endless_twin_meets_the_cycle_limit),
        cmocka_unit_test(a_jump_astray_names_the_core),
        cmocka_unit_test(a_launch_without_room_for_regions_is_refused),
        cmocka_unit_test(a_launch_after_a_failed_one_is_sound),
        cmocka_unit_test(the_startup_code_is_the_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Random sequences of every row of the decode table on cores of each kind, compared after each instruction
 * with the single thread that test_arm_against_unicorn compares with Unicorn: PC, registers, flags, FPSCR; at
 * the end of each sequence the memory.
 */
#include "model/config/core_kinds.h"
#include "model/core/core.h"
#include "tests/arm/arm_random.h"
#include "tests/arm/arm_sequence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SEQUENCES = 2000, STATES = 2, MOST_CYCLES = 100000 };

static struct arm_side reference, ours, scratch;
static struct arm_sequence sequence;
static struct arm_coverage *coverage;
static struct machine_config config;
static struct main_memory main_memory;
static struct snoop_bus bus;
static struct core core;
static uint64_t executed;

/* Starts the core in the state of the reference. */
static void begin(unsigned kind, unsigned n) {
    config_defaults(&machine_config_table, &config);
    config.core.kind = kind;
    config.core.issue_width = 1 + n % 4;
    config.core.window = n % 3 ? 128 : 5;
    memcpy(ours.page, reference.page, sizeof ours.page);
    memcpy(ours.text, reference.text, sizeof ours.text);
    ours.memory.region[ours.code_region].base = sequence.base;
    main_memory_init(&main_memory, &config);
    snoop_bus_init(&bus, 0, &config, &main_memory, NULL);
    core_init(&core, 0, &config, &ours.memory, &bus);
    core.threads.monitor = &ours.monitor;
    core_start(&core, sequence.base, 0, 1000);
    core.caches_data = true;
    memcpy(core.registers, reference.registers, sizeof core.registers);
    arm_set_apsr(&core.threads, 0, arm_get_apsr(&reference.threads, 0));
    core.fpscr = reference.fpscr;
}

static void compare(unsigned kind, const struct arm_instruction *i) {
    char text[80];
    uint32_t differs = core.pc ^ reference.pc;
    for (unsigned r = 0; r < ARM_NEON_REGISTERS; ++r)
        if (r != 15) differs |= core.registers[r] ^ reference.registers[r];
    differs |= arm_get_apsr(&core.threads, 0) ^ arm_get_apsr(&reference.threads, 0);
    differs |= core.fpscr ^ reference.fpscr;
    if (!differs) return;
    arm_disassemble(i->encoding, i->pc, text, sizeof text);
    fail_msg("kind %u differs after %08x: %s", kind, i->pc, text);
}

static void run(unsigned kind, unsigned n) {
    const struct machine_code code = {
        .text_base = sequence.base, .text_bytes = 4 * sequence.length, .decoded = sequence.decoded};
    struct arm_instruction *i;
    struct arm_execution x;
    begin(kind, n);
    while (reference.pc != sequence.end) {
        enum core_issue issued;
        while ((issued = core_issue(&core, &code, core.next, &i, &x)) == CORE_STALLED)
            assert_true(core.next < MOST_CYCLES);
        if (issued == CORE_FAULTED) fail_msg("kind %u: fault %u at %08x", kind, x.fault, core.pc);
        arm_sequence_step(&sequence, &reference, coverage);
        compare(kind, i);
        ++executed;
    }
    assert_memory_equal(ours.page, reference.page, sizeof ours.page);
    assert_memory_equal(ours.text, reference.text, sizeof ours.text);
    core_free(&core);
}

static void every_kind_executes_as_one_thread(void **state) {
    (void)state;
    random_seed = seed_start();
    arm_side_start(&reference), arm_side_start(&ours), arm_side_start(&scratch);
    coverage = calloc(arm_row_count, sizeof *coverage);
    assert_non_null(coverage);
    for (unsigned n = 0; n < SEQUENCES; ++n) {
        arm_sequence_generate(&sequence, &scratch, ARM_SEQUENCE_CODE, false, false);
        for (unsigned k = 0; k < STATES; ++k)
            for (unsigned kind = 0; kind < CORE_KINDS; ++kind) {
                arm_sequence_begin(&sequence, &reference);
                run(kind, n);
            }
    }
    assert_true(executed > 100 * SEQUENCES);
    free(coverage);
    arm_side_end(&reference), arm_side_end(&ours), arm_side_end(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_executes_as_one_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

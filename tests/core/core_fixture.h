/* core_fixture: a core with a few instructions and some data, and the check that an instruction issues in a
 * given cycle and not a cycle earlier. */
#ifndef TESTS_CORE_CORE_FIXTURE_H
#define TESTS_CORE_CORE_FIXTURE_H

#include "model/core/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define TEXT 0x8000u
#define DATA 0x60000000u
#define WARM 10000u /* cycle by which all that is warmed at cycle 0 is in the caches */

static struct machine_config config;
static struct memory memory;
static struct main_memory main_memory;
static struct snoop_bus bus;
static struct core core;
static struct machine_code code;
static struct arm_instruction decoded[64];
static uint8_t data[8192];
static struct arm_execution x;
static struct arm_instruction *issued;
static void (*configure)(struct machine_config *c); /* changes the machine before the core is created; NULL:
                                                     * no change */

/* A core before its first instruction, in cycle t; nothing is in a cache or TLB. */
static void cold(const uint32_t *text, unsigned count, uint64_t t) {
    config_defaults(&machine_config_table, &config);
    if (configure) configure(&config);
    memory_init(&memory);
    memset(data, 0, sizeof data);
    memory_add(&memory, MEMORY_BUFFER, DATA, sizeof data, data, true, "data");
    for (unsigned n = 0; n < count; ++n) arm_decode(text[n], TEXT + 4 * n, &decoded[n]);
    code = (struct machine_code){.text_base = TEXT, .text_bytes = 4 * count, .decoded = decoded};
    main_memory_init(&main_memory, &config);
    snoop_bus_init(&bus, 0, &config, &main_memory, NULL);
    core_init(&core, 0, &config, &memory, &bus);
    core_start(&core, TEXT, 0x5000, t);
    core.registers[4] = DATA;
}

/* Starts with the text in L1I, L2 and ITLB and the data's pages in the DTLB. */
static void warm(const uint32_t *text, unsigned count) {
    cold(text, count, WARM);
    for (uint32_t pc = TEXT; pc < TEXT + 4 * count; pc += 4) core_fetch(&core, pc, 0);
    tlb_end_walks(&core.itlb, WARM);
    tlb_fill(&core.dtlb, DATA);
    tlb_fill(&core.dtlb, DATA + 4096);
}

#define WARMED(...)                                                                                          \
    do {                                                                                                     \
        static const uint32_t text[] = {__VA_ARGS__};                                                        \
        warm(text, sizeof text / sizeof text[0]);                                                            \
    } while (0)
#define COLD(t, ...)                                                                                         \
    do {                                                                                                     \
        static const uint32_t text[] = {__VA_ARGS__};                                                        \
        cold(text, sizeof text / sizeof text[0], t);                                                         \
    } while (0)

static inline void line_in_l2(uint32_t address) {
    uint64_t done;
    assert_true(private_l2_access(&core.l2, address, false, 0, &done));
}

/* Clears the DTLB, including pages of completed walks. */
static inline void empty_dtlb(void) {
    tlb_end_walks(&core.dtlb, core.next);
    core.dtlb.used = 0;
}

/* The instruction at TEXT + 4·n issues in cycle t: the core was not ready, or stalled, at t − 1. */
static inline void issues(unsigned n, uint64_t t) {
    assert_int_equal(core.state, CORE_RUN);
    assert_int_equal(core.pc, TEXT + 4 * n);
    while (core.next < t) {
        const uint64_t before = core.next;
        assert_int_equal(core_issue(&core, &code, before, &issued, &x), CORE_STALLED);
        assert_true(core.next > before);
    }
    assert_int_equal(core.next, t);
    assert_int_equal(core_issue(&core, &code, t, &issued, &x), CORE_ISSUED);
    assert_ptr_equal(issued, &decoded[n]);
}

#endif

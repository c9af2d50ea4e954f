/* The registers and state that decoding reports for an instruction (struct arm_instruction, reads and writes)
 * are complete: threads of a warp with equal values in `reads` have equal values in `writes` afterwards, and
 * nothing else changes. */
#include "tests/arm/arm_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { ROUNDS = 200, POSITIONS = 8, FLAGS = 7, ROWS = FLAGS + ARM_NEON_REGISTERS, BUFFER_BYTES = 4096 };
#define BUFFER 0x60000000u

/* N, Z, C, V, Q, GE, FPSCR, then registers. */
static uint32_t rows[ROWS][POSITIONS], before[ROWS][POSITIONS], pc[POSITIONS], next_pc[POSITIONS];
static uint8_t bytes[BUFFER_BYTES];

static struct arm_threads view(struct memory *m) {
    return (struct arm_threads){.positions = POSITIONS,
                                .registers = rows[FLAGS],
                                .pc = pc,
                                .next_pc = next_pc,
                                .n = rows[0],
                                .z = rows[1],
                                .c = rows[2],
                                .v = rows[3],
                                .q = rows[4],
                                .ge = rows[5],
                                .fpscr = rows[6],
                                .memory = m};
}

static void make_same(uint32_t *row, uint32_t mask) {
    for (unsigned k = 1; k < POSITIONS; ++k) row[k] = (row[k] & ~mask) | (row[0] & mask);
}

/* Returns whether a set contains a register. For D16–D31, reads and writes are less precise than sources and
 * destinations. */
static bool has(uint64_t all, uint64_t registers, unsigned r) {
    if (r < ARM_REGISTERS) return all & arm_row_bit(r);
    return all & ARM_STATE_D16_D31 && registers & arm_row_bit(r);
}

/* Sets random threads with equal values of all that the instruction reads. FPSCR has random rounding, DN and
 * FZ. */
static void fill(const struct arm_instruction *i) {
    for (unsigned r = 0; r < ROWS; ++r)
        for (unsigned k = 0; k < POSITIONS; ++k) rows[r][k] = random_value();
    for (unsigned k = 0; k < POSITIONS; ++k) {
        rows[2][k] = 0u - (random_word() & 1);
        rows[4][k] = random_word() & 1;
        rows[5][k] = random_word() & 15;
        rows[6][k] = random_word() & 0xf3c00000;
    }
    if (i->is_load || i->is_store)
        for (unsigned k = 0; k < POSITIONS; ++k)
            rows[FLAGS + i->rn][k] = BUFFER + 2048 + random_below(64) * 8;
    for (unsigned r = 0; r < ARM_NEON_REGISTERS; ++r)
        if (has(i->reads, i->sources, r)) make_same(rows[FLAGS + r], ~0u);
    for (unsigned f = 0; f < 4 && i->reads & ARM_STATE_NZCV; ++f) make_same(rows[f], ~0u);
    if (i->reads & ARM_STATE_FPSCR_FLAGS) make_same(rows[6], 0xf0000000);
    if (i->reads & ARM_STATE_FPSCR_MODES) make_same(rows[6], 0x07f70000);
    if (i->reads & ARM_STATE_OTHER) {
        make_same(rows[4], ~0u);
        make_same(rows[5], ~0u);
        make_same(rows[6], ~0u);
    }
    memcpy(before, rows, sizeof before);
}

static bool same(const uint32_t *row, uint32_t mask) {
    uint32_t different = 0;
    for (unsigned k = 1; k < POSITIONS; ++k) different |= row[k] ^ row[0];
    return !(different & mask);
}

static bool kept(unsigned r, uint32_t mask) {
    uint32_t different = 0;
    for (unsigned k = 0; k < POSITIONS; ++k) different |= rows[r][k] ^ before[r][k];
    return !(different & mask);
}

static bool flags_same(const struct arm_threads *t) {
    uint32_t flags[POSITIONS];
    for (unsigned k = 0; k < POSITIONS; ++k) flags[k] = arm_get_apsr(t, k);
    return same(flags, 0xf0000000);
}

static const char *verdict(const struct arm_instruction *i, const struct arm_threads *t) {
    for (unsigned r = 0; r < ARM_NEON_REGISTERS; ++r) {
        if (r == 15) continue;
        if (has(i->writes, i->destinations, r) && !same(rows[FLAGS + r], ~0u))
            return "a register it writes differs";
        if (!has(i->writes, i->destinations, r) && !kept(FLAGS + r, ~0u)) return "it writes another register";
    }
    const bool flags_kept = kept(0, ~0u) && kept(1, ~0u) && kept(2, ~0u) && kept(3, ~0u);
    if (i->writes & ARM_STATE_NZCV ? !flags_same(t) : !flags_kept) return "its flags";
    if (i->writes & ARM_STATE_FPSCR_FLAGS ? !same(rows[6], 0xf0000000) : !kept(6, 0xf0000000))
        return "its flags in FPSCR";
    if (i->writes & ARM_STATE_FPSCR_MODES ? !same(rows[6], 0x07f70000) : !kept(6, 0x07f70000))
        return "its modes in FPSCR";
    if (!(i->writes & ARM_STATE_OTHER) && !(kept(4, ~0u) && kept(5, ~0u))) return "Q or GE";
    return NULL;
}

static bool holds(const struct arm_row *row, struct memory *m) {
    struct arm_instruction i;
    struct arm_execution x;
    struct arm_threads t = view(m);
    const uint32_t encoding = random_encoding(row) | (row->pattern[0] == 'c' ? 0xe0000000 : 0);
    if (arm_refusal(encoding)) return false;
    arm_decode(encoding, 0x1000, &i);
    if (i.is_coprocessor) return false;
    fill(&i);
    arm_execute(&i, &t, (1u << POSITIONS) - 1, &x);
    if (x.fault != ARM_FAULT_NONE) return false;
    const char *wrong = verdict(&i, &t);
    if (!wrong) return true;
    char text[96];
    arm_disassemble(encoding, 0x1000, text, sizeof text);
    fail_msg("%#010x %s: %s", encoding, text, wrong);
    return false;
}

static void threads_that_agree_go_on_agreeing(void **state) {
    (void)state;
    struct memory m;
    random_seed = seed_start();
    memory_init(&m);
    memory_add(&m, MEMORY_BUFFER, BUFFER, BUFFER_BYTES, bytes, true, "buffer");
    unsigned rows_run = 0, run = 0;
    for (unsigned r = 0; r < arm_row_count; ++r) {
        unsigned held = 0;
        for (unsigned n = 0; n < ROUNDS; ++n) held += holds(&arm_rows[r], &m);
        rows_run += held > 0;
        run += held;
    }
    print_message("%u instructions of %u of %u rows\n", run, rows_run, arm_row_count);
    assert_true(rows_run > arm_row_count - 20 && run > 40000);
}

static void conditions_hold_as_they_do_in_execution(void **state) {
    (void)state;
    for (unsigned flags = 0; flags < 16; ++flags)
        for (unsigned condition = 0; condition < 15; ++condition) {
            struct memory m;
            struct arm_instruction i;
            struct arm_execution x;
            struct arm_threads t = view(&m);
            arm_decode(0x03a00001u | condition << 28, 0x1000, &i); /* mov r0, #1 */
            for (unsigned k = 0; k < POSITIONS; ++k) arm_set_apsr(&t, k, flags << 28);
            arm_execute(&i, &t, 1, &x);
            assert_int_equal(arm_condition_holds(condition, arm_get_apsr(&t, 0)), x.passed);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_agree_go_on_agreeing),
        cmocka_unit_test(conditions_hold_as_they_do_in_execution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

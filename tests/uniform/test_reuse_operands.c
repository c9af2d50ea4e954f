/* Instructions with equal operands for a reuse buffer have equal results, whatever their PC and registers; a
 * reused result has the effect of execution in other threads. */
#include "model/uniform/reuse_operands.h"
#include "tests/arm/arm_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { THREADS = 4, FLAGS = 7, ROWS = FLAGS + ARM_REGISTERS };

/* N, Z, C, V, Q, GE, FPSCR, then registers, of a warp whose threads are all equal. */
struct state {
    uint32_t rows[ROWS][THREADS], pc[THREADS], next_pc[THREADS];
};

static struct arm_threads view(struct state *s) {
    return (struct arm_threads){.positions = THREADS,
                                .registers = s->rows[FLAGS],
                                .pc = s->pc,
                                .next_pc = s->next_pc,
                                .n = s->rows[0],
                                .z = s->rows[1],
                                .c = s->rows[2],
                                .v = s->rows[3],
                                .q = s->rows[4],
                                .ge = s->rows[5],
                                .fpscr = s->rows[6]};
}

/* Few values, so that operands are often equal. */
static void fill(struct state *s) {
    static const uint32_t values[] = {0, 1, 3, 0x80000000, 0x3f800000, 0x40490fdb};
    for (unsigned r = 0; r < ROWS; ++r) {
        uint32_t value = values[random_below(sizeof values / sizeof *values)];
        if (r == 2) value = 0u - (value & 1);
        if (r == 4) value = 0;
        if (r == 5) value &= 15;
        if (r == 6) value = (value & 1) << 31 | (value & 2) << 23; /* N, FZ */
        for (unsigned k = 0; k < THREADS; ++k) s->rows[r][k] = value;
    }
}

/* Returns an encoding of the same row with other registers, or other bits. */
static uint32_t variant(const struct arm_row *row, uint32_t encoding) {
    const struct arm_match m = arm_pattern_match(row->pattern);
    uint32_t e = encoding ^ (random_word() & random_word() & random_word() & ~(m.mask | m.should_mask));
    if (row->pattern[0] == 'c') e = (e & 0x0fffffff) | 0xe0000000;
    return arm_row_matches(row, e) && !arm_refusal(e) ? e : encoding;
}

struct run {
    struct arm_instruction i;
    struct state before, after;
    struct reuse_operands operands;
    struct reuse_result result;
    bool fits;
};

static void run(struct run *r, uint32_t encoding, uint32_t pc) {
    struct arm_execution x;
    arm_decode(encoding, pc, &r->i);
    r->after = r->before;
    struct arm_threads t = view(&r->after);
    r->fits = false;
    if (r->i.needs_simd) return; /* uniform.storage refuses cluster.isa=neon */
    r->fits = reuse_operands_of(&r->i, &t, 1, &r->operands);
    if (!r->fits) return;
    arm_execute(&r->i, &t, (1 << THREADS) - 1, &x);
    r->fits = x.fault == ARM_FAULT_NONE;
    r->result = reuse_result_of(&r->i, &t, 2);
}

/* Instead of executing, the result is put. */
static void assert_put(const struct run *r, const char *text) {
    struct state put = r->before;
    struct arm_threads t = view(&put), after = view((struct state *)&r->after);
    reuse_result_put(&r->i, &t, (1 << THREADS) - 1, r->result);
    if (memcmp(put.rows[FLAGS], r->after.rows[FLAGS], sizeof put.rows - FLAGS * sizeof put.rows[0]) != 0)
        fail_msg("%s: registers", text);
    for (unsigned k = 0; k < THREADS; ++k)
        if (arm_get_apsr(&t, k) != arm_get_apsr(&after, k) || put.rows[6][k] != r->after.rows[6][k])
            fail_msg("%s: flags", text);
}

static void equal_operands_have_equal_results(void **state) {
    (void)state;
    struct run a, b;
    char text[2][96];
    unsigned equal = 0, fit = 0, rows = 0;
    random_seed = seed_start();
    for (unsigned row = 0; row < arm_row_count; ++row) {
        const unsigned before = fit;
        for (unsigned n = 0; n < 300; ++n) {
            const uint32_t first =
                random_encoding(&arm_rows[row]) | (arm_rows[row].pattern[0] == 'c') * 0xe0000000;
            if (arm_refusal(first)) continue;
            const uint32_t second = variant(&arm_rows[row], first);
            fill(&a.before);
            fill(&b.before);
            if (random_below(2)) b.before = a.before;
            run(&a, first, 0x1000);
            run(&b, second, 0x2000);
            if (!a.fits || !b.fits) continue;
            ++fit;
            arm_disassemble(first, 0x1000, text[0], sizeof text[0]);
            arm_disassemble(second, 0x2000, text[1], sizeof text[1]);
            assert_put(&a, text[0]);
            if (memcmp(&a.operands, &b.operands, sizeof a.operands) != 0) continue;
            ++equal;
            if (a.result.value != b.result.value || a.result.flags != b.result.flags)
                fail_msg("equal operands, but other results: %s, %s", text[0], text[1]);
        }
        rows += fit > before;
    }
    print_message("%u instructions of %u rows fit, of which %u have operands of another\n", fit, rows, equal);
    assert_true(fit > 30000 && rows > 140 && equal > 3000);
}

static void what_does_not_fit(void **state) {
    (void)state;
    static const struct {
        uint32_t encoding;
        bool fits;
    } cases[] = {
        {0xe0802001, true},  /* add r2, r0, r1 */
        {0xe0a02211, true},  /* adc r2, r0, r1, lsl r2 */
        {0xe0203291, true},  /* mla r0, r1, r2, r3 */
        {0xee202a81, true},  /* vmul.f32 s4, s1, s2 */
        {0xeef1fa10, true},  /* vmrs APSR_nzcv, fpscr */
        {0xe1510000, true},  /* cmp r1, r0 */
        {0xe6ef0071, true},  /* uxtb r0, r1 */
        {0xe0810392, false}, /* umull r0, r1, r2, r3: 64 bits */
        {0xee302b01, false}, /* vadd.f64 d2, d0, d1 */
        {0xeeb40b41, false}, /* vcmp.f64 d0, d1: four words */
        {0xe5910000, false}, /* ldr r0, [r1] */
        {0xe5810000, false}, /* str r0, [r1] */
        {0xee122710, false}, /* mrc p7, 0, r2, c2, c0, 0 */
        {0xeafffffe, false}, /* b */
        {0xe320f000, false}, /* nop */
        {0xe28f0004, false}, /* add r0, pc, #4 */
        {0xe10f0000, false}, /* mrs r0, CPSR */
        {0xe6a00011, false}, /* ssat r0, #1, r1: writes Q */
        {0xeee10a10, false}, /* vmsr fpscr, r0 */
    };
    struct run r;
    fill(&r.before);
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
        assert_null(arm_refusal(cases[n].encoding));
        run(&r, cases[n].encoding, 0x1000);
        if (r.fits != cases[n].fits) fail_msg("%#010x", cases[n].encoding);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_operands_have_equal_results),
        cmocka_unit_test(what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tests/arm/arm_coverage.h"

#include "tests/arm/arm_random.h"

static bool is_hint(const struct arm_instruction *i, unsigned number) {
    return (i->encoding & 0x0fffffffu) == (0x0320f000u | number);
}

static bool is_svc(const struct arm_row *row) {
    return row->operation == ARM_OP_svc;
}

bool arm_coverage_is_exit(const struct arm_instruction *i) {
    return i->is_coprocessor || is_svc(i->row) || is_hint(i, 1) || is_hint(i, 2) || is_hint(i, 3);
}

static bool is_vfp_arithmetic(const struct arm_row *row) {
    return row->class >= ARM_CLASS_VFP_ADD_SINGLE && row->class <= ARM_CLASS_VFP_DIVIDE_DOUBLE;
}

void arm_coverage_note(struct arm_coverage *c, const struct arm_instruction *i, const struct arm_operand *o,
                       unsigned count, const unsigned *class, uint32_t fpscr, bool passed) {
    c->conditions |= UINT64_C(1) << (i->condition + (passed ? 0 : 16));
    if (!passed) {
        c->failed++;
        return;
    }
    c->passed++;
    c->mode[fpscr >> 22 & 15]++;
    for (unsigned n = 0; n < count; n++) c->corner[n][class[n]]++;
    if (count > 1 && o[0].row != o[1].row) c->pair[class[0]][class[1]]++;
}

/* Returns whether an operand may be set to any value in a refreshed sequence. */
static bool is_free(const struct arm_instruction *i) {
    return !i->writes_pc && i->row->operation != ARM_OP_vmsr && !i->register_offset;
}

static bool is_left_out(const struct arm_instruction *i, bool exits) {
    return !exits && arm_coverage_is_exit(i);
}

static void example(unsigned r, struct arm_instruction *out) {
    do arm_decode(random_encoding(&arm_rows[r]), 0, out);
    while (out->writes_pc && out->row->class != ARM_CLASS_BRANCH && random_below(64));
}

static void check_corners(const struct arm_coverage *c, const struct arm_instruction *i, bool pairs) {
    struct arm_operand o[ARM_CORNER_OPERANDS];
    const unsigned count = is_free(i) ? arm_operands(i, o) : 0;
    for (unsigned n = 0; n < count; n++)
        for (unsigned k = 0; k < arm_corner_classes(o[n].kind); k++)
            if (!c->corner[n][k])
                fail_msg("%s: operand %u was never %s", i->row->pattern, n, arm_corner_name(o[n].kind, k));
    for (unsigned a = 0; pairs && count > 1 && a < arm_corner_classes(o[0].kind); a++)
        for (unsigned b = 0; b < arm_corner_classes(o[1].kind); b++)
            if (!c->pair[a][b])
                fail_msg("%s: never %s with %s", i->row->pattern, arm_corner_name(o[0].kind, a),
                         arm_corner_name(o[1].kind, b));
    for (unsigned m = 0; is_vfp_arithmetic(i->row) && m < 16; m++)
        if (!c->mode[m]) fail_msg("%s: never in mode %u of FPSCR[25:22]", i->row->pattern, m);
}

static void check_row(const struct arm_coverage *c, const struct arm_instruction *i,
                      enum arm_coverage_demand demand) {
    if (!c->passed) fail_msg("row never executed: %s", i->row->pattern);
    if (i->row->pattern[0] == 'c' && !c->failed) fail_msg("condition never failed: %s", i->row->pattern);
    if (demand != ARM_COVERAGE_ROWS) check_corners(c, i, demand == ARM_COVERAGE_PAIRS);
}

void arm_coverage_report(const struct arm_coverage *coverage, bool exits, enum arm_coverage_demand demand) {
    uint64_t passed = 0, failed = 0, least = UINT64_MAX, conditions = 0;
    unsigned rows = 0, corners = 0;
    for (unsigned r = 0; r < arm_row_count; r++) {
        struct arm_instruction i;
        example(r, &i);
        if (is_left_out(&i, exits)) continue;
        check_row(&coverage[r], &i, demand);
        rows++;
        passed += coverage[r].passed;
        failed += coverage[r].failed;
        conditions |= coverage[r].conditions;
        if (coverage[r].passed < least) least = coverage[r].passed;
        for (unsigned n = 0; n < ARM_CORNER_OPERANDS; n++)
            for (unsigned k = 0; k < ARM_CORNER_CLASSES; k++) corners += coverage[r].corner[n][k] != 0;
    }
    assert_int_equal(conditions, 0x3fff7fff); /* 0–14 passed, 0–13 failed */
    print_message(
        "%llu instructions executed, %llu of failed condition; %u of %u rows (%u left out), each at "
        "least %llu times; %u pairs of operand and corner\n",
        (unsigned long long)passed, (unsigned long long)failed, rows, arm_row_count, arm_row_count - rows,
        (unsigned long long)least, corners);
}

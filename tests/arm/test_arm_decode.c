/*
 * The decode table: rows do not overlap, every encoding is decoded or refused, fields, classes, registers
 * read and written, and texts as objdump prints them.
 */
#include "tests/arm/arm_random.h"

#include "tests/arm/arm_objdump.h"

#include <ctype.h>

#define R(d) (UINT64_C(1) << (d))
#define S(d) (UINT64_C(1) << (16 + (d)))
#define D(d) (UINT64_C(3) << (16 + 2 * (d)))

static bool is_whole(const char *pattern) {
    unsigned bits = 0, open = 0;
    for (const char *p = pattern; *p; p++) {
        if (*p == '(')
            open++;
        else if (*p == ')')
            open--;
        else
            bits += *p != ' ';
    }
    return bits == 32 && !open;
}

static void patterns_are_whole(void **state) {
    (void)state;
    for (unsigned r = 0; r < arm_row_count; r++) assert_true(is_whole(arm_rows[r].pattern));
    for (unsigned r = 0; r < arm_refused_count; r++) assert_true(is_whole(arm_refused_rows[r].pattern));
}

/* --- every encoding --- */

/* A set of encodings: those with (encoding & mask) == value. */
struct cube {
    uint32_t mask, value;
};

static bool meet(struct cube a, struct arm_match b) {
    return !((a.value ^ b.value) & a.mask & b.mask);
}
/* Returns the bits that must be fixed before the cube is inside or outside the match; 0 if that
 * is decided. */
static uint32_t undecided(struct cube a, struct arm_match b) {
    return meet(a, b) ? b.mask & ~a.mask : 0;
}

struct survey {
    unsigned cubes, decoded, refused;
    uint64_t encodings; /* seen in all */
    unsigned *of_row;
};

/* Compares the conditions of row r with the cube, one by one. */
static const struct arm_match unconditional = {0xf0000000, 0xf0000000, 0, 0};
static bool row_takes(unsigned r, struct cube c, uint32_t *open) {
    const struct arm_match m = arm_pattern_match(arm_rows[r].pattern), e = arm_row_exception(&arm_rows[r]);
    if (!meet(c, m)) return false;
    *open |= undecided(c, m);
    if (arm_rows[r].pattern[0] == 'c') {
        *open |= undecided(c, unconditional);
        if (!undecided(c, unconditional) && meet(c, unconditional)) return false;
    }
    if (!e.mask) return true;
    *open |= undecided(c, e);
    return undecided(c, e) || !meet(c, e);
}

/* All encodings of the cube are treated alike: one row, or a reason. Some of them,
 * corners and random ones. */
static void check_cube(struct cube c, int row, struct survey *s) {
    for (unsigned k = 0; k < 24; k++) {
        const uint32_t free_bits = k == 0 ? 0 : k == 1 ? ~0u : random_word();
        const uint32_t e = c.value | (free_bits & ~c.mask);
        const struct arm_row *found = arm_row_find(e);
        if (found != (row < 0 ? NULL : &arm_rows[row])) fail_msg("%08x: another row than the patterns'", e);
        struct arm_instruction i;
        arm_decode(e, 0x8000, &i);
        const char *why = arm_refusal(e);
        if ((i.row != NULL) == (why != NULL) || (why && !*why)) fail_msg("%08x is neither or both", e);
        if (!i.warp || !i.thread || (i.row && i.row != found)) fail_msg("%08x is half decoded", e);
        s->decoded += i.row != NULL;
        s->refused += why != NULL;
    }
}

/* Splits the cube until every row takes all of it or nothing; then at most one may take it. */
static void survey(struct cube c, const unsigned *rows, unsigned count, struct survey *s) {
    unsigned left[800], taking = 0;
    uint32_t open = 0;
    assert_true(count <= 800);
    for (unsigned n = 0; n < count; n++) {
        if (!row_takes(rows[n], c, &open)) continue;
        left[taking++] = rows[n];
    }
    if (open) {
        const uint32_t bit = 1u << (31 - __builtin_clz(open));
        survey((struct cube){c.mask | bit, c.value}, left, taking, s);
        survey((struct cube){c.mask | bit, c.value | bit}, left, taking, s);
        return;
    }
    if (taking > 1)
        fail_msg("%08x is both %s and %s", c.value, arm_rows[left[0]].pattern, arm_rows[left[1]].pattern);
    if (taking) s->of_row[left[0]]++;
    s->cubes++;
    s->encodings += UINT64_C(1) << (32 - __builtin_popcount(c.mask));
    check_cube(c, taking ? (int)left[0] : -1, s);
}

static void every_encoding_is_decoded_or_refused(void **state) {
    (void)state;
    random_seed = seed_start();
    unsigned *rows = calloc(arm_row_count, 2 * sizeof *rows);
    struct survey s = {.of_row = rows + arm_row_count};
    for (unsigned r = 0; r < arm_row_count; r++) rows[r] = r;
    survey((struct cube){0, 0}, rows, arm_row_count, &s);
    print_message("%u rows, %u sets of encodings, %u decoded, %u refused\n", arm_row_count, s.cubes,
                  s.decoded, s.refused);
    assert_true(s.encodings == UINT64_C(1) << 32);
    for (unsigned r = 0; r < arm_row_count; r++)
        if (!s.of_row[r]) fail_msg("no encoding is of row %s", arm_rows[r].pattern);
    free(rows);
}

static void all_classes_occur(void **state) {
    (void)state;
    random_seed = seed_start();
    unsigned count[ARM_CLASS_COUNT] = {0};
    for (unsigned k = 0; k < arm_row_count * 20; k++) {
        struct arm_instruction i;
        arm_decode(random_encoding(&arm_rows[k % arm_row_count]), 0x8000, &i);
        count[i.class]++;
    }
    for (unsigned c = 0; c < ARM_CLASS_COUNT; c++)
        if (!count[c]) fail_msg("nothing is of class %s", arm_class_name[c]);
}

struct expected {
    uint32_t encoding;
    enum arm_class class;
    uint64_t sources, destinations;
    unsigned bytes, accesses;
    const char *properties; /* f: sets flags, p: writes the PC, l: load, s: store, w: wait, c: co-processor */
};

static const struct expected expectations[] = {
    {0xe0821003, ARM_CLASS_ALU, R(2) | R(3), R(1), 0, 0, ""},           /* add r1, r2, r3 */
    {0xe0821103, ARM_CLASS_SHIFT, R(2) | R(3), R(1), 0, 0, ""},         /* add r1, r2, r3, lsl #2 */
    {0xe0921413, ARM_CLASS_SHIFT, R(2) | R(3) | R(4), R(1), 0, 0, "f"}, /* adds r1, r2, r3, lsl r4 */
    {0xe3a01001, ARM_CLASS_ALU, 0, R(1), 0, 0, ""},                     /* mov r1, #1 */
    {0xe1a01103, ARM_CLASS_ALU, R(3), R(1), 0, 0, ""},                  /* lsl r1, r3, #2 */
    {0xe1a01413, ARM_CLASS_ALU, R(3) | R(4), R(1), 0, 0, ""},           /* lsl r1, r3, r4 */
    {0xe1e01103, ARM_CLASS_SHIFT, R(3), R(1), 0, 0, ""},                /* mvn r1, r3, lsl #2 */
    {0xe6ef1073, ARM_CLASS_ALU, R(3), R(1), 0, 0, ""},                  /* uxtb r1, r3 */
    {0xe6e21073, ARM_CLASS_SHIFT, R(2) | R(3), R(1), 0, 0, ""},         /* uxtab r1, r2, r3 */
    {0xe7e71253, ARM_CLASS_ALU, R(3), R(1), 0, 0, ""},                  /* ubfx r1, r3, #4, #8 */
    {0xe6a71213, ARM_CLASS_SHIFT, R(3), R(1), 0, 0, ""},                /* ssat r1, #8, r3, lsl #4 */
    {0xe6a71013, ARM_CLASS_ALU, R(3), R(1), 0, 0, ""},                  /* ssat r1, #8, r3 */
    {0xe6821213, ARM_CLASS_SHIFT, R(2) | R(3), R(1), 0, 0, ""},         /* pkhbt r1, r2, r3, lsl #4 */
    {0xe750f312, ARM_CLASS_MULTIPLY, R(2) | R(3), R(0), 0, 0, ""},      /* smmul r0, r2, r3 */
    {0xef00002a, ARM_CLASS_HINT, 0, 0, 0, 0, ""},                       /* svc 0x2a */
    {0xe4b21004, ARM_CLASS_LOAD, R(2), R(1) | R(2), 4, 1, "l"},         /* ldrt r1, [r2], #4 */
    {0xecb20b05, ARM_CLASS_LOAD_MULTIPLE, R(2), D(0) | D(1) | R(2), 16, 4, "l"}, /* fldmiax r2!, {d0-d1} */
    {0xe3520001, ARM_CLASS_ALU, R(2), 0, 0, 0, "f"},                             /* cmp r2, #1 */
    {0xe3401001, ARM_CLASS_ALU, R(1), R(1), 0, 0, ""},                           /* movt r1, #1 */
    {0xe0214392, ARM_CLASS_MULTIPLY, R(2) | R(3) | R(4), R(1), 0, 0, ""},        /* mla r1, r2, r3, r4 */
    {0xe0821493, ARM_CLASS_MULTIPLY, R(3) | R(4), R(1) | R(2), 0, 0, ""},        /* umull r1, r2, r3, r4 */
    {0xe0a21493, ARM_CLASS_MULTIPLY, R(1) | R(2) | R(3) | R(4), R(1) | R(2), 0, 0, ""}, /* umlal */
    {0xe711f312, ARM_CLASS_DIVIDE, R(2) | R(3), R(1), 0, 0, ""},                        /* sdiv r1, r2, r3 */
    {0xeafffffe, ARM_CLASS_BRANCH, 0, 0, 0, 0, "p"},                                    /* b . */
    {0xebfffffe, ARM_CLASS_BRANCH, 0, R(14), 0, 0, "p"},                                /* bl . */
    {0xe12fff1e, ARM_CLASS_BRANCH, R(14), 0, 0, 0, "p"},                                /* bx lr */
    {0xe12fff33, ARM_CLASS_BRANCH, R(3), R(14), 0, 0, "p"},                             /* blx r3 */
    {0xe08ff103, ARM_CLASS_BRANCH, R(3), 0, 0, 0, "p"},                       /* add pc, pc, r3, lsl #2 */
    {0xe5921004, ARM_CLASS_LOAD, R(2), R(1), 4, 1, "l"},                      /* ldr r1, [r2, #4] */
    {0xe5b21004, ARM_CLASS_LOAD, R(2), R(1) | R(2), 4, 1, "l"},               /* ldr r1, [r2, #4]! */
    {0xe79ff103, ARM_CLASS_LOAD, R(3), 0, 4, 1, "lp"},                        /* ldr pc, [pc, r3, lsl #2] */
    {0xe6c21003, ARM_CLASS_STORE, R(1) | R(2) | R(3), R(2), 1, 1, "s"},       /* strb r1, [r2], r3 */
    {0xe1d210f4, ARM_CLASS_LOAD, R(2), R(1), 2, 1, "l"},                      /* ldrsh r1, [r2, #4] */
    {0xe1c240d8, ARM_CLASS_LOAD_MULTIPLE, R(2), R(4) | R(5), 8, 2, "l"},      /* ldrd r4, r5, [r2, #8] */
    {0xe1c240f8, ARM_CLASS_STORE_MULTIPLE, R(2) | R(4) | R(5), 0, 8, 2, "s"}, /* strd r4, r5, [r2, #8] */
    {0xe8bd8030, ARM_CLASS_LOAD_MULTIPLE, R(13), R(4) | R(5) | R(13), 12, 3, "lp"}, /* pop {r4, r5, pc} */
    {0xe92d4010, ARM_CLASS_STORE_MULTIPLE, R(4) | R(13) | R(14), R(13), 8, 2, "s"}, /* push {r4, lr} */
    {0xe1921f9f, ARM_CLASS_LOAD, R(2), R(1), 4, 1, "l"},                            /* ldrex r1, [r2] */
    {0xe1820f91, ARM_CLASS_STORE, R(1) | R(2), R(0), 4, 1, "s"},                    /* strex r0, r1, [r2] */
    {0xed921a01, ARM_CLASS_LOAD, R(2), S(2), 4, 1, "l"},                            /* vldr s2, [r2, #4] */
    {0xed823b02, ARM_CLASS_STORE, R(2) | D(3), 0, 8, 1, "s"},                       /* vstr d3, [r2, #8] */
    {0xed2d8b04, ARM_CLASS_STORE_MULTIPLE, R(13) | D(8) | D(9), R(13), 16, 4, "s"}, /* vpush {d8, d9} */
    {0xecb20a03, ARM_CLASS_LOAD_MULTIPLE, R(2), S(0) | S(1) | S(2) | R(2), 12, 3,
     "l"},                                                                          /* vldmia r2!, {s0-s2} */
    {0xee310a02, ARM_CLASS_VFP_ADD_SINGLE, S(2) | S(4), S(0), 0, 0, ""},            /* vadd.f32 s0, s2, s4 */
    {0xee010b02, ARM_CLASS_VFP_CHAINED_DOUBLE, D(0) | D(1) | D(2), D(0), 0, 0, ""}, /* vmla.f64 d0, d1, d2 */
    {0xee210a02, ARM_CLASS_VFP_MULTIPLY_SINGLE, S(2) | S(4), S(0), 0, 0, ""},       /* vmul.f32 s0, s2, s4 */
    {0xee810a02, ARM_CLASS_VFP_DIVIDE_SINGLE, S(2) | S(4), S(0), 0, 0, ""},         /* vdiv.f32 s0, s2, s4 */
    {0xeeb10bc1, ARM_CLASS_VFP_DIVIDE_DOUBLE, D(1), D(0), 0, 0, ""},                /* vsqrt.f64 d0, d1 */
    {0xeeb70ae0, ARM_CLASS_VFP_ADD_DOUBLE, S(1), D(0), 0, 0, ""},                   /* vcvt.f64.f32 d0, s1 */
    {0xeeb40a60, ARM_CLASS_VFP_ADD_SINGLE, S(0) | S(1), 0, 0, 0, ""},               /* vcmp.f32 s0, s1 */
    {0xeef1fa10, ARM_CLASS_VFP_MOVE, 0, 0, 0, 0, "f"},              /* vmrs APSR_nzcv, fpscr */
    {0xee001a90, ARM_CLASS_VFP_MOVE, R(1), S(1), 0, 0, ""},         /* vmov s1, r1 */
    {0xec432b11, ARM_CLASS_VFP_MOVE, R(2) | R(3), D(1), 0, 0, ""},  /* vmov d1, r2, r3 */
    {0xec532b11, ARM_CLASS_VFP_MOVE, D(1), R(2) | R(3), 0, 0, ""},  /* vmov r2, r3, d1 */
    {0xee211b10, ARM_CLASS_VFP_MOVE, R(1), S(3), 0, 0, ""},         /* vmov.32 d1[1], r1 */
    {0xee111750, ARM_CLASS_COPROCESSOR, 0, R(1), 0, 0, "c"},        /* mrc 7, 0, r1, cr1, cr0, {2} */
    {0xec421713, ARM_CLASS_COPROCESSOR, R(1) | R(2), 0, 0, 0, "c"}, /* mcrr 7, 1, r1, r2, cr3 */
    {0xe320f003, ARM_CLASS_HINT, 0, 0, 0, 0, "w"},                  /* wfi */
    {0xf57ff05f, ARM_CLASS_HINT, 0, 0, 0, 0, ""},                   /* dmb sy */
};

static void expected_facts(void **state) {
    (void)state;
    for (unsigned k = 0; k < sizeof expectations / sizeof *expectations; k++) {
        const struct expected *e = &expectations[k];
        struct arm_instruction i;
        arm_decode(e->encoding, 0x8000, &i);
        char has[8] = "", *p = has;
        if (i.sets_flags) *p++ = 'f';
        if (i.is_load) *p++ = 'l';
        if (i.is_store) *p++ = 's';
        if (i.writes_pc) *p++ = 'p';
        if (i.is_wait) *p++ = 'w';
        if (i.is_coprocessor) *p++ = 'c';
        *p = '\0';
        if (!i.row || i.class != e->class || i.sources != e->sources || i.destinations != e->destinations ||
            i.access_bytes != e->bytes || i.access_count != e->accesses || strcmp(has, e->properties) != 0)
            fail_msg("%08x: class %s, sources %llx, destinations %llx, %u bytes in %u accesses, \"%s\"",
                     e->encoding, arm_class_name[i.class], (unsigned long long)i.sources,
                     (unsigned long long)i.destinations, i.access_bytes, i.access_count, has);
    }
}

static void coprocessor_fields(void **state) {
    (void)state;
    struct arm_instruction i;
    arm_decode(0xee721775, 0, &i); /* mrc 7, 3, r1, cr2, cr5, {3} */
    assert_true(i.coprocessor_reads && !i.coprocessor_two);
    assert_int_equal(i.rd, 1);
    assert_int_equal(i.opc1, 3);
    assert_int_equal(i.crn, 2);
    assert_int_equal(i.crm, 5);
    assert_int_equal(i.opc2, 3);
    arm_decode(0xec421793, 0, &i); /* mcrr 7, 9, r1, r2, cr3 */
    assert_true(!i.coprocessor_reads && i.coprocessor_two);
    assert_int_equal(i.rd, 1);
    assert_int_equal(i.rn, 2);
    assert_int_equal(i.opc1, 9);
    assert_int_equal(i.crm, 3);
}

/* --- texts --- */

/* Returns whether objdump's text differs legitimately: an unallocated memory hint is .word here, but
 * undefined or PLDW there. */
static bool is_unknown_hint(uint32_t encoding) {
    return strcmp(arm_row_find(encoding)->text, "%z") == 0;
}

/* Normalises objdump's line: removes comments, reduces blanks, and corrects three errors of binutils 2.40:
 * ROR in capitals, ASR #0 for #32 in SSAT and USAT, numbers for r10 to r12 and r14 in LDREX. */
static void normalize(char *line) {
    char *out = line, *p = strchr(line, ';');
    if (p) *p = '\0';
    if ((p = strchr(line, '@'))) *p = '\0';
    if ((p = strstr(line, "<UNPREDICTABLE>"))) *p = '\0';
    for (p = line; *p; p++)
        if (!isspace((unsigned char)*p) || (out > line && out[-1] != ' '))
            *out++ = isspace((unsigned char)*p) ? ' ' : *p;
    while (out > line && out[-1] == ' ') out--;
    *out = '\0';
    if ((p = strstr(line, "ROR"))) memcpy(p, "ror", 3);
    if ((p = strstr(line, "asr #0")) && !p[6]) strcpy(p, "asr #32");
    static const char *const name[5] = {"sl", "fp", "ip", "sp", "lr"};
    if (strncmp(line, "ldrex", 5) != 0 || !(p = strstr(line, " r1")) || p[3] < '0' || p[3] > '4') return;
    memcpy(p + 1, name[p[3] - '0'], 2);
    memmove(p + 3, p + 4, strlen(p + 4) + 1);
}

enum { EACH = 40 };

static unsigned wrong, last_wrong_row;

static void compare_text(unsigned index, uint32_t encoding, char *text) {
    char ours[100];
    arm_disassemble(encoding, index * 4, ours, sizeof ours);
    normalize(text);
    if (strcmp(ours, text) == 0 || is_unknown_hint(encoding)) return;
    if (!wrong++ || index / EACH != last_wrong_row) /* one per row is enough */
        print_message("%08x ours \"%s\", objdump's \"%s\"\n", encoding, ours, text);
    last_wrong_row = index / EACH;
}

static void texts_are_those_of_objdump(void **state) {
    (void)state;
    random_seed = seed_start();
    const unsigned total = arm_row_count * EACH;
    uint32_t *code = malloc(total * sizeof *code);
    assert_non_null(code);
    for (unsigned k = 0; k < total; k++) code[k] = random_encoding(&arm_rows[k / EACH]);
    arm_objdump(code, total, compare_text);
    free(code);
    assert_int_equal(wrong, 0);
}

static void text_is_cut_to_size(void **state) {
    (void)state;
    char text[8] = "xxxxxxx";
    assert_int_equal(arm_disassemble(0xe0821103, 0, text, 6), strlen("add r1, r2, r3, lsl #2"));
    assert_string_equal(text, "add r");
    assert_int_equal(text[7], '\0');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_whole),  cmocka_unit_test(every_encoding_is_decoded_or_refused),
        cmocka_unit_test(all_classes_occur),   cmocka_unit_test(expected_facts),
        cmocka_unit_test(coprocessor_fields),  cmocka_unit_test(texts_are_those_of_objdump),
        cmocka_unit_test(text_is_cut_to_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Refused instructions: each with a named reason, and all that the manual calls unpredictable (as objdump
 * does, where it knows). */
#include "tests/arm/arm_random.h"

#include "tests/arm/arm_objdump.h"

/* One encoding for each reason with a part of its message; NULL: a similar encoding that is executed. */
static void refusals_name_the_reason(void **state) {
    (void)state;
    static const struct {
        uint32_t encoding;
        const char *why;
    } refused[] = {
        /* the PC where it must not be */
        {0xe00f0291, "PC"},                   /* mul pc, r1, r2 */
        {0xe0203f91, "PC"},                   /* mla r0, r1, pc, r3 */
        {0xe0603f91, "PC"},                   /* mls r0, r1, pc, r3 */
        {0xe0810f92, "PC"},                   /* umull r0, r1, r2, pc */
        {0xe10f3281, "PC"},                   /* smlabb pc, r1, r2, r3 */
        {0xe750f21f, "PC"},                   /* smmul r0, pc, r2 */
        {0xe750ff11, "PC"},                   /* smmul r0, r1, pc */
        {0xe75003df, "PC"},                   /* smmls r0, pc, r3, r0 */
        {0xe71ff211, "PC"},                   /* sdiv pc, r1, r2 */
        {0xe10f0051, "PC"},                   /* qadd r0, r1, pc */
        {0xe6aff011, "PC"},                   /* ssat pc, #16, r1 */
        {0xe6bff071, "PC"},                   /* sxth pc, r1 */
        {0xe6aff472, "PC"},                   /* sxtb pc, r2 */
        {0xe681001f, "PC"},                   /* pkhbt r0, r1, pc */
        {0xe7cff01f, "PC"},                   /* bfc pc, #0, #16 */
        {0xe7a0f051, "PC"},                   /* sbfx pc, r1, #0, #1 */
        {0xe16fff11, "PC"},                   /* clz pc, r1 */
        {0xe6bf0f3f, "PC"},                   /* rev r0, pc */
        {0xe61f0f12, "PC"},                   /* sadd16 r0, pc, r2 */
        {0xe6810fbf, "PC"},                   /* sel r0, r1, pc */
        {0xe78f0211, "PC"},                   /* usada8 pc, r1, r2, r0 */
        {0xe300f001, "PC"},                   /* movw pc, #1 */
        {0xe340f001, "PC"},                   /* movt pc, #1 */
        {0xe080f211, "PC"},                   /* add pc, r0, r1, lsl r2 */
        {0xe0800f11, "PC"},                   /* add r0, r0, r1, lsl pc */
        {0xe11f0211, "PC"},                   /* tst pc, r1, lsl r2 */
        {0xe10ff000, "PC"},                   /* mrs pc, CPSR */
        {0xe128f00f, "PC"},                   /* msr CPSR_f, pc */
        {0xe12fff3f, "PC"},                   /* blx pc */
        {0xe5d1f000, "PC"},                   /* ldrb pc, [r1] */
        {0xe791000f, "PC"},                   /* ldr r0, [r1, pc] */
        {0xe1d1f0b0, "PC"},                   /* ldrh pc, [r1] */
        {0xe1d1f0f0, "PC"},                   /* ldrsh pc, [r1] */
        {0xe5c1f000, "PC"},                   /* strb pc, [r1] */
        {0xe4b1f004, "PC"},                   /* ldrt pc, [r1], #4 */
        {0xe4bf0004, "PC"},                   /* ldrt r0, [pc], #4 */
        {0xe191ff9f, "PC"},                   /* ldrex pc, [r1] */
        {0xe19f0f9f, "PC"},                   /* ldrex r0, [pc] */
        {0xe1810f9f, "PC"},                   /* strex r0, pc, [r1] */
        {0xe5bf0004, "write-back to the PC"}, /* ldr r0, [pc, #4]! */
        {0xe58f0000, NULL},                   /* str r0, [pc] */
        {0xe49f0004, "write-back to the PC"}, /* ldr r0, [pc], #4 */
        {0xe89f0003, "the PC as the base"},   /* ldm pc, {r0, r1} */
        {0xecbf0a01, "write-back to the PC"}, /* vldmia pc!, {s0} */
        {0xec9f0a01, NULL},                   /* vldmia pc, {s0} */
        {0xf59ff004, "PC"},                   /* pldw [pc, #4] */
        {0xf5dff004, NULL},                   /* pld [pc, #4] */
        {0xf7d1f00f, "PC"},                   /* pld [r1, pc] */
        {0xee01f750, "PC"},                   /* mcr 7, 0, pc, cr1, cr0, {2} */
        {0xee11f750, "flags"},                /* mrc 7, 0, APSR_nzcv, cr1, cr0, {2} */
        {0xee00fa10, "PC"},                   /* vmov s0, pc */
        {0xee10fa10, "PC"},                   /* vmov pc, s0 */
        {0xec41fb10, "PC"},                   /* vmov d0, pc, r1 */
        {0xeee1fa10, "PC"},                   /* vmsr fpscr, pc */
        /* one register twice */
        {0xe0811392, "two results"},         /* umull r1, r1, r2, r3 */
        {0xe0411392, "two results"},         /* umaal r1, r1, r2, r3 */
        {0xe1411382, "two results"},         /* smlalbb r1, r1, r2, r3 */
        {0xe7411312, "two results"},         /* smlald r1, r1, r2, r3 */
        {0xec511b10, "two results"},         /* vmov r1, r1, d0 */
        {0xec511710, "two results"},         /* mrrc 7, 1, r1, r1, cr0 */
        {0xe4911004, "is transferred"},      /* ldr r1, [r1], #4 */
        {0xe7a11002, "is transferred"},      /* str r1, [r1, r2]! */
        {0xe1e120d8, NULL},                  /* ldrd r2, [r1, #8]! */
        {0xe1e320d8, "is transferred"},      /* ldrd r2, [r3, #8]! */
        {0xe18120d3, "offset register"},     /* ldrd r2, [r1, r3] */
        {0xe18120f3, NULL},                  /* strd r2, [r1, r3] */
        {0xe8b10003, "is loaded"},           /* ldm r1!, {r0, r1} */
        {0xe8910003, NULL},                  /* ldm r1, {r0, r1} */
        {0xe8a10003, NULL},                  /* stmia r1!, {r0, r1} */
        {0xe1811f90, "status register"},     /* strex r1, r0, [r1] */
        {0xe1810f90, "status register"},     /* strex r0, r0, [r1] */
        {0xe1a12f93, "does not begin even"}, /* strexd r2, r3, [r1] */
        {0xe1a13f92, "status register"},     /* strexd r3, r2, r3, [r1] */
        /* pairs, lists, fields */
        {0xe1c130d0, "even"},            /* ldrd r3, [r1] */
        {0xe1c1e0d0, "even"},            /* ldrd lr, [r1] */
        {0xe1b1ef9f, "even"},            /* ldrexd lr, [r1] */
        {0xe8910000, "no registers"},    /* ldm r1, {} */
        {0xec910a00, "no registers"},    /* vldmia r1, {} */
        {0xec91fa03, "beyond the last"}, /* vldmia r1, {s30-s32} */
        {0xec910b22, "beyond the last"}, /* vldmia r1, {d0-d16} */
        {0xec911b20, NULL},              /* vldmia r1, {d1-d16} */
        {0xecd10b22, "beyond the last"}, /* vldmia r1, {d16-d32} */
        {0xec410a3f, "beyond the last"}, /* vmov s31, s32, r0, r1 */
        {0xe7c0001f, NULL},              /* bfc r0, #0, #1 */
        {0xe7c0009f, "ends before"},     /* bfc r0, #1, #0 */
        {0xe7bf00d1, "beyond bit 31"},   /* sbfx r0, r1, #1, #32 */
        {0xeeba0a6f, "fraction"},        /* vcvt.f32.s16 s0, s0, #-15 */
        {0xe0e100d0, "unprivileged"},    /* ldrd with P clear and W set */
        /* status */
        {0xe120f001, "no field"},           /* msr CPSR_, r1 */
        {0xe122f001, "big-endian"},         /* msr CPSR_x, r1 */
        {0xe14f0000, "SPSR"},               /* mrs r0, SPSR */
        {0xe168f001, "SPSR"},               /* msr SPSR_f, r1 */
        {0xe1000200, "banked"},             /* mrs r0, R8_usr */
        {0xf1010200, "big-endian"},         /* setend be */
        {0xf10c0080, "privileged"},         /* cpsid i */
        {0xe1b0f00e, "exception"},          /* movs pc, lr */
        {0xe8fd8000, "User"},               /* ldm sp!, {pc}^ */
        {0xe1200070, "BKPT"},               /* bkpt #0 */
        {0xe1600070, "SMC"},                /* smc #0 */
        {0xe1400070, "HVC"},                /* hvc #0 */
        {0xe12fff21, "BXJ"},                /* bxj r1 */
        {0xe160006e, "ERET"},               /* eret */
        {0xf8cd0510, "SRS"},                /* srsia sp, #16 */
        {0xf8900a00, "RFE"},                /* rfeia r0 */
        {0xeef00a10, "FPSID"},              /* vmrs r0, fpsid */
        {0xeef70a10, "MVFR"},               /* vmrs r0, mvfr0 */
        {0xeef80a10, "FPEXC"},              /* vmrs r0, fpexc */
        {0xee000700, "CDP"},                /* cdp 7, 0, cr0, cr0, cr0, {0} */
        {0xed910700, "LDC"},                /* ldc 7, cr0, [r1] */
        {0xfe110750, "MRC2"},               /* mrc2 7, 0, r0, cr1, cr0, {2} */
        {0xeea00a81, "VFMA"},               /* vfma.f32 s0, s1, s2 */
        {0xeea00ac1, "VFMS"},               /* vfms.f32 s0, s1, s2 */
        {0xee900ac1, "VFNMA"},              /* vfnma.f32 s0, s1, s2 */
        {0xee900a81, "VFNMS"},              /* vfnms.f32 s0, s1, s2 */
        {0xeeb20a60, "VCVTB"},              /* vcvtb.f32.f16 s0, s1 */
        {0xeeb30ae0, "VCVTT"},              /* vcvtt.f16.f32 s0, s1 */
        {0xee800b10, NULL},                 /* vdup.32 d0, r0 */
        {0xeea10b10, "undefined"},          /* vdup.32 q0 with an odd register */
        {0xee80fb10, "PC"},                 /* vdup.32 d0, pc */
        {0xee40fb10, "PC"},                 /* vmov.8 d0[0], pc */
        {0xee600b70, NULL},                 /* vmov.8 d0[7], r0 */
        {0xeed0fb10, "PC"},                 /* vmov.u8 pc, d0[0] */
        {0xee000b50, "undefined"},          /* no size of scalar */
        {0xee900b10, "undefined"},          /* an unsigned one of 32 bits */
        {0xf2000d40, NULL},                 /* vadd.f32 q0, q0, q0 */
        {0xf2001d40, "undefined"},          /* the same with an odd register */
        {0xf3b20000, "two results"},        /* vswp d0, d0 */
        {0xf2000000, "Advanced SIMD"},      /* vhadd.s8 d0, d0, d0 */
        {0xf2000c10, "Advanced SIMD"},      /* vfma.f32 d0, d0, d0 */
        {0xf3b00400, "Advanced SIMD"},      /* vcls.s8 d0, d0 */
        {0xf421078f, NULL},                 /* vld1.32 {d0}, [r1] */
        {0xf42f078f, "the PC as the base"}, /* vld1.32 {d0}, [pc] */
        {0xf42107af, "undefined"},          /* vld1.32 {d0}, [r1 :128] */
        {0xf461f28f, "beyond the last"},    /* vld1.32 {d31-d34}, [r1] */
        {0xf461f18f, "beyond the last"},    /* vld4.32 {d31, …}, [r1] */
        {0xf3b20181, NULL},                 /* vzip.8 d0, d1 */
        {0xf3ba0181, "undefined"},          /* vzip.32 d0, d1 */
        {0xf3b20180, "two results"},        /* vzip.8 d0, d0 */
        {0xf3fffba0, "beyond the last"},    /* vtbl.8 d16, {d31-d34}, d16 */
        {0xee300ba0, NULL},                 /* vadd.f64 d0, d16, d16 */
        {0xfa000000, "Thumb"},              /* blx 8 */
        {0xe1010092, "SWP"},                /* swp r0, r2, [r1] */
        {0xee010f10, "co-processors"},      /* mcr 15, 0, r0, cr1, cr0, {0} */
        {0xe7f000f0, "undefined"},          /* udf #0 */
        /* bits that should be one or zero */
        {0xe1510002, NULL},        /* cmp r1, r2 */
        {0xe1511002, "should be"}, /* the same with a destination */
        {0xe1a11002, "should be"}, /* mov with a first operand */
        {0xe12fff11, NULL},        /* bx r1 */
        {0xe12ffe11, "should be"},
        {0xe1910f9e, "should be"}, /* ldrex */
        {0xe0001291, "should be"}, /* mul with an accumulator */
        {0xe710e211, "should be"}, /* sdiv */
        {0xf57ef01f, "should be"}, /* clrex */
        {0xf57fe05f, "should be"}, /* dmb */
        {0xe320e003, "should be"}, /* wfi */
        {0xeef10a30, "should be"}, /* vmrs */
        {0xeeb50a41, "should be"}, /* vcmp with zero */
    };
    for (unsigned k = 0; k < sizeof refused / sizeof *refused; k++) {
        const char *why = arm_refusal(refused[k].encoding), *wanted = refused[k].why;
        if (!why != !wanted || (why && !strstr(why, wanted)))
            fail_msg("%08x: %s, not %s", refused[k].encoding, why ? why : "not refused",
                     wanted ? wanted : "executed");
    }
}

/* No refused pattern is hidden by those before it, or by rows. */
static void every_refusal_is_reached(void **state) {
    (void)state;
    random_seed = seed_start();
    for (unsigned r = 0; r < arm_refused_count; r++) {
        const struct arm_match m = arm_pattern_match(arm_refused_rows[r].pattern);
        const char *why = NULL;
        for (unsigned n = 0; n < 20000 && why != arm_refused_rows[r].reason; n++)
            why = arm_refusal((random_word() & ~m.mask) | m.value);
        if (why != arm_refused_rows[r].reason) fail_msg("never: %s", arm_refused_rows[r].pattern);
    }
}

/* --- objdump's opinion --- */

/* Returns any encoding of the row, in which registers are often the PC or equal. */
static uint32_t wild_encoding(const struct arm_row *row) {
    const struct arm_match m = arm_pattern_match(row->pattern);
    for (;;) {
        uint32_t e = random_word();
        for (unsigned at = 0; at < 20; at += 4) {
            const unsigned from = 4 * random_below(5);
            if (random_below(4) == 0) e |= 15u << at;
            if (random_below(6) == 0) e = (e & ~(15u << at)) | (e >> from & 15) << at;
        }
        e = (e & ~m.mask) | m.value;
        if (random_below(4)) e = (e & ~m.should_mask) | m.should_value;
        if (row->pattern[0] == 'c') e = (e & 0x0fffffff) | 0xe0000000;
        if (arm_row_matches(row, e)) return e;
    }
}

/* Returns whether objdump says unpredictable although ARMv7's manual does not: a shifted register moved to
 * the PC; the offset register stored or loaded with write-back of the base; memory hints unknown
 * to objdump. */
static bool objdump_is_wrong(const struct arm_row *row, uint32_t e) {
    if (row->operation == ARM_OP_mov_register) return (e >> 12 & 15) == 15;
    if (row->form == ARM_FORM_OFFSET_REGISTER)
        return arm_writes_back(row, e) && (e & 15) == (e >> 12 & 15) && (e & 15) != 15;
    return row->operation == ARM_OP_hint;
}

enum { EACH = 60 };

static unsigned unpredictable;

static void check_line(unsigned index, uint32_t encoding, char *text) {
    if (!strstr(text, "UNPREDICTABLE") && !strstr(text, "UNDEFINED")) return;
    unpredictable++;
    if (!arm_refusal(encoding) && !objdump_is_wrong(&arm_rows[index / EACH], encoding))
        fail_msg("%08x is executed; objdump: %s", encoding, text);
}

static void what_objdump_calls_unpredictable(void **state) {
    (void)state;
    random_seed = seed_start();
    const unsigned total = arm_row_count * EACH;
    uint32_t *code = malloc(total * sizeof *code);
    assert_non_null(code);
    for (unsigned k = 0; k < total; k++) code[k] = wild_encoding(&arm_rows[k / EACH]);
    arm_objdump(code, total, check_line);
    free(code);
    assert_true(unpredictable > total / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_name_the_reason),
        cmocka_unit_test(every_refusal_is_reached),
        cmocka_unit_test(what_objdump_calls_unpredictable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

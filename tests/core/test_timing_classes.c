/* Timing classes: cycles of a short program for each class in both modes, counted by hand from timing.md; and
 * their change when the class's latency or occupancy in the configuration grows. */
#include "model/arm/arm_table.h"
#include "tests/core/core_fixture.h"
#include "tests/cluster/simt_fixture.h"

#include <stdio.h>

#define CLASSES(entries) (sizeof(entries) / sizeof *(entries))
#define MORE_LATENCY     3u
#define MORE_OCCUPANCY   2u

/* SIMT mode: two warps of 32 threads, 8 rounds each, both with the same instruction. S 0, A 1, F 2, D 3; O
 * from 4 on, a cycle for each source register (two for a double), at least one. So the first round x is in 4
 * + O. Round v begins in x + v · occupancy; its result is ready at the end of the cycle (latency − 1) later.
 * W takes a cycle for each destination register. Warp 1 is collected meanwhile; its first round follows in x
 * + 8 · occupancy. Cycles in which they commit: */
static const struct simt_case {
    enum arm_class class;
    uint32_t encoding;
    unsigned commit[2], longer[2], busier[2]; /* default; latency + 3; occupancy + 2 */
} simt_cases[] = {
    /* add r2, r0, r1: O 4–5, X 6–13, W 14; latency 4: result at the end of 16; every 3 cycles: X 6, 9 … 27 */
    {ARM_CLASS_ALU, 0xe0802001, {14, 22}, {17, 25}, {28, 52}},
    /* add r2, r0, r1, lsl #2: the same */
    {ARM_CLASS_SHIFT, 0xe0802101, {14, 22}, {17, 25}, {28, 52}},
    /* mul r2, r0, r1: X 6–13, latency 2: end of 14, W 15 */
    {ARM_CLASS_MULTIPLY, 0xe0020190, {15, 23}, {18, 26}, {29, 53}},
    /* sdiv r2, r0, r1: X 6, 11 … 41, end of 45, W 46; then 46 … 81. Every 7: X 6 … 55, end of 59; then 62 …
       111 */
    {ARM_CLASS_DIVIDE, 0xe712f110, {46, 86}, {49, 89}, {60, 116}},
    /* b to the next: O 4, X 5–12, no W; latency 4: C at the end of 15; every 3: X 5 … 26, then 29 … 50 */
    {ARM_CLASS_BRANCH, 0xeaffffff, {12, 20}, {15, 23}, {26, 50}},
    /* ldr r0, [r1]: O 4, X 5–12, last request in 13, the L2's 8 cycles: end of 20, W 21. The memory is the
     * latency; every 3: X 5 … 26, request 27, end of 34 */
    {ARM_CLASS_LOAD, 0xe5910000, {21, 29}, {21, 29}, {35, 59}},
    /* str r0, [r1]: O 4–5, X 6–13, the last accepted in 14; every 3: X 6 … 27, accepted in 28 */
    {ARM_CLASS_STORE, 0xe5810000, {14, 22}, {14, 22}, {28, 52}},
    /* ldm r1, {r2, r3}: O 4, X 5–20, a register a cycle; request 21, end of 28, W 29–30. Every 3: X 5 … 50 */
    {ARM_CLASS_LOAD_MULTIPLE, 0xe891000c, {30, 46}, {30, 46}, {60, 108}},
    /* stm r1, {r2, r3}: O 4–6, X 7–22, accepted in 23; every 3: X 7 … 52 */
    {ARM_CLASS_STORE_MULTIPLE, 0xe881000c, {23, 39}, {23, 39}, {53, 101}},
    /* vmov.f32 s2, s0: O 4, X 5–12, latency 4: end of 15, W 16 */
    {ARM_CLASS_VFP_MOVE, 0xeeb01a40, {16, 24}, {19, 27}, {30, 54}},
    /* vadd.f32 s2, s0, s1: O 4–5, X 6–13, end of 16, W 17 */
    {ARM_CLASS_VFP_ADD_SINGLE, 0xee301a20, {17, 25}, {20, 28}, {31, 55}},
    /* vadd.f64 d2, d0, d1: O 4–7, X 8–15, end of 18, W 19–20; every 3: X 8 … 29, end of 32, W 33–34 */
    {ARM_CLASS_VFP_ADD_DOUBLE, 0xee302b01, {20, 28}, {23, 31}, {34, 58}},
    /* vmul.f32 s2, s0, s1: the same */
    {ARM_CLASS_VFP_MULTIPLY_SINGLE, 0xee201a20, {17, 25}, {20, 28}, {31, 55}},
    /* vmul.f64 d2, d0, d1: O 4–7, X 8, 12 … 36, latency 7: end of 42, W 43–44; then 40 … 68. Every 6: X 8 …
       50 */
    {ARM_CLASS_VFP_MULTIPLY_DOUBLE, 0xee202b01, {44, 76}, {47, 79}, {58, 106}},
    /* vmla.f32 s2, s0, s1: O 4–6, X 7–14, latency 8: end of 21, W 22 */
    {ARM_CLASS_VFP_CHAINED_SINGLE, 0xee001a20, {22, 30}, {25, 33}, {36, 60}},
    /* vmla.f64 d2, d0, d1: O 4–9, X 10, 14 … 38, latency 11: end of 48, W 49–50. Every 6: X 10 … 52 */
    {ARM_CLASS_VFP_CHAINED_DOUBLE, 0xee002b01, {50, 82}, {53, 85}, {64, 112}},
    /* vdiv.f32 s2, s0, s1: X 6, 20 … 104, latency 16: end of 119, W 120; then 118 … 216. Every 16:
     * X 6 … 118 */
    {ARM_CLASS_VFP_DIVIDE_SINGLE, 0xee801a20, {120, 232}, {123, 235}, {134, 262}},
    /* vdiv.f64 d2, d0, d1: O 4–7, X 8, 37 … 211, latency 31: end of 241, W 242–243. Every 31: X 8 … 225 */
    {ARM_CLASS_VFP_DIVIDE_DOUBLE, 0xee802b01, {243, 475}, {246, 478}, {257, 505}},
    /* vadd.i32 d2, d0, d1: O 4–7, X 8–15, end of 18, W 19–20 */
    {ARM_CLASS_NEON_INTEGER, 0xf2202801, {20, 28}, {23, 31}, {34, 58}},
    /* vadd.i32 q2, q0, q1: O 4–11, X 12, 14 … 26, end of 29, W 30–33. Every 4: X 12 … 40 */
    {ARM_CLASS_NEON_INTEGER_QUAD, 0xf2204842, {33, 49}, {36, 52}, {47, 79}},
    /* vmul.i32: the same */
    {ARM_CLASS_NEON_MULTIPLY, 0xf2202911, {20, 28}, {23, 31}, {34, 58}},
    {ARM_CLASS_NEON_MULTIPLY_QUAD, 0xf2204952, {33, 49}, {36, 52}, {47, 79}},
    /* vadd.f32: the same */
    {ARM_CLASS_NEON_FLOAT, 0xf2002d01, {20, 28}, {23, 31}, {34, 58}},
    {ARM_CLASS_NEON_FLOAT_QUAD, 0xf2004d42, {33, 49}, {36, 52}, {47, 79}},
    /* vmla.f32 d2, d0, d1: O 4–9, X 10–17, latency 8: end of 24, W 25–26; every 3: X 10 … 31 */
    {ARM_CLASS_NEON_CHAINED, 0xf2002d11, {26, 34}, {29, 37}, {40, 64}},
    /* vmla.f32 q2, q0, q1: O 4–15, X 16, 18 … 30, end of 37, W 38–41; every 4: X 16 … 44 */
    {ARM_CLASS_NEON_CHAINED_QUAD, 0xf2004d52, {41, 57}, {44, 60}, {55, 87}},
    /* vld1.64 {d0-d1}, [r1]: O 4, X 5–20, 8 bytes a cycle; request 21, end of 28, W 29–32. Every 3: X 5 … 50
     */
    {ARM_CLASS_NEON_LOAD, 0xf4210acf, {32, 48}, {32, 48}, {62, 110}},
    /* vst1.64 {d0-d1}, [r1]: O 4–8, X 9–24, accepted in 25; every 3: X 9 … 54 */
    {ARM_CLASS_NEON_STORE, 0xf4010acf, {25, 41}, {25, 41}, {55, 103}},
    /* mcr p7, 0, r0, c3, c0, 0 (raise): O 4, X 5–12, no W */
    {ARM_CLASS_COPROCESSOR, 0xee030710, {12, 20}, {15, 23}, {26, 50}},
    /* nop: the same */
    {ARM_CLASS_HINT, 0xe320f000, {12, 20}, {15, 23}, {26, 50}},
};

static void simt_commits(const struct simt_case *s, const struct machine_config *with,
                         const unsigned *commit) {
    const uint32_t text[] = {s->encoding, EXIT};
    struct bench *b = bench_create();
    b->config = *with;
    begin(b, text, 2, 64, 0);
    assert_int_equal(b->code.decoded[0].class, s->class);
    for (unsigned lane = 0; lane < 4; ++lane) {
        uint64_t done;
        private_l2_access(&b->cluster.core[lane].l2, DATA_BASE, false, 0, &done); /* there long before T */
    }
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned warp = 0; warp < 2; ++warp)
        if (b->commit[warp][0] != commit[warp])
            fail_msg("%s: warp %u commits in %u, not %u", arm_class_name[s->class], warp,
                     (unsigned)b->commit[warp][0], commit[warp]);
    bench_free(b);
}

static void each_class_in_simt_mode(void **state) {
    (void)state;
    assert_int_equal(CLASSES(simt_cases), ARM_CLASS_COUNT);
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n) {
        struct machine_config with;
        assert_int_equal(simt_cases[n].class, n);
        config_defaults(&machine_config_table, &with);
        simt_commits(&simt_cases[n], &with, simt_cases[n].commit);
        with.core.latency_cycles[n] += MORE_LATENCY;
        simt_commits(&simt_cases[n], &with, simt_cases[n].longer);
        with.core.latency_cycles[n] -= MORE_LATENCY;
        with.core.occupancy_cycles[n] += MORE_OCCUPANCY;
        simt_commits(&simt_cases[n], &with, simt_cases[n].busier);
    }
}

/* MIMD core: the instruction is followed by one that needs its result or by one that does not, each in a
 * program of its own. The next one issues `occupancy` cycles later, a dependent one not before `latency`
 * cycles (for a load including the L1D's hit). Cycles in which the second instruction issues, relative to the
 * first: */
static const struct core_case {
    enum arm_class class;
    uint32_t encoding, independent, dependent; /* dependent 0: there is no result */
    unsigned next[3], result[3];               /* default; latency + 3; occupancy + 2 */
} core_cases[] = {
#define ADD_R1_R0 0xe0801000 /* add r1, r0, r0 */
#define ADD_R1_R5 0xe0851005
#define ADD_R2_R1 0xe0812001
#define ADD_R1_R4 0xe0841004
#define ADD_R1_LR 0xe08e100e
#define VADD_S1   0xee700a00                                                      /* vadd.f32 s1, s0, s0 */
#define VADD_S8   0xee354a05                                                      /* vadd.f32 s8, s10, s10 */
    {ARM_CLASS_ALU, 0xe0860006, ADD_R1_R5, ADD_R1_R0, {1, 1, 3}, {1, 4, 3}},      /* add r0, r6, r6 */
    {ARM_CLASS_SHIFT, 0xe0850106, ADD_R1_R5, ADD_R1_R0, {1, 1, 3}, {1, 4, 3}},    /* … lsl #2 */
    {ARM_CLASS_MULTIPLY, 0xe0000695, ADD_R1_R5, ADD_R1_R0, {1, 1, 3}, {2, 5, 3}}, /* mul r0, r5, r6 */
    {ARM_CLASS_DIVIDE, 0xe710f615, ADD_R1_R5, ADD_R1_R0, {5, 5, 7}, {5, 8, 7}},   /* sdiv r0, r5, r6 */
    {ARM_CLASS_BRANCH, 0xebffffff, ADD_R1_R5, ADD_R1_LR, {3, 3, 5}, {3, 4, 5}},   /* bl: penalty of 2 */
    {ARM_CLASS_LOAD, 0xe5940000, ADD_R1_R5, ADD_R1_R0, {1, 1, 3}, {2, 5, 3}},     /* ldr r0, [r4] */
    {ARM_CLASS_STORE, 0xe4840004, ADD_R1_R5, ADD_R1_R4, {1, 1, 3}, {1, 4, 3}},    /* str r0, [r4], #4 */
    /* ldm r4, {r0, r1}: r1 a cycle later than r0; every 3: accesses in 0 and 3, the next instruction in 6 */
    {ARM_CLASS_LOAD_MULTIPLE, 0xe8940003, ADD_R1_R5, ADD_R2_R1, {2, 2, 6}, {3, 6, 6}},
    /* stm r4!, {r0, r1}: the base is written with the first access */
    {ARM_CLASS_STORE_MULTIPLE, 0xe8a40003, ADD_R1_R5, ADD_R1_R4, {2, 2, 6}, {2, 4, 6}},
    {ARM_CLASS_VFP_MOVE, 0xee005a10, VADD_S8, VADD_S1, {1, 1, 3}, {4, 7, 4}},       /* vmov s0, r5 */
    {ARM_CLASS_VFP_ADD_SINGLE, 0xee310a21, VADD_S8, VADD_S1, {1, 1, 3}, {4, 7, 4}}, /* vadd.f32 s0, s2, s3 */
    {ARM_CLASS_VFP_ADD_DOUBLE, 0xee320b03, VADD_S8, VADD_S1, {1, 1, 3}, {4, 7, 4}}, /* vadd.f64 d0, d2, d3 */
    {ARM_CLASS_VFP_MULTIPLY_SINGLE, 0xee210a21, VADD_S8, VADD_S1, {1, 1, 3}, {4, 7, 4}},   /* vmul.f32 */
    {ARM_CLASS_VFP_MULTIPLY_DOUBLE, 0xee220b03, VADD_S8, VADD_S1, {4, 4, 6}, {7, 10, 7}},  /* vmul.f64 d0, d2,
                                                                                              d3 */
    {ARM_CLASS_VFP_CHAINED_SINGLE, 0xee010a21, VADD_S8, VADD_S1, {1, 1, 3}, {8, 11, 8}},   /* vmla.f32 */
    {ARM_CLASS_VFP_CHAINED_DOUBLE, 0xee020b03, VADD_S8, VADD_S1, {4, 4, 6}, {11, 14, 11}}, /* vmla.f64 */
    {ARM_CLASS_VFP_DIVIDE_SINGLE, 0xee810a21, VADD_S8, VADD_S1, {14, 14, 16}, {16, 19, 16}}, /* vdiv.f32 */
    {ARM_CLASS_VFP_DIVIDE_DOUBLE, 0xee820b03, VADD_S8, VADD_S1, {29, 29, 31}, {31, 34, 31}}, /* vdiv.f64 */
#define VADD_S1_S2 0xee710a01                                                     /* vadd.f32 s1, s2, s2 */
    {ARM_CLASS_NEON_INTEGER, 0xf2220803, VADD_S8, VADD_S1, {1, 1, 3}, {4, 7, 4}}, /* vadd.i32 d0, d2, d3 */
    {ARM_CLASS_NEON_INTEGER_QUAD, 0xf2220842, VADD_S8, VADD_S1, {2, 2, 4}, {4, 7, 4}}, /* … q0, q1, q1 */
    {ARM_CLASS_NEON_MULTIPLY, 0xf2220913, VADD_S8, VADD_S1, {1, 1, 3}, {4, 7, 4}},     /* vmul.i32 */
    {ARM_CLASS_NEON_MULTIPLY_QUAD, 0xf2220952, VADD_S8, VADD_S1, {2, 2, 4}, {4, 7, 4}},
    {ARM_CLASS_NEON_FLOAT, 0xf2020d03, VADD_S8, VADD_S1, {1, 1, 3}, {4, 7, 4}}, /* vadd.f32 */
    {ARM_CLASS_NEON_FLOAT_QUAD, 0xf2020d42, VADD_S8, VADD_S1, {2, 2, 4}, {4, 7, 4}},
    {ARM_CLASS_NEON_CHAINED, 0xf2020d13, VADD_S8, VADD_S1, {1, 1, 3}, {8, 11, 8}}, /* vmla.f32 */
    {ARM_CLASS_NEON_CHAINED_QUAD, 0xf2020d52, VADD_S8, VADD_S1, {2, 2, 4}, {8, 11, 8}},
    /* vld1.64 {d0-d1}, [r4]: d1 a cycle later than d0 */
    {ARM_CLASS_NEON_LOAD, 0xf4240acf, VADD_S8, VADD_S1_S2, {2, 2, 6}, {3, 6, 6}},
    /* vst1.64 {d0-d1}, [r4]! */
    {ARM_CLASS_NEON_STORE, 0xf4040acd, ADD_R1_R5, ADD_R1_R4, {2, 2, 6}, {2, 4, 6}},
    {ARM_CLASS_COPROCESSOR, 0xee100710, ADD_R1_R5, ADD_R1_R0, {1, 1, 3}, {1, 4, 3}}, /* mrc p7 into r0 */
    {ARM_CLASS_HINT, 0xe320f000, ADD_R1_R5, 0, {1, 1, 3}, {0, 0, 0}},                /* nop */
};

/* The second instruction issues in `t`, not before. */
static void core_issues(const struct core_case *c, uint32_t second, unsigned change, unsigned t) {
    const uint32_t text[] = {c->encoding, second};
    warm(text, 2);
    core.caches_data = true;
    cache_fill(&core.l1d.tags, DATA, UINT64_MAX, 0);
    if (change == 1) config.core.latency_cycles[c->class] += MORE_LATENCY;
    if (change == 2) config.core.occupancy_cycles[c->class] += MORE_OCCUPANCY;
    /* The class of the second instruction determines when it issues; its own latency has no effect. */
    issues(0, WARM);
    assert_int_equal(issued->class, c->class);
    issues(1, WARM + t);
    core_free(&core);
}

static void each_class_on_a_mimd_core(void **state) {
    (void)state;
    assert_int_equal(CLASSES(core_cases), ARM_CLASS_COUNT);
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n) {
        const struct core_case *c = &core_cases[n];
        assert_int_equal(c->class, n);
        for (unsigned change = 0; change < 3; ++change) {
            core_issues(c, c->independent, change, c->next[change]);
            if (c->dependent) core_issues(c, c->dependent, change, c->result[change]);
        }
    }
}

/* Instructions of each class, as GCC's cortex-a7.md groups them (docs/arm.md): by mnemonic, `.f64` where the
 * precision matters, `.neon` for Advanced SIMD. Data processing with a shifted operand and instructions that
 * write the PC are below. */
static const struct {
    enum arm_class class;
    const char *mnemonics;
} groups[] = {
    {ARM_CLASS_ALU, "and eor sub rsb add adc sbc rsc tst teq cmp cmn orr mov bic mvn movw movt qadd qsub "
                    "qdadd qdsub ssat usat ssat16 usat16 sxtb sxth sxtb16 uxtb uxth uxtb16 bfc bfi sbfx "
                    "ubfx clz rbit rev rev16 revsh sadd16 sasx ssax ssub16 sadd8 ssub8 qadd16 qasx qsax "
                    "qsub16 qadd8 qsub8 shadd16 shasx shsax shsub16 shadd8 shsub8 uadd16 uasx usax "
                    "usub16 uadd8 usub8 uqadd16 uqasx uqsax uqsub16 uqadd8 uqsub8 uhadd16 uhasx uhsax "
                    "uhsub16 uhadd8 uhsub8 sel usad8 usada8 mrs msr"},
    {ARM_CLASS_SHIFT, "pkhbt pkhtb sxtab sxtah sxtab16 uxtab uxtah uxtab16"},
    {ARM_CLASS_MULTIPLY,
     "mul mla umaal mls umull umlal smull smlal smla smlaw smulw smul smuad smlad smusd smlsd "
     "smlald smlsld smmul smmla smmls"},
    {ARM_CLASS_DIVIDE, "sdiv udiv"},
    {ARM_CLASS_BRANCH, "b bl bx blx"},
    {ARM_CLASS_LOAD,
     "ldr ldrt ldrb ldrbt ldrh ldrht ldrsb ldrsbt ldrsh ldrsht ldrex ldrexd ldrexb ldrexh vldr"},
    {ARM_CLASS_STORE, "str strt strb strbt strh strht strex strexd strexb strexh vstr"},
    {ARM_CLASS_LOAD_MULTIPLE, "ldrd ldm vldmia vldmdb fldmiax fldmdbx"},
    {ARM_CLASS_STORE_MULTIPLE, "strd stm vstmia vstmdb fstmiax fstmdbx"},
    {ARM_CLASS_VFP_MOVE, "vmov vmov.f64 vabs vabs.f64 vneg vneg.f64 vmrs vmsr"},
    {ARM_CLASS_VFP_ADD_SINGLE, "vadd vsub vcmp vcmpe vcvt vcvtr"},
    {ARM_CLASS_VFP_ADD_DOUBLE, "vadd.f64 vsub.f64 vcmp.f64 vcmpe.f64 vcvt.f64 vcvtr.f64"},
    {ARM_CLASS_VFP_MULTIPLY_SINGLE, "vmul vnmul"},
    {ARM_CLASS_VFP_MULTIPLY_DOUBLE, "vmul.f64 vnmul.f64"},
    {ARM_CLASS_VFP_CHAINED_SINGLE, "vmla vmls vnmla vnmls"},
    {ARM_CLASS_VFP_CHAINED_DOUBLE, "vmla.f64 vmls.f64 vnmla.f64 vnmls.f64"},
    {ARM_CLASS_VFP_DIVIDE_SINGLE, "vdiv vsqrt"},
    {ARM_CLASS_VFP_DIVIDE_DOUBLE, "vdiv.f64 vsqrt.f64"},
    {ARM_CLASS_NEON_INTEGER,
     "vadd.neon vsub.neon vtst.neon vceq.neon vcgt.neon vcge.neon vcle.neon vclt.neon vshl.neon vmax.neon "
     "vmin.neon vabd.neon vpadd.neon vpmax.neon vpmin.neon vand.neon vbic.neon vorr.neon vorn.neon veor.neon "
     "vbsl.neon vbit.neon vbif.neon vabs.neon vneg.neon vabs.f32.neon vneg.f32.neon vmvn.neon vshr.neon "
     "vsra.neon vshrn.neon vshll.neon vmovl.neon vmovn.neon vqmovun.neon vqmovn.neon vmov.neon "
     "vmov.f32.neon vdup.neon vext.neon vrev64.neon vrev32.neon vrev16.neon vswp.neon vtrn.neon vuzp.neon "
     "vzip.neon vtbl.neon vtbx.neon"},
    {ARM_CLASS_NEON_MULTIPLY, "vmla.neon vmls.neon vmul.neon vmlal.neon vmull.neon"},
    {ARM_CLASS_NEON_FLOAT,
     "vadd.f32.neon vsub.f32.neon vabd.f32.neon vmul.f32.neon vceq.f32.neon vcge.f32.neon vcgt.f32.neon "
     "vcle.f32.neon vclt.f32.neon vmax.f32.neon vmin.f32.neon vpadd.f32.neon vpmax.f32.neon vpmin.f32.neon "
     "vrecpe.neon vrecpe.f32.neon vrsqrte.neon vrsqrte.f32.neon vcvt.f32.neon"},
    {ARM_CLASS_NEON_CHAINED, "vmla.f32.neon vmls.f32.neon vrecps.f32.neon vrsqrts.f32.neon"},
    {ARM_CLASS_NEON_LOAD, "vld1.neon vld2.neon vld3.neon vld4.neon"},
    {ARM_CLASS_NEON_STORE, "vst1.neon vst2.neon vst3.neon vst4.neon"},
    {ARM_CLASS_COPROCESSOR, "mcr mrc mcrr mrrc"},
    {ARM_CLASS_HINT, "svc nop yield wfe wfi sev dbg clrex dsb dmb isb pld pldw pli"},
};

static bool lists(const char *mnemonics, const char *wanted) {
    const size_t length = strlen(wanted);
    for (const char *at = mnemonics; (at = strstr(at, wanted)); at += length)
        if ((at == mnemonics || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

/* Returns the class of a row by its group; ARM_CLASS_COUNT if it is in none. A text that begins with %z is a
 * hint without a name. */
static enum arm_class group_of(const struct arm_row *row) {
    char mnemonic[24];
    const char *text = row->text + (strncmp(row->text, "%V", 2) == 0 ? 2 : 0);
    if (strncmp(text, "%z", 2) == 0) return ARM_CLASS_HINT;
    const bool neon = row->form >= ARM_FORM_NEON;
    snprintf(mnemonic, sizeof mnemonic, "%.*s%s%s", (int)strcspn(text, neon ? "%. " : "% "), text,
             text[0] != 'v'                  ? ""
             : neon && strstr(text, ".f32")  ? ".f32"
             : !neon && strstr(text, ".f64") ? ".f64"
                                             : "",
             neon ? ".neon" : "");
    for (unsigned n = 0; n < CLASSES(groups); ++n)
        if (lists(groups[n].mnemonics, mnemonic)) return groups[n].class;
    return ARM_CLASS_COUNT;
}

static void each_row_is_of_its_class(void **state) {
    (void)state;
    for (unsigned n = 0; n < arm_row_count; ++n) {
        const struct arm_row *row = &arm_rows[n];
        enum arm_class class = group_of(row);
        if (class == ARM_CLASS_ALU && row->form == ARM_FORM_SHIFTED_REGISTER &&
            row->operation != ARM_OP_mov_register)
            class = ARM_CLASS_SHIFT;
        if (class != row->class)
            fail_msg("%s is of class %s, not %s", row->text, arm_class_name[row->class],
                     class < ARM_CLASS_COUNT ? arm_class_name[class] : "(none)");
    }
}

/* Some encodings of a row have another class, depending on operands and destinations. */
static void operands_and_destinations_change_the_class(void **state) {
    static const struct {
        uint32_t encoding;
        enum arm_class class;
    } cases[] = {
        {0xe0821003, ARM_CLASS_ALU},           /* add r1, r2, r3 */
        {0xe0821083, ARM_CLASS_SHIFT},         /* add r1, r2, r3, lsl #1 */
        {0xe0821413, ARM_CLASS_SHIFT},         /* add r1, r2, r3, lsl r4 */
        {0xe15200a3, ARM_CLASS_SHIFT},         /* cmp r2, r3, lsr #1 */
        {0xe1a01082, ARM_CLASS_ALU},           /* lsl r1, r2, #1 */
        {0xe1a01312, ARM_CLASS_ALU},           /* lsl r1, r2, r3 */
        {0xe1e01082, ARM_CLASS_SHIFT},         /* mvn r1, r2, lsl #1 */
        {0xe1a0f001, ARM_CLASS_BRANCH},        /* mov pc, r1 */
        {0xe08ff101, ARM_CLASS_BRANCH},        /* add pc, pc, r1, lsl #2 */
        {0xe591f000, ARM_CLASS_LOAD},          /* ldr pc, [r1] */
        {0xe8bd8000, ARM_CLASS_LOAD_MULTIPLE}, /* ldm sp!, {pc} */
    };
    (void)state;
    for (unsigned n = 0; n < CLASSES(cases); ++n) {
        struct arm_instruction i;
        arm_decode(cases[n].encoding, TEXT, &i);
        if (i.class != cases[n].class)
            fail_msg("%08x is of class %s, not %s", cases[n].encoding, arm_class_name[i.class],
                     arm_class_name[cases[n].class]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_of_its_class),
        cmocka_unit_test(operands_and_destinations_change_the_class),
        cmocka_unit_test(each_class_in_simt_mode),
        cmocka_unit_test(each_class_on_a_mimd_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * arm_operations: the names of all operations that arm_semantics*.h defines, in one list.
 *
 * PAIR(x) names x and its flag-setting form xs, which follows it directly (rows with an S bit rely on that).
 */
#ifndef MODEL_ARM_ARM_OPERATIONS_H
#define MODEL_ARM_ARM_OPERATIONS_H

/* clang-format off */
#define ARM_PAIR(X, name) X(name) X(name##_s)

/* The sixteen data-processing operations: immediate and register operand. */
#define ARM_DATA(X, name) ARM_PAIR(X, name##_immediate) ARM_PAIR(X, name##_register)
#define ARM_TEST(X, name) X(name##_immediate) X(name##_register)

#define ARM_OPERATIONS_INTEGER(X)                                                                            \
    ARM_DATA(X, and) ARM_DATA(X, eor) ARM_DATA(X, sub) ARM_DATA(X, rsb) ARM_DATA(X, add)                     \
    ARM_DATA(X, adc) ARM_DATA(X, sbc) ARM_DATA(X, rsc) ARM_DATA(X, orr) ARM_DATA(X, mov)                     \
    ARM_DATA(X, bic) ARM_DATA(X, mvn) ARM_TEST(X, tst) ARM_TEST(X, teq) ARM_TEST(X, cmp)                     \
    ARM_TEST(X, cmn) X(movt) ARM_PAIR(X, mul) ARM_PAIR(X, mla) X(mls) X(umaal) ARM_PAIR(X, umull)            \
    ARM_PAIR(X, umlal) ARM_PAIR(X, smull) ARM_PAIR(X, smlal) X(smulxy) X(smlaxy) X(smulwy) X(smlawy)         \
    X(smlalxy) X(smmul) X(smmla) X(smmls) X(smuad) X(smusd) X(smlad) X(smlsd) X(smlald) X(smlsld)            \
    X(qadd) X(qsub) X(qdadd) X(qdsub) X(ssat) X(usat) X(ssat16) X(usat16) X(sxtb) X(sxth) X(sxtb16)          \
    X(uxtb) X(uxth) X(uxtb16) X(sxtab) X(sxtah) X(sxtab16) X(uxtab) X(uxtah) X(uxtab16) X(pkhbt)             \
    X(pkhtb) X(bfi) X(bfc) X(sbfx) X(ubfx) X(clz) X(rbit) X(rev) X(rev16) X(revsh) X(sdiv) X(udiv)           \
    X(sadd16) X(sasx) X(ssax) X(ssub16) X(sadd8) X(ssub8) X(uadd16) X(uasx) X(usax) X(usub16) X(uadd8)       \
    X(usub8) X(qadd16) X(qasx) X(qsax) X(qsub16) X(qadd8) X(qsub8) X(uqadd16) X(uqasx) X(uqsax)              \
    X(uqsub16) X(uqadd8) X(uqsub8) X(shadd16) X(shasx) X(shsax) X(shsub16) X(shadd8) X(shsub8)               \
    X(uhadd16) X(uhasx) X(uhsax) X(uhsub16) X(uhadd8) X(uhsub8) X(sel) X(usad8) X(usada8)

#define ARM_OPERATIONS_SYSTEM(X)                                                                             \
    X(undefined) X(svc) X(with_pc) X(b) X(bl) X(bx) X(blx) X(mrs) X(msr_register) X(msr_immediate)          \
    X(hint) X(clrex) X(coprocessor)

#define ARM_OPERATIONS_MEMORY(X)                                                                             \
    X(ldr) X(ldr_pc) X(ldrb) X(ldrh) X(ldrsb) X(ldrsh) X(ldrd) X(str) X(strb) X(strh) X(strd) X(ldm) X(stm)  \
    X(ldrex) X(ldrexb) X(ldrexh) X(ldrexd) X(strex) X(strexb) X(strexh) X(strexd) X(vldr_f32)                \
    X(vldr_f64) X(vstr_f32) X(vstr_f64) X(vldm) X(vstm)

#define ARM_FLOAT(X, name) X(name##_f32) X(name##_f64)
#define ARM_OPERATIONS_VFP(X)                                                                                \
    ARM_FLOAT(X, vadd) ARM_FLOAT(X, vsub) ARM_FLOAT(X, vmul) ARM_FLOAT(X, vnmul) ARM_FLOAT(X, vmla)          \
    ARM_FLOAT(X, vmls) ARM_FLOAT(X, vnmla) ARM_FLOAT(X, vnmls) ARM_FLOAT(X, vdiv) ARM_FLOAT(X, vsqrt)        \
    ARM_FLOAT(X, vabs) ARM_FLOAT(X, vneg) ARM_FLOAT(X, vmov) ARM_FLOAT(X, vmov_immediate)                    \
    ARM_FLOAT(X, vcmp) ARM_FLOAT(X, vcmp_zero) ARM_FLOAT(X, vcmpe) ARM_FLOAT(X, vcmpe_zero)                  \
    X(vcvt_f64_f32) X(vcvt_f32_f64) ARM_FLOAT(X, vcvt_s32) ARM_FLOAT(X, vcvt_u32) ARM_FLOAT(X, vcvtr_s32)    \
    ARM_FLOAT(X, vcvtr_u32) ARM_FLOAT(X, vcvt_from_s32) ARM_FLOAT(X, vcvt_from_u32)                          \
    ARM_FLOAT(X, vcvt_to_fixed) ARM_FLOAT(X, vcvt_from_fixed) X(vmov_word) X(vmov_two_words)                 \
    X(vmov_to_core_two) X(vmrs) X(vmrs_flags) X(vmsr)

#define ARM_OPERATIONS_NEON(X)                                                                               \
    X(neon_vadd) X(neon_vsub) X(neon_vtst) X(neon_vceq) X(neon_vmla) X(neon_vmls) X(neon_vmul)               \
    X(neon_vcgt) X(neon_vcge) X(neon_vshl) X(neon_vmax) X(neon_vmin) X(neon_vabd) X(neon_vpadd)              \
    X(neon_vpmax) X(neon_vpmin) X(neon_vand) X(neon_vbic) X(neon_vorr) X(neon_vorn) X(neon_veor)             \
    X(neon_vbsl) X(neon_vbit) X(neon_vbif) X(neon_vmlal) X(neon_vmull) X(neon_vcgt_zero)                     \
    X(neon_vcge_zero) X(neon_vceq_zero) X(neon_vcle_zero) X(neon_vclt_zero) X(neon_vcgt_zero_f32)            \
    X(neon_vcge_zero_f32) X(neon_vceq_zero_f32) X(neon_vcle_zero_f32) X(neon_vclt_zero_f32) X(neon_vabs)     \
    X(neon_vneg) X(neon_vabs_f32) X(neon_vneg_f32) X(neon_vmvn) X(neon_vshr) X(neon_vsra)                    \
    X(neon_vshl_constant) X(neon_vshrn) X(neon_vshll) X(neon_vshll_whole) X(neon_vmovn) X(neon_vqmovun)      \
    X(neon_vqmovn) X(neon_vmov_constant) X(neon_vorr_constant) X(neon_vmvn_constant)                         \
    X(neon_vbic_constant) X(neon_vmov) X(neon_insert) X(neon_extract) X(neon_vext) X(neon_vrev64)            \
    X(neon_vrev32) X(neon_vrev16) X(neon_vswp) X(neon_vtrn) X(neon_vuzp) X(neon_vzip) X(neon_vtbl)           \
    X(neon_vtbx) X(neon_vadd_f32) X(neon_vsub_f32) X(neon_vabd_f32) X(neon_vmul_f32) X(neon_vmla_f32)        \
    X(neon_vmls_f32) X(neon_vceq_f32) X(neon_vcge_f32) X(neon_vcgt_f32) X(neon_vmax_f32) X(neon_vmin_f32)    \
    X(neon_vrecps_f32) X(neon_vrsqrts_f32) X(neon_vpadd_f32) X(neon_vpmax_f32) X(neon_vpmin_f32)             \
    X(neon_vrecpe) X(neon_vrecpe_f32) X(neon_vrsqrte) X(neon_vrsqrte_f32) X(neon_vcvt_to_f32)                \
    X(neon_vcvt_from_f32)

#define ARM_OPERATIONS_NEON_MEMORY(X)                                                                        \
    X(neon_vld) X(neon_vst) X(neon_vld_lane) X(neon_vst_lane) X(neon_vld_all)

/* Operations with separate functions for the forms of threads, and all operations. */
#define ARM_OPERATIONS_APART(X)                                                                              \
    ARM_OPERATIONS_SYSTEM(X) ARM_OPERATIONS_INTEGER(X) ARM_OPERATIONS_MEMORY(X) ARM_OPERATIONS_VFP(X)        \
    ARM_OPERATIONS_NEON_MEMORY(X)
#define ARM_OPERATIONS(X) ARM_OPERATIONS_APART(X) ARM_OPERATIONS_NEON(X)
/* clang-format on */

#endif

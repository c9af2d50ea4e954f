/*
 * arm_operations: the names of everything arm_semantics*.h defines, in one list.
 *
 * PAIR(x) names x and its flag-setting form xs, which follows it directly (rows with an S bit rely on that).
 */
#ifndef MODEL_ARM_ARM_OPERATIONS_H
#define MODEL_ARM_ARM_OPERATIONS_H

/* clang-format off */
#define ARM_PAIR(X, name) X(name) X(name##_s)

/* The sixteen of data processing: immediate and register operand. */
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

#define ARM_OPERATIONS(X)                                                                                    \
    ARM_OPERATIONS_SYSTEM(X) ARM_OPERATIONS_INTEGER(X) ARM_OPERATIONS_MEMORY(X) ARM_OPERATIONS_VFP(X)
/* clang-format on */

#endif

/*
 * arm_classes: facts of the instruction set for the configuration and the blocks: the number of registers of
 * a thread, and the timing classes of instructions.
 */
#ifndef MODEL_CONFIG_ARM_CLASSES_H
#define MODEL_CONFIG_ARM_CLASSES_H

#include <stdint.h>

#define ARM_REGISTERS      48 /* rows of a thread with VFP: N_reg of machine.md §1 */
#define ARM_NEON_REGISTERS 80 /* rows of a thread with Advanced SIMD */

/* Returns a row's bit in a set of registers: rows 0–47 have one bit each; rows 48–79, which are D16–D31, have
 * one bit for two. */
static inline uint64_t arm_row_bit(unsigned row) {
    return UINT64_C(1) << (row < ARM_REGISTERS ? row : ARM_REGISTERS + (row - ARM_REGISTERS) / 2);
}
/* Returns how many bits a set of a thread's `registers` registers has: D16 to D31 have one for two rows. */
static inline unsigned arm_set_bits(unsigned registers) {
    return ARM_REGISTERS + (registers - ARM_REGISTERS) / 2;
}
/* Returns the set of `count` rows of registers from `first` on, as bits. */
static inline uint64_t arm_row_bits(unsigned first, unsigned count) {
    return count ? (arm_row_bit(first + count - 1) << 1) - arm_row_bit(first) : 0;
}
/* Returns the number of rows in a set of registers. */
static inline unsigned arm_rows_of(uint64_t registers) {
    return (unsigned)(__builtin_popcountll(registers) + __builtin_popcountll(registers >> ARM_REGISTERS));
}

#define ARM_IS_NEON_CLASS(class) ((class) >= ARM_CLASS_NEON_INTEGER && (class) <= ARM_CLASS_NEON_STORE)

/* Timing classes: rows of the latency table in the configuration (machine_config). They are those of GCC's
 * description of Cortex-A7, except VMOV: a constant takes 3 cycles there and a transfer to a core register 2;
 * here vfp_move is one class. */
#define ARM_CLASSES(X)                                                                                       \
    X(ALU, "alu", "data processing, immediate or plain register operand; shifts, extensions, bit fields")    \
    X(SHIFT, "shift", "data processing with a shifted register operand")                                     \
    X(MULTIPLY, "multiply", "32-bit and long multiplications")                                               \
    X(DIVIDE, "divide", "SDIV, UDIV")                                                                        \
    X(BRANCH, "branch", "B, BL, BX, BLX and every other write to the PC but a load")                         \
    X(LOAD, "load", "single loads, integer and VFP, and exclusive loads")                                    \
    X(STORE, "store", "single stores, integer and VFP, and exclusive stores")                                \
    X(LOAD_MULTIPLE, "load_multiple", "LDM, LDRD, VLDM, VPOP: one register at a time")                       \
    X(STORE_MULTIPLE, "store_multiple", "STM, STRD, VSTM, VPUSH: one register at a time")                    \
    X(VFP_MOVE, "vfp_move", "VMOV, VABS, VNEG, VMRS, VMSR and transfers to and from core registers")         \
    X(VFP_ADD_SINGLE, "vfp_add_single", "VADD.F32, VSUB.F32, VCMP.F32 and conversions of singles")           \
    X(VFP_ADD_DOUBLE, "vfp_add_double", "VADD.F64, VSUB.F64, VCMP.F64 and conversions from and to doubles")  \
    X(VFP_MULTIPLY_SINGLE, "vfp_multiply_single", "VMUL.F32, VNMUL.F32")                                     \
    X(VFP_MULTIPLY_DOUBLE, "vfp_multiply_double", "VMUL.F64, VNMUL.F64")                                     \
    X(VFP_CHAINED_SINGLE, "vfp_chained_single", "VMLA.F32, VMLS.F32, VNMLA.F32, VNMLS.F32")                  \
    X(VFP_CHAINED_DOUBLE, "vfp_chained_double", "VMLA.F64, VMLS.F64, VNMLA.F64, VNMLS.F64")                  \
    X(VFP_DIVIDE_SINGLE, "vfp_divide_single", "VDIV.F32, VSQRT.F32")                                         \
    X(VFP_DIVIDE_DOUBLE, "vfp_divide_double", "VDIV.F64, VSQRT.F64")                                         \
    X(NEON_INTEGER, "neon_integer", "Advanced SIMD on doublewords of integers; moves, permutations")         \
    X(NEON_INTEGER_QUAD, "neon_integer_quad", "the same on quadwords")                                       \
    X(NEON_MULTIPLY, "neon_multiply", "Advanced SIMD multiplications of integers, of doublewords")           \
    X(NEON_MULTIPLY_QUAD, "neon_multiply_quad", "the same on quadwords, or with a quadword as their result") \
    X(NEON_FLOAT, "neon_float", "Advanced SIMD on doublewords of singles")                                   \
    X(NEON_FLOAT_QUAD, "neon_float_quad", "the same on quadwords")                                           \
    X(NEON_CHAINED, "neon_chained", "VMLA.F32, VMLS.F32, VRECPS, VRSQRTS of Advanced SIMD on doublewords")   \
    X(NEON_CHAINED_QUAD, "neon_chained_quad", "the same on quadwords")                                       \
    X(NEON_LOAD, "neon_load", "VLD1 to VLD4: 8 bytes at a time")                                             \
    X(NEON_STORE, "neon_store", "VST1 to VST4: 8 bytes at a time")                                           \
    X(COPROCESSOR, "coprocessor", "MRC, MCR, MRRC, MCRR of p7")                                              \
    X(HINT, "hint", "NOP, WFI, DMB, DSB, ISB, CLREX, PLD, SVC")

enum arm_class {
#define X(id, name, what) ARM_CLASS_##id,
    ARM_CLASSES(X)
#undef X
        ARM_CLASS_COUNT
};

#endif

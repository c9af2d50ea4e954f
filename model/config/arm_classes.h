/*
 * arm_classes: what the configuration and the blocks know of the instruction set: how many registers a thread
 * has, and the classes that its instructions fall in by their timing.
 */
#ifndef MODEL_CONFIG_ARM_CLASSES_H
#define MODEL_CONFIG_ARM_CLASSES_H

#define ARM_REGISTERS 48 /* rows a thread needs: N_reg of machine.md §1 */

/* Timing classes: rows of the latency table in the configuration (machine_config). They are those of GCC's
 * description of Cortex-A7, but for VMOV: there a constant takes 3 cycles and a transfer to a core register
 * 2, here vfp_move is one class. */
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
    X(COPROCESSOR, "coprocessor", "MRC, MCR, MRRC, MCRR of p7")                                              \
    X(HINT, "hint", "NOP, WFI, DMB, DSB, ISB, CLREX, PLD, SVC")

enum arm_class {
#define X(id, name, what) ARM_CLASS_##id,
    ARM_CLASSES(X)
#undef X
        ARM_CLASS_COUNT
};

#endif

/*
 * arm_neon_values: Advanced SIMD on the operands of one thread, as values of up to 32 bytes.
 */
#ifndef MODEL_ARM_ARM_NEON_VALUES_H
#define MODEL_ARM_ARM_NEON_VALUES_H

#include "model/arm/arm.h"

union neon_value {
    uint8_t u8[32];
    int8_t s8[32];
    uint16_t u16[16];
    int16_t s16[16];
    uint32_t u32[8];
    int32_t s32[8];
    uint64_t u64[4];
    int64_t s64[4];
};

struct neon_operands {
    const struct arm_instruction *i;
    union neon_value d, n, m, r; /* r becomes d; instructions with two results also change m */
    uint32_t *fpscr, *flags;     /* FPSCR, for QC; destination of cumulative flags */
    bool judged;                 /* IXC is already set, or no flags are kept */
};

static inline void neon_element(union neon_value *to, unsigned at, const union neon_value *from,
                                unsigned index, unsigned element) {
    __builtin_memcpy(&to->u8[at << element], &from->u8[index << element], (size_t)1 << element);
}

typedef void arm_neon_function(struct neon_operands *o);
extern arm_neon_function *const arm_neon_value[]; /* index: operation (arm_table.h); NULL for others */

#endif

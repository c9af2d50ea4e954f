/* arm_warp: the instructions as loops over the threads of a warp. */
#include "model/arm/arm_semantics.h"
#include "model/arm/arm_semantics_memory.h"
#include "model/arm/arm_semantics_vfp.h"
#include "model/arm/arm_semantics_neon.h"

arm_function *const arm_warp_function[ARM_OPERATION_COUNT] = {
#define X(name) [ARM_OP_##name] = op_##name,
    ARM_OPERATIONS_APART(X)
#undef X
#define X(name) [ARM_OP_##name] = op_neon,
        ARM_OPERATIONS_NEON(X)
#undef X
};

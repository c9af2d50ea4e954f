/* arm_thread: the same instructions for a single thread. */
#define ARM_THREAD
#include "model/arm/arm_semantics.h"
#include "model/arm/arm_semantics_memory.h"
#include "model/arm/arm_semantics_vfp.h"
#include "model/arm/arm_semantics_neon.h"

arm_function *const arm_thread_function[ARM_OPERATION_COUNT] = {
#define X(name) [ARM_OP_##name] = op_##name,
    ARM_OPERATIONS_APART(X)
#undef X
#define X(name) [ARM_OP_##name] = op_neon,
        ARM_OPERATIONS_NEON(X)
#undef X
};

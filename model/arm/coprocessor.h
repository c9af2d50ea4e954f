/*
 * coprocessor: the instructions of the SIMT co-processor, p7 (coprocessor.md): the operation that an MRC,
 * MCR, MRRC or MCRR encodes. The cluster executes them.
 */
#ifndef MODEL_ARM_COPROCESSOR_H
#define MODEL_ARM_COPROCESSOR_H

#include "model/arm/arm.h"

enum coprocessor_operation {
    COPROCESSOR_UNDEFINED,
    /* A. identity, both modes */
    COPROCESSOR_CONSTANT, /* index 0–7: core, cluster, lanes, warp size, contexts, n_act, levels, version */
    COPROCESSOR_GROUP_ID, /* index: dimension */
    COPROCESSOR_NUM_GROUPS,
    COPROCESSOR_LOCAL_SIZE,
    COPROCESSOR_GLOBAL_SIZE,
    COPROCESSOR_GLOBAL_OFFSET,
    COPROCESSOR_WORK_DIM,
    COPROCESSOR_CYCLES,
    COPROCESSOR_GROUPS_IN_FLIGHT, /* number of work-groups of the launch that the machine holds at once */
    /* A and B: kernels, SIMT mode only */
    COPROCESSOR_LOCAL_ID,
    COPROCESSOR_GLOBAL_ID,
    COPROCESSOR_RAISE,
    COPROCESSOR_LOWER, /* index: levels, 1–15 */
    COPROCESSOR_OUTERMOST,
    COPROCESSOR_BARRIER,
    COPROCESSOR_SYNC, /* the barrier that includes the work-group's scalar thread */
    COPROCESSOR_NOTE, /* stores Rt of a scalar thread for the statistics */
    COPROCESSOR_EXIT,
    /* C. start-up code, MIMD mode only */
    COPROCESSOR_LAUNCH_BLOCK,
    COPROCESSOR_NEXT_GROUP,
    COPROCESSOR_LAUNCH_REGISTER, /* index 0–3: kernel PC, argument pointer, next context, contexts to start */
    COPROCESSOR_START_CONTEXT,
    COPROCESSOR_L1D_TO_TPM,
    COPROCESSOR_L1D_TO_CACHE,
    COPROCESSOR_ENTER_SIMT,
};

#define COPROCESSOR_VERSION 1

struct coprocessor_decoded {
    enum coprocessor_operation operation;
    unsigned index;
};

/* Returns the operation of an instruction with is_coprocessor, as decoded by arm_decode().
 * COPROCESSOR_UNDEFINED: not in coprocessor.md, or Rt is SP. */
static inline struct coprocessor_decoded coprocessor_decode(const struct arm_instruction *i) {
    return (struct coprocessor_decoded){(enum coprocessor_operation)i->coprocessor_operation,
                                        i->coprocessor_index};
}
/* Returns the operation of any instruction; COPROCESSOR_UNDEFINED if it is none of the co-processor. */
static inline enum coprocessor_operation coprocessor_operation_of(const struct arm_instruction *i) {
    return i->is_coprocessor ? coprocessor_decode(i).operation : COPROCESSOR_UNDEFINED;
}
/* Returns what coprocessor_decode() does, from the fields of the encoding. */
struct coprocessor_decoded coprocessor_find(const struct arm_instruction *i);
static inline bool coprocessor_changes_level(enum coprocessor_operation op) {
    return op >= COPROCESSOR_RAISE && op <= COPROCESSOR_OUTERMOST;
}
bool coprocessor_simt_only(enum coprocessor_operation op);
bool coprocessor_mimd_only(enum coprocessor_operation op);

/* Returns a short name of the operation: "barrier", "raise priority". */
const char *coprocessor_name(enum coprocessor_operation op);

#endif

#include "model/arm/coprocessor.h"

#define UNDEFINED ((struct coprocessor_decoded){COPROCESSOR_UNDEFINED, 0})

static struct coprocessor_decoded decode_read(const struct arm_instruction *i) {
    const unsigned m = i->crm, op = i->opc2;
    switch (i->crn) {
    case 0:
        if (m == 0) return (struct coprocessor_decoded){COPROCESSOR_CONSTANT, op};
        break;
    case 1:
        if (m == 0 && op < 3) return (struct coprocessor_decoded){COPROCESSOR_LOCAL_ID, op};
        if (m == 0 && op >= 4 && op < 7) return (struct coprocessor_decoded){COPROCESSOR_GLOBAL_ID, op - 4};
        break;
    case 2:
        if (m < 3 && op < 5)
            return (struct coprocessor_decoded){(enum coprocessor_operation)(COPROCESSOR_GROUP_ID + op), m};
        if (m == 3 && op == 0) return (struct coprocessor_decoded){COPROCESSOR_WORK_DIM, 0};
        if (m == 3 && op == 1) return (struct coprocessor_decoded){COPROCESSOR_GROUPS_IN_FLIGHT, 0};
        break;
    case 7:
        if (m == 0 && op == 0) return (struct coprocessor_decoded){COPROCESSOR_NEXT_GROUP, 0};
        if (m == 0 && op == 1) return (struct coprocessor_decoded){COPROCESSOR_LAUNCH_BLOCK, 0};
        break;
    default: break;
    }
    return UNDEFINED;
}

static struct coprocessor_decoded decode_write(const struct arm_instruction *i) {
    const unsigned m = i->crm, op = i->opc2;
    switch (i->crn) {
    case 3:
        if (op == 0 && m == 0) return (struct coprocessor_decoded){COPROCESSOR_RAISE, 0};
        if (op == 1 && m > 0) return (struct coprocessor_decoded){COPROCESSOR_LOWER, m};
        if (op == 2 && m == 0) return (struct coprocessor_decoded){COPROCESSOR_OUTERMOST, 0};
        break;
    case 4:
        if (m == 0 && op == 0) return (struct coprocessor_decoded){COPROCESSOR_BARRIER, 0};
        if (m == 0 && op == 1) return (struct coprocessor_decoded){COPROCESSOR_SYNC, 0};
        if (m == 0 && op == 2) return (struct coprocessor_decoded){COPROCESSOR_NOTE, 0};
        if (m == 1 && op == 0) return (struct coprocessor_decoded){COPROCESSOR_EXIT, 0};
        break;
    case 5:
        if (m == 0 && op < 4) return (struct coprocessor_decoded){COPROCESSOR_LAUNCH_REGISTER, op};
        break;
    case 6:
        if (m == 0 && op == 0) return (struct coprocessor_decoded){COPROCESSOR_ENTER_SIMT, 0};
        if (m == 1 && op == 0) return (struct coprocessor_decoded){COPROCESSOR_L1D_TO_TPM, 0};
        if (m == 1 && op == 1) return (struct coprocessor_decoded){COPROCESSOR_L1D_TO_CACHE, 0};
        break;
    default: break;
    }
    return UNDEFINED;
}

struct coprocessor_decoded coprocessor_find(const struct arm_instruction *i) {
    if (i->rd == 13) return UNDEFINED;
    if (i->coprocessor_two) {
        if (i->rn == 13 || (i->coprocessor_reads && i->rn == i->rd)) return UNDEFINED;
        if (i->coprocessor_reads && i->opc1 == 8 && i->crm == 8)
            return (struct coprocessor_decoded){COPROCESSOR_CYCLES, 0};
        if (!i->coprocessor_reads && i->opc1 == 5 && i->crm == 1)
            return (struct coprocessor_decoded){COPROCESSOR_START_CONTEXT, 0};
        return UNDEFINED;
    }
    if (i->opc1 != 0) return UNDEFINED;
    return i->coprocessor_reads ? decode_read(i) : decode_write(i);
}

bool coprocessor_simt_only(enum coprocessor_operation op) {
    return op >= COPROCESSOR_LOCAL_ID && op <= COPROCESSOR_EXIT;
}

bool coprocessor_mimd_only(enum coprocessor_operation op) {
    return op >= COPROCESSOR_LAUNCH_BLOCK;
}

const char *coprocessor_name(enum coprocessor_operation op) {
    static const char *const name[] = {
        [COPROCESSOR_UNDEFINED] = "undefined",
        [COPROCESSOR_CONSTANT] = "machine constant",
        [COPROCESSOR_GROUP_ID] = "group id",
        [COPROCESSOR_NUM_GROUPS] = "number of groups",
        [COPROCESSOR_LOCAL_SIZE] = "local size",
        [COPROCESSOR_GLOBAL_SIZE] = "global size",
        [COPROCESSOR_GLOBAL_OFFSET] = "global offset",
        [COPROCESSOR_WORK_DIM] = "work dimension",
        [COPROCESSOR_CYCLES] = "cycle counter",
        [COPROCESSOR_GROUPS_IN_FLIGHT] = "groups in flight",
        [COPROCESSOR_LOCAL_ID] = "local id",
        [COPROCESSOR_GLOBAL_ID] = "global id",
        [COPROCESSOR_RAISE] = "raise priority",
        [COPROCESSOR_LOWER] = "lower priority",
        [COPROCESSOR_OUTERMOST] = "outermost priority",
        [COPROCESSOR_BARRIER] = "barrier",
        [COPROCESSOR_SYNC] = "barrier with the scalar thread",
        [COPROCESSOR_NOTE] = "note for the statistics",
        [COPROCESSOR_EXIT] = "thread exit",
        [COPROCESSOR_LAUNCH_BLOCK] = "launch block",
        [COPROCESSOR_NEXT_GROUP] = "next work-group",
        [COPROCESSOR_LAUNCH_REGISTER] = "launch register",
        [COPROCESSOR_START_CONTEXT] = "start context",
        [COPROCESSOR_L1D_TO_TPM] = "L1D to TPM",
        [COPROCESSOR_L1D_TO_CACHE] = "L1D to cache",
        [COPROCESSOR_ENTER_SIMT] = "enter SIMT mode",
    };
    return name[op];
}

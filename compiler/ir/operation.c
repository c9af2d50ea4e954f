#include "compiler/ir/operation.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct operation read_operation(const char *text) {
    static const char move_to[] = "\"mcr p7, 0, ", move_from[] = "\"mrc p7, 0, ";
    char target[8];
    unsigned n, m, opcode;
    if (strstr(text, "\"mrrc p7, 8, ")) return (struct operation){.kind = OPERATION_CLOCK};
    const char *to = strstr(text, move_to), *from = strstr(text, move_from);
    if (to && sscanf(to + strlen(move_to), "%7[^,], c%u, c%u, %u", target, &n, &m, &opcode) == 4) {
        if (n == 3)
            return (struct operation){.kind = OPERATION_PRIORITY,
                                      .levels = opcode == 0   ? 1
                                                : opcode == 1 ? -(int)m
                                                              : 0};
        if (n == 4 && m == 0 && opcode == 2) return (struct operation){.kind = OPERATION_NOTE};
        if (n == 4 && m == 0) return (struct operation){.kind = OPERATION_BARRIER, .dimension = opcode};
        if (n == 4 && m == 1) return (struct operation){.kind = OPERATION_EXIT};
    }
    if (from && sscanf(from + strlen(move_from), "%7[^,], c%u, c%u, %u", target, &n, &m, &opcode) == 4) {
        if (n == 1 && opcode < 3) return (struct operation){.kind = OPERATION_LOCAL_ID, .dimension = opcode};
        if (n == 1 && opcode >= 4 && opcode < 7)
            return (struct operation){.kind = OPERATION_GLOBAL_ID, .dimension = opcode - 4};
        if (n == 0 || n == 2) return (struct operation){.kind = OPERATION_GROUP};
    }
    return (struct operation){.kind = OPERATION_OTHER};
}

/* Inline assembly values are unique in a context, so few are ever printed. */
static struct known {
    LLVMValueRef value;
    struct operation operation;
} known[64];

void operation_forget(void) {
    memset(known, 0, sizeof known);
}

struct operation operation_of(LLVMValueRef instruction) {
    if (!LLVMIsACallInst(instruction)) return (struct operation){.kind = OPERATION_NONE};
    LLVMValueRef called = LLVMGetCalledValue(instruction);
    if (!LLVMIsAInlineAsm(called)) return (struct operation){.kind = OPERATION_NONE};
    size_t slot = ((uintptr_t)called >> 4) % 64;
    if (known[slot].value != called) {
        char *text = LLVMPrintValueToString(called);
        known[slot].value = called;
        known[slot].operation = read_operation(text);
        LLVMDisposeMessage(text);
    }
    return known[slot].operation;
}

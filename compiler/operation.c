#include "compiler/operation.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static struct operation read_operation(const char *text) {
    static const char move_to[] = "\"mcr p7, 0, ", move_from[] = "\"mrc p7, 0, ";
    char target[8];
    unsigned n, m, opcode;
    const char *to = strstr(text, move_to), *from = strstr(text, move_from);
    if (to && sscanf(to + strlen(move_to), "%7[^,], c%u, c%u, %u", target, &n, &m, &opcode) == 4) {
        if (n == 3) return (struct operation){OPERATION_PRIORITY, 0};
        if (n == 4 && m == 0) return (struct operation){OPERATION_BARRIER, 0};
    }
    if (from && sscanf(from + strlen(move_from), "%7[^,], c%u, c%u, %u", target, &n, &m, &opcode) == 4) {
        if (n == 1 && opcode < 3) return (struct operation){OPERATION_LOCAL_ID, opcode};
        if (n == 1 && opcode >= 4 && opcode < 7) return (struct operation){OPERATION_GLOBAL_ID, opcode - 4};
        if (n == 0 || n == 2) return (struct operation){OPERATION_GROUP, 0};
    }
    return (struct operation){OPERATION_OTHER, 0};
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
    if (!LLVMIsACallInst(instruction)) return (struct operation){OPERATION_NONE, 0};
    LLVMValueRef called = LLVMGetCalledValue(instruction);
    if (!LLVMIsAInlineAsm(called)) return (struct operation){OPERATION_NONE, 0};
    size_t slot = ((uintptr_t)called >> 4) % 64;
    if (known[slot].value != called) {
        char *text = LLVMPrintValueToString(called);
        known[slot].value = called;
        known[slot].operation = read_operation(text);
        LLVMDisposeMessage(text);
    }
    return known[slot].operation;
}

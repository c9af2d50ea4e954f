#include "compiler/registers.h"

#include "compiler/call_graph.h"
#include "compiler/trouble.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A bit per register: r0–r15, then s0–s31. */
#define VFP_BIT 16

struct function_code {
    const char *name; /* in the assembler text, NUL-terminated in place */
    uint64_t registers;
};

struct program_code {
    struct function_code *functions;
    size_t count;
};

/* The registers that a word names, or 0. */
static uint64_t registers_of(const char *word, size_t size) {
    char *end;
    if (size == 2 && !memcmp(word, "sp", 2)) return UINT64_C(1) << 13;
    if (size == 2 && !memcmp(word, "lr", 2)) return UINT64_C(1) << 14;
    if (size == 2 && !memcmp(word, "pc", 2)) return UINT64_C(1) << 15;
    if (size < 2 || size > 3 || !isdigit((unsigned char)word[1])) return 0;
    unsigned long n = strtoul(word + 1, &end, 10);
    if (end != word + size) return 0;
    if (*word == 'r' && n < 16) return UINT64_C(1) << n;
    if (*word == 's' && n < 32) return UINT64_C(1) << (VFP_BIT + n);
    if (*word == 'd' && n < 16) return UINT64_C(3) << (VFP_BIT + 2 * n);
    return 0;
}

/* Of one line's operands. Ranges in braces are spelt out by LLVM. */
static uint64_t registers_of_line(const char *line) {
    uint64_t set = 0;
    while (*line && isspace((unsigned char)*line)) line++;
    if (*line == '.' || *line == '@') return 0; /* a directive, a comment */
    while (*line && !isspace((unsigned char)*line)) line++;
    while (*line && *line != '@') {
        size_t size = 0;
        while (isalnum((unsigned char)line[size]) || line[size] == '_' || line[size] == '.') size++;
        set |= registers_of(line, size);
        line += size ? size : 1;
    }
    return set;
}

/* Reads the assembler text, which is cut into lines. */
static void read_code(struct program_code *p, char *text) {
    struct function_code *f = NULL;
    for (char *line = text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        size_t label = strcspn(line, ":");
        if (*line == '.' || *line == '@') continue;
        if (isspace((unsigned char)*line)) {
            if (f) f->registers |= registers_of_line(line);
        } else if (line[label] == ':') {
            line[label] = 0;
            p->functions = grow(p->functions, p->count, sizeof *p->functions);
            f = &p->functions[p->count++];
            *f = (struct function_code){.name = line};
        }
    }
}

static uint64_t registers_of_kernel(const struct program_code *p, LLVMValueRef thunk) {
    struct call_graph g;
    uint64_t set = 0;
    call_graph_read(&g, thunk);
    for (size_t i = 0; i < p->count; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(LLVMGetGlobalParent(thunk), p->functions[i].name);
        if (f && value_map_get(&g.index, f) != VALUE_MAP_NONE) set |= p->functions[i].registers;
    }
    call_graph_free(&g);
    return set;
}

void registers_count(const struct module *m, const struct thunks *kernels, unsigned *counts) {
    /* Making code changes a module, and its object code shall not depend on what is counted. */
    struct module copy = *m;
    struct program_code program = {0};
    struct text assembler = {0};
    copy.llvm = LLVMCloneModule(m->llvm);
    copy.frames = NULL;
    copy.frame_count = 0;
    module_generate(&copy, LLVMAssemblyFile, &assembler);
    if (assembler.size) read_code(&program, assembler.data);
    for (size_t i = 0; i < kernels->count; i++) {
        struct text name = {0};
        text_printf(&name, THUNK_PREFIX "%s", kernels->list[i].kernel);
        LLVMValueRef thunk = LLVMGetNamedFunction(m->llvm, name.data);
        uint64_t set = thunk ? registers_of_kernel(&program, thunk) : 0;
        counts[i] = (unsigned)__builtin_popcountll(set);
        text_free(&name);
    }
    LLVMDisposeModule(copy.llvm);
    free(program.functions);
    text_free(&assembler);
}

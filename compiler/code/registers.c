#include "compiler/code/registers.h"

#include "compiler/ir/call_graph.h"
#include "compiler/code/code_flow.h"
#include "compiler/code/code_section.h"
#include "compiler/driver/trouble.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A bit for each register: r0–r15, then s0–s31. */
#define VFP_BIT 16
#define PC      (UINT64_C(1) << 15)

/* Counts of a function's or a kernel's code. */
struct contents {
    uint64_t registers;
    unsigned conditional_returns;
};

/* Returns the registers named by a word, or 0. */
static uint64_t registers_of(const char *word, size_t size) {
    char *end;
    if (size == 2 && !memcmp(word, "sp", 2)) return UINT64_C(1) << 13;
    if (size == 2 && !memcmp(word, "lr", 2)) return UINT64_C(1) << 14;
    if (size == 2 && !memcmp(word, "pc", 2)) return PC;
    if (size < 2 || size > 3 || !isdigit((unsigned char)word[1])) return 0;
    unsigned long n = strtoul(word + 1, &end, 10);
    if (end != word + size) return 0;
    if (*word == 'r' && n < 16) return UINT64_C(1) << n;
    if (*word == 's' && n < 32) return UINT64_C(1) << (VFP_BIT + n);
    if (*word == 'd' && n < 16) return UINT64_C(3) << (VFP_BIT + 2 * n);
    return 0;
}

/* Returns the registers in an instruction's operands as LLVM prints them, with expanded ranges in braces. PC
 * counts if it is written, in the first operand or a list; elsewhere it is part of an address in assembler
 * text. */
static uint64_t registers_of_instruction(const char *text) {
    uint64_t set = 0;
    bool list = false, source = false;
    while (isspace((unsigned char)*text)) text++;
    while (*text && !isspace((unsigned char)*text)) text++;
    while (*text && *text != '@') {
        size_t size = 0;
        if (*text == '{' || *text == '}') list = *text == '{';
        if (*text == '[' || *text == ',') source = true;
        while (isalnum((unsigned char)text[size]) || text[size] == '_' || text[size] == '.') size++;
        uint64_t named = registers_of(text, size);
        if (named != PC || list || !source) set |= named;
        text += size ? size : 1;
    }
    return set;
}

static struct contents contents_of_function(LLVMDisasmContextRef disassembler, const struct code_section *c,
                                            const Elf32_Sym *f) {
    struct contents of = {0};
    for (uint32_t at = f->st_value; at < f->st_value + f->st_size; at += 4) {
        char text[256];
        uint32_t word = code_section_word(c, at);
        if (code_section_is_data(c, at)) continue;
        of.conditional_returns += code_flow_is_conditional_return(word);
        if (LLVMDisasmInstruction(disassembler, (uint8_t *)&word, sizeof word, at, text, sizeof text))
            of.registers |= registers_of_instruction(text);
    }
    return of;
}

/* Reads the contents of each function of the module. */
static void read_code(const struct module *m, const struct code_section *c, struct value_map *index,
                      struct contents *of) {
    LLVMDisasmContextRef disassembler = module_disassembler();
    for (size_t i = 0; i < c->symbol_count; i++) {
        if (ELF32_ST_TYPE(c->symbols[i].st_info) != STT_FUNC) continue;
        LLVMValueRef f = LLVMGetNamedFunction(m->llvm, code_section_name(c, i));
        if (!f) continue;
        value_map_set(index, f, i);
        of[i] = contents_of_function(disassembler, c, &c->symbols[i]);
    }
    LLVMDisasmDispose(disassembler);
}

static struct contents contents_of_kernel(const struct value_map *index, const struct contents *of,
                                          LLVMValueRef thunk) {
    struct call_graph g;
    struct contents all = {0};
    call_graph_read(&g, thunk);
    for (size_t i = 0; i < g.count; i++) {
        uintptr_t function = value_map_get(index, g.functions[i]);
        if (function == VALUE_MAP_NONE) continue;
        all.registers |= of[function].registers;
        all.conditional_returns += of[function].conditional_returns;
    }
    call_graph_free(&g);
    return all;
}

void registers_count(const struct module *m, const struct text *object, const struct thunks *kernels,
                     struct registers_counts *counts) {
    struct code_section code;
    struct value_map index = {0};
    code_section_read(&code, object);
    struct contents *of = allocate(NULL, code.symbol_count * sizeof *of);
    read_code(m, &code, &index, of);
    for (size_t i = 0; i < kernels->count; i++) {
        struct text name = {0};
        text_printf(&name, THUNK_PREFIX "%s", kernels->list[i].kernel);
        LLVMValueRef thunk = LLVMGetNamedFunction(m->llvm, name.data);
        const struct contents all = thunk ? contents_of_kernel(&index, of, thunk) : (struct contents){0};
        counts[i] =
            (struct registers_counts){(unsigned)__builtin_popcountll(all.registers), all.conditional_returns};
        text_free(&name);
    }
    free(of);
    value_map_free(&index);
    code_section_free(&code);
}

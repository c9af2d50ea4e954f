/*
 * code_section: the section .text of an ELF object or image that our own LLVM or linker made, so it is well
 * formed: its words, which of them are data, and the symbols in it.
 */
#ifndef COMPILER_CODE_SECTION_H
#define COMPILER_CODE_SECTION_H

#include "compiler/text.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

struct code_section {
    const uint8_t *bytes; /* in the ELF file */
    uint32_t base, size;  /* base: 0 in an object */
    Elf32_Sym *symbols;   /* those of the section, by address */
    size_t symbol_count;
    const char *names;
    bool *data; /* per word: a constant or a jump table between instructions */
};

/* `elf` has to stay as long as the section is in use. */
void code_section_read(struct code_section *c, const struct text *elf);
void code_section_free(struct code_section *c);

uint32_t code_section_word(const struct code_section *c, uint32_t address);
bool code_section_is_data(const struct code_section *c, uint32_t address);

/* The name of symbols[i]. */
const char *code_section_name(const struct code_section *c, size_t i);

#endif

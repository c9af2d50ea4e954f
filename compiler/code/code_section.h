/*
 * code_section: the section .text of an ELF object or image made by our LLVM or linker, and therefore well
 * formed: its words, the data among them, and its symbols.
 */
#ifndef COMPILER_CODE_SECTION_H
#define COMPILER_CODE_SECTION_H

#include "compiler/driver/text.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

struct code_section {
    const uint8_t *bytes; /* bytes in the ELF file */
    uint32_t base, size;  /* base: 0 in an object */
    Elf32_Sym *symbols;   /* symbols of the section, by address */
    size_t symbol_count;
    const char *names;
    bool *data; /* for each word: a constant or a jump table between instructions */
};

/* `elf` must exist as long as the section is used. */
void code_section_read(struct code_section *c, const struct text *elf);
void code_section_free(struct code_section *c);

uint32_t code_section_word(const struct code_section *c, uint32_t address);
bool code_section_is_data(const struct code_section *c, uint32_t address);

/* Returns the name of symbols[i]. */
const char *code_section_name(const struct code_section *c, size_t i);

#endif

#include "compiler/code/code_section.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

static int compare_symbols(const void *a, const void *b) {
    const Elf32_Sym *x = a, *y = b;
    if (x->st_value != y->st_value) return x->st_value < y->st_value ? -1 : 1;
    return x->st_name < y->st_name ? -1 : x->st_name > y->st_name;
}

/* Mapping symbols ($a, $d) mark the beginnings of instructions and data. */
static void mark_data(struct code_section *c) {
    c->data = allocate(NULL, c->size / 4 + 1);
    memset(c->data, 0, c->size / 4 + 1);
    uint32_t from = c->base;
    bool data = false;
    for (size_t i = 0; i <= c->symbol_count; i++) {
        const char *name = i < c->symbol_count ? code_section_name(c, i) : "$a";
        uint32_t to = i < c->symbol_count ? c->symbols[i].st_value : c->base + c->size;
        if (name[0] != '$' || (name[1] != 'a' && name[1] != 'd')) continue;
        if (data) memset(c->data + (from - c->base) / 4, true, (to - from) / 4);
        from = to;
        data = name[1] == 'd';
    }
}

static void copy_symbols(struct code_section *c, const Elf32_Sym *symbols, size_t count, size_t section) {
    c->symbols = allocate(NULL, count * sizeof *c->symbols);
    for (size_t i = 0; i < count; i++)
        if (symbols[i].st_shndx == section) c->symbols[c->symbol_count++] = symbols[i];
    qsort(c->symbols, c->symbol_count, sizeof *c->symbols, compare_symbols);
}

void code_section_read(struct code_section *c, const struct text *elf) {
    const char *file = elf->data;
    const Elf32_Ehdr *header = (const Elf32_Ehdr *)(const void *)file;
    const Elf32_Shdr *sections = (const Elf32_Shdr *)(const void *)(file + header->e_shoff);
    const char *section_names = file + sections[header->e_shstrndx].sh_offset;
    const Elf32_Shdr *symbols = NULL;
    size_t text = 0;
    *c = (struct code_section){0};
    for (size_t i = 1; i < header->e_shnum; i++) {
        if (!strcmp(section_names + sections[i].sh_name, ".text")) text = i;
        if (sections[i].sh_type == SHT_SYMTAB) symbols = &sections[i];
    }
    if (!text || !symbols) defect("code without a section .text or without symbols");
    c->bytes = (const uint8_t *)file + sections[text].sh_offset;
    c->base = sections[text].sh_addr;
    c->size = sections[text].sh_size;
    c->names = file + sections[symbols->sh_link].sh_offset;
    copy_symbols(c, (const Elf32_Sym *)(const void *)(file + symbols->sh_offset),
                 symbols->sh_size / sizeof(Elf32_Sym), text);
    mark_data(c);
}

void code_section_free(struct code_section *c) {
    free(c->symbols);
    free(c->data);
    *c = (struct code_section){0};
}

uint32_t code_section_word(const struct code_section *c, uint32_t address) {
    uint32_t word;
    memcpy(&word, c->bytes + (address - c->base), sizeof word);
    return word;
}

bool code_section_is_data(const struct code_section *c, uint32_t address) {
    return c->data[(address - c->base) / 4];
}

const char *code_section_name(const struct code_section *c, size_t i) {
    return c->names + c->symbols[i].st_name;
}

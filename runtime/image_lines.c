#include "runtime/image_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

struct line_row {
    uint32_t address;
    unsigned line;    /* 0: the end of a sequence */
    const char *file; /* into a string of `files` */
    size_t sequence;  /* order of appearance: keeps sorting total */
};

struct function_row {
    uint32_t address, size_bytes;
    char *name;
};

struct image_lines {
    struct line_row *rows;
    struct function_row *functions;
    char **files;
    size_t row_count, row_capacity, function_count, function_capacity, file_count, file_capacity;
};

static bool reserve(void **items, size_t count, size_t *capacity, size_t item_bytes) {
    if (count < *capacity) return true;
    size_t grown = *capacity ? *capacity * 2 : 256;
    void *p = realloc(*items, grown * item_bytes);
    if (p == NULL) return false;
    *items = p;
    *capacity = grown;
    return true;
}

static int compare_rows(const void *a, const void *b) {
    const struct line_row *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    /* The end of one sequence may be the start of the next: the start decides. */
    if ((x->line == 0) != (y->line == 0)) return x->line == 0 ? -1 : 1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static int compare_functions(const void *a, const void *b) {
    const struct function_row *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* The file's name as the compiler was given it: without the directory it was compiled in. */
static const char *keep_file(struct image_lines *l, const char *name, const char *directory) {
    size_t n = directory != NULL ? strlen(directory) : 0;
    if (n > 0 && strncmp(name, directory, n) == 0 && name[n] == '/') name += n + 1;
    for (size_t i = l->file_count; i-- > 0;)
        if (strcmp(l->files[i], name) == 0) return l->files[i];
    if (!reserve((void **)&l->files, l->file_count, &l->file_capacity, sizeof *l->files)) return NULL;
    char *copy = strdup(name);
    if (copy != NULL) l->files[l->file_count++] = copy;
    return copy;
}

static bool add_row(struct image_lines *l, Dwarf_Line *line, const char *directory) {
    Dwarf_Addr address = 0;
    int number = 0;
    bool end = false;
    dwarf_lineaddr(line, &address);
    dwarf_lineno(line, &number);
    dwarf_lineendsequence(line, &end);
    const char *name = dwarf_linesrc(line, NULL, NULL);
    if (!reserve((void **)&l->rows, l->row_count, &l->row_capacity, sizeof *l->rows)) return false;
    struct line_row row = {.address = (uint32_t)address, .sequence = l->row_count};
    if (!end && name != NULL) {
        row.line = (unsigned)number;
        row.file = keep_file(l, name, directory);
        if (row.file == NULL) return false;
    }
    /* Line 0 is the compiler's "no line of its own": the instruction goes with what is before it. */
    if (end || row.line != 0) l->rows[l->row_count++] = row;
    return true;
}

static bool read_lines(struct image_lines *l, Elf *elf) {
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    if (dwarf == NULL) return true;
    bool whole = true;
    size_t header_bytes;
    for (Dwarf_Off at = 0, next;
         whole && dwarf_nextcu(dwarf, at, &next, &header_bytes, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit;
        Dwarf_Lines *lines;
        size_t count;
        if (dwarf_offdie(dwarf, at + header_bytes, &unit) == NULL) continue;
        if (dwarf_getsrclines(&unit, &lines, &count) != 0) continue;
        Dwarf_Attribute attribute;
        const char *directory = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
        for (size_t i = 0; whole && i < count; i++) whole = add_row(l, dwarf_onesrcline(lines, i), directory);
    }
    dwarf_end(dwarf);
    if (l->row_count > 0) qsort(l->rows, l->row_count, sizeof *l->rows, compare_rows);
    return whole;
}

static bool read_functions(struct image_lines *l, Elf *elf) {
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        size_t count = header.sh_entsize ? header.sh_size / header.sh_entsize : 0;
        for (size_t i = 0; data != NULL && i < count; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)i, &symbol) == NULL || GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name == NULL || symbol.st_shndx == SHN_UNDEF) continue;
            if (!reserve((void **)&l->functions, l->function_count, &l->function_capacity,
                         sizeof *l->functions))
                return false;
            char *copy = strdup(name);
            if (copy == NULL) return false;
            l->functions[l->function_count++] =
                (struct function_row){(uint32_t)symbol.st_value & ~1u, (uint32_t)symbol.st_size, copy};
        }
    }
    if (l->function_count > 0)
        qsort(l->functions, l->function_count, sizeof *l->functions, compare_functions);
    return true;
}

struct image_lines *image_lines_read(Elf *elf) {
    struct image_lines *l = calloc(1, sizeof *l);
    if (l == NULL) return NULL;
    if (read_lines(l, elf) && read_functions(l, elf)) return l;
    image_lines_free(l);
    return NULL;
}

void image_lines_free(struct image_lines *l) {
    if (l == NULL) return;
    for (size_t i = 0; i < l->file_count; i++) free(l->files[i]);
    for (size_t i = 0; i < l->function_count; i++) free(l->functions[i].name);
    free(l->files);
    free(l->functions);
    free(l->rows);
    free(l);
}

bool image_lines_find(const struct image_lines *l, uint32_t pc, const char **file, unsigned *line) {
    size_t low = 0, high = l->row_count; /* the last row at or below pc */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (l->rows[middle].address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    *file = "?";
    *line = 0;
    if (low == 0 || l->rows[low - 1].line == 0) return false;
    *file = l->rows[low - 1].file;
    *line = l->rows[low - 1].line;
    return true;
}

const char *image_lines_function(const struct image_lines *l, uint32_t pc) {
    const struct function_row *best = NULL;
    for (size_t i = 0; i < l->function_count && l->functions[i].address <= pc; i++) best = &l->functions[i];
    if (best == NULL || (best->size_bytes != 0 && pc - best->address >= best->size_bytes)) return "?";
    return best->name;
}

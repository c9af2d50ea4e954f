#include "abi/image_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line_row {
    uint32_t address;
    unsigned line; /* source line; 0: end of a sequence */
    /* Column and discriminator; column is also 0 for an instruction without a line of its own. */
    unsigned column, discriminator;
    const char *file; /* pointer into a string of `files` */
    size_t sequence;  /* order of appearance, which makes the sort order unique */
};

struct function_row {
    uint32_t address, size_bytes;
    char *name;
};

struct image_lines {
    char *elf; /* the image, kept for rare queries */
    size_t elf_bytes;
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
    /* The end of one sequence may be the start of the next; then the start has priority. */
    if ((x->line == 0) != (y->line == 0)) return x->line == 0 ? -1 : 1;
    return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

static int compare_functions(const void *a, const void *b) {
    const struct function_row *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Returns a file's name as it was given to the compiler: without the directory of compilation. */
static const char *given_name(const char *name, const char *directory) {
    size_t n = directory != NULL ? strlen(directory) : 0;
    return n > 0 && strncmp(name, directory, n) == 0 && name[n] == '/' ? name + n + 1 : name;
}

static const char *keep_file(struct image_lines *l, const char *name, const char *directory) {
    name = given_name(name, directory);
    for (size_t i = l->file_count; i-- > 0;)
        if (strcmp(l->files[i], name) == 0) return l->files[i];
    if (!reserve((void **)&l->files, l->file_count, &l->file_capacity, sizeof *l->files)) return NULL;
    char *copy = strdup(name);
    if (copy != NULL) l->files[l->file_count++] = copy;
    return copy;
}

static bool add_row(struct image_lines *l, Dwarf_Line *line, const char *directory) {
    Dwarf_Addr address = 0;
    int number = 0, column = 0;
    unsigned discriminator = 0;
    bool end = false;
    dwarf_lineaddr(line, &address);
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
    dwarf_linediscriminator(line, &discriminator);
    dwarf_lineendsequence(line, &end);
    const char *name = dwarf_linesrc(line, NULL, NULL);
    if (!reserve((void **)&l->rows, l->row_count, &l->row_capacity, sizeof *l->rows)) return false;
    struct line_row row = {.address = (uint32_t)address, .sequence = l->row_count};
    if (!end && name != NULL) {
        row.line = (unsigned)number;
        row.column = (unsigned)column;
        row.discriminator = discriminator;
        row.file = keep_file(l, name, directory);
        if (row.file == NULL) return false;
    }
    /* Line 0 means "no line of its own": the instruction belongs to the row before. */
    if (!end && row.line == 0 && l->row_count > 0 && l->rows[l->row_count - 1].line != 0) {
        row.line = l->rows[l->row_count - 1].line;
        row.file = l->rows[l->row_count - 1].file;
        row.column = row.discriminator = 0;
    }
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

static bool keep_image(struct image_lines *l, Elf *elf) {
    const char *bytes = elf_rawfile(elf, &l->elf_bytes);
    l->elf = bytes != NULL ? malloc(l->elf_bytes + 1) : NULL;
    if (l->elf != NULL) memcpy(l->elf, bytes, l->elf_bytes);
    return l->elf != NULL;
}

struct image_lines *image_lines_read(Elf *elf) {
    struct image_lines *l = calloc(1, sizeof *l);
    if (l == NULL) return NULL;
    if (keep_image(l, elf) && read_lines(l, elf) && read_functions(l, elf)) return l;
    image_lines_free(l);
    return NULL;
}

void image_lines_free(struct image_lines *l) {
    if (l == NULL) return;
    for (size_t i = 0; i < l->file_count; i++) free(l->files[i]);
    for (size_t i = 0; i < l->function_count; i++) free(l->functions[i].name);
    free(l->elf);
    free(l->files);
    free(l->functions);
    free(l->rows);
    free(l);
}

/* Returns the last row at or below pc, or NULL if there is none or a sequence has ended there. */
static const struct line_row *row_at(const struct image_lines *l, uint32_t pc) {
    size_t low = 0, high = l->row_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (l->rows[middle].address <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && l->rows[low - 1].line != 0 ? &l->rows[low - 1] : NULL;
}

bool image_lines_find(const struct image_lines *l, uint32_t pc, const char **file, unsigned *line) {
    const struct line_row *row = row_at(l, pc);
    *file = row != NULL ? row->file : "?";
    *line = row != NULL ? row->line : 0;
    return row != NULL;
}

unsigned image_lines_column(const struct image_lines *l, uint32_t pc) {
    const struct line_row *row = row_at(l, pc);
    return row != NULL ? row->column : 0;
}

unsigned image_lines_discriminator(const struct image_lines *l, uint32_t pc) {
    const struct line_row *row = row_at(l, pc);
    return row != NULL ? row->discriminator : 0;
}

const char *image_lines_function(const struct image_lines *l, uint32_t pc) {
    const struct function_row *best = NULL;
    for (size_t i = 0; i < l->function_count && l->functions[i].address <= pc; i++) best = &l->functions[i];
    if (best == NULL || (best->size_bytes != 0 && pc - best->address >= best->size_bytes)) return "?";
    return best->name;
}

/* --- inlined functions --- */

/* Returns whether a function is the entry that the compiler makes for a kernel: its name begins with
 * THUNK_PREFIX or TWIN_PREFIX of compiler/ir/thunk.h. */
static bool is_entry(const char *function) {
    return strncmp(function, "__lockstep_", strlen("__lockstep_")) == 0;
}

static const char *function_name(Dwarf_Die *scope) {
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(scope, DW_AT_name, &attribute));
    return name != NULL ? name : "?";
}

static Dwarf_Word number(Dwarf_Die *scope, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(scope, name, &attribute), &value);
    return value;
}

/* Writes the place at which an inlined function was called. */
static void put_call(Dwarf_Die *unit, Dwarf_Die *scope, FILE *out) {
    Dwarf_Attribute attribute;
    Dwarf_Files *files;
    size_t count;
    const char *file = NULL, *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (dwarf_getsrcfiles(unit, &files, &count) == 0)
        file = dwarf_filesrc(files, number(scope, DW_AT_call_file), NULL, NULL);
    fprintf(out, ", inlined at %s:%u", file != NULL ? given_name(file, directory) : "?",
            (unsigned)number(scope, DW_AT_call_line));
}

/* Writes the callers from the innermost function to the kernel, as far as they are inlined into each other.
 * The kernel is inlined into its entry, which is not in the source. */
static void put_callers(Dwarf_Die *unit, Dwarf_Die *scopes, int count, FILE *out) {
    for (int i = 0; i < count; i++) {
        const int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        if (is_entry(function_name(&scopes[i]))) return;
        fprintf(out, " in '%s'", function_name(&scopes[i]));
        if (tag == DW_TAG_subprogram) return;
        int next = i + 1;
        while (next < count && dwarf_tag(&scopes[next]) == DW_TAG_lexical_block) next++;
        if (next == count || is_entry(function_name(&scopes[next]))) return;
        put_call(unit, &scopes[i], out);
    }
}

static bool find_unit(Dwarf *dwarf, uint32_t pc, Dwarf_Die *unit) {
    size_t header_bytes;
    for (Dwarf_Off at = 0, next; dwarf_nextcu(dwarf, at, &next, &header_bytes, NULL, NULL, NULL) == 0;
         at = next)
        if (dwarf_offdie(dwarf, at + header_bytes, unit) != NULL && dwarf_haspc(unit, pc) == 1) return true;
    return false;
}

void image_lines_callers(const struct image_lines *l, uint32_t pc, char *text, size_t size) {
    Elf *elf = elf_memory(l->elf, l->elf_bytes);
    Dwarf *dwarf = elf != NULL ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    FILE *out = fmemopen(text, size, "w");
    Dwarf_Die unit, *innermost = NULL, *scopes = NULL;
    text[0] = 0;
    if (dwarf != NULL && out != NULL && find_unit(dwarf, pc, &unit) &&
        dwarf_getscopes(&unit, pc, &innermost) > 0) {
        /* dwarf_getscopes() continues from an inlined function to the scopes around its definition;
         * dwarf_getscopes_die() to those around the inlined call. */
        const int count = dwarf_getscopes_die(&innermost[0], &scopes);
        if (count > 0) put_callers(&unit, scopes, count, out);
    }
    free(innermost);
    free(scopes);
    if (out != NULL) fclose(out);
    dwarf_end(dwarf);
    elf_end(elf);
}

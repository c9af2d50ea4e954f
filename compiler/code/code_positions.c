#include "compiler/code/code_positions.h"

#include "compiler/driver/trouble.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Returns the file as named to the compiler, without the directory, which is always ".". */
static const char *keep_file(struct code_positions *p, const char *name) {
    if (!strncmp(name, "./", 2)) name += 2;
    for (size_t i = p->file_count; i-- > 0;)
        if (!strcmp(p->files[i], name)) return p->files[i];
    p->files = grow(p->files, p->file_count, sizeof *p->files);
    p->files[p->file_count] = strdup(name);
    if (!p->files[p->file_count]) trouble("out of memory");
    return p->files[p->file_count++];
}

static struct code_position *position_at(const struct code_positions *p, Dwarf_Addr address) {
    const size_t word = (size_t)(address - p->base) / 4;
    return address >= p->base && word < p->count ? &p->positions[word] : NULL;
}

/* --- line tables --- */

static void read_line(struct code_positions *p, Dwarf_Line *line, Dwarf_Line *next) {
    Dwarf_Addr from = 0, to = 0;
    int number = 0, column = 0;
    bool end = false;
    dwarf_lineendsequence(line, &end);
    const char *file = dwarf_linesrc(line, NULL, NULL);
    if (end || !next || !file) return;
    dwarf_lineaddr(line, &from);
    dwarf_lineaddr(next, &to);
    dwarf_lineno(line, &number);
    dwarf_linecol(line, &column);
    for (Dwarf_Addr a = from; a < to; a += 4) {
        struct code_position *at = position_at(p, a);
        if (at)
            at->place = number
                            ? (struct meeting_place){keep_file(p, file), (unsigned)number, (unsigned)column}
                            : (struct meeting_place){0};
    }
}

static void read_lines(struct code_positions *p, Dwarf_Die *unit) {
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) return;
    for (size_t i = 0; i < count; i++)
        read_line(p, dwarf_onesrcline(lines, i), i + 1 < count ? dwarf_onesrcline(lines, i + 1) : NULL);
}

/* --- functions and what was inlined into them --- */

static unsigned number_of(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(die, name, &attribute), &value);
    return (unsigned)value;
}

static size_t add_call(struct code_positions *p, Dwarf_Die *unit, Dwarf_Die *die, size_t caller) {
    Dwarf_Files *files;
    size_t count;
    struct code_call call = {.caller = caller};
    const unsigned file = number_of(die, DW_AT_call_file);
    if (caller != CODE_NO_CALL && file && dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count)
        call.place =
            (struct meeting_place){keep_file(p, dwarf_filesrc(files, file, NULL, NULL)),
                                   number_of(die, DW_AT_call_line), number_of(die, DW_AT_call_column)};
    p->calls = grow(p->calls, p->call_count, sizeof *p->calls);
    p->calls[p->call_count] = call;
    return p->call_count++;
}

static void read_scopes(struct code_positions *p, Dwarf_Die *unit, Dwarf_Die *parent, size_t caller);

static void read_scope(struct code_positions *p, Dwarf_Die *unit, Dwarf_Die *die, size_t caller) {
    const int tag = dwarf_tag(die);
    Dwarf_Addr base, from, to;
    size_t call = caller;
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
        call = add_call(p, unit, die, tag == DW_TAG_subprogram ? CODE_NO_CALL : caller);
        for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &from, &to)) > 0;)
            for (Dwarf_Addr a = from; a < to; a += 4) {
                struct code_position *position = position_at(p, a);
                if (position) position->call = call;
            }
    } else if (tag != DW_TAG_lexical_block) {
        return;
    }
    read_scopes(p, unit, die, call);
}

static void read_scopes(struct code_positions *p, Dwarf_Die *unit, Dwarf_Die *parent, size_t caller) {
    Dwarf_Die die;
    if (dwarf_child(parent, &die) != 0) return;
    do read_scope(p, unit, &die, caller);
    while (dwarf_siblingof(&die, &die) == 0);
}

void code_positions_read(struct code_positions *p, const struct text *image,
                         const struct code_section *code) {
    struct text copy = {0};
    size_t header_bytes;
    *p = (struct code_positions){.base = code->base, .count = code->size / 4};
    p->positions = allocate(NULL, (p->count + 1) * sizeof *p->positions);
    for (size_t i = 0; i < p->count; i++) p->positions[i] = (struct code_position){.call = CODE_NO_CALL};
    text_append(&copy, image->data, image->size);
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory(copy.data, copy.size);
    Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
    for (Dwarf_Off at = 0, next;
         dwarf && dwarf_nextcu(dwarf, at, &next, &header_bytes, NULL, NULL, NULL) == 0; at = next) {
        Dwarf_Die unit;
        if (!dwarf_offdie(dwarf, at + header_bytes, &unit)) continue;
        read_lines(p, &unit);
        read_scopes(p, &unit, &unit, CODE_NO_CALL);
    }
    dwarf_end(dwarf);
    elf_end(elf);
    text_free(&copy);
}

void code_positions_free(struct code_positions *p) {
    for (size_t i = 0; i < p->file_count; i++) free(p->files[i]);
    free(p->files);
    free(p->calls);
    free(p->positions);
    *p = (struct code_positions){0};
}

struct code_position code_positions_at(const struct code_positions *p, uint32_t address) {
    const struct code_position *position = position_at(p, address);
    return position ? *position : (struct code_position){.call = CODE_NO_CALL};
}

#include "lockstep/rtl/rtl_items.h"

#include "lockstep/output/outputs.h"
#include "sim/nearest.h"
#include "tb/verilated/verilog_guard.h"

#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *text, size_t length, const char *ending) {
    const size_t n = strlen(ending);
    return length > n && strncmp(text + length - n, ending, n) == 0;
}

bool rtl_items_is_file(const char *word, size_t length) {
    return ends_in(word, length, ".sv") || ends_in(word, length, ".v");
}

enum twins_mode rtl_items_mode(const struct rtl_items *i, const char *word, size_t length) {
    for (enum twins_mode m = TWINS_OFF; m < TWINS_MODES; m++)
        if (strlen(twins_mode_name[m]) == length && strncmp(twins_mode_name[m], word, length) == 0) return m;
    argp_error(i->state, "%s%s: '%.*s' is none of off, check, drive and replace%s", i->option, i->argument,
               (int)length, word, nearest_hint(word, length, "off, check, drive, replace"));
    return TWINS_OFF;
}

static bool is_functions(const char *word, size_t length) {
    return ends_in(word, length, ".c") || ends_in(word, length, ".cc") || ends_in(word, length, ".cpp");
}

static void add(const struct rtl_items *i, struct verilog_source *s, enum verilog_item_kind kind,
                const char *word, size_t length) {
    if (kind == VERILOG_FILE && (ends_in(word, length, ".vhd") || ends_in(word, length, ".vhdl")))
        argp_error(
            i->state,
            "%s%s: %.*s is VHDL: only Verilog and SystemVerilog are read; make Verilog of it first (ghdl "
            "synth --out=verilog)",
            i->option, i->argument, (int)length, word);
    if (!verilog_source_add(s, kind, word, length))
        argp_error(i->state, "%s%s: more than %u files, folders and options for a block", i->option,
                   i->argument, VERILOG_MAX_ITEMS);
}

enum twins_mode rtl_items_first(const struct rtl_items *i, const char *block, struct verilog_source *s,
                                const char *word, size_t length) {
    const size_t colon = strcspn(word, ":,");
    const enum twins_mode m = rtl_items_mode(i, word, colon < length ? colon : length);
    verilog_source_free(s);
    if (colon >= length) {
        if (m == TWINS_REPLACE)
            argp_error(i->state, "%s%s: replace is for Verilog of your own: %s=replace:FILE.sv", i->option,
                       i->argument, block);
        return m;
    }
    if (m == TWINS_OFF) argp_error(i->state, "%s%s: with mode off no Verilog runs", i->option, i->argument);
    if (colon + 1 == length)
        argp_error(i->state, "%s%s: a file is missing after the colon", i->option, i->argument);
    add(i, s, VERILOG_FILE, word + colon + 1, length - colon - 1);
    return m;
}

void rtl_items_next(const struct rtl_items *i, struct verilog_source *s, const char *word, size_t length) {
    if (length == 0) {
        argp_error(i->state, "%s%s: something is missing beside a comma", i->option, i->argument);
    } else if (length > 2 && strncmp(word, "-I", 2) == 0) {
        add(i, s, VERILOG_INCLUDE, word, length);
    } else if (strncmp(word, "-G", 2) == 0 && memchr(word + 3, '=', length > 3 ? length - 3 : 0)) {
        add(i, s, VERILOG_PARAMETER, word, length);
    } else if ((length > 2 && strncmp(word, "-D", 2) == 0) || strncmp(word, "-Wno-", 5) == 0) {
        add(i, s, VERILOG_OPTION, word, length);
    } else if (length == 4 && strncmp(word, "pure", length) == 0) {
        s->pure = true;
    } else if (*word == '-') {
        argp_error(i->state, "%s%s: '%.*s' is none of -IFOLDER, -GNAME=VALUE, -DNAME[=VALUE] and -Wno-NAME",
                   i->option, i->argument, (int)length, word);
    } else if (rtl_items_is_file(word, length) || ends_in(word, length, ".vhd") ||
               ends_in(word, length, ".vhdl")) {
        add(i, s, VERILOG_FILE, word, length);
    } else if (is_functions(word, length)) {
        add(i, s, VERILOG_FUNCTIONS, word, length);
    } else if (s->top) {
        argp_error(i->state,
                   "%s%s: '%.*s' is neither a file (.sv, .v, .c, .cpp), nor the top module, which is %s",
                   i->option, i->argument, (int)length, word, s->top);
    } else {
        char *top = strndup(word, length);
        require_memory(top);
        verilog_source_name(s, top);
        free(top);
    }
}

unsigned long rtl_items_number(const char *what, const char *argument, unsigned long least,
                               unsigned long most, struct argp_state *state) {
    char *end;
    const unsigned long n = strtoul(argument, &end, 10);
    if (*argument < '0' || *argument > '9' || *end || n < least || n > most)
        argp_error(state, "%s %s: a number is needed, %lu to %lu", what, argument, least, most);
    return n;
}

unsigned rtl_items_limit(const char *argument, struct argp_state *state) {
    return (unsigned)rtl_items_number("--rtl-limit", argument, 1, VERILOG_GUARD_MOST_SECONDS, state);
}

const char *rtl_items_window(const char *what, const char *path, struct argp_state *state) {
    const size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".fst") != 0)
        argp_error(state, "%s %s: the name must end in .fst (the view beside it ends in .gtkw)", what, path);
    if (!outputs_in_view(path))
        argp_error(state,
                   "%s %s: a name with a line break, another control character or a quote cannot stand in "
                   "the view beside it",
                   what, path);
    return path;
}

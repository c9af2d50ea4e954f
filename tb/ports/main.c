/* verilog_ports [--functions=MODEL:STATE|--header|--imports|--list|--module|--ports] FILE.sv
 * [--largest|PARAMETER=VALUE…]: writes files that are generated from a block's ports and flip-flops to
 * standard output. With --largest, each parameter has the largest value of its comment (verilog_largest.h).
 * Without an option: the C structs, and the list of signals and memories (of which a row is the model's own
 * struct BLOCK_row). With --list: a list for scripts. With another option: one part of its DPI (dpi.h). The
 * module has the name of the file. */
#include "sim/streams.h"
#include "tb/ports/dpi.h"
#include "tb/ports/verilog_largest.h"

#include <ctype.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const part_name[] = {"in", "out", "state", "row"};
static const char *const kind_name[] = {"VERILOG_INPUT", "VERILOG_OUTPUT", "VERILOG_STATE", "VERILOG_MEMORY"};

static const char *type_of(const struct verilog_signal *s) {
    if (s->kind == VERILOG_MEMORY && s->element_bits <= 8) return "uint8_t";
    return s->element_bits == 1    ? "bool"
           : s->element_bits <= 32 ? "uint32_t"
           : s->element_bits <= 64 ? "uint64_t"
                                   : "unsigned __int128";
}

static bool is_array(const struct verilog_signal *s) {
    return s->element_bits != s->bits;
}

static void print_struct(const struct verilog_module *m, const char *block, enum verilog_kind kind) {
    printf("struct %s_%s {\n", block, part_name[kind]);
    for (unsigned i = 0; i < m->count; ++i)
        if (m->signal[i].kind == kind)
            printf("    %s%s %s%s;\n", is_array(&m->signal[i]) ? "const " : "", type_of(&m->signal[i]),
                   is_array(&m->signal[i]) ? "*" : "", m->signal[i].name);
    printf("};\n\n");
}

static bool has(const struct verilog_module *m, enum verilog_kind kind) {
    for (unsigned i = 0; i < m->count; ++i)
        if (m->signal[i].kind == kind) return true;
    return false;
}

static void print_list(const struct verilog_module *m, const char *block, const char *upper) {
    printf("/* X(kind, part of the block, name, type, is it (or a row of it) an array?) */\n#define "
           "%s_SIGNALS(X)",
           upper);
    for (unsigned i = 0; i < m->count; ++i) {
        const struct verilog_signal *s = &m->signal[i];
        printf(" \\\n    X(%s, %s_%s, %s, %s, %s)", kind_name[s->kind], block, part_name[s->kind], s->name,
               type_of(s), is_array(s) ? "true" : "false");
    }
    printf("\n\n#endif\n");
}

static void print_header(const struct verilog_module *m, const char *block, const char *source) {
    char upper[VERILOG_MAX_NAME] = "";
    for (unsigned i = 0; block[i] && i + 1 < sizeof upper; ++i) upper[i] = (char)toupper(block[i]);
    printf("/* Made from %s: the ports and flip-flops of %s. */\n#ifndef GENERATED_%s_PORTS_H\n"
           "#define GENERATED_%s_PORTS_H\n\n#include <stdbool.h>\n#include <stdint.h>\n\n",
           source, block, upper, upper);
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_STATE; ++kind)
        if (has(m, kind)) print_struct(m, block, kind);
    print_list(m, block, upper);
}

/* Prints a line for each parameter and signal, in the order of the source, with a blank between its words:
 * `parameter NAME VALUE`, or kind, name, bits, bits of an element (`bits` if it is no array) and rows (1 if
 * it is no memory) of a signal. */
static void print_names(const struct verilog_module *m) {
    static const char *const kind[] = {"input", "output", "state", "memory"};
    static const char *const suffix[] = {"_i", "_o", "_q", "_q"};
    for (const struct verilog_entry *v = NULL; (v = verilog_tree_next(&m->tree, v));)
        if (v->parameter && !v->local) printf("parameter %s %u\n", v->name, v->value);
    if (m->clocked) printf("input clk_i 1 1 1\n");
    if (m->resettable) printf("input rst_ni 1 1 1\n");
    for (unsigned i = 0; i < m->count; ++i) {
        const struct verilog_signal *s = &m->signal[i];
        const unsigned bits = s->bits ? s->bits : 1;
        printf("%s %s%s %u %u %u\n", kind[s->kind], s->name, suffix[s->kind], bits,
               s->element_bits ? s->element_bits : bits, s->rows);
    }
}

/* Prints the output that the first argument selects. */
static bool print_file(const char *what, const struct verilog_module *m, const char *block, const char *file,
                       struct error *e) {
    struct dpi_model model;
    if (sscanf(what, "--functions=%63[^:]:%63s", model.name, model.state) == 2)
        dpi_print_functions(m, block, &model);
    else if (strcmp(what, "--header") == 0)
        dpi_print_header(m, block);
    else if (strcmp(what, "--ports") == 0)
        dpi_print_ports(m, block);
    else if (strcmp(what, "--imports") == 0)
        dpi_print_imports(m, block);
    else if (strcmp(what, "--list") == 0)
        print_names(m);
    else if (strcmp(what, "--module") == 0)
        return dpi_print_module(m, block, file, e);
    else
        print_header(m, block, file);
    return true;
}

/* Reads settings into `setting`, which has room for all arguments. */
static unsigned read_settings(char **argv, struct verilog_setting *setting) {
    unsigned count = 0;
    for (; *argv; ++argv) {
        char *equals = strchr(*argv, '=');
        if (!equals) continue;
        *equals = '\0';
        setting[count++] = (struct verilog_setting){*argv, (unsigned)strtoul(equals + 1, NULL, 10)};
    }
    return count;
}

/* Widens the signals of faces to those of any size. Some signals are widest with one lane, if the block
 * permits that. */
static void widen(struct verilog_module *m, const struct verilog_source *source,
                  struct verilog_setting *setting, unsigned count) {
    struct verilog_module other;
    struct error refused = {0};
    unsigned at = 0;
    while (at < count && strcmp(setting[at].name, "LANES") != 0) ++at;
    if (at == count) return;
    const unsigned lanes = setting[at].value;
    setting[at].value = 1;
    const bool read = verilog_module_read(&other, source, setting, count, &refused);
    setting[at].value = lanes;
    if (!read) return;
    for (unsigned n = 0; n < m->count; ++n) {
        struct verilog_signal *s = &m->signal[n];
        const struct verilog_signal *t = &other.signal[n];
        const unsigned elements = s->bits / s->element_bits;
        const bool is_bool = s->element_bits == 1;
        if (is_bool || t->element_bits <= s->element_bits || (elements == 1) != (t->bits == t->element_bits))
            continue;
        s->element_bits = t->element_bits;
        s->bits = elements * t->element_bits;
    }
    verilog_module_free(&other);
}

int main(int argc, char **argv) {
    /* In use to the end of the process, which may be an error. */
    static struct verilog_module module;
    static struct verilog_source source;
    static struct verilog_setting *setting;
    static struct error e;
    streams_begin("verilog_ports");
    const char *what = argc > 1 && argv[1][0] == '-' ? argv[1] : "";
    char **file = argv + 1 + (*what != '\0');
    if (file >= argv + argc) {
        fprintf(stderr,
                "usage: verilog_ports [--functions=MODEL:STATE|--header|--imports|--list|--module|--ports] "
                "FILE.sv [--largest|PARAMETER=VALUE...]\n");
        return EXIT_USER;
    }
    const bool largest = file[1] && strcmp(file[1], "--largest") == 0;
    setting = calloc((size_t)argc + VERILOG_MAX_PARAMETERS, sizeof *setting);
    require_memory(setting);
    unsigned count = 0;
    if (largest && !verilog_largest(*file, setting, &count, &e)) {
        fprintf(stderr, "verilog_ports: %s\n", e.message);
        return (int)e.status;
    }
    if (!largest) count = read_settings(file + 1, setting);
    char block[VERILOG_MAX_NAME];
    snprintf(block, sizeof block, "%.*s", (int)strcspn(basename(*file), "."), basename(*file));
    if (!verilog_source_one(&source, *file, block, &e) ||
        !verilog_module_read(&module, &source, setting, count, &e) ||
        !verilog_module_check(&module, &source, &e)) {
        fprintf(stderr, "verilog_ports: %s\n", e.message);
        return (int)e.status;
    }
    if (*what && strcmp(what, "--list") != 0) widen(&module, &source, setting, count);
    if (!print_file(what, &module, block, *file, &e)) {
        fprintf(stderr, "verilog_ports: %s\n", e.message);
        return (int)e.status;
    }
    return EXIT_SOUND;
}

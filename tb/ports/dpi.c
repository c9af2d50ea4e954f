#include "tb/ports/dpi.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffix[] = {"_i", "_o", "_q"};

/* Returns the part of the C model's struct that holds signals of a kind. */
static const char *part_of(const struct dpi_model *c, enum verilog_kind kind) {
    return kind == VERILOG_INPUT ? "in" : kind == VERILOG_OUTPUT ? "out" : c->state;
}

static bool is_array(const struct verilog_signal *s) {
    return s->element_bits != s->bits;
}

/* Returns whether the bench sees a signal. Memories and arrays of flip-flops are internal to the model. */
static bool is_shown(const struct verilog_signal *s) {
    return s->kind < VERILOG_STATE || (s->kind == VERILOG_STATE && !is_array(s));
}

static const char *element_type(const struct verilog_signal *s) {
    return s->element_bits == 1    ? "bool"
           : s->element_bits <= 32 ? "uint32_t"
           : s->element_bits <= 64 ? "uint64_t"
                                   : "unsigned __int128";
}

static void print_upper(const char *text) {
    for (; *text; ++text) putchar(toupper(*text));
}

static void print_parameters(const struct verilog_module *m, const char *before) {
    for (unsigned n = 0; n < m->parameter_count; ++n)
        printf("%s%s%s", n ? ", " : "", before, m->parameter[n].name);
}

/* --- the header --- */

static const char *const part[] = {"in", "out", "state"};

static bool has(const struct verilog_module *m, enum verilog_kind kind) {
    for (unsigned n = 0; n < m->count; ++n)
        if (m->signal[n].kind == kind && is_shown(&m->signal[n])) return true;
    return false;
}

/* Prints a member. An element of more than 64 bits is two words, the lower one first. */
static void print_member(const struct verilog_signal *s) {
    const unsigned count = s->bits / s->element_bits;
    if (s->element_bits > 64)
        printf("    uint64_t %s[%u];\n", s->name, 2 * count);
    else if (is_array(s))
        printf("    %s %s[%u];\n", element_type(s), s->name, count);
    else
        printf("    %s %s;\n", element_type(s), s->name);
}

static void print_create_head(const struct verilog_module *m, const char *block) {
    printf("struct lockstep_%s *lockstep_%s_create(", block, block);
    print_parameters(m, "unsigned ");
    printf(m->parameter_count ? ")" : "void)");
}

static void print_prototypes(const struct verilog_module *m, const char *block) {
    print_create_head(m, block);
    printf(";\nvoid lockstep_%s_destroy(struct lockstep_%s *block);\n", block, block);
    printf("bool lockstep_%s_reset(struct lockstep_%s *block);\n", block, block);
    printf("bool lockstep_%s_eval(struct lockstep_%s *block, const struct lockstep_%s_in *in, struct "
           "lockstep_%s_out *out);\n",
           block, block, block, block);
    if (m->clocked) printf("bool lockstep_%s_clock(struct lockstep_%s *block);\n", block, block);
    printf("void lockstep_%s_read(const void *block", block);
    for (enum verilog_kind k = VERILOG_INPUT; k <= VERILOG_STATE; ++k)
        if (has(m, k)) printf(", struct lockstep_%s_%s *%s", block, part[k], part[k]);
    printf(");\n");
}

void dpi_print_header(const struct verilog_module *m, const char *block) {
    printf("/* Made from rtl/%s.sv: the block's model (docs/library.md). */\n#ifndef LOCKSTEP_", block);
    print_upper(block);
    printf("_H\n#define LOCKSTEP_");
    print_upper(block);
    printf("_H\n\n#include <stdbool.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
           "struct lockstep_%s;\n\n",
           block);
    for (enum verilog_kind k = VERILOG_INPUT; k <= VERILOG_STATE; ++k) {
        if (!has(m, k)) continue;
        printf("struct lockstep_%s_%s {\n", block, part[k]);
        for (unsigned n = 0; n < m->count; ++n)
            if (m->signal[n].kind == k && is_shown(&m->signal[n])) print_member(&m->signal[n]);
        printf("};\n\n");
    }
    print_prototypes(m, block);
    printf("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

/* --- functions in C --- */

/* Prints the formal arguments. Inputs are read; with `all`, every argument is a result. */
void dpi_print_ports(const struct verilog_module *m, const char *block) {
    printf("    \"%s\": ((", block);
    for (unsigned n = 0; n < m->parameter_count; ++n) printf("\"%s\", ", m->parameter[n].name);
    printf("), %s, (", m->clocked ? "True" : "False");
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        if (is_shown(s))
            printf("(\"%s\", \"%s\", %u, %u), ", part[s->kind], s->name, s->element_bits,
                   s->bits / s->element_bits);
    }
    printf(")),\n");
}

static void print_formals(const struct verilog_module *m, bool all) {
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        const bool result = all || s->kind != VERILOG_INPUT;
        if (!is_shown(s)) continue;
        if (s->bits == 1)
            printf(", unsigned char %s%s%s", result ? "*" : "", s->name, suffix[s->kind]);
        else
            printf(", %suint32_t *%s%s", result ? "" : "const ", s->name, suffix[s->kind]);
    }
}

/* Prints the default for a macro that library/face_models.h does not define for a block. */
static void print_default(const char *block, const char *macro, const char *body, const char *model) {
    printf("#ifndef ");
    print_upper(block);
    printf("_FACE_%.*s\n#define ", (int)strcspn(macro, "("), macro);
    print_upper(block);
    printf("_FACE_%s %s%s\n#endif\n", macro, model, body);
}

static void print_defaults(const struct verilog_module *m, const char *block, const char *model) {
    print_default(block, "PARTS", "", "");
    print_default(block, "FITS(d)", "true", "");
    print_default(block, "WRONG(d)", "NULL", "");
    print_default(block, "FREE(d)", "(void)(d)", "");
    print_default(block, "EVAL(d)", "_eval(&(d)->model)", model);
    if (m->clocked) print_default(block, "CLOCK(d)", "_clock(&(d)->model)", model);
    print_default(block, "KEEP(d)", "{NULL, 0}", "");
    printf("\n");
}

static void print_handle(const struct verilog_module *m, const char *block, const char *model) {
    printf("struct lockstep_%s {\n    struct %s model; /* first: where a cluster has only this */\n    ",
           block, model);
    print_upper(block);
    printf("_FACE_PARTS\n    struct face_kept kept;\n");
    for (unsigned n = 0; n < m->parameter_count; ++n) printf("    unsigned %s;\n", m->parameter[n].name);
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        if (s->kind == VERILOG_INPUT && is_array(s))
            printf("    %s %s[%u];\n", element_type(s), s->name, s->bits / s->element_bits);
    }
    printf("};\n\n");
}

static void print_parameter_table(const struct verilog_module *m, const char *block) {
    if (!m->parameter_count) return;
    printf("static const struct {\n    unsigned ");
    print_parameters(m, "");
    printf(";\n} least = {");
    print_upper(block);
    printf("_FACE_LEAST};\n\nstatic const struct face_parameter parameter[] = {\n");
    for (unsigned n = 0; n < m->parameter_count; ++n)
        printf("    {\"%s\", %u, offsetof(struct lockstep_%s, %s)},\n", m->parameter[n].name,
               m->parameter[n].value, block, m->parameter[n].name);
    printf("};\n\n");
}

static void print_signal(const struct verilog_signal *s, const char *block, const struct dpi_model *c) {
    static const char *const kind[] = {"FACE_IN", "FACE_OUT", "FACE_STATE"};
    const char *of = part_of(c, s->kind);
    printf("    {\"%s\", %s, %u, %u, sizeof(%s), offsetof(struct lockstep_%s, model.%s.%s), offsetof(struct "
           "lockstep_%s_%s, %s), %s, ",
           s->name, kind[s->kind], s->element_bits, s->bits / s->element_bits, element_type(s), block, of,
           s->name, block, part[s->kind], s->name, is_array(s) ? "true" : "false");
    if (is_array(s) && s->kind == VERILOG_INPUT)
        printf("offsetof(struct lockstep_%s, %s)},\n", block, s->name);
    else
        printf("0},\n");
}

static void print_function(const char *head, const char *block, const char *before, const char *macro) {
    printf("static %s {\n    %sstruct lockstep_%s *d = handle;\n    (void)d;\n    %s", head,
           strstr(head, "const void") ? "const " : "", block, before);
    print_upper(block);
    printf("_FACE_%s(d);\n}\n\n", macro);
}

static void print_regions(const char *block) {
    printf("static unsigned regions(void *handle, struct face_region region[FACE_REGIONS]) {\n"
           "    struct lockstep_%s *d = handle;\n    const struct face_region all[] = {",
           block);
    print_upper(block);
    printf("_FACE_KEEP(d)};\n    (void)d;\n    memcpy(region, all, sizeof all);\n"
           "    return sizeof all / sizeof all[0];\n}\n\n");
}

static void print_tables(const struct verilog_module *m, const char *block, const struct dpi_model *c) {
    print_parameter_table(m, block);
    printf("static const struct face_signal signal[] = {\n");
    for (unsigned n = 0; n < m->count; ++n)
        if (is_shown(&m->signal[n])) print_signal(&m->signal[n], block, c);
    printf("};\n\n");
    print_function("void build(void *handle)", block, "", "INIT");
    print_function("void release(void *handle)", block, "", "FREE");
    print_function("bool fits(const void *handle)", block, "return ", "FITS");
    print_function("const char *wrong(const void *handle)", block, "return ", "WRONG");
    print_function("void evaluate(void *handle)", block, "", "EVAL");
    if (m->clocked) print_function("void edge(void *handle)", block, "", "CLOCK");
    print_regions(block);
    printf(
        "static const struct face face = {\n    .block = \"%s\",\n    .bytes = sizeof(struct lockstep_%s),\n"
        "    .kept = offsetof(struct lockstep_%s, kept),\n    .signal = signal,\n"
        "    .signals = sizeof signal / sizeof signal[0],\n    .build = build,\n    .release = release,\n"
        "    .fits = fits,\n    .wrong = wrong,\n    .evaluate = evaluate,\n    .regions = "
        "regions,\n%s%s};\n\n",
        block, block, block, m->clocked ? "    .edge = edge,\n" : "",
        m->parameter_count ? "    .parameter = parameter,\n    .least = (const unsigned *)&least,\n"
                             "    .parameters = sizeof least / sizeof(unsigned),\n"
                           : "");
}

/* Prints the name of the face in the list build/library/blocks/all.c. */
static void print_name(const char *block) {
    printf("extern const struct face *const face_%s;\nconst struct face *const face_%s = &face;\n\n", block,
           block);
}

static void print_c_functions(const struct verilog_module *m, const char *block) {
    print_create_head(m, block);
    printf(" {\n    return face_create(&face, (const unsigned[]){");
    print_parameters(m, "");
    printf("%s});\n}\n\nvoid lockstep_%s_destroy(struct lockstep_%s *block) {\n    face_destroy(&face, "
           "block);\n}\n\n",
           m->parameter_count ? "" : "0", block, block);
    printf("bool lockstep_%s_reset(struct lockstep_%s *block) {\n    return face_reset(&face, block);\n}\n\n",
           block, block);
    printf("bool lockstep_%s_eval(struct lockstep_%s *block, const struct lockstep_%s_in *in, struct "
           "lockstep_%s_out *out) {\n    return face_eval(&face, block, in, out);\n}\n\n",
           block, block, block, block);
    if (m->clocked)
        printf("bool lockstep_%s_clock(struct lockstep_%s *block) {\n    return face_clock(&face, "
               "block);\n}\n\n",
               block, block);
    printf("void lockstep_%s_read(const void *block", block);
    for (enum verilog_kind k = VERILOG_INPUT; k <= VERILOG_STATE; ++k)
        if (has(m, k)) printf(", struct lockstep_%s_%s *%s", block, part[k], part[k]);
    printf(") {\n    face_read(&face, block, in, out, %s);\n}\n\n", has(m, VERILOG_STATE) ? "state" : "NULL");
}

/* Prints an array of pointers to the arguments of signals, as face.h expects them. */
static void print_pointers(const struct verilog_module *m, enum verilog_kind first, enum verilog_kind last,
                           const char *type, const char *name, bool by_value) {
    printf("    %s *const %s[] = {", type, name);
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        if (is_shown(s) && s->kind >= first && s->kind <= last)
            printf("%s%s%s, ", by_value && s->bits == 1 ? "&" : "", s->name, suffix[s->kind]);
    }
    printf("NULL};\n");
}

static void print_dpi_functions(const struct verilog_module *m, const char *block) {
    printf("void *%s_dpi_create(", block);
    print_parameters(m, "unsigned ");
    printf("%s) {\n    return lockstep_%s_create(", m->parameter_count ? "" : "void", block);
    print_parameters(m, "");
    printf(");\n}\n\nvoid %s_dpi_destroy(void *handle) {\n    face_destroy(&face, handle);\n}\n\n", block);
    printf("unsigned char %s_dpi_reset(void *handle) {\n    return face_reset(&face, handle);\n}\n\n", block);
    if (m->clocked)
        printf("unsigned char %s_dpi_clock(void *handle) {\n    return face_clock(&face, handle);\n}\n\n",
               block);
    printf("void %s_dpi_eval(void *handle%s", block, m->clocked ? ", unsigned char edge_i" : "");
    print_formals(m, false);
    printf(") {\n%s", m->clocked ? "    (void)edge_i;\n" : "");
    print_pointers(m, VERILOG_INPUT, VERILOG_INPUT, "const void", "in", true);
    print_pointers(m, VERILOG_OUTPUT, VERILOG_STATE, "void", "out", false);
    printf(
        "    if (!handle) return;\n    face_take_bits(&face, handle, in);\n    face_settle(&face, handle);\n"
        "    face_give_bits(&face, handle, FACE_OUT, out);\n}\n\n");
    printf("void %s_dpi_ports(const void *block", block);
    print_formals(m, true);
    printf(") {\n");
    print_pointers(m, VERILOG_INPUT, VERILOG_STATE, "void", "all", false);
    printf("    if (block) face_give_bits(&face, block, FACE_IN, all);\n}\n");
}

void dpi_print_functions(const struct verilog_module *m, const char *block, const struct dpi_model *c) {
    printf("/* Made from rtl/%s.sv: its C model for benches (library/face.h). */\n"
           "#include \"library/face_models.h\"\n#include \"lockstep/%s.h\"\n\n#include <string.h>\n\n",
           block, block);
    print_defaults(m, block, c->name);
    print_handle(m, block, c->name);
    print_tables(m, block, c);
    print_name(block);
    print_c_functions(m, block);
    print_dpi_functions(m, block);
}

/* --- imports --- */

static void print_vector(const struct verilog_signal *s) {
    printf(s->bits == 1 ? "bit " : "bit [%u:0] ", s->bits - 1);
}

static void print_arguments(const struct verilog_module *m, bool all) {
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        if (!is_shown(s)) continue;
        printf(",\n    %s ", all || s->kind != VERILOG_INPUT ? "output" : "input");
        print_vector(s);
        printf("%s%s", s->name, suffix[s->kind]);
    }
    printf(");\n");
}

void dpi_print_imports(const struct verilog_module *m, const char *block) {
    const char *import = "  import \"DPI-C\" function";
    printf("\n  // %s: for each handle, as its module has them, parameters and ports; all extended with "
           "zeros.\n",
           block);
    printf("%s chandle %s_dpi_create(", import, block);
    print_parameters(m, "input int unsigned ");
    printf(");\n%s void %s_dpi_destroy(input chandle handle);\n", import, block);
    printf("%s bit %s_dpi_reset(input chandle handle);\n", import, block);
    printf("%s void %s_dpi_eval(input chandle handle%s", import, block,
           m->clocked ? ", input bit edge_i" : "");
    print_arguments(m, false);
    if (m->clocked) printf("%s bit %s_dpi_clock(input chandle handle);\n", import, block);
    printf("  // As they are now, of a handle or of a block of a cluster (reference_dpi_block()).\n");
    printf("%s void %s_dpi_ports(input chandle handle", import, block);
    print_arguments(m, true);
}

/* --- the module --- */

static bool print_head(const char *block, const char *file, struct error *e) {
    FILE *f = fopen(file, "r");
    if (!f) return error_set(e, EXIT_USER, "%s: %s", file, strerror(errno));
    char line[512], head[VERILOG_MAX_NAME + 16];
    bool inside = false, whole = false;
    const int length = snprintf(head, sizeof head, "module %s ", block);
    while (!whole && fgets(line, sizeof line, f)) {
        const bool begins = strncmp(line, head, (size_t)length) == 0;
        if (begins)
            printf("module %s_model %s", block, line + length);
        else if (inside)
            fputs(line, stdout);
        inside |= begins;
        whole = inside && strncmp(line, ");", 2) == 0;
    }
    fclose(f);
    return whole ||
           error_set(e, EXIT_USER, "%s: no line begins with `%s`, or none behind it with `);`", file, head);
}

static void print_widening(const struct verilog_signal *s) {
    char upper[VERILOG_MAX_NAME] = "";
    for (unsigned n = 0; s->name[n]; ++n) upper[n] = (char)toupper(s->name[n]);
    printf("    wide_%s_i = '0;\n    for (int unsigned n = 0; n < $bits(%s_i) / %s_BITS; ++n)\n"
           "      wide_%s_i[n*%u+:%s_BITS] = %s_i[n*%s_BITS+:%s_BITS];\n",
           s->name, s->name, upper, s->name, s->element_bits, upper, s->name, upper, upper);
}

static void print_narrowing(const struct verilog_signal *s) {
    char upper[VERILOG_MAX_NAME] = "";
    for (unsigned n = 0; s->name[n]; ++n) upper[n] = (char)toupper(s->name[n]);
    if (is_array(s))
        printf("  always_comb\n    for (int unsigned n = 0; n < $bits(%s_o) / %s_BITS; ++n)\n"
               "      %s_o[n*%s_BITS+:%s_BITS] = wide_%s_o[n*%u+:%s_BITS];\n",
               s->name, upper, s->name, upper, upper, s->name, s->element_bits, upper);
    else
        printf("  assign %s_o = wide_%s_o;\n", s->name, s->name);
}

static void print_call(const struct verilog_module *m, const char *block) {
    printf("    %s_dpi_eval(handle%s", block, m->clocked ? ", edge_seen" : "");
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        if (!is_shown(s)) continue;
        if (s->kind == VERILOG_INPUT && is_array(s))
            printf(", wide_%s_i", s->name);
        else if (s->kind == VERILOG_INPUT && s->bits == 1)
            printf(", %s_i", s->name);
        else if (s->kind == VERILOG_INPUT)
            printf(", %u'(%s_i)", s->bits, s->name);
        else if (s->kind == VERILOG_OUTPUT)
            printf(", wide_%s_o", s->name);
        else
            printf(", %s_q", s->name);
    }
    printf(");\n  end\n\n");
}

static void print_body(const struct verilog_module *m, const char *block) {
    printf("  import lockstep_dpi::*;\n\n"
           "  chandle handle = %s_dpi_create(",
           block);
    print_parameters(m, "");
    printf(");\n  initial if (handle == null) $fatal(1, \"%s_model: no model has these parameters\");\n",
           block);
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        if (!is_shown(s) || (s->kind == VERILOG_INPUT && !is_array(s))) continue;
        printf("  ");
        print_vector(s);
        printf("%s%s%s;\n", s->kind == VERILOG_STATE ? "" : "wide_", s->name, suffix[s->kind]);
    }
    if (m->clocked)
        printf("\n  bit edge_seen = 0;\n  always @(posedge clk_i or negedge rst_ni) begin\n"
               "    if (!rst_ni) void'(%s_dpi_reset(handle));\n"
               "    else if (!%s_dpi_clock(handle)) $error(\"%%m: %%s\", lockstep_error());\n"
               "    edge_seen <= !edge_seen;\n  end\n",
               block, block);
    printf("\n  always_comb begin\n");
    for (unsigned n = 0; n < m->count; ++n)
        if (m->signal[n].kind == VERILOG_INPUT && is_array(&m->signal[n])) print_widening(&m->signal[n]);
    print_call(m, block);
    for (unsigned n = 0; n < m->count; ++n)
        if (m->signal[n].kind == VERILOG_OUTPUT) print_narrowing(&m->signal[n]);
    printf("endmodule\n// verilator lint_on UNUSED\n// verilator lint_on WIDTH\n");
}

bool dpi_print_module(const struct verilog_module *m, const char *block, const char *file, struct error *e) {
    printf("// Made from rtl/%s.sv: its C model as a module, to stand beside a block of one's own.\n"
           "// verilator lint_off WIDTH\n// verilator lint_off UNUSED\n",
           block);
    if (!print_head(block, file, e)) return false;
    print_body(m, block);
    return true;
}

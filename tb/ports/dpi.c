#include "tb/ports/dpi.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const suffix[] = {"_i", "_o", "_q"};

/* The part of the C model's struct that has signals of a kind. */
static const char *part_of(const struct dpi_model *c, enum verilog_kind kind) {
    return kind == VERILOG_INPUT ? "in" : kind == VERILOG_OUTPUT ? "out" : c->state;
}

static bool is_array(const struct verilog_signal *s) {
    return s->element_bits != s->bits;
}

/* Memories, and flip-flops that are an array, are the model's own. */
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

/* --- functions in C --- */

/* The formal arguments: inputs are read, or written with the rest if `all` are results. */
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

static void print_struct(const struct verilog_module *m, const char *model) {
    printf("struct dpi {\n    struct %s model; /* first: where a cluster has only this */\n", model);
    for (unsigned n = 0; n < m->parameter_count; ++n) printf("    unsigned %s;\n", m->parameter[n].name);
    for (unsigned n = 0; n < m->count; ++n) {
        const struct verilog_signal *s = &m->signal[n];
        if (s->kind == VERILOG_INPUT && is_array(s))
            printf("    %s %s[%u];\n", element_type(s), s->name, s->bits / s->element_bits);
    }
    printf("};\n\n");
}

static void print_reset(const struct verilog_module *m, const char *block) {
    printf("void %s_dpi_reset(void *handle) {\n    struct dpi *d = handle;\n    if (!d) return;\n    ",
           block);
    print_upper(block);
    printf("_DPI_INIT(&d->model");
    for (unsigned n = 0; n < m->parameter_count; ++n) printf(", d->%s", m->parameter[n].name);
    printf(");\n}\n\n");
}

static void print_create_head(const struct verilog_module *m, const char *block) {
    printf("void *%s_dpi_create(", block);
    print_parameters(m, "unsigned ");
    if (!m->parameter_count) printf("void");
}

static void print_create(const struct verilog_module *m, const char *block) {
    print_create_head(m, block);
    printf(") {\n");
    if (m->parameter_count) {
        printf("    static const unsigned least[%u] = {", m->parameter_count);
        print_upper(block);
        printf("_DPI_LEAST};\n");
    }
    for (unsigned n = 0; n < m->parameter_count; ++n)
        printf("    if (!dpi_in_range(\"%s\", \"%s\", %s, least[%u], %u)) return NULL;\n", block,
               m->parameter[n].name, m->parameter[n].name, n, m->parameter[n].value);
    printf("    struct dpi *d = dpi_allocate(sizeof *d);\n");
    for (unsigned n = 0; n < m->parameter_count; ++n)
        printf("    d->%s = %s;\n", m->parameter[n].name, m->parameter[n].name);
    printf(
        "    %s_dpi_reset(d);\n    return d;\n}\n\nvoid %s_dpi_destroy(void *handle) {\n    free(handle);\n"
        "}\n\n",
        block, block);
}

static void print_input(const struct verilog_signal *s) {
    if (is_array(s))
        printf("    for (unsigned n = 0; n < %u; ++n) d->%s[n] = (%s)dpi_bits(%s_i, n * %u, %u);\n"
               "    d->model.in.%s = d->%s;\n",
               s->bits / s->element_bits, s->name, element_type(s), s->name, s->element_bits, s->element_bits,
               s->name, s->name);
    else if (s->bits == 1)
        printf("    d->model.in.%s = %s_i & 1;\n", s->name, s->name);
    else
        printf("    d->model.in.%s = (%s)dpi_bits(%s_i, 0, %u);\n", s->name, element_type(s), s->name,
               s->bits);
}

static void print_result(const struct verilog_signal *s, const struct dpi_model *c) {
    const char *name = s->name, *of = part_of(c, s->kind), *end = suffix[s->kind];
    if (is_array(s)) {
        printf("    for (unsigned n = 0; n < %u; ++n)\n        dpi_set_bits(%s%s, n * %u, %u, "
               "model->%s.%s ? model->%s.%s[n] : 0);\n",
               s->bits / s->element_bits, name, end, s->element_bits, s->element_bits, of, name, of, name);
    } else if (s->bits == 1) {
        printf("    *%s%s = model->%s.%s;\n", name, end, of, name);
    } else {
        printf("    dpi_set_bits(%s%s, 0, %u, model->%s.%s);\n", name, end, s->bits, of, name);
    }
}

static void print_eval(const struct verilog_module *m, const char *block, const struct dpi_model *c) {
    printf("void %s_dpi_eval(void *handle%s", block, m->clocked ? ", unsigned char edge_i" : "");
    print_formals(m, false);
    printf(") {\n    struct dpi *d = handle;\n    if (!d) return;\n%s",
           m->clocked ? "    (void)edge_i;\n" : "");
    for (unsigned n = 0; n < m->count; ++n)
        if (m->signal[n].kind == VERILOG_INPUT) print_input(&m->signal[n]);
    printf("    if (");
    print_upper(block);
    printf("_DPI_LEGAL(&d->model)) %s_eval(&d->model);\n    const struct %s *model = &d->model;\n", c->name,
           c->name);
    for (unsigned n = 0; n < m->count; ++n)
        if (m->signal[n].kind != VERILOG_INPUT && is_shown(&m->signal[n])) print_result(&m->signal[n], c);
    printf("}\n\n");
    if (!m->clocked) return;
    printf("void %s_dpi_clock(void *handle) {\n    struct dpi *d = handle;\n    if (!d) return;\n"
           "    %s_eval(&d->model);\n    %s_clock(&d->model);\n}\n\n",
           block, c->name, c->name);
}

void dpi_print_functions(const struct verilog_module *m, const char *block, const struct dpi_model *c) {
    printf("/* Made from rtl/%s.sv: its C model for SystemVerilog (library/dpi_models.h). */\n"
           "#include \"library/dpi_models.h\"\n\n",
           block);
    print_struct(m, c->name);
    printf("void %s_dpi_reset(void *handle);\n", block);
    print_create_head(m, block);
    printf(");\nvoid %s_dpi_destroy(void *handle);\nvoid %s_dpi_eval(void *handle%s", block, block,
           m->clocked ? ", unsigned char edge_i" : "");
    print_formals(m, false);
    printf(");\nvoid %s_dpi_ports(const void *handle", block);
    print_formals(m, true);
    printf(");\n");
    if (m->clocked) printf("void %s_dpi_clock(void *handle);\n", block);
    printf("\n");
    print_reset(m, block);
    print_create(m, block);
    print_eval(m, block, c);
    printf("void %s_dpi_ports(const void *handle", block);
    print_formals(m, true);
    printf(") {\n    const struct %s *model = handle;\n    if (!model) return;\n", c->name);
    for (unsigned n = 0; n < m->count; ++n)
        if (is_shown(&m->signal[n])) print_result(&m->signal[n], c);
    printf("}\n");
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
    printf("%s void %s_dpi_reset(input chandle handle);\n", import, block);
    printf("%s void %s_dpi_eval(input chandle handle%s", import, block,
           m->clocked ? ", input bit edge_i" : "");
    print_arguments(m, false);
    if (m->clocked) printf("%s void %s_dpi_clock(input chandle handle);\n", import, block);
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
               "    if (!rst_ni) %s_dpi_reset(handle);\n    else %s_dpi_clock(handle);\n"
               "    edge_seen <= !edge_seen;\n  end\n",
               block, block);
    printf("\n  always_comb begin\n");
    for (unsigned n = 0; n < m->count; ++n)
        if (m->signal[n].kind == VERILOG_INPUT && is_array(&m->signal[n])) print_widening(&m->signal[n]);
    print_call(m, block);
    for (unsigned n = 0; n < m->count; ++n)
        if (m->signal[n].kind == VERILOG_OUTPUT)
            printf("  assign %s_o = wide_%s_o;\n", m->signal[n].name, m->signal[n].name);
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

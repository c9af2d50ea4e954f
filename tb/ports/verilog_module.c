/* Reads what `verilator --xml-only` writes: an element a line, attributes in double quotes. */
#include "tb/ports/verilog_module.h"

#include "tb/ports/tool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct type {
    int id;
    unsigned bits;
};

/* A variable of the module, with the value of a constant. */
struct variable {
    char name[VERILOG_MAX_NAME];
    int type;
    bool input, output, parameter;
    unsigned value;
};

struct listing {
    unsigned variables, types;
    struct variable variable[4 * VERILOG_MAX_SIGNALS];
    struct type type[4 * VERILOG_MAX_SIGNALS];
};

/* The value of an attribute; "" if the element has none. */
static const char *attribute(const char *line, const char *name, char *out, size_t size) {
    char key[32];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *p = strstr(line, key);
    out[0] = '\0';
    if (!p) return out;
    p += strlen(key);
    const char *end = strchr(p, '"');
    const size_t length = end ? (size_t)(end - p) : 0;
    if (length < size) {
        memcpy(out, p, length);
        out[length] = '\0';
    }
    return out;
}

static int number(const char *line, const char *name) {
    char text[32];
    return atoi(attribute(line, name, text, sizeof text));
}

/* A constant is written 32'h10 (the quote as an entity) or 32'sh10. */
static unsigned constant(const char *line) {
    char text[64];
    const char *h = strrchr(attribute(line, "name", text, sizeof text), 'h');
    return h ? (unsigned)strtoul(h + 1, NULL, 16) : 0;
}

static void add_variable(struct listing *l, const char *line) {
    char text[VERILOG_MAX_NAME];
    if (l->variables == sizeof l->variable / sizeof l->variable[0]) return;
    struct variable *v = &l->variable[l->variables++];
    attribute(line, "name", v->name, sizeof v->name);
    v->type = number(line, "dtype_id");
    v->input = strcmp(attribute(line, "dir", text, sizeof text), "input") == 0;
    v->output = strcmp(text, "output") == 0;
    v->parameter = strcmp(attribute(line, "param", text, sizeof text), "true") == 0;
}

static void add_type(struct listing *l, const char *line) {
    if (l->types == sizeof l->type / sizeof l->type[0]) return;
    l->type[l->types++] = (struct type){number(line, "id"), (unsigned)number(line, "left") + 1};
}

static void read_line(struct listing *l, const char *line, bool *inside, bool *declared, const char *module) {
    char text[VERILOG_MAX_NAME];
    const char *p = line + strspn(line, " ");
    if (strncmp(p, "<module ", 8) == 0)
        *inside = strcmp(attribute(p, "origName", text, sizeof text), module) == 0;
    if (strncmp(p, "<basicdtype ", 12) == 0) add_type(l, p);
    if (!*inside) return;
    if (*declared && strncmp(p, "<const ", 7) == 0) l->variable[l->variables - 1].value = constant(p);
    *declared = strncmp(p, "<var ", 5) == 0;
    if (*declared) add_variable(l, p);
}

static bool read_listing(struct listing *l, const char *path, const char *module, struct error *e) {
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: verilator did not write it: %s", path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0;
    bool inside = false, declared = false;
    memset(l, 0, sizeof *l);
    while (getline(&line, &capacity, in) > 0) read_line(l, line, &inside, &declared, module);
    free(line);
    fclose(in);
    return true;
}

static bool list(struct listing *l, const char *source, const char *name, const struct verilog_module *m,
                 struct error *e) {
    char folder[PATH_MAX], path[PATH_MAX + 32], set[VERILOG_MAX_PARAMETERS][VERILOG_MAX_NAME + 16];
    const char *temporary = getenv("TMPDIR");
    if (!tool_make_folder(folder, sizeof folder, temporary && *temporary ? temporary : "/tmp", e))
        return false;
    char *argv[16 + VERILOG_MAX_PARAMETERS] = {"verilator",    "--xml-only", "--Mdir",       folder,
                                               "--xml-output", "ports.xml",  "--top-module", (char *)name};
    unsigned n = 8;
    for (unsigned i = 0; i < m->parameter_count; ++i) {
        snprintf(set[i], sizeof set[i], "-G%s=%u", m->parameter[i].name, m->parameter[i].value);
        argv[n++] = set[i];
    }
    argv[n] = (char *)source;
    snprintf(path, sizeof path, "%s/ports.xml", folder);
    const bool good = tool_run(argv, folder, e) && read_listing(l, path, name, e);
    tool_remove_folder(folder);
    return good;
}

static const struct variable *find(const struct listing *l, const char *name) {
    for (unsigned i = 0; i < l->variables; ++i)
        if (strcmp(l->variable[i].name, name) == 0) return &l->variable[i];
    return NULL;
}

static unsigned bits_of(const struct listing *l, const struct variable *v) {
    for (unsigned i = 0; i < l->types; ++i)
        if (l->type[i].id == v->type) return l->type[i].bits;
    return 0;
}

/* NAME_BITS, if the module says what an element of `name` is. */
static unsigned element_bits(const struct listing *l, const char *name, unsigned bits) {
    char upper[VERILOG_MAX_NAME + 8];
    unsigned i;
    for (i = 0; name[i]; ++i) upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 32) : name[i];
    strcpy(upper + i, "_BITS");
    const struct variable *v = find(l, upper);
    return v && v->value && bits % v->value == 0 ? v->value : bits;
}

static bool ends_in(const char *name, const char *suffix) {
    const size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static bool add_signal(struct verilog_module *m, const struct listing *l, const struct variable *v,
                       enum verilog_kind kind, const char *source, struct error *e) {
    const unsigned bits = bits_of(l, v);
    if (m->count == VERILOG_MAX_SIGNALS)
        return error_set(e, EXIT_USER, "%s: more than %u ports and flip-flops", source, VERILOG_MAX_SIGNALS);
    if (bits == 0)
        return error_set(e, EXIT_USER, "%s: %s is not a vector of logic: it cannot be compared", source,
                         v->name);
    struct verilog_signal *s = &m->signal[m->count++];
    s->kind = kind;
    s->bits = bits;
    snprintf(s->name, sizeof s->name, "%.*s", (int)strlen(v->name) - 2, v->name);
    s->element_bits = element_bits(l, s->name, bits);
    if (s->element_bits <= 64 && bits <= VERILOG_MAX_ARRAY_BITS &&
        (kind == VERILOG_INPUT || s->element_bits == bits))
        return true;
    return error_set(e, EXIT_USER,
                     "%s: %s has %u bits; 64 is the limit, unless it is an input and a localparam "
                     "says what an element of it is",
                     source, v->name, bits);
}

static bool add_signals(struct verilog_module *m, const struct listing *l, enum verilog_kind kind,
                        const char *source, struct error *e) {
    static const char *const suffix[] = {"_i", "_o", "_q"};
    for (unsigned i = 0; i < l->variables; ++i) {
        const struct variable *v = &l->variable[i];
        const bool wanted = kind == VERILOG_INPUT    ? v->input
                            : kind == VERILOG_OUTPUT ? v->output
                                                     : !v->input && !v->output && ends_in(v->name, "_q");
        if (!wanted || strcmp(v->name, "clk_i") == 0 || strcmp(v->name, "rst_ni") == 0) continue;
        if (!ends_in(v->name, suffix[kind]))
            return error_set(e, EXIT_USER, "%s: the name of the port %s must end in %s", source, v->name,
                             suffix[kind]);
        if (!add_signal(m, l, v, kind, source, e)) return false;
    }
    return true;
}

bool verilog_module_read(struct verilog_module *m, const char *source, const char *name,
                         const struct verilog_setting *settings, unsigned count, struct error *e) {
    struct listing *l = malloc(sizeof *l);
    invariant(l, "out of memory");
    *m = (struct verilog_module){0};
    bool good = list(l, source, name, m, e);
    for (unsigned i = 0; good && i < count && m->parameter_count < VERILOG_MAX_PARAMETERS; ++i) {
        const struct variable *v = find(l, settings[i].name);
        if (v && v->parameter) m->parameter[m->parameter_count++] = settings[i];
    }
    good = good && list(l, source, name, m, e);
    m->clocked = good && find(l, "clk_i");
    m->resettable = good && find(l, "rst_ni");
    for (enum verilog_kind kind = VERILOG_INPUT; good && kind <= VERILOG_STATE; ++kind)
        good = add_signals(m, l, kind, source, e);
    free(l);
    return good;
}

/* Reads what `verilator --xml-only` writes: an element a line, attributes in double quotes. */
#include "tb/ports/verilog_module.h"

#include "tb/ports/tool.h"
#include "tb/ports/verilog_notices.h"
#include "tb/ports/verilog_review.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct type {
    int id, of, member_of; /* of: the type that this one is, or is made of; 0: none */
    unsigned bits;         /* 0: unknown; of an array: its elements */
    bool array, memory;    /* memory: an unpacked array */
    bool record, choice;   /* a struct, a union */
    unsigned bounds;       /* of an array: how many have been read; the first is */
    int left;
};

/* A variable of the module, with the value of a constant. */
struct variable {
    char name[VERILOG_MAX_NAME], direction[8];
    int type;
    bool parameter, local;
    unsigned value;
};

struct listing {
    unsigned variables, types;
    struct variable *variable;
    struct type *type;
    char mangled[VERILOG_MAX_NAME];
    char *files;
    /* where in the file the reader is */
    bool files_over, inside, declared; /* inside the module; a variable, whose value may follow */
    size_t level;                      /* spaces before the module's own variables: a function's have more */
    int record;
};

/* Room for one more of an array of n that has room for every power of two. */
static void *grow(void *array, unsigned n, size_t size) {
    if (n & (n - 1)) return array;
    void *larger = reallocarray(array, n ? 2 * (size_t)n : 1, size);
    require_memory(larger);
    return larger;
}

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
    l->variable = grow(l->variable, l->variables, sizeof *l->variable);
    struct variable *v = &l->variable[l->variables++];
    *v = (struct variable){.type = number(line, "dtype_id")};
    attribute(line, "name", v->name, sizeof v->name);
    attribute(line, "dir", v->direction, sizeof v->direction);
    v->parameter = strcmp(attribute(line, "param", text, sizeof text), "true") == 0;
    v->local = strcmp(attribute(line, "localparam", text, sizeof text), "true") == 0;
}

static void add_type(struct listing *l, const char *line) {
    l->type = grow(l->type, l->types, sizeof *l->type);
    struct type *t = &l->type[l->types++];
    *t = (struct type){.id = number(line, "id"), .of = number(line, "sub_dtype_id")};
    t->memory = strncmp(line, "<unpackarraydtype ", 18) == 0;
    t->array = t->memory || strncmp(line, "<packarraydtype ", 16) == 0;
    t->record = strncmp(line, "<structdtype ", 13) == 0;
    t->choice = strncmp(line, "<uniondtype ", 12) == 0;
    if (t->record || t->choice) l->record = t->id;
    if (strncmp(line, "<memberdtype ", 13) == 0) t->member_of = l->record;
    if (strncmp(line, "<basicdtype ", 12) == 0)
        t->bits = (unsigned)abs(number(line, "left") - number(line, "right")) + 1;
}

static unsigned bits_of(const struct listing *l, int id);

/* Those of a union are all as wide. */
static unsigned bits_of_members(const struct listing *l, const struct type *record) {
    unsigned bits = 0;
    for (unsigned i = 0; i < l->types; ++i)
        if (l->type[i].member_of == record->id)
            bits = (record->choice ? 0 : bits) + bits_of(l, l->type[i].of);
    return bits;
}

static unsigned bits_of(const struct listing *l, int id) {
    for (unsigned i = 0; i < l->types; ++i) {
        const struct type *t = &l->type[i];
        if (t->id != id) continue;
        if (t->record || t->choice) return bits_of_members(l, t);
        if (t->memory) return 0;
        return !t->of ? t->bits : (t->array ? t->bits : 1) * bits_of(l, t->of);
    }
    return 0;
}

/* NULL: a variable of this type is no memory. */
static const struct type *memory_of(const struct listing *l, int id) {
    for (unsigned i = 0; i < l->types; ++i)
        if (l->type[i].id == id) return l->type[i].memory ? &l->type[i] : NULL;
    return NULL;
}

/* The bounds of an array follow it. */
static void add_bound(struct type *t, int bound) {
    if (!t->array || t->bounds == 2) return;
    if (++t->bounds == 1)
        t->left = bound;
    else
        t->bits = (unsigned)abs(t->left - bound) + 1;
}

static bool is_type(const char *element) {
    static const char *const types[] = {"<basicdtype ",     "<refdtype ",         "<enumdtype ",
                                        "<packarraydtype ", "<unpackarraydtype ", "<structdtype ",
                                        "<uniondtype ",     "<memberdtype "};
    for (unsigned n = 0; n < sizeof types / sizeof types[0]; ++n)
        if (strncmp(element, types[n], strlen(types[n])) == 0) return true;
    return false;
}

/* Replaces XML's entities by & < > " and '. */
static void decode(char *text) {
    static const struct {
        const char *entity;
        char is;
    } entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (char *out = text; (*out = *text); ++out, ++text)
        for (unsigned n = 0; n < sizeof entities / sizeof entities[0]; ++n)
            if (strncmp(text, entities[n].entity, strlen(entities[n].entity)) == 0) {
                *out = entities[n].is;
                text += strlen(entities[n].entity) - 1;
                break;
            }
}

/* The list has a path with a blank twice: whole, and up to the blank. */
static void add_file(struct listing *l, const char *line) {
    char path[PATH_MAX], *more;
    struct stat s;
    if (attribute(line, "filename", path, sizeof path)[0] != '/') return; /* Verilator's own */
    decode(path);
    if (stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return;
    require_memory(asprintf(&more, "%s%s\n", l->files ? l->files : "", path) >= 0);
    free(l->files);
    l->files = more;
}

static void read_line(struct listing *l, const char *line) {
    char text[8];
    const char *p = line + strspn(line, " ");
    struct type *last = l->types ? &l->type[l->types - 1] : NULL;
    if (strncmp(p, "<module ", 8) == 0) {
        l->inside = attribute(p, "topModule", text, sizeof text)[0] == '1';
        l->level = (size_t)(p - line) + 2;
        if (l->inside) attribute(p, "origName", l->mangled, sizeof l->mangled);
    }
    if (strncmp(p, "</module>", 9) == 0) l->inside = false;
    l->files_over |= strncmp(p, "</files>", 8) == 0;
    if (!l->files_over && strncmp(p, "<file ", 6) == 0) add_file(l, p);
    if (is_type(p))
        add_type(l, p);
    else if (last && strncmp(p, "<const ", 7) == 0)
        add_bound(last, (int)constant(p));
    if (!l->inside) return;
    if (l->declared && strncmp(p, "<const ", 7) == 0) l->variable[l->variables - 1].value = constant(p);
    l->declared = strncmp(p, "<var ", 5) == 0 && (size_t)(p - line) == l->level;
    if (l->declared) add_variable(l, p);
}

static bool read_listing(struct listing *l, const char *path, struct error *e) {
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: verilator did not write it: %s", path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0;
    bool whole = false;
    while (getline(&line, &capacity, in) > 0) {
        read_line(l, line);
        whole = strstr(line, "</verilator_xml>") != NULL; /* verilator does not look whether it could write */
    }
    free(line);
    fclose(in);
    return whole ||
           error_set(e, EXIT_USER,
                     "verilator's list of ports was cut short: is there room on the disk of %.*s? (TMPDIR "
                     "names another)",
                     (int)(strrchr(path, '/') - path), path);
}

static void free_listing(struct listing *l) {
    free(l->variable);
    free(l->type);
    free(l->files);
    *l = (struct listing){0};
}

static const struct variable *find(const struct listing *l, const char *name) {
    for (unsigned i = 0; i < l->variables; ++i)
        if (strcmp(l->variable[i].name, name) == 0) return &l->variable[i];
    return NULL;
}

/* First as the module stands, then (`set`) with the settings and the source's parameters, once it is known to
 * have them. */
static bool list(struct listing *l, const struct verilog_source *source, const struct verilog_module *m,
                 bool set, struct error *e) {
    struct tool_folder folder = {.path = ""};
    struct error why = {0};
    struct verilog_notices notices = {0}; /* the build has them again */
    char path[PATH_MAX + 16], value[VERILOG_MAX_PARAMETERS][VERILOG_MAX_NAME + 16];
    const char *temporary = getenv("TMPDIR");
    char *argv[16 + VERILOG_MAX_PARAMETERS + VERILOG_MAX_ITEMS] = {
        "verilator",    "--xml-only", "--no-timing",  "--Mdir",    ".",
        "--xml-output", "ports.xml",  "--top-module", source->top, "-Wno-fatal"};
    unsigned n = 10;
    free_listing(l);
    if (!tool_folder_make(&folder, temporary && *temporary ? temporary : "/tmp", e)) return false;
    for (unsigned i = 0; i < m->parameter_count; ++i) {
        snprintf(value[i], sizeof value[i], "-G%s=%u", m->parameter[i].name, m->parameter[i].value);
        argv[n++] = value[i];
    }
    for (unsigned i = 0; i < source->count; ++i)
        if (source->item[i].kind != VERILOG_FUNCTIONS && source->item[i].kind != VERILOG_BUILD &&
            (set || source->item[i].kind != VERILOG_PARAMETER))
            argv[n++] = source->item[i].text;
    snprintf(path, sizeof path, "%s/ports.xml", folder.path);
    const bool good =
        verilog_notices_run(&notices, argv, &folder, source, &why) && read_listing(l, path, &why);
    verilog_notices_free(&notices);
    if (!good && strstr(why.message, "Specified --top-module")) {
        char *tops = verilog_review_tops(source, &folder);
        why = (struct error){0};
        error_set(&why, EXIT_USER,
                  "%s: there is no module %s in it; its top modules: %s. The top module's name follows the "
                  "file, after a comma",
                  verilog_source_file(source), source->top, *tops ? tops : "none");
        free(tops);
    }
    tool_folder_remove(&folder);
    return good || error_set(e, why.status, "%s", why.message);
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

static const char *const suffix[] = {"_i", "_o", "_q", "_q"};

static void add_signal(struct verilog_module *m, const struct listing *l, const struct variable *v,
                       enum verilog_kind kind) {
    m->signal = grow(m->signal, m->count, sizeof *m->signal);
    struct verilog_signal *s = &m->signal[m->count++];
    const struct type *memory = memory_of(l, v->type);
    *s = (struct verilog_signal){
        .kind = kind, .rows = memory ? memory->bits : 1, .bits = bits_of(l, memory ? memory->of : v->type)};
    snprintf(s->name, sizeof s->name, "%.*s", (int)strlen(v->name) - 2, v->name);
    s->element_bits = element_bits(l, s->name, s->bits);
}

static void add_stranger(struct verilog_module *m, const struct listing *l, const struct variable *v) {
    static const char *const directions[] = {"input", "output"};
    m->stranger = grow(m->stranger, m->strangers, sizeof *m->stranger);
    struct verilog_stranger *s = &m->stranger[m->strangers++];
    *s = (struct verilog_stranger){.direction = "inout", .bits = bits_of(l, v->type)};
    for (unsigned n = 0; n < 2; ++n)
        if (strcmp(v->direction, directions[n]) == 0) s->direction = directions[n];
    snprintf(s->name, sizeof s->name, "%s", v->name);
}

static bool is_kind(const struct listing *l, const struct variable *v, enum verilog_kind kind) {
    static const char *const direction[] = {"input", "output", "", ""};
    return !v->parameter && !v->local && strcmp(v->direction, direction[kind]) == 0 &&
           ends_in(v->name, suffix[kind]) && (kind == VERILOG_MEMORY) == (memory_of(l, v->type) != NULL);
}

static void add_signals(struct verilog_module *m, const struct listing *l) {
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_MEMORY; ++kind)
        for (unsigned i = 0; i < l->variables; ++i)
            if (is_kind(l, &l->variable[i], kind) && strcmp(l->variable[i].name, "clk_i") != 0)
                add_signal(m, l, &l->variable[i], kind);
    for (unsigned i = 0; i < l->variables; ++i) {
        const struct variable *v = &l->variable[i];
        const bool input = strcmp(v->direction, "input") == 0;
        if (input && strcmp(v->name, "clk_i") == 0)
            m->clocked = true;
        else if (input && strcmp(v->name, "rst_ni") == 0)
            m->resettable = true;
        else if (v->direction[0] && !is_kind(l, v, VERILOG_INPUT) && !is_kind(l, v, VERILOG_OUTPUT))
            add_stranger(m, l, v);
    }
}

/* "A, B": parameters that can be set. */
static void say_parameters(const struct listing *l, char *out, size_t size) {
    size_t used = 0;
    snprintf(out, size, "none");
    for (unsigned i = 0; i < l->variables && used < size; ++i) {
        if (!l->variable[i].parameter || l->variable[i].local) continue;
        const int n = snprintf(out + used, size - used, "%s%s", used ? ", " : "", l->variable[i].name);
        used += n > 0 ? (size_t)n : 0;
    }
}

/* The source's own parameters: the module has them, and the machine does not give them. */
static bool check_parameters(const struct listing *l, const struct verilog_source *source,
                             const struct verilog_setting *settings, unsigned count, struct error *e) {
    for (unsigned n = 0; n < source->count; ++n) {
        char name[VERILOG_MAX_NAME], all[512];
        if (source->item[n].kind != VERILOG_PARAMETER) continue;
        const char *given = source->item[n].text + 2;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
        for (unsigned i = 0; i < count; ++i)
            if (strcmp(settings[i].name, name) == 0)
                return error_set(e, EXIT_USER, "-G%s: the machine gives %s its value: %u", given, name,
                                 settings[i].value);
        const struct variable *v = find(l, name);
        if (v && v->parameter && !v->local) continue;
        say_parameters(l, all, sizeof all);
        return error_set(e, EXIT_USER, "-G%s: module %s of %s has no such parameter; it has: %s", given,
                         source->top, verilog_source_file(source), all);
    }
    return true;
}

bool verilog_module_read(struct verilog_module *m, const struct verilog_source *source,
                         const struct verilog_setting *settings, unsigned count, struct error *e) {
    struct listing l = {0};
    *m = (struct verilog_module){0};
    bool good = list(&l, source, m, false, e) && check_parameters(&l, source, settings, count, e);
    for (unsigned i = 0; good && i < count && m->parameter_count < VERILOG_MAX_PARAMETERS; ++i) {
        const struct variable *v = find(&l, settings[i].name);
        if (v && v->parameter && !v->local) m->parameter[m->parameter_count++] = settings[i];
    }
    good = good && list(&l, source, m, true, e);
    if (good) {
        add_signals(m, &l);
        strcpy(m->mangled, l.mangled);
        m->files = l.files;
        l.files = NULL;
    }
    free_listing(&l);
    return good;
}

void verilog_module_free(struct verilog_module *m) {
    free(m->signal);
    free(m->stranger);
    free(m->files);
    *m = (struct verilog_module){0};
}

static bool check_signal(const struct verilog_signal *s, const char *file, struct error *e) {
    if (s->bits == 0)
        return error_set(e, EXIT_USER, "%s: %s%s is not a vector of logic: it cannot be compared", file,
                         s->name, suffix[s->kind]);
    return (s->element_bits <= VERILOG_MAX_VALUE_BITS && s->bits <= VERILOG_MAX_ARRAY_BITS) ||
           error_set(
               e, EXIT_USER,
               "%s: %s%s has %u bits; %u is the limit, unless a parameter says what an element of it is, "
               "and %u then",
               file, s->name, suffix[s->kind], s->bits, VERILOG_MAX_VALUE_BITS, VERILOG_MAX_ARRAY_BITS);
}

bool verilog_module_check(const struct verilog_module *m, const struct verilog_source *source,
                          struct error *e) {
    static const struct {
        const char *direction, *suffix;
    } names[] = {{"input", "_i"}, {"output", "_o"}, {"inout", "one of them: a twin has no inout"}};
    const char *file = verilog_source_file(source);
    if (m->count > VERILOG_MAX_SIGNALS)
        return error_set(e, EXIT_USER, "%s: more than %u ports and flip-flops", file, VERILOG_MAX_SIGNALS);
    for (unsigned n = 0; n < m->strangers; ++n)
        for (unsigned k = 0; k < 3; ++k)
            if (strcmp(m->stranger[n].direction, names[k].direction) == 0)
                return error_set(e, EXIT_USER, "%s: the name of the port %s must end in %s", file,
                                 m->stranger[n].name, names[k].suffix);
    for (unsigned n = 0; n < m->count; ++n)
        if (!check_signal(&m->signal[n], file, e)) return false;
    return true;
}

#include "tb/ports/verilog_module.h"

#include "tb/ports/tool.h"
#include "tb/ports/verilog_notices.h"
#include "tb/ports/verilog_review.h"
#include "tb/ports/verilator.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns an array with room for an element after the first n. Its capacity is the next power of two. */
static void *grow(void *array, unsigned n, size_t size) {
    if (n & (n - 1)) return array;
    void *larger = reallocarray(array, n ? 2 * (size_t)n : 1, size);
    require_memory(larger);
    return larger;
}

/* Elaborates the module: first with its defaults, then (`set`) with those settings and parameters of the
 * source that the module has. */
static bool run(struct verilog_tree *t, const struct verilog_source *source, const struct verilog_module *m,
                bool set, bool json, struct error *e) {
    struct tool_folder folder = {.path = ""};
    struct verilog_notices notices = {0}; /* not reported: the build produces the same notices again */
    char path[PATH_MAX + 16], files[PATH_MAX + 16], value[VERILOG_MAX_PARAMETERS][VERILOG_MAX_NAME + 16];
    const char *temporary = getenv("TMPDIR");
    char *argv[16 + VERILOG_MAX_PARAMETERS + VERILOG_MAX_ITEMS] = {
        (char *)verilator_command(), "--no-timing", "--Mdir", ".", "--top-module", source->top, "-Wno-fatal"};
    unsigned n = 7;
    if (json) {
        char *const options[] = {"--json-only", "--json-only-output", "ports.json", "--json-only-meta-output",
                                 "ports.meta.json"};
        memcpy(argv + n, options, sizeof options);
        n += sizeof options / sizeof options[0];
    } else {
        char *const options[] = {"--xml-only", "--xml-output", "ports.xml"};
        memcpy(argv + n, options, sizeof options);
        n += sizeof options / sizeof options[0];
    }
    if (!tool_folder_make(&folder, temporary && *temporary ? temporary : "/tmp", e)) return false;
    for (unsigned i = 0; i < m->parameter_count; ++i) {
        snprintf(value[i], sizeof value[i], "-G%s=%u", m->parameter[i].name, m->parameter[i].value);
        argv[n++] = value[i];
    }
    for (unsigned i = 0; i < source->count; ++i)
        if (source->item[i].kind != VERILOG_FUNCTIONS && source->item[i].kind != VERILOG_BUILD &&
            (set || source->item[i].kind != VERILOG_PARAMETER))
            argv[n++] = source->item[i].text;
    snprintf(path, sizeof path, "%s/ports.%s", folder.path, json ? "json" : "xml");
    snprintf(files, sizeof files, "%s/ports.meta.json", folder.path);
    const bool good =
        verilog_notices_run(&notices, argv, &folder, source, e) &&
        (json ? verilog_tree_read_json(t, path, files, source->top, e) : verilog_tree_read_xml(t, path, e));
    verilog_notices_free(&notices);
    if (!good && strstr(e->message, "Specified --top-module")) {
        char *tops = verilog_review_tops(source, &folder);
        *e = (struct error){0};
        error_set(e, EXIT_USER,
                  "%s: there is no module %s in it; its top modules: %s. The top module's name follows the "
                  "file, after a comma",
                  verilog_source_file(source), source->top, *tops ? tops : "none");
        free(tops);
    }
    tool_folder_remove(&folder);
    return good;
}

/* Dumps the design. For an unknown version, both kinds of dump are tried. */
static bool list(struct verilog_tree *t, const struct verilog_source *source, const struct verilog_module *m,
                 bool set, struct error *e) {
    const struct verilator *v = verilator_find(e);
    struct error why = {0};
    if (!v) return false;
    verilog_tree_free(t);
    bool good = run(t, source, m, set, v->json, &why);
    if (!good && strstr(why.message, "Invalid option")) {
        why = (struct error){0};
        verilog_tree_free(t);
        good = run(t, source, m, set, !v->json, &why);
    }
    if (good && verilog_tree_top(t)) return true;
    if (good)
        return error_set(e, EXIT_USER, "%s: the dump of %s %s has no top module", verilog_source_file(source),
                         v->command, v->version);
    return error_set(e, why.status, "%s", why.message);
}

/* Returns the value of the module's parameter NAME_BITS, the width of an element of `name`, if there is one;
 * else `bits`. */
static unsigned element_bits(const struct verilog_tree *t, const char *name, unsigned bits) {
    char upper[VERILOG_MAX_NAME + 8];
    unsigned i;
    for (i = 0; name[i]; ++i) upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 32) : name[i];
    strcpy(upper + i, "_BITS");
    const struct verilog_entry *v = verilog_tree_find(t, upper);
    return v && v->value && bits % v->value == 0 ? v->value : bits;
}

static bool ends_in(const char *name, const char *suffix) {
    const size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static const char *const suffix[] = {"_i", "_o", "_q", "_q"};

/* Returns the type of a memory; NULL if a variable of this type is no memory. */
static const struct verilog_type *memory_of(const struct verilog_tree *t, const char *id) {
    const struct verilog_type *type = verilog_tree_type(t, id);
    return type && type->kind == VERILOG_UNPACKED ? type : NULL;
}

static void add_signal(struct verilog_module *m, const struct verilog_tree *t, const struct verilog_entry *v,
                       enum verilog_kind kind) {
    m->signal = grow(m->signal, m->count, sizeof *m->signal);
    struct verilog_signal *s = &m->signal[m->count++];
    const struct verilog_type *memory = memory_of(t, v->type);
    *s = (struct verilog_signal){.kind = kind,
                                 .rows = memory ? memory->bits : 1,
                                 .bits = verilog_tree_bits(t, memory ? memory->of : v->type)};
    snprintf(s->name, sizeof s->name, "%.*s", (int)strlen(v->name) - 2, v->name);
    snprintf(s->mangled, sizeof s->mangled, "%s", v->mangled);
    s->element_bits = element_bits(t, s->name, s->bits);
}

static const char *direction_name(const struct verilog_entry *v) {
    return v->direction == 'i' ? "input" : v->direction == 'o' ? "output" : "inout";
}

static void add_stranger(struct verilog_module *m, const struct verilog_tree *t,
                         const struct verilog_entry *v) {
    m->stranger = grow(m->stranger, m->strangers, sizeof *m->stranger);
    struct verilog_stranger *s = &m->stranger[m->strangers++];
    *s = (struct verilog_stranger){.direction = direction_name(v), .bits = verilog_tree_bits(t, v->type)};
    snprintf(s->name, sizeof s->name, "%s", v->name);
}

static bool is_kind(const struct verilog_tree *t, const struct verilog_entry *v, enum verilog_kind kind) {
    static const char direction[] = {'i', 'o', 0, 0};
    return !v->parameter && v->direction == direction[kind] && ends_in(v->name, suffix[kind]) &&
           (kind == VERILOG_MEMORY) == (memory_of(t, v->type) != NULL);
}

static void add_signals(struct verilog_module *m, const struct verilog_tree *t) {
    for (enum verilog_kind kind = VERILOG_INPUT; kind <= VERILOG_MEMORY; ++kind)
        for (const struct verilog_entry *v = NULL; (v = verilog_tree_next(t, v));)
            if (is_kind(t, v, kind) && strcmp(v->name, "clk_i") != 0) add_signal(m, t, v, kind);
    for (const struct verilog_entry *v = NULL; (v = verilog_tree_next(t, v));) {
        if (v->direction == 'i' && strcmp(v->name, "clk_i") == 0)
            m->clocked = true;
        else if (v->direction == 'i' && strcmp(v->name, "rst_ni") == 0)
            m->resettable = true;
        else if (v->direction && !is_kind(t, v, VERILOG_INPUT) && !is_kind(t, v, VERILOG_OUTPUT))
            add_stranger(m, t, v);
    }
}

/* Writes the names of the parameters that can be set: "A, B". */
static void say_parameters(const struct verilog_tree *t, char *out, size_t size) {
    size_t used = 0;
    snprintf(out, size, "none");
    for (const struct verilog_entry *v = NULL; used < size && (v = verilog_tree_next(t, v));) {
        if (!v->parameter || v->local) continue;
        const int n = snprintf(out + used, size - used, "%s%s", used ? ", " : "", v->name);
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Checks that the module has the source's own parameters and that the machine does not set them. */
static bool check_parameters(const struct verilog_tree *t, const struct verilog_source *source,
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
        const struct verilog_entry *v = verilog_tree_find(t, name);
        if (v && v->parameter && !v->local) continue;
        say_parameters(t, all, sizeof all);
        return error_set(e, EXIT_USER, "-G%s: module %s of %s has no such parameter; it has: %s", given,
                         source->top, verilog_source_file(source), all);
    }
    return true;
}

bool verilog_module_read(struct verilog_module *m, const struct verilog_source *source,
                         const struct verilog_setting *settings, unsigned count, struct error *e) {
    *m = (struct verilog_module){0};
    bool good = list(&m->tree, source, m, false, e) && check_parameters(&m->tree, source, settings, count, e);
    for (unsigned i = 0; good && i < count && m->parameter_count < VERILOG_MAX_PARAMETERS; ++i) {
        const struct verilog_entry *v = verilog_tree_find(&m->tree, settings[i].name);
        if (v && v->parameter && !v->local) m->parameter[m->parameter_count++] = settings[i];
    }
    good = good && list(&m->tree, source, m, true, e);
    if (!good) return false;
    add_signals(m, &m->tree);
    snprintf(m->mangled, sizeof m->mangled, "%s", verilog_tree_top(&m->tree)->name);
    return true;
}

void verilog_module_free(struct verilog_module *m) {
    free(m->signal);
    free(m->stranger);
    verilog_tree_free(&m->tree);
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

/* Configuration files: YAML read into a document by libyaml, whose nodes know their lines. */
#include "sim/config_folder.h"
#include "sim/config_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

enum { LARGEST_FILE = 1 << 20, DEEPEST = 32 };

/* A file being read, and the file that extends it. */
struct source {
    const struct source *extended_by;
    const char *path;
    dev_t device;
    ino_t inode;
    yaml_document_t document;
};

/* The values read so far, applied when the whole file is right. */
struct reading {
    const struct config_table *table;
    uint32_t *values;
    struct error *error;
};

static bool fail(struct reading *r, const struct source *s, const yaml_node_t *n, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool fail(struct reading *r, const struct source *s, const yaml_node_t *n, const char *format, ...) {
    char text[1536];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(r->error, EXIT_USER, "%s:%zu: %s", s->path, n->start_mark.line + 1, text);
}

static const char *scalar(const yaml_node_t *n) {
    if (n->type != YAML_SCALAR_NODE || strlen((const char *)n->data.scalar.value) != n->data.scalar.length)
        return NULL;
    return (const char *)n->data.scalar.value;
}

static bool is_plain(const yaml_node_t *n) {
    return n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool is_null(const yaml_node_t *n) {
    const char *text = scalar(n);
    return text && is_plain(n) && (!*text || !strcmp(text, "~") || !strcmp(text, "null"));
}

/* Reads a whole file. Returns NULL with *why if it cannot be read. */
static char *read_file(struct source *s, size_t *size, char *why, size_t why_size) {
    FILE *f = fopen(s->path, "rb");
    struct stat status;
    char *text = NULL;
    if (f && !fstat(fileno(f), &status) && (text = malloc(LARGEST_FILE + 1))) {
        s->device = status.st_dev;
        s->inode = status.st_ino;
        *size = fread(text, 1, LARGEST_FILE + 1, f);
    }
    bool failed = !text || ferror(f);
    snprintf(why, why_size, "%s", strerror(errno));
    if (!failed && *size > LARGEST_FILE) {
        snprintf(why, why_size, "larger than 1 MiB, so it is no configuration");
        failed = true;
    }
    if (f) fclose(f);
    if (!failed) return text;
    free(text);
    return NULL;
}

static bool syntax_error(const struct source *s, const yaml_parser_t *p, const char *text, struct error *e) {
    size_t line = p->problem_mark.line + 1;
    if (p->error == YAML_READER_ERROR) { /* libyaml knows only a byte offset here */
        line = 1;
        for (size_t i = 0; i < p->problem_offset; i++) line += text[i] == '\n';
    }
    return error_set(e, EXIT_USER, "%s:%zu: YAML syntax error: %s%s%s", s->path, line,
                     p->context ? p->context : "", p->context ? ", " : "", p->problem);
}

static bool nothing_follows(const struct source *s, yaml_parser_t *parser, const char *text,
                            struct error *e) {
    yaml_document_t second;
    if (!yaml_parser_load(parser, &second)) return syntax_error(s, parser, text, e);
    bool nothing = !yaml_document_get_root_node(&second);
    if (!nothing)
        error_set(e, EXIT_USER, "%s:%zu: a second document begins here; a configuration is one document",
                  s->path, second.start_mark.line + 1);
    yaml_document_delete(&second);
    return nothing;
}

static void start_parser(yaml_parser_t *parser, const char *text, size_t size) {
    require_memory(yaml_parser_initialize(parser));
    yaml_parser_set_input_string(parser, (const unsigned char *)text, size);
}

/* Refuses a document that is nested deeper than any field, for which libyaml's time would grow with the
 * square of the depth. Errors of syntax are reported when the document is loaded. */
static bool check_depth(const struct source *s, const char *text, size_t size, struct error *e) {
    yaml_parser_t parser;
    yaml_event_t event;
    unsigned depth = 0;
    start_parser(&parser, text, size);
    for (bool more = true; more && depth <= DEEPEST && yaml_parser_parse(&parser, &event);) {
        const yaml_event_type_t type = event.type;
        depth += type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT;
        depth -= type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
        more = type != YAML_STREAM_END_EVENT;
        if (depth > DEEPEST)
            error_set(e, EXIT_USER,
                      "%s:%zu: lists and groups nested more than %d deep: this is no configuration", s->path,
                      event.start_mark.line + 1, DEEPEST);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return depth <= DEEPEST;
}

/* Parses the document of the text into s->document, to be deleted. */
static bool parse_document(struct source *s, const char *text, size_t size, struct error *e) {
    yaml_parser_t parser;
    if (!check_depth(s, text, size, e)) return false;
    start_parser(&parser, text, size);
    bool ok = yaml_parser_load(&parser, &s->document) || syntax_error(s, &parser, text, e);
    if (ok && !nothing_follows(s, &parser, text, e)) {
        yaml_document_delete(&s->document);
        ok = false;
    }
    yaml_parser_delete(&parser);
    return ok;
}

static bool read_value(struct reading *r, struct source *s, size_t *lines, const char *name,
                       const yaml_node_t *key, const yaml_node_t *value) {
    size_t i = config_find(r->table, name);
    const struct config_field *f = &r->table->fields[i];
    if (lines[i]) return fail(r, s, key, "field '%s' is given twice (first at line %zu)", name, lines[i]);
    lines[i] = key->start_mark.line + 1;
    const char *text = scalar(value);
    if (!text || is_null(value)) {
        char range[1024];
        config_print_range(f, range, sizeof range);
        const char *what = value->type == YAML_MAPPING_NODE    ? "takes one value, not a group of fields"
                           : value->type == YAML_SEQUENCE_NODE ? "takes one value, not a list"
                                                               : "has no value";
        return fail(r, s, key, "field '%s' %s; expected %s", name, what, range);
    }
    char place[1024];
    snprintf(place, sizeof place, "%s:%zu", s->path, value->start_mark.line + 1);
    return config_parse(f, text, !is_plain(value), place, &r->values[i], r->error);
}

static bool read_mapping(struct reading *r, struct source *s, size_t *lines, const char *prefix,
                         const yaml_node_t *mapping);

static bool read_pair(struct reading *r, struct source *s, size_t *lines, const char *prefix,
                      const yaml_node_t *key, const yaml_node_t *value) {
    const char *text = scalar(key);
    if (!text || !*text) return fail(r, s, key, "expected the name of a field before ':'");
    if (!*prefix && !strcmp(text, "extends")) return true; /* handled by read_extended() */
    char name[256];
    snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", text);
    if (config_find(r->table, name) < r->table->count) return read_value(r, s, lines, name, key, value);
    if (!config_is_group(r->table, name)) {
        char place[1024];
        snprintf(place, sizeof place, "%s:%zu", s->path, key->start_mark.line + 1);
        return config_unknown(r->table, name, place, r->error);
    }
    if (is_null(value)) return true; /* a group without fields, for example because all are commented out */
    if (value->type != YAML_MAPPING_NODE)
        return fail(r, s, key, "'%s' is a group of fields, not a value; write 'field: value' lines below it",
                    name);
    return read_mapping(r, s, lines, name, value);
}

static bool read_mapping(struct reading *r, struct source *s, size_t *lines, const char *prefix,
                         const yaml_node_t *mapping) {
    yaml_node_pair_t *begin = mapping->data.mapping.pairs.start, *end = mapping->data.mapping.pairs.top;
    for (yaml_node_pair_t *p = begin; p < end; p++) {
        const yaml_node_t *key = yaml_document_get_node(&s->document, p->key);
        for (yaml_node_pair_t *q = begin; q < p; q++) {
            const yaml_node_t *other = yaml_document_get_node(&s->document, q->key);
            const char *a = scalar(key), *b = scalar(other);
            if (a && b && !strcmp(a, b))
                return fail(r, s, key, "'%s%s%s' is given twice (first at line %zu)", prefix,
                            *prefix ? "." : "", a, other->start_mark.line + 1);
        }
        if (!read_pair(r, s, lines, prefix, key, yaml_document_get_node(&s->document, p->value)))
            return false;
    }
    return true;
}

static bool read_source(struct reading *r, const char *path, const struct source *extended_by,
                        const yaml_node_t *extends);

/* Folder of the process: see config_folder.h. */
static const char *own_folder;

void config_folder_own(const char *folder) {
    own_folder = folder;
}

static char *join(const char *folder, int length, const char *name, const char *ending) {
    char *path;
    require_memory(asprintf(&path, "%.*s%s%s", length, folder, name, ending) >= 0);
    return path;
}

/* Returns the path of a configuration, to be freed: in a folder (with its '/'; "": none), else in the
 * process's own folder if the name has none; with or without .yaml. If it is in neither, returns the path
 * where it should be. */
static char *find_file(const char *folder, int length, const char *name) {
    static const char *const endings[] = {"", ".yaml"};
    char *own = own_folder && !strchr(name, '/') ? join(own_folder, (int)strlen(own_folder), "/", "") : NULL;
    for (unsigned place = 0; *name && place < 2; place++) {
        if (place && !own) break;
        for (unsigned n = 0; n < 2; n++) {
            char *path = place ? join(own, (int)strlen(own), name, endings[n])
                               : join(folder, length, name, endings[n]);
            struct stat s;
            const bool found = stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
            if (found) free(own);
            if (found) return path;
            free(path);
        }
    }
    free(own);
    return join(folder, length, name, "");
}

/* Reads the file that the document extends. Its path is relative to the file that names it, or the name of
 * a file of the process's own folder. */
static bool read_extended(struct reading *r, const struct source *s, const yaml_node_t *root) {
    for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = yaml_document_get_node((yaml_document_t *)&s->document, p->key);
        const yaml_node_t *value = yaml_document_get_node((yaml_document_t *)&s->document, p->value);
        const char *text = scalar(key), *target = scalar(value);
        if (!text || strcmp(text, "extends")) continue;
        if (!target || is_null(value))
            return fail(r, s, key, "'extends' takes the path of one configuration file");
        const char *slash = strrchr(s->path, '/');
        const int length = slash && target[0] != '/' ? (int)(slash - s->path + 1) : 0;
        char *path = find_file(s->path, length, target);
        const bool read = read_source(r, path, s, value);
        free(path);
        return read;
    }
    return true;
}

static bool refuse_cycle(struct reading *r, const struct source *s, const yaml_node_t *extends) {
    for (const struct source *o = s->extended_by; o; o = o->extended_by)
        if (o->device == s->device && o->inode == s->inode)
            return fail(r, s->extended_by, extends, "a cycle: this extends '%s', which leads back here",
                        s->path);
    return true;
}

/* Reads a file. extended_by: the file that extends it; `extends`: the node that names it there, or NULL. */
static bool read_source(struct reading *r, const char *path, const struct source *extended_by,
                        const yaml_node_t *extends) {
    struct source s = {.extended_by = extended_by, .path = path};
    char why[128];
    size_t size = 0;
    char *text = read_file(&s, &size, why, sizeof why);
    if (!text && extends)
        return fail(r, extended_by, extends, "cannot read the extended file '%s': %s", path, why);
    if (!text) return error_set(r->error, EXIT_USER, "cannot read the configuration '%s': %s", path, why);
    bool ok = refuse_cycle(r, &s, extends) && parse_document(&s, text, size, r->error);
    free(text);
    if (!ok) return false;
    yaml_node_t *root = yaml_document_get_root_node(&s.document);
    if (root && !is_null(root)) {
        size_t *lines = calloc(r->table->count, sizeof *lines);
        require_memory(lines);
        if (root->type != YAML_MAPPING_NODE)
            ok = fail(r, &s, root, "expected lines of the form 'field: value'");
        else
            ok = read_extended(r, &s, root) && read_mapping(r, &s, lines, "", root);
        free(lines);
    }
    yaml_document_delete(&s.document);
    return ok;
}

bool config_read(const struct config_table *t, void *config, const char *path, struct error *e) {
    struct reading r = {t, calloc(t->count, sizeof(uint32_t)), e};
    require_memory(r.values);
    for (size_t i = 0; i < t->count; i++) r.values[i] = config_get(&t->fields[i], config);
    char *found = find_file("", 0, path);
    bool ok = read_source(&r, found, NULL, NULL);
    free(found);
    for (size_t i = 0; ok && i < t->count; i++) config_put(&t->fields[i], config, r.values[i]);
    free(r.values);
    return ok;
}

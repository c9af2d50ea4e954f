/* Reads the dump in JSON, with jansson. Versions of Verilator differ in the members that they write; false is
 * often omitted. */
#include "tb/ports/verilog_tree.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text(const json_t *node, const char *key) {
    const char *s = json_string_value(json_object_get(node, key));
    return s ? s : "";
}

static bool is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* Returns the first node of a list. */
static const json_t *first(const json_t *node, const char *key) {
    return json_array_get(json_object_get(node, key), 0);
}

static void read_variable(struct verilog_tree *t, const json_t *node) {
    struct verilog_entry *v =
        verilog_tree_add_entry(t, VERILOG_VARIABLE, text(node, "name"), text(node, "dtypep"));
    verilog_tree_mangle(v, text(node, "origName"));
    const char *direction = text(node, "direction"), *kind = text(node, "varType");
    v->direction = is(direction, "INPUT")    ? 'i'
                   : is(direction, "OUTPUT") ? 'o'
                   : is(direction, "INOUT")  ? 'b'
                                             : 0;
    v->local = is(kind, "LPARAM");
    v->parameter = v->local || is(kind, "GPARAM");
    v->value = (unsigned)verilog_tree_constant(text(first(node, "valuep"), "name"));
}

/* Reads variables anywhere below a node that is not part of the module's structure. */
static void read_locals(struct verilog_tree *t, const json_t *node) {
    const char *key;
    const json_t *list, *item;
    size_t n;
    json_object_foreach((json_t *)node, key, list) {
        json_array_foreach(list, n, item) {
            if (is(text(item, "type"), "VAR"))
                verilog_tree_add_entry(t, VERILOG_LOCAL, text(item, "name"), text(item, "dtypep"));
            read_locals(t, item);
        }
    }
}

static void read_entries(struct verilog_tree *t, const json_t *list) {
    size_t n;
    const json_t *node;
    json_array_foreach(list, n, node) {
        const char *type = text(node, "type");
        if (is(type, "VAR")) {
            read_variable(t, node);
        } else if (is(type, "CELL")) {
            verilog_tree_add_entry(t, VERILOG_INSTANCE, text(node, "name"), text(node, "modp"));
        } else if (is(type, "GENBLOCK") || is(type, "BEGIN")) {
            verilog_tree_add_entry(t, VERILOG_BLOCK, text(node, "name"), "");
            read_entries(t, json_object_get(node, "itemsp"));
            read_entries(t, json_object_get(node, "stmtsp"));
            verilog_tree_add_entry(t, VERILOG_BLOCK_END, "", "");
        } else {
            read_locals(t, node);
        }
    }
}

static int bound(const json_t *range, const char *key) {
    return (int)verilog_tree_constant(text(first(range, key), "name"));
}

/* Returns the number of elements of an array, whose range is a text such as "[0:7]" or a node. */
static unsigned elements(const json_t *type) {
    int left, right;
    if (sscanf(text(type, "declRange"), "[%d:%d]", &left, &right) != 2) {
        const json_t *range = first(type, "rangep");
        left = bound(range, "leftp");
        right = bound(range, "rightp");
    }
    return (unsigned)abs(left - right) + 1;
}

static unsigned basic_bits(const json_t *type) {
    int left, right;
    if (sscanf(text(type, "range"), "%d:%d", &left, &right) == 2) return (unsigned)abs(left - right) + 1;
    return verilog_tree_basic(*text(type, "keyword") ? text(type, "keyword") : text(type, "name"));
}

/* Returns the type that a type consists of or is an alias of. */
static const char *of(const json_t *type) {
    return *text(type, "refDTypep") && !is(text(type, "refDTypep"), "UNLINKED") ? text(type, "refDTypep")
                                                                                : text(type, "dtypep");
}

static void read_parts(struct verilog_tree *t, struct verilog_type *type, const json_t *list) {
    size_t n;
    const json_t *node;
    json_array_foreach(list, n, node) {
        verilog_tree_add_part(t, text(node, "name"), of(node))->value =
            verilog_tree_constant(text(first(node, "valuep"), "name"));
        ++type->parts;
    }
}

static void read_type(struct verilog_tree *t, const json_t *node) {
    static const struct {
        const char *type;
        enum verilog_type_kind kind;
    } kinds[] = {{"BASICDTYPE", VERILOG_BASIC},       {"REFDTYPE", VERILOG_ALIAS},
                 {"DEFIMPLICITDTYPE", VERILOG_ALIAS}, {"ENUMDTYPE", VERILOG_ENUM},
                 {"PACKARRAYDTYPE", VERILOG_PACKED},  {"UNPACKARRAYDTYPE", VERILOG_UNPACKED},
                 {"STRUCTDTYPE", VERILOG_STRUCT},     {"UNIONDTYPE", VERILOG_UNION},
                 {"NODTYPE", VERILOG_BASIC},          {"VOIDDTYPE", VERILOG_BASIC},
                 {"CONSTDTYPE", VERILOG_ALIAS}};
    const char *name = text(node, "type");
    unsigned n = 0;
    while (n < sizeof kinds / sizeof kinds[0] && !is(name, kinds[n].type)) ++n;
    const bool known = n < sizeof kinds / sizeof kinds[0];
    struct verilog_type *type = verilog_tree_add_type(t, known ? kinds[n].kind : VERILOG_OTHER,
                                                      text(node, "addr"), of(node), text(node, "name"));
    switch (type->kind) {
    case VERILOG_BASIC: type->bits = is(name, "BASICDTYPE") ? basic_bits(node) : 0; return;
    case VERILOG_PACKED:
    case VERILOG_UNPACKED: type->bits = elements(node); return;
    case VERILOG_ENUM: read_parts(t, type, json_object_get(node, "itemsp")); return;
    case VERILOG_STRUCT:
    case VERILOG_UNION:
        type->unpacked = !json_is_true(json_object_get(node, "packed"));
        read_parts(t, type, json_object_get(node, "membersp"));
        return;
    default: return;
    }
}

static void read_types(struct verilog_tree *t, const json_t *tables) {
    size_t n, k;
    const json_t *table, *type;
    json_array_foreach(tables, n, table) {
        const json_t *list = json_object_get(table, "typesp");
        json_array_foreach(list, k, type) {
            read_type(t, type);
        }
    }
}

static void read_modules(struct verilog_tree *t, const json_t *modules, const char *top) {
    size_t n;
    const json_t *module;
    bool found = false;
    json_array_foreach(modules, n, module) {
        if (!is(text(module, "type"), "MODULE")) continue;
        struct verilog_scope *s = verilog_tree_add_scope(t, text(module, "addr"), text(module, "origName"));
        s->top = !found && is(s->name, top);
        found |= s->top;
        read_entries(t, json_object_get(module, "stmtsp"));
    }
}

/* Reads the files, with absolute paths. Older versions have them under one key only. */
static void read_files(struct verilog_tree *t, const json_t *files) {
    const char *key;
    const json_t *file;
    json_object_foreach((json_t *)files, key, file) {
        const char *path = text(file, "filename");
        verilog_tree_add_file(t, *path == '/' ? path : *path == '<' ? "" : text(file, "realpath"));
    }
}

static json_t *load(const char *path, struct error *e) {
    json_error_t why;
    json_t *root = json_load_file(path, 0, &why);
    if (!root)
        error_set(e, EXIT_USER,
                  "verilator's list of ports was cut short (line %d: %s): is there room on the disk of %.*s? "
                  "(TMPDIR names another)",
                  why.line, why.text, (int)(strrchr(path, '/') - path), path);
    return root;
}

bool verilog_tree_read_json(struct verilog_tree *t, const char *path, const char *files, const char *top,
                            struct error *e) {
    *t = (struct verilog_tree){0};
    json_t *root = load(path, e), *list = root ? load(files, e) : NULL;
    if (root && list) {
        read_modules(t, json_object_get(root, "modulesp"), top);
        read_types(t, json_object_get(root, "miscsp"));
        read_files(t, json_object_get(list, "files"));
    }
    const bool good = root && list;
    json_decref(root);
    json_decref(list);
    return good;
}

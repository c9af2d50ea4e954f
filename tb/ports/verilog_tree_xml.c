/* Reads the dump in XML, with expat. */
#include "tb/ports/verilog_tree.h"

#include <errno.h>
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 4096

/* Kind of an element, for the elements inside it. */
enum place {
    OTHER,
    FILES,    /* the list of files */
    MODULE,   /* a module, or a generated block in a module */
    VARIABLE, /* a variable of a module; a constant in it is the value */
    ARRAY,    /* an array, the last type; constants in it are the bounds */
    RECORD,   /* a struct or union, the last type; the members follow */
    ITEMS,    /* an enumeration, the last type; its names follow */
    ITEM      /* a name of an enumeration; a constant in it is the value */
};

/* Place in the source at which a variable or member (index in the tree) or a type is named. */
struct named {
    char file[8];
    unsigned line, column;
    bool member, reference; /* reference: to a type, whose id is that of `index` */
    unsigned index, times;  /* times: number of instances and declarators with this place */
};

struct reader {
    struct verilog_tree *tree;
    unsigned depth;
    unsigned bounds; /* number of bounds of the array that have been read */
    int left;
    bool inside; /* the reader is within a module */
    bool whole;
    unsigned count;
    struct named *named;
    unsigned char place[MAX_DEPTH];
};

static const char *attribute(const XML_Char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (strcmp(*attributes, name) == 0) return attributes[1];
    return "";
}

static bool is(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

static enum place place_around(const struct reader *r) {
    return r->depth ? r->place[r->depth - 1] : OTHER;
}

/* --- enumerations: the dump omits them from types --- */

static void note(struct reader *r, const XML_Char **a, bool member, bool reference, unsigned index) {
    if ((r->count & (r->count - 1)) == 0) {
        r->named = reallocarray(r->named, r->count ? 2 * (size_t)r->count : 1, sizeof *r->named);
        require_memory(r->named);
    }
    struct named *n = &r->named[r->count];
    *n = (struct named){.member = member, .reference = reference, .index = index, .times = 1};
    if (sscanf(attribute(a, "loc"), "%7[^,],%u,%u", n->file, &n->line, &n->column) == 3) ++r->count;
}

static int by_place(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    const int file = strcmp(x->file, y->file);
    if (file) return file;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool same_place(const struct named *a, const struct named *b) {
    return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0;
}

/* Returns the enumeration with a name, which is a `vartype` or a reference's: state_t means mine::state_t. */
static const struct verilog_type *enumeration(const struct verilog_tree *t, const char *name,
                                              const char *of) {
    for (unsigned n = 0; n < t->types; ++n) {
        const struct verilog_type *type = &t->type[n];
        const char *own = strrchr(type->name, ':');
        if (type->kind == VERILOG_ENUM && strcmp(own ? own + 1 : type->name, name) == 0 &&
            strcmp(type->of, of) == 0)
            return type;
    }
    return NULL;
}

static char **type_of(struct verilog_tree *t, const struct named *n) {
    return n->member ? &t->part[n->index].type : &t->entry[n->index].type;
}

/* Assigns an enumeration to a variable or member, if its elements have the same width. */
static void give(struct verilog_tree *t, const struct named *n, const struct verilog_type *names) {
    const struct verilog_type *type = verilog_tree_type(t, *type_of(t, n));
    while (type && (type->kind == VERILOG_PACKED || type->kind == VERILOG_UNPACKED))
        type = verilog_tree_type(t, type->of);
    char **to = n->member ? &t->part[n->index].enumeration : &t->entry[n->index].enumeration;
    if (!type || strcmp(type->id, names->of) != 0 || *to) return;
    *to = strdup(names->id);
    require_memory(*to);
}

/* Assigns enumerations by the names of the variables' types. */
static void find_named_enumerations(struct verilog_tree *t) {
    for (unsigned n = 0; n < t->entries; ++n) {
        struct verilog_entry *v = &t->entry[n];
        const struct verilog_type *names = v->enumeration ? enumeration(t, v->enumeration, v->type) : NULL;
        char *id = names ? strdup(names->id) : NULL;
        free(v->enumeration);
        v->enumeration = id;
    }
}

/* Assigns enumerations by place. A reference to an enumeration belongs to the names that follow it in its
 * line or the next. Their number is the number of references at the place. */
static void find_enumerations(struct reader *r) {
    struct verilog_tree *t = r->tree;
    if (r->count) qsort(r->named, r->count, sizeof *r->named, by_place);
    for (unsigned n = 0, next; n < r->count; n = next) {
        const struct named *from = &r->named[n];
        const struct verilog_type *type = from->reference ? &t->type[from->index] : NULL;
        const struct verilog_type *names = type ? enumeration(t, type->name, type->of) : NULL;
        unsigned left = 0;
        for (next = n; next < r->count && same_place(from, &r->named[next]); ++next) left += names != NULL;
        for (unsigned k = next; left && k < r->count && !r->named[k].reference; ++k, --left) {
            if (strcmp(r->named[k].file, from->file) != 0 || r->named[k].line > from->line + 1) break;
            give(t, &r->named[k], names);
        }
    }
    free(r->named);
}

/* --- elements --- */

static enum place start_module(struct reader *r, const XML_Char **a) {
    struct verilog_scope *s = verilog_tree_add_scope(r->tree, attribute(a, "name"), attribute(a, "origName"));
    s->top = is(attribute(a, "topModule"), "1");
    r->inside = true;
    return MODULE;
}

static enum place start_variable(struct reader *r, const XML_Char **a) {
    struct verilog_entry *v =
        verilog_tree_add_entry(r->tree, VERILOG_VARIABLE, attribute(a, "name"), attribute(a, "dtype_id"));
    verilog_tree_mangle(v, attribute(a, "origName"));
    v->direction =
        attribute(a, "dir")[0] == 'i' && attribute(a, "dir")[2] == 'o' ? 'b' : attribute(a, "dir")[0];
    v->local = is(attribute(a, "localparam"), "true");
    const char *vartype = attribute(a, "vartype");
    if (!*vartype) note(r, a, false, false, r->tree->entries - 1);
    v->enumeration = *vartype ? strdup(vartype) : NULL; /* name, until all types are known */
    v->parameter = v->local || is(attribute(a, "param"), "true");
    return VARIABLE;
}

static enum place start_type(struct reader *r, const char *element, const XML_Char **a) {
    static const struct {
        const char *element;
        enum verilog_type_kind kind;
        enum place place;
    } kinds[] = {{"basicdtype", VERILOG_BASIC, OTHER},
                 {"refdtype", VERILOG_ALIAS, OTHER},
                 {"enumdtype", VERILOG_ENUM, ITEMS},
                 {"packarraydtype", VERILOG_PACKED, ARRAY},
                 {"unpackarraydtype", VERILOG_UNPACKED, ARRAY},
                 {"structdtype", VERILOG_STRUCT, RECORD},
                 {"uniondtype", VERILOG_UNION, RECORD}};
    unsigned n = 0;
    while (n < sizeof kinds / sizeof kinds[0] && !is(element, kinds[n].element)) ++n;
    const bool known = n < sizeof kinds / sizeof kinds[0];
    struct verilog_type *t =
        verilog_tree_add_type(r->tree, known ? kinds[n].kind : VERILOG_OTHER, attribute(a, "id"),
                              attribute(a, "sub_dtype_id"), attribute(a, "name"));
    if (t->kind == VERILOG_BASIC)
        t->bits = *attribute(a, "left")
                      ? (unsigned)abs(atoi(attribute(a, "left")) - atoi(attribute(a, "right"))) + 1
                      : verilog_tree_basic(t->name);
    if (t->kind == VERILOG_ALIAS) note(r, a, false, true, r->tree->types - 1);
    r->bounds = 0;
    return known ? kinds[n].place : OTHER;
}

static enum place start_part(struct reader *r, const XML_Char **a) {
    verilog_tree_add_part(r->tree, attribute(a, "name"), attribute(a, "sub_dtype_id"));
    if (place_around(r) == RECORD) note(r, a, true, false, r->tree->parts - 1);
    ++r->tree->type[r->tree->types - 1].parts;
    return place_around(r) == ITEMS ? ITEM : OTHER;
}

static void add_bound(struct reader *r, int bound) {
    struct verilog_type *t = &r->tree->type[r->tree->types - 1];
    if (++r->bounds == 1) r->left = bound;
    if (r->bounds == 2) t->bits = (unsigned)abs(r->left - bound) + 1;
}

static void start_constant(struct reader *r, const char *text) {
    const uint64_t value = verilog_tree_constant(text);
    for (unsigned n = r->depth; n-- > 0;) {
        switch (r->place[n]) {
        case VARIABLE: r->tree->entry[r->tree->entries - 1].value = (unsigned)value; return;
        case ITEM: r->tree->part[r->tree->parts - 1].value = value; return;
        case ARRAY: add_bound(r, (int)value); return;
        case OTHER: break; /* a range */
        default: return;
        }
    }
}

static bool ends_in_type(const char *element) {
    const size_t length = strlen(element);
    return length > 5 && is(element + length - 5, "dtype");
}

static enum place start_element(struct reader *r, const char *element, const XML_Char **a) {
    const enum place around = place_around(r);
    if (is(element, "files")) return FILES;
    if (is(element, "file") && around == FILES) verilog_tree_add_file(r->tree, attribute(a, "filename"));
    if (is(element, "module")) return start_module(r, a);
    if (is(element, "var") && around == MODULE) return start_variable(r, a);
    if (is(element, "var") && r->inside)
        verilog_tree_add_entry(r->tree, VERILOG_LOCAL, attribute(a, "name"), attribute(a, "dtype_id"));
    if (is(element, "instance") && around == MODULE)
        verilog_tree_add_entry(r->tree, VERILOG_INSTANCE, attribute(a, "name"), attribute(a, "defName"));
    if (is(element, "begin") && around == MODULE) {
        verilog_tree_add_entry(r->tree, VERILOG_BLOCK, attribute(a, "name"), "");
        return MODULE;
    }
    if (is(element, "const")) start_constant(r, attribute(a, "name"));
    if (is(element, "memberdtype") || is(element, "enumitem"))
        return around == RECORD || around == ITEMS ? start_part(r, a) : OTHER;
    return ends_in_type(element) ? start_type(r, element, a) : OTHER;
}

static void start(void *context, const XML_Char *element, const XML_Char **attributes) {
    struct reader *r = context;
    const enum place place = start_element(r, element, attributes);
    if (r->depth < MAX_DEPTH) r->place[r->depth] = (unsigned char)place;
    if (r->depth < MAX_DEPTH - 1) ++r->depth;
}

static void end(void *context, const XML_Char *element) {
    struct reader *r = context;
    if (r->depth) --r->depth;
    if (is(element, "module")) r->inside = false;
    if (is(element, "begin") && r->place[r->depth] == MODULE)
        verilog_tree_add_entry(r->tree, VERILOG_BLOCK_END, "", "");
    r->whole = is(element, "verilator_xml");
}

bool verilog_tree_read_xml(struct verilog_tree *t, const char *path, struct error *e) {
    char bytes[16384];
    size_t n;
    struct reader r = {.tree = t};
    *t = (struct verilog_tree){0};
    FILE *in = fopen(path, "r");
    if (!in) return error_set(e, EXIT_USER, "%s: verilator did not write it: %s", path, strerror(errno));
    XML_Parser parser = XML_ParserCreate(NULL);
    require_memory(parser);
    XML_SetUserData(parser, &r);
    XML_SetElementHandler(parser, start, end);
    enum XML_Status status = XML_STATUS_OK;
    do {
        n = fread(bytes, 1, sizeof bytes, in);
        status = XML_Parse(parser, bytes, (int)n, n == 0);
    } while (n > 0 && status == XML_STATUS_OK);
    fclose(in);
    XML_ParserFree(parser);
    find_named_enumerations(t);
    find_enumerations(&r);
    return (status == XML_STATUS_OK && r.whole) ||
           error_set(e, EXIT_USER,
                     "verilator's list of ports was cut short: is there room on the disk of %.*s? (TMPDIR "
                     "names another)",
                     (int)(strrchr(path, '/') - path), path);
}

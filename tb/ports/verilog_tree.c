#include "tb/ports/verilog_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_PATH  1024
#define MAX_DEPTH 64 /* limit of nested instances, blocks, structs and aliases */

/* --- building --- */

/* Returns an array with room for an element after the first n. Its capacity is the next power of two. */
static void *grow(void *array, unsigned n, size_t size) {
    if (n & (n - 1)) return array;
    void *larger = reallocarray(array, n ? 2 * (size_t)n : 1, size);
    require_memory(larger);
    return larger;
}

static char *copy(const char *text) {
    char *c = strdup(text ? text : "");
    require_memory(c);
    return c;
}

struct verilog_type *verilog_tree_add_type(struct verilog_tree *t, enum verilog_type_kind kind,
                                           const char *id, const char *of, const char *name) {
    t->type = grow(t->type, t->types, sizeof *t->type);
    struct verilog_type *type = &t->type[t->types++];
    *type = (struct verilog_type){copy(id), copy(of), copy(name), kind, false, 0, t->parts, 0};
    return type;
}

struct verilog_part *verilog_tree_add_part(struct verilog_tree *t, const char *name, const char *type) {
    t->part = grow(t->part, t->parts, sizeof *t->part);
    struct verilog_part *p = &t->part[t->parts++];
    *p = (struct verilog_part){copy(name), copy(type), NULL, 0};
    return p;
}

struct verilog_entry *verilog_tree_add_entry(struct verilog_tree *t, enum verilog_entry_kind kind,
                                             const char *name, const char *type) {
    t->entry = grow(t->entry, t->entries, sizeof *t->entry);
    struct verilog_entry *n = &t->entry[t->entries++];
    *n = (struct verilog_entry){.kind = kind, .name = copy(name), .type = copy(type)};
    n->mangled = copy(name);
    if (t->scopes) ++t->scope[t->scopes - 1].count;
    return n;
}

void verilog_tree_mangle(struct verilog_entry *v, const char *mangled) {
    if (!*mangled) return;
    free(v->mangled);
    v->mangled = copy(mangled);
}

struct verilog_scope *verilog_tree_add_scope(struct verilog_tree *t, const char *id, const char *name) {
    t->scope = grow(t->scope, t->scopes, sizeof *t->scope);
    struct verilog_scope *s = &t->scope[t->scopes++];
    *s = (struct verilog_scope){copy(id), copy(name), false, t->entries, 0};
    return s;
}

void verilog_tree_add_file(struct verilog_tree *t, const char *path) {
    struct stat s;
    char *more;
    if (path[0] != '/' || stat(path, &s) != 0 || !S_ISREG(s.st_mode)) return;
    require_memory(asprintf(&more, "%s%s\n", t->files ? t->files : "", path) >= 0);
    free(t->files);
    t->files = more;
}

uint64_t verilog_tree_constant(const char *text) {
    const char *h = text ? strrchr(text, 'h') : NULL;
    return h ? strtoull(h + 1, NULL, 16) : 0;
}

unsigned verilog_tree_basic(const char *name) {
    static const struct {
        const char *name;
        unsigned bits;
    } known[] = {{"bit", 1},  {"logic", 1},    {"byte", 8},      {"shortint", 16},
                 {"int", 32}, {"integer", 32}, {"time", 64},     {"longint", 64},
                 {"real", 0}, {"double", 0},   {"shortreal", 0}, {"event", 0}};
    for (unsigned n = 0; n < sizeof known / sizeof known[0]; ++n)
        if (strcmp(name, known[n].name) == 0) return known[n].bits;
    return 0;
}

void verilog_tree_free(struct verilog_tree *t) {
    for (unsigned n = 0; n < t->types; ++n) free(t->type[n].id), free(t->type[n].of), free(t->type[n].name);
    for (unsigned n = 0; n < t->parts; ++n)
        free(t->part[n].name), free(t->part[n].type), free(t->part[n].enumeration);
    for (unsigned n = 0; n < t->entries; ++n)
        free(t->entry[n].name), free(t->entry[n].type), free(t->entry[n].mangled),
            free(t->entry[n].enumeration);
    for (unsigned n = 0; n < t->scopes; ++n) free(t->scope[n].id), free(t->scope[n].name);
    free(t->type);
    free(t->part);
    free(t->entry);
    free(t->scope);
    free(t->files);
    *t = (struct verilog_tree){0};
}

/* --- queries --- */

const struct verilog_scope *verilog_tree_top(const struct verilog_tree *t) {
    for (unsigned n = 0; n < t->scopes; ++n)
        if (t->scope[n].top) return &t->scope[n];
    return NULL;
}

const struct verilog_entry *verilog_tree_next(const struct verilog_tree *t, const struct verilog_entry *v) {
    const struct verilog_scope *s = verilog_tree_top(t);
    unsigned depth = 0;
    if (!s) return NULL;
    for (unsigned n = v ? (unsigned)(v - t->entry) + 1 : s->first; n < s->first + s->count; ++n) {
        if (t->entry[n].kind == VERILOG_VARIABLE && depth == 0) return &t->entry[n];
        depth += t->entry[n].kind == VERILOG_BLOCK;
        depth -= t->entry[n].kind == VERILOG_BLOCK_END;
    }
    return NULL;
}

const struct verilog_entry *verilog_tree_find(const struct verilog_tree *t, const char *name) {
    const struct verilog_entry *v = NULL;
    while ((v = verilog_tree_next(t, v)) && strcmp(v->name, name) != 0) {}
    return v;
}

const struct verilog_type *verilog_tree_type(const struct verilog_tree *t, const char *id) {
    for (unsigned depth = 0, n = 0; depth < MAX_DEPTH && n < t->types; ++n) {
        if (strcmp(t->type[n].id, id) != 0) continue;
        if (t->type[n].kind != VERILOG_ALIAS) return &t->type[n];
        id = t->type[n].of;
        ++depth;
        n = (unsigned)-1;
    }
    return NULL;
}

static unsigned bits_of(const struct verilog_tree *t, const char *id, unsigned depth) {
    const struct verilog_type *type = verilog_tree_type(t, id);
    unsigned bits = 0;
    if (!type || depth == MAX_DEPTH) return 0;
    switch (type->kind) {
    case VERILOG_BASIC: return type->bits;
    case VERILOG_ENUM: return bits_of(t, type->of, depth + 1);
    case VERILOG_PACKED: return type->bits * bits_of(t, type->of, depth + 1);
    case VERILOG_STRUCT:
    case VERILOG_UNION: /* all members of a union have this width */
        for (unsigned n = type->first; !type->unpacked && n < type->first + type->parts; ++n)
            bits = (type->kind == VERILOG_UNION ? 0 : bits) + bits_of(t, t->part[n].type, depth + 1);
        return bits;
    default: return 0;
    }
}

unsigned verilog_tree_bits(const struct verilog_tree *t, const char *id) {
    return bits_of(t, id, 0);
}

static bool is_dynamic(const struct verilog_tree *t, const char *id, unsigned depth) {
    const struct verilog_type *type = verilog_tree_type(t, id);
    if (!type || depth == MAX_DEPTH) return false;
    if (type->kind == VERILOG_OTHER) return true;
    if (type->kind == VERILOG_BASIC) return strcmp(type->name, "string") == 0;
    if (type->kind == VERILOG_PACKED || type->kind == VERILOG_UNPACKED)
        return is_dynamic(t, type->of, depth + 1);
    for (unsigned n = type->first; type->kind != VERILOG_ENUM && n < type->first + type->parts; ++n)
        if (is_dynamic(t, t->part[n].type, depth + 1)) return true;
    return false;
}

bool verilog_tree_is_dynamic(const struct verilog_tree *t) {
    for (unsigned n = 0; n < t->entries; ++n)
        if (t->entry[n].kind <= VERILOG_LOCAL && is_dynamic(t, t->entry[n].type, 0)) return true;
    return false;
}

/* --- a walk --- */

struct walk {
    const struct verilog_tree *tree;
    verilog_tree_see *see;
    void *context;
    char path[MAX_PATH];
};

/* Appends a name. Returns the length before, or MAX_PATH if the path is too long. */
static size_t enter(struct walk *w, const char *name) {
    const size_t length = strlen(w->path);
    const int n = snprintf(w->path + length, sizeof w->path - length, "%s%s", length ? " " : "", name);
    if (n >= 0 && length + (size_t)n < sizeof w->path) return length;
    w->path[length] = '\0';
    return MAX_PATH;
}

static void walk_type(struct walk *w, const struct verilog_entry *v, const char *id, const char *enumeration,
                      unsigned depth) {
    const struct verilog_tree *t = w->tree;
    const struct verilog_type *type = verilog_tree_type(t, id), *all = type;
    while (type && (type->kind == VERILOG_PACKED || type->kind == VERILOG_UNPACKED) && depth++ < MAX_DEPTH)
        type = verilog_tree_type(t, type->of);
    if (!type || depth >= MAX_DEPTH) return;
    const struct verilog_type *names = enumeration ? verilog_tree_type(t, enumeration) : type;
    w->see(w->context, w->path, v, all, names && names->kind == VERILOG_ENUM ? names : NULL);
    if (type->kind != VERILOG_STRUCT && type->kind != VERILOG_UNION) return;
    for (unsigned n = type->first; n < type->first + type->parts; ++n) {
        const size_t length = enter(w, t->part[n].name);
        if (length == MAX_PATH) continue;
        walk_type(w, v, t->part[n].type, t->part[n].enumeration, depth + 1);
        w->path[length] = '\0';
    }
}

static void walk_scope(struct walk *w, const struct verilog_scope *s, unsigned depth);

static void walk_instance(struct walk *w, const char *id, unsigned depth) {
    for (unsigned n = 0; n < w->tree->scopes; ++n)
        if (strcmp(w->tree->scope[n].id, id) == 0) walk_scope(w, &w->tree->scope[n], depth + 1);
}

static void walk_scope(struct walk *w, const struct verilog_scope *s, unsigned depth) {
    size_t length[MAX_DEPTH];
    unsigned blocks = 0;
    for (unsigned n = s->first; depth < MAX_DEPTH && n < s->first + s->count; ++n) {
        const struct verilog_entry *v = &w->tree->entry[n];
        if (v->kind == VERILOG_BLOCK_END) {
            if (--blocks < MAX_DEPTH && length[blocks] != MAX_PATH) w->path[length[blocks]] = '\0';
            continue;
        }
        const size_t before = enter(w, v->name);
        if (v->kind == VERILOG_BLOCK) {
            if (blocks < MAX_DEPTH) length[blocks] = before;
            ++blocks;
            continue;
        }
        if (before == MAX_PATH) continue;
        if (v->kind == VERILOG_VARIABLE) walk_type(w, v, v->type, v->enumeration, 0);
        if (v->kind == VERILOG_INSTANCE) walk_instance(w, v->type, depth);
        w->path[before] = '\0';
    }
}

void verilog_tree_walk(const struct verilog_tree *t, verilog_tree_see *see, void *context) {
    struct walk w = {t, see, context, ""};
    const struct verilog_scope *top = verilog_tree_top(t);
    if (top) walk_scope(&w, top, 0);
}

/*
 * verilog_tree: an elaborated design as Verilator dumps it: its modules, variables and types.
 *
 * Verilator writes the dump as XML (--xml-only, up to 5.042) or as JSON (--json-only, since 5.024). The
 * readers (verilog_tree_xml.c with expat, verilog_tree_json.c with jansson) fill the same structures.
 */
#ifndef TB_PORTS_VERILOG_TREE_H
#define TB_PORTS_VERILOG_TREE_H

#include "sim/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verilog_type_kind {
    VERILOG_BASIC,    /* bits, or a real, a string and so on */
    VERILOG_ALIAS,    /* another name of type `of` */
    VERILOG_ENUM,     /* parts: its names */
    VERILOG_PACKED,   /* array of `of` */
    VERILOG_UNPACKED, /* array of `of` */
    VERILOG_STRUCT,   /* parts: its members */
    VERILOG_UNION,    /* parts: its members */
    VERILOG_OTHER     /* a queue, a class, an interface and so on */
};

struct verilog_type {
    char *id, *of, *name;
    enum verilog_type_kind kind;
    bool unpacked;         /* the struct or union is unpacked */
    unsigned bits;         /* VERILOG_BASIC: width, 0 if not a vector; arrays: number of elements */
    unsigned first, parts; /* range in verilog_tree.part */
};

/* A member of a struct or union, or a name of an enumeration. */
struct verilog_part {
    char *name, *type; /* type: members only */
    char *enumeration; /* members: id of the enumeration, if `type` does not name it; else NULL */
    uint64_t value;    /* value of an enumeration's name */
};

enum verilog_entry_kind {
    VERILOG_VARIABLE,
    VERILOG_LOCAL,    /* variable of a function, a task or a procedure */
    VERILOG_INSTANCE, /* instance of module `type` */
    VERILOG_BLOCK,    /* generated block: contains the entries up to the matching VERILOG_BLOCK_END */
    VERILOG_BLOCK_END
};

struct verilog_entry {
    enum verilog_entry_kind kind;
    char *name, *type;
    char *mangled;         /* name in Verilator's C++ */
    char *enumeration;     /* id of the variable's enumeration, if `type` does not name it; else NULL */
    char direction;        /* 'i', 'o', 'b' (inout); 0: not a port */
    bool parameter, local; /* local: a localparam */
    unsigned value;        /* value of a parameter */
};

/* A module with its entries, in source order. */
struct verilog_scope {
    char *id, *name; /* name: in Verilator's C++, without the values of parameters */
    bool top;
    unsigned first, count; /* range in verilog_tree.entry */
};

struct verilog_tree {
    unsigned types, parts, entries, scopes;
    struct verilog_type *type;
    struct verilog_part *part;
    struct verilog_entry *entry;
    struct verilog_scope *scope;
    char *files; /* absolute paths of all files read, with a newline after each; NULL: none */
};

/* Read a dump. Return false with *e (EXIT_USER) if it cannot be read or is incomplete. Free *t in either
 * case. JSON also needs the list of files. `top` is the name of the top module. */
bool verilog_tree_read_xml(struct verilog_tree *t, const char *path, struct error *e);
bool verilog_tree_read_json(struct verilog_tree *t, const char *path, const char *files, const char *top,
                            struct error *e);
void verilog_tree_free(struct verilog_tree *t);

/* --- queries --- */

/* Returns NULL if there is none. */
const struct verilog_scope *verilog_tree_top(const struct verilog_tree *t);
/* Return a variable of the top module outside of its blocks: the next one after `v` (NULL: the first), or by
 * name. NULL: none. */
const struct verilog_entry *verilog_tree_next(const struct verilog_tree *t, const struct verilog_entry *v);
const struct verilog_entry *verilog_tree_find(const struct verilog_tree *t, const char *name);
/* Returns a type without aliases; NULL if it is not in the tree. */
const struct verilog_type *verilog_tree_type(const struct verilog_tree *t, const char *id);
/* Returns the width of a packed type; 0 if it is not a packed vector. */
unsigned verilog_tree_bits(const struct verilog_tree *t, const char *id);

/* Returns whether a variable has a value of changing size: a string, a queue, an object of a class. */
bool verilog_tree_is_dynamic(const struct verilog_tree *t);

/* Calls `see` for each variable of the design. path: names of instances, blocks and members of structs
 * separated by blanks, then the variable's, from the top module on without its own. Indices of arrays are not
 * part of a path. `enumeration` is the type of its elements, or NULL. */
typedef void verilog_tree_see(void *context, const char *path, const struct verilog_entry *v,
                              const struct verilog_type *type, const struct verilog_type *enumeration);
void verilog_tree_walk(const struct verilog_tree *t, verilog_tree_see *see, void *context);

/* --- for the readers --- */

struct verilog_type *verilog_tree_add_type(struct verilog_tree *t, enum verilog_type_kind kind,
                                           const char *id, const char *of, const char *name);
struct verilog_part *verilog_tree_add_part(struct verilog_tree *t, const char *name, const char *type);
struct verilog_entry *verilog_tree_add_entry(struct verilog_tree *t, enum verilog_entry_kind kind,
                                             const char *name, const char *type);
void verilog_tree_mangle(struct verilog_entry *v, const char *mangled);
struct verilog_scope *verilog_tree_add_scope(struct verilog_tree *t, const char *id, const char *name);
/* Adds an absolute path of a regular file; other paths are ignored. */
void verilog_tree_add_file(struct verilog_tree *t, const char *path);
/* Returns the value of 32'h10 or 32'sh10. */
uint64_t verilog_tree_constant(const char *text);
/* Returns the width of a basic type without a range by its name; 0 if it is not a vector. */
unsigned verilog_tree_basic(const char *name);

#endif

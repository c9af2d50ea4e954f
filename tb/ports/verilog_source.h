/*
 * verilog_source: the parts of a module, as arguments of Verilator.
 */
#ifndef TB_PORTS_VERILOG_SOURCE_H
#define TB_PORTS_VERILOG_SOURCE_H

#include "sim/error.h"

#include <stddef.h>

#define VERILOG_MAX_ITEMS 64

enum verilog_item_kind {
    VERILOG_FILE,      /* a path */
    VERILOG_FUNCTIONS, /* a path: C or C++, functions imported by DPI */
    VERILOG_INCLUDE,   /* -IFOLDER: searched for included files, and for modules by name */
    VERILOG_PARAMETER, /* -GNAME=VALUE */
    VERILOG_OPTION,    /* -DNAME[=VALUE], -Wno-NAME */
    VERILOG_BUILD      /* used only when the model is built: changes no port */
};

struct verilog_item {
    enum verilog_item_kind kind;
    char *text; /* argument of Verilator, except for functions */
};

struct verilog_source {
    char *top; /* top module; NULL: not named */
    bool pure; /* a user's source without state other than the flip-flops that a twin compares */
    unsigned count;
    struct verilog_item item[VERILOG_MAX_ITEMS]; /* parts; at least one is a file */
};

/* Adds the first `length` characters of text. Returns false if there are VERILOG_MAX_ITEMS. */
bool verilog_source_add(struct verilog_source *s, enum verilog_item_kind kind, const char *text,
                        size_t length);
void verilog_source_name(struct verilog_source *s, const char *top);
void verilog_source_copy(struct verilog_source *to, const struct verilog_source *from);
void verilog_source_free(struct verilog_source *s);

/* Makes all paths absolute and adds the files' folders after the given ones. Returns false with *e
 * (EXIT_USER) if something is missing. */
bool verilog_source_resolve(struct verilog_source *s, struct error *e);

/* Returns whether one of the files contains `module NAME`, even in a comment. */
bool verilog_source_declares(const struct verilog_source *s, const char *module);

/* Makes a source of a single file and its module. Returns false with *e (EXIT_USER) if it is missing; free it
 * in either case. */
bool verilog_source_one(struct verilog_source *s, const char *file, const char *top, struct error *e);

/* Returns the first file. */
const char *verilog_source_file(const struct verilog_source *s);

#endif

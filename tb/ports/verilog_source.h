/*
 * verilog_source: what a module is made of, as it is given to Verilator.
 */
#ifndef TB_PORTS_VERILOG_SOURCE_H
#define TB_PORTS_VERILOG_SOURCE_H

#include "sim/error.h"

#include <stddef.h>

#define VERILOG_MAX_ITEMS 64

enum verilog_item_kind {
    VERILOG_FILE,      /* a path */
    VERILOG_FUNCTIONS, /* a path: C or C++, functions that are imported by DPI */
    VERILOG_INCLUDE,   /* -IFOLDER: where files are looked for that are included, and modules by their name */
    VERILOG_PARAMETER, /* -GNAME=VALUE */
    VERILOG_OPTION,    /* -DNAME[=VALUE], -Wno-NAME */
    VERILOG_BUILD      /* only when the model is built: it changes no port */
};

struct verilog_item {
    enum verilog_item_kind kind;
    char *text; /* Verilator's argument, but that of functions */
};

struct verilog_source {
    char *top; /* the module; NULL: not named */
    bool pure; /* a user's: it has no state but the flip-flops that a twin compares */
    unsigned count;
    struct verilog_item item[VERILOG_MAX_ITEMS]; /* at least one file */
};

/* The first `length` characters of text. False: it has VERILOG_MAX_ITEMS. */
bool verilog_source_add(struct verilog_source *s, enum verilog_item_kind kind, const char *text,
                        size_t length);
void verilog_source_name(struct verilog_source *s, const char *top);
void verilog_source_copy(struct verilog_source *to, const struct verilog_source *from);
void verilog_source_free(struct verilog_source *s);

/* Makes all paths absolute and adds, after the folders that are given, those of the files. False and *e
 * (EXIT_USER) if something is not there. */
bool verilog_source_resolve(struct verilog_source *s, struct error *e);

/* Returns whether one of the files has `module NAME`, be it in a comment. */
bool verilog_source_declares(const struct verilog_source *s, const char *module);

/* A single file and its module. False and *e (EXIT_USER) if it is not there; free it in either case. */
bool verilog_source_one(struct verilog_source *s, const char *file, const char *top, struct error *e);

/* The first file. */
const char *verilog_source_file(const struct verilog_source *s);

#endif

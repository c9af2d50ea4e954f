/*
 * verilog_files: what a module is made of: its file, and of the files beside it those whose names it, or
 * another of them, has in its text. A result depends on these, and stays what it is when others change.
 *
 * Synthesis reads `tokens`, so a result does not depend on comments, on the layout of the text, or on the
 * folder: Yosys makes names of lines and paths, and the order of names changes what ABC makes.
 */
#ifndef SYNTHESIS_VERILOG_FILES_H
#define SYNTHESIS_VERILOG_FILES_H

#include "sim/error.h"

#include <stddef.h>

struct verilog_file {
    char *stem, *path; /* "warp_scheduler", "FOLDER/warp_scheduler.sv" */
    char *text;        /* without comments */
    char *tokens;      /* without the spaces and ends of lines that mean nothing, too */
};

struct verilog_files {
    struct verilog_file *file; /* the module's own first, then as they are named */
    size_t count;
};

/* False and *e (EXIT_USER) if FOLDER/TOP.sv, or one that it needs, cannot be read or is empty. Free it in
 * either case. */
bool verilog_files_read(struct verilog_files *f, const char *folder, const char *top, struct error *e);
void verilog_files_free(struct verilog_files *f);

#endif

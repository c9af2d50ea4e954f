/*
 * verilog_files: the files of a module: its own, and all files in the same folder whose names occur in the
 * text of one of them. A result depends on these files only.
 *
 * Synthesis reads `tokens`, so a result does not depend on comments, on the layout of the text, or on the
 * folder. Yosys makes names from lines and paths, and the order of names changes the result of ABC.
 */
#ifndef SYNTHESIS_VERILOG_FILES_H
#define SYNTHESIS_VERILOG_FILES_H

#include "sim/error.h"

#include <stddef.h>

struct verilog_file {
    char *stem, *path; /* "warp_scheduler", "FOLDER/warp_scheduler.sv" */
    char *text;        /* text without comments */
    char *tokens;      /* text without comments and meaningless blanks and ends of lines */
};

struct verilog_files {
    struct verilog_file *file; /* the module's own file first, then the others in the order in which they
                                  are named */
    size_t count;
};

/* Reads the files of a module. Returns false with *e (EXIT_USER) if FOLDER/TOP.sv, or a file that it needs,
 * cannot be read or is empty. Free *f in either case. */
bool verilog_files_read(struct verilog_files *f, const char *folder, const char *top, struct error *e);
void verilog_files_free(struct verilog_files *f);

#endif

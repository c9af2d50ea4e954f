/*
 * verilated_dpi: C and C++ files of a user's design, with functions imported by DPI.
 *
 * A file in C is compiled by gcc, one in C++ by g++, with the source's folders and macros (-I, -D), and
 * linked with the design: each library has its own static variables, which exist as long as it.
 */
#ifndef TB_VERILATED_DPI_H
#define TB_VERILATED_DPI_H

#include "tb/ports/tool.h"
#include "tb/ports/verilog_source.h"

/* Adds to *files (with a newline after each) the files that they include, except Verilator's output. Returns
 * false with *e (EXIT_USER) if the compiler refuses them. */
bool verilated_dpi_headers(const struct verilog_source *s, const struct tool_folder *folder, char **files,
                           struct error *e);

/* Makes the objects in the folder of Verilator's output; their names, NULL after the last, go to `objects`,
 * with room for VERILOG_MAX_ITEMS + 1. */
bool verilated_dpi_compile(const struct verilog_source *s, const struct tool_folder *folder, char *objects[],
                           struct error *e);
void verilated_dpi_free(char *objects[]);

#endif

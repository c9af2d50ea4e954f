/*
 * verilog_review: properties of a design that Verilator does not report and that affect a run of Lockstep: Z,
 * intended latches (always_latch), random values without a seed, modules without an instance.
 *
 * The text is read after Verilator's preprocessor, so macros are expanded, included files are present and
 * code excluded by `ifdef` is not. It is read word by word, not parsed: the word before a constant with Z
 * tells whether casez compares it or it drives a signal. Z from a function's result is not found.
 */
#ifndef TB_PORTS_VERILOG_REVIEW_H
#define TB_PORTS_VERILOG_REVIEW_H

#include "tb/ports/verilog_notices.h"

/* Adds the findings in a source's files, and in `files` (paths, with a newline after each: all that Verilator
 * read; NULL: none). A source that cannot be preprocessed has no findings: Verilator reports the reason. */
void verilog_review(struct verilog_notices *n, const struct verilog_source *source, const char *files,
                    const struct tool_folder *f);

/* Returns the modules of a source's files without an instance: "a, b"; "" if there are none. To be freed. */
char *verilog_review_tops(const struct verilog_source *source, const struct tool_folder *f);

#endif

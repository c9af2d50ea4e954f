/*
 * verilog_review: what Verilator does not say of a design and a run of Lockstep depends on: Z, latches that
 * are meant (always_latch), random values without a seed, modules that nothing instantiates.
 *
 * The text is read after Verilator's preprocessor, so macros are expanded, included files are there and what
 * `ifdef` leaves out is not. It is read by words, not parsed: constants with Z that a casez compares are told
 * from those that drive something by the word before them. Not seen: Z from a function's result.
 */
#ifndef TB_PORTS_VERILOG_REVIEW_H
#define TB_PORTS_VERILOG_REVIEW_H

#include "tb/ports/verilog_notices.h"

/* Adds what it finds in a source's files, and in `files` (paths, a newline after each: all that Verilator
 * read; NULL: no more). A source that cannot be preprocessed gives nothing: Verilator says why. */
void verilog_review(struct verilog_notices *n, const struct verilog_source *source, const char *files,
                    const struct tool_folder *f);

/* The modules of a source's files that no other instantiates: "a, b"; "" if there is none. To be freed. */
char *verilog_review_tops(const struct verilog_source *source, const struct tool_folder *f);

#endif

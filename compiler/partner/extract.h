/*
 * extract: moves work of a kernel to its scalar thread (scalar-unit.md §2, Fig. 14), as OpenCL C: the work of
 * one work-item, `if (get_local_id(0) == K) S`, and runs of declarations with values that are uniform in a
 * work-group. Variables that S needs go through shared local memory, as do its results; meanwhile the kernel
 * waits at lockstep_sync(1).
 */
#ifndef COMPILER_EXTRACT_H
#define COMPILER_EXTRACT_H

#include "compiler/partner/partner_parts.h"

struct extract_options {
    unsigned least; /* smallest number of operations of a run of declarations */
};

/* Appends the scalar kernel `name` to *text, and changes the kernel by *edits. Returns false if there is no
 * work to move. */
bool extract_make(const struct kernel_slice *s, const struct extract_options *options, const char *name,
                  struct edits *edits, struct text *text, partner_note *note, void *context);

#endif

/*
 * extract: work of a kernel that its scalar thread does instead (scalar-unit.md §2, Fig. 14), as OpenCL C:
 * what one work-item does, `if (get_local_id(0) == K) S`, and rows of declarations whose values are the same
 * for a whole work-group. What S needs of the work-item's variables goes through shared local memory, and
 * what it changes comes back; the kernel itself waits at lockstep_sync(1) meanwhile.
 */
#ifndef COMPILER_EXTRACT_H
#define COMPILER_EXTRACT_H

#include "compiler/partner_parts.h"

struct extract_options {
    unsigned least; /* operations of a row of declarations */
};

/* Appends the scalar kernel to *text, by the name of `name`, and changes the kernel by *edits. False: there
 * is nothing to take from it. */
bool extract_make(const struct kernel_slice *s, const struct extract_options *options, const char *name,
                  struct edits *edits, struct text *text, partner_note *note, void *context);

#endif

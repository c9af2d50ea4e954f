/*
 * remap: loops that work-items leave at different times, with a scalar thread that hands the rest of the work
 * to the first work-items of the group after each turn (scalar-unit.md §2, Figs. 11 and 12), as OpenCL C.
 * What a work-item keeps from turn to turn lies in local memory, where who takes its work over finds it. When
 * no more go on than a warp has, each does the rest of its work without. Of a kernel with loops that are
 * marked, _Pragma("lockstep remap"), those alone are remapped.
 */
#ifndef COMPILER_REMAP_H
#define COMPILER_REMAP_H

#include "compiler/partner_parts.h"

/* Appends the scalar kernel to *text, by the name of `name`, and changes the kernel by *edits. False: there
 * is no loop to remap. */
bool remap_make(const struct kernel_slice *s, unsigned warp_size, const char *name, struct edits *edits,
                struct text *text, partner_note *note, void *context);

#endif

/*
 * remap: loops that work-items leave at different times, with a scalar thread that moves the remaining work
 * to the first work-items of the group after each iteration (scalar-unit.md §2, Figs. 11 and 12), as OpenCL
 * C. State that a work-item keeps between iterations is in local memory, where the work-item that takes over
 * finds it. When the remaining work-items fit one warp, each finishes alone. If a kernel has marked loops,
 * _Pragma("lockstep remap"), only those are remapped.
 */
#ifndef COMPILER_REMAP_H
#define COMPILER_REMAP_H

#include "compiler/partner/partner_parts.h"

/* Appends the scalar kernel `name` to *text, and changes the kernel by *edits. Returns false if there is no
 * loop to remap. */
bool remap_make(const struct kernel_slice *s, unsigned warp_size, const char *name, struct edits *edits,
                struct text *text, partner_note *note, void *context);

#endif

/*
 * meetings: where threads that diverge at a branch of the SIMT code reconverge, and where the source allows
 * it.
 *
 * A meeting is late if code after the statement at whose end the sides meet in the source is executed by each
 * side separately: a pass of LLVM has copied it. No machine with re-convergence stacks then executes it with
 * all threads (docs/compiler.md, "Structured SIMT code").
 */
#ifndef COMPILER_MEETINGS_H
#define COMPILER_MEETINGS_H

#include "compiler/source/meeting_source.h"

#include <jansson.h>

/* Adds a line for each divergent branch of an image's SIMT code. `kernels`: objects of the image's note. */
void meetings_list(const struct meeting_source *source, const struct text *image, const json_t *kernels,
                   struct text *listing);

/* Adds a warning for each divergent branch whose meeting is late. */
void meetings_warn(const struct meeting_source *source, const struct text *image, const json_t *kernels,
                   struct text *log);

#endif

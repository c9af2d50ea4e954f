/*
 * meetings: where the threads that part at a branch of the SIMT code meet again, and where the source lets
 * them.
 *
 * A meeting is late if code behind the statement at whose end the source has the sides meet is executed by
 * each side for itself: a pass of LLVM's has copied it. No machine with re-convergence stacks then runs it
 * with all threads (docs/compiler.md, "Structured SIMT code").
 */
#ifndef COMPILER_MEETINGS_H
#define COMPILER_MEETINGS_H

#include "compiler/meeting_source.h"

#include <jansson.h>

/* Adds a line for each divergent branch of an image's SIMT code. `kernels`: objects of the image's note. */
void meetings_list(const struct meeting_source *source, const struct text *image, const json_t *kernels,
                   struct text *listing);

/* Adds a warning for each divergent branch whose meeting is late. */
void meetings_warn(const struct meeting_source *source, const struct text *image, const json_t *kernels,
                   struct text *log);

#endif

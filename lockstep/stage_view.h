/*
 * stage_view: what lockstep-cc writes of one of its stages, for people: without what only tools read, and
 * with the source lines that it comes from.
 */
#ifndef LOCKSTEP_STAGE_VIEW_H
#define LOCKSTEP_STAGE_VIEW_H

#include "lockstep/source_lines.h"

enum stage {
    STAGE_TABLE,
    STAGE_PRIORITY,
    STAGE_COALESCED,
    STAGE_IR,
    STAGE_ASM,
    STAGE_SCALAR,
    STAGE_SCALAR_KERNEL,
    STAGE_MEETINGS
};

/* `text` is changed on the way. */
void stage_view_print(enum stage stage, char *text, const struct source_lines *source, FILE *out);

#endif

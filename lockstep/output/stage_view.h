/*
 * stage_view: output of a stage of lockstep-cc for readers: without parts that only tools need, and with the
 * source lines.
 */
#ifndef LOCKSTEP_STAGE_VIEW_H
#define LOCKSTEP_STAGE_VIEW_H

#include "lockstep/output/source_lines.h"

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

/* Changes `text`. */
void stage_view_print(enum stage stage, char *text, const struct source_lines *source, FILE *out);

#endif

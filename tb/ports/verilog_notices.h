/*
 * verilog_notices: what is to be said of a design, by name and place: Verilator's errors and warnings, and
 * what verilog_review.h finds.
 *
 * Only errors refuse a user's design. A warning has a name (Verilator's, WIDTH; or one of ours, in small
 * letters) and a meaning, which says what it means for a run of Lockstep.
 */
#ifndef TB_PORTS_VERILOG_NOTICES_H
#define TB_PORTS_VERILOG_NOTICES_H

#include "tb/ports/tool.h"
#include "tb/ports/verilog_source.h"

#include <stdio.h>

struct verilog_notice {
    bool error;
    char *name;  /* "WIDTH"; "" of an error without one */
    char *place; /* "/a/b.sv:3:5"; "" if it has none */
    char *text;  /* one line */
};

struct verilog_notices {
    unsigned count;
    struct verilog_notice *notice;
};

void verilog_notices_free(struct verilog_notices *n);

/* Adds one, unless there is the same already. */
void verilog_notices_add(struct verilog_notices *n, bool error, const char *name, const char *place,
                         const char *text);

/* Adds what Verilator printed. */
void verilog_notices_read(struct verilog_notices *n, const char *printed);

/* What a warning means here. */
const char *verilog_notices_meaning(const char *name);

/* Prints the errors, then the warnings: those of one name together below its meaning, at most `most` of each.
 */
void verilog_notices_print(FILE *out, const struct verilog_notices *n, unsigned most);

/* Runs Verilator and adds what it says of the source. False and *e (EXIT_USER) if it refuses it: the message
 * names the top module and has all errors (without errors, all warnings) that it has room for. */
bool verilog_notices_run(struct verilog_notices *n, char *const argv[], const struct tool_folder *f,
                         const struct verilog_source *source, struct error *e);

#endif

/*
 * verilog_notices: messages about a design, by name and place: Verilator's errors and warnings, and findings
 * of verilog_review.h.
 *
 * Only errors refuse a user's design. A warning has a name (Verilator's, WIDTH; or one of ours, in small
 * letters) and a meaning, which explains its effect on a run of Lockstep.
 */
#ifndef TB_PORTS_VERILOG_NOTICES_H
#define TB_PORTS_VERILOG_NOTICES_H

#include "tb/ports/tool.h"
#include "tb/ports/verilog_source.h"

#include <stdio.h>

struct verilog_notice {
    bool error;
    char *name;  /* "WIDTH"; "" for an error without a name */
    char *place; /* "/a/b.sv:3:5"; "" if it has none */
    char *text;  /* one line */
};

struct verilog_notices {
    unsigned count;
    struct verilog_notice *notice;
};

void verilog_notices_free(struct verilog_notices *n);

/* Adds a notice, unless the same one exists. */
void verilog_notices_add(struct verilog_notices *n, bool error, const char *name, const char *place,
                         const char *text);

/* Write notices to a file of the cache, and add those of such a file. */
void verilog_notices_save(FILE *out, const struct verilog_notices *n);
void verilog_notices_load(struct verilog_notices *n, FILE *in);

/* Adds the notices in Verilator's output. */
void verilog_notices_read(struct verilog_notices *n, const char *printed);

/* Returns the meaning of a warning. */
const char *verilog_notices_meaning(const char *name);

/* Prints the errors, then the warnings: those of one name together below its meaning, at most `most` of
 * each. */
void verilog_notices_print(FILE *out, const struct verilog_notices *n, unsigned most);

/* Runs Verilator and adds its messages about the source. Returns false with *e (EXIT_USER) if it refuses the
 * source: the message names the top module and has as many errors (without errors: warnings) as fit. */
bool verilog_notices_run(struct verilog_notices *n, char *const argv[], const struct tool_folder *f,
                         const struct verilog_source *source, struct error *e);

#endif

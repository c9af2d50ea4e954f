/*
 * log_line: an executed instruction as a line of text, in columns with at least two spaces between them:
 * cycle, warp (or core), work-group, PC, mask, instruction, FILE:LINE. The mask has the threads that
 * participate, position 0 in the lowest bit. Behind a slash it has the threads that passed the condition, if
 * some did not.
 */
#ifndef RECORDING_LOG_LINE_H
#define RECORDING_LOG_LINE_H

#include <stdint.h>
#include <stdio.h>

struct log_line {
    uint64_t cycle;
    const char *unit;      /* name of the cluster or SM */
    const char *kind;      /* "warp" or "core" */
    unsigned place;        /* number of the warp or core */
    const uint32_t *group; /* id of the work-group; NULL: unknown */
    uint32_t pc;
    unsigned positions; /* number of positions of the mask */
    uint64_t participating, passed;
    const char *text, *file; /* instruction; source file, "": unknown */
    unsigned line;           /* source line; 0: unknown */
};

#define LOG_LINE_BYTES 640

/* Writes the line of column names. */
void log_line_head(FILE *out);
/* Writes a line without its end; returns its length. */
size_t log_line_write(const struct log_line *l, char out[LOG_LINE_BYTES]);

/* Append a number to a text; return its end. */
char *log_line_hex(char *at, uint64_t n, unsigned digits); /* writes `digits` digits or more */
char *log_line_decimal(char *at, uint64_t n);

#endif

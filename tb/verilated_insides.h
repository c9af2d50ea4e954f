/*
 * verilated_insides: what is inside a user's design, for waveforms.
 *
 * Verilator makes, for waveforms of its own, a list of a design's signals and code that reads them all:
 * structs by member, memories of at most VERILATED_INSIDES_ROWS rows by row, generated and instantiated
 * scopes. Here that code is compiled with a header of ours in the place of Verilator's, which keeps the list
 * and puts the values side by side. A design that has it is evaluated as fast as one that has not, within 3
 * %.
 */
#ifndef TB_VERILATED_INSIDES_H
#define TB_VERILATED_INSIDES_H

#include "sim/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define VERILATED_INSIDES_ROWS "256"

struct verilated_enum {
    const char *name;
    unsigned count;
    const char *const *item;
    const uint64_t *value;
};

/* A signal: its bits are those of 32-bit words from `word` on. */
struct verilated_inside {
    const char *path; /* "instance struct member", or "memory[3]" */
    unsigned word, bits;
    bool real;                         /* of the C type double */
    const struct verilated_enum *type; /* NULL: of no enumeration */
};

struct verilated_insides {
    const struct verilated_inside *inside;
    unsigned count, words;
};

/* Verilator's arguments for it, NULL after the last. */
extern const char *const verilated_insides_arguments[];

/* Writes the header, to be called verilated_fst_c.h. */
void verilated_insides_write_header(FILE *out);

/* Defines what struct verilated_library has of it. `plain`: all of the design's state is in the bytes of its
 * objects, so that it can be kept and put back. */
void verilated_insides_write(FILE *out, bool plain);

/* Defines its left_out, from the text of each of Verilator's headers. */
void verilated_insides_begin_left_out(FILE *out);
void verilated_insides_write_left_out(FILE *out, const char *text);
void verilated_insides_end_left_out(FILE *out);

#endif

/*
 * verilated_insides: the insides of a user's design, for waveforms.
 *
 * The design is built with Verilator's own waveforms (--trace): structs by member, memories of at most
 * VERILATED_INSIDES_ROWS rows by row, generated and instantiated scopes. VerilatedVcdC writes them to a
 * VerilatedVcdFile that keeps the text in memory; verilated_vcd.h reads the text. Enumerations, parameters
 * and memories with more rows are known from the dump of the design. State is kept and put back by
 * VerilatedSerialize (--has_states).
 */
#ifndef TB_VERILATED_INSIDES_H
#define TB_VERILATED_INSIDES_H

#include "tb/ports/verilog_tree.h"

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

/* A signal, with its bits in 32-bit words from `word` on. */
struct verilated_inside {
    const char *path; /* "instance struct member", or "memory[3]" */
    unsigned word, bits;
    bool real;                         /* has the C type double */
    const struct verilated_enum *type; /* NULL: no enumeration */
};

struct verilated_insides {
    struct verilated_inside *inside;
    unsigned count, words;
};

/* The type of the signal at a path, which has no indices of arrays. A list ends with path NULL. */
struct verilated_inside_type {
    const char *path;
    const struct verilated_enum *type; /* NULL: a parameter, not a signal */
};

/* Verilator's arguments for insides, NULL after the last. */
extern const char *const verilated_insides_arguments[];

/* C++ that is compiled once and linked to each design. */
extern const char verilated_insides_support[];

/* Writes the parts of struct verilated_library for insides. `has_states`: the design's state can be saved and
 * restored. */
void verilated_insides_write(FILE *out, const struct verilog_tree *tree, bool has_states);

#endif

/*
 * explanation: the cycles of a run's launches by kernel, source line and cause. Cycles that belong to no
 * instruction of a kernel (start-up code, mode switches, cores without a work-group) are listed separately.
 * For each launch the sum is checked against its cycles.
 */
#ifndef LOCKSTEP_EXPLANATION_H
#define LOCKSTEP_EXPLANATION_H

#include "model/machine/machine.h"

#include <jansson.h>
#include <stdio.h>

#define EXPLANATION_SCHEMA_VERSION 1

struct explained_line {
    char *file; /* "?" if the compiler names no file */
    bool own;   /* the line is in the program's source, not in an included file or the device library */
    unsigned line;
    char *text; /* text of the line; NULL if not available */
    uint64_t cycles[MACHINE_CAUSE_COUNT];
    uint64_t scalar_cycles[SCALAR_CAUSE_COUNT]; /* cycles of scalar units */
    /* SIMT mode: thread-instructions; MIMD mode: instructions of the cores. */
    uint64_t instructions;
    uint64_t warps; /* SIMT mode: warp instructions */
    /* SIMT mode: see struct machine_profile. */
    uint64_t accesses, memory_lines, words, bank_cycles;
};

struct explained_kernel {
    char *name;
    enum machine_mode mode;
    /* Reason of mode auto for the first launch; NULL if the mode was given. */
    char *reason;
    uint32_t units; /* number of cores in MIMD mode, else 1 */
    uint64_t launches, cycles;
    bool whole;                          /* every launch ran to its end */
    uint64_t cause[MACHINE_CAUSE_COUNT]; /* cycles × units, by cause */
    /* Cycles of `cause` that belong to no instruction of the kernel. */
    uint64_t apart[MACHINE_CAUSE_COUNT];
    /* Number of scalar units with scalar threads; 0 if there are none. */
    uint32_t scalar_units;
    /* Cycles of the scalar units, by cause; those of EMPTY belong to no line. */
    uint64_t scalar_cause[SCALAR_CAUSE_COUNT];
    /* Lines; in source order after explanation_sort(). */
    struct explained_line *lines;
    size_t count;
};

struct explanation {
    /* Threads of a warp; bytes of a cache line. Set by the caller. */
    uint32_t warp_size, line_bytes;
    bool banked; /* local memory has banks; set by the caller */
    /* Kernels in the order of first launches; a kernel launched in both modes has two entries. */
    struct explained_kernel *kernels;
    size_t count;
};

/* Adds a launch that has just ended. rows: machine_profile(). */
void explanation_add(struct explanation *x, const struct machine_launch *launch,
                     const struct machine_result *result, bool whole, const struct machine_profile *rows);

/* Sorts the lines: the program's own source first. */
void explanation_sort(struct explanation *x);
void explanation_free(struct explanation *x);

/* Prints a table for each kernel. */
void explanation_print(const struct explanation *x, FILE *out);

/* Returns the kernels as JSON, with the names of causes; json_decref() it. */
json_t *explanation_document(const struct explanation *x);

#endif

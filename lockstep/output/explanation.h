/*
 * explanation: the cycles of a run's launches by kernel, source line and cause. Cycles that belong to no
 * instruction of a kernel (start-up code, mode switches, cores without work-group) are separate; the sum of
 * all is that of the launches, which is checked for each launch.
 */
#ifndef LOCKSTEP_EXPLANATION_H
#define LOCKSTEP_EXPLANATION_H

#include "model/machine/machine.h"

#include <jansson.h>
#include <stdio.h>

#define EXPLANATION_SCHEMA_VERSION 1

struct explained_line {
    char *file; /* "?" if the compiler names none */
    bool own;   /* in the program's source, not in an included file or the device library */
    unsigned line;
    char *text; /* NULL: not available */
    uint64_t cycles[MACHINE_CAUSE_COUNT];
    uint64_t scalar_cycles[SCALAR_CAUSE_COUNT]; /* cycles of scalar units */
    uint64_t instructions; /* SIMT: thread-instructions; MIMD: instructions of the cores */
    uint64_t warps;        /* SIMT: warp instructions */
    uint64_t accesses, memory_lines, words, bank_cycles; /* SIMT: see struct machine_profile */
};

struct explained_kernel {
    char *name;
    enum machine_mode mode;
    char *reason;   /* reason of mode auto for the first launch; NULL: not chosen */
    uint32_t units; /* cores in MIMD mode, else 1 */
    uint64_t launches, cycles;
    bool whole;                          /* every launch ran to its end */
    uint64_t cause[MACHINE_CAUSE_COUNT]; /* cycles × units by cause */
    uint64_t apart[MACHINE_CAUSE_COUNT]; /* cycles of `cause` that belong to no instruction of the kernel */
    uint32_t scalar_units;               /* scalar units with scalar threads; 0: none */
    uint64_t scalar_cause[SCALAR_CAUSE_COUNT]; /* cycles of the scalar units; EMPTY belongs to no line */
    struct explained_line *lines;              /* in source order after explanation_sort() */
    size_t count;
};

struct explanation {
    uint32_t warp_size, line_bytes;   /* threads; bytes of a cache line; set first */
    bool banked;                      /* local memory has banks; set first */
    struct explained_kernel *kernels; /* by first launch; a kernel in both modes is there twice */
    size_t count;
};

/* Adds a launch that has just ended; rows: machine_profile(). */
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

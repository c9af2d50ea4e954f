/*
 * explanation: where the cycles of a run's launches went, by kernel, source line and cause. The cycles that
 * went to no instruction of a kernel (start-up code, mode switches, cores without work-group) stand apart;
 * with them all adds up to the cycles of the launches, which is checked launch by launch.
 */
#ifndef LOCKSTEP_EXPLANATION_H
#define LOCKSTEP_EXPLANATION_H

#include "model/machine/machine.h"

#include <jansson.h>
#include <stdio.h>

#define EXPLANATION_SCHEMA_VERSION 1

struct explained_line {
    char *file; /* "?" where the compiler says none */
    bool own;   /* of the program's own source, not of an included file or the device library */
    unsigned line;
    char *text; /* NULL: not at hand */
    uint64_t cycles[MACHINE_CAUSE_COUNT];
    uint64_t scalar_cycles[SCALAR_CAUSE_COUNT]; /* of scalar units */
    uint64_t instructions;                      /* SIMT: thread-instructions; MIMD: of the cores */
};

struct explained_kernel {
    char *name;
    enum machine_mode mode;
    char *reason;   /* why mode auto chose it, of the first launch; NULL: it did not */
    uint32_t units; /* cores in MIMD mode, else 1 */
    uint64_t launches, cycles;
    bool whole;                                /* every launch ran to its end */
    uint64_t cause[MACHINE_CAUSE_COUNT];       /* cycles × units by cause */
    uint64_t apart[MACHINE_CAUSE_COUNT];       /* of these, what went to no instruction of the kernel */
    uint32_t scalar_units;                     /* with scalar threads; 0: none */
    uint64_t scalar_cause[SCALAR_CAUSE_COUNT]; /* their cycles; EMPTY belongs to no line */
    struct explained_line *lines;              /* in the order of the source once sorted */
    size_t count;
};

struct explanation {
    struct explained_kernel *kernels; /* in the order of their first launches; one in both modes twice */
    size_t count;
};

/* Adds a launch that has just ended: rows are machine_profile()'s. */
void explanation_add(struct explanation *x, const struct machine_launch *launch,
                     const struct machine_result *result, bool whole, const struct machine_profile *rows);

/* Puts the lines into order: the program's own source first. */
void explanation_sort(struct explanation *x);
void explanation_free(struct explanation *x);

/* A table for each kernel. */
void explanation_print(const struct explanation *x, FILE *out);

/* The kernels as JSON, every cause by its name; json_decref() it. */
json_t *explanation_document(const struct explanation *x);

#endif

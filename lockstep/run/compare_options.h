/*
 * compare_options: the command line of `lockstep compare`.
 */
#ifndef LOCKSTEP_COMPARE_OPTIONS_H
#define LOCKSTEP_COMPARE_OPTIONS_H

#include "lockstep/run/execution_options.h"
#include "lockstep/run/variants.h"

enum compare_format { COMPARE_TABLE, COMPARE_JSON, COMPARE_CSV };

struct compare_options {
    struct variants_options variants;
    struct execution_options execution;
    enum compare_format format;
    char ***programs; /* programs with their arguments, each NULL-terminated */
    size_t program_count;
};

/* Separator of programs, as in GNU parallel. */
#define COMPARE_SEPARATOR ":::"

/* Parses the command line; on a mistake or --help prints and exits. */
void compare_options_parse(struct compare_options *o, int argc, char **argv);
void compare_options_free(struct compare_options *o);

#endif

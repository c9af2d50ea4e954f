/*
 * compare_options: the command line of `lockstep compare`.
 */
#ifndef LOCKSTEP_COMPARE_OPTIONS_H
#define LOCKSTEP_COMPARE_OPTIONS_H

#include "lockstep/execution_options.h"
#include "lockstep/variants.h"

enum compare_format { COMPARE_TABLE, COMPARE_JSON, COMPARE_CSV };

struct compare_options {
    struct variants_options variants;
    struct execution_options execution;
    enum compare_format format;
    char ***programs; /* each is a program and its arguments, NULL-terminated */
    size_t program_count;
};

/* Between programs, as GNU parallel has it. */
#define COMPARE_SEPARATOR ":::"

/* Parses; on a mistake or --help prints and exits. */
void compare_options_parse(struct compare_options *o, int argc, char **argv);
void compare_options_free(struct compare_options *o);

#endif

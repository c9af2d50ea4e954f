/*
 * tools: location of the files that a run needs: Lockstep's own in the command's folder, and the program.
 */
#ifndef LOCKSTEP_TOOLS_H
#define LOCKSTEP_TOOLS_H

#include "sim/error.h"

#include <limits.h>

struct tools {
    char compiler[PATH_MAX]; /* lockstep-cc */
    char driver[PATH_MAX];   /* liblockstep_opencl.so */
    char rtl[PATH_MAX];      /* folder of our Verilog: ../rtl */
    char configs[PATH_MAX];  /* folder of our machines: ../configs */
};

/* Finds Lockstep's own files in the folder of the running executable. Returns false with *e (EXIT_USER) if
 * one is missing. */
bool tools_find(struct tools *t, struct error *e);

/* Checks that a program exists and may be executed, by the shell's rules: a name with a slash directly, else
 * on PATH. Returns false with *e (EXIT_NOT_FOUND or EXIT_CANNOT_RUN) otherwise. */
bool tools_check_program(const char *name, struct error *e);

#endif

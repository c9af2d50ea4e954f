/*
 * version: the output of `lockstep --version`: the version of the command, the commit from which it was
 * built, and the versions of the tools that it runs.
 */
#ifndef LOCKSTEP_VERSION_H
#define LOCKSTEP_VERSION_H

#include <argp.h>
#include <stdio.h>

/* Prints the versions; an argp_program_version_hook. A tool that is not on PATH, or does not print its
 * version, is "not found". */
void version_print(FILE *out, struct argp_state *state);

#endif

/*
 * arguments: the command line of a subcommand.
 */
#ifndef LOCKSTEP_ARGUMENTS_H
#define LOCKSTEP_ARGUMENTS_H

#include <argp.h>

/* Parses the command line with argp_parse(). The message for an unknown option names the most similar one. */
void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

#endif

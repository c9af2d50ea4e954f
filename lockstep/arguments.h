/*
 * arguments: the command line of a subcommand.
 */
#ifndef LOCKSTEP_ARGUMENTS_H
#define LOCKSTEP_ARGUMENTS_H

#include <argp.h>

/* argp_parse(), but an option that does not exist is told with the nearest one that does. */
void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

#endif

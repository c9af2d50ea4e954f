/*
 * arguments: the command line of a subcommand.
 */
#ifndef LOCKSTEP_ARGUMENTS_H
#define LOCKSTEP_ARGUMENTS_H

#include <argp.h>

/* Does argp_parse(); the message for an unknown option names the most similar one. */
void arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

#endif

/*
 * command: declarations shared by the subcommands of `lockstep`. A subcommand is a file NAME_command.c of
 * this folder that ends with its row, `const struct command_row command_NAME`. The subcommand has the file's
 * name, with - for _.
 */
#ifndef LOCKSTEP_COMMAND_H
#define LOCKSTEP_COMMAND_H

#include "sim/error.h"

#define LOCKSTEP_VERSION "0.1.0"

struct command_row {
    unsigned position; /* position in the list of commands in the help */
    const char *line;  /* line in the help */
    /* Executes the subcommand. Arguments begin with its own name. Returns the exit status of the process
     * (sim/error.h). */
    int (*function)(int argc, char **argv);
};

/* Prints "lockstep: MESSAGE" to standard error; returns the error's exit status. */
int command_fail(const struct error *e);

#endif

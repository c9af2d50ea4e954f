/*
 * tool: another program, run to its end, in a folder of its own.
 *
 * While there is such a folder SIGINT, SIGTERM, SIGHUP and SIGQUIT wait: a tool that runs is stopped at once,
 * and the signal does what it would have done when the folder has been removed.
 */
#ifndef TB_PORTS_TOOL_H
#define TB_PORTS_TOOL_H

#include "sim/error.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>

struct tool_folder {
    char path[PATH_MAX];
    sigset_t before; /* of blocked signals */
};

/* A folder of its own under `parent` that tool_folder_remove() removes with what is in it (files only). Those
 * of programs that were killed go, too, when they are a day old. */
bool tool_folder_make(struct tool_folder *f, const char *parent, struct error *e);
void tool_folder_remove(const struct tool_folder *f);

/* Runs argv, looked up on PATH, in the folder (its temporary files are there, too), with no input. False and
 * *e (EXIT_USER) if it cannot be run or fails: `refuses`, or the command if that is NULL, and the beginning
 * of what it printed. */
bool tool_run(char *const argv[], const struct tool_folder *f, const char *refuses, struct error *e);

/* The same, with what the program prints, without the newlines at its end. */
bool tool_ask(char *const argv[], const struct tool_folder *f, char *printed, size_t size, struct error *e);

#endif

/*
 * tool: runs another program to its end, in a folder of its own.
 *
 * While there is such a folder, SIGINT, SIGTERM, SIGHUP and SIGQUIT are delayed: a running tool is stopped at
 * once, and the signal takes effect after the folder has been removed.
 */
#ifndef TB_PORTS_TOOL_H
#define TB_PORTS_TOOL_H

#include "sim/error.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>

struct tool_folder {
    char path[PATH_MAX];
    sigset_t before; /* mask of blocked signals */
};

/* Makes a new folder under `parent`. tool_folder_remove() removes it with its files. Folders left by killed
 * programs are removed, too, when they are a day old. */
bool tool_folder_make(struct tool_folder *f, const char *parent, struct error *e);
void tool_folder_remove(const struct tool_folder *f);

/* Runs argv, looked up on PATH, in the folder (also for its temporary files), without input. Returns false
 * with *e (EXIT_USER) if it cannot be run or fails: the message has `refuses`, or the command if that is
 * NULL, and the beginning of its output. */
bool tool_run(char *const argv[], const struct tool_folder *f, const char *refuses, struct error *e);

/* Does the same, and returns the program's output without final newlines. */
bool tool_ask(char *const argv[], const struct tool_folder *f, char *printed, size_t size, struct error *e);

#endif

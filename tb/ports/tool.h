/*
 * tool: another program, run to its end.
 */
#ifndef TB_PORTS_TOOL_H
#define TB_PORTS_TOOL_H

#include "sim/error.h"

#include <stddef.h>

/* Runs argv, looked up on PATH, in `folder`, with no input. False and *e (EXIT_USER) if it cannot be run or
 * fails: the command and the last lines it printed. */
bool tool_run(char *const argv[], const char *folder, struct error *e);

/* A folder of its own under `parent` that tool_remove_folder() removes with what is in it (files only). */
bool tool_make_folder(char *path, size_t size, const char *parent, struct error *e);
void tool_remove_folder(const char *path);

#endif

/*
 * cache_folder: where what was built is kept, and whether it may be used. Programs load and run its files, so
 * the folder and its files must be of the user who runs, and writable by nobody else.
 */
#ifndef SIM_CACHE_FOLDER_H
#define SIM_CACHE_FOLDER_H

#include "sim/error.h"

#include <stddef.h>

/* Its path: $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep. False if there is none,
 * or it is too long. */
bool cache_folder_path(char *path, size_t size);

/* Makes what is missing of a folder, for this user only. False with errno. */
bool cache_folder_make(const char *path);

/* False and *e (EXIT_USER) if it exists and is another's, or others may write there. */
bool cache_folder_check(const char *path, struct error *e);

/* Whether an open file is a regular one of this user, that no other may write to. */
bool cache_folder_trusts(int fd);

#endif

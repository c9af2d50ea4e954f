/*
 * cache_folder: the folder of built files, and whether they may be used. Programs load and run these files,
 * so the folder and its files must belong to the user and be writable by no other user.
 */
#ifndef SIM_CACHE_FOLDER_H
#define SIM_CACHE_FOLDER_H

#include "sim/error.h"

#include <stddef.h>

/* Writes the folder's path: $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else ~/.cache/lockstep. Returns
 * false if there is none, or if it is too long. */
bool cache_folder_path(char *path, size_t size);

/* Makes the missing parts of a folder, for this user only. Returns false with errno. */
bool cache_folder_make(const char *path);

/* Returns false with *e (EXIT_USER) if the folder exists and belongs to another user, or if others may
 * write to it. */
bool cache_folder_check(const char *path, struct error *e);

/* Returns whether an open file is a regular one of this user to which no other user may write. */
bool cache_folder_trusts(int fd);

#endif

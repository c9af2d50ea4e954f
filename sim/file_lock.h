/*
 * file_lock: a locked file, held by one process at a time, on all hosts that share a folder.
 */
#ifndef SIM_FILE_LOCK_H
#define SIM_FILE_LOCK_H

#include "sim/error.h"

#include <stdbool.h>

/* Returns a descriptor that holds the lock until it is closed. With `wait`, waits for other processes; else
 * returns −1 with an empty *e if another process has the lock. Returns −1 with *e (EXIT_USER) if the file
 * cannot be made. */
int file_lock(const char *path, bool wait, struct error *e);

#endif

/*
 * point_store: results by key in a folder that any number of processes and hosts may share.
 *
 * DIR/points/KEY.json is a result. It is written completely or not at all, is on the disk before it gets its
 * name, and contains its key and a checksum of the rest. DIR/locks/KEY is locked by the process that works on
 * a key. DIR/logs has the output of runs, DIR/work their files.
 *
 * A failure of the computer (disk, memory, descriptors, a process killed by others) is not a result: another
 * attempt may succeed. point_store_host_failed() detects it by an exit status.
 */
#ifndef LOCKSTEP_POINT_STORE_H
#define LOCKSTEP_POINT_STORE_H

#include "sim/error.h"

#include <jansson.h>

#define POINT_KEY 40 /* bytes of a key with its final zero */

struct point_store {
    char *folder; /* DIR, absolute */
};

/* Makes the folder. Returns false with *e (EXIT_USER); `option` named the folder. Close it in either case. */
bool point_store_open(struct point_store *s, const char *option, const char *folder, struct error *e);
void point_store_close(struct point_store *s);

/* Returns DIR/ROOM/NAMEENDING, to be freed; rooms: points, locks, work, logs. */
char *point_store_path(const struct point_store *s, const char *room, const char *name, const char *ending);

/* Returns a result without its checksum; NULL if there is none or it is damaged. */
json_t *point_store_read(const struct point_store *s, const char *key);
/* Returns whether there is a sound result. */
bool point_store_has(const struct point_store *s, const char *key);
/* Removes a damaged result, with a message on standard error. The caller holds the key's lock. */
void point_store_discard_damaged(const struct point_store *s, const char *key);

/* Stores an object as the result of a key. Returns false with *e (EXIT_USER) if it cannot be written. */
bool point_store_write(const struct point_store *s, const char *key, json_t *result, struct error *e);

/* Locks a key (file_lock.h). */
int point_store_lock(const struct point_store *s, const char *key, bool wait, struct error *e);

/* Returns whether an exit status of `lockstep run` (128 + N: killed by signal N) is due to the computer
 * rather than to program and machine: 125, unless the statistics show that it is the program's `own`; or a
 * signal that a process does not raise itself. */
bool point_store_host_failed(int status, bool own);

#endif

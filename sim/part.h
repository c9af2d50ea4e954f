/*
 * part: a file that grows under a name of its own and gets its NAME when it is whole.
 *
 * The name of its own is NAME.N.part, N the number of the process (NAME.N-2.part and so on where there is
 * such a file): always a new file, so that processes that write the same NAME do not meet, and no link is
 * followed. A NAME that is a link is refused, since the new file would take its place: /dev/stdout is one.
 * A run that did not end well leaves its unfinished file as NAME.part. A killed process leaves its
 * NAME.N.part: the next that opens a part of the same NAME removes it if there is no process N and no lock.
 */
#ifndef SIM_PART_H
#define SIM_PART_H

#include "sim/error.h"

#include <stdio.h>

struct part {
    char *path; /* NAME */
    char *name; /* that of its own */
    FILE *file; /* to write to */
};

/* Makes the file. False and *e (EXIT_USER) if that cannot be, or NAME exists and is not an ordinary file. */
bool part_open(struct part *p, const char *path, struct error *e);

/* Closes the file and renames it to NAME. If not everything could be written: false and *e (EXIT_USER), and
 * the file is removed. */
bool part_finish(struct part *p, struct error *e);

/* The same; the file and its name are on the disk when it returns. */
bool part_finish_durable(struct part *p, struct error *e);

/* As part_finish(), but to NAME.part. */
bool part_leave(struct part *p, struct error *e);

/* Closes and removes the file. */
void part_abandon(struct part *p);

/* Where others write: makes such a file, empty; its descriptor (close on exec), and in *name its name, to be
 * freed; or −1 and errno, EEXIST: NAME is a folder, a device, a link or the like. */
int part_create(const char *path, char **name);

/* Says that somebody writes to the open file, until it is closed; part_create() does it. */
void part_lock(int fd);

/* Removes what processes that were killed have left of NAME: NAME.N.part, and files of libfst and the tracer
 * beside it. */
void part_clean(const char *path);

#endif

/*
 * part: a file that is written under a temporary name and gets its NAME when it is whole.
 *
 * The temporary name is NAME.N.part, N the number of the process (NAME.N-2.part and so on if this file
 * exists). The file is always new: processes that write the same NAME do not collide, and no link is
 * followed. A NAME that is a link, such as /dev/stdout, is refused, because the new file would replace it.
 *
 * A run that fails leaves its unfinished file as NAME.part. A killed process leaves its NAME.N.part: the
 * next one that opens a part of the same NAME removes it if there is no process N and no lock.
 */
#ifndef SIM_PART_H
#define SIM_PART_H

#include "sim/error.h"

#include <stdio.h>

struct part {
    char *path; /* final name, NAME */
    char *name; /* temporary name */
    FILE *file; /* stream to write to */
};

/* Makes the file. Returns false with *e (EXIT_USER) if this fails, or if NAME exists and is not an ordinary
 * file. */
bool part_open(struct part *p, const char *path, struct error *e);

/* Closes the file and renames it to NAME. If not everything could be written, removes the file and returns
 * false with *e (EXIT_USER). */
bool part_finish(struct part *p, struct error *e);

/* Does the same; file and name are on the disk when it returns. */
bool part_finish_durable(struct part *p, struct error *e);

/* Does the same as part_finish(), but renames to NAME.part. */
bool part_leave(struct part *p, struct error *e);

/* Closes and removes the file. */
void part_abandon(struct part *p);

/* Makes such a file, empty, for other writers. Returns its descriptor (close on exec), and in *name its
 * name, to be freed; or −1 with errno. EEXIST: NAME is a folder, a device, a link or the like. */
int part_create(const char *path, char **name);

/* Marks the open file as being written, until it is closed; part_create() does so, too. */
void part_lock(int fd);

/* Removes the files that killed processes have left of NAME: NAME.N.part, and side files of libfst and the
 * tracer. */
void part_clean(const char *path);

#endif

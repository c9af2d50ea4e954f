/*
 * exploration: a sweep's points and the folder that keeps what comes of them.
 *
 * A point is a configuration and a program; its key is a hash of both (of the program's file, too), of what
 * the sweep asks, and of this very command. Its result is kept by key (point_store.h): a point that has one
 * is not run again. A failure of the computer is no result, and a damaged result is told and run again. So an
 * exploration goes on after anything, and several workers, also on several hosts that share the folder, run
 * no point twice.
 *
 * Known inaccuracy: files that a program reads are not in the key.
 */
#ifndef LOCKSTEP_EXPLORATION_H
#define LOCKSTEP_EXPLORATION_H

#include "lockstep/point_store.h"
#include "lockstep/sweep.h"
#include "lockstep/tools.h"
#include "synthesis/area.h"

#define POINT_SCHEMA_VERSION 1

struct exploration {
    struct sweep sweep;
    struct point_store store;
    struct tools tools;
    char self[PATH_MAX]; /* this command's file */
    char version[40];    /* a hash of it */
    /* The area found last is kept, since the programs of a configuration follow each other. */
    struct area area;
    size_t area_of;
    bool area_known;
    struct error area_error;
};

/* Reads the sweep, makes the folder. False and *e (EXIT_USER). Free it in either case. */
bool exploration_open(struct exploration *x, const char *sweep, const char *folder, struct error *e);
void exploration_free(struct exploration *x);

size_t exploration_points(const struct exploration *x);
/* Its key, hexadecimal. False and *e (EXIT_USER) if the program's file cannot be read. */
bool exploration_key(const struct exploration *x, size_t point, char key[POINT_KEY], struct error *e);
/* Returns its result, or NULL if there is none or it is damaged. */
json_t *exploration_result(const struct exploration *x, size_t point, struct error *e);

/* Runs every point that has no result and that no other worker runs, from `first` on and around. A point that
 * fails is a result, but if the computer failed, the point has none, and a line on standard error says so.
 * False and *e (EXIT_USER) if the folder cannot be written. */
bool exploration_work(struct exploration *x, size_t first, struct error *e);
/* How many points have a result. */
size_t exploration_done(const struct exploration *x);

#endif

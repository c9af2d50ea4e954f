/*
 * exploration: the points of a sweep, kept in a folder (points.h).
 *
 * A point is a configuration and a program. Its key has both, the program's file, and what the sweep asks. A
 * point that fails is a result. If the computer failed, the point has none, and a line on standard error says
 * so.
 *
 * Known inaccuracy: files that a program reads are not in the key.
 */
#ifndef LOCKSTEP_EXPLORATION_H
#define LOCKSTEP_EXPLORATION_H

#include "lockstep/points.h"
#include "lockstep/sweep.h"
#include "synthesis/area.h"

#define POINT_SCHEMA_VERSION 1

struct exploration {
    struct sweep sweep;
    struct points points;
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
/* Returns its result, or NULL if there is none or it is damaged. */
json_t *exploration_result(const struct exploration *x, size_t point, struct error *e);
/* How many points have a sound result. */
size_t exploration_done(const struct exploration *x);

/* All points, for workers. */
struct points_list exploration_list(struct exploration *x);

#endif

/*
 * exploration: the points of a sweep, kept in a folder (points.h).
 *
 * A point is a configuration and a program. Its key consists of both, the program's file, and the sweep's
 * settings. A point that fails is a result. If the computer failed, the point has none, and a line on
 * standard error says so.
 *
 * A result has no area. The blocks of all machines are a second list of points, by the keys of their
 * netlists; areas are computed when results are read. So programs do not wait for synthesis, unless the clock
 * depends on it (period: area).
 *
 * Known inaccuracy: files that a program reads are not part of the key.
 */
#ifndef LOCKSTEP_EXPLORATION_H
#define LOCKSTEP_EXPLORATION_H

#include "lockstep/explore/points.h"
#include "lockstep/explore/sweep.h"
#include "synthesis/area.h"

#define POINT_SCHEMA_VERSION 2

struct exploration {
    struct sweep sweep;
    struct points points;
    char (*keys)[POINT_KEY]; /* keys of the points, empty if not computed yet */
    size_t keys_of;          /* number of configurations in `keys` */
    struct technology technology;
    /* Blocks that are synthesised: those whose results were missing when exploration_list() was called. */
    struct netlist_jobs blocks;
    /* The last area found. It is kept since the programs of a configuration are consecutive. */
    struct area area;
    size_t area_of; /* number of the combination of `area` */
    bool area_known, area_found;
    bool front_shown; /* the front has been shown before all areas were known */
    unsigned looks;   /* number of times that the progress was shown */
};

/* Reads the sweep and makes the folder. Returns false with *e (EXIT_USER) on failure. Free *x in either
 * case. */
bool exploration_open(struct exploration *x, const char *sweep, const char *folder, struct error *e);
void exploration_free(struct exploration *x);

size_t exploration_points(const struct exploration *x);
/* Returns a point's result with the area of its machine, if all its blocks are known; NULL if there is none
 * or it is damaged. */
json_t *exploration_result(struct exploration *x, size_t point, struct error *e);
/* Returns the number of points with a sound result. */
size_t exploration_done(struct exploration *x);
/* Returns whether the sweep wants areas, and some are not known. */
bool exploration_lacks_areas(struct exploration *x);
/* Returns the area of a configuration without its Verilog, in mm²; 0 if unknown. */
double exploration_least_mm2(const struct exploration *x, size_t combination);

/* Lists the blocks to synthesise and returns the list of all points for workers. Workers synthesise the
 * blocks after the points, or before if the period depends on the area. Returns false with *e (EXIT_USER). */
bool exploration_list(struct exploration *x, struct points_list *l, struct error *e);
/* Lists the points only, to count them. Always returns true. */
bool exploration_points_list(struct exploration *x, struct points_list *l);
/* Copies to the cache the blocks that workers on other computers have synthesised, and waits for blocks that
 * other commands synthesise. Returns false with *e (EXIT_USER) if a tool fails. */
bool exploration_collect_blocks(struct exploration *x, struct error *e);

#endif

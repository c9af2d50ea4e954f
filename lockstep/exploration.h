/*
 * exploration: the points of a sweep, kept in a folder (points.h).
 *
 * A point is a configuration and a program. Its key has both, the program's file, and what the sweep asks. A
 * point that fails is a result. If the computer failed, the point has none, and a line on standard error says
 * so.
 *
 * A result has no area. The blocks of all machines are a second list of points, by the keys of their
 * netlists, and the areas are computed when results are read. So programs do not wait for synthesis, except
 * where the clock comes from it (period: area).
 *
 * Known inaccuracy: files that a program reads are not in the key.
 */
#ifndef LOCKSTEP_EXPLORATION_H
#define LOCKSTEP_EXPLORATION_H

#include "lockstep/points.h"
#include "lockstep/sweep.h"
#include "synthesis/area.h"

#define POINT_SCHEMA_VERSION 2

struct exploration {
    struct sweep sweep;
    struct points points;
    char (*keys)[POINT_KEY]; /* of the points, empty where not computed yet */
    size_t keys_of;          /* configurations for which `keys` is */
    struct technology technology;
    /* Blocks that are synthesised: those whose results were missing when exploration_list() was called. */
    struct netlist_jobs blocks;
    /* The area found last is kept, since the programs of a configuration follow each other. */
    struct area area;
    size_t area_of; /* combination */
    bool area_known, area_found;
    bool front_shown; /* the front that was shown before all areas were known */
    unsigned looks;   /* how often the progress was shown */
};

/* Reads the sweep, makes the folder. False and *e (EXIT_USER). Free it in either case. */
bool exploration_open(struct exploration *x, const char *sweep, const char *folder, struct error *e);
void exploration_free(struct exploration *x);

size_t exploration_points(const struct exploration *x);
/* Returns a point's result with the area of its machine, if all its blocks are known; NULL: there is none, or
 * it is damaged. */
json_t *exploration_result(struct exploration *x, size_t point, struct error *e);
/* How many points have a sound result. */
size_t exploration_done(struct exploration *x);
/* Returns whether the sweep wants areas, and some are not known. */
bool exploration_lacks_areas(struct exploration *x);
/* Computes the area of a configuration without its Verilog, in mm²; 0: not known. */
double exploration_least_mm2(const struct exploration *x, size_t combination);

/* Makes the list of blocks. Returns all points, for workers, which synthesise the blocks afterwards, or
 * before if the period comes from the area. False and *e (EXIT_USER). */
bool exploration_list(struct exploration *x, struct points_list *l, struct error *e);
/* The points alone, to be counted. Always true. */
bool exploration_points_list(struct exploration *x, struct points_list *l);
/* Takes into the cache what workers on other computers have synthesised, and waits for blocks that other
 * commands synthesise. False and *e (EXIT_USER): a tool refuses. */
bool exploration_collect_blocks(struct exploration *x, struct error *e);

#endif

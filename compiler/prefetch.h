/*
 * prefetch: a scalar kernel that loads ahead what a kernel loads (scalar-unit.md §2, Fig. 4), as OpenCL C. A
 * kernel without loops that load: it loads for the work-group that comes when those in flight have gone. One
 * with such loops: it goes through them ahead of its own work-group, by ever more turns at a time as long as
 * it finds its lines in the cache. Conditions around loads are left out, unless a whole work-group goes one
 * way at an `if` around a loop, or returns.
 */
#ifndef COMPILER_PREFETCH_H
#define COMPILER_PREFETCH_H

#include "compiler/kernel_slice.h"

struct prefetch_options {
    unsigned line_bytes;     /* of the cache that is filled */
    unsigned latency_cycles; /* less between the clock readings: the lines were there */
};

/* A load that stands for itself in a scalar kernel. */
struct prefetch_load {
    size_t load; /* of the slice */
    struct slice_strides strides;
    unsigned step[SLICE_DIMENSIONS]; /* local ids from one that is loaded for to the next; 0: one for all */
};

struct prefetch {
    struct kernel_slice *s;
    struct prefetch_options options;
    struct prefetch_load *loads;
    size_t load_count;
    bool *outside;   /* by variable: its value for local id 0 is needed */
    bool *loops;     /* by loop: it is copied */
    bool *skips;     /* by loop: of its turns, some are skipped */
    unsigned *turns; /* by loop that skips: turns in which its loads stay in their lines; at least 1 */
    bool ahead;      /* no loop loads: for a later work-group */
};

/* Decides what is loaded; the loads that do not qualify get their reasons. False: none does. */
bool prefetch_plan(struct prefetch *p, struct kernel_slice *s, const struct prefetch_options *options);
void prefetch_free(struct prefetch *p);

/* The scalar kernel as text, by the name of `name`. */
void prefetch_text(const struct prefetch *p, const char *name, struct text *t);

/* Between the two: parts of a loop's condition that are copied (at most SLICE_MOST_PARTS), and whether its
 * counter's step must be checked to be positive. */
#define PREFETCH_MOST_PARTS 8
struct prefetch_condition {
    CXCursor parts[PREFETCH_MOST_PARTS];
    size_t count;
    const struct slice_variable *counter;
    bool check_step;
};
bool prefetch_condition(const struct kernel_slice *s, size_t loop, struct prefetch_condition *c);

/* By how many elements a variable grows from one work-item to the next; of pointers elements of what they
 * point to. */
struct slice_strides prefetch_variable_strides(const struct kernel_slice *s, const struct slice_variable *v);
bool prefetch_strides_known(const struct slice_strides *g);

#endif

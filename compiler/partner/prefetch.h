/*
 * prefetch: a scalar kernel that prefetches a kernel's loads (scalar-unit.md §2, Fig. 4), as OpenCL C. For a
 * kernel without loads in loops, it prefetches for the work-group that follows those in flight. For one with
 * such loops, it runs ahead of its own work-group, by more and more iterations while it finds its lines in
 * the cache. Conditions around loads are left out, unless a whole work-group takes one side of an `if` around
 * a loop, or returns.
 */
#ifndef COMPILER_PREFETCH_H
#define COMPILER_PREFETCH_H

#include "compiler/partner/kernel_slice.h"

struct prefetch_options {
    unsigned line_bytes;     /* line of the cache that is filled */
    unsigned latency_cycles; /* threshold: lines were present if clock readings differ by less */
};

/* A load in a scalar kernel. */
struct prefetch_load {
    size_t load; /* index in the slice */
    struct slice_strides strides;
    unsigned step[SLICE_DIMENSIONS]; /* distance of the local ids for which it loads; 0: one load for all */
};

struct prefetch {
    struct kernel_slice *s;
    struct prefetch_options options;
    struct prefetch_load *loads;
    size_t load_count;
    bool *outside;   /* for each variable: value for local id 0 is needed */
    bool *loops;     /* for each loop: copied */
    bool *skips;     /* for each loop: some iterations are skipped */
    unsigned *turns; /* for each loop that skips: iterations whose loads stay in their lines; at least 1 */
    bool ahead;      /* prefetches for a later work-group, since the kernel has no loads in loops */
};

/* Selects the loads; others get their reasons. Returns false if there are none. */
bool prefetch_plan(struct prefetch *p, struct kernel_slice *s, const struct prefetch_options *options);
void prefetch_free(struct prefetch *p);

/* Writes the scalar kernel `name` as text. */
void prefetch_text(const struct prefetch *p, const char *name, struct text *t);

/* Parts of a loop's condition that are copied, at most PREFETCH_MOST_PARTS, and whether the counter's step
 * must be checked to be positive. */
#define PREFETCH_MOST_PARTS 8
struct prefetch_condition {
    CXCursor parts[PREFETCH_MOST_PARTS];
    size_t count;
    const struct slice_variable *counter;
    bool check_step;
};
bool prefetch_condition(const struct kernel_slice *s, size_t loop, struct prefetch_condition *c);

/* Returns the difference of a variable between neighbouring work-items, in elements of the target for
 * pointers. */
struct slice_strides prefetch_variable_strides(const struct kernel_slice *s, const struct slice_variable *v);
bool prefetch_strides_known(const struct slice_strides *g);

#endif

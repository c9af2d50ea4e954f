/* Declarations shared by the files that write the prefetching scalar kernel. */
#ifndef COMPILER_PREFETCH_PARTS_H
#define COMPILER_PREFETCH_PARTS_H

#include "compiler/partner/prefetch.h"

struct emission {
    const struct prefetch *p;
    struct text *t;
    unsigned indent;
    char *name, *group, *index[SLICE_DIMENSIONS], *skip, *clocks[2];
    unsigned dimensions;              /* dimensions of the ids that the kernel uses */
    const struct prefetch_load *load; /* load whose address is written; NULL: values for local id 0 */
    bool skipped;                     /* a loop that skips has been written */
};

/* Appends "get_local_size(0)", or the kernel's required size. */
void prefetch_put_size(const struct emission *e, unsigned dimension, struct text *t);

void prefetch_choose_names(struct emission *e);
void prefetch_free_names(struct emission *e);

/* Returns the highest dimension of the ids that are used. */
unsigned prefetch_most_dimension(CXCursor cursor);

/* Appends an expression for the load's work-items, or for local id 0. `bare`: it is inside its own
 * brackets. */
void prefetch_put(const struct emission *e, CXCursor cursor, bool bare, struct text *t);

/* Appends an operand of `*` or `&&`, in parentheses if its operation binds less tightly. */
void prefetch_put_operand(const struct emission *e, CXCursor cursor, struct text *t);

void prefetch_put_declaration(const struct emission *e, const struct slice_variable *v, struct text *t);

/* Appends the increment of a counter; `skips`: for all skipped iterations. */
void prefetch_put_step(const struct emission *e, const struct slice_variable *v, bool skips, struct text *t);

#endif

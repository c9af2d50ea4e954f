/* Between the files that write the scalar kernel which loads ahead. */
#ifndef COMPILER_PREFETCH_PARTS_H
#define COMPILER_PREFETCH_PARTS_H

#include "compiler/prefetch.h"

struct emission {
    const struct prefetch *p;
    struct text *t;
    unsigned indent;
    char *name, *group, *index[SLICE_DIMENSIONS], *skip, *clocks[2];
    unsigned dimensions;              /* of the ids that the kernel asks for */
    const struct prefetch_load *load; /* whose address is written; NULL: values for local id 0 */
    bool skipped;                     /* a loop that skips has been written */
};

/* "get_local_size(0)", or what the kernel says that it is. */
void prefetch_put_size(const struct emission *e, unsigned dimension, struct text *t);

void prefetch_choose_names(struct emission *e);
void prefetch_free_names(struct emission *e);

/* One less than the ids that are asked for have dimensions. */
unsigned prefetch_most_dimension(CXCursor cursor);

/* An expression, for the load's work-items, or for local id 0. `bare`: it stands between
 * brackets of its own. */
void prefetch_put(const struct emission *e, CXCursor cursor, bool bare, struct text *t);

/* An operand of `*` or `&&`, in parentheses if it is an operation that binds less. */
void prefetch_put_operand(const struct emission *e, CXCursor cursor, struct text *t);

void prefetch_put_declaration(const struct emission *e, const struct slice_variable *v, struct text *t);

/* What a loop adds to its counter; `skips`: for all the turns that are skipped. */
void prefetch_put_step(const struct emission *e, const struct slice_variable *v, bool skips, struct text *t);

#endif

/*
 * program: the contents of a parsed source: function definitions, calls, kernels.
 */
#ifndef COMPILER_PROGRAM_H
#define COMPILER_PROGRAM_H

#include "compiler/driver/edits.h"
#include "compiler/source/syntax.h"

struct function {
    CXCursor cursor; /* definition */
    char *name;
    bool kernel, called; /* called: by a function of this source */
    size_t *calls;       /* indices of called functions */
    size_t call_count;
    int visit; /* depth-first search: 0 new, 1 on the path, 2 done */
};

struct program {
    const struct syntax *syntax;
    struct function *functions; /* source order */
    size_t count;
};

/* Refuses a call of printf with a struct argument. */
void program_read(struct program *p, const struct syntax *s);
void program_free(struct program *p);

/* Refuses recursion, which OpenCL C forbids, with file, line and the functions. */
void program_refuse_recursion(struct program *p);

/* Adds the priority operations of all functions (priority.h). */
void program_instrument(const struct program *p, struct edits *edits);

#endif

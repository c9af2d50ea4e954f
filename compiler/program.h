/*
 * program: what a parsed source consists of: its function definitions, who calls whom, which of them are
 * kernels.
 */
#ifndef COMPILER_PROGRAM_H
#define COMPILER_PROGRAM_H

#include "compiler/edits.h"
#include "compiler/syntax.h"

struct function {
    CXCursor cursor; /* its definition */
    char *name;
    bool kernel, called; /* called: by a function of this source */
    size_t *calls;       /* indices of the functions it calls */
    size_t call_count;
    int visit; /* depth-first search: 0 new, 1 on the path, 2 done */
};

struct program {
    const struct syntax *syntax;
    struct function *functions; /* in the order of the source */
    size_t count;
};

/* Refuses a call of printf that is given a struct. */
void program_read(struct program *p, const struct syntax *s);
void program_free(struct program *p);

/* OpenCL C forbids recursion: refuses it, naming file, line and the functions. */
void program_refuse_recursion(struct program *p);

/* The priority operations of all functions (priority.h). */
void program_instrument(const struct program *p, struct edits *edits);

#endif

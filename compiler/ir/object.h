/*
 * object: a separately compiled source (clCompileProgram), and the linking of such objects to one program
 * (clLinkProgram). An object has clang's bitcode with the priority operations, the bitcode with split
 * conditions if there are any (split_conditions.h), and facts about its kernels. It contains its size, so
 * that objects can be concatenated.
 *
 * Static and inline functions, __local variables and __constant variables that no other object declares are
 * private to their source. Functions and kernels of one name in two objects are refused, as is recursion
 * across objects.
 */
#ifndef COMPILER_OBJECT_H
#define COMPILER_OBJECT_H

#include "compiler/ir/thunk.h"

#include <stdbool.h>

struct object_facts {
    struct thunks kernels;
    bool optimise; /* after a link: at least one object was compiled without -cl-opt-disable */
};

/* `split`: bitcode for a twin like SnuCL's (split_conditions.h); empty: the same. */
void object_write(const struct object_facts *facts, const struct text *bitcode, const struct text *split,
                  struct text *object);

/* Links the objects in a text to one bitcode module and, unless `split` is NULL, to one for such twins.
 * Refuses damaged or inconsistent objects. */
void object_link(const struct text *objects, struct object_facts *facts, struct text *bitcode,
                 struct text *split);

#endif

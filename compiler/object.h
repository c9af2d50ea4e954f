/*
 * object: a source that has been compiled by itself (clCompileProgram): clang's bitcode with the priority
 * operations, that of the source with split conditions if it has any (split_conditions.h), and what is known
 * of its kernels; and the linking of such objects to one program
 * (clLinkProgram). An object knows its own size, so that several can stand one behind the other.
 *
 * Static and inline functions, __local variables and those __constant ones that no other object declares stay
 * private to their source. Functions and kernels of one name in two objects are refused, as is
 * recursion through several.
 */
#ifndef COMPILER_OBJECT_H
#define COMPILER_OBJECT_H

#include "compiler/thunk.h"

#include <stdbool.h>

struct object_facts {
    struct thunks kernels;
    bool optimise; /* of a link: at least one object was compiled without -cl-opt-disable */
};

/* `split`: the bitcode that a twin like SnuCL's is made from (split_conditions.h); empty: the same. */
void object_write(const struct object_facts *facts, const struct text *bitcode, const struct text *split,
                  struct text *object);

/* Links the objects in a text to one bitcode module, and unless `split` is NULL to one for such twins as
 * well. Refuses what is damaged or does not fit together. */
void object_link(const struct text *objects, struct object_facts *facts, struct text *bitcode,
                 struct text *split);

#endif

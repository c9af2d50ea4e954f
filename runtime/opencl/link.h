/*
 * link: separate compilation (OpenCL 1.2, 5.6.3). A compiled object (compiler/ir/object.h) is the
 * compiler's output for a source, with its headers at the time of compilation. A library holds the objects
 * of which it was linked. The compiler links executables.
 *
 * Known inaccuracies: a header that the program holds is included where an #include names it, but not where
 * a macro names it. A kernel that is called from another object sets its threads to the outermost priority
 * level only where it begins.
 */
#ifndef RUNTIME_OPENCL_LINK_H
#define RUNTIME_OPENCL_LINK_H

#include "runtime/opencl/objects.h"

bool link_is_object(const void *binary, size_t size);
/* Fills in a program from the binary of a compiled object or a library. Returns CL_SUCCESS, or
 * CL_INVALID_BINARY… with *why. */
cl_int link_load(cl_program p, const void *binary, size_t size, const char **why);
void link_free_units(cl_program p);

/* Adds a copy of an object to a program, and makes the binary of its objects. Returns false if memory is
 * out. */
bool link_add_unit(cl_program p, const void *object, size_t bytes);
bool link_save(cl_program p);

#endif

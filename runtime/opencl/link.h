/*
 * link: separate compilation (OpenCL 1.2, 5.6.3). A compiled object is what the compiler made of a source
 * (compiler/object.h) when it was compiled, with the headers of then; a library holds the objects of which it
 * was linked. Linking to an executable is the compiler's.
 *
 * Known inaccuracies: a header that the program holds is put in where an #include names it; one that a macro
 * names is not found. A kernel that is called from another object only sets its threads to the outermost
 * priority level where it begins.
 */
#ifndef RUNTIME_OPENCL_LINK_H
#define RUNTIME_OPENCL_LINK_H

#include "runtime/opencl/objects.h"

bool link_is_object(const void *binary, size_t size);
/* Fills in a program from the binary of a compiled object or a library: CL_SUCCESS, CL_INVALID_BINARY… and
 * *why.
 */
cl_int link_load(cl_program p, const void *binary, size_t size, const char **why);
void link_free_units(cl_program p);

/* Adds a copy of an object to a program's; makes the binary of what it has. False if memory is out. */
bool link_add_unit(cl_program p, const void *object, size_t bytes);
bool link_save(cl_program p);

#endif

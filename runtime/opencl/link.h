/*
 * link: separate compilation (OpenCL 1.2, 5.6.3). A compiled object is its source, checked, with its headers
 * in it; linking compiles the sources of all objects as one. So kernels and functions of several sources
 * find each other, and headers that guard themselves are seen once.
 *
 * Known inaccuracies: what is private to a source (static functions, macros, types without a guard) must not
 * have the same name in another one, and the compile options of all sources hold for all. A header is put in
 * where an #include names it; one that a macro names is not found.
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

#endif

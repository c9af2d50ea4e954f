/*
 * program: making and building programs. Called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_PROGRAM_H
#define RUNTIME_OPENCL_PROGRAM_H

#include "runtime/opencl/objects.h"

cl_program program_create(cl_context context); /* empty; NULL if memory is out */

/* Has the source compiled to an executable that the program then holds. Status, options and log of the
 * program tell of it. check_name: the source is only looked through for errors that show without linking, and
 * has that name in messages; NULL else. */
cl_int program_build(cl_program p, const char *source, const char *options, const char *check_name);

/* The checks that building and compiling have in common. */
cl_int program_check_build(cl_program p, cl_uint num_devices, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(cl_program, void *), const void *user_data);

#endif

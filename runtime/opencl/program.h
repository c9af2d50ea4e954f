/*
 * program: making and building programs. Called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_PROGRAM_H
#define RUNTIME_OPENCL_PROGRAM_H

#include "runtime/opencl/objects.h"

cl_program program_create(cl_context context); /* empty; NULL if memory is out */

struct program_input {
    uint32_t kind;    /* enum protocol_build */
    const char *name; /* of the source of an object, in messages; else NULL */
    const char *options;
    const void *bytes; /* a source, or objects to be linked */
    size_t size;
};

/* Has the input compiled or linked to what the program then holds: an executable or, of
 * PROTOCOL_BUILD_OBJECT, one unit. Status, options and log of the program tell of it. */
cl_int program_build(cl_program p, const struct program_input *input);

/* The checks that building and compiling have in common. */
cl_int program_check_build(cl_program p, cl_uint num_devices, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(cl_program, void *), const void *user_data);

#endif

/*
 * program: creates and builds programs. Called under the driver's lock.
 */
#ifndef RUNTIME_OPENCL_PROGRAM_H
#define RUNTIME_OPENCL_PROGRAM_H

#include "runtime/opencl/objects.h"

cl_program program_create(cl_context context); /* returns an empty program; NULL if memory is out */

struct program_input {
    uint32_t kind;    /* enum protocol_build */
    const char *name; /* name of the source of an object, in messages; else NULL */
    const char *options;
    const void *bytes; /* a source, or objects to be linked */
    size_t size;
};

/* Compiles or links the input. The program then holds an executable or, for PROTOCOL_BUILD_OBJECT, one
 * unit. Its status, options and log describe the build. */
cl_int program_build(cl_program p, const struct program_input *input);

/* Makes the checks that building and compiling have in common. */
cl_int program_check_build(cl_program p, cl_uint num_devices, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(cl_program, void *), const void *user_data);

#endif

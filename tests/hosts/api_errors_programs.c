/* api_errors_programs: error codes of the entry points for programs and kernels, for each mistake. For this
 * driver only, whose limits and refusals are expected. */
#include "tests/hosts/api_errors.h"

static void CL_CALLBACK told_of_program(cl_program p, void *user_data) {
    (void)p, (void)user_data;
}

/* --- programs --- */

#define PROGRAM(...) clGetProgramInfo(program, __VA_ARGS__)
#define BUILD(...)   clGetProgramBuildInfo(program, device, __VA_ARGS__)

static void check_creation(void) {
    const char *source = SOURCE, *missing[] = {NULL};
    const unsigned char noise[] = "\177ELF and no more", *binary = noise;
    const cl_device_id two[2] = {device, device}, stray = STRAY(cl_device_id);
    size_t size = sizeof noise, none = 0;
    cl_int binary_status = 1;
    MAKE("no string", CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &source, NULL, &status));
    MAKE("no list", CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &status));
    MAKE("a missing string", CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, missing, NULL, &status));
    MAKE("not a context", CL_INVALID_CONTEXT,
         clCreateProgramWithSource((cl_context)queue, 1, &source, NULL, &status));
    MAKE("noise", CL_INVALID_BINARY,
         clCreateProgramWithBinary(context, 1, &device, &size, &binary, &binary_status, &status));
    ROW("noise", CL_INVALID_BINARY, binary_status);
    MAKE("no binaries", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 1, &device, &size, NULL, NULL, &status));
    MAKE("no sizes", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 1, &device, NULL, &binary, NULL, &status));
    MAKE("no size", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 1, &device, &none, &binary, &binary_status, &status));
    ROW("no size", CL_INVALID_VALUE, binary_status);
    MAKE("no devices", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 0, NULL, &size, &binary, NULL, &status));
    MAKE("two devices", CL_INVALID_DEVICE,
         clCreateProgramWithBinary(context, 2, two, &size, &binary, NULL, &status));
    MAKE("a stray handle", CL_INVALID_DEVICE,
         clCreateProgramWithBinary(context, 1, &stray, &size, &binary, NULL, &status));
    MAKE("not a context", CL_INVALID_CONTEXT,
         clCreateProgramWithBinary((cl_context)queue, 1, &device, &size, &binary, NULL, &status));
    MAKE("no such kernel", CL_INVALID_VALUE,
         clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &status));
    MAKE("no name", CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &status));
    MAKE("a stray handle", CL_INVALID_DEVICE,
         clCreateProgramWithBuiltInKernels(context, 1, &stray, "k", &status));
    MAKE("not a context", CL_INVALID_CONTEXT,
         clCreateProgramWithBuiltInKernels((cl_context)queue, 1, &device, "k", &status));
}

static void check_building(void) {
    const cl_device_id stray = STRAY(cl_device_id);
    cl_int word;
    cl_build_status built;
    const cl_program p = unbuilt;
    ROW("it has kernels", CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    ROW("no devices", CL_INVALID_VALUE, clBuildProgram(p, 1, NULL, "", NULL, NULL));
    ROW("devices of no number", CL_INVALID_VALUE, clBuildProgram(p, 0, &device, "", NULL, NULL));
    ROW("a stray handle", CL_INVALID_DEVICE, clBuildProgram(p, 1, &stray, "", NULL, NULL));
    ROW("data for no function", CL_INVALID_VALUE, clBuildProgram(p, 0, NULL, "", NULL, &word));
    ROW("not a program", CL_INVALID_PROGRAM, clBuildProgram((cl_program)context, 0, NULL, "", NULL, NULL));
    ROW("no program", CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, "", NULL, NULL));
    ROW("unknown option", CL_INVALID_BUILD_OPTIONS, clBuildProgram(p, 0, NULL, "-O7", NULL, NULL));
    ROW("an option without its value", CL_INVALID_BUILD_OPTIONS,
        clBuildProgram(p, 0, NULL, "-D", told_of_program, NULL));
    ROW("macros that break the source", CL_BUILD_PROGRAM_FAILURE,
        clBuildProgram(p, 0, NULL, "-D scale=3", NULL, NULL));
    SUCCEEDS(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof built, &built, NULL));
    ROW("none: the status tells", CL_BUILD_ERROR, built);
    ROW("not built", CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof text, text, NULL));
    ROW("not built", CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    QUERY(PROGRAM, CL_PROGRAM_SOURCE);
    ROW("not a program", CL_INVALID_PROGRAM,
        clGetProgramInfo((cl_program)context, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    QUERY(BUILD, CL_PROGRAM_BUILD_STATUS);
    ROW("no device", CL_INVALID_DEVICE,
        clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    ROW("not a program", CL_INVALID_PROGRAM,
        clGetProgramBuildInfo((cl_program)context, device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    ROW("not a program", CL_INVALID_PROGRAM, clRetainProgram((cl_program)context));
    ROW("not a program", CL_INVALID_PROGRAM, clReleaseProgram((cl_program)context));
}

#define COMPILE(p, options, count, headers, names)                                                           \
    clCompileProgram(p, 0, NULL, options, count, headers, names, NULL, NULL)
#define LINK(c, options, count, programs)                                                                    \
    clLinkProgram(c, 0, NULL, options, count, programs, NULL, NULL, &status)

static void check_linking(void) {
    const char *name = "a.h", *none = NULL;
    const cl_program stray = STRAY(cl_program), both[2] = {object, unbuilt};
    const cl_device_id bad_device = STRAY(cl_device_id);
    cl_int word;
    ROW("it has kernels", CL_INVALID_OPERATION, COMPILE(program, "", 0, NULL, NULL));
    ROW("not a program", CL_INVALID_PROGRAM, COMPILE((cl_program)context, "", 0, NULL, NULL));
    ROW("unknown option", CL_INVALID_COMPILER_OPTIONS, COMPILE(unbuilt, "-O7", 0, NULL, NULL));
    ROW("macros that break the source", CL_COMPILE_PROGRAM_FAILURE,
        COMPILE(unbuilt, "-D scale=3", 0, NULL, NULL));
    ROW("no headers", CL_INVALID_VALUE, COMPILE(unbuilt, "", 1, NULL, &name));
    ROW("no names", CL_INVALID_VALUE, COMPILE(unbuilt, "", 1, &program, NULL));
    ROW("names of no number", CL_INVALID_VALUE, COMPILE(unbuilt, "", 0, NULL, &name));
    ROW("a missing name", CL_INVALID_VALUE, COMPILE(unbuilt, "", 1, &program, &none));
    ROW("a stray header", CL_INVALID_PROGRAM, COMPILE(unbuilt, "", 1, &stray, &name));
    ROW("a stray device", CL_INVALID_DEVICE,
        clCompileProgram(unbuilt, 1, &bad_device, "", 0, NULL, NULL, NULL, NULL));
    ROW("data for no function", CL_INVALID_VALUE,
        clCompileProgram(unbuilt, 0, NULL, "", 0, NULL, NULL, NULL, &word));
    MAKE("not a context", CL_INVALID_CONTEXT, LINK((cl_context)queue, "", 1, &object));
    MAKE("no programs", CL_INVALID_VALUE, LINK(context, "", 0, NULL));
    MAKE("no list", CL_INVALID_VALUE, LINK(context, "", 1, NULL));
    MAKE("a stray handle", CL_INVALID_PROGRAM, LINK(context, "", 1, &stray));
    MAKE("another context's program", CL_INVALID_PROGRAM, LINK(other_context, "", 1, &object));
    MAKE("not compiled", CL_INVALID_OPERATION, LINK(context, "", 2, both));
    MAKE("unknown option", CL_INVALID_LINKER_OPTIONS, LINK(context, "-O7", 1, &object));
    MAKE("a stray device", CL_INVALID_DEVICE,
         clLinkProgram(context, 1, &bad_device, "", 1, &object, NULL, NULL, &status));
    MAKE("data for no function", CL_INVALID_VALUE,
         clLinkProgram(context, 0, NULL, "", 1, &object, NULL, &word, &status));
    MAKE("a kernel of an object", CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(object, "scale", &status));
}

/* --- kernels --- */

#define KERNEL(...)   clGetKernelInfo(scale, __VA_ARGS__)
#define ARGUMENT(...) clGetKernelArgInfo(scale, 0, __VA_ARGS__)
#define GROUP(...)    clGetKernelWorkGroupInfo(scale, device, __VA_ARGS__)

static void check_kernels(void) {
    cl_uint count;
    cl_kernel few[1];
    const cl_kernel bad = (cl_kernel)program;
    MAKE("no such kernel", CL_INVALID_KERNEL_NAME, clCreateKernel(program, "scal", &status));
    MAKE("no name", CL_INVALID_VALUE, clCreateKernel(program, NULL, &status));
    MAKE("not built", CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unbuilt, "scale", &status));
    MAKE("not a program", CL_INVALID_PROGRAM, clCreateKernel((cl_program)context, "scale", &status));
    ROW("no room", CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, few, &count));
    ROW("not built", CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(unbuilt, 1, few, &count));
    ROW("not a program", CL_INVALID_PROGRAM, clCreateKernelsInProgram((cl_program)context, 1, few, &count));
    SUCCEEDS(clCreateKernelsInProgram(program, 0, NULL, &count));
    ROW("none: three kernels", 3, (cl_int)count);
    QUERY(KERNEL, CL_KERNEL_FUNCTION_NAME);
    QUERY(ARGUMENT, CL_KERNEL_ARG_TYPE_NAME);
    QUERY(GROUP, CL_KERNEL_WORK_GROUP_SIZE);
    ROW("no such argument", CL_INVALID_ARG_INDEX,
        clGetKernelArgInfo(scale, 5, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    ROW("a custom device's fact", CL_INVALID_VALUE,
        GROUP(CL_KERNEL_GLOBAL_WORK_SIZE, sizeof text, text, NULL));
    ROW("not a device", CL_INVALID_DEVICE,
        clGetKernelWorkGroupInfo(scale, (cl_device_id)platform, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL, clGetKernelInfo(bad, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL, clGetKernelArgInfo(bad, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL,
        clGetKernelWorkGroupInfo(bad, device, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL, clRetainKernel(bad));
    ROW("not a kernel", CL_INVALID_KERNEL, clReleaseKernel(bad));
}

#define SET(index, size, value) clSetKernelArg(scale, index, size, value)

static void check_arguments(void) {
    const cl_mem none = NULL, stray = STRAY(cl_mem);
    const cl_sampler bad_sampler = STRAY(cl_sampler);
    const cl_int word[16] = {1};
    ROW("not a kernel", CL_INVALID_KERNEL, clSetKernelArg((cl_kernel)program, 0, 4, &word));
    ROW("no such argument", CL_INVALID_ARG_INDEX, SET(5, 4, word));
    ROW("a pointer of 4 bytes", CL_INVALID_ARG_SIZE, SET(0, 4, &buffer));
    ROW("not a memory object", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &context));
    ROW("a stray handle", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &stray));
    ROW("released", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &released));
    ROW("an image", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &image));
    ROW("another context's buffer", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &other_buffer));
    ROW("another context's buffer", CL_INVALID_MEM_OBJECT, SET(1, sizeof(cl_mem), &other_buffer));
    SUCCEEDS(SET(0, sizeof(cl_mem), &none));
    SUCCEEDS(SET(0, sizeof(cl_mem), NULL));
    ROW("a value of local memory", CL_INVALID_ARG_VALUE, SET(2, 64, word));
    ROW("no local memory", CL_INVALID_ARG_SIZE, SET(2, 0, NULL));
    ROW("no value", CL_INVALID_ARG_VALUE, SET(3, 4, NULL));
    ROW("an int of 8 bytes", CL_INVALID_ARG_SIZE, SET(3, 8, word));
    ROW("an int of 1 byte", CL_INVALID_ARG_SIZE, SET(3, 1, word));
    ROW("a float4 of 12 bytes", CL_INVALID_ARG_SIZE, SET(4, 12, word));
    ROW("no image", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 0, sizeof(cl_mem), NULL));
    ROW("no image", CL_INVALID_MEM_OBJECT, clSetKernelArg(draw, 0, sizeof(cl_mem), &none));
    ROW("an image of 4 bytes", CL_INVALID_ARG_SIZE, clSetKernelArg(draw, 0, 4, &image));
    ROW("a buffer", CL_INVALID_MEM_OBJECT, clSetKernelArg(draw, 0, sizeof(cl_mem), &buffer));
    ROW("another context's image", CL_INVALID_MEM_OBJECT,
        clSetKernelArg(draw, 0, sizeof(cl_mem), &other_image));
    ROW("an image to write", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 0, sizeof(cl_mem), &write_image));
    ROW("an image to read", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 1, sizeof(cl_mem), &read_image));
    SUCCEEDS(clSetKernelArg(draw, 0, sizeof(cl_mem), &read_image));
    SUCCEEDS(clSetKernelArg(draw, 1, sizeof(cl_mem), &write_image));
    ROW("a stray sampler", CL_INVALID_SAMPLER, clSetKernelArg(draw, 2, sizeof(cl_sampler), &bad_sampler));
    ROW("not a sampler", CL_INVALID_SAMPLER, clSetKernelArg(draw, 2, sizeof(cl_sampler), &image));
    ROW("another context's sampler", CL_INVALID_SAMPLER,
        clSetKernelArg(draw, 2, sizeof(cl_sampler), &other_sampler));
    ROW("a sampler of 4 bytes", CL_INVALID_ARG_SIZE, clSetKernelArg(draw, 2, 4, &sampler));
    ROW("no sampler", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 2, sizeof(cl_sampler), NULL));
    SUCCEEDS(clSetKernelArg(draw, 2, sizeof(cl_sampler), &sampler));
    const size_t one = 1;
    SUCCEEDS(clEnqueueNDRangeKernel(queue, draw, 1, NULL, &one, NULL, NO));
}

int main(void) {
    set_up();
    if (wrong == 0) {
        check_creation();
        check_building();
        check_linking();
        check_kernels();
        check_arguments();
    }
    return verdict("api_errors_programs");
}

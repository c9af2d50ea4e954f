/* load_binary IMAGE: loads a program binary, launches each of its kernels on four buffers, local memory and
 * numbers, whatever their parameters are, and prints how each call ended. Exit status 0, or 3 if the binary
 * or one of its kernels is refused. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { BUFFERS = 4, BUFFER_BYTES = 32768, ITEMS = 64, GROUP = 16, KERNELS = 8 };

static bool told(const char *call, cl_int status) {
    printf("%s: %d\n", call, (int)status);
    return status == CL_SUCCESS;
}

/* Sets all arguments, as their sizes permit: one that is no buffer may be local memory, or a number. */
static void set_arguments(cl_kernel kernel, cl_mem buffers[BUFFERS]) {
    static const long long number = 5;
    cl_uint count = 0;
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    for (cl_uint i = 0; i < count && i < 64; i++) {
        cl_int status = clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i % BUFFERS]);
        if (status != CL_SUCCESS) status = clSetKernelArg(kernel, i, 1024, NULL);
        for (size_t size = 1; status != CL_SUCCESS && size <= sizeof number; size *= 2)
            status = clSetKernelArg(kernel, i, size, &number);
    }
}

static bool launch(struct host *host, cl_kernel kernel, cl_mem buffers[BUFFERS]) {
    const size_t global = ITEMS, local = GROUP;
    set_arguments(kernel, buffers);
    bool done = told("clEnqueueNDRangeKernel",
                     clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    return told("clFinish", clFinish(host->queue)) && done;
}

int main(int argc, char **argv) {
    if (argc != 2) HOST_FAIL("usage: load_binary IMAGE");
    struct host host;
    size_t size;
    cl_int status, loaded;
    cl_mem buffers[BUFFERS];
    cl_kernel kernels[KERNELS];
    cl_uint count = 0;
    host_open(&host);
    char *image = host_read_file(argv[1], &size);
    for (unsigned i = 0; i < BUFFERS; i++) buffers[i] = host_buffer(&host, BUFFER_BYTES, NULL);
    cl_program program = clCreateProgramWithBinary(host.context, 1, &host.device, &size,
                                                   (const unsigned char **)&image, &loaded, &status);
    if (!told("clCreateProgramWithBinary", status)) return 3;
    if (!told("clBuildProgram", clBuildProgram(program, 1, &host.device, NULL, NULL, NULL))) return 3;
    if (!told("clCreateKernelsInProgram", clCreateKernelsInProgram(program, KERNELS, kernels, &count)))
        return 3;
    bool done = true;
    for (cl_uint i = 0; i < count && i < KERNELS; i++) done &= launch(&host, kernels[i], buffers);
    free(image);
    return done ? 0 : 3;
}

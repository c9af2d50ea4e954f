/* vector_of_three: sets a float3 by 12 bytes, which is refused, then by 16. Exits 0 if that is so. */
#include "benchmarks/host.h"

#include <stdio.h>

int main(void) {
    const float values[4] = {1, 2, 3, 0};
    struct host host;
    host_open(&host);
    cl_program program =
        host_build(&host, "kernel void f(global float *a, float3 v) { a[get_global_id(0)] = v.z; }\n", NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "f");
    const cl_int twelve = clSetKernelArg(kernel, 1, 12, values),
                 sixteen = clSetKernelArg(kernel, 1, 16, values);
    printf("vector_of_three: %d %d\n", twelve, sixteen);
    return twelve != CL_INVALID_ARG_SIZE || sixteen != CL_SUCCESS;
}

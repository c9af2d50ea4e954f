/* large_groups N [required]: work-groups of N work-items that reverse their part of a buffer through local
 * memory. With `required`, the kernel has reqd_work_group_size, and the compiler's answer is printed. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments) {
    enum { GROUPS = 3, MOST = 4096 };
    struct host host;
    char source[600], log[2000] = "";
    const size_t group = count > 1 ? strtoul(arguments[1], NULL, 10) : 64, size = GROUPS * group;
    if (group == 0 || group > MOST) HOST_FAIL("groups of 1 to %d work-items", MOST);
    const bool required = count > 2 && strcmp(arguments[2], "required") == 0;
    snprintf(source, sizeof source,
             "__kernel %s%zu%s void turn(__global int *a) {\n"
             "  __local int part[%zu];\n"
             "  size_t l = get_local_id(0), n = get_local_size(0);\n"
             "  part[l] = a[get_global_id(0)];\n"
             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  a[get_global_id(0)] = part[n - 1 - l];\n}\n",
             required ? "__attribute__((reqd_work_group_size(" : "/* ", group, required ? ", 1, 1)))" : " */",
             group);
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    HOST_CHECK(clGetProgramBuildInfo(program, host.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    printf("large_groups: log: %s\n", log);
    cl_kernel turn = HOST_CREATE(clCreateKernel, program, "turn");
    int *values = host_allocate(size * sizeof *values);
    for (size_t i = 0; i < size; i++) values[i] = (int)i;
    cl_mem buffer = HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                size * sizeof *values, values);
    HOST_ARGUMENT(turn, 0, buffer);
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, turn, 1, NULL, &size, &group, 0, NULL, NULL));
    HOST_CHECK(
        clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, size * sizeof *values, values, 0, NULL, NULL));
    unsigned wrong = 0;
    for (size_t i = 0; i < size; i++) wrong += values[i] != (int)(i / group * group + group - 1 - i % group);
    free(values);
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseKernel(turn));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return host_verdict("large_groups", wrong == 0, "%u values wrong", wrong);
}

/* printf: text printed by a kernel appears in the program's own output, between the texts that the program
 * prints before and after the launch.
 *
 * usage: printf [much | fault]
 *   much: 60,000 work-items print, more than CL_DEVICE_PRINTF_BUFFER_SIZE holds; ends with the number of
 *         calls that returned an error for lack of space
 *   fault: work-item 5 prints, then reads far behind its buffer */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

static const char SOURCE[] =
    "__kernel void say(__global const int *in, __global int *lost) {\n"
    "    int i = get_global_id(0);\n"
    "    if (i % 3 == 0) printf(\"item %d of %s: %#04x, %.2f\\n\", i, \"all\", in[i], in[i] / 8.0f);\n"
    "    if (i == 4) printf(\"%v4hlf|%c\\n\", (float4)(1, 2, 0.5f, in[i]), 'x');\n"
    "}\n"
    "__kernel void much(__global int *lost) {\n"
    "    if (printf(\"%d\\n\", (int)get_global_id(0)) != 0) atomic_inc(lost);\n"
    "}\n"
    "__kernel void fault(__global const int *in, __global int *lost) {\n"
    "    if (get_global_id(0) != 5) return;\n"
    "    printf(\"before the fault\\n\");\n"
    "    lost[0] = in[1 << 24];\n"
    "}\n";

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "say";
    struct host host;
    cl_int in[8] = {0, 1, 2, 3, 4, 5, 6, 7}, none = 0;
    size_t items = !strcmp(what, "much") ? 60000 : 8;
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, what);
    cl_mem input = host_buffer(&host, sizeof in, in), lost = host_buffer(&host, sizeof none, &none);
    cl_uint index = 0;
    if (items == 8) HOST_ARGUMENT(kernel, index++, input);
    HOST_ARGUMENT(kernel, index, lost);
    printf("before\n");
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    HOST_CHECK(clFinish(host.queue));
    HOST_CHECK(clEnqueueReadBuffer(host.queue, lost, CL_TRUE, 0, sizeof none, &none, 0, NULL, NULL));
    printf("after, %d lost\n", none);
    HOST_CHECK(clReleaseMemObject(input));
    HOST_CHECK(clReleaseMemObject(lost));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return 0;
}

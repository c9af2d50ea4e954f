/* exit_without_release [--unfinished | --status N]: exits without releasing any object; with --unfinished
 * also with a launch that it has not waited for; with --status with exit status N after a sound launch. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SOURCE[] =
    "__kernel void square(__global int *values) { values[get_global_id(0)] *= get_global_id(0); }\n";

int main(int argc, char **argv) {
    bool unfinished = argc > 1 && strcmp(argv[1], "--unfinished") == 0;
    int status = argc > 2 && strcmp(argv[1], "--status") == 0 ? atoi(argv[2]) : 0;
    const size_t count = 64;
    cl_int values[64];
    for (int i = 0; i < 64; i++) values[i] = i;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "square");
    cl_mem buffer = host_buffer(&host, sizeof values, values);
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    if (!unfinished) {
        host_read(&host, buffer, values, sizeof values);
        printf("exit_without_release: value 63 is %d, expected %d\n", values[63], 63 * 63);
        if (values[63] != 63 * 63) return 1;
    }
    return status;
}

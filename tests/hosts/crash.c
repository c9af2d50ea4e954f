/* crash: runs one launch and then dies of a wild pointer (SIGSEGV) with everything still open. */
#include "benchmarks/host.h"

#include <stdio.h>

static const char SOURCE[] =
    "__kernel void count(__global int *values) { values[get_global_id(0)] = get_global_id(0); }\n";

int main(void) {
    cl_int values[64];
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "count");
    cl_mem buffer = host_buffer(&host, sizeof values, NULL);
    HOST_ARGUMENT(kernel, 0, buffer);
    host_launch(&host, kernel, 1, (size_t[]){64}, (size_t[]){32});
    host_read(&host, buffer, values, sizeof values);
    printf("crash: one launch done, value 63 is %d\n", values[63]);
    fflush(stdout);
    volatile int *volatile nowhere = (volatile int *)16;
    *nowhere = 1;
    return 0;
}

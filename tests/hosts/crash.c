/* crash [--in-launch]: runs one launch and then dies of a wild pointer (SIGSEGV) with all objects still open.
 * Another way: another thread dies of it while a second launch runs, which would never end. */
#include "benchmarks/host.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char SOURCE[] =
    "__kernel void count(__global int *values) { values[get_global_id(0)] = get_global_id(0); }\n"
    "__kernel void endless(volatile __global int *flag) { while (flag[63] != 0) flag[0] += 1; }\n";

static void *die(void *after_us) {
    usleep(*(const useconds_t *)after_us);
    volatile int *volatile nowhere = (volatile int *)16;
    *nowhere = 1;
    return NULL;
}

int main(int argc, char **argv) {
    useconds_t now = 0, later = 500000;
    cl_int values[64];
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "count");
    cl_kernel endless = HOST_CREATE(clCreateKernel, program, "endless");
    cl_mem buffer = host_buffer(&host, sizeof values, NULL);
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(endless, 0, buffer);
    host_launch(&host, kernel, 1, (size_t[]){64}, (size_t[]){32});
    host_read(&host, buffer, values, sizeof values);
    printf("crash: one launch done, value 63 is %d\n", values[63]);
    fflush(stdout);
    if (argc == 1 || strcmp(argv[1], "--in-launch") != 0) die(&now);
    pthread_t thread;
    pthread_create(&thread, NULL, die, &later);
    host_launch(&host, endless, 1, (size_t[]){64}, (size_t[]){32});
    return 0;
}

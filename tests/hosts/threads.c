/* threads: many threads use one context concurrently: each with its own buffers, kernels and queue, and all
 * with a shared queue; callbacks call the API, some threads wait for events that others set. Checks every
 * result, and that each callback came once. */
#include "benchmarks/host.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 6, ROUNDS = 12, COUNT = 64 };

static const char SOURCE[] = "__kernel void add(__global int *a, int n) { a[get_global_id(0)] += n; }\n";

static struct host host;
static cl_program program;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned wrong, events_told, ends_told;

static void count(unsigned *counter, bool condition) {
    pthread_mutex_lock(&mutex);
    *counter += condition;
    pthread_mutex_unlock(&mutex);
}

/* Callbacks may call the API, and thus cause further callbacks. */
static void CL_CALLBACK told(cl_event event, cl_int status, void *gate) {
    cl_command_type type = 0;
    HOST_CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    count(&wrong, status != CL_COMPLETE || type != CL_COMMAND_NDRANGE_KERNEL);
    count(&events_told, true);
    HOST_CHECK(clSetUserEventStatus(gate, CL_COMPLETE));
    HOST_CHECK(clReleaseEvent(gate));
}

static void CL_CALLBACK ended(cl_mem memory, void *data) {
    (void)memory, (void)data;
    count(&ends_told, true);
}

/* A launch whose end, through a callback, lets a second one start. */
static void run_round(cl_command_queue own, cl_kernel kernel, cl_mem buffer, int n) {
    const size_t size = COUNT;
    cl_event first, second, gate = HOST_CREATE(clCreateUserEvent, host.context);
    HOST_CHECK(clRetainEvent(gate));
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(kernel, 1, n);
    HOST_CHECK(clEnqueueNDRangeKernel(own, kernel, 1, NULL, &size, NULL, 0, NULL, &first));
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &size, NULL, 1, &gate, &second));
    HOST_CHECK(clSetEventCallback(first, CL_COMPLETE, told, gate));
    HOST_CHECK(clWaitForEvents(1, &second));
    HOST_CHECK(clReleaseEvent(first));
    HOST_CHECK(clReleaseEvent(second));
    HOST_CHECK(clReleaseEvent(gate));
}

static void *work(void *data) {
    const int number = (int)(intptr_t)data;
    cl_command_queue own = HOST_CREATE(clCreateCommandQueue, host.context, host.device, 0);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "add");
    for (int round = 0; round < ROUNDS; round++) {
        cl_int start[COUNT], found[COUNT];
        for (int i = 0; i < COUNT; i++) start[i] = i * number;
        cl_mem buffer = host_buffer(&host, sizeof start, start);
        HOST_CHECK(clSetMemObjectDestructorCallback(buffer, ended, NULL));
        run_round(own, kernel, buffer, number + round);
        HOST_CHECK(clEnqueueReadBuffer(own, buffer, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
        for (int i = 0; i < COUNT; i++) count(&wrong, found[i] != start[i] + 2 * (number + round));
        HOST_CHECK(clReleaseMemObject(buffer));
        HOST_CHECK(clFinish(host.queue));
    }
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseCommandQueue(own));
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    host_open(&host);
    program = host_build(&host, SOURCE, "");
    for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    wrong += events_told != THREADS * ROUNDS;
    wrong += ends_told != THREADS * ROUNDS;
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return host_verdict("threads", wrong == 0, "%u wrong, %u events, %u ends", wrong, events_told, ends_told);
}

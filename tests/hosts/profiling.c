/* profiling: commands that are not waited for, chained by events: their status, their four times in order,
 * longer kernels taking longer, wait lists, reference counts, a callback. */
#include "benchmarks/host.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { COUNT = 256, SHORT_ROUNDS = 10, LONG_ROUNDS = 2000, EVENTS = 4 };

static const char SOURCE[] = "__kernel void spin(__global uint *values, uint rounds) {\n"
                             "    int i = get_global_id(0);\n"
                             "    uint value = values[i];\n"
                             "    for (uint k = 0; k < rounds; k++) value = value * 1664525u + 1013904223u;\n"
                             "    values[i] = value;\n"
                             "}\n";

struct times {
    cl_ulong queued_ns;
    cl_ulong submit_ns;
    cl_ulong start_ns;
    cl_ulong end_ns;
};

static _Atomic int callbacks;

static void CL_CALLBACK count_callback(cl_event event, cl_int status, void *data) {
    (void)event;
    (void)data;
    if (status == CL_COMPLETE) atomic_fetch_add(&callbacks, 1);
}

static struct times times_of(cl_event event) {
    struct times times;
    size_t size = sizeof(cl_ulong);
    HOST_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, size, &times.queued_ns, NULL));
    HOST_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_SUBMIT, size, &times.submit_ns, NULL));
    HOST_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, size, &times.start_ns, NULL));
    HOST_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, size, &times.end_ns, NULL));
    return times;
}

static unsigned check_times(const char *name, const struct times *times) {
    printf("profiling: %s: %llu ns\n", name, (unsigned long long)(times->end_ns - times->start_ns));
    if (times->queued_ns <= times->submit_ns && times->submit_ns <= times->start_ns &&
        times->start_ns <= times->end_ns)
        return 0;
    fprintf(stderr, "profiling: %s: queued %llu, submitted %llu, started %llu, ended %llu ns: not in order\n",
            name, (unsigned long long)times->queued_ns, (unsigned long long)times->submit_ns,
            (unsigned long long)times->start_ns, (unsigned long long)times->end_ns);
    return 1;
}

static unsigned check_info(cl_event event, cl_command_type expected_type) {
    cl_int status = -1;
    cl_command_type type = 0;
    cl_uint references = 0;
    HOST_CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    HOST_CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    HOST_CHECK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    return (status != CL_COMPLETE) + (type != expected_type) + (references < 1);
}

/* write, short kernel, long kernel, read: each waits for the one before by its event. */
static void enqueue_chain(const struct host *host, cl_kernel kernel, cl_mem buffer, cl_uint *values,
                          cl_event *events) {
    const size_t count = COUNT;
    cl_uint rounds = SHORT_ROUNDS;
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(kernel, 1, rounds);
    HOST_CHECK(clEnqueueWriteBuffer(host->queue, buffer, CL_FALSE, 0, COUNT * sizeof *values, values, 0, NULL,
                                    &events[0]));
    HOST_CHECK(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &count, NULL, 1, &events[0], &events[1]));
    rounds = LONG_ROUNDS;
    HOST_ARGUMENT(kernel, 1, rounds);
    HOST_CHECK(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &count, NULL, 2, events, &events[2]));
    HOST_CHECK(clSetEventCallback(events[2], CL_COMPLETE, count_callback, NULL));
    HOST_CHECK(clEnqueueReadBuffer(host->queue, buffer, CL_FALSE, 0, COUNT * sizeof *values, values, 1,
                                   &events[2], &events[3]));
    HOST_CHECK(clFlush(host->queue));
    HOST_CHECK(clWaitForEvents(EVENTS, events));
}

static unsigned check_events(const cl_event *events) {
    static const char *const NAMES[EVENTS] = {"write", "short kernel", "long kernel", "read"};
    static const cl_command_type TYPES[EVENTS] = {CL_COMMAND_WRITE_BUFFER, CL_COMMAND_NDRANGE_KERNEL,
                                                  CL_COMMAND_NDRANGE_KERNEL, CL_COMMAND_READ_BUFFER};
    struct times times[EVENTS];
    unsigned wrong = 0;
    for (int i = 0; i < EVENTS; i++) {
        times[i] = times_of(events[i]);
        wrong += check_times(NAMES[i], &times[i]) + check_info(events[i], TYPES[i]);
        if (i > 0 && times[i].start_ns < times[i - 1].end_ns) {
            fprintf(stderr, "profiling: %s started before %s ended\n", NAMES[i], NAMES[i - 1]);
            wrong++;
        }
    }
    if (times[2].end_ns == times[2].start_ns) wrong++;
    return wrong;
}

int main(void) {
    cl_uint found[COUNT];
    cl_uint expected[COUNT];
    for (cl_uint i = 0; i < COUNT; i++) {
        found[i] = expected[i] = i;
        for (int k = 0; k < SHORT_ROUNDS + LONG_ROUNDS; k++)
            expected[i] = expected[i] * 1664525u + 1013904223u;
    }
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "spin");
    cl_mem buffer = host_buffer(&host, sizeof found, NULL);
    cl_event events[EVENTS];
    enqueue_chain(&host, kernel, buffer, found, events);
    unsigned wrong = host_count_wrong("values", found, expected, sizeof *found, COUNT) + check_events(events);
    for (int i = 0; i < EVENTS; i++) HOST_CHECK(clReleaseEvent(events[i]));
    /* A callback may come shortly after the wait ends: OpenCL only guarantees that it comes. */
    for (int i = 0; i < 5000 && atomic_load(&callbacks) == 0; i++) usleep(1000);
    wrong += atomic_load(&callbacks) != 1;
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("profiling", wrong == 0, "%u faults, %d callback", wrong, atomic_load(&callbacks));
}

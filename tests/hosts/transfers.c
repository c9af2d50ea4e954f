/* transfers: prints the durations of transfer commands from their profiles, in ns, and checks that no command
 * begins before the previous one has ended. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 4000 };

static struct host host;
static cl_ulong latest; /* end of the command before */
static unsigned wrong;

static void tell(const char *what, cl_event event) {
    cl_ulong times[4];
    HOST_CHECK(clWaitForEvents(1, &event));
    for (unsigned i = 0; i < 4; i++)
        HOST_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof times[i], &times[i],
                                           NULL));
    printf("%s: %llu ns\n", what, (unsigned long long)(times[3] - times[2]));
    wrong += times[0] > times[1] || times[1] > times[2] || times[2] > times[3] || times[2] < latest;
    latest = times[3];
    HOST_CHECK(clReleaseEvent(event));
}

static void tell_mappings(cl_mem buffer, cl_map_flags flags, const char *map, const char *unmap) {
    cl_event event;
    void *p =
        HOST_CREATE(clEnqueueMapBuffer, host.queue, buffer, CL_TRUE, flags, 0, BYTES / 2, 0, NULL, &event);
    tell(map, event);
    HOST_CHECK(clEnqueueUnmapMemObject(host.queue, buffer, p, 0, NULL, &event));
    tell(unmap, event);
}

int main(void) {
    char bytes[BYTES] = {1};
    cl_event event;
    host_open(&host);
    cl_kernel kernel =
        host_kernel(&host, "__kernel void k(__global char *a) { a[get_global_id(0)]++; }", "k");
    cl_mem a = HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_WRITE, BYTES, NULL);
    cl_mem b = HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_WRITE, BYTES, NULL);
    HOST_CHECK(clEnqueueWriteBuffer(host.queue, a, CL_FALSE, 0, BYTES, bytes, 0, NULL, &event));
    tell("write", event);
    HOST_ARGUMENT(kernel, 0, a);
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, (size_t[]){BYTES}, NULL, 0, NULL, &event));
    tell("kernel", event);
    HOST_CHECK(clEnqueueCopyBuffer(host.queue, a, b, 0, 0, BYTES, 0, NULL, &event));
    tell("copy", event);
    HOST_CHECK(clEnqueueFillBuffer(host.queue, a, bytes, 1, 0, 1000, 0, NULL, &event));
    tell("fill", event);
    const size_t origin[3] = {0}, region[3] = {10, 20, 1};
    HOST_CHECK(clEnqueueReadBufferRect(host.queue, b, CL_TRUE, origin, origin, region, 40, 0, 40, 0, bytes, 0,
                                       NULL, &event));
    tell("rectangle", event);
    tell_mappings(b, CL_MAP_READ, "map to read", "unmap after reading");
    tell_mappings(b, CL_MAP_WRITE_INVALIDATE_REGION, "map to write anew", "unmap after writing");
    HOST_CHECK(clEnqueueMarkerWithWaitList(host.queue, 0, NULL, &event));
    tell("marker", event);
    HOST_CHECK(clReleaseMemObject(a));
    HOST_CHECK(clReleaseMemObject(b));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("transfers", wrong == 0, "%u commands out of order", wrong);
}

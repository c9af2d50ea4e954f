/* three_d: every work-item function in an ND-range of one, two and three dimensions with global offsets. */
#include "benchmarks/host.h"

#include <string.h>

enum { FIELDS = 22, MOST = 8 * 6 * 5 };

static const char SOURCE[] =
    "__kernel void three_d(__global int *output) {\n"
    "    int place = 0;\n"
    "    for (int d = 2; d >= 0; d--)\n"
    "        place = place * get_global_size(d) + get_global_id(d) - get_global_offset(d);\n"
    "    __global int *field = output + place * 22;\n"
    "    *field++ = get_work_dim();\n"
    "    for (int d = 0; d < 3; d++) {\n"
    "        *field++ = get_global_id(d);\n"
    "        *field++ = get_local_id(d);\n"
    "        *field++ = get_group_id(d);\n"
    "        *field++ = get_global_size(d);\n"
    "        *field++ = get_local_size(d);\n"
    "        *field++ = get_num_groups(d);\n"
    "        *field++ = get_global_offset(d);\n"
    "    }\n"
    "}\n";

struct range {
    cl_uint dimensions;
    size_t offset[3];
    size_t global[3];
    size_t local[3];
};

static const struct range RANGES[] = {
    {3, {3, 50, 700}, {8, 6, 5}, {4, 3, 1}},
    {3, {0, 0, 0}, {4, 6, 4}, {2, 2, 4}},
    {2, {1, 2, 0}, {6, 10, 1}, {3, 5, 1}},
    {1, {100000, 0, 0}, {60, 1, 1}, {20, 1, 1}},
};

static void expect(const struct range *range, size_t place, cl_int *fields) {
    *fields++ = (cl_int)range->dimensions;
    for (int d = 0; d < 3; d++) {
        size_t id = place % range->global[d];
        place /= range->global[d];
        *fields++ = (cl_int)(id + range->offset[d]);
        *fields++ = (cl_int)(id % range->local[d]);
        *fields++ = (cl_int)(id / range->local[d]);
        *fields++ = (cl_int)range->global[d];
        *fields++ = (cl_int)range->local[d];
        *fields++ = (cl_int)(range->global[d] / range->local[d]);
        *fields++ = (cl_int)range->offset[d];
    }
}

static unsigned run_range(const struct host *host, cl_kernel kernel, const struct range *range) {
    static cl_int found[MOST * FIELDS];
    static cl_int expected[MOST * FIELDS];
    size_t count = range->global[0] * range->global[1] * range->global[2];
    memset(found, -1, sizeof found);
    cl_mem output = host_buffer(host, sizeof found, found);
    HOST_ARGUMENT(kernel, 0, output);
    HOST_CHECK(clEnqueueNDRangeKernel(host->queue, kernel, range->dimensions, range->offset, range->global,
                                      range->local, 0, NULL, NULL));
    host_read(host, output, found, sizeof found);
    HOST_CHECK(clReleaseMemObject(output));
    for (size_t place = 0; place < count; place++) expect(range, place, expected + place * FIELDS);
    return host_count_wrong("fields", found, expected, sizeof *found, count * FIELDS);
}

int main(void) {
    unsigned wrong = 0;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "three_d");
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
        wrong += run_range(&host, kernel, &RANGES[i]);
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("three_d", wrong == 0, "%u ids or sizes wrong", wrong);
}

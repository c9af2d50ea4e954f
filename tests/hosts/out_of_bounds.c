/* out_of_bounds far|edge|write|below|read_only: work-item 37 of 64 accesses memory outside every buffer:
 * reads 64 MB behind the buffer, reads the byte behind its end, writes that byte, or reads the byte before
 * its start. The others stay inside. With read_only, all write to a buffer created with CL_MEM_READ_ONLY.
 * Exits 0 if the launch returns without an error. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 64 };

static const char SOURCE[] = "__kernel void out_of_bounds(__global uchar *bytes, int where, int write) {\n"
                             "    int i = get_global_id(0);\n"
                             "    int place = i == 37 ? where : i;\n"
                             "    if (write)\n"
                             "        bytes[place] = 1;\n"
                             "    else\n"
                             "        bytes[i] = bytes[place] + 1;\n"
                             "}\n";

static const struct {
    const char *name;
    cl_int where;
    cl_int write;
} MODES[] = {
    {"far", 64 << 20, 0}, {"edge", COUNT, 0}, {"write", COUNT, 1}, {"below", -1, 0}, {"read_only", 37, 1}};

int main(int argc, char **argv) {
    size_t mode = 0;
    const size_t modes = sizeof MODES / sizeof MODES[0];
    while (argc == 2 && mode < modes && strcmp(argv[1], MODES[mode].name) != 0) mode++;
    if (argc != 2 || mode == modes) {
        fprintf(stderr, "Usage: out_of_bounds far|edge|write|below|read_only\n");
        return 1;
    }
    cl_uchar bytes[COUNT] = {0};
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "out_of_bounds");
    cl_mem buffer = strcmp(argv[1], "read_only") == 0
                        ? HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_ONLY, sizeof bytes, NULL)
                        : host_buffer(&host, sizeof bytes, bytes);
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(kernel, 1, MODES[mode].where);
    HOST_ARGUMENT(kernel, 2, MODES[mode].write);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){32});
    host_read(&host, buffer, bytes, sizeof bytes);
    printf("out_of_bounds: the kernel ended as if nothing had happened\n");
    return 0;
}

/* build_options: -D with and without a value, -I with a folder of headers (made for this run), and -w. One
 * source is given in several strings, with and without lengths, and built twice with other options. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 16 };

static const char HEADER[] = "#define FROM_HEADER(x) ((x) + OFFSET)\n";

static const char *const SOURCES[3] = {
    "#include \"offset.h\"\n",
    "#ifdef NEGATIVE\n#define SIGN -1\n#else\n#define SIGN 1\n#endif\nNOT PART OF THE SOURCE",
    "__kernel void build_options(__global TYPE *output) {\n"
    "    int i = get_global_id(0);\n"
    "    output[i] = SIGN * FROM_HEADER(SCALE * i);\n"
    "}\n"};

static void write_header(char *folder, char *path, size_t size_bytes) {
    if (mkdtemp(folder) == NULL) HOST_FAIL("cannot make a folder in /tmp");
    snprintf(path, size_bytes, "%s/offset.h", folder);
    host_write_file(path, HEADER, strlen(HEADER));
}

static void run(const struct host *host, const char *options, cl_int *output) {
    const size_t count = COUNT;
    const size_t lengths[3] = {0, strlen(SOURCES[1]) - strlen("NOT PART OF THE SOURCE"), 0};
    const char *sources[3] = {SOURCES[0], SOURCES[1], SOURCES[2]};
    cl_program program = HOST_CREATE(clCreateProgramWithSource, host->context, 3, sources, lengths);
    HOST_CHECK(clBuildProgram(program, 0, NULL, options, NULL, NULL));
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "build_options");
    cl_mem buffer = host_buffer(host, COUNT * sizeof *output, NULL);
    HOST_ARGUMENT(kernel, 0, buffer);
    host_launch(host, kernel, 1, &count, NULL);
    host_read(host, buffer, output, COUNT * sizeof *output);
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
}

int main(void) {
    char folder[] = "/tmp/build_options_XXXXXX";
    char header[64];
    char options[256];
    cl_int first[COUNT];
    cl_int second[COUNT];
    cl_int first_expected[COUNT];
    cl_int second_expected[COUNT];
    for (int i = 0; i < COUNT; i++) {
        first_expected[i] = 3 * i + 7;
        second_expected[i] = -(-20 * i + 1000);
    }
    write_header(folder, header, sizeof header);
    struct host host;
    host_open(&host);
    snprintf(options, sizeof options, "-D SCALE=3 -DOFFSET=7 -D TYPE=int -I %s", folder);
    run(&host, options, first);
    snprintf(options, sizeof options, "-w -I%s -DNEGATIVE -D SCALE=-20 -DOFFSET=1000 -DTYPE=int", folder);
    run(&host, options, second);
    host_close(&host);
    unlink(header);
    rmdir(folder);
    unsigned wrong = host_count_wrong("first build", first, first_expected, sizeof *first, COUNT) +
                     host_count_wrong("second build", second, second_expected, sizeof *second, COUNT);
    return host_verdict("build_options", wrong == 0, "%u values wrong", wrong);
}

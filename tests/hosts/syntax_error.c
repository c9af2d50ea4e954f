/* syntax_error [--ignore]: a kernel that does not compile. Prints the result of clBuildProgram and the build
 * log to standard output and exits 1; with --ignore it ignores both and exits 0. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

static const char *const SOURCE = "__kernel void broken(__global int *output) {\n"
                                  "    int i = get_global_id(0);\n"
                                  "    output[i] = undeclared_name + 1;\n"
                                  "}\n";

int main(int argc, char **argv) {
    bool ignore = argc > 1 && strcmp(argv[1], "--ignore") == 0;
    char log[8192] = "";
    cl_build_status build_status = CL_BUILD_NONE;
    struct host host;
    host_open(&host);
    const char *source = SOURCE;
    cl_program program = HOST_CREATE(clCreateProgramWithSource, host.context, 1, &source, NULL);
    cl_int status = clBuildProgram(program, 1, &host.device, "", NULL, NULL);
    if (ignore) return 0;
    HOST_CHECK(clGetProgramBuildInfo(program, host.device, CL_PROGRAM_BUILD_STATUS, sizeof build_status,
                                     &build_status, NULL));
    HOST_CHECK(clGetProgramBuildInfo(program, host.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    printf("clBuildProgram returned %d, build status %d, build log:\n%s\n", status, build_status, log);
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    bool reported = status == CL_BUILD_PROGRAM_FAILURE && build_status == CL_BUILD_ERROR &&
                    strstr(log, "undeclared_name") != NULL;
    printf("syntax_error: %s\n", reported ? "the error was reported" : "the error was NOT reported");
    return 1;
}

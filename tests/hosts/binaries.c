/* binaries: program binaries that are damaged, truncated or of another version, and sources that need missing
 * features: the error code of each, the build log, and the text passed to the context's notification
 * function. For this driver. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SOURCE[] = "__kernel void add(__global int *a) { a[get_global_id(0)] += 1; }\n";

static unsigned wrong, told;
static char last_told[1000];
static cl_device_id device;
static cl_context context;

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            wrong++;                                                                                         \
            printf("binaries.c:%d: not so: %s\n", __LINE__, #condition);                                     \
        }                                                                                                    \
    } while (0)

static void CL_CALLBACK note(const char *why, const void *data, size_t size, void *user_data) {
    (void)data, (void)size;
    CHECK(user_data == &told);
    told++;
    snprintf(last_told, sizeof last_told, "%s", why);
}

struct binary {
    unsigned char *bytes;
    size_t size;
};

static struct binary binary_of(cl_program program) {
    struct binary b;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof b.size, &b.size, NULL) == CL_SUCCESS);
    b.bytes = malloc(b.size);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof b.bytes, &b.bytes, NULL) == CL_SUCCESS);
    return b;
}

/* Returns the code for a binary; a program created from it is released. */
static cl_int load(const struct binary *b) {
    cl_int status, binary_status;
    const unsigned char *bytes = b->bytes;
    cl_program p = clCreateProgramWithBinary(context, 1, &device, &b->size, &bytes, &binary_status, &status);
    CHECK(status == binary_status && (p != NULL) == (status == CL_SUCCESS));
    if (p != NULL) CHECK(clReleaseProgram(p) == CL_SUCCESS);
    return status;
}

static unsigned char *find_text(const struct binary *b, const char *text) {
    return memmem(b->bytes, b->size, text, strlen(text));
}

static cl_program source(const char *text) {
    cl_int status;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    CHECK(status == CL_SUCCESS);
    return p;
}

static void check_executable(void) {
    cl_program program = source(SOURCE);
    CHECK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    struct binary b = binary_of(program), cut = b;
    CHECK(told == 0 && load(&b) == CL_SUCCESS);
    cut.size = b.size / 2;
    CHECK(load(&cut) == CL_INVALID_BINARY && told == 1);
    unsigned char *version = find_text(&b, "\"version\":");
    CHECK(version != NULL);
    if (version != NULL) version[strlen("\"version\":")] = '9';
    CHECK(load(&b) == CL_INVALID_BINARY && told == 2);
    CHECK(strstr(last_told, "version 9") != NULL && strstr(last_told, "build it again") != NULL);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    free(b.bytes);
}

static void check_object(void) {
    cl_program program = source(SOURCE);
    CHECK(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    struct binary b = binary_of(program), cut = b;
    CHECK(load(&b) == CL_SUCCESS);
    cut.size = b.size - 3;
    CHECK(load(&cut) == CL_INVALID_BINARY && strstr(last_told, "damaged") != NULL);
    unsigned char *magic = find_text(&b, "Lockstep compiled object");
    CHECK(magic != NULL);
    if (magic != NULL) magic[sizeof "Lockstep compiled object"]++; /* the version behind it */
    CHECK(load(&b) == CL_INVALID_BINARY && strstr(last_told, "another version") != NULL);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    free(b.bytes);
}

/* Builds a source and stores the build log in `log`. */
static cl_int build(const char *text, char log[5000]) {
    cl_program p = source(text);
    const cl_int status = clBuildProgram(p, 1, &device, "", NULL, NULL);
    CHECK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 5000, log, NULL) == CL_SUCCESS);
    CHECK(clReleaseProgram(p) == CL_SUCCESS);
    return status;
}

static void check_extensions(void) {
    static char log[5000];
    const unsigned before = told;
    CHECK(build("#pragma OPENCL EXTENSION cl_khr_nothing : enable\n__kernel void k(void) {}\n", log) ==
          CL_SUCCESS);
    CHECK(strstr(log, "cl_khr_nothing") != NULL); /* a warning */
    CHECK(build("#ifdef cl_khr_fp16\n#error\n#endif\n__kernel void k(__global half *a) { *a = *a + *a; }\n",
                log) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log, "half") != NULL && strstr(log, ".cl:4:") != NULL);
    CHECK(told == before + 1 && strcmp(last_told, log) == 0);
    CHECK(build("#ifndef cl_khr_fp64\n#error\n#endif\n#if __IMAGE_SUPPORT__ != 1\n#error\n#endif\n"
                "__kernel void k(__global double *a) { *a = *a + *a; }\n",
                log) == CL_SUCCESS);
}

int main(void) {
    cl_platform_id platform;
    cl_int status;
    CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    context = clCreateContext(NULL, 1, &device, note, &told, &status);
    CHECK(status == CL_SUCCESS);
    check_executable();
    check_object();
    check_extensions();
    CHECK(clReleaseContext(context) == CL_SUCCESS);
    printf("binaries: %s (%u conditions do not hold)\n", wrong == 0 ? "PASS" : "FAIL", wrong);
    return wrong != 0;
}

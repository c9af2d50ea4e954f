/* linking: kernels from several sources: compiled separately with headers in program objects, linked to an
 * executable, through a library, and through binaries. Other cases: names private to a source, and headers
 * changed after the compilation; functions that are missing, duplicate or recursive, damaged objects, and
 * errors with the file and line of the source. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 32 };

static const char HEADER[] = "#ifndef PAIR_H\n"
                             "#define PAIR_H\n"
                             "#include <scale.h>\n"
                             "struct pair { int a, b; };\n"
                             "int combine(struct pair p);\n"
                             "#endif\n";
static const char SCALE[] = "#define SCALE 3\n";
static const char KERNEL[] = "#include \"inc/pair.h\"\n"
                             "__kernel void run(__global int *out) {\n"
                             "    struct pair p = {get_global_id(0), OFFSET};\n"
                             "    out[get_global_id(0)] = combine(p);\n"
                             "}\n";
static const char HELPER[] = "#include \"inc/pair.h\"\n"
                             "int combine(struct pair p) { return SCALE * p.a + p.b; }\n";
static const char WRONG[] = "#include \"inc/pair.h\"\n"
                            "int combine(struct pair p) { return undeclared; }\n";

/* Names that each of two sources has for itself: a macro, a type, a static and an inline function, a table
 * and local memory in its kernel; the header is another one for each. */
static const char PRIVATE_HEADER[] = "#ifndef PRIVATE_H\n"
                                     "#define PRIVATE_H\n"
                                     "#define FACTOR 10\n"
                                     "typedef int number;\n"
                                     "__constant int table[2] = {1, 100};\n"
                                     "#endif\n";
static const char CHANGED_HEADER[] = "#define FACTOR 20\n"
                                     "typedef short number;\n"
                                     "__constant int table[2] = {2, 200};\n";
static const char FIRST[] = "#include <private.h>\n"
                            "static number own(int x) { return (number)(FACTOR * x + table[1]); }\n"
                            "inline int twice(int x) { return 2 * x; }\n"
                            "int other(int x);\n"
                            "__kernel void run(__global int *out) {\n"
                            "    __local int l[32];\n"
                            "    int i = get_global_id(0), n = get_local_id(0);\n"
                            "    l[n] = own(i);\n"
                            "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    out[i] = l[n] + other(i) + twice(i) + (int)sizeof(number);\n"
                            "}\n";
static const char SECOND[] = "#include <private.h>\n"
                             "static number own(int x) { return (number)(FACTOR * x - table[0]); }\n"
                             "inline int twice(int x) { return 3 * x; }\n"
                             "int other(int x) { return own(x) + twice(x) + (int)sizeof(number); }\n"
                             "__kernel void run2(__global int *out) {\n"
                             "    __local int l[32];\n"
                             "    l[get_local_id(0)] = 7;\n"
                             "    out[get_global_id(0)] = l[get_local_id(0)];\n"
                             "}\n";

static struct host host;
static unsigned wrong;

static void expect(bool condition, const char *what) {
    if (condition) return;
    wrong++;
    printf("linking: not so: %s\n", what);
}

static cl_program source(const char *text) {
    return HOST_CREATE(clCreateProgramWithSource, host.context, 1, &text, NULL);
}

static cl_int compile(cl_program program, const char *options) {
    cl_program headers[2] = {source(HEADER), source(SCALE)};
    const char *names[2] = {"inc/pair.h", "scale.h"};
    cl_int status = clCompileProgram(program, 0, NULL, options, 2, headers, names, NULL, NULL);
    HOST_CHECK(clReleaseProgram(headers[0]));
    HOST_CHECK(clReleaseProgram(headers[1]));
    return status;
}

static cl_program compiled(const char *text, const char *options) {
    cl_program program = source(text);
    HOST_CHECK(compile(program, options));
    return program;
}

static cl_program_binary_type type_of(cl_program program) {
    cl_program_binary_type type = 77;
    HOST_CHECK(clGetProgramBuildInfo(program, host.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    return type;
}

static bool log_says(cl_program program, const char *what) {
    static char log[10000];
    HOST_CHECK(clGetProgramBuildInfo(program, host.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    return strstr(log, what) != NULL;
}

static void check_values(cl_program program, int factor, int offset) {
    cl_int found[COUNT], expected[COUNT];
    const size_t count = COUNT;
    expect(type_of(program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE, "linked programs can be executed");
    for (int i = 0; i < COUNT; i++) expected[i] = factor * i + offset;
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "run");
    cl_mem out = host_buffer(&host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, out);
    host_launch(&host, kernel, 1, &count, NULL);
    host_read(&host, out, found, sizeof found);
    wrong += host_count_wrong("out", found, expected, sizeof found[0], COUNT);
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseMemObject(out));
    HOST_CHECK(clReleaseProgram(program));
}

static void check_run(cl_program program, int offset) {
    check_values(program, 3, offset);
}

/* Returns the same program, created from its binary. */
static cl_program reloaded(cl_program program) {
    size_t size;
    HOST_CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = host_allocate(size);
    HOST_CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    const unsigned char *binary = bytes;
    cl_program again =
        HOST_CREATE(clCreateProgramWithBinary, host.context, 1, &host.device, &size, &binary, NULL);
    free(bytes);
    return again;
}

static void CL_CALLBACK count_call(cl_program program, void *calls) {
    (void)program;
    ++*(int *)calls;
}

static cl_program compiled_with(const char *text, const char *header_text) {
    cl_program program = source(text), header = source(header_text);
    const char *name = "private.h";
    HOST_CHECK(clCompileProgram(program, 0, NULL, "", 1, &header, &name, NULL, NULL));
    HOST_CHECK(clReleaseProgram(header));
    return program;
}

static void check_private_names(void) {
    cl_program parts[2] = {compiled_with(FIRST, PRIVATE_HEADER), compiled_with(SECOND, CHANGED_HEADER)};
    for (int swap = 0; swap < 2; swap++) {
        cl_program both[2] = {parts[swap], parts[1 - swap]};
        check_values(HOST_CREATE(clLinkProgram, host.context, 0, NULL, "", 2, both, NULL, NULL),
                     10 + 20 + 3 + 2, 100 - 2 + 2 + 4);
    }
    HOST_CHECK(clReleaseProgram(parts[0]));
    HOST_CHECK(clReleaseProgram(parts[1]));
}

/* A header in a folder is read once, at compilation. */
static void check_changed_file(void) {
    char folder[] = "/tmp/linking_XXXXXX", path[64], options[64];
    if (mkdtemp(folder) == NULL) HOST_FAIL("cannot make a folder in /tmp");
    snprintf(path, sizeof path, "%s/scale.h", folder);
    snprintf(options, sizeof options, "-I%s", folder);
    host_write_file(path, "#define SCALE 3\n", strlen("#define SCALE 3\n"));
    cl_program program = source("#include <scale.h>\n__kernel void run(__global int *out) "
                                "{ out[get_global_id(0)] = SCALE * get_global_id(0) + 1; }\n");
    HOST_CHECK(clCompileProgram(program, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    host_write_file(path, "#define SCALE 4\n", strlen("#define SCALE 4\n"));
    check_run(HOST_CREATE(clLinkProgram, host.context, 0, NULL, "", 1, &program, NULL, NULL), 1);
    HOST_CHECK(clReleaseProgram(program));
    unlink(path);
    rmdir(folder);
}

/* Checks two sources that cannot be linked, and the message in the log. */
static void check_refused(const char *first, const char *second, const char *why) {
    cl_int status;
    cl_program parts[2] = {compiled(first, ""), compiled(second, "")};
    cl_program linked = clLinkProgram(host.context, 0, NULL, "", 2, parts, NULL, NULL, &status);
    expect(status == CL_LINK_PROGRAM_FAILURE, "objects that do not fit together are refused");
    expect(linked != NULL && log_says(linked, why), why);
    if (linked != NULL) HOST_CHECK(clReleaseProgram(linked));
    HOST_CHECK(clReleaseProgram(parts[0]));
    HOST_CHECK(clReleaseProgram(parts[1]));
}

static void check_damage(cl_program object) {
    size_t size;
    cl_int status;
    HOST_CHECK(clGetProgramInfo(object, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = host_allocate(size);
    HOST_CHECK(clGetProgramInfo(object, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    bytes[size / 2] ^= 0x10;
    const unsigned char *binary = bytes;
    cl_program again =
        HOST_CREATE(clCreateProgramWithBinary, host.context, 1, &host.device, &size, &binary, NULL);
    cl_program linked = clLinkProgram(host.context, 0, NULL, "", 1, &again, NULL, NULL, &status);
    expect(status == CL_LINK_PROGRAM_FAILURE, "a damaged object is refused");
    expect(linked != NULL && log_says(linked, "damaged"), "and said to be damaged");
    if (linked != NULL) HOST_CHECK(clReleaseProgram(linked));
    HOST_CHECK(clReleaseProgram(again));
    free(bytes);
}

static void check_failures(cl_program kernel) {
    cl_int status;
    cl_program bad = source(WRONG);
    expect(compile(bad, "") == CL_COMPILE_PROGRAM_FAILURE,
           "an error in a source is found when it is compiled");
    expect(log_says(bad, ".cl:2:37: error: "), "the log has the source's own line");
    expect(log_says(bad, "undeclared"), "and says what is wrong");
    cl_program alone = clLinkProgram(host.context, 0, NULL, "", 1, &kernel, NULL, NULL, &status);
    expect(status == CL_LINK_PROGRAM_FAILURE, "a missing function is found when programs are linked");
    expect(alone != NULL && log_says(alone, "combine"), "and named");
    if (alone != NULL) HOST_CHECK(clReleaseProgram(alone));
    HOST_CHECK(clReleaseProgram(bad));
}

int main(void) {
    int calls = 0;
    host_open(&host);
    cl_program parts[2] = {compiled(KERNEL, "-DOFFSET=5"), compiled(HELPER, "")};
    expect(type_of(parts[0]) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, "compiled programs are objects");
    check_run(HOST_CREATE(clLinkProgram, host.context, 0, NULL, "", 2, parts, count_call, &calls), 5);
    expect(calls == 1, "the function given to clLinkProgram is called");
    cl_program plain = source("__kernel void k(__global int *a) { a[0] = 1; }\n");
    HOST_CHECK(clCompileProgram(plain, 0, NULL, "", 0, NULL, NULL, count_call, &calls));
    HOST_CHECK(clBuildProgram(plain, 1, &host.device, "", count_call, &calls));
    expect(calls == 3, "so are those given to clCompileProgram and clBuildProgram");
    expect(type_of(plain) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE, "what was compiled can be built");
    HOST_CHECK(clReleaseProgram(plain));
    cl_program library =
        HOST_CREATE(clLinkProgram, host.context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL);
    expect(type_of(library) == CL_PROGRAM_BINARY_TYPE_LIBRARY, "a library is one");
    cl_program both[2] = {reloaded(parts[0]), reloaded(library)};
    check_run(HOST_CREATE(clLinkProgram, host.context, 0, NULL, "-cl-fast-relaxed-math", 2, both, NULL, NULL),
              5);
    cl_program other[2] = {compiled(KERNEL, "-DOFFSET=9"), library};
    check_run(HOST_CREATE(clLinkProgram, host.context, 0, NULL, "", 2, other, NULL, NULL), 9);
    check_failures(parts[0]);
    check_private_names();
    check_changed_file();
    check_refused("int f(int x) { return x; }\n", "\nint f(int x) { return x + 1; }\n",
                  ".cl:2: error: the function 'f' is also defined in another of the linked programs (object");
    check_refused("int g(int x);\nint f(int x) { return x > 0 ? g(x) : 1; }\n",
                  "int f(int x);\nint g(int x) { return f(x - 1); }\n", "is recursive through several");
    check_damage(parts[0]);
    cl_program all[] = {parts[0], parts[1], library, both[0], both[1], other[0]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) HOST_CHECK(clReleaseProgram(all[i]));
    host_close(&host);
    return host_verdict("linking", wrong == 0, "%u conditions do not hold", wrong);
}

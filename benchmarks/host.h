/* host: what every OpenCL host program here needs and OpenCL makes long: a device with a queue, a program
 * from source, a launch and its time, checks, files and the verdict.
 *
 * Nothing here knows which OpenCL implementation is underneath: the first device of the first platform is
 * used. Every failure ends the program: what failed and where goes to standard error, the
 * exit status is 1. */
#ifndef BENCHMARKS_HOST_H
#define BENCHMARKS_HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

struct host {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in-order queue with profiling */
};

void host_open(struct host *host);
void host_close(struct host *host);

/* Prints "PROGRAM: FUNCTION: CL_NAME (code) at FILE:LINE" and ends the program
 * unless status is CL_SUCCESS. */
void host_check(cl_int status, const char *call, const char *file, int line);

/* HOST_CHECK(clFinish(queue)) for calls that return a status, HOST_CREATE(clCreateBuffer, context, ...) for
 * calls that return an object and take the status' address as their last argument, which is left out here. */
#define HOST_CHECK(call) host_check((call), #call, __FILE__, __LINE__)
#define HOST_CREATE(function, ...)                                                                           \
    ({                                                                                                       \
        cl_int host_status_ = CL_SUCCESS;                                                                    \
        __auto_type host_object_ = function(__VA_ARGS__, &host_status_);                                     \
        host_check(host_status_, #function, __FILE__, __LINE__);                                             \
        host_object_;                                                                                        \
    })

/* Sets argument INDEX of KERNEL to the variable VALUE (an object that has an address). */
#define HOST_ARGUMENT(kernel, index, value)                                                                  \
    HOST_CHECK(clSetKernelArg((kernel), (index), sizeof(value), &(value)))

/* Prints "PROGRAM: message at FILE:LINE" to standard error and ends the program. */
#define HOST_FAIL(...) host_fail(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void host_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* size_bytes of zeros, or the end of the program. The caller frees them. */
void *host_allocate(size_t size_bytes);

/* Builds source for the host's device; options may be NULL. A source that does not compile ends the program
 * with the compiler's messages on standard error. */
cl_program host_build(const struct host *host, const char *source, const char *options);

/* host_build and clCreateKernel of a source with one kernel; the program object lives as
 * long as the kernel. */
cl_kernel host_kernel(const struct host *host, const char *source, const char *name);

/* A buffer of size_bytes that the kernel may read and write, filled from data unless that is NULL. */
cl_mem host_buffer(const struct host *host, size_t size_bytes, const void *data);

/* Copies size_bytes from the buffer's start to data, or back, and waits for it. */
void host_read(const struct host *host, cl_mem buffer, void *data, size_t size_bytes);
void host_write(const struct host *host, cl_mem buffer, const void *data, size_t size_bytes);

/* Runs the kernel over global[dimensions] work-items, waits for its end and returns its time in ns by its
 * event. local may be NULL: the implementation chooses the work-group size. */
cl_ulong host_launch(const struct host *host, cl_kernel kernel, cl_uint dimensions, const size_t *global,
                     const size_t *local);

/* Programs that are split as OpenMP splits them: a work-group of one work-item is a core, which does its part
 * of the iterations of a parallel loop; the end of a launch is the barrier at the loop's end. host_region
 * runs a kernel on every core, host_serial on one. Both wait for its end and return its time in ns. */
cl_ulong host_region(const struct host *host, cl_kernel kernel);
cl_ulong host_serial(const struct host *host, cl_kernel kernel);
unsigned host_cores(const struct host *host);

/* The option --model of such programs; with openmp the kernels are those of NAME_openmp.cl. */
#define HOST_MODEL                                                                                           \
    { "model", "how the work is split: by OpenCL's work-items, or as OpenMP does", {"opencl", "openmp"}, 0 }

/* The option --vectors of programs that are vectorised by hand: a work-item does the work of four. With on
 * the kernels are those of NAME_vectors.cl. */
#define HOST_VECTORS                                                                                         \
    { "vectors", "a work-item does the work of four, in vectors", {"off", "on"}, 0 }

/* The path of a benchmark's kernel source: benchmarks/NAME/NAME.cl in the current directory or, where that
 * does not exist, in the source tree that the running program was built in. The caller frees it. */
char *host_kernel_path(const char *name);

/* The path of file NAME in the folder data/ beside the running program; a file that is not there ends the
 * program. The caller frees it. */
char *host_data_path(const char *name);

/* The whole file, with a 0 behind it; *size_bytes without that 0, may be NULL. The caller frees it. */
char *host_read_file(const char *path, size_t *size_bytes);

/* Writes size_bytes of data to PATH.N.part, N the number of the process, and renames it when it is whole. */
void host_write_file(const char *path, const void *data, size_t size_bytes);

/* The number text as a positive integer up to limit; option names it in the error. */
unsigned host_parse_count(const char *option, const char *text, unsigned limit);

/* A size that the user may set: --NAME N, from 1 to limit; value is the default, then what was set. */
struct host_size {
    const char *name, *what;
    unsigned value, limit;
};

/* Parses the command line of a program that makes its own input: its sizes, --kernel FILE.cl and --help,
 * which starts with `summary`, a sentence. A wrong command line ends the program. Returns the kernel's
 * source: from FILE.cl, else from where host_kernel_path(name) says. The caller frees it. */
char *host_parse_sizes(int argc, char **argv, const char *name, const char *summary, struct host_size *sizes,
                       unsigned count);

enum { HOST_INPUTS = 3 };
typedef const unsigned host_inputs[HOST_INPUTS]; /* a size's value for a small, a medium and a large input */

/* The same for a program whose input is random and has three sizes to choose from, --input small, medium or
 * large: inputs[n] are the values of sizes[n]. Behind those stands the seed, --seed N, in *seed. */
char *host_parse_inputs(int argc, char **argv, const char *name, const char *summary, struct host_size *sizes,
                        unsigned count, host_inputs *inputs, unsigned *seed);

/* An option that takes one of some words, --NAME WORD; value is the index of the default, then of the chosen
 * word. */
enum { HOST_WORDS = 3 };
struct host_choice {
    const char *name, *what, *words[HOST_WORDS]; /* unused words, at the end, are NULL */
    unsigned value;
};

/* The command line of a program of the dual-mode paper's Table 4. */
struct host_command {
    const char *name, *summary; /* summary: a sentence for --help */
    struct host_size *sizes;    /* a value other than 0 is the default in place of that of --input test */
    unsigned size_count;
    host_inputs *inputs; /* values of sizes for --input test, small and full */
    struct host_choice *choices;
    unsigned choice_count;
    unsigned *seed; /* --seed N; its value before is the default */
    bool of_papers; /* inputs are called small, medium and large, as by host_parse_inputs() */
};

/* Sets sizes, choices and the seed from the command line, first to the defaults. A wrong command
 * line ends the program. Returns the kernel's source as host_parse_sizes does. The caller frees it. */
char *host_parse_command(int argc, char **argv, const struct host_command *command);

/* Returns the 64-bit FNV-1a hash of size_bytes of data: equal for equal bits. */
unsigned long long host_hash(const void *data, size_t size_bytes);

/* The next number of a sequence that is always the same: 0 to 2^24 - 1. *state starts with any value. */
unsigned host_random(unsigned *state);

/* How many of count elements of element_bytes (1 to 8) differ in any bit; names the
 * first to standard error. */
unsigned host_count_wrong(const char *what, const void *found, const void *expected, size_t element_bytes,
                          size_t count);

/* Prints the last line "NAME: PASS (message)" or "NAME: FAIL (message)"; returns the exit status, 0 or 1. */
int host_verdict(const char *name, bool pass, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif

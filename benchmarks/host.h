/* host: common parts of the OpenCL host programs in this folder: a device with a queue, a program from
 * source, launches and their times, checks, files and the verdict.
 *
 * The programs depend on no OpenCL implementation: they use the first device of the first platform. Every
 * failure ends the program with exit status 1, and a message on standard error says what failed and where. */
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

/* Check the results of OpenCL calls. HOST_CHECK(clFinish(queue)) is for calls that return a status.
 * HOST_CREATE(clCreateBuffer, context, ...) is for calls that return an object; their last argument, the
 * address of the status, is left out here. */
#define HOST_CHECK(call) host_check((call), #call, __FILE__, __LINE__)
#define HOST_CREATE(function, ...)                                                                           \
    ({                                                                                                       \
        cl_int host_status_ = CL_SUCCESS;                                                                    \
        __auto_type host_object_ = function(__VA_ARGS__, &host_status_);                                     \
        host_check(host_status_, #function, __FILE__, __LINE__);                                             \
        host_object_;                                                                                        \
    })

/* Sets argument INDEX of KERNEL to the variable VALUE, which must have an address. */
#define HOST_ARGUMENT(kernel, index, value)                                                                  \
    HOST_CHECK(clSetKernelArg((kernel), (index), sizeof(value), &(value)))

/* Prints "PROGRAM: message at FILE:LINE" to standard error and ends the program. */
#define HOST_FAIL(...) host_fail(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void host_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns size_bytes of zeros; ends the program if there is no memory. The caller frees them. */
void *host_allocate(size_t size_bytes);

/* Builds source for the host's device; options may be NULL. If the source does not compile, the compiler's
 * messages go to standard error and the program ends. */
cl_program host_build(const struct host *host, const char *source, const char *options);

/* Builds a source with one kernel and returns this kernel. The program object exists as long as the
 * kernel. */
cl_kernel host_kernel(const struct host *host, const char *source, const char *name);

/* Returns a buffer of size_bytes that the kernel may read and write, with a copy of data unless data is
 * NULL. */
cl_mem host_buffer(const struct host *host, size_t size_bytes, const void *data);

/* Copy size_bytes from the buffer's start to data, or from data to the buffer, and wait for the end. */
void host_read(const struct host *host, cl_mem buffer, void *data, size_t size_bytes);
void host_write(const struct host *host, cl_mem buffer, const void *data, size_t size_bytes);

/* Runs the kernel over global[dimensions] work-items and waits for its end. Returns the time in ns that the
 * event reports. With local NULL the implementation chooses the work-group size. */
cl_ulong host_launch(const struct host *host, cl_kernel kernel, cl_uint dimensions, const size_t *global,
                     const size_t *local);

/* Run kernels of programs that are parallel in the way of OpenMP: a work-group of one work-item is a core,
 * which does its part of the iterations of a parallel loop. The end of the launch is the barrier at the
 * loop's end. host_region() runs a kernel on every core, host_serial() on one. Both wait for its end and
 * return its time in ns. */
cl_ulong host_region(const struct host *host, cl_kernel kernel);
cl_ulong host_serial(const struct host *host, cl_kernel kernel);
unsigned host_cores(const struct host *host);

/* The option --model of such programs. With `openmp` they use the kernels of NAME_openmp.cl. */
#define HOST_MODEL                                                                                           \
    { "model", "how the work is split: by OpenCL's work-items, or as OpenMP does", {"opencl", "openmp"}, 0 }

/* The option --vectors of programs that are vectorised by hand: a work-item does the work of four. With `on`
 * they use the kernels of NAME_vectors.cl. */
#define HOST_VECTORS                                                                                         \
    { "vectors", "a work-item does the work of four, in vectors", {"off", "on"}, 0 }

/* Returns the path of a benchmark's kernel source: benchmarks/NAME/NAME.cl in the current directory or, if
 * that does not exist, in the source tree in which the running program was built. The caller frees it. */
char *host_kernel_path(const char *name);

/* Returns the path of file NAME in the folder data/ next to the running program. Ends the program if there is
 * no such file. The caller frees the path. */
char *host_data_path(const char *name);

/* Returns the whole file, followed by a zero byte. *size_bytes becomes its size without that byte; size_bytes
 * may be NULL. The caller frees it. */
char *host_read_file(const char *path, size_t *size_bytes);

/* Writes size_bytes of data to PATH.N.part, where N is the number of the process, and renames the complete
 * file to PATH. */
void host_write_file(const char *path, const void *data, size_t size_bytes);

/* Returns the number in text, a positive integer up to limit. option is its name in the error message. */
unsigned host_parse_count(const char *option, const char *text, unsigned limit);

/* A size that the user may set by --NAME N, from 1 to limit. `value` is the default, after parsing the chosen
 * size. */
struct host_size {
    const char *name, *what;
    unsigned value, limit;
};

/* Parses the command line of a program that generates its own input: its sizes, --kernel FILE.cl and --help,
 * which prints `summary`, a sentence. An invalid command line ends the program. Returns the kernel's source,
 * from FILE.cl or else from host_kernel_path(name). The caller frees it. */
char *host_parse_sizes(int argc, char **argv, const char *name, const char *summary, struct host_size *sizes,
                       unsigned count);

enum { HOST_INPUTS = 3 };
/* Values of a size for a small, a medium and a large input. */
typedef const unsigned host_inputs[HOST_INPUTS];

/* Does the same for a program with random input of three sizes, chosen by --input small, medium or large:
 * inputs[n] are the values of sizes[n]. *seed becomes the value of --seed N. */
char *host_parse_inputs(int argc, char **argv, const char *name, const char *summary, struct host_size *sizes,
                        unsigned count, host_inputs *inputs, unsigned *seed);

/* An option with a word as argument: --NAME WORD. `value` is the index of the default, after parsing that of
 * the chosen word. */
enum { HOST_WORDS = 3 };
struct host_choice {
    const char *name, *what, *words[HOST_WORDS]; /* unused words at the end are NULL */
    unsigned value;
};

/* The command line of a program of the dual-mode paper's Table 4. */
struct host_command {
    const char *name, *summary; /* summary: a sentence for --help */
    /* Sizes. A value other than 0 is a default that replaces the value for --input test. */
    struct host_size *sizes;
    unsigned size_count;
    host_inputs *inputs; /* values of sizes for --input test, small and full */
    struct host_choice *choices;
    unsigned choice_count;
    unsigned *seed; /* value of --seed N; its initial value is the default */
    bool of_papers; /* the inputs are called small, medium and large, as with host_parse_inputs() */
};

/* Sets sizes, choices and the seed to the defaults, then from the command line. An invalid command line ends
 * the program. Returns the kernel's source like host_parse_sizes(). The caller frees it. */
char *host_parse_command(int argc, char **argv, const struct host_command *command);

/* Returns the 64-bit FNV-1a hash of size_bytes of data: equal for equal bits. */
unsigned long long host_hash(const void *data, size_t size_bytes);

/* Returns the next number, 0 to 2^24 - 1, of a fixed sequence. Any initial *state is allowed. */
unsigned host_random(unsigned *state);

/* Returns how many of `count` elements of element_bytes (1 to 8) bytes differ in any bit; prints the first of
 * them to standard error. */
unsigned host_count_wrong(const char *what, const void *found, const void *expected, size_t element_bytes,
                          size_t count);

/* Prints the last line "NAME: PASS (message)" or "NAME: FAIL (message)"; returns the exit status, 0 or 1. */
int host_verdict(const char *name, bool pass, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif

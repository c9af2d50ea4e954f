#include "benchmarks/host.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With the address sanitizer, a program may still keep its objects to its end, and be killed by its own
 * signals. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
    return "detect_leaks=0:handle_segv=0";
}

#define NO_PLATFORM (-1001) /* CL_PLATFORM_NOT_FOUND_KHR, which the loader returns */

static const struct {
    cl_int status;
    const char *name;
} STATUS_NAMES[] = {
#define STATUS(name)                                                                                         \
    { name, #name }
    STATUS(CL_DEVICE_NOT_FOUND),
    STATUS(CL_DEVICE_NOT_AVAILABLE),
    STATUS(CL_COMPILER_NOT_AVAILABLE),
    STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    STATUS(CL_OUT_OF_RESOURCES),
    STATUS(CL_OUT_OF_HOST_MEMORY),
    STATUS(CL_PROFILING_INFO_NOT_AVAILABLE),
    STATUS(CL_MEM_COPY_OVERLAP),
    STATUS(CL_BUILD_PROGRAM_FAILURE),
    STATUS(CL_MAP_FAILURE),
    STATUS(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    STATUS(CL_INVALID_VALUE),
    STATUS(CL_INVALID_PLATFORM),
    STATUS(CL_INVALID_DEVICE),
    STATUS(CL_INVALID_CONTEXT),
    STATUS(CL_INVALID_QUEUE_PROPERTIES),
    STATUS(CL_INVALID_COMMAND_QUEUE),
    STATUS(CL_INVALID_HOST_PTR),
    STATUS(CL_INVALID_MEM_OBJECT),
    STATUS(CL_INVALID_BUILD_OPTIONS),
    STATUS(CL_INVALID_PROGRAM),
    STATUS(CL_INVALID_PROGRAM_EXECUTABLE),
    STATUS(CL_INVALID_KERNEL_NAME),
    STATUS(CL_INVALID_KERNEL),
    STATUS(CL_INVALID_ARG_INDEX),
    STATUS(CL_INVALID_ARG_VALUE),
    STATUS(CL_INVALID_ARG_SIZE),
    STATUS(CL_INVALID_KERNEL_ARGS),
    STATUS(CL_INVALID_WORK_DIMENSION),
    STATUS(CL_INVALID_WORK_GROUP_SIZE),
    STATUS(CL_INVALID_WORK_ITEM_SIZE),
    STATUS(CL_INVALID_GLOBAL_OFFSET),
    STATUS(CL_INVALID_EVENT_WAIT_LIST),
    STATUS(CL_INVALID_EVENT),
    STATUS(CL_INVALID_OPERATION),
    STATUS(CL_INVALID_BUFFER_SIZE),
    STATUS(CL_INVALID_GLOBAL_WORK_SIZE),
#undef STATUS
};

static const char *status_name(cl_int status) {
    if (status == NO_PLATFORM) return "no OpenCL platform found; is an OpenCL driver installed?";
    for (size_t i = 0; i < sizeof STATUS_NAMES / sizeof STATUS_NAMES[0]; i++)
        if (STATUS_NAMES[i].status == status) return STATUS_NAMES[i].name;
    return "OpenCL error";
}

void host_check(cl_int status, const char *call, const char *file, int line) {
    if (status == CL_SUCCESS) return;
    host_fail(file, line, "%.*s: %s (%d)", (int)strcspn(call, "("), call, status_name(status), status);
}

void host_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    fprintf(stderr, "%s: ", program_invocation_short_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, " at %s:%d\n", file, line);
    exit(1);
}

void *host_allocate(size_t size_bytes) {
    void *memory = calloc(size_bytes, 1);
    if (memory == NULL) {
        fprintf(stderr, "%s: out of memory for %zu bytes\n", program_invocation_short_name, size_bytes);
        exit(1);
    }
    return memory;
}

void host_open(struct host *host) {
    HOST_CHECK(clGetPlatformIDs(1, &host->platform, NULL));
    HOST_CHECK(clGetDeviceIDs(host->platform, CL_DEVICE_TYPE_ALL, 1, &host->device, NULL));
    host->context = HOST_CREATE(clCreateContext, NULL, 1, &host->device, NULL, NULL);
    host->queue = HOST_CREATE(clCreateCommandQueue, host->context, host->device, CL_QUEUE_PROFILING_ENABLE);
}

void host_close(struct host *host) {
    HOST_CHECK(clReleaseCommandQueue(host->queue));
    HOST_CHECK(clReleaseContext(host->context));
}

static void print_build_log(const struct host *host, cl_program program) {
    size_t size_bytes = 0;
    HOST_CHECK(clGetProgramBuildInfo(program, host->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size_bytes));
    char *log = host_allocate(size_bytes + 1);
    HOST_CHECK(clGetProgramBuildInfo(program, host->device, CL_PROGRAM_BUILD_LOG, size_bytes, log, NULL));
    fflush(stdout);
    fprintf(stderr, "%s\n", log);
    free(log);
}

cl_program host_build(const struct host *host, const char *source, const char *options) {
    cl_program program = HOST_CREATE(clCreateProgramWithSource, host->context, 1, &source, NULL);
    cl_int status = clBuildProgram(program, 1, &host->device, options, NULL, NULL);
    if (status != CL_SUCCESS) print_build_log(host, program);
    host_check(status, "clBuildProgram", __FILE__, __LINE__);
    return program;
}

cl_kernel host_kernel(const struct host *host, const char *source, const char *name) {
    cl_program program = host_build(host, source, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, name);
    HOST_CHECK(clReleaseProgram(program));
    return kernel;
}

cl_mem host_buffer(const struct host *host, size_t size_bytes, const void *data) {
    cl_mem buffer = HOST_CREATE(clCreateBuffer, host->context, CL_MEM_READ_WRITE, size_bytes, NULL);
    if (data != NULL) host_write(host, buffer, data, size_bytes);
    return buffer;
}

void host_read(const struct host *host, cl_mem buffer, void *data, size_t size_bytes) {
    HOST_CHECK(clEnqueueReadBuffer(host->queue, buffer, CL_TRUE, 0, size_bytes, data, 0, NULL, NULL));
}

void host_write(const struct host *host, cl_mem buffer, const void *data, size_t size_bytes) {
    HOST_CHECK(clEnqueueWriteBuffer(host->queue, buffer, CL_TRUE, 0, size_bytes, data, 0, NULL, NULL));
}

cl_ulong host_launch(const struct host *host, cl_kernel kernel, cl_uint dimensions, const size_t *global,
                     const size_t *local) {
    cl_event event;
    cl_ulong start_ns = 0;
    cl_ulong end_ns = 0;
    HOST_CHECK(clEnqueueNDRangeKernel(host->queue, kernel, dimensions, NULL, global, local, 0, NULL, &event));
    HOST_CHECK(clWaitForEvents(1, &event));
    HOST_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start_ns, &start_ns, NULL));
    HOST_CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end_ns, &end_ns, NULL));
    HOST_CHECK(clReleaseEvent(event));
    return end_ns - start_ns;
}

unsigned host_cores(const struct host *host) {
    cl_uint cores = 0;
    HOST_CHECK(clGetDeviceInfo(host->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof cores, &cores, NULL));
    return cores;
}

cl_ulong host_region(const struct host *host, cl_kernel kernel) {
    const size_t global = host_cores(host), local = 1;
    return host_launch(host, kernel, 1, &global, &local);
}

cl_ulong host_serial(const struct host *host, cl_kernel kernel) {
    const size_t one = 1;
    return host_launch(host, kernel, 1, &one, &one);
}

/* Writes the folder of the running program, without a slash at the end. */
static void program_folder(char *folder, size_t size_bytes) {
    ssize_t length = readlink("/proc/self/exe", folder, size_bytes - 1);
    if (length < 0) HOST_FAIL("/proc/self/exe: %s", strerror(errno));
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
}

/* Returns the path benchmarks/NAME/NAME.cl, or NAME_openmp.cl, NAME_vectors.cl, NAME_shared.cl. */
static char *kernel_path_of(const char *name, const char *ending) {
    char folder[4096];
    char *path;
    if (asprintf(&path, "benchmarks/%s/%s%s.cl", name, name, ending) < 0) HOST_FAIL("out of memory");
    if (access(path, R_OK) == 0) return path;
    free(path);
    program_folder(folder, sizeof folder);
    if (asprintf(&path, "%s/../../benchmarks/%s/%s%s.cl", folder, name, name, ending) < 0)
        HOST_FAIL("out of memory");
    return path;
}

char *host_kernel_path(const char *name) {
    return kernel_path_of(name, "");
}

char *host_data_path(const char *name) {
    char folder[4096];
    char *path;
    program_folder(folder, sizeof folder);
    if (asprintf(&path, "%s/data/%s", folder, name) < 0) HOST_FAIL("out of memory");
    if (access(path, R_OK) != 0)
        HOST_FAIL("cannot read %s: %s; `make` writes it, or this program with --generate", path,
                  strerror(errno));
    return path;
}

char *host_read_file(const char *path, size_t *size_bytes) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) HOST_FAIL("cannot read %s: %s", path, strerror(errno));
    size_t capacity = 1 << 16;
    size_t size = 0;
    char *data = host_allocate(capacity);
    while ((size += fread(data + size, 1, capacity - 1 - size, file)) == capacity - 1) {
        char *larger = host_allocate(2 * capacity);
        memcpy(larger, data, size);
        free(data);
        data = larger;
        capacity *= 2;
    }
    if (ferror(file)) HOST_FAIL("cannot read %s: %s", path, strerror(errno));
    fclose(file);
    data[size] = '\0';
    if (size_bytes != NULL) *size_bytes = size;
    return data;
}

void host_write_file(const char *path, const void *data, size_t size_bytes) {
    char *part;
    if (asprintf(&part, "%s.%ld.part", path, (long)getpid()) < 0) HOST_FAIL("out of memory");
    unlink(part); /* left by a killed process with the same number */
    FILE *file = fopen(part, "wbx");
    if (file == NULL) HOST_FAIL("cannot write %s: %s", part, strerror(errno));
    bool written = fwrite(data, 1, size_bytes, file) == size_bytes;
    written &= fclose(file) == 0;
    if (!written || rename(part, path) != 0) {
        const int why = errno;
        unlink(part);
        HOST_FAIL("cannot write %s: %s", path, strerror(why));
    }
    free(part);
}

unsigned host_parse_count(const char *option, const char *text, unsigned limit) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value < 1 || value > limit)
        HOST_FAIL("%s: '%s' is no whole number from 1 to %u", option, text, limit);
    return (unsigned)value;
}

/* A program's command line. */
struct command_line {
    const char *name, *summary;
    struct host_size *sizes;
    unsigned count;
    host_inputs *inputs; /* named inputs with their sizes; NULL: none */
    unsigned input_sizes;
    const char *const *input_names; /* [HOST_INPUTS] */
    struct host_choice *choices;
    unsigned choice_count;
};

static const char *const random_names[HOST_INPUTS] = {"small", "medium", "large"};
static const char *const paper_names[HOST_INPUTS] = {"test", "small", "full"};

static void choose_input(const struct command_line *c, const char *name) {
    unsigned n = 0;
    while (n < HOST_INPUTS && strcmp(name, c->input_names[n]) != 0) n++;
    if (n == HOST_INPUTS)
        HOST_FAIL("input: '%s' is not %s, %s or %s", name, c->input_names[0], c->input_names[1],
                  c->input_names[2]);
    for (unsigned i = 0; i < c->input_sizes; i++) c->sizes[i].value = c->inputs[i][n];
}

/* Writes the words of a choice to `text`, as in "on, off". */
static void list_words(const struct host_choice *choice, char *text, size_t size_bytes) {
    size_t used = 0;
    for (unsigned n = 0; n < HOST_WORDS && choice->words[n] && used < size_bytes; n++)
        used += (size_t)snprintf(text + used, size_bytes - used, "%s%s", n ? ", " : "", choice->words[n]);
}

static void choose_word(struct host_choice *choice, const char *word) {
    char words[64];
    for (unsigned n = 0; n < HOST_WORDS && choice->words[n]; n++)
        if (strcmp(word, choice->words[n]) == 0) {
            choice->value = n;
            return;
        }
    list_words(choice, words, sizeof words);
    HOST_FAIL("%s: '%s' is none of %s", choice->name, word, words);
}

static void print_inputs(FILE *file, const struct command_line *c) {
    fputs("  --input SIZE      ", file);
    for (unsigned n = 0; n < HOST_INPUTS; n++) {
        fprintf(file, "%s%s:", n ? "; " : "", c->input_names[n]);
        for (unsigned i = 0; i < c->input_sizes; i++)
            fprintf(file, " --%s %u", c->sizes[i].name, c->inputs[i][n]);
    }
    fputs("\n", file);
}

static void print_usage(FILE *file, const struct command_line *c) {
    char option[32], words[64];
    fprintf(file, "Usage: %s [OPTION...]\n%s\n\n", c->name, c->summary);
    if (c->inputs) print_inputs(file, c);
    for (unsigned i = 0; i < c->count; i++) {
        snprintf(option, sizeof option, "--%s N", c->sizes[i].name);
        fprintf(file, "  %-18s%s, 1 to %u; default %u\n", option, c->sizes[i].what, c->sizes[i].limit,
                c->sizes[i].value);
    }
    for (unsigned i = 0; i < c->choice_count; i++) {
        snprintf(option, sizeof option, "--%s WORD", c->choices[i].name);
        list_words(&c->choices[i], words, sizeof words);
        fprintf(file, "  %-18s%s: %s; default %s\n", option, c->choices[i].what, words,
                c->choices[i].words[c->choices[i].value]);
    }
    fprintf(file,
            "  --kernel FILE.cl  kernel source; default benchmarks/%s/%s.cl, in the current\n"
            "                    directory or where the program was built\n"
            "  --help            print this and end\n"
            "Exit status: 0 the result is right, 1 it is not or something failed.\n",
            c->name, c->name);
}

/* Returns a program's source with NAME_shared.cl in place of the line that includes this file: OpenCL sources
 * have no folder. */
static char *with_shared(const char *name, char *source) {
    char *line, *whole, *path = kernel_path_of(name, "_shared");
    if (asprintf(&line, "#include \"%s_shared.cl\"\n", name) < 0) HOST_FAIL("out of memory");
    char *at = strstr(source, line);
    if (at) {
        char *shared = host_read_file(path, NULL);
        if (asprintf(&whole, "%.*s%s%s", (int)(at - source), source, shared, at + strlen(line)) < 0)
            HOST_FAIL("out of memory");
        free(shared);
        free(source);
        source = whole;
    }
    free(path);
    free(line);
    return source;
}

/* Reads the command line. Returns the kernel's source. */
static char *read_command_line(int argc, char **argv, const struct command_line *c) {
    enum { KERNEL = 'k', HELP = 'h', INPUT = 'i', SIZE = 's', CHOICE = 'c', MAXIMUM = 10, OTHERS = 3 };
    struct option options[OTHERS + MAXIMUM + 1] = {
        {"kernel", required_argument, NULL, KERNEL},
        {"help", no_argument, NULL, HELP},
        /* Without named inputs, the first name is repeated. */
        {c->inputs ? "input" : "kernel", required_argument, NULL, c->inputs ? INPUT : KERNEL}};
    if (c->count + c->choice_count > MAXIMUM) HOST_FAIL("%u options", c->count + c->choice_count);
    const char *kernel_path = NULL;
    int option, chosen;
    for (unsigned i = 0; i < c->count; i++)
        options[OTHERS + i] = (struct option){c->sizes[i].name, required_argument, NULL, SIZE};
    for (unsigned i = 0; i < c->choice_count; i++)
        options[OTHERS + c->count + i] = (struct option){c->choices[i].name, required_argument, NULL, CHOICE};
    while ((option = getopt_long(argc, argv, "", options, &chosen)) != -1) {
        const unsigned at = option == SIZE || option == CHOICE ? (unsigned)chosen - OTHERS : 0;
        switch (option) {
        case HELP: print_usage(stdout, c); exit(0);
        case KERNEL: kernel_path = optarg; break;
        case INPUT: choose_input(c, optarg); break;
        case SIZE:
            c->sizes[at].value = host_parse_count(c->sizes[at].name, optarg, c->sizes[at].limit);
            break;
        case CHOICE: choose_word(&c->choices[at - c->count], optarg); break;
        default: exit(1);
        }
    }
    if (optind < argc) HOST_FAIL("'%s' is no option; --help lists them", argv[optind]);
    const char *ending = "";
    for (unsigned i = 0; i < c->choice_count; i++) {
        const struct host_choice *choice = &c->choices[i];
        const bool model = strcmp(choice->name, "model") == 0, vectors = strcmp(choice->name, "vectors") == 0;
        if (!(model || vectors) || choice->value == 0) continue;
        if (*ending) HOST_FAIL("--model openmp has no vectors");
        ending = model ? "_openmp" : "_vectors";
    }
    char *path = kernel_path ? strdup(kernel_path) : kernel_path_of(c->name, ending);
    char *source = host_read_file(path, NULL);
    free(path);
    return with_shared(c->name, source);
}

char *host_parse_sizes(int argc, char **argv, const char *name, const char *summary, struct host_size *sizes,
                       unsigned count) {
    const struct command_line c = {.name = name, .summary = summary, .sizes = sizes, .count = count};
    return read_command_line(argc, argv, &c);
}

/* Parses the command line with the seed as an additional size, which is appended to the sizes of c. */
static char *parse_with_seed(int argc, char **argv, struct command_line *c, unsigned *seed) {
    enum { MAXIMUM = 7 };
    struct host_size all[MAXIMUM + 1], *sizes = c->sizes;
    const unsigned count = c->count;
    if (count > MAXIMUM) HOST_FAIL("%u sizes", count);
    memcpy(all, sizes, count * sizeof *all);
    all[count] = (struct host_size){"seed", "seed of the input", *seed, 0xffffffffu};
    c->sizes = all;
    c->input_sizes = count;
    c->count++;
    char *source = read_command_line(argc, argv, c);
    memcpy(sizes, all, count * sizeof *all);
    *seed = all[count].value;
    return source;
}

char *host_parse_inputs(int argc, char **argv, const char *name, const char *summary, struct host_size *sizes,
                        unsigned count, host_inputs *inputs, unsigned *seed) {
    struct command_line c = {.name = name,
                             .summary = summary,
                             .sizes = sizes,
                             .count = count,
                             .inputs = inputs,
                             .input_names = random_names};
    return parse_with_seed(argc, argv, &c, seed);
}

char *host_parse_command(int argc, char **argv, const struct host_command *command) {
    struct command_line c = {.name = command->name,
                             .summary = command->summary,
                             .sizes = command->sizes,
                             .count = command->size_count,
                             .inputs = command->inputs,
                             .input_names = command->of_papers ? random_names : paper_names,
                             .choices = command->choices,
                             .choice_count = command->choice_count};
    for (unsigned i = 0; i < c.count; i++)
        if (c.sizes[i].value == 0) c.sizes[i].value = c.inputs[i][0];
    return parse_with_seed(argc, argv, &c, command->seed);
}

unsigned long long host_hash(const void *data, size_t size_bytes) {
    unsigned long long hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size_bytes; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3;
    return hash;
}

unsigned host_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

unsigned host_count_wrong(const char *what, const void *found, const void *expected, size_t element_bytes,
                          size_t count) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const char *found_element = (const char *)found + i * element_bytes;
        const char *expected_element = (const char *)expected + i * element_bytes;
        if (memcmp(found_element, expected_element, element_bytes) == 0 || wrong++ > 0) continue;
        unsigned long long found_bits = 0;
        unsigned long long expected_bits = 0;
        memcpy(&found_bits, found_element, element_bytes);
        memcpy(&expected_bits, expected_element, element_bytes);
        fprintf(stderr, "%s: element %zu of %zu is 0x%llx, expected 0x%llx\n", what, i, count, found_bits,
                expected_bits);
    }
    return wrong;
}

int host_verdict(const char *name, bool pass, const char *format, ...) {
    va_list arguments;
    printf("%s: %s (", name, pass ? "PASS" : "FAIL");
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    puts(")");
    return pass ? 0 : 1;
}

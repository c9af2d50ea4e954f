#include "library/reference.h"

#include "runtime/allocator.h"
#include "runtime/arguments.h"
#include "runtime/image_code.h"
#include "runtime/printf_output.h"
#include "runtime/session.h"
#include "sim/coroutine.h"
#include "tb/twins/twin_block.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ARGUMENT_BLOCK (MEMORY_LOCAL_BASE - 0x01000000u)
#define STACK_BYTES    (1u << 20) /* stack of a launch in steps */

struct reference {
    struct machine *machine;
    struct image *image;
    struct machine_code code;
    struct allocator allocator;
    uint8_t **buffers;
    size_t buffer_count;               /* entries of `buffers` */
    size_t buffer_number;              /* number of the latest buffer */
    bool has_buffers;                  /* a buffer has been made */
    unsigned held;                     /* reference_hold() without reference_release() */
    bool destroyed;                    /* reference_destroy() while held */
    const struct image_kernel *kernel; /* NULL: none selected */
    struct arguments arguments;

    /* the current launch */
    struct machine_launch launch;
    struct machine_result result;
    struct error error;
    bool stepped; /* runs on a stack of its own */
    bool begun;   /* reference_end() has not taken the result */
    struct cluster *cluster;
    struct cluster_twins watch;
    enum cluster_block awaited; /* CLUSTER_BLOCK_COUNT: none */
    uint64_t cycle;
    struct coroutine bench, launched;
    struct coroutine_stack bench_stack, stack;

    /* a launch lent to another design */
    const struct machine_launch *lent; /* NULL: none */
    uint64_t lendings;                 /* lent and returned launches so far: changes when a launch ends */
    bool lent_whole;
    int argument_region;
    struct printf_output output;

    /* an OpenCL program, running on the stack of the launch */
    char *const *command; /* NULL: none running */
    struct session_result program;
    const struct machine_launch *requested; /* launch that the program waits for; NULL: none */
    struct machine_launch requested_copy;
    sigset_t bench_signals;
};

/* --- building --- */

static bool read_file(const char *path, uint8_t **bytes, size_t *size, struct error *e) {
    FILE *f = fopen(path, "rb");
    if (!f) return error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
    FILE *whole = open_memstream((char **)bytes, size);
    require_memory(whole);
    char part[65536];
    size_t n;
    while ((n = fread(part, 1, sizeof part, f)) > 0) fwrite(part, 1, n, whole);
    const bool read = !ferror(f);
    const int why = errno;
    require_memory(fclose(whole) == 0);
    fclose(f);
    return read || error_set(e, EXIT_USER, "%s: %s", path, strerror(why));
}

static bool load(struct reference *r, const char *path, struct error *e) {
    struct error why = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (read_file(path, &bytes, &size, e)) {
        r->image = image_load(bytes, size, &why);
        if (!r->image) error_set(e, why.status, "%s: %s", path, why.message);
    }
    free(bytes);
    if (!r->image) return false;
    image_code(r->image, &r->code);
    memory_add(machine_memory(r->machine), MEMORY_CODE, r->image->code_base, r->image->code_bytes,
               r->image->code, false, "program");
    return true;
}

struct reference *reference_create(const struct machine_config *c, const char *image, struct error *e) {
    struct reference *r = calloc(1, sizeof *r);
    require_memory(r);
    allocator_init(&r->allocator, MEMORY_BUFFER_BASE, MEMORY_BUFFER_END);
    r->machine = machine_create(c, e);
    if (r->machine && (!image || load(r, image, e))) return r;
    reference_destroy(r);
    return NULL;
}

static bool apply_settings(struct machine_config *c, const char *settings, struct error *e) {
    char *copy = strdup(settings), *rest = copy, *one;
    require_memory(copy);
    bool good = true;
    while (good && (one = strsep(&rest, " \t\n")))
        if (*one) good = config_set(&machine_config_table, c, one, e);
    free(copy);
    return good;
}

struct reference *reference_create_from(const char *config, const char *settings, const char *image,
                                        struct error *e) {
    struct machine_config c;
    config_defaults(&machine_config_table, &c);
    if ((config && *config && !config_read(&machine_config_table, &c, config, e)) ||
        (settings && !apply_settings(&c, settings, e)))
        return NULL;
    return reference_create(&c, image, e);
}

static void free_all(struct reference *r) {
    if (r->kernel) arguments_release(&r->arguments);
    machine_destroy(r->machine);
    if (r->image) machine_code_free(&r->code);
    image_free(r->image);
    for (size_t n = 0; n < r->buffer_count; ++n) free(r->buffers[n]);
    free(r->buffers);
    allocator_release(&r->allocator);
    free(r);
}

void reference_destroy(struct reference *r) {
    if (!r) return;
    if (r->lent) reference_return(r, false);
    if (r->command) {
        int status;
        struct error ended = {0};
        reference_program_end(r, &status, &ended);
    }
    if (r->stepped) {
        struct error stopped = {0};
        machine_interrupt(r->machine);
        reference_end(r, &r->result, &stopped);
    }
    r->destroyed = true;
    if (!r->held) free_all(r);
}

void reference_hold(struct reference *r) {
    ++r->held;
}

void reference_release(struct reference *r) {
    if (--r->held == 0 && r->destroyed) free_all(r);
}

struct machine *reference_machine(struct reference *r) {
    return r->machine;
}

uint32_t reference_buffer_of(struct reference *r, uint8_t *host, uint32_t size_bytes, struct error *e) {
    char name[32];
    if (r->lent)
        return (uint32_t)error_set(e, EXIT_USER, "a design executes a launch: lockstep_checker_destroy()");
    if (r->command) /* its buffers have the same addresses */
        return (uint32_t)error_set(e, EXIT_USER, "a program runs: lockstep_program_end()");
    snprintf(name, sizeof name, "buffer %zu", ++r->buffer_number);
    const uint32_t address = host && size_bytes ? allocator_take(&r->allocator, size_bytes) : 0;
    if (address &&
        memory_add(machine_memory(r->machine), MEMORY_BUFFER, address, size_bytes, host, true, name) >= 0) {
        r->has_buffers = true;
        return address;
    }
    error_set(e, EXIT_USER, "there is no room for %s of %u bytes", name, size_bytes);
    return 0;
}

uint32_t reference_buffer(struct reference *r, uint32_t size_bytes, uint8_t **host, struct error *e) {
    uint8_t **grown = realloc(r->buffers, (r->buffer_count + 1) * sizeof *grown);
    if (grown) r->buffers = grown;
    *host = grown && size_bytes ? calloc(1, size_bytes) : NULL;
    const uint32_t address = reference_buffer_of(r, *host, size_bytes, e);
    if (address)
        r->buffers[r->buffer_count++] = *host;
    else
        free(*host);
    return address;
}

/* --- arguments --- */

/* Returns whether kernel and arguments may change: no launch is running. */
static bool is_idle(const struct reference *r, struct error *e) {
    if (r->lent) return error_set(e, EXIT_USER, "a design executes a launch: lockstep_checker_destroy()");
    if (r->command) return error_set(e, EXIT_USER, "a program runs: lockstep_program_end()");
    return !r->stepped || error_set(e, EXIT_USER, "a launch is being stepped: lockstep_end()");
}

bool reference_kernel(struct reference *r, const char *name, struct error *e) {
    if (!is_idle(r, e)) return false;
    if (r->kernel) arguments_release(&r->arguments);
    r->kernel = r->image ? image_find(r->image, name) : NULL;
    if (!r->image) return error_set(e, EXIT_USER, "the machine has no image: its kernels are a program's");
    if (!r->kernel) return error_set(e, EXIT_USER, "the image has no kernel '%s'", name);
    require_memory(arguments_begin(&r->arguments, r->kernel, ARGUMENT_BLOCK));
    return true;
}

static bool accept(struct reference *r, bool accepted, const char *what, struct error *e) {
    if (accepted) return true;
    return error_set(e, EXIT_USER, "kernel '%s': argument %zu is no %s%s", r->kernel->name, r->arguments.next,
                     what, r->arguments.next < r->kernel->argument_count ? "" : ": it has no more arguments");
}

static bool named(const struct reference *r, struct error *e) {
    return is_idle(r, e) &&
           (r->kernel || error_set(e, EXIT_USER, "no kernel has been named: lockstep_kernel()"));
}

bool reference_value(struct reference *r, const void *value, size_t size_bytes, struct error *e) {
    if (!value) return error_set(e, EXIT_USER, "the value is NULL");
    return named(r, e) &&
           accept(r, arguments_value(&r->arguments, value, size_bytes), "value of this size", e);
}

bool reference_pointer(struct reference *r, uint32_t address, struct error *e) {
    return named(r, e) && accept(r, arguments_pointer(&r->arguments, address), "pointer", e);
}

bool reference_local(struct reference *r, uint32_t size_bytes, struct error *e) {
    const uint32_t limit = machine_configuration(r->machine)->cluster.local_bytes;
    return named(r, e) && accept(r, arguments_local(&r->arguments, size_bytes, limit),
                                 "local memory, or more than there is", e);
}

/* --- launches --- */

static bool set_range(struct reference *r, const struct reference_range *range, struct error *e) {
    const uint32_t most = machine_max_work_group(machine_configuration(r->machine));
    uint64_t group = 1;
    for (unsigned d = 0; d < 3; ++d) {
        const uint32_t global = range->global[d] ? range->global[d] : 1,
                       local = range->local[d] ? range->local[d] : 1;
        if (global % local)
            return error_set(e, EXIT_USER, "%u work-items are no multiple of the %u of a work-group", global,
                             local);
        group *= local;
        if (group > most)
            return error_set(e, EXIT_USER, "a work-group has at most %u work-items on this machine", most);
        r->launch.global_size[d] = global;
        r->launch.local_size[d] = local;
    }
    return true;
}

static bool prepare(struct reference *r, const struct reference_range *range, struct error *e) {
    const struct image_kernel *k = r->kernel;
    if (!named(r, e)) return false;
    if (r->arguments.next < k->argument_count)
        return error_set(e, EXIT_USER, "kernel '%s': argument %zu, '%s', is missing", k->name,
                         r->arguments.next, k->arguments[r->arguments.next].name);
    r->launch = (struct machine_launch){.kernel = k->name,
                                        .code = &r->code,
                                        .thunk = k->thunk,
                                        .twin = k->twin,
                                        .twin_stack_bytes = k->twin_stack_bytes,
                                        .twin_item_bytes = k->twin_item_bytes,
                                        .argument_block = ARGUMENT_BLOCK,
                                        .work_dim = 3,
                                        .stack_bytes = k->stack_bytes,
                                        .registers = k->registers,
                                        .local_bytes = r->arguments.local_bytes};
    r->error = (struct error){0};
    return set_range(r, range, e);
}

/* Writes the arguments into memory. */
static bool open_launch(struct reference *r, struct error *e) {
    struct memory *memory = machine_memory(r->machine);
    r->argument_region = memory_add(memory, MEMORY_LAUNCH, ARGUMENT_BLOCK, r->arguments.size_bytes,
                                    r->arguments.block, false, "kernel arguments");
    if (r->argument_region >= 0 && printf_output_begin(&r->output, memory, r->kernel)) return true;
    if (r->argument_region >= 0) memory_remove(memory, r->argument_region);
    return error_set(e, EXIT_USER, "kernel '%s': too many buffers for a launch", r->kernel->name);
}

static void close_launch(struct reference *r, bool whole) {
    struct memory *memory = machine_memory(r->machine);
    struct printf_text text = {0};
    printf_output_end(&r->output, memory, r->image, r->kernel, whole, &text);
    if (text.size) fwrite(text.bytes, 1, text.size, stdout);
    printf_text_free(&text);
    memory_remove(memory, r->argument_region);
}

/* Runs the prepared launch. Errors go to r->error. */
static void launch(struct reference *r) {
    if (!open_launch(r, &r->error)) return;
    const bool whole = machine_run(r->machine, &r->launch, &r->result, &r->error);
    close_launch(r, whole);
}

static bool passed(const struct reference *r, struct machine_result *result, struct error *e) {
    *result = r->result;
    return r->error.status == EXIT_SOUND || error_set(e, r->error.status, "%s", r->error.message);
}

bool reference_run(struct reference *r, const struct reference_range *range, struct machine_result *result,
                   struct error *e) {
    if (!prepare(r, range, e)) return false;
    launch(r);
    return passed(r, result, e);
}

/* --- in steps: the launch is a coroutine --- */

static void to_bench(struct reference *r, bool ends) {
    coroutine_announce(&r->stack, &r->bench_stack, ends);
    coroutine_switch(&r->launched, &r->bench);
    coroutine_arrive(&r->stack, NULL);
}

static void to_launch(struct reference *r) {
    coroutine_announce(&r->bench_stack, &r->stack, false);
    coroutine_switch(&r->bench, &r->launched);
    coroutine_arrive(&r->bench_stack, NULL);
}

static void nothing_to_reset(void *context) {
    (void)context;
}

static void block_evaluated(void *context, enum cluster_block block, uint64_t t) {
    struct reference *r = context;
    if (block != r->awaited) return;
    r->cycle = t;
    to_bench(r, false);
}

static void launched(struct coroutine *c) {
    struct reference *r = (struct reference *)((char *)c - offsetof(struct reference, launched));
    coroutine_arrive(&r->stack, &r->bench_stack);
    to_bench(r, false);
    launch(r);
    r->cluster->twins = NULL;
    r->stepped = false;
    to_bench(r, true);
}

static void begin_coroutine(struct reference *r, void (*entry)(struct coroutine *c)) {
    void *low = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require_memory(low != MAP_FAILED);
    r->stack = (struct coroutine_stack){low, STACK_BYTES, NULL};
    r->bench_stack = (struct coroutine_stack){0};
    r->stepped = true;
    coroutine_create(&r->launched, &r->stack, 0, entry);
    to_launch(r); /* also saves the stack of the bench */
}

bool reference_begin(struct reference *r, const struct reference_range *range, unsigned cluster,
                     struct error *e) {
    const struct machine_config *c = machine_configuration(r->machine);
    if (!prepare(r, range, e)) return false;
    if (!machine_config_is_base(c, "stepping a cluster's blocks", e)) return false;
    if (c->mode != MODE_SIMT)
        return error_set(e, EXIT_USER, "mode=%s: the blocks work in SIMT mode only",
                         c->mode == MODE_MIMD ? "mimd" : "auto");
    if (cluster >= c->cluster.count)
        return error_set(e, EXIT_USER, "there is no cluster %u: the machine has %u", cluster,
                         c->cluster.count);
    r->watch = (struct cluster_twins){.context = r, .reset = nothing_to_reset, .cycle = block_evaluated};
    memset(r->watch.attached, true, sizeof r->watch.attached);
    r->cluster = machine_cluster(r->machine, cluster);
    r->cluster->twins = &r->watch;
    r->awaited = CLUSTER_BLOCK_COUNT;
    begin_coroutine(r, launched);
    return r->begun = true;
}

static void free_stack(struct reference *r) {
    if (!r->stack.low) return;
    coroutine_destroy(&r->launched, &r->stack);
    coroutine_destroy(&r->bench, &r->bench_stack);
    munmap(r->stack.low, r->stack.size);
    r->stack.low = NULL;
}

bool reference_step(struct reference *r, enum cluster_block block, uint64_t *cycle) {
    if (!r->stepped || r->command) return false;
    r->awaited = block;
    to_launch(r);
    if (!r->stepped) free_stack(r);
    if (r->stepped && cycle) *cycle = r->cycle;
    return r->stepped;
}

const void *reference_block(const struct reference *r, enum cluster_block block) {
    return r->cluster && block < CLUSTER_BLOCK_COALESCER ? (const char *)r->cluster + twin_block[block].model
                                                         : NULL;
}

bool reference_end(struct reference *r, struct machine_result *result, struct error *e) {
    if (!r->begun) return error_set(e, EXIT_USER, "no launch has begun: lockstep_begin()");
    while (reference_step(r, CLUSTER_BLOCK_COUNT, NULL)) continue;
    r->begun = false;
    return passed(r, result, e);
}

/* --- launches that another design executes --- */

const struct machine_launch *reference_lend(struct reference *r, const struct reference_range *range,
                                            struct error *e) {
    if (range && (!prepare(r, range, e) || !open_launch(r, e))) return NULL;
    if (!range && r->lent) error_set(e, EXIT_USER, "the launch has begun");
    if (!range && !r->requested) error_set(e, EXIT_USER, "no program waits: lockstep_program_launch()");
    if (e->status != EXIT_SOUND) return NULL;
    r->lendings++;
    return r->lent = range ? &r->launch : r->requested;
}

uint64_t reference_lendings(const struct reference *r) {
    return r->lendings;
}

void reference_return(struct reference *r, bool whole) {
    if (r->lent == &r->launch) close_launch(r, whole);
    r->lendings++;
    r->lent = NULL;
    r->lent_whole = whole;
    r->requested = NULL;
}

/* Runs in the program's coroutine. Lends a launch to the bench, which returns it before it requests the next
 * one. */
static bool run_by_bench(void *context, const struct machine_launch *l, struct machine_result *result,
                         struct error *e) {
    struct reference *r = context;
    sigset_t program_signals;
    *result = (struct machine_result){
        .mode = l->mode, .start = machine_time(r->machine), .end = machine_time(r->machine)};
    r->requested_copy = *l;
    r->requested = &r->requested_copy;
    r->lent_whole = false;
    pthread_sigmask(SIG_SETMASK, &r->bench_signals, &program_signals);
    to_bench(r, false);
    pthread_sigmask(SIG_SETMASK, &program_signals, NULL);
    r->requested = NULL;
    return r->lent_whole ||
           error_set(e, EXIT_PROGRAM_FAULT, "kernel '%s': the design has not executed it", l->kernel);
}

/* Finds a file that is installed with the library. */
static bool find_tool(const char *name, char path[PATH_MAX], struct error *e) {
    static const char *const folder[] = {"", "lockstep/bin/", "../lockstep/bin/", "../lib/lockstep/bin/",
                                         "../"};
    Dl_info library;
    char own[PATH_MAX];
    const bool known = dladdr((void *)(uintptr_t)reference_create, &library) &&
                       realpath(library.dli_fname, own) && strrchr(own, '/');
    if (known) strrchr(own, '/')[1] = 0;
    for (size_t n = 0; known && n < sizeof folder / sizeof *folder; ++n)
        if (snprintf(path, PATH_MAX, "%s%s%s", own, folder[n], name) < PATH_MAX && access(path, R_OK) == 0)
            return true;
    return error_set(e, EXIT_USER, "%s is missing: it is installed with the commands (lib/lockstep/bin/)",
                     name);
}

static void run_session(struct reference *r) {
    char compiler[PATH_MAX], driver[PATH_MAX];
    const struct session_options o = {
        .machine = r->machine, .compiler = compiler, .driver = driver, .run = run_by_bench, .run_context = r};
    struct session *s =
        find_tool("lockstep-cc", compiler, &r->error) && find_tool("liblockstep_opencl.so", driver, &r->error)
            ? session_create(&o, &r->error)
            : NULL;
    if (!s) return;
    session_run(s, r->command, &r->program, &r->error);
    session_destroy(s);
}

static void program_runs(struct coroutine *c) {
    struct reference *r = (struct reference *)((char *)c - offsetof(struct reference, launched));
    coroutine_arrive(&r->stack, &r->bench_stack);
    to_bench(r, false);
    run_session(r);
    r->stepped = false;
    to_bench(r, true);
}

bool reference_program(struct reference *r, char *const argv[], struct error *e) {
    if (r->image) return error_set(e, EXIT_USER, "the machine has an image: a program brings its own");
    if (r->has_buffers) return error_set(e, EXIT_USER, "the machine has buffers: a program brings its own");
    if (r->stepped) return error_set(e, EXIT_USER, "a program runs: lockstep_program_end()");
    if (!argv || !argv[0]) return error_set(e, EXIT_USER, "the program has no name");
    r->command = argv;
    r->error = (struct error){0};
    r->program = (struct session_result){0};
    pthread_sigmask(SIG_SETMASK, NULL, &r->bench_signals);
    begin_coroutine(r, program_runs);
    return true;
}

bool reference_program_launch(struct reference *r) {
    if (!r->command || !r->stepped) return false;
    if (r->lent) reference_return(r, false);
    to_launch(r);
    if (!r->stepped) free_stack(r);
    return r->stepped;
}

bool reference_program_end(struct reference *r, int *status, struct error *e) {
    if (!r->command) return error_set(e, EXIT_USER, "no program runs: lockstep_program()");
    while (reference_program_launch(r)) continue;
    r->command = NULL;
    *status = r->program.signal ? 128 + r->program.signal : r->program.exit_status;
    return r->error.status == EXIT_SOUND || error_set(e, r->error.status, "%s", r->error.message);
}

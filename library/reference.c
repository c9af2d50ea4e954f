#include "library/reference.h"

#include "runtime/allocator.h"
#include "runtime/arguments.h"
#include "runtime/image_code.h"
#include "runtime/printf_output.h"
#include "sim/coroutine.h"
#include "tb/twin_block.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARGUMENT_BLOCK (MEMORY_LOCAL_BASE - 0x01000000u)
#define STACK_BYTES    (1u << 20) /* of a launch that is stepped */

struct reference {
    struct machine *machine;
    struct image *image;
    struct machine_code code;
    struct allocator allocator;
    uint8_t **buffers;
    size_t buffer_count;
    const struct image_kernel *kernel; /* NULL: none has been named */
    struct arguments arguments;

    /* the launch */
    struct machine_launch launch;
    struct machine_result result;
    struct error error;
    bool stepped; /* it is on a stack of its own */
    struct cluster *cluster;
    struct cluster_twins watch;
    enum cluster_block awaited; /* CLUSTER_BLOCK_COUNT: none */
    uint64_t cycle;
    struct coroutine bench, launched;
    struct coroutine_stack bench_stack, stack;
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
    if (r->machine && load(r, image, e)) return r;
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

void reference_destroy(struct reference *r) {
    if (!r) return;
    if (r->stepped) {
        struct error stopped = {0};
        machine_interrupt(r->machine);
        reference_end(r, &r->result, &stopped);
    }
    if (r->kernel) arguments_release(&r->arguments);
    machine_destroy(r->machine);
    if (r->image) machine_code_free(&r->code);
    image_free(r->image);
    for (size_t n = 0; n < r->buffer_count; ++n) free(r->buffers[n]);
    free(r->buffers);
    allocator_release(&r->allocator);
    free(r);
}

struct machine *reference_machine(struct reference *r) {
    return r->machine;
}

uint32_t reference_buffer(struct reference *r, uint32_t size_bytes, uint8_t **host, struct error *e) {
    char name[32];
    snprintf(name, sizeof name, "buffer %zu", r->buffer_count + 1);
    uint8_t **grown = realloc(r->buffers, (r->buffer_count + 1) * sizeof *grown);
    if (grown) r->buffers = grown;
    *host = grown && size_bytes ? calloc(1, size_bytes) : NULL;
    const uint32_t address = *host ? allocator_take(&r->allocator, size_bytes) : 0;
    if (!address ||
        memory_add(machine_memory(r->machine), MEMORY_BUFFER, address, size_bytes, *host, true, name) < 0) {
        free(*host);
        error_set(e, EXIT_USER, "there is no room for %s of %u bytes", name, size_bytes);
        return 0;
    }
    r->buffers[r->buffer_count++] = *host;
    return address;
}

/* --- arguments --- */

bool reference_kernel(struct reference *r, const char *name, struct error *e) {
    if (r->kernel) arguments_release(&r->arguments);
    r->kernel = image_find(r->image, name);
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
    return r->kernel || error_set(e, EXIT_USER, "no kernel has been named: reference_kernel()");
}

bool reference_value(struct reference *r, const void *value, size_t size_bytes, struct error *e) {
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
    if (r->stepped) return error_set(e, EXIT_USER, "a launch is being stepped: reference_end()");
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
                                        .local_bytes = r->arguments.local_bytes};
    r->error = (struct error){0};
    return set_range(r, range, e);
}

/* As prepared. Its error is r->error. */
static void launch(struct reference *r) {
    struct memory *memory = machine_memory(r->machine);
    struct printf_output output;
    struct printf_text text = {0};
    const int block = memory_add(memory, MEMORY_LAUNCH, ARGUMENT_BLOCK, r->arguments.size_bytes,
                                 r->arguments.block, false, "kernel arguments");
    if (block >= 0 && printf_output_begin(&output, memory, r->kernel)) {
        const bool whole = machine_run(r->machine, &r->launch, &r->result, &r->error);
        printf_output_end(&output, memory, r->image, r->kernel, whole, &text);
        if (text.size) fwrite(text.bytes, 1, text.size, stdout);
        printf_text_free(&text);
    } else {
        error_set(&r->error, EXIT_USER, "kernel '%s': too many buffers for a launch", r->kernel->name);
    }
    if (block >= 0) memory_remove(memory, block);
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
    void *low = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require_memory(low != MAP_FAILED);
    r->stack = (struct coroutine_stack){low, STACK_BYTES, NULL};
    r->bench_stack = (struct coroutine_stack){0};
    r->watch = (struct cluster_twins){.context = r, .reset = nothing_to_reset, .cycle = block_evaluated};
    memset(r->watch.attached, true, sizeof r->watch.attached);
    r->cluster = machine_cluster(r->machine, cluster);
    r->cluster->twins = &r->watch;
    r->awaited = CLUSTER_BLOCK_COUNT;
    r->stepped = true;
    coroutine_create(&r->launched, &r->stack, 0, launched);
    to_launch(r); /* which learns where the bench's stack is */
    return true;
}

static void free_stack(struct reference *r) {
    if (!r->stack.low) return;
    coroutine_destroy(&r->launched, &r->stack);
    coroutine_destroy(&r->bench, &r->bench_stack);
    munmap(r->stack.low, r->stack.size);
    r->stack.low = NULL;
}

bool reference_step(struct reference *r, enum cluster_block block, uint64_t *cycle) {
    if (!r->stepped) return false;
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
    while (reference_step(r, CLUSTER_BLOCK_COUNT, NULL)) continue;
    return passed(r, result, e);
}

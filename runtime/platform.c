#include "runtime/platform.h"

#include "runtime/arguments.h"
#include "runtime/buffers.h"
#include "runtime/build.h"
#include "runtime/call_site.h"
#include "runtime/image.h"
#include "runtime/image_code.h"
#include "runtime/launch_objects.h"
#include "runtime/mode_choice.h"
#include "runtime/printf_output.h"
#include "model/config/scalar_config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Address of the argument block while a kernel runs, far above the machine's own data in that part. */
#define ARGUMENT_BLOCK (MEMORY_LOCAL_BASE - 0x01000000u)
#define REASON         250 /* bytes of the reason for a refused launch */

struct program {
    unsigned client;
    struct image *image;
    struct machine_code code;
    char *name, *source; /* NULL: loaded as a binary */
    void *bytes;         /* bytes of the image's file */
};

struct platform {
    struct platform_options options;
    struct memory *memory;
    struct buffers buffers;
    struct program **programs; /* programs by id − 1; ids are never used twice; NULL: released */
    size_t program_count;
    uint64_t *sources; /* hashes of the sources built so far: source n is named program<n + 1>.cl */
    size_t source_count;
    unsigned builds_failed;
};

struct platform *platform_create(const struct platform_options *o, struct error *e) {
    struct platform *p = calloc(1, sizeof *p);
    if (p == NULL) {
        error_set(e, EXIT_USER, "out of memory");
        return NULL;
    }
    p->options = *o;
    p->memory = machine_memory(o->machine);
    buffers_begin(&p->buffers, p->memory);
    return p;
}

static void free_program(struct platform *p, size_t at) {
    machine_code_free(&p->programs[at]->code);
    image_free(p->programs[at]->image);
    free(p->programs[at]->name);
    free(p->programs[at]->source);
    free(p->programs[at]->bytes);
    free(p->programs[at]);
    p->programs[at] = NULL;
}

void platform_drop_client(struct platform *p, unsigned client) {
    buffers_drop_client(&p->buffers, client);
    for (size_t i = 0; i < p->program_count; i++)
        if (p->programs[i] != NULL && p->programs[i]->client == client) free_program(p, i);
}

void platform_destroy(struct platform *p) {
    if (p == NULL) return;
    buffers_end(&p->buffers);
    for (size_t i = 0; i < p->program_count; i++)
        if (p->programs[i] != NULL) free_program(p, i);
    free(p->programs);
    free(p->sources);
    free(p);
}

void platform_written(struct platform *p, buffers_visit *visit, void *context) {
    buffers_written(&p->buffers, visit, context);
}

void platform_write(struct platform *p, unsigned client, uint32_t id, uint64_t offset, const void *bytes,
                    uint32_t size) {
    const struct buffer *b = buffers_find(&p->buffers, client, id);
    if (b != NULL && offset + size <= b->size_bytes) memcpy(b->host + offset, bytes, size);
}

bool platform_part(struct platform *p) {
    p->options.interrupt_fd = -1;
    return buffers_part(&p->buffers);
}

unsigned platform_builds_failed(const struct platform *p) {
    return p->builds_failed;
}

/* Begins the reply; fields that a status adds follow it. */
static void answer(const struct platform *p, struct protocol_message *reply, enum protocol_status status,
                   const char *text) {
    protocol_free(reply);
    protocol_begin(reply, PROTOCOL_REPLY);
    protocol_put_u32(reply, status);
    protocol_put_u64(reply, machine_time(p->options.machine));
    protocol_put_text(reply, text);
}

static void hello(struct platform *p, struct protocol_message *request, struct protocol_message *reply) {
    if (protocol_get_u32(request) != PROTOCOL_VERSION) {
        answer(p, reply, PROTOCOL_VERSION_DIFFERS,
               "liblockstep_opencl.so and lockstep are of different versions; build and install both again");
        return;
    }
    const struct machine_config *c = machine_configuration(p->options.machine);
    answer(p, reply, PROTOCOL_OK, "");
    protocol_put_device(reply,
                        &(struct protocol_device){
                            .compute_units = c->cluster.count * (c->mode == MODE_MIMD ? c->cluster.lanes : 1),
                            .clock_mhz = c->clock_mhz,
                            .lanes = c->cluster.lanes,
                            .warp_size = c->simt.warp_size,
                            .max_work_group = machine_max_work_group(c),
                            .local_bytes = c->cluster.local_bytes,
                            .cache_bytes = c->l2.size_bytes,
                            .cache_line_bytes = c->l2.line_bytes,
                            .stack_bytes = c->cluster.stack_size_bytes,
                            .host_bandwidth_mb = c->host.bandwidth_mb,
                            .host_latency_ns = c->host.latency_ns,
                            .global_bytes = MEMORY_BUFFER_END - MEMORY_BUFFER_BASE,
                            .max_buffer_bytes = BUFFERS_MAX_BYTES,
                        });
}

/* --- buffers --- */

static void create_buffer(struct platform *p, unsigned client, struct protocol_message *request,
                          struct protocol_message *reply) {
    uint64_t size = protocol_get_u64(request);
    const uint32_t use = protocol_get_u32(request), filled = protocol_get_u32(request);
    if (request->bad || size == 0 || size > BUFFERS_MAX_BYTES) {
        answer(p, reply, PROTOCOL_MALFORMED, "a buffer of this size cannot be");
        return;
    }
    int fd;
    uint32_t id = buffers_create(&p->buffers, client, (uint32_t)size, use != PROTOCOL_READ_ONLY, &fd);
    answer(p, reply, id != 0 ? PROTOCOL_OK : PROTOCOL_NO_MEMORY,
           id != 0 ? "" : "the device has no room for it (2.25 GB and about 4,000 objects in all)");
    if (id == 0) return;
    const struct buffer *b = buffers_find(&p->buffers, client, id); /* the address may have belonged to
                                                                       another buffer */
    p->memory->region[b->region].write_only = use == PROTOCOL_WRITE_ONLY;
    machine_host_wrote(p->options.machine, b->address, b->size_bytes);
    if (!filled && use != PROTOCOL_WRITE_ONLY) /* reads of write-only buffers are reported as such */
        machine_forget(p->options.machine, b->address, b->size_bytes);
    protocol_put_u32(reply, id);
    reply->fd = fd;
}

static void release_buffer(struct platform *p, unsigned client, struct protocol_message *request,
                           struct protocol_message *reply) {
    uint32_t id = protocol_get_u32(request);
    const char *site = protocol_get_text(request);
    bool found = !request->bad && buffers_drop(&p->buffers, client, id, site);
    answer(p, reply, found ? PROTOCOL_OK : PROTOCOL_MALFORMED, found ? "" : "no such buffer");
}

/* Returns whether the rows of a box that is not empty lie within a buffer of `size` bytes,
 * without overlap. */
static bool box_fits(uint64_t size, uint64_t offset, const uint64_t region[3], uint64_t row, uint64_t slice) {
    uint64_t rows, slices, end;
    if (!region[0] || !region[1] || !region[2]) return false;
    if ((region[1] > 1 && row < region[0]) || __builtin_mul_overflow(region[1] - 1, row, &rows)) return false;
    if ((region[2] > 1 && (slice < rows || slice - rows < region[0])) ||
        __builtin_mul_overflow(region[2] - 1, slice, &slices))
        return false;
    return !__builtin_add_overflow(offset, rows, &end) && !__builtin_add_overflow(end, slices, &end) &&
           !__builtin_add_overflow(end, region[0], &end) && end <= size;
}

static void host_wrote(struct platform *p, unsigned client, struct protocol_message *request,
                       struct protocol_message *reply) {
    const uint32_t id = protocol_get_u32(request);
    const struct buffer *b = buffers_find(&p->buffers, client, id);
    const uint64_t offset = protocol_get_u64(request);
    uint64_t region[3];
    for (unsigned d = 0; d < 3; d++) region[d] = protocol_get_u64(request);
    const uint64_t row = protocol_get_u64(request), slice = protocol_get_u64(request);
    if (request->bad || b == NULL || !box_fits(b->size_bytes, offset, region, row, slice)) {
        answer(p, reply, PROTOCOL_MALFORMED, "no such part of a buffer");
        return;
    }
    buffers_note_written(&p->buffers, client, id, offset,
                         offset + (region[2] - 1) * slice + (region[1] - 1) * row + region[0]);
    for (uint64_t z = 0; z < region[2]; z++)
        for (uint64_t y = 0; y < region[1]; y++)
            machine_host_wrote(p->options.machine, b->address + (uint32_t)(offset + z * slice + y * row),
                               (uint32_t)region[0]);
    answer(p, reply, PROTOCOL_OK, "");
}

static void locate(struct platform *p, struct protocol_message *request, struct protocol_message *reply) {
    char text[200];
    call_site_describe(protocol_get_text(request), text, sizeof text);
    answer(p, reply, PROTOCOL_OK, "");
    protocol_put_text(reply, text);
}

/* Writes options of the command that make room for work-groups of `items` work-items. Returns false if no
 * machine has room. */
static bool options_with_room(const struct platform *p, uint64_t items, uint32_t registers, char *options,
                              size_t size) {
    char fields[128], *rest;
    if (!machine_room_for(machine_configuration(p->options.machine), items, registers, fields, sizeof fields))
        return false;
    size_t n = 0;
    options[0] = '\0';
    for (char *f = strtok_r(fields, " ", &rest); f != NULL && n < size; f = strtok_r(NULL, " ", &rest))
        n += (size_t)snprintf(options + n, size - n, "%s--set %s", n > 0 ? " " : "", f);
    return true;
}

static void room(struct platform *p, struct protocol_message *request, struct protocol_message *reply) {
    char options[160];
    const uint64_t items = protocol_get_u64(request);
    const uint32_t registers = protocol_get_u32(request);
    const bool possible = options_with_room(p, items, registers, options, sizeof options);
    answer(p, reply, PROTOCOL_OK, "");
    protocol_put_text(reply, possible ? options : "");
}

/* --- programs --- */

static void put_kernel(struct protocol_message *reply, const struct image_kernel *k,
                       const struct machine_config *c) {
    static const enum protocol_space space[] = {
        [IMAGE_GLOBAL] = PROTOCOL_GLOBAL,    [IMAGE_CONSTANT] = PROTOCOL_CONSTANT,
        [IMAGE_LOCAL] = PROTOCOL_LOCAL,      [IMAGE_PRIVATE] = PROTOCOL_PRIVATE,
        [IMAGE_IMAGE2D] = PROTOCOL_IMAGE2D,  [IMAGE_SAMPLER] = PROTOCOL_SAMPLER,
        [IMAGE_OTHER] = PROTOCOL_OTHER_IMAGE};
    protocol_put_text(reply, k->name);
    protocol_put_text(reply, k->attributes);
    protocol_put_u32(reply, k->local_bytes);
    protocol_put_u32(reply, k->thunk ? k->stack_bytes : k->twin_item_bytes);
    for (int d = 0; d < 3; d++) protocol_put_u32(reply, k->reqd_work_group_size[d]);
    protocol_put_u32(reply, k->registers);
    protocol_put_u32(reply, machine_kernel_work_group(c, k->registers));
    protocol_put_u32(reply, (uint32_t)k->argument_count);
    for (size_t i = 0; i < k->argument_count; i++) {
        const struct image_argument *a = &k->arguments[i];
        protocol_put_text(reply, a->name);
        protocol_put_text(reply, a->type);
        protocol_put_text(reply, a->access);
        protocol_put_text(reply, a->qualifiers);
        protocol_put_u32(reply, space[a->space]);
        protocol_put_u32(reply, a->size_bytes);
    }
}

/* Keeps the source for reports; if memory is out, reports show no source. */
static void keep_source(struct program *g, const struct build_request *built) {
    g->name = strdup(built->name);
    g->source = strndup(built->source, built->source_bytes);
    g->code.source_name = g->name;
    g->code.source = g->source;
}

/* For debuggers: without memory for it they have none. */
static void keep_image(struct program *g, const void *bytes, size_t size) {
    g->bytes = malloc(size);
    if (g->bytes == NULL) return;
    g->code.image = memcpy(g->bytes, bytes, size);
    g->code.image_bytes = size;
}

/* The compiler's log, and which kernels ask for work-groups that this machine has no room for. NULL: no
 * memory. */
static char *program_log(const struct platform *p, const struct image *i, const char *log) {
    char *text = NULL, options[160];
    size_t size = 0;
    const struct machine_config *c = machine_configuration(p->options.machine);
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) return NULL;
    fputs(log, out);
    for (size_t k = 0; k < i->kernel_count; k++) {
        const uint32_t *n = i->kernels[k].reqd_work_group_size;
        const uint64_t items = (uint64_t)n[0] * n[1] * n[2];
        const uint32_t most = machine_kernel_work_group(c, i->kernels[k].registers);
        if (items <= most) continue;
        const bool possible = options_with_room(p, items, i->kernels[k].registers, options, sizeof options);
        fprintf(out,
                "%s:%u: warning: kernel '%s': its reqd_work_group_size of %" PRIu64
                " work-items is more than the %u "
                "that this machine has room for; %s%s\n",
                i->kernels[k].file, i->kernels[k].line, i->kernels[k].name, items, most,
                possible ? "one with room for them: lockstep run " : "none has room for so many",
                possible ? options : "");
    }
    return fclose(out) == 0 ? text : NULL;
}

/* Returns whether the image has code for the modes in which the machine runs kernels. */
static bool fits_mode(const struct platform *p, const struct image *i, struct error *e) {
    const enum machine_mode mode = machine_configuration(p->options.machine)->mode;
    const bool mimd = mode == MODE_MIMD, twin = i->kernel_count > 0 && i->kernels[0].twin != 0,
               thunk = i->kernel_count > 0 && i->kernels[0].thunk != 0;
    if (i->kernel_count == 0 || (thunk && twin) || (mode != MODE_AUTO && (mimd ? twin : thunk))) return true;
    if (mode == MODE_AUTO)
        return error_set(e, EXIT_USER,
                         "program image: it was built for %s mode only, but mode is auto; build it with "
                         "--mode=both",
                         thunk ? "SIMT" : "MIMD");
    return error_set(e, EXIT_USER, "program image: it was built for %s mode, but mode is %s; build it again",
                     mimd ? "SIMT" : "MIMD", mimd ? "mimd" : "simt");
}

/* Returns the value of a compiler option for a machine, or NULL if the option does not matter to it. */
static const char *option_of(const struct machine_config *c, enum image_option option) {
    static const char
        *const priorities[] = {"all", "varying", "off"},
               *const coalescings[] = {"modern", "snucl"}, *const maths[] = {"table", "classic"},
               *const scalarizes[] = {"off", "none", "convergent", "wide"}, *const isas[] = {"vfp", "neon"},
               *const ids[] = {"coprocessor", "computed"}, *const startups[] = {"loop", "unrolled"};
    const bool mimd = c->mode == MODE_MIMD;
    switch (option) {
    case IMAGE_OPTION_PRIORITIES: return mimd ? NULL : priorities[machine_priority_operations(c)];
    case IMAGE_OPTION_COALESCING: return c->mode != MODE_SIMT ? coalescings[c->mimd.coalescing] : NULL;
    case IMAGE_OPTION_MATH: return maths[c->kernel.math];
    case IMAGE_OPTION_ISA: return isas[c->cluster.isa];
    case IMAGE_OPTION_IDS: return mimd ? NULL : ids[c->kernel.ids];
    case IMAGE_OPTION_STARTUP: return mimd ? NULL : startups[c->simt.startup];
    case IMAGE_OPTION_SCALAR: return mimd ? NULL : kernel_scalar_name[c->kernel.scalar];
    default: return mimd ? NULL : scalarizes[c->kernel.scalarize];
    }
}

/* Returns whether the image was compiled with the machine's options. */
static bool fits_options(const struct platform *p, const struct image *i, struct error *e) {
    for (enum image_option n = 0; n < IMAGE_OPTION_COUNT; n++) {
        const char *wanted = option_of(machine_configuration(p->options.machine), n);
        if (wanted != NULL && strcmp(i->option[n], wanted) != 0)
            return error_set(
                e, EXIT_USER,
                "program image: it was built with --%s=%s, but code for this machine is built with "
                "--%s=%s; build it again",
                image_option_name[n], i->option[n], image_option_name[n], wanted);
    }
    return true;
}

/* Loads an image and replies with its program. built: the request that built it; NULL: a binary. */
static void add_program(struct platform *p, unsigned client, const void *bytes, size_t size, const char *log,
                        const struct build_request *built, struct protocol_message *reply) {
    struct error e = {0};
    struct program *g = calloc(1, sizeof *g);
    struct program **programs = realloc(p->programs, (p->program_count + 1) * sizeof(struct program *));
    if (programs != NULL) p->programs = programs;
    if (g == NULL || programs == NULL) error_set(&e, EXIT_USER, "out of memory");
    struct image *i = e.status == EXIT_SOUND ? image_load(bytes, size, &e) : NULL;
    if (i == NULL || !fits_mode(p, i, &e) || !fits_options(p, i, &e)) {
        image_free(i);
        free(g);
        answer(p, reply, PROTOCOL_BAD_IMAGE, e.message);
        return;
    }
    *g = (struct program){.client = client, .image = i};
    image_code(i, &g->code);
    keep_image(g, bytes, size);
    if (built != NULL) keep_source(g, built);
    p->programs[p->program_count++] = g;
    answer(p, reply, PROTOCOL_OK, "");
    protocol_put_u32(reply, (uint32_t)p->program_count);
    char *whole_log = program_log(p, i, log);
    protocol_put_text(reply, whole_log != NULL ? whole_log : log);
    free(whole_log);
    protocol_put_block(reply, bytes, size);
    protocol_put_u32(reply, (uint32_t)i->kernel_count);
    for (size_t k = 0; k < i->kernel_count; k++)
        put_kernel(reply, &i->kernels[k], machine_configuration(p->options.machine));
}

/* Returns the number of a source, the same each time, so that the compiler's cache has it the second time. */
static size_t source_number(struct platform *p, const char *source, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)source[i]) * 0x100000001b3u;
    for (size_t n = 0; n < p->source_count; n++)
        if (p->sources[n] == hash) return n + 1;
    uint64_t *sources = realloc(p->sources, (p->source_count + 1) * sizeof *sources);
    if (sources == NULL) return p->source_count + 1;
    p->sources = sources;
    p->sources[p->source_count++] = hash;
    return p->source_count;
}

static bool get_build(struct protocol_message *request, struct build_request *r) {
    static const enum build_kind kinds[] = {[PROTOCOL_BUILD_PROGRAM] = BUILD_PROGRAM,
                                            [PROTOCOL_BUILD_OBJECT] = BUILD_OBJECT,
                                            [PROTOCOL_BUILD_LINK] = BUILD_LINK};
    uint32_t kind = protocol_get_u32(request);
    r->kind = kinds[kind < PROTOCOL_BUILD_KINDS ? kind : 0];
    r->name = protocol_get_text(request);
    r->directory = protocol_get_text(request);
    if (r->directory[0] == 0) r->directory = NULL;
    r->options = protocol_get_text(request);
    r->source = protocol_get_block(request, &r->source_bytes);
    return !request->bad && kind < PROTOCOL_BUILD_KINDS;
}

static bool build_program(struct platform *p, unsigned client, struct protocol_message *request,
                          struct protocol_message *reply, struct error *e) {
    static const char *const modes[] = {[MODE_SIMT] = "simt", [MODE_MIMD] = "mimd", [MODE_AUTO] = "both"};
    char name[40];
    const struct machine_config *c = machine_configuration(p->options.machine);
    struct build_request r = {.compiler = p->options.compiler,
                              .priority_levels = c->simt.priority_levels,
                              .priorities = option_of(c, IMAGE_OPTION_PRIORITIES),
                              .coalescing = option_of(c, IMAGE_OPTION_COALESCING),
                              .math = option_of(c, IMAGE_OPTION_MATH),
                              .isa = option_of(c, IMAGE_OPTION_ISA),
                              .ids = option_of(c, IMAGE_OPTION_IDS),
                              .scalarize = option_of(c, IMAGE_OPTION_SCALARIZE),
                              .scalar = option_of(c, IMAGE_OPTION_SCALAR),
                              .startup = option_of(c, IMAGE_OPTION_STARTUP),
                              .line_bytes = c->l1d.line_bytes,
                              .warp_size = c->simt.warp_size,
                              .mode = modes[c->mode],
                              .reports_uninitialised = p->options.reports_uninitialised,
                              .marks_unwritten = p->options.marks_unwritten,
                              .interrupt_fd = p->options.interrupt_fd};
    if (!get_build(request, &r)) {
        answer(p, reply, PROTOCOL_MALFORMED, "a build request that cannot be understood");
        return true;
    }
    if (r.kind != BUILD_OBJECT) {
        snprintf(name, sizeof name, "program%zu.cl", source_number(p, r.source, r.source_bytes));
        r.name = name;
    }
    struct build b;
    bool verdict = build_run(&r, &b, e);
    if (!verdict) {
        p->builds_failed++;
        answer(p, reply, PROTOCOL_BUILD_FAILED, e->message);
    } else if (b.compiled && r.kind == BUILD_OBJECT) {
        answer(p, reply, PROTOCOL_OK, b.log);
        protocol_put_block(reply, b.image, b.image_bytes);
    } else if (b.compiled) {
        add_program(p, client, b.image, b.image_bytes, b.log, r.kind == BUILD_LINK ? NULL : &r, reply);
    } else {
        p->builds_failed++;
        fprintf(stderr, "%s%s", b.log, b.log[0] != 0 && b.log[strlen(b.log) - 1] == '\n' ? "" : "\n");
        answer(p, reply, b.bad_options ? PROTOCOL_BAD_OPTIONS : PROTOCOL_BUILD_FAILED, b.log);
    }
    build_release(&b);
    return verdict;
}

static void load_program(struct platform *p, unsigned client, struct protocol_message *request,
                         struct protocol_message *reply) {
    size_t size;
    const void *bytes = protocol_get_block(request, &size);
    if (request->bad)
        answer(p, reply, PROTOCOL_MALFORMED, "a binary that was not received whole");
    else
        add_program(p, client, bytes, size, "", NULL, reply);
}

static struct program *find_program(const struct platform *p, unsigned client, uint32_t id) {
    struct program *g = id >= 1 && id <= p->program_count ? p->programs[id - 1] : NULL;
    return g != NULL && g->client == client ? g : NULL;
}

static void release_program(struct platform *p, unsigned client, struct protocol_message *request,
                            struct protocol_message *reply) {
    uint32_t id = protocol_get_u32(request);
    bool found = find_program(p, client, id) != NULL;
    if (found) free_program(p, id - 1);
    answer(p, reply, found ? PROTOCOL_OK : PROTOCOL_MALFORMED, found ? "" : "no such program");
}

/* --- launches --- */

/* Reads the work sizes. Returns false if the machine cannot run them. */
static bool get_sizes(const struct platform *p, struct protocol_message *request, struct machine_launch *l) {
    l->work_dim = protocol_get_u32(request);
    uint64_t group = 1;
    bool fits = l->work_dim >= 1 && l->work_dim <= 3;
    for (unsigned d = 0; d < 3; d++) {
        uint64_t global = protocol_get_u64(request), local = protocol_get_u64(request);
        uint64_t offset = protocol_get_u64(request);
        bool used = d < l->work_dim || (global == 1 && local == 1 && offset == 0);
        fits = fits && used && global > 0 && local > 0 && global <= UINT32_MAX &&
               offset <= UINT32_MAX - global && local <= global && global % local == 0;
        if (!fits) continue;
        l->global_size[d] = (uint32_t)global;
        l->local_size[d] = (uint32_t)local;
        l->global_offset[d] = (uint32_t)offset;
        group *= local;
        fits = group <= machine_max_work_group(machine_configuration(p->options.machine));
    }
    return fits;
}

/* Reads a buffer argument. A released buffer has its old address, so that the kernel's use of it is
 * reported. */
static bool get_buffer(const struct platform *p, unsigned client, struct protocol_message *request,
                       struct arguments *a) {
    uint32_t address, size, id = protocol_get_u32(request);
    uint64_t offset = protocol_get_u64(request);
    return buffers_place(&p->buffers, client, id, &address, &size) && offset < size &&
           arguments_pointer(a, address + (uint32_t)offset);
}

static bool get_image(const struct platform *p, unsigned client, struct protocol_message *request,
                      struct arguments *a) {
    uint32_t size, id = protocol_get_u32(request);
    struct image_object o = {0};
    o.width = protocol_get_u32(request);
    o.height = protocol_get_u32(request);
    o.row_pitch_bytes = protocol_get_u32(request);
    o.element_bytes = protocol_get_u32(request);
    o.channel_order = protocol_get_u32(request);
    o.channel_data_type = protocol_get_u32(request);
    return buffers_place(&p->buffers, client, id, &o.base, &size) && o.width >= 1 && o.height >= 1 &&
           (uint64_t)o.width * o.element_bytes <= o.row_pitch_bytes &&
           (uint64_t)o.height * o.row_pitch_bytes <= size && arguments_image(a, &o);
}

/* Reads the arguments. If they need more local memory than the device has, `why` says so. */
static enum protocol_status get_arguments(const struct platform *p, unsigned client,
                                          struct protocol_message *request, struct arguments *a,
                                          char why[REASON]) {
    uint32_t count = protocol_get_u32(request),
             limit = machine_configuration(p->options.machine)->cluster.local_bytes;
    if (count != a->kernel->argument_count) return PROTOCOL_MALFORMED;
    for (uint32_t i = 0; i < count; i++) {
        bool known = false;
        size_t size;
        switch ((enum protocol_argument)protocol_get_u32(request)) {
        case PROTOCOL_ARGUMENT_VALUE: {
            const void *bytes = protocol_get_block(request, &size);
            known = bytes != NULL && arguments_value(a, bytes, size);
            break;
        }
        case PROTOCOL_ARGUMENT_BUFFER: known = get_buffer(p, client, request, a); break;
        case PROTOCOL_ARGUMENT_IMAGE: known = get_image(p, client, request, a); break;
        case PROTOCOL_ARGUMENT_NULL: known = arguments_pointer(a, 0); break;
        case PROTOCOL_ARGUMENT_LOCAL:
            known = arguments_local(a, protocol_get_u64(request), limit);
            if (!known && !request->bad) {
                snprintf(why, REASON,
                         "kernel %s: its local memory, aligned, is more than the %u bytes of the device",
                         a->kernel->name, limit);
                return PROTOCOL_BAD_SIZES;
            }
        }
        if (!known || request->bad) return PROTOCOL_MALFORMED;
    }
    if (a->local_bytes <= limit) return PROTOCOL_OK;
    snprintf(why, REASON, "kernel %s: its local variables take %u bytes, the device has %u", a->kernel->name,
             a->local_bytes, limit);
    return PROTOCOL_BAD_SIZES;
}

/* Puts code, argument block and printf buffer into the device's memory while the kernel runs. */
static bool run_launch(struct platform *p, const struct program *g, struct arguments *a,
                       struct machine_launch *l, struct machine_result *result, struct printf_text *printed,
                       struct error *e) {
    const struct image *i = g->image;
    int code = memory_add(p->memory, MEMORY_CODE, i->code_base, i->code_bytes, i->code, false, "program");
    int block = code < 0 ? -1
                         : memory_add(p->memory, MEMORY_LAUNCH, ARGUMENT_BLOCK, a->size_bytes, a->block,
                                      false, "kernel arguments");
    struct printf_output output;
    bool whole = false;
    bool complete = printf_output_begin(&output, p->memory, a->kernel) && block >= 0;
    if (complete)
        whole = p->options.run(p->options.context, l, result, e);
    else
        error_set(e, EXIT_USER, "kernel %s: %u memory objects are too many for a launch; release some",
                  a->kernel->name, p->memory->used);
    printf_output_end(&output, p->memory, i, a->kernel, whole, printed);
    if (block >= 0) memory_remove(p->memory, block);
    if (code >= 0) memory_remove(p->memory, code);
    return whole;
}

/* Adds the output of kernels, which the program prints. A failed launch prints here: the program gets no
 * output, and may be ended. */
static void put_printed(struct protocol_message *reply, const struct printf_text *printed, bool whole) {
    if (whole) {
        protocol_put_block(reply, printed->size > 0 ? printed->bytes : "", printed->size);
        return;
    }
    fwrite(printed->bytes, 1, printed->size, stdout);
    fflush(stdout);
}

/* Adds the scalar kernel, whose stacks have the size of its partner's. */
static void add_scalar_kernel(const struct image *i, const struct image_kernel *k, struct machine_launch *l) {
    const struct image_kernel *scalar = *k->scalar ? image_find(i, k->scalar) : NULL;
    l->synchronises = k->synchronises != 0;
    if (scalar == NULL) return;
    l->scalar_kernel = scalar->name;
    l->scalar_thunk = scalar->thunk;
    l->scalar_registers = scalar->registers;
    l->prefetches = scalar->prefetches != 0;
    l->scalar_stores = scalar->stores != 0;
    l->synchronises = l->synchronises || scalar->synchronises != 0;
    if (scalar->stack_bytes > l->stack_bytes) l->stack_bytes = scalar->stack_bytes;
}

static bool launch(struct platform *p, unsigned client, struct protocol_message *request,
                   struct protocol_message *reply, struct error *e) {
    const struct program *g = find_program(p, client, protocol_get_u32(request));
    const char *name = protocol_get_text(request);
    const struct image_kernel *k = g != NULL ? image_find(g->image, name) : NULL;
    if (k == NULL) {
        answer(p, reply, PROTOCOL_MALFORMED, "no such program or kernel");
        return true;
    }
    struct machine_launch l = {.kernel = k->name,
                               .code = &g->code,
                               .thunk = k->thunk,
                               .twin = k->twin,
                               .twin_stack_bytes = k->twin_stack_bytes,
                               .twin_item_bytes = k->twin_item_bytes,
                               .argument_block = ARGUMENT_BLOCK,
                               .stack_bytes = k->stack_bytes,
                               .registers = k->registers,
                               .vectors = k->vector_registers,
                               .scalars = k->scalar_registers};
    add_scalar_kernel(g->image, k, &l);
    struct machine_result result = {0};
    struct printf_text printed = {0};
    struct arguments a;
    bool sized = get_sizes(p, request, &l);
    char why[REASON] = "";
    enum protocol_status status = PROTOCOL_NO_MEMORY;
    if (arguments_begin(&a, k, ARGUMENT_BLOCK)) status = get_arguments(p, client, request, &a, why);
    if (status == PROTOCOL_OK &&
        (!sized || !machine_has_stacks(machine_configuration(p->options.machine), &l, why)))
        status = PROTOCOL_BAD_SIZES;
    l.local_bytes = a.local_bytes;
    const struct machine_config *c = machine_configuration(p->options.machine);
    struct machine_choice choice;
    if (status == PROTOCOL_OK && c->mode == MODE_AUTO) mode_choose(k, a.block, c, &l, &choice);
    bool whole = true;
    if (status == PROTOCOL_OK) launch_objects_add(&l, &a, p->memory);
    if (status == PROTOCOL_OK && !run_launch(p, g, &a, &l, &result, &printed, e)) {
        whole = false;
        status = PROTOCOL_LAUNCH_FAILED;
    }
    launch_objects_free(&l);
    arguments_release(&a);
    answer(p, reply, status, whole ? why : e->message);
    if (status == PROTOCOL_OK) {
        protocol_put_u64(reply, result.start);
        protocol_put_u64(reply, result.end);
    }
    if (printed.size > 0 || status == PROTOCOL_OK) put_printed(reply, &printed, status == PROTOCOL_OK);
    printf_text_free(&printed);
    return whole;
}

bool platform_serve(struct platform *p, unsigned client, struct protocol_message *request,
                    struct protocol_message *reply, struct error *e) {
    switch (request->type) {
    case PROTOCOL_HELLO: hello(p, request, reply); return true;
    case PROTOCOL_CREATE_BUFFER: create_buffer(p, client, request, reply); return true;
    case PROTOCOL_RELEASE_BUFFER: release_buffer(p, client, request, reply); return true;
    case PROTOCOL_BUILD: return build_program(p, client, request, reply, e);
    case PROTOCOL_LOAD: load_program(p, client, request, reply); return true;
    case PROTOCOL_RELEASE_PROGRAM: release_program(p, client, request, reply); return true;
    case PROTOCOL_LAUNCH: return launch(p, client, request, reply, e);
    case PROTOCOL_HOST_WROTE: host_wrote(p, client, request, reply); return true;
    case PROTOCOL_LOCATE: locate(p, request, reply); return true;
    case PROTOCOL_ROOM: room(p, request, reply); return true;
    default: answer(p, reply, PROTOCOL_MALFORMED, "an unknown request"); return true;
    }
}

#include "tests/lockstep/concept.h"

#include "model/machine/machine.h"
#include "abi/printf_buffer.h"
#include "runtime/printf_text.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const unsigned concept_kind_bytes[] = {
    [CONCEPT_INT8] = 1,  [CONCEPT_UINT8] = 1,  [CONCEPT_INT16] = 2, [CONCEPT_UINT16] = 2,
    [CONCEPT_INT32] = 4, [CONCEPT_UINT32] = 4, [CONCEPT_INT64] = 8, [CONCEPT_UINT64] = 8,
    [CONCEPT_HALF] = 2,  [CONCEPT_FLOAT] = 4,  [CONCEPT_DOUBLE] = 8};

struct name {
    const char *text;
    uint32_t value;
};

/* Returns the value of the name at the beginning of `text`, and the rest of the text. */
static uint32_t take_name(const struct name *names, const char **text, const char *where) {
    const struct name *best = NULL;
    for (const struct name *n = names; n->text; n++)
        if (!strncmp(*text, n->text, strlen(n->text)) && (!best || strlen(n->text) > strlen(best->text)))
            best = n;
    if (!best) fail_msg("%s: '%s' is not understood", where, *text);
    *text += strlen(best->text);
    return best->value;
}

/* --- contents --- */

static enum concept_kind kind_of_type(const char *type, const char *where) {
    static const struct name kinds[] = {
        {"char", CONCEPT_INT8},     {"uchar", CONCEPT_UINT8},   {"short", CONCEPT_INT16},
        {"ushort", CONCEPT_UINT16}, {"int", CONCEPT_INT32},     {"uint", CONCEPT_UINT32},
        {"long", CONCEPT_INT64},    {"ulong", CONCEPT_UINT64},  {"half", CONCEPT_HALF},
        {"float", CONCEPT_FLOAT},   {"double", CONCEPT_DOUBLE}, {NULL, 0}};
    return take_name(kinds, &type, where);
}

/* Signed integers and floating-point numbers are small enough for sums and products of a few. */
static void put_number(uint8_t *to, enum concept_kind kind, uint64_t random) {
    const float single = (float)(int16_t)random / 64;
    const double precise = (int32_t)random / 65536.0;
    const int32_t small = (int16_t)random;
    const int64_t large = (int64_t)(random << 23) >> 23;
    const uint16_t half_bits = (uint16_t)(random & 0xbfff);
    const void *from = kind == CONCEPT_FLOAT    ? (const void *)&single
                       : kind == CONCEPT_DOUBLE ? (const void *)&precise
                       : kind == CONCEPT_INT32  ? (const void *)&small
                       : kind == CONCEPT_INT64  ? (const void *)&large
                       : kind == CONCEPT_HALF   ? (const void *)&half_bits
                                                : (const void *)&random;
    memcpy(to, from, concept_kind_bytes[kind]);
}

static void fill(const struct concept *c, struct concept_part *p) {
    p->before = calloc(1, p->size_bytes);
    assert_non_null(p->before);
    if (p->output) return;
    struct seed random = seed_of(p->argument);
    for (const char *n = c->kernel->name; *n; n++) random.state = random.state * 131 + (uint8_t)*n;
    for (uint32_t at = 0; at + 8 <= p->size_bytes; at += concept_kind_bytes[p->kind])
        put_number(p->before + at, p->kind, seed_next(&random));
}

/* --- arguments --- */

static void set_word(struct concept *c, const struct image_argument *a, uint32_t word) {
    assert_int_equal(a->size_bytes, sizeof word);
    memcpy(c->launch + a->offset, &word, sizeof word);
}

static struct concept_part *add_part(struct concept *c, unsigned argument) {
    if (c->parts == CONCEPT_PARTS) fail_msg("%s: too many buffers", c->kernel->name);
    struct concept_part *p = &c->part[c->parts];
    *p = (struct concept_part){.argument = argument, .base = MEMORY_BUFFER_BASE + c->parts++ * 0x100000u};
    return p;
}

static void add_buffer(struct concept *c, unsigned argument) {
    const struct image_argument *a = &c->kernel->arguments[argument];
    struct concept_part *p = add_part(c, argument);
    p->kind = kind_of_type(a->type, c->kernel->name);
    p->output = a->space == IMAGE_GLOBAL && !strstr(a->qualifiers, "const");
    p->size_bytes = p->output ? CONCEPT_OUTPUT_BYTES : CONCEPT_INPUT_BYTES;
    fill(c, p);
    set_word(c, a, p->base);
}

static void add_image(struct concept *c, unsigned argument) {
    static const struct name orders[] = {
        {"rgba_", CL_RGBA}, {"bgra_", CL_BGRA}, {"argb_", CL_ARGB},           {"r_", CL_R},
        {"rg_", CL_RG},     {"a_", CL_A},       {"intensity_", CL_INTENSITY}, {NULL, 0}};
    static const struct name types[] = {{"unorm8", CL_UNORM_INT8},
                                        {"unorm16", CL_UNORM_INT16},
                                        {"snorm16", CL_SNORM_INT16},
                                        {"int8", CL_SIGNED_INT8},
                                        {"int16", CL_SIGNED_INT16},
                                        {"uint8", CL_UNSIGNED_INT8},
                                        {"uint16", CL_UNSIGNED_INT16},
                                        {"uint32", CL_UNSIGNED_INT32},
                                        {"half", CL_HALF_FLOAT},
                                        {"float", CL_FLOAT},
                                        {NULL, 0}};
    static const struct name kinds[] = {{"unorm8", CONCEPT_UINT8},
                                        {"unorm16", CONCEPT_UINT16},
                                        {"snorm16", CONCEPT_INT16},
                                        {"int8", CONCEPT_INT8},
                                        {"int16", CONCEPT_INT16},
                                        {"uint8", CONCEPT_UINT8},
                                        {"uint16", CONCEPT_UINT16},
                                        {"uint32", CONCEPT_UINT32},
                                        {"half", CONCEPT_HALF},
                                        {"float", CONCEPT_FLOAT},
                                        {NULL, 0}};
    const struct image_argument *a = &c->kernel->arguments[argument];
    struct concept_part *p = add_part(c, argument);
    struct image_object *o = &p->object;
    const char *name = a->name;
    o->channel_order = take_name(orders, &name, c->kernel->name);
    const char *type = name;
    o->channel_data_type = take_name(types, &name, c->kernel->name);
    p->kind = take_name(kinds, &type, c->kernel->name);
    p->output = strstr(a->access, "write") != NULL;
    p->is_image = true;
    const unsigned channels =
        o->channel_order == CL_RGBA || o->channel_order == CL_BGRA || o->channel_order == CL_ARGB ? 4
        : o->channel_order == CL_RG                                                               ? 2
                                                                                                  : 1;
    o->base = p->base;
    o->width = CONCEPT_WIDTH;
    o->height = CONCEPT_HEIGHT;
    o->element_bytes = channels * concept_kind_bytes[p->kind];
    o->row_pitch_bytes = (CONCEPT_WIDTH + 1) * o->element_bytes;
    p->size_bytes = CONCEPT_HEIGHT * o->row_pitch_bytes;
    fill(c, p);
    const uint32_t at = CONCEPT_LAUNCH_BYTES - (argument + 1) * (uint32_t)sizeof *o;
    memcpy(c->launch + at, o, sizeof *o);
    set_word(c, a, CONCEPT_LAUNCH + at);
}

static void add_sampler(struct concept *c, const struct image_argument *a) {
    static const struct name filters[] = {
        {"nearest_", IMAGE_SAMPLER_FILTER_NEAREST}, {"linear_", IMAGE_SAMPLER_FILTER_LINEAR}, {NULL, 0}};
    static const struct name modes[] = {
        {"clamp", IMAGE_SAMPLER_ADDRESS_CLAMP},
        {"edge", IMAGE_SAMPLER_ADDRESS_CLAMP_TO_EDGE},
        {"repeat", IMAGE_SAMPLER_ADDRESS_REPEAT | IMAGE_SAMPLER_NORMALIZED},
        {"mirror", IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT | IMAGE_SAMPLER_NORMALIZED},
        {NULL, 0}};
    const char *name = a->name;
    const uint32_t filter = take_name(filters, &name, c->kernel->name);
    set_word(c, a, filter | take_name(modes, &name, c->kernel->name));
}

/* Adds the value of an argument: words of 1.5, 2.5… for floats and types made of them; 3, 4… for integers. */
static void add_value(struct concept *c, const struct image_argument *a) {
    static const char *const integers[] = {"char", "uchar", "short", "ushort",
                                           "int",  "uint",  "long",  "ulong"};
    bool integer = false;
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        integer |= !strncmp(a->type, integers[i], strlen(integers[i]));
    for (uint32_t at = 0; at < a->size_bytes; at++) {
        const uint32_t word = at / 4;
        const float number = 1.5f + (float)word;
        uint8_t bytes[4];
        memcpy(bytes, &number, sizeof bytes);
        c->launch[a->offset + at] = integer ? (uint8_t)(at % 4 == 0 ? 3 + word : 0) : bytes[at % 4];
    }
}

static void set_arguments(struct concept *c) {
    const uint32_t items = c->local_size[0] * c->local_size[1] * c->local_size[2];
    c->local_bytes = c->file->image->local_bytes;
    for (unsigned i = 0; i < c->kernel->argument_count; i++) {
        const struct image_argument *a = &c->kernel->arguments[i];
        if (strcmp(a->access, "none") != 0) {
            add_image(c, i);
        } else if (!strcmp(a->type, "sampler_t")) {
            add_sampler(c, a);
        } else if (a->space == IMAGE_LOCAL) {
            c->local_bytes = (c->local_bytes + 15) & ~15u;
            set_word(c, a, MEMORY_LOCAL_BASE + c->local_bytes);
            c->local_bytes += 64 * items;
        } else if (a->space == IMAGE_PRIVATE) {
            add_value(c, a);
        } else {
            add_buffer(c, i);
        }
    }
}

const uint8_t *concept_value(const struct concept *c, unsigned argument, uint32_t *size_bytes) {
    const struct image_argument *a = &c->kernel->arguments[argument];
    *size_bytes = a->size_bytes;
    return c->launch + a->offset;
}

/* --- files --- */

/* Reads up to three numbers after a word. Returns their number. */
static unsigned read_sizes(const char *line, const char *word, uint32_t sizes[3]) {
    const char *at = strstr(line, word), *end = strchr(line, '\n');
    if (!at || at > end) return 0;
    return (unsigned)sscanf(at + strlen(word), "%u %u %u", &sizes[0], &sizes[1], &sizes[2]);
}

static void add_concept(struct concept_file *f, const char *line) {
    char name[64];
    const char *kernel = strstr(line, "kernel void ");
    if (!kernel || sscanf(kernel, "kernel void %63[A-Za-z0-9_]", name) != 1)
        fail_msg("%s: no kernel behind %.40s", f->source, line);
    f->list = realloc(f->list, (f->count + 1) * sizeof *f->list);
    assert_non_null(f->list);
    struct concept *c = &f->list[f->count++];
    *c = (struct concept){
        .file = f, .global_size = {1, 1, 1}, .local_size = {1, 1, 1}, .kernel = image_find(f->image, name)};
    if (!c->kernel) fail_msg("%s: no kernel %s in the image", f->source, name);
    c->work_dim = read_sizes(line, "global ", c->global_size);
    if (c->work_dim == 0 || read_sizes(line, "local ", c->local_size) != c->work_dim)
        fail_msg("%s: %.60s: sizes are missing", f->source, line);
    read_sizes(line, "offset ", c->global_offset);
}

static struct image *load_image(const char *path) {
    static uint8_t bytes[4 << 20];
    struct error e = {0};
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("%s: cannot be read; make tests", path);
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    struct image *i = image_load(bytes, size, &e);
    if (!i) fail_msg("%s: %s", path, e.message);
    return i;
}

static void load_file(struct concept_file *f, const char *source, const char *folder, const char *end) {
    const char *slash = strrchr(source, '/') + 1;
    char *path = spawn_text("%s/%.*s%s", folder, (int)strcspn(slash, "."), slash, end);
    *f = (struct concept_file){.source = strdup(source), .image = load_image(path)};
    free(path);
    char *text = spawn_read(source);
    assert_non_null(text);
    for (const char *p = text; (p = strstr(p, "// launch: ")); p++) add_concept(f, p);
    free(text);
    /* The list does not move from here on: pointers to concepts are valid. */
    for (unsigned i = 0; i < f->count; i++) set_arguments(&f->list[i]);
}

static struct concept_file *load_all(const char *folder, const char *end, unsigned *count) {
    char *pattern = spawn_text("%s/tests/kernels/concepts/*.cl", spawn_source());
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    struct concept_file *files = calloc(found.gl_pathc, sizeof *files);
    assert_non_null(files);
    for (size_t i = 0; i < found.gl_pathc; i++) load_file(&files[i], found.gl_pathv[i], folder, end);
    *count = (unsigned)found.gl_pathc;
    globfree(&found);
    free(pattern);
    return files;
}

struct concept_file *concept_load_from(const char *folder, unsigned *count) {
    return load_all(folder, ".img", count);
}

struct concept_file *concept_load_all(bool optimised, unsigned *count) {
    char *folder = spawn_text("%s/tests/concepts", spawn_build());
    struct concept_file *files = load_all(folder, optimised ? ".img" : ".plain.img", count);
    free(folder);
    return files;
}

void concept_free_all(struct concept_file *files, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < files[i].count; k++)
            for (unsigned p = 0; p < files[i].list[k].parts; p++) free(files[i].list[k].part[p].before);
        free(files[i].list);
        free(files[i].source);
        image_free(files[i].image);
    }
    free(files);
}

/* --- running --- */

static struct machine *make_machine(const char *const *settings) {
    struct machine_config config;
    struct error e = {0};
    config_defaults(&machine_config_table, &config);
    const bool file = settings[0] && settings[0][0] == '/';
    if (file && !config_read(&machine_config_table, &config, *settings++, &e)) fail_msg("%s", e.message);
    for (; *settings; settings++)
        if (!config_set(&machine_config_table, &config, *settings, &e)) fail_msg("%s", e.message);
    struct machine *m = machine_create(&config, &e);
    if (!m) fail_msg("%s", e.message);
    return m;
}

static void add_memory(const struct concept *c, struct memory *m, uint8_t *after[CONCEPT_PARTS],
                       uint8_t *printed) {
    const struct image *i = c->file->image;
    memory_add(m, MEMORY_CODE, i->code_base, i->code_bytes, i->code, false, "code");
    memory_add(m, MEMORY_LAUNCH, CONCEPT_LAUNCH, sizeof c->launch, (uint8_t *)c->launch, false, "arguments");
    if (printed)
        memory_add(m, MEMORY_BUFFER, PRINTF_ADDRESS, PRINTF_MAPPED_BYTES, printed, true, "printf buffer");
    for (unsigned p = 0; p < c->parts; p++) {
        const struct concept_part *part = &c->part[p];
        after[p] = part->output ? malloc(part->size_bytes) : NULL;
        if (after[p]) memcpy(after[p], part->before, part->size_bytes);
        memory_add(m, MEMORY_BUFFER, part->base, part->size_bytes, after[p] ? after[p] : part->before,
                   part->output, c->kernel->arguments[part->argument].name);
    }
}

void concept_run(const struct concept *c, const char *const *settings, uint8_t *after[CONCEPT_PARTS],
                 char **text) {
    const struct image *i = c->file->image;
    const struct image_kernel *k = c->kernel;
    struct machine *m = make_machine(settings);
    uint8_t *printed = k->prints ? calloc(1, PRINTF_MAPPED_BYTES) : NULL;
    struct machine_code code = {.text_base = i->text_base,
                                .text_bytes = i->text_bytes,
                                .text = i->code + (i->text_base - i->code_base),
                                .startup = i->startup,
                                .startup_mimd = i->startup_mimd};
    struct machine_launch l = {.kernel = k->name,
                               .code = &code,
                               .thunk = k->thunk,
                               .twin = k->twin,
                               .twin_stack_bytes = k->twin_stack_bytes,
                               .twin_item_bytes = k->twin_item_bytes,
                               .argument_block = CONCEPT_LAUNCH,
                               .work_dim = c->work_dim,
                               .stack_bytes = k->stack_bytes,
                               .local_bytes = c->local_bytes};
    memcpy(l.global_size, c->global_size, sizeof l.global_size);
    memcpy(l.local_size, c->local_size, sizeof l.local_size);
    memcpy(l.global_offset, c->global_offset, sizeof l.global_offset);
    const struct image_kernel *scalar = *k->scalar ? image_find(i, k->scalar) : NULL;
    if (scalar) {
        l.scalar_kernel = scalar->name;
        l.scalar_thunk = scalar->thunk;
        l.scalar_registers = scalar->registers;
        l.prefetches = scalar->prefetches != 0;
    }
    add_memory(c, machine_memory(m), after, printed);
    machine_decode(&code);
    struct machine_result r;
    struct error e = {0};
    if (!machine_run(m, &l, &r, &e)) fail_msg("%s on %s: %s", k->name, settings[0], e.message);
    machine_destroy(m);
    machine_code_free(&code);
    *text = NULL;
    if (!printed) return;
    struct printf_text t;
    assert_true(printf_text_read(&t, i, printed));
    assert_false(t.lost || t.damaged);
    *text = t.bytes;
    free(printed);
}

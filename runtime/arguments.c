#include "runtime/arguments.h"

#include "model/memory/memory.h"

#include <stdlib.h>
#include <string.h>

/* Returns the offset of the n-th image object in the block. */
static uint32_t object_offset(const struct image_kernel *k, size_t n) {
    return (k->argument_block_bytes + 3) / 4 * 4 + (uint32_t)(n * sizeof(struct image_object));
}

bool arguments_begin(struct arguments *a, const struct image_kernel *k, uint32_t address) {
    *a = (struct arguments){.kernel = k,
                            .local_bytes = k->local_bytes,
                            .address = address,
                            .size_bytes = k->argument_block_bytes > 0 ? k->argument_block_bytes : 1,
                            .block = calloc(1, object_offset(k, k->argument_count) + 1),
                            .local_size = calloc(k->argument_count + 1, sizeof *a->local_size)};
    return a->block != NULL && a->local_size != NULL;
}

void arguments_release(struct arguments *a) {
    free(a->block);
    free(a->local_size);
    *a = (struct arguments){0};
}

static bool store(struct arguments *a, const void *bytes, size_t size) {
    const struct image_argument *argument = &a->kernel->arguments[a->next];
    if (size != argument->size_bytes) return false;
    memcpy(a->block + argument->offset, bytes, size);
    a->next++;
    return true;
}

static bool next_is(const struct arguments *a, enum image_space one, enum image_space other) {
    if (a->next >= a->kernel->argument_count) return false;
    enum image_space space = a->kernel->arguments[a->next].space;
    return space == one || space == other;
}

bool arguments_value(struct arguments *a, const void *bytes, size_t size_bytes) {
    return next_is(a, IMAGE_PRIVATE, IMAGE_SAMPLER) && store(a, bytes, size_bytes);
}

bool arguments_pointer(struct arguments *a, uint32_t address) {
    return next_is(a, IMAGE_GLOBAL, IMAGE_CONSTANT) && store(a, &address, sizeof address);
}

bool arguments_image(struct arguments *a, const struct image_object *object) {
    uint32_t offset = object_offset(a->kernel, a->next), address = a->address + offset;
    if (!next_is(a, IMAGE_IMAGE2D, IMAGE_IMAGE2D) || !store(a, &address, sizeof address)) return false;
    memcpy(a->block + offset, object, sizeof *object);
    a->size_bytes = offset + (uint32_t)sizeof *object;
    return true;
}

bool arguments_local(struct arguments *a, uint64_t size_bytes, uint32_t limit_bytes) {
    if (!next_is(a, IMAGE_LOCAL, IMAGE_LOCAL)) return false;
    uint64_t alignment = arguments_pointee_alignment(a->kernel->arguments[a->next].type);
    uint64_t offset = (a->local_bytes + alignment - 1) / alignment * alignment;
    if (size_bytes > limit_bytes || offset + size_bytes > limit_bytes) return false;
    uint32_t address = MEMORY_LOCAL_BASE + (uint32_t)offset;
    a->local_size[a->next] = (uint32_t)size_bytes;
    if (!store(a, &address, sizeof address)) return false;
    a->local_bytes = (uint32_t)(offset + size_bytes);
    return true;
}

/* Returns the bytes of an OpenCL type by its name; 0 for other types. */
static uint32_t pointee(const char *type) {
    static const struct {
        const char *name;
        uint32_t bytes;
    } scalars[] = {{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"half", 2},  {"int", 4},
                   {"uint", 4}, {"float", 4}, {"long", 8},  {"ulong", 8},  {"double", 8}};
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        size_t n = strlen(scalars[i].name);
        if (strncmp(type, scalars[i].name, n) != 0) continue;
        char *end;
        unsigned long width = strtoul(type + n, &end, 10);
        if (strcmp(end, "*") != 0 || width > 16) continue;
        if (end == type + n) width = 1;
        return scalars[i].bytes * (uint32_t)(width == 3 ? 4 : width);
    }
    return 0;
}

uint32_t arguments_pointee_alignment(const char *type) {
    const uint32_t bytes = pointee(type);
    return bytes ? bytes : 128;
}

uint32_t arguments_pointee_bytes(const char *type) {
    return pointee(type);
}

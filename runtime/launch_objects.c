#include "runtime/launch_objects.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(IMAGE_VARIABLE_DIMENSIONS == MACHINE_OBJECT_DIMENSIONS, "dimensions are copied");

static struct machine_object variable(const struct image_variable *v) {
    struct machine_object o = {.name = v->name,
                               .address = v->is_private ? v->offset : MEMORY_LOCAL_BASE + v->offset,
                               .size_bytes = v->size_bytes,
                               .local = !v->is_private,
                               .base = (uint8_t)v->base,
                               .stride = v->stride,
                               .file = *v->file ? v->file : NULL,
                               .line = v->line,
                               .element_bytes = v->element_bytes,
                               .dimensions = v->dimensions};
    memcpy(o.dimension, v->dimension, sizeof o.dimension);
    return o;
}

/* Returns the object to which an argument points; empty if it is no pointer. */
static struct machine_object pointer(const struct arguments *a, size_t n, const struct memory *memory) {
    const struct image_argument *argument = &a->kernel->arguments[n];
    const bool local = argument->space == IMAGE_LOCAL;
    struct machine_object o = {.name = argument->name, .local = local, .argument = (unsigned)n + 1};
    if (!local && argument->space != IMAGE_GLOBAL && argument->space != IMAGE_CONSTANT) return o;
    memcpy(&o.address, a->block + argument->offset, sizeof o.address);
    o.element_bytes = arguments_pointee_bytes(argument->type);
    o.size_bytes = a->local_size[n];
    if (local) return o;
    const int index = memory_find(memory, o.address, 1);
    if (index < 0) return o;
    const struct memory_region *r = &memory->region[index];
    o.size_bytes = r->base + r->size_bytes - o.address;
    o.region = r->name;
    o.write_only = r->write_only;
    return o;
}

void launch_objects_add(struct machine_launch *l, const struct arguments *a, const struct memory *memory) {
    const struct image_kernel *k = a->kernel;
    struct machine_object *o =
        calloc(k->variable_count + k->argument_count + k->twin_variable_count + 1, sizeof *o);
    size_t count = 0;
    require_memory(o);
    for (size_t n = 0; n < k->variable_count; n++) o[count++] = variable(&k->variables[n]);
    for (size_t n = 0; n < k->argument_count; n++) o[count++] = pointer(a, n, memory);
    for (size_t n = 0; n < k->twin_variable_count; n++) {
        o[count] = variable(&k->twin_variables[n]);
        o[count++].of_twin = true;
    }
    l->objects = o;
    l->object_count = count;
}

void launch_objects_free(struct machine_launch *l) {
    free((void *)l->objects);
    l->objects = NULL;
    l->object_count = 0;
}

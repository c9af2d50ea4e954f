#include "model/report/object_name.h"

/* Returns whether two objects have addresses in one memory: private variables with one base, or none. */
static bool are_together(const struct machine_object *o, const struct machine_object *other) {
    if (!memory_check_is_private(o)) return !memory_check_is_private(other);
    return memory_check_is_private(other) && o->of_twin == other->of_twin && o->base == other->base &&
           o->stride == other->stride;
}

/* Returns the object that contains the address; NULL if none is known. `beside`: an object of the same
 * memory. */
static const struct machine_object *find_object(const struct machine_launch *l, uint32_t address,
                                                const struct machine_object *beside) {
    for (size_t n = 0; n < l->object_count; n++) {
        const struct machine_object *o = &l->objects[n];
        if (are_together(o, beside) && address - o->address < o->size_bytes) return o;
    }
    return NULL;
}

/* Appends indices to the name of an array; the first one may be too large or negative. */
static void put_indices(struct text *out, const struct machine_object *o, int64_t index) {
    int64_t below = 1;
    for (unsigned d = 1; d < o->dimensions; d++) below *= o->dimension[d] ? o->dimension[d] : 1;
    for (unsigned d = 0; d < o->dimensions; d++) {
        int64_t at = index / below;
        if (index % below < 0) at--;
        text_put(out, "[%lld]", (long long)at);
        index -= at * below;
        if (d + 1 < o->dimensions && o->dimension[d + 1]) below /= o->dimension[d + 1];
    }
}

static void put_element(struct text *out, const struct machine_object *o, uint32_t address) {
    const bool array = o->dimensions || (o->argument && o->element_bytes);
    const int64_t away =
        memory_check_is_private(o) ? (int32_t)(address - o->address) : (int64_t)address - o->address;
    const int64_t element = array && o->element_bytes ? o->element_bytes : 1;
    const int64_t byte = array ? (away % element + element) % element : away, offset = away - byte;
    text_put(out, "%s", o->name);
    if (o->dimensions)
        put_indices(out, o, offset / element);
    else if (array)
        text_put(out, "[%lld]", (long long)(offset / element));
    if (byte) text_put(out, ", byte %lld", (long long)byte);
}

static void put_memory(struct text *out, const struct machine_object *o) {
    if (o->region)
        text_put(out, " (%s, argument %u)", o->region, o->argument);
    else if (o->argument)
        text_put(out, " (local memory, argument %u)", o->argument);
    else
        text_put(out, " (%s memory)", memory_check_is_private(o) ? "private" : "local");
}

void text_object(struct text *out, const struct machine_launch *l, uint32_t address) {
    static const struct machine_object local_memory = {.local = true};
    const struct machine_object *o = find_object(l, address, &local_memory);
    const bool local = address >= MEMORY_LOCAL_BASE && address < MEMORY_STACK_BASE;
    if (!o) {
        text_put(out, "0x%08x (%s memory)", address, local ? "local" : "global");
        return;
    }
    put_element(out, o, address);
    put_memory(out, o);
}

/* Appends "s has 32 elements (local memory, x.cl:2)". */
static void put_size(struct text *out, const struct machine_object *o) {
    const uint32_t element = o->element_bytes ? o->element_bytes : 1;
    if (!o->size_bytes)
        text_put(out, "%s points to nothing (argument %u)", o->name, o->argument);
    else if (!o->element_bytes || (!o->dimensions && !o->argument))
        text_put(out, "%s has %u bytes", o->name, o->size_bytes);
    else
        text_put(out, "%s has %u element%s", o->name, o->size_bytes / element,
                 o->size_bytes == element ? "" : "s");
    if (!o->size_bytes) return;
    if (o->file)
        text_put(out, " (%s memory, %s:%u)", memory_check_is_private(o) ? "private" : "local", o->file,
                 o->line);
    else
        put_memory(out, o);
}

void text_outside_object(struct text *out, const struct machine_launch *l, const struct arm_instruction *i,
                         const struct memory_fault *f) {
    const struct machine_object *other = find_object(l, f->address, f->object);
    text_put(out, "%s ", i->is_store ? "writes" : "reads");
    put_element(out, f->object, f->address);
    text_put(out, "; ");
    put_size(out, f->object);
    if (!other || other == f->object) return;
    text_put(out, "; the %u byte%s are of ", f->bytes, f->bytes == 1 ? "" : "s");
    put_element(out, other, f->address);
}

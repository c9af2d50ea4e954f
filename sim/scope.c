/* Names: a full name is given once, and found by hashing. */
#include "sim/kernel_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash(const char *name) {
    uint32_t h = 2166136261u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

/* Returns the place of a name in the index: its own, or the free one where it belongs. */
static uint32_t slot_of(const struct kernel *k, const char *name) {
    uint32_t i = hash(name) & k->index_mask;
    while (k->object_index[i] && strcmp(k->objects[k->object_index[i] - 1].name, name) != 0)
        i = (i + 1) & k->index_mask;
    return i;
}

static void grow_index(struct kernel *k) {
    if (k->object_index && 2 * k->object_count <= k->index_mask) return;
    const uint32_t size = k->object_index ? 2 * (k->index_mask + 1) : 64;
    free(k->object_index);
    k->object_index = calloc(size, sizeof *k->object_index);
    require_memory(k->object_index);
    k->index_mask = size - 1;
    for (uint32_t i = 0; i < k->object_count; i++) k->object_index[slot_of(k, k->objects[i].name)] = i + 1;
}

static const char *full_name(struct kernel *k, const char *name) {
    invariant(name && *name && !strchr(name, '.'), "'%s' is no name of an object: empty, or with a dot",
              name ? name : "");
    if (!*k->scope) return kernel_copy_text(k, name);
    const size_t size = strlen(k->scope) + strlen(name) + 2;
    char *full = arena_allocate(&k->rest, size);
    snprintf(full, size, "%s.%s", k->scope, name);
    return full;
}

static const char *add_object(struct kernel *k, enum object_kind kind, const char *full, void *address) {
    grow_index(k);
    k->objects = kernel_grow(k->objects, k->object_count, &k->object_capacity, sizeof *k->objects);
    k->objects[k->object_count++] = (struct object){kind, full, address};
    k->object_index[slot_of(k, full)] = k->object_count;
    return full;
}

const char *object_register(struct kernel *k, enum object_kind kind, const char *name, void *address) {
    const char *full = full_name(k, name);
    invariant(!object_find(k, full), "the name '%s' is given twice", full);
    return add_object(k, kind, full, address);
}

void scope_enter(struct kernel *k, const char *name) {
    const char *full = full_name(k, name);
    const struct object *o = object_find(k, full);
    invariant(!o || o->kind == OBJECT_SCOPE, "the name '%s' is given twice", full);
    k->scope = o ? o->name : add_object(k, OBJECT_SCOPE, full, NULL);
}

void scope_leave(struct kernel *k) {
    invariant(*k->scope, "scope_leave() without a scope");
    const char *dot = strrchr(k->scope, '.');
    if (!dot) {
        k->scope = "";
        return;
    }
    char above[dot - k->scope + 1];
    memcpy(above, k->scope, sizeof above);
    above[dot - k->scope] = 0;
    k->scope = object_find(k, above)->name;
}

size_t object_count(const struct kernel *k) {
    return k->object_count;
}

const struct object *object_at(const struct kernel *k, size_t i) {
    invariant(i < k->object_count, "object %zu of %u", i, k->object_count);
    return &k->objects[i];
}

const struct object *object_find(const struct kernel *k, const char *name) {
    if (!k->object_index) return NULL;
    const uint32_t found = k->object_index[slot_of(k, name)];
    return found ? &k->objects[found - 1] : NULL;
}

static void *find_object(const struct kernel *k, enum object_kind kind, const char *name) {
    const struct object *o = object_find(k, name);
    return o && o->kind == kind ? o->address : NULL;
}

struct event *event_find(const struct kernel *k, const char *name) {
    return find_object(k, OBJECT_EVENT, name);
}
struct process *process_find(const struct kernel *k, const char *name) {
    return find_object(k, OBJECT_PROCESS, name);
}
struct signal *signal_find(const struct kernel *k, const char *name) {
    return find_object(k, OBJECT_SIGNAL, name);
}
struct clock *clock_find(const struct kernel *k, const char *name) {
    return find_object(k, OBJECT_CLOCK, name);
}

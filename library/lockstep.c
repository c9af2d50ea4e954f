#include "library/lockstep.h"

#include "library/face.h"
#include "library/reference.h"
#include "tb/twins/twin_block.h"

#include <string.h>

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "unknown" /* defined by the Makefile */
#endif
#define REFERENCE(m) ((struct reference *)(m))

const char *lockstep_version(void) {
    return LIBRARY_VERSION;
}

/* Returns whether no error has occurred. Otherwise sets the text of lockstep_error(). */
static bool sound(const struct error *e) {
    return e->status == EXIT_SOUND || face_tell("%s", e->message);
}

static bool is_machine(const struct lockstep_machine *m) {
    return m || face_tell("the machine is NULL");
}

struct lockstep_machine *lockstep_create(const char *config, const char *settings, const char *image) {
    struct error e = {0};
    struct reference *r = reference_create_from(config, settings, image && *image ? image : NULL, &e);
    sound(&e);
    return (struct lockstep_machine *)r;
}

void lockstep_destroy(struct lockstep_machine *m) {
    reference_destroy(REFERENCE(m));
}

uint32_t lockstep_buffer(struct lockstep_machine *m, uint32_t size_bytes, uint8_t **host) {
    struct error e = {0};
    uint8_t *memory;
    const uint32_t address = is_machine(m) ? reference_buffer(REFERENCE(m), size_bytes, &memory, &e) : 0;
    if (address && host) *host = memory;
    sound(&e);
    return address;
}

uint32_t lockstep_buffer_of(struct lockstep_machine *m, uint8_t *host, uint32_t size_bytes) {
    struct error e = {0};
    if (!host) return (uint32_t)face_tell("the buffer's memory is NULL");
    const uint32_t address = is_machine(m) ? reference_buffer_of(REFERENCE(m), host, size_bytes, &e) : 0;
    sound(&e);
    return address;
}

bool lockstep_kernel(struct lockstep_machine *m, const char *name) {
    struct error e = {0};
    return is_machine(m) && (reference_kernel(REFERENCE(m), name ? name : "", &e) || sound(&e));
}

bool lockstep_value(struct lockstep_machine *m, const void *value, size_t size_bytes) {
    struct error e = {0};
    return is_machine(m) && (reference_value(REFERENCE(m), value, size_bytes, &e) || sound(&e));
}

bool lockstep_pointer(struct lockstep_machine *m, uint32_t address) {
    struct error e = {0};
    return is_machine(m) && (reference_pointer(REFERENCE(m), address, &e) || sound(&e));
}

bool lockstep_local(struct lockstep_machine *m, uint32_t size_bytes) {
    struct error e = {0};
    return is_machine(m) && (reference_local(REFERENCE(m), size_bytes, &e) || sound(&e));
}

static bool take_range(struct reference_range *r, const struct lockstep_range *range) {
    if (!range) return face_tell("the range is NULL");
    memcpy(r->global, range->global, sizeof r->global);
    memcpy(r->local, range->local, sizeof r->local);
    return true;
}

bool lockstep_run(struct lockstep_machine *m, const struct lockstep_range *range) {
    struct error e = {0};
    struct machine_result result;
    struct reference_range r;
    return is_machine(m) && take_range(&r, range) &&
           (reference_run(REFERENCE(m), &r, &result, &e) || sound(&e));
}

bool lockstep_begin(struct lockstep_machine *m, const struct lockstep_range *range, unsigned cluster) {
    struct error e = {0};
    struct reference_range r;
    return is_machine(m) && take_range(&r, range) &&
           (reference_begin(REFERENCE(m), &r, cluster, &e) || sound(&e));
}

/* Returns a block of a cluster; CLUSTER_BLOCK_COUNT, with the text of lockstep_error(), if there is no such
 * block. */
static enum cluster_block find_block(const char *name) {
    if (!name) name = "";
    const enum cluster_block b = twin_block_find(name, strlen(name));
    if (b < CLUSTER_BLOCK_COALESCER) return b; /* higher numbers are blocks of GPU-like machines */
    face_tell("a cluster has no block '%s'", name);
    return CLUSTER_BLOCK_COUNT;
}

bool lockstep_step(struct lockstep_machine *m, const char *block, uint64_t *cycle) {
    const enum cluster_block b = is_machine(m) ? find_block(block) : CLUSTER_BLOCK_COUNT;
    return b != CLUSTER_BLOCK_COUNT &&
           (reference_step(REFERENCE(m), b, cycle) || face_tell("the launch has ended, or none has begun"));
}

const void *lockstep_block(const struct lockstep_machine *m, const char *block) {
    const enum cluster_block b = is_machine(m) ? find_block(block) : CLUSTER_BLOCK_COUNT;
    const void *model = b != CLUSTER_BLOCK_COUNT ? reference_block(REFERENCE(m), b) : NULL;
    if (b != CLUSTER_BLOCK_COUNT && !model) face_tell("no launch has begun: lockstep_begin()");
    return model;
}

bool lockstep_end(struct lockstep_machine *m) {
    struct error e = {0};
    struct machine_result result;
    return is_machine(m) && (reference_end(REFERENCE(m), &result, &e) || sound(&e));
}

bool lockstep_program(struct lockstep_machine *m, char *const argv[]) {
    struct error e = {0};
    return is_machine(m) && (reference_program(REFERENCE(m), argv, &e) || sound(&e));
}

bool lockstep_program_launch(struct lockstep_machine *m) {
    return is_machine(m) &&
           (reference_program_launch(REFERENCE(m)) || face_tell("no program runs, or it has ended"));
}

bool lockstep_program_end(struct lockstep_machine *m, int *status) {
    struct error e = {0};
    int ignored;
    return is_machine(m) &&
           (reference_program_end(REFERENCE(m), status ? status : &ignored, &e) || sound(&e));
}

uint64_t lockstep_cycles(const struct lockstep_machine *m) {
    return is_machine(m) ? machine_cycle(reference_machine(REFERENCE(m))) : 0;
}

bool lockstep_counter(const struct lockstep_machine *m, const char *name, uint64_t *value) {
    if (!is_machine(m)) return false;
    if (!name) name = "";
    const struct counter_registry *r = machine_counters(reference_machine(REFERENCE(m)));
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < counter_count(r); ++i) {
        const struct counter *c = counter_at(r, i);
        const size_t scope = strlen(c->scope);
        if (c->kind != COUNTER_COUNT || strcmp(c->name, dot ? dot + 1 : name) != 0 ||
            scope != (dot ? (size_t)(dot - name) : 0) || memcmp(name, c->scope, scope) != 0)
            continue;
        if (value) *value = *c->value;
        return true;
    }
    return face_tell("the machine has no counter '%s'", name);
}

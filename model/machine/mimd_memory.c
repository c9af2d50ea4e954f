#include "model/machine/mimd_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_ALIGNMENT     64
#define UNKNOWN_STACK_BYTES 4096 /* stack of a twin of unknown need */

void mimd_memory_init(struct mimd_memory *m, const struct machine_config *c) {
    const uint32_t cores = c->cluster.count * c->cluster.lanes;
    *m = (struct mimd_memory){.cores = cores, .line_bytes = c->l2.line_bytes};
    m->view = calloc(cores, sizeof *m->view);
    m->own = calloc(cores, sizeof *m->own);
    require_memory(m->view && m->own);
}

void mimd_memory_free(struct mimd_memory *m) {
    free(m->view);
    free(m->own);
    free(m->stacks);
    free(m->local);
}

uint64_t mimd_memory_stack_bytes(const struct machine_launch *l) {
    const uint64_t items = (uint64_t)l->local_size[0] * l->local_size[1] * l->local_size[2];
    const uint64_t fixed =
        l->twin_stack_bytes || l->twin_item_bytes ? l->twin_stack_bytes : UNKNOWN_STACK_BYTES;
    const uint64_t bytes = fixed + MACHINE_STACK_RESERVE + l->twin_item_bytes * items;
    return (bytes + STACK_ALIGNMENT - 1) / STACK_ALIGNMENT * STACK_ALIGNMENT;
}

static void reserve(uint8_t **host, uint64_t *have, uint64_t want) {
    if (want <= *have) return;
    free(*host);
    *host = calloc(1, want);
    require_memory(*host);
    *have = want;
}

/* Sets core i's view: all regions except the hidden one, and its stack and local memory. Returns false if no
 * region is left for them. */
static bool map_core(struct mimd_memory *m, unsigned i, const struct memory *all, int hidden, uint32_t stack,
                     uint32_t local) {
    struct memory *view = &m->view[i];
    char name[32];
    memory_copy(view, all);
    if (hidden >= 0) memory_remove(view, hidden);
    snprintf(name, sizeof name, "the stack of core %u", i);
    if (memory_add(view, MEMORY_LAUNCH, MIMD_STACKS_BASE + i * stack, stack, m->stacks + (size_t)i * stack,
                   true, name) < 0)
        return false;
    if (local && memory_add(view, MEMORY_LOCAL, MEMORY_LOCAL_BASE, local, m->local + (size_t)i * local, true,
                            "local memory") < 0)
        return false;
    memory_own(&m->own[i], view, MIMD_STACKS_BASE + i * stack, m->line_bytes);
    return true;
}

bool mimd_memory_map(struct mimd_memory *m, const struct memory *all, int hidden,
                     const struct machine_launch *l, struct error *e) {
    const uint64_t stack = mimd_memory_stack_bytes(l);
    if (stack * m->cores > MIMD_STACKS_BYTES)
        return error_set(
            e, EXIT_PROGRAM_FAULT,
            "kernel '%s' needs a stack of %llu bytes on each of %u cores for the private values of a "
            "work-group, but all stacks have %u bytes: make the work-group smaller, or set mode to simt",
            l->kernel, (unsigned long long)stack, m->cores, MIMD_STACKS_BYTES);
    reserve(&m->stacks, &m->stacks_bytes, stack * m->cores);
    reserve(&m->local, &m->local_bytes, (uint64_t)l->local_bytes * m->cores);
    if (l->local_bytes) memset(m->local, 0, (size_t)l->local_bytes * m->cores);
    for (unsigned i = 0; i < m->cores; ++i)
        if (!map_core(m, i, all, hidden, (uint32_t)stack, l->local_bytes))
            return error_set(e, EXIT_USER,
                             "kernel '%s': %u memory objects are too many for a launch; release some",
                             l->kernel, all->used);
    return true;
}

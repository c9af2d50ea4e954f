/*
 * scalar_webs: splits the registers of SIMT code into webs (lanes.md §3): maximal sets of definitions and
 * uses of an architectural register that reaching definitions link. Arguments and results link a function's
 * webs with those of its callers, since a call moves nothing; the stack pointer is one web.
 */
#ifndef COMPILER_SCALAR_WEBS_H
#define COMPILER_SCALAR_WEBS_H

#include "compiler/scalar/scalar_code.h"

struct scalar_webs {
    size_t count;
    size_t sp;          /* web of the stack pointer; SCALAR_NONE: unused */
    size_t *in, *out;   /* for each node and register: web of the value read; of the value written */
    uint64_t *live_in;  /* for each node: registers live before it, except SP */
    uint64_t *live_out; /* registers live after it */
    uint64_t *writes;   /* for each node: registers that it defines, including results of calls */
    uint32_t *address;  /* for each web: address of its first definition or use */
};

void scalar_webs_find(struct scalar_webs *w, const struct scalar_code *c);
void scalar_webs_free(struct scalar_webs *w);

static inline size_t scalar_web_in(const struct scalar_webs *w, size_t node, unsigned r) {
    return w->in[node * SCALAR_NOTE_ARCHITECTURAL + r];
}

static inline size_t scalar_web_out(const struct scalar_webs *w, size_t node, unsigned r) {
    return w->out[node * SCALAR_NOTE_ARCHITECTURAL + r];
}

/* For each bit r of a set of registers. */
#define SCALAR_FOR_EACH(r, set)                                                                              \
    for (uint64_t set_##r = (set); set_##r; set_##r &= set_##r - 1)                                          \
        for (unsigned r = (unsigned)__builtin_ctzll(set_##r), once_##r = 1; once_##r; once_##r = 0)

#endif

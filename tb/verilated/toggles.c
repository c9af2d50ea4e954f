#include "tb/verilated/toggles.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

struct input {
    unsigned bytes; /* size of the port in the Verilog */
    uint64_t *was;  /* bits of the port in the latest noted cycle */
    uint64_t toggles, ones;
};

struct toggles {
    const struct twin *twin;
    uint64_t noted; /* number of comparisons of the twin when `was` was noted */
    struct input input[];
};

static unsigned bytes_of(const struct twin_port *p) {
    return p->bits <= 64 ? p->storage : (p->bits + 31) / 32 * (unsigned)sizeof(uint32_t);
}

static unsigned words_of(const struct input *i) {
    return (i->bytes + 7) / 8;
}

struct toggles *toggles_create(const struct twin *t) {
    struct toggles *g = calloc(1, sizeof *g + t->inputs * sizeof g->input[0]);
    require_memory(g);
    g->twin = t;
    for (unsigned n = 0; n < t->inputs; ++n) {
        struct input *i = &g->input[n];
        i->bytes = bytes_of(&t->port[n]);
        i->was = calloc(words_of(i), sizeof *i->was);
        require_memory(i->was);
    }
    return g;
}

void toggles_free(struct toggles *g) {
    if (!g) return;
    for (unsigned n = 0; n < g->twin->inputs; ++n) free(g->input[n].was);
    free(g);
}

static uint64_t ones(const struct input *i) {
    uint64_t count = 0;
    for (unsigned w = 0; w < words_of(i); ++w) count += (unsigned)__builtin_popcountll(i->was[w]);
    return count;
}

void toggles_note(struct toggles *g) {
    const struct twin *t = g->twin;
    const uint64_t cycles = t->comparisons - g->noted;
    for (unsigned n = 0; n < t->inputs; ++n) {
        struct input *i = &g->input[n];
        const char *at = t->port[n].verilog;
        i->ones += ones(i) * cycles;
        for (unsigned w = 0; w < words_of(i); ++w) {
            const unsigned left = i->bytes - 8 * w;
            uint64_t is = 0;
            memcpy(&is, at + 8 * w, left < 8 ? left : 8);
            i->toggles += (unsigned)__builtin_popcountll(is ^ i->was[w]);
            i->was[w] = is;
        }
    }
    g->noted = t->comparisons;
}

/* Adds the counts. `ones` does not yet include the latest noted cycle and the cycles since then in which the
 * twin rested. */
bool toggles_add(const struct toggles *g, unsigned n, struct toggles_count *c) {
    if (n >= g->twin->inputs) return false;
    const struct input *i = &g->input[n];
    c->port = g->twin->port[n].signal->name;
    c->bits = g->twin->port[n].bits;
    c->toggles += i->toggles;
    c->ones += i->ones + ones(i) * (g->twin->comparisons - g->noted + 1);
    return true;
}

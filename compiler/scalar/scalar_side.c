#include "compiler/scalar/scalar_classes.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

static void add_defined(uint64_t *defined, const struct scalar_webs *w, size_t node) {
    SCALAR_FOR_EACH(r, w->writes[node]) {
        const size_t web = scalar_web_out(w, node, r);
        defined[web / 64] |= UINT64_C(1) << web % 64;
    }
}

void scalar_side_add_function(uint64_t *defined, const struct scalar_code *c, const struct scalar_webs *w,
                              size_t function) {
    for (size_t g = 0; g < c->function_count; g++) {
        if (!c->functions[function].calls[g]) continue;
        for (size_t n = c->functions[g].begin; n < c->functions[g].limit; n++) add_defined(defined, w, n);
    }
}

void scalar_side_find(struct scalar_side *s, const struct scalar_code *c, const struct scalar_webs *w,
                      size_t branch, size_t successor) {
    const struct scalar_function *f = &c->functions[c->nodes[branch].function];
    const size_t meeting = c->nodes[branch].meeting, words = w->count / 64 + 1;
    bool *seen = allocate(NULL, (f->limit - f->begin) * sizeof *seen),
         *called = allocate(NULL, (c->function_count + 1) * sizeof *called);
    memset(seen, 0, (f->limit - f->begin) * sizeof *seen);
    memset(called, 0, (c->function_count + 1) * sizeof *called);
    *s = (struct scalar_side){.nodes = allocate(NULL, (f->limit - f->begin) * sizeof *s->nodes),
                              .defined = allocate(NULL, words * sizeof *s->defined)};
    memset(s->defined, 0, words * sizeof *s->defined);
    if (successor != meeting) {
        s->nodes[s->count++] = successor;
        seen[successor - f->begin] = true;
    }
    for (size_t i = 0; i < s->count; i++) {
        const struct scalar_node *n = &c->nodes[s->nodes[i]];
        add_defined(s->defined, w, s->nodes[i]);
        if (n->callee != SCALAR_NONE && !called[n->callee])
            scalar_side_add_function(s->defined, c, w, n->callee);
        if (n->callee != SCALAR_NONE) called[n->callee] = true;
        for (size_t e = 0; e < n->successors; e++) {
            const size_t to = c->successors[n->successor + e];
            if (to == meeting || seen[to - f->begin]) continue;
            seen[to - f->begin] = true;
            s->nodes[s->count++] = to;
        }
    }
    free(seen);
    free(called);
}

void scalar_side_free(struct scalar_side *s) {
    free(s->nodes);
    free(s->defined);
    *s = (struct scalar_side){0};
}

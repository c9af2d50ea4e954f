/* Selects the loads to prefetch, and their needs (prefetch.h). */
#include "compiler/partner/prefetch.h"
#include "compiler/partner/kernel_slice_parts.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

/* Marks the variables that an expression names, by number. */
static void mark(const struct kernel_slice *s, CXCursor expression, bool *seen) {
    const struct slice_variable *v = slice_variable_of(s, expression);
    struct children c = syntax_children(expression);
    if (v) seen[v - s->variables] = true;
    for (size_t i = 0; i < c.count; i++) mark(s, c.list[i], seen);
    children_free(&c);
}

struct slice_strides prefetch_variable_strides(const struct kernel_slice *s, const struct slice_variable *v) {
    struct slice_strides g = {{true, true, true, true}, {0}};
    if (v->has_initialiser) g = slice_strides_of(s, v->initialiser);
    CXType type = clang_getCanonicalType(clang_getCursorType(v->declaration));
    const long long size = type.kind == CXType_Pointer ? clang_Type_getSizeOf(clang_getPointeeType(type)) : 1;
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++) {
        g.known[d] = g.known[d] && size > 0 && g.by[d] % size == 0;
        g.by[d] = g.known[d] ? g.by[d] / (long)size : 0;
    }
    return g;
}

bool prefetch_strides_known(const struct slice_strides *g) {
    return g->known[0] && g->known[1] && g->known[2];
}

/* --- loops --- */

static void refuse_load(struct slice_load *l, const char *before, const struct text *why) {
    struct text reason = {0};
    text_printf(&reason, "%s%s", before, why ? text_string((struct text *)why) : "");
    l->reason = copy_string(reason.data);
    text_free(&reason);
}

/* Returns the counter of an expression that is a counter, or a sum or difference that begins with it. */
static const struct slice_variable *counter_in(const struct kernel_slice *s, CXCursor side, size_t loop) {
    const struct slice_variable *v = slice_variable_of(s, side);
    if (v) return v->kind == SLICE_COUNTER && v->counts == loop ? v : NULL;
    CXCursor e = syntax_strip(side);
    if (clang_getCursorKind(e) != CXCursor_BinaryOperator) return NULL;
    struct children c = syntax_children(e);
    char op[8];
    syntax_binary_operator(s->syntax, c.list[0], c.list[1], op);
    if (!strcmp(op, "+") || !strcmp(op, "-")) v = counter_in(s, c.list[0], loop);
    children_free(&c);
    return v;
}

/* Returns whether a comparison ends the loop: its counter moves towards the other side. */
static bool ends_loop(const struct kernel_slice *s, CXCursor part, size_t loop,
                      struct prefetch_condition *p) {
    CXCursor e = syntax_strip(part);
    if (clang_getCursorKind(e) != CXCursor_BinaryOperator) return false;
    struct children c = syntax_children(e);
    char op[8];
    syntax_binary_operator(s->syntax, c.list[0], c.list[1], op);
    const struct slice_variable *left = counter_in(s, c.list[0], loop), *v = left;
    if (!v) v = counter_in(s, c.list[1], loop);
    children_free(&c);
    if (!v || (op[0] != '<' && op[0] != '>') || (op[1] && op[1] != '=')) return false;
    CXCursor value;
    bool minus;
    slice_step_value(s, v, v->step, &value, &minus);
    const bool up = (op[0] == '<') == (left != NULL);
    if (up == minus) return false;
    p->counter = v;
    p->check_step = slice_step_sign(s, v) == 0;
    return true;
}

static void add_parts(const struct kernel_slice *s, CXCursor e, size_t loop, struct prefetch_condition *p,
                      bool *ends) {
    CXCursor inner = syntax_strip(e);
    struct children c = syntax_children(inner);
    char op[8] = "";
    if (clang_getCursorKind(inner) == CXCursor_BinaryOperator)
        syntax_binary_operator(s->syntax, c.list[0], c.list[1], op);
    if (!strcmp(op, "&&")) {
        add_parts(s, c.list[0], loop, p, ends);
        add_parts(s, c.list[1], loop, p, ends);
    } else if (p->count < PREFETCH_MOST_PARTS && slice_computable(s, inner, loop, NULL)) {
        p->parts[p->count++] = inner;
        if (!*ends) *ends = ends_loop(s, inner, loop, p);
    }
    children_free(&c);
}

bool prefetch_condition(const struct kernel_slice *s, size_t loop, struct prefetch_condition *c) {
    bool ends = false;
    *c = (struct prefetch_condition){0};
    if (s->loops[loop].has_condition) add_parts(s, s->loops[loop].condition, loop, c, &ends);
    return ends;
}

/* All loops around a load are copied: each must be known to end. */
static bool loops_qualify(const struct kernel_slice *s, struct slice_load *l) {
    for (size_t loop = l->loop; loop != SLICE_NONE; loop = s->loops[loop].parent) {
        struct prefetch_condition c;
        if (prefetch_condition(s, loop, &c)) continue;
        refuse_load(l, "no counter that follows from ids and arguments ends the loop around it", NULL);
        return false;
    }
    return true;
}

/* A counter has one value for all work-items of a group that the scalar thread loads for: it must differ
 * between their ids by a constant. */
static bool counters_qualify(const struct kernel_slice *s, struct slice_load *l, CXCursor e) {
    const struct slice_variable *v = slice_variable_of(s, e);
    struct text name = {0};
    bool good = true;
    if (v) {
        const struct slice_strides g = prefetch_variable_strides(s, v);
        if (v->kind == SLICE_COUNTER && !prefetch_strides_known(&g)) {
            text_printf(&name, "%s, which a loop changes, does not differ by a constant between work-items",
                        v->name);
            refuse_load(l, "its address is not known: ", &name);
            text_free(&name);
            return false;
        }
        return !v->has_initialiser || counters_qualify(s, l, v->initialiser);
    }
    struct children c = syntax_children(e);
    for (size_t i = 0; i < c.count && good; i++) good = counters_qualify(s, l, c.list[i]);
    children_free(&c);
    return good;
}

/* --- loads --- */

static bool load_qualifies(const struct kernel_slice *s, struct slice_load *l) {
    struct text why = {0};
    if (l->reason) return false;
    if (!slice_address_computable(s, l->expression, l->loop, &why)) refuse_load(l, "its address: ", &why);
    text_free(&why);
    return !l->reason && counters_qualify(s, l, l->expression) && loops_qualify(s, l);
}

static void add_load(struct prefetch *p, size_t number) {
    struct prefetch_load l = {number, slice_address_strides(p->s, p->s->loads[number].expression), {0}};
    const long line = (long)p->options.line_bytes;
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++) {
        const long by = labs(l.strides.by[d]);
        if (!l.strides.known[d])
            l.step[d] = 1;
        else if (by)
            l.step[d] = by < line ? (unsigned)(line / by) : 1;
    }
    p->loads = grow(p->loads, p->load_count, sizeof *p->loads);
    p->loads[p->load_count++] = l;
}

/* --- what they need --- */

static void need(struct prefetch *p, CXCursor e);

static void need_variable(struct prefetch *p, size_t number) {
    const struct slice_variable *v = &p->s->variables[number];
    CXCursor value;
    bool minus;
    if (p->outside[number]) return;
    p->outside[number] = true;
    if (v->has_initialiser) need(p, v->initialiser);
    if (v->kind != SLICE_COUNTER) return;
    slice_step_value(p->s, v, v->step, &value, &minus);
    if (v->step->has_value) need(p, value);
}

static void need(struct prefetch *p, CXCursor e) {
    bool *seen = allocate(NULL, p->s->variable_count + 1);
    memset(seen, 0, p->s->variable_count + 1);
    mark(p->s, e, seen);
    for (size_t i = 0; i < p->s->variable_count; i++)
        if (seen[i]) need_variable(p, i);
    free(seen);
}

/* Marks the needs of an address. Variables that are recomputed for each local id are not needed for local id
 * 0. */
static void need_address(struct prefetch *p, CXCursor e) {
    const struct slice_variable *v = slice_variable_of(p->s, e);
    if (v) {
        const struct slice_strides g = prefetch_variable_strides(p->s, v);
        if (prefetch_strides_known(&g))
            need_variable(p, (size_t)(v - p->s->variables));
        else
            need_address(p, v->initialiser);
        return;
    }
    struct children c = syntax_children(e);
    for (size_t i = 0; i < c.count; i++) need_address(p, c.list[i]);
    children_free(&c);
}

static void need_loops(struct prefetch *p, size_t loop) {
    for (; loop != SLICE_NONE; loop = p->s->loops[loop].parent) {
        struct prefetch_condition c;
        p->loops[loop] = true;
        prefetch_condition(p->s, loop, &c);
        for (size_t i = 0; i < c.count; i++) need(p, c.parts[i]);
        for (size_t i = 0; i < p->s->loops[loop].guard_count; i++) {
            CXCursor guard = p->s->loops[loop].guards[i].condition;
            if (slice_computable(p->s, guard, p->s->loops[loop].parent, NULL)) need(p, guard);
        }
    }
}

static void need_all(struct prefetch *p) {
    for (size_t i = 0; i < p->load_count; i++) {
        const struct slice_load *l = &p->s->loads[p->loads[i].load];
        need_address(p, l->expression);
        need_loops(p, l->loop);
    }
    for (size_t i = 0; i < p->s->return_count && !p->ahead; i++)
        if (slice_computable(p->s, p->s->returns[i].condition, SLICE_NONE, NULL))
            need(p, p->s->returns[i].condition);
}

/* Selects the innermost of nested loops with loads. */
static void choose_skips(struct prefetch *p) {
    for (size_t i = 0; i < p->load_count; i++) {
        const size_t loop = p->s->loads[p->loads[i].load].loop;
        if (loop != SLICE_NONE) p->skips[loop] = true;
    }
    for (size_t l = 0; l < p->s->loop_count; l++)
        for (size_t o = p->s->loops[l].parent; p->loops[l] && o != SLICE_NONE; o = p->s->loops[o].parent)
            p->skips[o] = false;
}

/* Computes the iterations of a skipping loop whose loads stay in the same lines, which need to be touched
 * only once. */
static void count_turns(struct prefetch *p) {
    for (size_t l = 0; l < p->s->loop_count; l++) {
        unsigned turns = 0;
        p->turns[l] = 1;
        p->s->turning = l;
        for (size_t i = 0; i < p->load_count && p->skips[l]; i++) {
            const struct slice_load *load = &p->s->loads[p->loads[i].load];
            if (load->loop != l) continue;
            const struct slice_strides g = slice_address_strides(p->s, load->expression);
            const long by = labs(g.by[SLICE_TURN]), line = (long)p->options.line_bytes;
            const unsigned stays = !g.known[SLICE_TURN] || by >= line ? 1 : by ? (unsigned)(line / by) : 0;
            if (stays && (!turns || stays < turns)) turns = stays;
        }
        if (turns) p->turns[l] = turns;
    }
    p->s->turning = SLICE_NONE;
}

static bool *flags(size_t count) {
    bool *list = allocate(NULL, count + 1);
    memset(list, 0, count + 1);
    return list;
}

bool prefetch_plan(struct prefetch *p, struct kernel_slice *s, const struct prefetch_options *options) {
    *p = (struct prefetch){.s = s,
                           .options = *options,
                           .outside = flags(s->variable_count),
                           .loops = flags(s->loop_count),
                           .skips = flags(s->loop_count),
                           .turns = allocate(NULL, (s->loop_count + 1) * sizeof *p->turns),
                           .ahead = true};
    for (size_t i = 0; i < s->load_count; i++)
        if (load_qualifies(s, &s->loads[i]) && s->loads[i].loop != SLICE_NONE) p->ahead = false;
    for (size_t i = 0; i < s->load_count; i++) {
        struct slice_load *l = &s->loads[i];
        if (l->reason) continue;
        if (!p->ahead && l->loop == SLICE_NONE)
            refuse_load(l, "it stands outside the loops that load, where the work-items are as early", NULL);
        else
            add_load(p, i);
    }
    need_all(p);
    choose_skips(p);
    count_turns(p);
    return p->load_count > 0;
}

void prefetch_free(struct prefetch *p) {
    free(p->loads);
    free(p->outside);
    free(p->loops);
    free(p->skips);
    free(p->turns);
    *p = (struct prefetch){0};
}

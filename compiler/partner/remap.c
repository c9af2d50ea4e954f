#include "compiler/partner/remap.h"
#include "compiler/partner/kernel_slice_parts.h"

#include "compiler/driver/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct remapping {
    const struct kernel_slice *s;
    struct edits *edits;
    partner_note *note;
    void *context;
    struct text size, room,
        declared; /* work-items of a group, also rounded up to a multiple of 8; __local variables */
    unsigned loops, warp_size;
    bool marked; /* a loop of the kernel is marked: others are not remapped */
};

/* A loop, and the variables that work-items keep between iterations. */
struct remapped {
    const struct slice_loop *loop;
    bool *kept, *changed;
    struct text start, condition, step, body;
};

static const char me[] = "(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * "
                         "get_local_id(2)))";

static bool refuse_it(const struct remapping *r, CXCursor at, const char *why) {
    r->note(r->context, at, why);
    return false;
}

/* --- the kernel --- */

/* Reads "(32) * (4) * (1)" from reqd_work_group_size(32, 4, 1); nothing if it is absent. */
static void read_size(struct remapping *r) {
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++) {
        char *part = partner_group_size(r->s, d);
        if (!part) return;
        text_printf(&r->size, d ? " * (%s)" : "(%s)", part);
        free(part);
    }
    text_printf(&r->room, "(%s + 7) / 8 * 8", r->size.data);
}

/* --- loops that qualify --- */

static bool varies(const struct kernel_slice *s, const struct slice_loop *l) {
    const size_t number = (size_t)(l - s->loops);
    if (!l->has_condition || !slice_computable(s, l->condition, number, NULL)) return l->has_condition;
    const struct slice_strides g = slice_strides_of(s, l->condition);
    return !slice_is_uniform(&g);
}

/* Returns whether a value is uniform in a group: a work-item that takes over has it, too. */
static bool is_group_value(const struct kernel_slice *s, const struct slice_variable *v) {
    if (v->kind != SLICE_ONCE || v->has_address) return false;
    if (v->parameter) return true;
    if (!slice_computable(s, v->initialiser, v->loop, NULL)) return false;
    const struct slice_strides g = slice_strides_of(s, v->initialiser);
    return slice_is_uniform(&g);
}

static bool sort_variables(const struct remapping *r, struct remapped *m) {
    const struct kernel_slice *s = r->s;
    bool *named = partner_flags(s->variable_count), good = true;
    partner_mark(s, m->loop->statement, named);
    for (size_t i = 0; i < s->variable_count && good; i++) {
        const struct slice_variable *v = &s->variables[i];
        char why[256];
        if (!named[i] || partner_within(v->declaration, m->loop->body) || partner_is_local(v) ||
            is_group_value(s, v))
            continue;
        const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(v->declaration)).kind;
        if (kind == CXType_ConstantArray || v->has_address) {
            snprintf(why, sizeof why,
                     "not remapped: %s is an array or pointed to, which stays with its work-item", v->name);
            good = refuse_it(r, m->loop->statement, why);
        }
        m->kept[i] = true;
        m->changed[i] = partner_changed_within(v, m->loop->statement);
    }
    free(named);
    return good;
}

static bool qualifies(const struct remapping *r, struct remapped *m) {
    const unsigned does = partner_what_it_does(r->s, m->loop->body, false),
                   asks = partner_what_it_does(r->s, m->loop->statement, true);
    if (does & PARTNER_WAITS) return refuse_it(r, m->loop->statement, "not remapped: it has barriers");
    if (does & PARTNER_LEAVES || m->loop->leaves)
        return refuse_it(r, m->loop->statement,
                         "not remapped: it is left by a jump, not by its condition alone");
    if (asks & (PARTNER_ASKS | PARTNER_CALLS))
        return refuse_it(r, m->loop->statement,
                         "not remapped: it asks for ids, which are those of whoever takes the work over: let "
                         "variables have them");
    if (!r->size.size)
        return refuse_it(r, m->loop->statement, "not remapped: the kernel does not say reqd_work_group_size");
    return sort_variables(r, m);
}

/* --- text --- */

/* Finds the offsets after the opening parenthesis of a `for`'s head, after its semicolons, and before the
 * closing parenthesis. */
static void find_head(const struct kernel_slice *s, const struct slice_loop *l, size_t at[4]) {
    const char *text = s->syntax->text->data;
    at[0] = syntax_find_outside(text, syntax_begin(l->statement), '(') + 1;
    at[1] = syntax_find_outside(text, at[0], ';') + 1;
    at[2] = syntax_find_outside(text, at[1], ';') + 1;
    at[3] = syntax_find_outside(text, at[2], ')');
}

/* Diverged work-items reconverge at the end of an iteration only if it has a single end. The compiler would
 * give each path through an iteration its own back edge; an empty assembly, which it never duplicates,
 * prevents this. */
#define MEET "({ __asm__ volatile(\"\"); })"

/* Returns the offset of that assembly in a loop, and its form; a `for` ends its iterations in its last
 * part. */
static size_t meeting_of(const struct kernel_slice *s, const struct slice_loop *l, const char **how) {
    size_t head[4];
    *how = MEET ", ";
    if (!l->is_for) return syntax_begin(l->condition);
    find_head(s, l, head);
    struct text step = {0};
    syntax_words(s->syntax, head[2], head[3], &step);
    *how = step.size > strspn(text_string(&step), " ") ? ", " MEET : MEET;
    text_free(&step);
    return head[3];
}

static void put_body(const struct kernel_slice *s, const struct slice_loop *around, struct text *t) {
    const size_t end = syntax_statement_end(s->syntax, around->body);
    for (size_t at = syntax_begin(around->body), next; at < end; at = next) {
        const char *meet = "";
        next = end;
        for (size_t i = 0; i < s->loop_count; i++) {
            const struct slice_loop *l = &s->loops[i];
            const char *how;
            if (l == around || !partner_within(l->statement, around->body)) continue;
            const size_t place = meeting_of(s, l, &how);
            if (place <= at || place >= next) continue;
            next = place;
            meet = how;
        }
        syntax_words(s->syntax, at, next, t);
        text_add(t, meet);
    }
}

static void read_parts(const struct remapping *r, struct remapped *m) {
    const struct syntax *syntax = r->s->syntax;
    const struct slice_loop *l = m->loop;
    size_t head[4];
    syntax_words(syntax, syntax_begin(l->condition), syntax_end(l->condition), &m->condition);
    put_body(r->s, l, &m->body);
    if (!l->is_for) return;
    find_head(r->s, l, head);
    syntax_words(syntax, head[0], head[1], &m->start);
    syntax_words(syntax, head[2], head[3], &m->step);
    text_add(&m->step, ";");
}

/* Appends the name of the array with a variable of all work-items. */
static void array_name(const struct remapping *r, size_t variable, struct text *t) {
    text_printf(t, "lockstep_kept%u_%s", r->loops, r->s->variables[variable].name);
}

/* Appends "x = kept_x[i]; ", or the reverse; `declare`: with its type. */
static void put_moves(const struct remapping *r, const bool *which, const char *index, bool to_array,
                      bool declare, struct text *t) {
    for (size_t i = 0; i < r->s->variable_count; i++) {
        const struct slice_variable *v = &r->s->variables[i];
        struct text array = {0};
        if (!which[i]) continue;
        array_name(r, i, &array);
        if (to_array) {
            text_printf(t, "%s[%s] = %s; ", array.data, index, v->name);
        } else {
            if (declare)
                partner_put_typed(v, "", v->name, t);
            else
                text_add(t, v->name);
            text_printf(t, " = %s[%s]; ", array.data, index);
        }
        text_free(&array);
    }
}

static void declare_arrays(struct remapping *r, const struct remapped *m) {
    text_printf(&r->declared,
                " LOCKSTEP_SHARED __local int lockstep_actives%u[%s]; LOCKSTEP_SHARED __local int "
                "lockstep_count%u;",
                r->loops, r->room.data, r->loops);
    for (size_t i = 0; i < r->s->variable_count; i++) {
        struct text name = {0};
        if (!m->kept[i]) continue;
        array_name(r, i, &name);
        text_add(&r->declared, " ");
        partner_put_typed(&r->s->variables[i], "__local ", name.data, &r->declared);
        text_printf(&r->declared, "[%s];", r->size.data);
        text_free(&name);
    }
}

static void put_loop(struct remapping *r, const struct remapped *m, struct text *t) {
    const unsigned n = r->loops;
    const char *step = m->step.size ? m->step.data : "";
    text_printf(t, "{ const int lockstep_me = %s; %s ", me, text_string(&m->start));
    text_printf(t, "int lockstep_next = %s%s%s; lockstep_actives%u[lockstep_me] = lockstep_next; ",
                m->loop->is_do ? "" : "(", m->loop->is_do ? "lockstep_me" : m->condition.data,
                m->loop->is_do ? "" : ") ? lockstep_me : -1", n);
    put_moves(r, m->kept, "lockstep_me", true, false, t); /* the condition may have changed them */
    text_printf(t, "if (lockstep_me == 0) lockstep_count%u = %s; lockstep_sync(1);\n", n, r->size.data);
    text_printf(t, "while (lockstep_count%u > %u) { int lockstep_goes_on = 0; if (lockstep_next >= 0) { ", n,
                r->warp_size);
    put_moves(r, m->kept, "lockstep_next", false, true, t);
    text_printf(t, "do %s while (0); %s lockstep_goes_on = (%s) != 0; ", m->body.data, step,
                m->condition.data);
    put_moves(r, m->changed, "lockstep_next", true, false, t);
    text_printf(
        t,
        "} lockstep_actives%u[lockstep_me] = lockstep_goes_on ? lockstep_next : -1; lockstep_sync(1); "
        "lockstep_sync(1); lockstep_next = lockstep_actives%u[lockstep_me]; }\n",
        n, n);
    text_add(t, "if (lockstep_next >= 0) { ");
    put_moves(r, m->kept, "lockstep_next", false, true, t);
    text_printf(
        t,
        "int lockstep_goes_on = 1; while (lockstep_goes_on) { do %s while (0); %s lockstep_goes_on = (%s) != "
        "0; __asm__ volatile(\"\" : \"+r\"(lockstep_goes_on)); } ",
        m->body.data, step, m->condition.data);
    put_moves(r, m->changed, "lockstep_next", true, false, t);
    text_add(t, "} lockstep_sync(0); ");
    bool *back = partner_flags(r->s->variable_count);
    for (size_t i = 0; i < r->s->variable_count; i++)
        back[i] = m->changed[i] && !partner_within(r->s->variables[i].declaration, m->loop->statement);
    put_moves(r, back, "lockstep_me", false, false, t);
    free(back);
    text_add(t, "}");
}

/* Writes the scalar thread of Fig. 12b: no other work-item is behind the continuing ones. It reads eight at a
 * time, without branches, so that it waits for its loads only once. */
static void put_partner(const struct remapping *r, struct text *t) {
    const unsigned n = r->loops;
    text_printf(t,
                "    for (int i = %s; i < %s; i++) lockstep_actives%u[i] = -1;\n"
                "    lockstep_sync(1);\n"
                "    while (lockstep_count%u > %u) {\n"
                "        lockstep_sync(1);\n"
                "        const int last = lockstep_count%u;\n"
                "        int count = 0;\n"
                "        for (int i = 0; i < last; i += 8) {\n"
                "            int active[8];\n"
                "            for (int j = 0; j < 8; j++) active[j] = lockstep_actives%u[i + j];\n"
                "            for (int j = 0; j < 8; j++) {\n"
                "                lockstep_actives%u[i + j] = -1;\n"
                "                lockstep_actives%u[count] = active[j];\n"
                "                count += active[j] >= 0;\n"
                "            }\n"
                "        }\n"
                "        lockstep_count%u = count;\n"
                "        lockstep_sync(1);\n"
                "    }\n",
                r->size.data, r->room.data, n, n, r->warp_size, n, n, n, n, n);
}

static void make_loop(struct remapping *r, const struct slice_loop *loop, struct text *partner,
                      struct text *arrays) {
    struct remapped m = {.loop = loop,
                         .kept = partner_flags(r->s->variable_count),
                         .changed = partner_flags(r->s->variable_count)};
    struct text text = {0};
    if (qualifies(r, &m)) {
        const size_t begin = syntax_begin(loop->statement),
                     end = syntax_statement_end(r->s->syntax, loop->statement);
        read_parts(r, &m);
        declare_arrays(r, &m);
        text_printf(
            arrays,
            "    LOCKSTEP_SHARED __local int lockstep_actives%u[%s];\n    LOCKSTEP_SHARED __local int "
            "lockstep_count%u;\n",
            r->loops, r->room.data, r->loops);
        put_loop(r, &m, &text);
        put_partner(r, partner);
        edits_replace(r->edits, begin, end - begin, "%s", text.data);
        r->loops++;
    }
    text_free(&text);
    text_free(&m.start);
    text_free(&m.condition);
    text_free(&m.step);
    text_free(&m.body);
    free(m.kept);
    free(m.changed);
}

static bool stands_alone(const struct kernel_slice *s, CXCursor loop) {
    struct children c = syntax_children(s->body);
    bool found = false;
    for (size_t i = 0; i < c.count; i++) found |= clang_equalCursors(c.list[i], loop);
    children_free(&c);
    return found;
}

static bool returns_before(CXCursor cursor, size_t end) {
    struct children c = syntax_children(cursor);
    bool found = clang_getCursorKind(cursor) == CXCursor_ReturnStmt && syntax_begin(cursor) < end;
    for (size_t i = 0; i < c.count && !found; i++) found = returns_before(c.list[i], end);
    children_free(&c);
    return found;
}

static bool is_marked(const struct kernel_slice *s, const struct slice_loop *l) {
    return syntax_has_pragma(s->syntax, l->statement, "#pragma lockstep remap");
}

static void look_at(struct remapping *r, const struct slice_loop *l, struct text *partner,
                    struct text *arrays) {
    const bool marked = is_marked(r->s, l);
    if (!marked && (r->marked || !varies(r->s, l))) return;
    if (!l->has_condition)
        refuse_it(r, l->statement, "not remapped: it has no condition");
    else if (!stands_alone(r->s, l->statement))
        refuse_it(r, l->statement, "not remapped: it stands in another statement, to which not all may come");
    else if (returns_before(r->s->body, syntax_end(l->statement)))
        refuse_it(r, l->statement, "not remapped: work-items may return before it, and all must come to it");
    else
        make_loop(r, l, partner, arrays);
}

bool remap_make(const struct kernel_slice *s, unsigned warp_size, const char *name, struct edits *edits,
                struct text *text, partner_note *note, void *context) {
    struct remapping r = {.s = s, .edits = edits, .warp_size = warp_size, .note = note, .context = context};
    struct text partner = {0}, arrays = {0};
    read_size(&r);
    for (size_t i = 0; i < s->loop_count; i++) r.marked |= is_marked(s, &s->loops[i]);
    for (size_t i = 0; i < s->loop_count; i++) look_at(&r, &s->loops[i], &partner, &arrays);
    if (r.loops) {
        CXString kernel = clang_getCursorSpelling(s->kernel);
        edits_insert(edits, syntax_body_begin(s->syntax, s->body), "%s", r.declared.data);
        text_printf(text, "LOCKSTEP_SCALAR_OF(%s)\n__kernel void %s(", clang_getCString(kernel), name);
        partner_put_parameters(s, text);
        text_printf(text, ") {\n%s%s}\n", arrays.data, partner.data);
        clang_disposeString(kernel);
    }
    text_free(&r.size);
    text_free(&r.room);
    text_free(&r.declared);
    text_free(&partner);
    text_free(&arrays);
    return r.loops > 0;
}

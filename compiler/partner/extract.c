#include "compiler/partner/extract.h"
#include "compiler/partner/kernel_slice_parts.h"
#include "compiler/partner/partner_parts.h"

#include "compiler/driver/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A statement that moves to the scalar thread. */
struct taken {
    CXCursor statement, condition, body;
    char *known[SLICE_DIMENSIONS]; /* local ids of the work-item that the condition names; NULL: not named */
    bool *in, *out;                /* for each variable: needed; changed */
    bool ends;                     /* no memory is read after it: no thread waits for it */
    bool starts; /* independent of earlier statements: the scalar thread executes it at its start */
};

struct extraction {
    const struct kernel_slice *s;
    const struct extract_options *options;
    struct edits *edits;
    struct text *t;
    unsigned indent;
    partner_note *note;
    void *context;
    bool *shared; /* for each variable: __local, and used on both sides */
    bool *slots;  /* for each variable: has a slot */
    unsigned taken;
};

static void put_line(struct extraction *e, const char *text) {
    text_printf(e->t, "%*s%s\n", (int)(4 * e->indent), "", text);
}

/* --- conditions: get_local_id(0) == K, and others of other dimensions --- */

static int local_id_of(const struct kernel_slice *s, CXCursor e) {
    const struct slice_variable *v = slice_variable_of(s, e);
    CXCursor call = syntax_strip(v && v->kind == SLICE_ONCE && v->has_initialiser ? v->initialiser : e);
    CXString name = clang_getCursorSpelling(call);
    const bool is =
        clang_getCursorKind(call) == CXCursor_CallExpr && !strcmp(clang_getCString(name), "get_local_id");
    clang_disposeString(name);
    return is ? slice_id_dimension(call) : -1;
}

static bool constant_text(const struct kernel_slice *s, CXCursor e, struct text *t) {
    CXEvalResult r = clang_Cursor_Evaluate(e);
    const bool good =
        r && clang_EvalResult_getKind(r) == CXEval_Int && clang_EvalResult_getAsLongLong(r) >= 0;
    (void)s;
    if (good) text_printf(t, "%lld", clang_EvalResult_getAsLongLong(r));
    if (r) clang_EvalResult_dispose(r);
    return good;
}

static bool names_item(const struct kernel_slice *s, CXCursor condition, char **known) {
    CXCursor e = syntax_strip(condition);
    bool good = false;
    char op[8];
    if (clang_getCursorKind(e) != CXCursor_BinaryOperator) return false;
    struct children c = syntax_children(e);
    syntax_binary_operator(s->syntax, c.list[0], c.list[1], op);
    if (!strcmp(op, "&&")) good = names_item(s, c.list[0], known) && names_item(s, c.list[1], known);
    for (unsigned side = 0; side < 2 && !strcmp(op, "=="); side++) {
        const int d = local_id_of(s, c.list[side]);
        struct text k = {0};
        if (d < 0 || known[d] || !constant_text(s, c.list[!side], &k)) continue;
        known[d] = k.data;
        good = true;
        break;
    }
    children_free(&c);
    return good;
}

/* --- variables --- */

/* Marks variables that the scalar thread's own values need. */
static void need_own(const struct kernel_slice *s, const struct slice_variable *v, bool *own) {
    bool *seen;
    if (own[v - s->variables]) return;
    own[v - s->variables] = true;
    if (v->parameter || !v->has_initialiser) return;
    seen = partner_flags(s->variable_count);
    partner_mark(s, v->initialiser, seen);
    for (size_t i = 0; i < s->variable_count; i++)
        if (seen[i]) need_own(s, &s->variables[i], own);
    free(seen);
}

/* --- text --- */

static bool put_id(CXCursor call, char *const *known, struct text *t) {
    const int d = slice_id_dimension(call);
    CXString name = clang_getCursorSpelling(call);
    const bool local = !strcmp(clang_getCString(name), "get_local_id"),
               global = !strcmp(clang_getCString(name), "get_global_id");
    const bool done = d >= 0 && known && known[d] && (local || global) && strcmp(known[d], "0") != 0;
    clang_disposeString(name);
    if (!done) return false;
    if (local)
        text_add(t, known[d]);
    else
        text_printf(t, "(get_global_id(%d) + %s)", d, known[d]);
    return true;
}

/* Appends the source of an expression. Calls that return ids are replaced by the known ids of the work-item.
 */
static void put(const struct kernel_slice *s, CXCursor cursor, size_t end, char *const *known,
                struct text *t) {
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr && put_id(cursor, known, t)) return;
    struct children c = syntax_children(cursor);
    size_t at = syntax_begin(cursor);
    for (size_t i = 0; i < c.count; i++) {
        const size_t begin = syntax_begin(c.list[i]);
        if (begin < at || syntax_end(c.list[i]) > end) continue; /* implied by a macro or conversion */
        syntax_words(s->syntax, at, begin, t);
        put(s, c.list[i], syntax_end(c.list[i]), known, t);
        at = syntax_end(c.list[i]);
    }
    syntax_words(s->syntax, at, end, t);
    children_free(&c);
}

static void put_statement(struct extraction *e, CXCursor statement, char *const *known) {
    struct text line = {0};
    put(e->s, statement, syntax_statement_end(e->s->syntax, statement), known, &line);
    put_line(e, line.data);
    text_free(&line);
}

static void slot_name(const struct extraction *e, const struct slice_variable *v, struct text *t) {
    unsigned same = 1;
    for (const struct slice_variable *w = e->s->variables; w < v; w++) same += !strcmp(w->name, v->name);
    text_printf(t, "lockstep_%s", v->name);
    if (same > 1) text_printf(t, "_%u", same);
}

/* Appends declarations of the scalar thread's own values, in source order. */
static void put_own(struct extraction *e, const bool *named, char *const *known) {
    bool *own = partner_flags(e->s->variable_count);
    for (size_t i = 0; i < e->s->variable_count; i++)
        if (named[i] && partner_has_own(e->s, &e->s->variables[i])) need_own(e->s, &e->s->variables[i], own);
    for (size_t i = 0; i < e->s->variable_count; i++) {
        const struct slice_variable *v = &e->s->variables[i];
        struct text line = {0};
        if (!own[i] || v->parameter) continue;
        partner_put_typed(v, "const ", v->name, &line);
        text_add(&line, " = ");
        put(e->s, v->initialiser, syntax_end(v->initialiser), known, &line);
        text_add(&line, ";");
        put_line(e, line.data);
        text_free(&line);
    }
    free(own);
}

/* Appends "slot = x;", or the reverse, for the marked variables. */
static void put_moves(const struct extraction *e, const bool *which, bool to_slot, struct text *t) {
    for (size_t i = 0; i < e->s->variable_count; i++) {
        const struct slice_variable *v = &e->s->variables[i];
        struct text slot = {0};
        if (!which[i]) continue;
        slot_name(e, v, &slot);
        text_printf(t, "%s%s = %s;", t->size ? " " : "", to_slot ? slot.data : v->name,
                    to_slot ? v->name : slot.data);
        text_free(&slot);
    }
}

/* --- whether a statement qualifies --- */

static bool refuse_it(struct extraction *e, CXCursor at, const char *why) {
    e->note(e->context, at, why);
    return false;
}

/* Returns whether the variable is a counter of a surrounding loop, which the scalar thread executes, too. */
static bool counts_around(const struct extraction *e, const struct slice_variable *v, size_t loop) {
    return v->kind == SLICE_COUNTER && loop != SLICE_NONE && slice_loop_within(e->s, loop, v->counts);
}

static bool sort_variable(struct extraction *e, struct taken *k, size_t number, size_t loop) {
    const struct slice_variable *v = &e->s->variables[number];
    char why[256];
    if (partner_within(v->declaration, k->body)) return true;
    if (partner_is_local(v)) {
        e->shared[number] |= !v->parameter;
        return true;
    }
    if (partner_has_own(e->s, v) || counts_around(e, v, loop)) return true;
    if (partner_is_whole(v) || v->has_address) {
        snprintf(why, sizeof why, "%s is an array, a structure or pointed to, which stays with its work-item",
                 v->name);
        return refuse_it(e, k->statement, why);
    }
    k->in[number] = true;
    k->out[number] = partner_changed_within(v, k->body);
    e->slots[number] = true;
    return true;
}

/* Returns whether code after an offset reads memory: it has a subscript or dereferences a pointer. */
static bool reads_behind(CXCursor cursor, size_t from) {
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (syntax_end(cursor) <= from) return false;
    if (syntax_begin(cursor) >= from &&
        (kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_UnaryOperator || kind == CXCursor_CallExpr ||
         kind == CXCursor_MemberRefExpr))
        return true;
    struct children c = syntax_children(cursor);
    bool reads = false;
    for (size_t i = 0; i < c.count && !reads; i++) reads = reads_behind(c.list[i], from);
    children_free(&c);
    return reads;
}

/* Returns whether code before an offset may access memory or wait: it has a subscript, dereferences a
 * pointer, or calls a function that is not an id. */
static bool touches_before(CXCursor cursor, size_t to) {
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (syntax_begin(cursor) >= to) return false;
    if (kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_UnaryOperator ||
        kind == CXCursor_MemberRefExpr || (kind == CXCursor_CallExpr && slice_id_dimension(cursor) < 0))
        return true;
    struct children c = syntax_children(cursor);
    bool touches = false;
    for (size_t i = 0; i < c.count && !touches; i++) touches = touches_before(c.list[i], to);
    children_free(&c);
    return touches;
}

/* Returns whether a kernel uses ids of a dimension. */
static bool asks_for(CXCursor cursor, int dimension) {
    struct children c = syntax_children(cursor);
    CXString name = clang_getCursorSpelling(cursor);
    bool asks = clang_getCursorKind(cursor) == CXCursor_CallExpr &&
                strncmp(clang_getCString(name), "get_group_id", 12) != 0 &&
                slice_id_dimension(cursor) == dimension;
    clang_disposeString(name);
    for (size_t i = 0; i < c.count && !asks; i++) asks = asks_for(c.list[i], dimension);
    children_free(&c);
    return asks;
}

static bool qualifies(struct extraction *e, struct taken *k, size_t loop) {
    const unsigned does = partner_what_it_does(e->s, k->body, false);
    bool *named = partner_flags(e->s->variable_count), good = true, zero = true;
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++)
        zero = zero && (!k->known[d] || !strcmp(k->known[d], "0"));
    if (does & PARTNER_WAITS) good = refuse_it(e, k->statement, "there are barriers in it");
    if (good && (does & PARTNER_LEAVES)) good = refuse_it(e, k->statement, "it jumps out of the statement");
    if (good && (does & PARTNER_CALLS) && !zero)
        good = refuse_it(e, k->statement, "it calls functions that ask for ids");
    for (int d = 0; d < SLICE_DIMENSIONS && good; d++)
        if (!k->known[d] && asks_for(e->s->body, d))
            good =
                refuse_it(e, k->statement,
                          "work-items of another dimension do it, too: its condition must name one of each");
    partner_mark(e->s, k->body, named);
    for (size_t i = 0; i < e->s->variable_count && good; i++)
        if (named[i]) good = sort_variable(e, k, i, loop);
    k->ends = loop == SLICE_NONE && !reads_behind(e->s->body, syntax_end(k->statement));
    k->starts = loop == SLICE_NONE && !e->taken && !touches_before(e->s->body, syntax_begin(k->statement));
    for (size_t i = 0; i < e->s->variable_count; i++) {
        k->ends = k->ends && !k->out[i];
        k->starts = k->starts && !k->in[i];
    }
    free(named);
    return good;
}

/* --- what one work-item does --- */

static void edit_statement(struct extraction *e, const struct taken *k) {
    struct text condition = {0}, in = {0}, out = {0}, all = {0};
    const size_t begin = syntax_begin(k->statement), end = syntax_statement_end(e->s->syntax, k->statement);
    syntax_words(e->s->syntax, syntax_begin(k->condition), syntax_end(k->condition), &condition);
    put_moves(e, k->in, true, &in);
    put_moves(e, k->out, false, &out);
    text_add(&all, "{ ");
    if (in.size) text_printf(&all, "if (%s) { %s } ", condition.data, in.data);
    if (!k->starts) text_add(&all, "lockstep_sync(1); ");
    if (!k->ends) text_add(&all, "lockstep_sync(1); ");
    if (out.size) text_printf(&all, "if (%s) { %s } ", condition.data, out.data);
    text_add(&all, "}");
    edits_replace(e->edits, begin, end - begin, "%s", all.data);
    text_free(&condition);
    text_free(&in);
    text_free(&out);
    text_free(&all);
}

/* Appends "if (2 < get_local_size(0)) {": tests whether the work-item exists. */
static void put_opening(struct extraction *e, char *const *known) {
    struct text line = {0};
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++)
        if (known[d] && strcmp(known[d], "0") != 0)
            text_printf(&line, "%s%s < get_local_size(%u)", line.size ? " && " : "if (", known[d], d);
    text_add(&line, line.size ? ") {" : "{");
    put_line(e, line.data);
    text_free(&line);
}

static void put_taken(struct extraction *e, const struct taken *k) {
    bool *named = partner_flags(e->s->variable_count);
    struct text out = {0};
    if (!k->starts) put_line(e, "lockstep_sync(1);");
    put_opening(e, k->known);
    e->indent++;
    partner_mark(e->s, k->body, named);
    put_own(e, named, k->known);
    for (size_t i = 0; i < e->s->variable_count; i++) {
        struct text line = {0};
        if (!k->in[i]) continue;
        partner_put_typed(&e->s->variables[i], "", e->s->variables[i].name, &line);
        text_add(&line, " = ");
        slot_name(e, &e->s->variables[i], &line);
        text_add(&line, ";");
        put_line(e, line.data);
        text_free(&line);
    }
    put_statement(e, k->body, k->known);
    put_moves(e, k->out, true, &out);
    if (out.size) put_line(e, out.data);
    e->indent--;
    put_line(e, "}");
    if (!k->ends) put_line(e, "lockstep_sync(1);");
    text_free(&out);
    free(named);
}

static void take_if(struct extraction *e, CXCursor statement, size_t loop) {
    struct children c = syntax_children(statement);
    struct taken k = {.statement = statement,
                      .condition = c.list[0],
                      .body = c.list[1],
                      .in = partner_flags(e->s->variable_count),
                      .out = partner_flags(e->s->variable_count)};
    if (c.count == 2 && names_item(e->s, k.condition, k.known) && qualifies(e, &k, loop)) {
        edit_statement(e, &k);
        put_taken(e, &k);
        e->taken++;
    }
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++) free(k.known[d]);
    free(k.in);
    free(k.out);
    children_free(&c);
}

/* --- rows of declarations that are the same for a whole group --- */

static unsigned operations(CXCursor cursor) {
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    unsigned count = kind == CXCursor_BinaryOperator || kind == CXCursor_UnaryOperator ||
                     kind == CXCursor_ConditionalOperator || kind == CXCursor_CallExpr;
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count; i++) count += operations(c.list[i]);
    children_free(&c);
    return count;
}

/* Returns the variable of a declaration if it is uniform; else NULL. */
static const struct slice_variable *uniform_declaration(const struct kernel_slice *s, CXCursor statement) {
    const struct slice_variable *found = NULL;
    struct children c = syntax_children(statement);
    if (clang_getCursorKind(statement) == CXCursor_DeclStmt && c.count == 1)
        for (size_t i = 0; i < s->variable_count; i++)
            if (clang_equalCursors(s->variables[i].declaration, c.list[0])) found = &s->variables[i];
    children_free(&c);
    if (!found || found->kind != SLICE_ONCE || !found->has_initialiser || partner_is_local(found) ||
        partner_is_whole(found))
        return NULL;
    if (!slice_computable(s, found->initialiser, SLICE_NONE, NULL)) return NULL;
    const struct slice_strides g = slice_strides_of(s, found->initialiser);
    return slice_is_uniform(&g) ? found : NULL;
}

static void take_row(struct extraction *e, const CXCursor *list, size_t count) {
    bool *out = partner_flags(e->s->variable_count), *named = partner_flags(e->s->variable_count);
    struct text moves = {0};
    put_line(e, "{");
    e->indent++;
    for (size_t i = 0; i < count; i++) {
        const struct slice_variable *v = uniform_declaration(e->s, list[i]);
        struct text declared = {0}, slot = {0};
        out[v - e->s->variables] = named[v - e->s->variables] = e->slots[v - e->s->variables] = true;
        partner_put_typed(v, "", v->name, &declared);
        slot_name(e, v, &slot);
        edits_replace(e->edits, syntax_begin(list[i]),
                      syntax_statement_end(e->s->syntax, list[i]) - syntax_begin(list[i]), "%s%s = %s;",
                      i ? "" : "lockstep_sync(1); ", declared.data, slot.data);
        text_free(&declared);
        text_free(&slot);
    }
    put_own(e, named, NULL);
    put_moves(e, out, true, &moves);
    put_line(e, moves.data);
    e->indent--;
    put_line(e, "}");
    put_line(e, "lockstep_sync(1);");
    e->taken++;
    text_free(&moves);
    free(out);
    free(named);
}

/* Returns the length of the run of declarations at a position, if it is long enough; else 0. */
static size_t row_at(const struct extraction *e, const struct children *c, size_t at) {
    unsigned cost = 0;
    size_t count = 0;
    while (at + count < c->count && uniform_declaration(e->s, c->list[at + count]))
        cost += operations(c->list[at + count++]);
    return cost >= e->options->least ? count : 0;
}

/* --- statements --- */

static void walk(struct extraction *e, CXCursor statement, size_t loop);

static size_t loop_of(const struct kernel_slice *s, CXCursor statement) {
    size_t n = 0;
    while (n < s->loop_count && !clang_equalCursors(s->loops[n].statement, statement)) n++;
    return n < s->loop_count ? n : SLICE_NONE;
}

/* Returns whether all work-items of a group execute the same iterations, which the scalar thread can execute,
 * too. */
static bool is_group_loop(const struct kernel_slice *s, size_t loop) {
    const struct slice_loop *l = &s->loops[loop];
    if (!l->is_for || !l->has_condition || l->leaves || !slice_computable(s, l->condition, loop, NULL))
        return false;
    const struct slice_strides g = slice_strides_of(s, l->condition);
    bool good = slice_is_uniform(&g), *named = partner_flags(s->variable_count);
    partner_mark(s, l->condition, named);
    for (size_t i = 0; i < s->variable_count; i++) {
        const struct slice_variable *v = &s->variables[i];
        if (named[i] && v->kind == SLICE_COUNTER)
            good = good && v->counts == loop && partner_within(v->declaration, l->statement) &&
                   syntax_begin(v->step->statement) < syntax_begin(l->body);
    }
    free(named);
    return good;
}

static void walk_loop(struct extraction *e, CXCursor statement) {
    const size_t loop = loop_of(e->s, statement);
    const struct slice_loop *l = &e->s->loops[loop];
    const unsigned taken = e->taken;
    if (!is_group_loop(e->s, loop)) return;
    struct text head = {0}, body = {0}, *outer = e->t;
    bool *named = partner_flags(e->s->variable_count);
    e->t = &body;
    e->indent += 2;
    walk(e, l->body, loop);
    e->indent -= 2;
    e->t = outer;
    if (e->taken > taken) {
        syntax_words(e->s->syntax, syntax_begin(statement), syntax_begin(l->body), &head);
        text_add(&head, "{");
        struct children c = syntax_children(statement);
        for (size_t i = 0; i + 1 < c.count; i++) partner_mark(e->s, c.list[i], named);
        children_free(&c);
        put_line(e, "{");
        e->indent++;
        put_own(e, named, NULL);
        put_line(e, head.data);
        text_append(e->t, body.data, body.size);
        put_line(e, "}");
        e->indent--;
        put_line(e, "}");
    }
    free(named);
    text_free(&head);
    text_free(&body);
}

static void walk(struct extraction *e, CXCursor statement, size_t loop) {
    struct children c = syntax_children(statement);
    switch (clang_getCursorKind(statement)) {
    case CXCursor_CompoundStmt:
        for (size_t i = 0; i < c.count; i++) {
            const size_t row = loop == SLICE_NONE ? row_at(e, &c, i) : 0;
            if (row) take_row(e, c.list + i, row);
            if (row)
                i += row - 1;
            else
                walk(e, c.list[i], loop);
        }
        break;
    case CXCursor_IfStmt: take_if(e, statement, loop); break;
    case CXCursor_ForStmt: walk_loop(e, statement); break;
    default: break;
    }
    children_free(&c);
}

/* --- notes of what is left --- */

static void note_left(struct extraction *e, CXCursor cursor) {
    struct children c = syntax_children(cursor);
    char *known[SLICE_DIMENSIONS] = {0};
    const struct edits *all = e->edits;
    bool taken = false;
    if (clang_getCursorKind(cursor) == CXCursor_IfStmt) {
        for (size_t i = 0; i < all->count; i++)
            taken |= all->list[i].offset == syntax_begin(cursor) && all->list[i].removed;
        if (!taken && names_item(e->s, c.list[0], known))
            e->note(e->context, cursor,
                    c.count > 2
                        ? "it has an else: it stays with its work-item"
                        : "it stays with its work-item: it stands under a condition or in a loop that is "
                          "not the same for all work-items, or for a reason above");
    }
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++) free(known[d]);
    for (size_t i = 0; i < c.count; i++) note_left(e, c.list[i]);
    children_free(&c);
}

/* --- the kernel --- */

/* Declares __local variables, some of which both sides use, on both sides. */
static void share_declarations(struct extraction *e, CXCursor cursor, struct text *declared) {
    struct children c = syntax_children(cursor);
    struct text line = {0};
    bool shared = false;
    for (size_t i = 0; i < e->s->variable_count && clang_getCursorKind(cursor) == CXCursor_DeclStmt; i++)
        shared |= e->shared[i] && partner_within(e->s->variables[i].declaration, cursor);
    if (shared) {
        text_add(&line, "LOCKSTEP_SHARED ");
        syntax_words(e->s->syntax, syntax_begin(cursor), syntax_statement_end(e->s->syntax, cursor), &line);
        text_printf(declared, "    %s\n", line.data);
        edits_insert(e->edits, syntax_begin(cursor), "LOCKSTEP_SHARED ");
    }
    for (size_t i = 0; i < c.count; i++) share_declarations(e, c.list[i], declared);
    children_free(&c);
    text_free(&line);
}

/* Declares slots at the beginning of both kernels. */
static void share_variables(struct extraction *e, struct text *declared) {
    const size_t body = syntax_body_begin(e->s->syntax, e->s->body);
    share_declarations(e, e->s->body, declared);
    for (size_t i = 0; i < e->s->variable_count; i++) {
        struct text line = {0}, name = {0};
        if (!e->slots[i]) continue;
        slot_name(e, &e->s->variables[i], &name);
        text_add(&line, "LOCKSTEP_SHARED ");
        partner_put_typed(&e->s->variables[i], "__local ", name.data, &line);
        text_printf(declared, "    %s;\n", line.data);
        edits_insert(e->edits, body, " %s;", line.data);
        text_free(&line);
        text_free(&name);
    }
}

bool extract_make(const struct kernel_slice *s, const struct extract_options *options, const char *name,
                  struct edits *edits, struct text *text, partner_note *note, void *context) {
    struct text body = {0};
    struct extraction e = {.s = s,
                           .options = options,
                           .edits = edits,
                           .t = &body,
                           .indent = 1,
                           .note = note,
                           .context = context,
                           .shared = partner_flags(s->variable_count),
                           .slots = partner_flags(s->variable_count)};
    const bool returns = (partner_what_it_does(s, s->body, true) & PARTNER_LEAVES) != 0;
    if (returns)
        note(context, s->kernel,
             "nothing is taken from it: work-items may return or jump before the others are done");
    else
        walk(&e, s->body, SLICE_NONE);
    note_left(&e, s->body);
    if (e.taken) {
        text_printf(text, "LOCKSTEP_SCALAR_OF(");
        CXString kernel = clang_getCursorSpelling(s->kernel);
        text_printf(text, "%s)\n__kernel void %s(", clang_getCString(kernel), name);
        clang_disposeString(kernel);
        partner_put_parameters(s, text);
        text_add(text, ") {\n");
        share_variables(&e, text);
        text_printf(text, "%s}\n", body.data);
    }
    free(e.shared);
    free(e.slots);
    text_free(&body);
    return e.taken > 0;
}

#include "compiler/source/priority.h"

#include "compiler/source/priority_plan.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LOWER 15 /* levels that one operation can lower by */

struct insertion {
    const struct syntax *syntax;
    struct edits *edits;
    struct priority_plan plan;
    bool outermost;
    bool nothing; /* the function returns void */
};

/* Appends the operations that move a thread from one level to another. */
static void level_text(const struct insertion *n, unsigned from, unsigned to, struct text *t) {
    if (n->outermost && to == 0 && from > 0) {
        text_add(t, "__lockstep_set_outermost(); ");
        return;
    }
    for (; from < to; from++) text_add(t, "__lockstep_raise(); ");
    while (from > to) {
        unsigned step = from - to < MAX_LOWER ? from - to : MAX_LOWER;
        text_printf(t, "__lockstep_lower(%u); ", step);
        from -= step;
    }
}

static void walk(struct insertion *n, size_t statement);

static void walk_children(struct insertion *n, size_t statement) {
    const struct statement *s = &n->plan.statements.list[statement];
    for (size_t i = 0; i < s->child_count; i++) walk(n, s->children[i]);
}

/* --- jumps --- */

static void replace_label(struct insertion *n, CXCursor jump, unsigned label) {
    struct children name = syntax_children(jump);
    size_t begin = syntax_begin(name.list[0]);
    edits_replace(n->edits, begin, syntax_end(name.list[0]) - begin, "__lockstep_%u", label);
    children_free(&name);
}

/* Replaces a jump by `{operations JUMP;}`. */
static void walk_jump(struct insertion *n, size_t statement, const char *keyword) {
    const struct priority_target to = priority_plan_target(&n->plan, statement);
    CXCursor jump = n->plan.statements.list[statement].cursor;
    bool is_goto = clang_getCursorKind(jump) == CXCursor_GotoStmt;
    size_t begin = syntax_begin(jump);
    struct text t = {0};
    level_text(n, n->plan.places[statement].level, to.level, &t);
    if (t.size) edits_insert(n->edits, begin, "{%s", t.data);
    if (to.label && is_goto) replace_label(n, jump, to.label);
    if (to.label && !is_goto) edits_replace(n->edits, begin, strlen(keyword), "goto __lockstep_%u", to.label);
    if (t.size) edits_insert(n->edits, syntax_statement_end(n->syntax, jump), "}");
    text_free(&t);
}

/* Computes the value at the level of the return, then lowers the level. */
static void walk_return(struct insertion *n, size_t statement) {
    static const char keyword[] = "return";
    const struct priority_target to = priority_plan_target(&n->plan, statement);
    CXCursor jump = n->plan.statements.list[statement].cursor;
    struct children value = syntax_children(jump);
    bool has_value = value.count > 0;
    struct text t = {0};
    children_free(&value);
    if (!has_value) {
        walk_jump(n, statement, keyword);
        return;
    }
    walk_children(n, statement);
    level_text(n, n->plan.places[statement].level, to.level, &t);
    if (!to.label && !t.size) return;
    if (to.label)
        text_printf(&t, "goto __lockstep_%u", to.label);
    else
        text_add(&t, keyword);
    edits_replace(n->edits, syntax_begin(jump), strlen(keyword), n->nothing ? "{" : "{__lockstep_value =");
    edits_insert(n->edits, syntax_statement_end(n->syntax, jump), " %s;}", t.data);
    text_free(&t);
}

/* --- conditional statements --- */

static void gate_variables(const struct priority_place *list, struct text *t) {
    for (size_t i = 0; i < list->gate_count; i++)
        if (list->gates[i].number == 0) text_printf(t, "unsigned __lockstep_case_%u; ", list->gates[i].start);
}

static void walk_conditional(struct insertion *n, size_t statement) {
    const struct statement *s = &n->plan.statements.list[statement];
    const struct priority_place *p = &n->plan.places[statement];
    struct text raises = {0}, lower = {0}, opening = {0};
    if (s->body != NO_STATEMENT) gate_variables(&n->plan.places[s->body], &raises);
    level_text(n, p->level, p->dispatch, &raises);
    level_text(n, p->inside, p->level, &lower);
    if (raises.size) {
        text_printf(&opening, "{%s", raises.data);
        edits_open(n->edits, n->syntax->text, syntax_statement_begin(n->syntax, s->attributed, s->cursor),
                   opening.data);
    }
    walk_children(n, statement);
    if (raises.size)
        edits_insert(n->edits, syntax_statement_end(n->syntax, s->cursor), " %s}", text_string(&lower));
    text_free(&raises);
    text_free(&lower);
    text_free(&opening);
}

/* --- lists --- */

/* Text before an element: before its labels, and after them (only with case labels). */
struct boundary {
    struct text before, behind;
};

static void end_text(const struct insertion *n, size_t list, size_t at, struct text *t) {
    const struct priority_region *r = priority_plan_end(&n->plan, list, at);
    if (!r) return;
    unsigned level = priority_plan_before(&n->plan, list, at);
    if (r->label) text_printf(t, "__lockstep_%u: ", r->label);
    level_text(n, level, level - 1, t);
}

/* Writes the gates: the threads of all cases meet before the first; a thread with a later case skips the
 * cases before its own. */
static void gate_text(struct insertion *n, size_t list, const struct priority_gate *g, unsigned dispatch,
                      struct boundary *b) {
    const unsigned entry = priority_plan_entry(&n->plan, list, g->at), label = ++n->plan.labels;
    end_text(n, list, g->at, &b->before);
    if (g->number) text_printf(&b->before, "goto __lockstep_%u; ", label);
    level_text(n, dispatch, entry, &b->behind);
    text_printf(&b->behind, "__lockstep_case_%u = %u; ", g->start, g->number);
    if (g->number) {
        text_printf(&b->behind, "goto __lockstep_%u; __lockstep_%u: ; ", g->start, label);
    } else {
        text_printf(&b->behind, "__lockstep_%u: ", g->start);
        level_text(n, entry, entry - 1, &b->behind);
    }
    if (g->last) return;
    size_t next = g->at + 1;
    while (!priority_plan_gate(&n->plan, list, next)) next++;
    level_text(n, entry - 1, entry, &b->behind);
    text_printf(&b->behind, "if (__lockstep_case_%u > %u) goto __lockstep_%u; ", g->start, g->number,
                priority_plan_end(&n->plan, list, next)->label);
}

/* Lowers threads from the switch to the level of threads from the element before. */
static void case_text(struct insertion *n, size_t list, size_t at, unsigned dispatch, struct boundary *b) {
    const struct priority_region *end = priority_plan_end(&n->plan, list, at);
    unsigned before = priority_plan_before(&n->plan, list, at) - (end != NULL);
    unsigned behind = priority_plan_behind(&n->plan, list, at);
    unsigned entry = priority_plan_entry(&n->plan, list, at);
    if (!end) level_text(n, before, behind, &b->before);
    if (entry != dispatch) {
        text_printf(&b->before, "goto __lockstep_%u; ", ++n->plan.labels);
        level_text(n, dispatch, entry, &b->behind);
        text_printf(&b->behind, "__lockstep_%u: ", n->plan.labels);
    }
    end_text(n, list, at, &b->behind);
    if (end) level_text(n, before, behind, &b->behind);
}

static bool has_default(const struct statements *s, size_t choice) {
    for (size_t n = choice; n < s->count; n++)
        if (s->list[n].kind == CXCursor_DefaultStmt && statements_switch_of(s, n) == choice) return true;
    return false;
}

/* Adds a `default` to a switch without one if its threads diverge above the level at which they leave it. */
static void default_text(struct insertion *n, size_t list, struct text *t) {
    const struct statements *s = &n->plan.statements;
    size_t parent = s->list[list].parent;
    if (parent == NO_STATEMENT || s->list[parent].kind != CXCursor_SwitchStmt) return;
    const struct priority_place *p = &n->plan.places[parent];
    if (s->list[parent].body != list || p->dispatch == p->inside || has_default(s, parent)) return;
    unsigned label = ++n->plan.labels;
    text_printf(t, "goto __lockstep_%u; default: ", label);
    level_text(n, p->dispatch, p->inside, t);
    text_printf(t, "__lockstep_%u: ;", label);
}

static void boundary_text(struct insertion *n, size_t list, size_t at, struct boundary *b) {
    const struct statements *s = &n->plan.statements;
    const struct statement *l = &s->list[list];
    *b = (struct boundary){0};
    if (at < l->child_count && statements_has_case(s, list, at)) {
        const unsigned dispatch = n->plan.places[statements_switch_of(s, list)].dispatch;
        const struct priority_gate *gate = priority_plan_gate(&n->plan, list, at);
        if (gate)
            gate_text(n, list, gate, dispatch, b);
        else
            case_text(n, list, at, dispatch, b);
        return;
    }
    end_text(n, list, at, &b->before);
    level_text(n, priority_plan_before(&n->plan, list, at) - (priority_plan_end(&n->plan, list, at) != NULL),
               priority_plan_behind(&n->plan, list, at), &b->before);
    if (at == l->child_count) default_text(n, list, &b->before);
}

/* Returns the offset after the innermost label of an element. */
static size_t behind_labels(const struct insertion *n, size_t element) {
    const struct statement *s = &n->plan.statements.list[element], *label = s;
    for (; statement_is_label(s); s = &n->plan.statements.list[s->children[s->child_count - 1]]) label = s;
    return syntax_label_end(n->syntax, label->cursor);
}

static size_t boundary_offset(const struct insertion *n, const struct statement *list, size_t at) {
    if (at > 0)
        return syntax_statement_end(n->syntax, n->plan.statements.list[list->children[at - 1]].cursor);
    return list->bare ? syntax_statement_begin(n->syntax, list->attributed, list->cursor)
                      : syntax_body_begin(n->syntax, list->cursor);
}

static void insert(struct insertion *n, size_t offset, const struct text *t) {
    if (t->size) edits_insert(n->edits, offset, "%s", t->data);
}

static void walk_list(struct insertion *n, size_t list) {
    const struct statement *l = &n->plan.statements.list[list];
    struct boundary *b = allocate(NULL, (l->child_count + 1) * sizeof *b);
    bool braces = false;
    for (size_t i = 0; i <= l->child_count; i++) {
        boundary_text(n, list, i, &b[i]);
        braces |= l->bare && (b[i].before.size || b[i].behind.size);
    }
    if (braces) edits_insert(n->edits, boundary_offset(n, l, 0), "{");
    for (size_t i = 0; i <= l->child_count; i++) {
        if (b[i].before.size) edits_insert(n->edits, boundary_offset(n, l, i), " %s", b[i].before.data);
        if (i == l->child_count) break;
        if (b[i].behind.size) insert(n, behind_labels(n, l->children[i]), &b[i].behind);
        walk(n, l->children[i]);
    }
    if (braces) edits_insert(n->edits, boundary_offset(n, l, l->child_count), "}");
    for (size_t i = 0; i <= l->child_count; i++) {
        text_free(&b[i].before);
        text_free(&b[i].behind);
    }
    free(b);
}

static void walk(struct insertion *n, size_t statement) {
    const struct statement *s = &n->plan.statements.list[statement];
    switch (s->kind) {
    case CXCursor_CompoundStmt: walk_list(n, statement); break;
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt: walk_conditional(n, statement); break;
    case CXCursor_BreakStmt:
    case CXCursor_GotoStmt: walk_jump(n, statement, ""); break;
    case CXCursor_ContinueStmt: walk_jump(n, statement, "continue"); break;
    case CXCursor_ReturnStmt: walk_return(n, statement); break;
    default: walk_children(n, statement);
    }
}

/* Appends the type of the function's value, as the type of a call of itself, which is never made. */
static void value_text(CXCursor function, struct text *t) {
    CXString name = clang_getCursorSpelling(function);
    text_printf(t, " __typeof__(%s(", clang_getCString(name));
    clang_disposeString(name);
    for (int i = 0; i < clang_Cursor_getNumArguments(function); i++) {
        CXString argument = clang_getCursorSpelling(clang_Cursor_getArgument(function, (unsigned)i));
        text_printf(t, "%s%s", i ? ", " : "", clang_getCString(argument));
        clang_disposeString(argument);
    }
    text_add(t, ")) __lockstep_value;");
}

void priority_instrument(const struct syntax *s, CXCursor function, bool outermost, struct edits *edits) {
    struct insertion n = {.syntax = s,
                          .edits = edits,
                          .outermost = outermost,
                          .nothing = clang_getCursorResultType(function).kind == CXType_Void};
    priority_plan_make(&n.plan, s, function, outermost);
    const struct statement *body = &n.plan.statements.list[0];
    const struct priority_region *exit = priority_plan_end(&n.plan, 0, body->child_count);
    struct text value = {0};
    if (outermost) edits_insert(edits, boundary_offset(&n, body, 0), "__lockstep_set_outermost(); ");
    if (exit && !n.nothing) value_text(function, &value);
    insert(&n, boundary_offset(&n, body, 0), &value);
    walk_list(&n, 0);
    if (exit && !n.nothing)
        edits_insert(edits, boundary_offset(&n, body, body->child_count), "return __lockstep_value;");
    text_free(&value);
    priority_plan_free(&n.plan);
}

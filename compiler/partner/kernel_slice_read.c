/* Reads a kernel: variables and their changes, loops, loads (kernel_slice.h). */
#include "compiler/partner/kernel_slice.h"
#include "compiler/partner/kernel_slice_parts.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    struct kernel_slice *s;
    struct slice_guard *guards; /* guards of the current statement, inside its loop */
    size_t guard_count;
};

struct context {
    size_t loop;
    bool conditional;  /* not in each iteration of the loop */
    bool is_statement; /* the expression's value is not used */
    bool no_load;      /* lvalue that is not read */
    size_t starts;     /* loop in whose head, before the first iteration, this code is */
};

static void walk(struct reader *r, CXCursor cursor, struct context c);

static void walk_children(struct reader *r, CXCursor cursor, struct context c) {
    struct children list = syntax_children(cursor);
    for (size_t i = 0; i < list.count; i++) walk(r, list.list[i], c);
    children_free(&list);
}

static struct context used(struct context c) {
    c.is_statement = c.no_load = false;
    return c;
}

static struct context under_condition(struct context c) {
    c.conditional = true;
    return c;
}

/* --- variables --- */

static void add_variable(struct reader *r, CXCursor declaration, size_t loop, bool parameter) {
    struct kernel_slice *s = r->s;
    CXString name = clang_getCursorSpelling(declaration);
    CXCursor initialiser =
        parameter ? clang_getNullCursor() : clang_Cursor_getVarDeclInitializer(declaration);
    s->variables = grow(s->variables, s->variable_count, sizeof *s->variables);
    s->variables[s->variable_count++] =
        (struct slice_variable){.declaration = declaration,
                                .name = copy_string(clang_getCString(name)),
                                .parameter = parameter,
                                .initialiser = initialiser,
                                .has_initialiser = !clang_Cursor_isNull(initialiser),
                                .loop = loop,
                                .counts = SLICE_NONE};
    clang_disposeString(name);
}

/* Returns the variable that an lvalue is part of. */
static struct slice_variable *root(const struct kernel_slice *s, CXCursor lvalue) {
    lvalue = syntax_strip(lvalue);
    struct slice_variable *v = slice_variable_of(s, lvalue);
    if (v) return v;
    struct children c = syntax_children(lvalue);
    if (c.count) v = root(s, c.list[0]);
    children_free(&c);
    return v;
}

static void note_change(struct reader *r, CXCursor statement, CXCursor lvalue, const char *op,
                        const CXCursor *value, struct context c) {
    struct slice_variable *v = slice_variable_of(r->s, lvalue);
    if (!v) {
        v = slice_address_space(lvalue) == SLICE_PRIVATE ? root(r->s, lvalue) : NULL;
        if (v) v->has_address = true;
        return;
    }
    struct slice_change change = {.statement = statement,
                                  .loop = c.starts == SLICE_NONE ? c.loop : c.starts,
                                  .conditional = c.conditional,
                                  .is_statement = c.is_statement,
                                  .has_value = value != NULL};
    if (value) change.value = *value;
    strncpy(change.op, op, sizeof change.op - 1);
    v->changes = grow(v->changes, v->change_count, sizeof *v->changes);
    v->changes[v->change_count++] = change;
}

/* --- loads --- */

static bool is_access(CXCursor cursor, const struct syntax *s) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    char op[16] = "";
    if (kind == CXCursor_UnaryOperator) {
        struct children c = syntax_children(cursor);
        syntax_unary_operator(s, cursor, c.list[0], op);
        children_free(&c);
    }
    return kind == CXCursor_ArraySubscriptExpr || kind == CXCursor_MemberRefExpr || !strcmp(op, "*");
}

static void add_load(struct reader *r, CXCursor expression, size_t loop, const char *reason) {
    struct kernel_slice *s = r->s;
    s->loads = grow(s->loads, s->load_count, sizeof *s->loads);
    s->loads[s->load_count++] = (struct slice_load){expression, loop, reason ? copy_string(reason) : NULL};
}

/* Reads an access to an element, a member or a pointer's target: in a chain of accesses the last one is the
 * load. */
static void walk_access(struct reader *r, CXCursor access, struct context c) {
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(access)).kind;
    const bool array = kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
    if (!c.no_load && !array && slice_address_space(access) == SLICE_GLOBAL)
        add_load(r, access, c.loop, NULL);
    struct children list = syntax_children(access);
    for (size_t i = 0; i < list.count; i++) {
        struct context inner = used(c);
        CXCursor base = syntax_strip(list.list[i]);
        const enum CXTypeKind type = clang_getCanonicalType(clang_getCursorType(base)).kind;
        inner.no_load = i == 0 && is_access(base, r->s->syntax) && type != CXType_Pointer;
        walk(r, inner.no_load ? base : list.list[i], inner);
    }
    children_free(&list);
}

/* Loads in functions, including built-in ones, are not followed. */
static void walk_call(struct reader *r, CXCursor call, struct context c) {
    CXString name = clang_getCursorSpelling(call);
    struct text reason = {0};
    const char *callee = clang_getCString(name);
    text_printf(&reason, "%s may load there: what functions load is not followed", callee);
    for (int i = 0; i < clang_Cursor_getNumArguments(call); i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        CXType type = clang_getCanonicalType(clang_getCursorType(argument));
        if (type.kind == CXType_Pointer && strncmp(callee, "atom", 4) &&
            clang_getAddressSpace(clang_getPointeeType(type)) == SLICE_GLOBAL)
            add_load(r, argument, c.loop, reason.data);
        walk(r, argument, used(c));
    }
    text_free(&reason);
    clang_disposeString(name);
}

/* --- expressions --- */

static void walk_binary(struct reader *r, CXCursor cursor, struct context c) {
    struct children list = syntax_children(cursor);
    char op[8];
    syntax_binary_operator(r->s->syntax, list.list[0], list.list[1], op);
    const bool compound = clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator;
    struct context left = used(c), right = used(c);
    left.is_statement = right.is_statement = c.is_statement && !strcmp(op, ",");
    if (compound || !strcmp(op, "=")) {
        note_change(r, cursor, list.list[0], op, &list.list[1], c);
        left.no_load = !compound;
        walk(r, syntax_strip(list.list[0]), left);
    } else {
        walk(r, list.list[0], left);
    }
    if (!strcmp(op, "&&") || !strcmp(op, "||")) right.conditional = true;
    walk(r, list.list[1], right);
    children_free(&list);
}

static void walk_unary(struct reader *r, CXCursor cursor, struct context c) {
    struct children list = syntax_children(cursor);
    char op[16];
    syntax_unary_operator(r->s->syntax, cursor, list.list[0], op);
    CXCursor operand = syntax_strip(list.list[0]);
    struct context inner = used(c);
    if (!strcmp(op, "++") || !strcmp(op, "--")) note_change(r, cursor, operand, op, NULL, c);
    if (!strcmp(op, "&")) {
        struct slice_variable *v = slice_address_space(operand) == SLICE_PRIVATE ? root(r->s, operand) : NULL;
        if (v) v->has_address = true;
        inner.no_load = true;
        walk(r, operand, inner);
    } else if (!strcmp(op, "*")) {
        walk_access(r, cursor, c);
    } else {
        walk(r, list.list[0], inner);
    }
    children_free(&list);
}

/* --- statements --- */

static void add_guard(struct reader *r, CXCursor condition, bool negated) {
    r->guards = grow(r->guards, r->guard_count, sizeof *r->guards);
    r->guards[r->guard_count++] = (struct slice_guard){condition, negated};
}

static bool is_return(CXCursor statement) {
    struct children c = syntax_children(statement);
    const enum CXCursorKind kind = clang_getCursorKind(statement);
    const bool returns = kind == CXCursor_ReturnStmt ||
                         (kind == CXCursor_CompoundStmt && c.count == 1 && is_return(c.list[0]));
    children_free(&c);
    return returns;
}

static void walk_if(struct reader *r, CXCursor cursor, struct context c) {
    struct children list = syntax_children(cursor);
    struct kernel_slice *s = r->s;
    if (c.loop == SLICE_NONE && !c.conditional && list.count == 2 && is_return(list.list[1])) {
        s->returns = grow(s->returns, s->return_count, sizeof *s->returns);
        s->returns[s->return_count++] = (struct slice_return){cursor, list.list[0]};
    }
    walk(r, list.list[0], used(c));
    for (size_t i = 1; i < list.count; i++) {
        struct context branch = under_condition(c);
        branch.is_statement = true;
        add_guard(r, list.list[0], i == 2);
        walk(r, list.list[i], branch);
        r->guard_count--;
    }
    children_free(&list);
}

static size_t add_loop(struct reader *r, CXCursor cursor, struct context c) {
    struct kernel_slice *s = r->s;
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    struct slice_loop l = {.statement = cursor,
                           .is_for = kind == CXCursor_ForStmt,
                           .is_do = kind == CXCursor_DoStmt,
                           .parent = c.loop};
    for (size_t i = 0; i < r->guard_count; i++) {
        l.guards = grow(l.guards, i, sizeof *l.guards);
        l.guards[l.guard_count++] = r->guards[i];
    }
    s->loops = grow(s->loops, s->loop_count, sizeof *s->loops);
    s->loops[s->loop_count] = l;
    return s->loop_count++;
}

/* Reads a `for`. The parts of its head are identified by position: missing ones are not children. */
static void walk_for(struct reader *r, CXCursor cursor, struct context outer, struct context inner) {
    const char *text = r->s->syntax->text->data;
    struct children list = syntax_children(cursor);
    const size_t open = syntax_find_outside(text, syntax_begin(cursor), '(') + 1,
                 first = syntax_find_outside(text, open, ';'),
                 second = syntax_find_outside(text, first + 1, ';'),
                 close = syntax_find_outside(text, second + 1, ')');
    const size_t number = inner.loop;
    for (size_t i = 0; i < list.count; i++) {
        const size_t at = syntax_begin(list.list[i]);
        struct context start = outer, condition = used(inner);
        start.is_statement = true;
        start.starts = number;
        if (at < first) {
            walk(r, list.list[i], start);
        } else if (at < second) {
            r->s->loops[number].condition = list.list[i];
            r->s->loops[number].has_condition = true;
            walk(r, list.list[i], condition);
        } else {
            if (at > close) r->s->loops[number].body = list.list[i];
            walk(r, list.list[i], inner);
        }
    }
    children_free(&list);
}

static void walk_loop(struct reader *r, CXCursor cursor, struct context c) {
    const size_t number = add_loop(r, cursor, c);
    struct slice_guard *guards = r->guards;
    const size_t count = r->guard_count;
    struct context inner = {number, false, true, false, SLICE_NONE};
    r->guards = NULL;
    r->guard_count = 0;
    if (clang_getCursorKind(cursor) == CXCursor_ForStmt) {
        walk_for(r, cursor, c, inner);
    } else {
        struct children list = syntax_children(cursor);
        const bool is_do = r->s->loops[number].is_do;
        struct slice_loop *l = &r->s->loops[number];
        l->condition = list.list[is_do ? list.count - 1 : 0];
        l->body = list.list[is_do ? 0 : list.count - 1];
        l->has_condition = true;
        for (size_t i = 0; i < list.count; i++)
            walk(r, list.list[i],
                 clang_isExpression(clang_getCursorKind(list.list[i])) ? used(inner) : inner);
        children_free(&list);
    }
    free(r->guards);
    r->guards = guards;
    r->guard_count = count;
}

static void note_jump(struct reader *r, enum CXCursorKind kind, size_t loop) {
    for (; loop != SLICE_NONE; loop = r->s->loops[loop].parent) {
        r->s->loops[loop].leaves = true;
        if (kind == CXCursor_BreakStmt) break;
    }
}

static void walk_declaration(struct reader *r, CXCursor variable, struct context c) {
    add_variable(r, variable, c.loop, false);
    CXCursor initialiser = r->s->variables[r->s->variable_count - 1].initialiser;
    if (!clang_Cursor_isNull(initialiser)) walk(r, initialiser, used(c));
}

static void walk(struct reader *r, CXCursor cursor, struct context c) {
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
    case CXCursor_VarDecl: walk_declaration(r, cursor, c); break;
    case CXCursor_CompoundStmt:
        c.is_statement = true;
        c.starts = SLICE_NONE;
        walk_children(r, cursor, c);
        break;
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt: walk_loop(r, cursor, c); break;
    case CXCursor_IfStmt: walk_if(r, cursor, c); break;
    case CXCursor_SwitchStmt:
    case CXCursor_ConditionalOperator: walk_children(r, cursor, under_condition(c)); break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: walk_binary(r, cursor, c); break;
    case CXCursor_UnaryOperator: walk_unary(r, cursor, c); break;
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_MemberRefExpr: walk_access(r, cursor, c); break;
    case CXCursor_CallExpr: walk_call(r, cursor, c); break;
    case CXCursor_BreakStmt:
    case CXCursor_GotoStmt:
    case CXCursor_ReturnStmt:
        note_jump(r, kind, c.loop);
        walk_children(r, cursor, used(c));
        break;
    case CXCursor_UnaryExpr: break; /* sizeof reads nothing */
    default: walk_children(r, cursor, c);
    }
}

/* --- kinds of variables --- */

/* Returns the value that a change adds or subtracts; returns false for other changes. */
bool slice_step_value(const struct kernel_slice *s, const struct slice_variable *v,
                      const struct slice_change *change, CXCursor *value, bool *minus) {
    *minus = change->op[0] == '-';
    if (!change->has_value) return true;
    *value = change->value;
    if (!strcmp(change->op, "+=") || !strcmp(change->op, "-=")) return true;
    CXCursor sum = syntax_strip(change->value);
    if (strcmp(change->op, "=") != 0 || clang_getCursorKind(sum) != CXCursor_BinaryOperator) return false;
    struct children c = syntax_children(sum);
    char op[8];
    syntax_binary_operator(s->syntax, c.list[0], c.list[1], op);
    const bool left = slice_variable_of(s, c.list[0]) == v,
               right = !strcmp(op, "+") && slice_variable_of(s, c.list[1]) == v;
    const bool good = (!strcmp(op, "+") || !strcmp(op, "-")) && left != right;
    *minus = !strcmp(op, "-");
    if (good) *value = c.list[left ? 1 : 0];
    children_free(&c);
    return good;
}

/* Classifies a variable: a counter has a start in a loop's head or its declaration, and one step in each
 * iteration. */
static void classify(const struct kernel_slice *s, struct slice_variable *v) {
    const struct slice_change *start = NULL, *step = NULL;
    CXCursor value;
    bool minus, good = !v->has_address;
    v->kind = SLICE_CHANGED;
    if (good && !v->change_count && (v->parameter || v->has_initialiser)) v->kind = SLICE_ONCE;
    if (v->kind == SLICE_ONCE || !good) return;
    for (size_t i = 0; i < v->change_count; i++) {
        const struct slice_change *c = &v->changes[i];
        const bool head = c->loop != SLICE_NONE && s->loops[c->loop].is_for && !strcmp(c->op, "=") &&
                          syntax_begin(c->statement) < syntax_begin(s->loops[c->loop].condition);
        const struct slice_change **which = head ? &start : &step;
        good = good && !*which;
        *which = c;
    }
    good = good && step && step->is_statement && !step->conditional && step->loop != SLICE_NONE &&
           (!start || start->loop == step->loop) && (start || v->has_initialiser || v->parameter) &&
           step->loop != v->loop && slice_step_value(s, v, step, &value, &minus);
    if (!good) return;
    v->kind = SLICE_COUNTER;
    v->counts = step->loop;
    v->step = step;
    if (start) v->initialiser = start->value;
    v->has_initialiser |= start != NULL;
}

void kernel_slice_read(struct kernel_slice *s, const struct program *program, CXCursor kernel) {
    struct reader r = {.s = s};
    struct children c = syntax_children(kernel);
    *s = (struct kernel_slice){.program = program,
                               .syntax = program->syntax,
                               .kernel = kernel,
                               .body = c.list[c.count - 1],
                               .turning = SLICE_NONE};
    children_free(&c);
    for (int i = 0; i < clang_Cursor_getNumArguments(kernel); i++)
        add_variable(&r, clang_Cursor_getArgument(kernel, (unsigned)i), SLICE_NONE, true);
    walk(&r, s->body, (struct context){SLICE_NONE, false, true, false, SLICE_NONE});
    for (size_t i = 0; i < s->variable_count; i++) classify(s, &s->variables[i]);
    free(r.guards);
}

void kernel_slice_free(struct kernel_slice *s) {
    for (size_t i = 0; i < s->variable_count; i++) {
        free(s->variables[i].name);
        free(s->variables[i].changes);
    }
    for (size_t i = 0; i < s->loop_count; i++) free(s->loops[i].guards);
    for (size_t i = 0; i < s->load_count; i++) free(s->loads[i].reason);
    free(s->variables);
    free(s->loops);
    free(s->loads);
    free(s->returns);
    *s = (struct kernel_slice){0};
}

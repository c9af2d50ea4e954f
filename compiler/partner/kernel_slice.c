/* Queries about a kernel: computable expressions, and their dependence on local ids (kernel_slice.h). */
#include "compiler/partner/kernel_slice.h"
#include "compiler/partner/kernel_slice_parts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NESTED 64 /* limit of nested initialisers: a variable may occur in its own */

unsigned slice_address_space(CXCursor lvalue) {
    CXType type = clang_getCursorType(lvalue);
    const unsigned space = type.kind == CXType_Invalid ? SLICE_PRIVATE : clang_getAddressSpace(type);
    return space == SLICE_PRIVATE_UNNAMED ? SLICE_PRIVATE : space;
}

struct slice_variable *slice_variable_of(const struct kernel_slice *s, CXCursor expression) {
    CXCursor e = syntax_strip(expression);
    if (clang_getCursorKind(e) != CXCursor_DeclRefExpr) return NULL;
    CXCursor declaration = clang_getCursorReferenced(e);
    for (size_t i = 0; i < s->variable_count; i++)
        if (clang_equalCursors(s->variables[i].declaration, declaration)) return &s->variables[i];
    return NULL;
}

bool slice_loop_within(const struct kernel_slice *s, size_t loop, size_t outer) {
    while (loop != outer && loop != SLICE_NONE) loop = s->loops[loop].parent;
    return loop == outer;
}

/* --- constants, calls --- */

static bool constant_value(CXCursor expression, long *value) {
    CXEvalResult r = clang_Cursor_Evaluate(expression);
    const bool good = r && clang_EvalResult_getKind(r) == CXEval_Int;
    if (good) *value = (long)clang_EvalResult_getAsLongLong(r);
    if (r) clang_EvalResult_dispose(r);
    return good && *value >= INT32_MIN && *value <= INT32_MAX;
}

static bool is_call_of(CXCursor call, const char *const *names) {
    CXString spelling = clang_getCursorSpelling(call);
    bool found = false;
    for (; *names && !found; names++) found = !strcmp(clang_getCString(spelling), *names);
    clang_disposeString(spelling);
    return found;
}

static const char *const local_id[] = {"get_local_id", NULL}, *const global_id[] = {"get_global_id", NULL};

/* Functions that only compute; ids and sizes; functions that can be part of a positive step. */
static const char *const arithmetic[] = {"min",      "max",    "mul24",  "mad24",    "clamp", "abs",
                                         "abs_diff", "mul_hi", "rotate", "popcount", NULL};
static const char *const ids[] = {"get_local_id",      "get_global_id",  "get_group_id",
                                  "get_global_offset", "get_local_size", "get_global_size",
                                  "get_num_groups",    "get_work_dim",   NULL};
static const char *const sizes[] = {"get_local_size", "get_global_size", "get_num_groups", NULL};

int slice_id_dimension(CXCursor call) {
    long dimension;
    if (!is_call_of(call, ids) || clang_Cursor_getNumArguments(call) != 1 ||
        !constant_value(clang_Cursor_getArgument(call, 0), &dimension))
        return -1;
    return dimension >= 0 && dimension < SLICE_DIMENSIONS ? (int)dimension : -1;
}

/* --- computable --- */

struct question {
    const struct kernel_slice *s;
    size_t loop;
    unsigned depth;
    struct text *why;
};

static bool say(const struct question *q, const char *what, const char *name) {
    if (q->why && !q->why->size) text_printf(q->why, "%s%s", name, what);
    return false;
}

static bool computable(const struct question *q, CXCursor e);

static bool variable_computable(const struct question *q, const struct slice_variable *v) {
    struct question inner = *q;
    if (++inner.depth > MOST_NESTED) return say(q, " stands in its own initialiser", v->name);
    if (v->kind == SLICE_CHANGED) return say(q, " does not follow from ids, arguments and counters", v->name);
    inner.loop = v->loop;
    if (v->kind == SLICE_COUNTER) {
        CXCursor step;
        bool minus;
        if (!slice_loop_within(q->s, q->loop, v->counts))
            return say(q, " is used outside the loop that changes it", v->name);
        slice_step_value(q->s, v, v->step, &step, &minus);
        inner.loop = q->s->loops[v->counts].parent;
        if (v->step->has_value) {
            if (!computable(&inner, step)) return false;
            const struct slice_strides g = slice_strides_of(q->s, step);
            if (!slice_is_uniform(&g)) return say(q, " grows by another step in each work-item", v->name);
        }
    }
    return !v->has_initialiser || computable(&inner, v->initialiser);
}

static bool reference_computable(const struct question *q, CXCursor e) {
    const struct slice_variable *v = slice_variable_of(q->s, e);
    if (v) return variable_computable(q, v);
    CXCursor d = clang_getCursorReferenced(e);
    if (clang_getCursorKind(d) == CXCursor_EnumConstantDecl) return true;
    CXString name = clang_getCursorSpelling(e);
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(e)).kind;
    const bool good = slice_address_space(e) == SLICE_CONSTANT && kind != CXType_ConstantArray;
    if (!good) say(q, " is in memory", clang_getCString(name));
    clang_disposeString(name);
    return good;
}

static bool children_computable(const struct question *q, CXCursor e, size_t from) {
    struct children c = syntax_children(e);
    bool good = true;
    for (size_t i = from; i < c.count && good; i++)
        if (clang_isExpression(clang_getCursorKind(c.list[i]))) good = computable(q, c.list[i]);
    children_free(&c);
    return good;
}

static bool call_computable(const struct question *q, CXCursor e) {
    CXString name = clang_getCursorSpelling(e);
    const char *callee = clang_getCString(name);
    bool good = false;
    if (is_call_of(e, ids))
        good = slice_id_dimension(e) >= 0 || !strcmp(callee, "get_work_dim") ||
               say(q, " has a dimension that is not constant", callee);
    else if (is_call_of(e, arithmetic))
        good = children_computable(q, e, 1);
    else
        say(q, " is called", callee);
    clang_disposeString(name);
    return good;
}

static bool operator_computable(const struct question *q, CXCursor e) {
    struct children c = syntax_children(e);
    char op[16] = "";
    if (clang_getCursorKind(e) == CXCursor_UnaryOperator)
        syntax_unary_operator(q->s->syntax, e, c.list[0], op);
    else
        syntax_binary_operator(q->s->syntax, c.list[0], c.list[1], op);
    const bool unary = c.count == 1;
    children_free(&c);
    if (unary && !strcmp(op, "*")) return say(q, "a value that is loaded is needed", "");
    if ((unary && (!strcmp(op, "++") || !strcmp(op, "--") || !strcmp(op, "&"))) || !strcmp(op, "=") ||
        !strcmp(op, ","))
        return say(q, "it does more than compute", "");
    return children_computable(q, e, 0);
}

static bool computable(const struct question *q, CXCursor e) {
    const struct slice_variable *v;
    struct children c;
    switch (clang_getCursorKind(e)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_UnaryExpr: return true;
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_ConditionalOperator: return children_computable(q, e, 0);
    case CXCursor_UnexposedExpr: return children_computable(q, e, 0); /* a conversion */
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator: return operator_computable(q, e);
    case CXCursor_DeclRefExpr: return reference_computable(q, e);
    case CXCursor_CallExpr: return call_computable(q, e);
    case CXCursor_MemberRefExpr: /* member of a structure that is an argument */
        c = syntax_children(e);
        v = c.count ? slice_variable_of(q->s, c.list[0]) : NULL;
        children_free(&c);
        if (v && v->parameter && v->kind == SLICE_ONCE && slice_address_space(e) == SLICE_PRIVATE)
            return true;
        return say(q, "a value that is loaded is needed", "");
    case CXCursor_ArraySubscriptExpr: return say(q, "a value that is loaded is needed", "");
    default: return say(q, "it is more than arithmetic", "");
    }
}

bool slice_computable(const struct kernel_slice *s, CXCursor expression, size_t loop, struct text *why) {
    const struct question q = {s, loop, 0, why};
    return computable(&q, expression);
}

static bool is_pointer(CXCursor e) {
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(e)).kind;
    return kind == CXType_Pointer || kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

/* Returns whether an array element is itself an array, or a base is a structure: part of a larger object. */
static bool is_part(CXCursor base) {
    return clang_getCanonicalType(clang_getCursorType(base)).kind != CXType_Pointer &&
           slice_address_space(base) == SLICE_GLOBAL;
}

bool slice_address_computable(const struct kernel_slice *s, CXCursor lvalue, size_t loop, struct text *why) {
    lvalue = syntax_strip(lvalue);
    struct children c = syntax_children(lvalue);
    CXCursor base = c.count ? syntax_strip(c.list[0]) : lvalue;
    bool good = c.count > 0 && (is_part(base) ? slice_address_computable(s, base, loop, why)
                                              : slice_computable(s, c.list[0], loop, why));
    if (clang_getCursorKind(lvalue) == CXCursor_ArraySubscriptExpr)
        good = good && slice_computable(s, c.list[1], loop, why);
    children_free(&c);
    return good;
}

/* --- strides --- */

static struct slice_strides none(void) {
    return (struct slice_strides){{true, true, true, true}, {0}};
}

static struct slice_strides unknown(void) {
    return (struct slice_strides){{false}, {0}};
}

bool slice_is_uniform(const struct slice_strides *g) {
    bool uniform = true;
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++) uniform = uniform && g->known[d] && !g->by[d];
    return uniform;
}

/* a + factor · b */
static struct slice_strides add(struct slice_strides a, struct slice_strides b, long factor) {
    for (unsigned d = 0; d < SLICE_STRIDES; d++) {
        long product, sum;
        a.known[d] = a.known[d] && b.known[d] && !__builtin_mul_overflow(b.by[d], factor, &product) &&
                     !__builtin_add_overflow(a.by[d], product, &sum);
        a.by[d] = a.known[d] ? sum : 0;
    }
    return a;
}

/* Strides of a value computed from parts with stride 0 are 0. */
static struct slice_strides of_uniform(struct slice_strides a, struct slice_strides b) {
    for (unsigned d = 0; d < SLICE_STRIDES; d++) {
        a.known[d] = a.known[d] && b.known[d] && !a.by[d] && !b.by[d];
        a.by[d] = 0;
    }
    return a;
}

static long pointee_bytes(CXCursor e) {
    CXType type = clang_getCanonicalType(clang_getCursorType(e));
    CXType pointee = clang_getArrayElementType(type);
    if (pointee.kind == CXType_Invalid && type.kind == CXType_Pointer) pointee = clang_getPointeeType(type);
    const long long size = pointee.kind == CXType_Invalid ? 1 : clang_Type_getSizeOf(pointee);
    return size > 0 ? (long)size : 1;
}

static struct slice_strides of_sum(const struct kernel_slice *s, const struct children *c, long sign) {
    const struct slice_strides a = slice_strides_of(s, c->list[0]), b = slice_strides_of(s, c->list[1]);
    const bool left = is_pointer(c->list[0]), right = is_pointer(c->list[1]);
    if (left && right) return of_uniform(a, b);
    if (right) return add(b, a, pointee_bytes(c->list[1]));
    return add(a, b, left ? sign * pointee_bytes(c->list[0]) : sign);
}

static struct slice_strides of_product(const struct kernel_slice *s, CXCursor left, CXCursor right) {
    long factor;
    if (constant_value(right, &factor)) return add(none(), slice_strides_of(s, left), factor);
    if (constant_value(left, &factor)) return add(none(), slice_strides_of(s, right), factor);
    return of_uniform(slice_strides_of(s, left), slice_strides_of(s, right));
}

static struct slice_strides of_operator(const struct kernel_slice *s, CXCursor e) {
    struct children c = syntax_children(e);
    struct slice_strides g;
    char op[16];
    long shift;
    if (c.count == 1)
        syntax_unary_operator(s->syntax, e, c.list[0], op);
    else
        syntax_binary_operator(s->syntax, c.list[0], c.list[1], op);
    if (c.count == 1)
        g = !strcmp(op, "-")   ? add(none(), slice_strides_of(s, c.list[0]), -1)
            : !strcmp(op, "+") ? slice_strides_of(s, c.list[0])
                               : of_uniform(slice_strides_of(s, c.list[0]), none());
    else if (!strcmp(op, "+") || !strcmp(op, "-"))
        g = of_sum(s, &c, *op == '+' ? 1 : -1);
    else if (!strcmp(op, "*"))
        g = of_product(s, c.list[0], c.list[1]);
    else if (!strcmp(op, "<<") && constant_value(c.list[1], &shift) && shift >= 0 && shift < 31)
        g = add(none(), slice_strides_of(s, c.list[0]), 1L << shift);
    else
        g = of_uniform(slice_strides_of(s, c.list[0]), slice_strides_of(s, c.list[1]));
    children_free(&c);
    return g;
}

static struct slice_strides of_call(const struct kernel_slice *s, CXCursor e) {
    struct slice_strides g = none();
    if (is_call_of(e, local_id) || is_call_of(e, global_id)) {
        g.by[slice_id_dimension(e)] = 1;
        return g;
    }
    for (int i = 0; !is_call_of(e, ids) && i < clang_Cursor_getNumArguments(e); i++)
        g = of_uniform(g, slice_strides_of(s, clang_Cursor_getArgument(e, (unsigned)i)));
    return g;
}

/* Returns the strides of a value computed from all its parts. */
static struct slice_strides of_parts(const struct kernel_slice *s, CXCursor e) {
    struct children c = syntax_children(e);
    struct slice_strides g = none();
    for (size_t i = 0; i < c.count; i++)
        if (clang_isExpression(clang_getCursorKind(c.list[i])))
            g = of_uniform(g, slice_strides_of(s, c.list[i]));
    children_free(&c);
    return g;
}

/* Returns the strides of the last part: a conversion, or parentheses. */
static struct slice_strides of_last(const struct kernel_slice *s, CXCursor e) {
    struct children c = syntax_children(e);
    struct slice_strides g = c.count ? slice_strides_of(s, c.list[c.count - 1]) : none();
    children_free(&c);
    return g;
}

/* Returns the strides of a variable's initialiser; a counter of the loop `turning` also grows by its step. */
static struct slice_strides of_variable(const struct kernel_slice *s, const struct slice_variable *v) {
    struct slice_strides g = v && v->has_initialiser ? slice_strides_of(s, v->initialiser) : none();
    CXCursor step;
    bool minus;
    long by = 1;
    if (!v || v->kind != SLICE_COUNTER || v->counts != s->turning || s->turning == SLICE_NONE) return g;
    slice_step_value(s, v, v->step, &step, &minus);
    g.known[SLICE_TURN] = !v->step->has_value || constant_value(step, &by);
    g.by[SLICE_TURN] = !g.known[SLICE_TURN] ? 0 : minus ? -by : by;
    return g;
}

struct slice_strides slice_strides_of(const struct kernel_slice *s, CXCursor e) {
    switch (clang_getCursorKind(e)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_UnaryExpr:
    case CXCursor_MemberRefExpr: return none();
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_UnexposedExpr: return of_last(s, e);
    case CXCursor_ConditionalOperator: return of_parts(s, e);
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator: return of_operator(s, e);
    case CXCursor_CallExpr: return of_call(s, e);
    case CXCursor_DeclRefExpr: return of_variable(s, slice_variable_of(s, e));
    default: return unknown();
    }
}

struct slice_strides slice_address_strides(const struct kernel_slice *s, CXCursor lvalue) {
    lvalue = syntax_strip(lvalue);
    struct children c = syntax_children(lvalue);
    struct slice_strides g = none();
    CXCursor base = c.count ? syntax_strip(c.list[0]) : lvalue;
    switch (clang_getCursorKind(lvalue)) {
    case CXCursor_ArraySubscriptExpr:
        g = is_part(base) ? slice_address_strides(s, base) : slice_strides_of(s, c.list[0]);
        g = add(g, slice_strides_of(s, c.list[1]), pointee_bytes(c.list[0]));
        break;
    case CXCursor_UnaryOperator: g = slice_strides_of(s, c.list[0]); break; /* target of a pointer */
    case CXCursor_MemberRefExpr:
        g = is_part(base) ? slice_address_strides(s, base) : slice_strides_of(s, base);
        break;
    default: break;
    }
    children_free(&c);
    return g;
}

/* --- the sign of a step --- */

static bool is_positive(const struct kernel_slice *s, CXCursor e) {
    e = syntax_strip(e);
    long value;
    if (constant_value(e, &value)) return value > 0;
    if (clang_getCursorKind(e) == CXCursor_CallExpr) return is_call_of(e, sizes);
    if (clang_getCursorKind(e) != CXCursor_BinaryOperator) return false;
    struct children c = syntax_children(e);
    char op[8];
    syntax_binary_operator(s->syntax, c.list[0], c.list[1], op);
    const bool positive =
        (!strcmp(op, "*") || !strcmp(op, "+")) && is_positive(s, c.list[0]) && is_positive(s, c.list[1]);
    children_free(&c);
    return positive;
}

int slice_step_sign(const struct kernel_slice *s, const struct slice_variable *counter) {
    CXCursor value;
    bool minus;
    slice_step_value(s, counter, counter->step, &value, &minus);
    if (counter->step->has_value && !is_positive(s, value)) return 0;
    return minus ? -1 : 1;
}

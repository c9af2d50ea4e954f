#include "compiler/source/priority_rules.h"

#include <string.h>

/* A variable that the optimiser keeps in a register: local to a function and private to a thread. */
static bool is_local_variable(CXCursor expression) {
    CXCursor name = syntax_strip(expression);
    if (clang_getCursorKind(name) != CXCursor_DeclRefExpr) return false;
    CXCursor declared = clang_getCursorReferenced(name);
    enum CXCursorKind kind = clang_getCursorKind(declared);
    if (kind == CXCursor_ParmDecl) return true;
    if (kind != CXCursor_VarDecl || clang_getCursorLinkage(declared) != CXLinkage_NoLinkage) return false;
    CXString type = clang_getTypeSpelling(clang_getCursorType(declared));
    const char *spelling = clang_getCString(type);
    bool shared =
        strstr(spelling, "__local") || strstr(spelling, "__constant") || strstr(spelling, "__global");
    bool pointer = clang_getCanonicalType(clang_getCursorType(declared)).kind == CXType_Pointer;
    clang_disposeString(type);
    return (!shared || pointer) && clang_Cursor_getStorageClass(declared) != CX_SC_Static;
}

static enum CXTypeKind type_kind(CXCursor expression) {
    return clang_getCanonicalType(clang_getCursorType(expression)).kind;
}

static bool is_scalar(CXCursor expression) {
    enum CXTypeKind kind = type_kind(expression);
    return (kind >= CXType_Bool && kind <= CXType_LongDouble) || kind == CXType_Half || kind == CXType_Enum ||
           kind == CXType_Pointer;
}

/* A local scalar, or a scalar component of a local vector or structure (not of one behind a pointer). */
static bool is_local_scalar(CXCursor expression) {
    CXCursor place = syntax_strip(expression);
    enum CXCursorKind kind = clang_getCursorKind(place);
    if (!is_scalar(place)) return false;
    if (is_local_variable(place)) return true;
    if (kind != CXCursor_UnexposedExpr && kind != CXCursor_MemberRefExpr) return false;
    struct children c = syntax_children(place);
    bool local =
        c.count == 1 && type_kind(syntax_strip(c.list[0])) != CXType_Pointer && is_local_variable(c.list[0]);
    children_free(&c);
    return local;
}

static bool is_cheap(const struct syntax *s, CXCursor expression, unsigned *operators);

static bool are_cheap(const struct syntax *s, const struct children *c, unsigned *operators) {
    for (size_t i = 0; i < c->count; i++)
        if (!is_cheap(s, c->list[i], operators)) return false;
    return true;
}

static bool is_cheap_operator(const struct syntax *s, const struct children *c) {
    static const char *const cheap[] = {"+",  "-", "*",  "&", "|",  "^",  "<<",
                                        ">>", "<", "<=", ">", ">=", "==", "!="};
    char op[8];
    if (c->count != 2) return false;
    syntax_binary_operator(s, c->list[0], c->list[1], op);
    for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
        if (!strcmp(op, cheap[i])) return true;
    return false;
}

static bool is_cheap_unary(const struct syntax *s, CXCursor expression, const struct children *c) {
    char op[16];
    if (c->count != 1) return false;
    syntax_unary_operator(s, expression, c->list[0], op);
    return strlen(op) == 1 && strchr("+-~!", op[0]);
}

/* Side-effect-free, without memory, calls, divisions or branches of its own. Counts its operators. */
static bool is_cheap(const struct syntax *s, CXCursor expression, unsigned *operators) {
    CXCursor e = syntax_strip(expression);
    struct children c = syntax_children(e);
    bool cheap = false;
    switch (clang_getCursorKind(e)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral: cheap = true; break;
    case CXCursor_DeclRefExpr:
        cheap = is_local_variable(e) ||
                clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_EnumConstantDecl;
        break;
    case CXCursor_UnexposedExpr:
    case CXCursor_MemberRefExpr: cheap = is_local_scalar(e); break;
    case CXCursor_BinaryOperator:
        ++*operators;
        cheap = is_cheap_operator(s, &c) && are_cheap(s, &c, operators);
        break;
    case CXCursor_UnaryOperator:
        ++*operators;
        cheap = is_cheap_unary(s, e, &c) && are_cheap(s, &c, operators);
        break;
    case CXCursor_CStyleCastExpr:
        ++*operators;
        cheap = c.count >= 1 && is_cheap(s, c.list[c.count - 1], operators);
        break;
    default: break;
    }
    children_free(&c);
    return cheap;
}

/* `v = e`, `v op= e`, `v++`, `--v` with a local v and a cheap e. */
static bool is_small_assignment(const struct syntax *s, CXCursor statement, unsigned *operators) {
    CXCursor e = syntax_strip(statement);
    struct children c = syntax_children(e);
    enum CXCursorKind kind = clang_getCursorKind(e);
    char op[16] = "";
    bool small = false;
    if (kind == CXCursor_UnaryOperator && c.count == 1) {
        syntax_unary_operator(s, e, c.list[0], op);
        small = (!strcmp(op, "++") || !strcmp(op, "--")) && is_local_scalar(c.list[0]);
    } else if ((kind == CXCursor_BinaryOperator || kind == CXCursor_CompoundAssignOperator) && c.count == 2) {
        syntax_binary_operator(s, c.list[0], c.list[1], op);
        if (kind == CXCursor_CompoundAssignOperator) ++*operators;
        small =
            (!strcmp(op, "=") || (kind == CXCursor_CompoundAssignOperator && op[0] != '/' && op[0] != '%')) &&
            is_local_scalar(c.list[0]) && is_cheap(s, c.list[1], operators);
    }
    children_free(&c);
    return small;
}

static bool is_small_branch(const struct syntax *s, CXCursor branch) {
    unsigned operators = 0;
    struct children c = {0};
    bool small = true;
    if (clang_getCursorKind(branch) == CXCursor_NullStmt) return true;
    if (clang_getCursorKind(branch) != CXCursor_CompoundStmt)
        return is_small_assignment(s, branch, &operators) && operators <= PRIORITY_SMALL_OPERATORS;
    c = syntax_children(branch);
    for (size_t i = 0; i < c.count && small; i++) small = is_small_assignment(s, c.list[i], &operators);
    small = small && c.count <= PRIORITY_SMALL_ASSIGNMENTS && operators <= PRIORITY_SMALL_OPERATORS;
    children_free(&c);
    return small;
}

/* Evaluated once whatever it holds, but it must not branch itself. */
static bool branches(const struct syntax *s, CXCursor expression) {
    CXCursor e = syntax_strip(expression);
    struct children c = syntax_children(e);
    enum CXCursorKind kind = clang_getCursorKind(e);
    char op[8] = "";
    if (kind == CXCursor_BinaryOperator && c.count == 2) syntax_binary_operator(s, c.list[0], c.list[1], op);
    bool found = kind == CXCursor_ConditionalOperator || kind == CXCursor_StmtExpr || !strcmp(op, "&&") ||
                 !strcmp(op, "||");
    for (size_t i = 0; i < c.count && !found; i++) found = branches(s, c.list[i]);
    children_free(&c);
    return found;
}

static bool is_small_if(const struct syntax *s, const struct children *parts) {
    if (parts->count < 2 || branches(s, parts->list[0])) return false;
    for (size_t i = 1; i < parts->count; i++)
        if (!is_small_branch(s, parts->list[i])) return false;
    return true;
}

static bool is_variable(CXCursor expression, CXCursor variable) {
    CXCursor e = syntax_strip(expression);
    return clang_getCursorKind(e) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(e), variable);
}

static bool is_constant(CXCursor expression) {
    CXCursor e = syntax_strip(expression);
    struct children c = syntax_children(e);
    enum CXCursorKind kind = clang_getCursorKind(e);
    bool operator_ = kind == CXCursor_BinaryOperator || kind == CXCursor_UnaryOperator;
    bool constant = kind == CXCursor_IntegerLiteral || (operator_ && c.count > 0);
    for (size_t i = 0; i < c.count && constant && operator_; i++) constant = is_constant(c.list[i]);
    children_free(&c);
    return constant;
}

/* Returns whether a loop's body may leave it early, or change its variable. */
static bool disturbs(const struct syntax *s, CXCursor cursor, CXCursor variable) {
    struct children c = syntax_children(cursor);
    bool found = false;
    char op[16] = "";
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
    case CXCursor_LabelStmt: found = true; break;
    case CXCursor_CompoundAssignOperator: found = c.count && is_variable(c.list[0], variable); break;
    case CXCursor_BinaryOperator:
        if (c.count == 2) syntax_binary_operator(s, c.list[0], c.list[1], op);
        found = !strcmp(op, "=") && is_variable(c.list[0], variable);
        break;
    case CXCursor_UnaryOperator:
        if (c.count == 1) syntax_unary_operator(s, cursor, c.list[0], op);
        found =
            (!strcmp(op, "++") || !strcmp(op, "--") || !strcmp(op, "&")) && is_variable(c.list[0], variable);
        break;
    default: break;
    }
    for (size_t i = 0; i < c.count && !found; i++) found = disturbs(s, c.list[i], variable);
    children_free(&c);
    return found;
}

/* `int i = CONSTANT` */
static bool is_literal_start(CXCursor init, CXCursor *variable) {
    struct children declared = syntax_children(init), value = {0};
    bool good = clang_getCursorKind(init) == CXCursor_DeclStmt && declared.count == 1 &&
                clang_getCursorKind(declared.list[0]) == CXCursor_VarDecl;
    if (good) {
        *variable = declared.list[0];
        value = syntax_children(*variable);
        good = value.count && is_constant(value.list[value.count - 1]);
    }
    children_free(&declared);
    children_free(&value);
    return good;
}

static bool is_literal_condition(const struct syntax *s, CXCursor condition, CXCursor variable) {
    struct children c = syntax_children(condition);
    char op[8] = "";
    bool good = clang_getCursorKind(condition) == CXCursor_BinaryOperator && c.count == 2;
    if (good) syntax_binary_operator(s, c.list[0], c.list[1], op);
    good = good && strcmp(op, "<<") && strcmp(op, ">>") && strchr("<>!", op[0]) &&
           is_variable(c.list[0], variable) && is_constant(c.list[1]);
    children_free(&c);
    return good;
}

static bool is_literal_step(CXCursor step, CXCursor variable) {
    struct children c = syntax_children(step);
    enum CXCursorKind kind = clang_getCursorKind(step);
    bool good = (kind == CXCursor_UnaryOperator && c.count == 1 && is_variable(c.list[0], variable)) ||
                (kind == CXCursor_CompoundAssignOperator && c.count == 2 &&
                 is_variable(c.list[0], variable) && is_constant(c.list[1]));
    children_free(&c);
    return good;
}

static bool is_literal_loop(const struct syntax *s, const struct children *parts) {
    CXCursor variable;
    return parts->count == 4 && is_literal_start(parts->list[0], &variable) &&
           is_literal_condition(s, parts->list[1], variable) && is_literal_step(parts->list[2], variable) &&
           !disturbs(s, parts->list[3], variable);
}

bool priority_leaves_alone(const struct syntax *s, CXCursor conditional) {
    struct children parts = syntax_children(conditional);
    bool alone = false;
    if (clang_getCursorKind(conditional) == CXCursor_IfStmt)
        alone = is_small_if(s, &parts);
    else if (clang_getCursorKind(conditional) == CXCursor_ForStmt)
        alone = is_literal_loop(s, &parts);
    children_free(&parts);
    return alone;
}

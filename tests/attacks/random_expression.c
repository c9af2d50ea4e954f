#include "tests/attacks/random_expression.h"

#include <stdarg.h>

const char *const random_type_name[RANDOM_VALUES] = {"char", "uchar", "short", "ushort", "int",  "uint",
                                                     "long", "ulong", "float", "double", "int4", "float2"};

const char random_expression_preamble[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
    "#ifndef TILE\n#define TILE(words) __local uint tile[words]\n#endif\n"
    "typedef struct {\n    int a;\n    uchar b;\n    float c;\n    ushort d[3];\n    long e;\n} record;\n"
    "typedef union {\n    uint w[2];\n    uchar b[8];\n    short h[4];\n    ulong l;\n    float f;\n} cell;\n"
    "uint float_bits(float f) { return f == f ? as_uint(f) : 0x7fc00000u; }\n"
    "ulong double_bits(double f) { return f == f ? as_ulong(f) : 0x7ff8000000000000ul; }\n"
    "int float_int(float f) { return f > -1e9f && f < 1e9f ? (int)f : 77; }\n"
    "uint fold(ulong v) { return (uint)v ^ (uint)(v >> 32) * 31u; }\n"
    "__attribute__((noinline)) record stir(record r, uint by) {\n"
    "    r.a ^= (int)by;\n    r.d[by % 3u] += (ushort)r.b;\n    r.e = (long)((ulong)r.e * 7u + by);\n"
    "    return r;\n}\n"
    "uint digest(record r) {\n"
    "    return (uint)r.a + r.b + float_bits(r.c) + r.d[0] + r.d[1] + r.d[2] + fold((ulong)r.e);\n}\n"
    "__attribute__((noinline)) void bump(cell *c, uint by) {\n"
    "    c->b[by & 7u]++;\n    c->h[by >> 3 & 3u] ^= (short)by;\n    c->l = rotate(c->l, (ulong)(by & "
    "63u));\n}"
    "\n\n";

unsigned random_below(struct random_text *t, unsigned below) {
    return seed_below(&t->seed, below);
}

bool random_chance(struct random_text *t, unsigned percent) {
    return random_below(t, 100) < percent;
}

void random_print(struct random_text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vfprintf(t->out, format, list);
    va_end(list);
}

static bool fits(const struct random_variable *v, enum random_type from, enum random_type to, bool uniform,
                 bool writable) {
    if (v->type < from || v->type > to || (uniform && !v->uniform)) return false;
    return !writable || (!v->constant && v->uniform == uniform);
}

const struct random_variable *random_variable(struct random_text *t, enum random_type from,
                                              enum random_type to, bool uniform, bool writable) {
    unsigned found = 0;
    for (unsigned i = 0; i < t->variables; i++) found += fits(&t->variable[i], from, to, uniform, writable);
    if (found == 0) return NULL;
    unsigned skip = random_below(t, found), i = 0;
    for (;; i++)
        if (fits(&t->variable[i], from, to, uniform, writable) && skip-- == 0) return &t->variable[i];
}

struct random_variable *random_variable_add(struct random_text *t, enum random_type type, bool uniform) {
    if (t->variables == RANDOM_MOST_VARIABLES) abort();
    struct random_variable *v = &t->variable[t->variables++];
    *v = (struct random_variable){.type = type, .uniform = uniform};
    snprintf(v->name, sizeof v->name, "v%u", t->named++);
    return v;
}

static bool wide(enum random_type type) {
    return type == RANDOM_LONG || type == RANDOM_ULONG;
}

/* Prints a format with a new expression in place of each @. */
static void fill(struct random_text *t, const char *format, enum random_type type, unsigned depth,
                 bool uniform) {
    for (const char *p = format; *p; p++) {
        if (*p != '@')
            fputc(*p, t->out);
        else
            random_expression(t, type, depth, uniform);
    }
}

/* --- expressions without operands --- */

static void work_item_function(struct random_text *t, bool uniform) {
    static const char *const own[] = {"get_local_id(%u)", "get_global_id(%u)"};
    static const char *const group[] = {"get_group_id(%u)", "get_num_groups(%u)", "get_local_size(%u)",
                                        "get_global_size(%u)", "get_global_offset(%u)"};
    const char *format = uniform ? group[random_below(t, 5)] : own[random_below(t, 2)];
    const unsigned d = random_below(t, 3);
    for (const char *p = format; *p; p++) {
        if (*p == '%')
            random_print(t, "%u", d), p++;
        else
            fputc(*p, t->out);
    }
}

static void place(struct random_text *t, bool uniform) {
    static const char *const own[] = {"lid", "pb", "grp", "ls"};
    if (random_chance(t, 40))
        work_item_function(t, uniform);
    else
        random_print(t, "%s", own[uniform ? 1 + random_below(t, 3) : random_below(t, 4)]);
}

static void scalar_literal(struct random_text *t, enum random_type type) {
    static const char *const reals[] = {"0.0f",    "1.0f", "-0.5f",  "3.25f",  "1.0e-3f",
                                        "-7.0e8f", "0.1f", "2.5e9f", "1e-40f", "65537.0f"};
    const unsigned shift = random_chance(t, 60) ? 24 : random_below(t, 32);
    if (type == RANDOM_FLOAT || type == RANDOM_DOUBLE)
        random_print(t, "(%s)%s", random_type_name[type], reals[random_below(t, 10)]);
    else
        random_print(t, "(%s)%uu", random_type_name[type], (uint32_t)seed_next(&t->seed) >> shift);
}

enum random_type random_cell(struct random_text *t, const char *name) {
    static const struct {
        char member;
        unsigned last;
        enum random_type type;
    } members[] = {
        {'w', 1, RANDOM_UINT}, {'b', 7, RANDOM_UCHAR}, {'h', 3, RANDOM_SHORT}, {'l', 0, RANDOM_ULONG}};
    const unsigned m = random_below(t, 4);
    random_print(t, "%s.%c", name, members[m].member);
    if (members[m].last != 0) {
        random_print(t, "[");
        random_expression(t, RANDOM_UINT, random_below(t, 2), false);
        random_print(t, " & %uu]", members[m].last);
    }
    return members[m].type;
}

static void union_part(struct random_text *t, const char *name) {
    if (random_chance(t, 20))
        random_print(t, "float_bits(%s.f)", name);
    else
        random_cell(t, name);
}

static void structure_part(struct random_text *t, const char *name) {
    static const char *const formats[] = {"%s.a", "%s.d[1]", "%s.e", "digest(%s)"};
    random_print(t, formats[random_below(t, 4)], name);
}

/* Prints an integer part: an element of an array, a member, a component, or the target of a pointer. */
static bool part(struct random_text *t) {
    const struct random_variable *v = random_variable(t, RANDOM_INT4, RANDOM_GLOBAL_POINTER, false, false);
    if (!v || v->type == RANDOM_FLOAT2) return false;
    switch (v->type) {
    case RANDOM_INT4: random_print(t, "%s.%c", v->name, "xyzw"[random_below(t, 4)]); return true;
    case RANDOM_STRUCT: structure_part(t, v->name); return true;
    case RANDOM_UNION: union_part(t, v->name); return true;
    case RANDOM_POINTER: random_print(t, "*%s", v->name); return true;
    default: break;
    }
    random_print(t, "%s[", v->name);
    random_expression(t, RANDOM_UINT, 1, false);
    random_print(t, " & %uu]", v->type == RANDOM_ARRAY ? 7u : 31u);
    return true;
}

static void leaf(struct random_text *t, enum random_type type, bool uniform) {
    const struct random_variable *v = random_variable(t, type, type, uniform, false);
    const unsigned kind = random_below(t, 100);
    if (v && kind < 55) {
        random_print(t, "%s", v->name);
    } else if (kind < 65 && (v = random_variable(t, RANDOM_CHAR, RANDOM_ULONG, uniform, false))) {
        random_print(t, "(%s)%s", random_type_name[type], v->name);
    } else if (kind < 75) {
        random_print(t, "(%s)", random_type_name[type]);
        place(t, uniform);
    } else if (kind < 85) {
        random_print(t, "(%s)(int)in[%u]", random_type_name[type], random_below(t, RANDOM_INPUT_WORDS));
    } else if (kind < 95 && !uniform) {
        random_print(t, "(%s)", random_type_name[type]);
        if (!part(t)) random_print(t, "lid");
    } else {
        scalar_literal(t, type);
    }
}

/* --- operations --- */

static void integer_operation(struct random_text *t, enum random_type type, unsigned depth, bool uniform) {
    static const char *const narrow[] = {"((uint)@ + (uint)@)",
                                         "((uint)@ - (uint)@)",
                                         "((uint)@ * (uint)@)",
                                         "((uint)@ << ((uint)@ & 31u))",
                                         "((uint)@ >> ((uint)@ & 31u))",
                                         "((int)@ >> ((int)@ & 31))",
                                         "((uint)@ / ((uint)@ | 1u))",
                                         "((int)@ / (int)(((uint)@ & 127u) + 1u))",
                                         "((uint)@ % ((uint)@ | 1u))",
                                         "((int)@ % (int)(((uint)@ & 31u) + 3u))",
                                         "rotate((uint)@, (uint)@)",
                                         "clz((uint)@)",
                                         "mul_hi((int)@, (int)@)",
                                         "mul_hi((uint)@, (uint)@)",
                                         "popcount((uint)@)"};
    static const char *const wider[] = {"((ulong)@ + (ulong)@)",
                                        "((ulong)@ - (ulong)@)",
                                        "((ulong)@ * (ulong)@)",
                                        "((ulong)@ << ((ulong)@ & 63u))",
                                        "((ulong)@ >> ((ulong)@ & 63u))",
                                        "((long)@ >> ((long)@ & 63))",
                                        "((long)@ / (long)(((ulong)@ & 1023u) + 1u))",
                                        "((ulong)@ % ((ulong)@ | 1u))"};
    static const char *const either[] = {"(@ & @)",       "(@ | @)",      "(@ ^ @)",        "(~@)",
                                         "min(@, @)",     "max(@, @)",    "abs_diff(@, @)", "hadd(@, @)",
                                         "add_sat(@, @)", "sub_sat(@, @)"};
    const char *format = either[random_below(t, 10)];
    if (random_chance(t, 70)) format = wide(type) ? wider[random_below(t, 8)] : narrow[random_below(t, 15)];
    random_print(t, "(%s)", random_type_name[type]);
    fill(t, format, type, depth, uniform);
}

static void real_operation(struct random_text *t, enum random_type type, unsigned depth, bool uniform) {
    static const char *const formats[] = {"(@ + @)",     "(@ - @)",    "(@ * @)",       "(@ / @)",
                                          "(-@)",        "fabs(@)",    "sqrt(fabs(@))", "floor(@)",
                                          "(@ * @ + @)", "(@ - @ * @)"};
    fill(t, formats[random_below(t, 10)], type, depth, uniform);
}

/* Prints a conversion from one type to another. */
static void conversion(struct random_text *t, enum random_type type, unsigned depth, bool uniform) {
    const enum random_type from = (enum random_type)random_below(t, RANDOM_DOUBLE + 1);
    const bool to_real = type == RANDOM_FLOAT || type == RANDOM_DOUBLE;
    random_print(t, "(%s)", random_type_name[type]);
    if (!to_real && (from == RANDOM_FLOAT || from == RANDOM_DOUBLE)) {
        random_print(t, random_chance(t, 50) ? "float_int((float)" : "float_bits((float)");
        random_expression(t, from, depth, uniform);
        random_print(t, ")");
    } else {
        random_expression(t, from, depth, uniform);
    }
}

static void choice(struct random_text *t, enum random_type type, unsigned depth, bool uniform) {
    random_print(t, "(%s)(", random_type_name[type]); /* otherwise C would promote two chars to int */
    random_condition(t, depth, uniform);
    random_print(t, " ? ");
    random_expression(t, type, depth, uniform);
    random_print(t, " : ");
    random_expression(t, type, depth, uniform);
    random_print(t, ")");
}

static void scalar(struct random_text *t, enum random_type type, unsigned depth, bool uniform) {
    const bool real = type == RANDOM_FLOAT || type == RANDOM_DOUBLE;
    const unsigned kind = random_below(t, 100);
    if (kind < 15) {
        leaf(t, type, uniform);
    } else if (kind < 65) {
        (real ? real_operation : integer_operation)(t, type, depth - 1, uniform);
    } else if (kind < 78) {
        conversion(t, type, depth - 1, uniform);
    } else if (kind < 88) {
        choice(t, type, depth - 1, uniform);
    } else if (kind < 94 || uniform || !t->shared) {
        random_print(t, "(%s)(int)in[", random_type_name[type]);
        random_expression(t, RANDOM_UINT, depth - 1, uniform);
        random_print(t, " & %uu]", RANDOM_INPUT_WORDS - 1);
    } else {
        random_print(t, "(%s)%s[", random_type_name[type], t->shared);
        random_expression(t, RANDOM_UINT, depth - 1, uniform);
        random_print(t, " %% ls]");
    }
}

static void vector(struct random_text *t, enum random_type type, unsigned depth, bool uniform) {
    static const char *const int4[] = {"as_int4(as_uint4(@) + as_uint4(@))",
                                       "as_int4(as_uint4(@) * as_uint4(@))",
                                       "(@ ^ @)",
                                       "(@ & @)",
                                       "(@ < @)",
                                       "@.wzyx",
                                       "@.xxzw",
                                       "select(@, @, @)"};
    static const char *const float2[] = {"(@ + @)", "(@ * @)", "(@ - @)", "@.yx", "fabs(@)", "(@ / @)"};
    const struct random_variable *v = random_variable(t, type, type, uniform, false);
    if (v && (depth == 0 || random_chance(t, 30))) {
        random_print(t, "%s", v->name);
    } else if (depth == 0 || random_chance(t, 30)) {
        const bool four = type == RANDOM_INT4;
        random_print(t, "(%s)(", random_type_name[type]);
        for (unsigned i = 0; i < (four ? 4 : 2); i++) {
            if (i) random_print(t, ", ");
            leaf(t, four ? RANDOM_INT : RANDOM_FLOAT, uniform);
        }
        random_print(t, ")");
    } else {
        fill(t, type == RANDOM_INT4 ? int4[random_below(t, 8)] : float2[random_below(t, 6)], type, depth - 1,
             uniform);
    }
}

void random_expression(struct random_text *t, enum random_type type, unsigned depth, bool uniform) {
    random_print(t, "(");
    if (type == RANDOM_INT4 || type == RANDOM_FLOAT2)
        vector(t, type, depth, uniform);
    else if (depth == 0)
        leaf(t, type, uniform);
    else
        scalar(t, type, depth, uniform);
    random_print(t, ")");
}

void random_condition(struct random_text *t, unsigned depth, bool uniform) {
    static const char *const formats[] = {"(@ < @)",
                                          "(@ >= @)",
                                          "(@ == @)",
                                          "(@ != @)",
                                          "(@ & 1)",
                                          "(@ & 6)",
                                          "((@ < @) && (@ > 3))",
                                          "((@ & 4) || (@ < @))"};
    static const enum random_type types[] = {RANDOM_INT, RANDOM_UINT, RANDOM_UCHAR, RANDOM_LONG};
    if (random_chance(t, 12))
        fill(t, formats[random_below(t, 4)], RANDOM_FLOAT, depth, uniform);
    else
        fill(t, formats[random_below(t, 8)], types[random_below(t, 4)], depth, uniform);
}

void random_bits(struct random_text *t, unsigned depth) {
    const enum random_type type = (enum random_type)random_below(t, RANDOM_VALUES);
    static const char *const format[RANDOM_VALUES] = {
        [RANDOM_LONG] = "fold((ulong)@)",    [RANDOM_ULONG] = "fold(@)",
        [RANDOM_FLOAT] = "float_bits(@)",    [RANDOM_DOUBLE] = "fold(double_bits(@))",
        [RANDOM_INT4] = "(uint)(@.x ^ @.w)", [RANDOM_FLOAT2] = "float_bits(@.y)"};
    fill(t, format[type] ? format[type] : "(uint)@", type, depth, false);
}

/*
 * device library, completeness: calls of every built-in function of OpenCL C 1.2 (6.2.3, 6.2.4, 6.12), for
 * every listed type, vector width and address space, compile, link, and have the result's type. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define SIGNED   "char short int long"
#define UNSIGNED "uchar ushort uint ulong"
#define INTEGERS SIGNED " " UNSIGNED
#define FLOATS   "float double"
#define ALL      INTEGERS " " FLOATS
#define WIDTHS   "1 2 3 4 8 16"

/* A function for each of some element types and widths. In the signature a capital letter is a type:
 *   T the generic type   S its element        U the same, unsigned       W twice as wide, upsample's result
 *   N int of that width  G, H signed and unsigned integers of the same size
 *   B a comparison's result: int for a scalar, G for a vector             @ a pointer into each
 * address space */
struct row {
    const char *types, *widths, *signature;
};

static const struct row math[] = {
#define M(name) {FLOATS, WIDTHS, "T " name "(T)"},
    M("acos") M("acosh") M("acospi") M("asin") M("asinh") M("asinpi") M("atan") M("atanh") M("atanpi")
        M("cbrt") M("ceil") M("cos") M("cosh") M("cospi") M("erfc") M("erf") M("exp") M("exp2") M("exp10")
            M("expm1") M("fabs") M("floor") M("lgamma") M("log") M("log2") M("log10") M("log1p") M("logb")
                M("rint") M("round") M("rsqrt") M("sin") M("sinh") M("sinpi") M("sqrt") M("tan") M("tanh")
                    M("tanpi") M("tgamma") M("trunc")
#undef M
#define M(name) {FLOATS, WIDTHS, "T " name "(T, T)"},
                        M("atan2") M("atan2pi") M("copysign") M("fdim") M("fmax") M("fmin") M("fmod")
                            M("hypot") M("maxmag") M("minmag") M("nextafter") M("pow") M("powr")
                                M("remainder")
#undef M
                                    {FLOATS, WIDTHS, "T fmax(T, S)"},
    {FLOATS, WIDTHS, "T fmin(T, S)"},
    {FLOATS, WIDTHS, "T fma(T, T, T)"},
    {FLOATS, WIDTHS, "T mad(T, T, T)"},
    {FLOATS, WIDTHS, "T fract(T, @T)"},
    {FLOATS, WIDTHS, "T frexp(T, @N)"},
    {FLOATS, WIDTHS, "N ilogb(T)"},
    {FLOATS, WIDTHS, "T ldexp(T, N)"},
    {FLOATS, WIDTHS, "T ldexp(T, int)"},
    {FLOATS, WIDTHS, "T lgamma_r(T, @N)"},
    {FLOATS, WIDTHS, "T modf(T, @T)"},
    {FLOATS, WIDTHS, "T nan(H)"},
    {FLOATS, WIDTHS, "T pown(T, N)"},
    {FLOATS, WIDTHS, "T remquo(T, T, @N)"},
    {FLOATS, WIDTHS, "T rootn(T, N)"},
    {FLOATS, WIDTHS, "T sincos(T, @T)"},
#define M(name) {"float", WIDTHS, "T native_" name "(T)"}, {"float", WIDTHS, "T half_" name "(T)"},
    M("cos") M("exp") M("exp2") M("exp10") M("log") M("log2") M("log10") M("recip") M("rsqrt") M("sin")
        M("sqrt") M("tan")
#undef M
#define M(name) {"float", WIDTHS, "T native_" name "(T, T)"}, {"float", WIDTHS, "T half_" name "(T, T)"},
            M("divide") M("powr")
#undef M
};

static const struct row integers[] = {
    {INTEGERS, WIDTHS, "U abs(T)"},
    {INTEGERS, WIDTHS, "U abs_diff(T, T)"},
    {INTEGERS, WIDTHS, "T add_sat(T, T)"},
    {INTEGERS, WIDTHS, "T hadd(T, T)"},
    {INTEGERS, WIDTHS, "T rhadd(T, T)"},
    {INTEGERS, WIDTHS, "T clamp(T, T, T)"},
    {INTEGERS, WIDTHS, "T clamp(T, S, S)"},
    {INTEGERS, WIDTHS, "T clz(T)"},
    {INTEGERS, WIDTHS, "T mad_hi(T, T, T)"},
    {INTEGERS, WIDTHS, "T mad_sat(T, T, T)"},
    {INTEGERS, WIDTHS, "T max(T, T)"},
    {INTEGERS, WIDTHS, "T max(T, S)"},
    {INTEGERS, WIDTHS, "T min(T, T)"},
    {INTEGERS, WIDTHS, "T min(T, S)"},
    {INTEGERS, WIDTHS, "T mul_hi(T, T)"},
    {INTEGERS, WIDTHS, "T rotate(T, T)"},
    {INTEGERS, WIDTHS, "T sub_sat(T, T)"},
    {INTEGERS, WIDTHS, "T popcount(T)"},
    {"char uchar short ushort int uint", WIDTHS, "W upsample(T, U)"},
    {"int uint", WIDTHS, "T mad24(T, T, T)"},
    {"int uint", WIDTHS, "T mul24(T, T)"},
};

static const struct row common_and_geometric[] = {
    {FLOATS, WIDTHS, "T clamp(T, T, T)"},
    {FLOATS, WIDTHS, "T clamp(T, S, S)"},
    {FLOATS, WIDTHS, "T degrees(T)"},
    {FLOATS, WIDTHS, "T max(T, T)"},
    {FLOATS, WIDTHS, "T max(T, S)"},
    {FLOATS, WIDTHS, "T min(T, T)"},
    {FLOATS, WIDTHS, "T min(T, S)"},
    {FLOATS, WIDTHS, "T mix(T, T, T)"},
    {FLOATS, WIDTHS, "T mix(T, T, S)"},
    {FLOATS, WIDTHS, "T radians(T)"},
    {FLOATS, WIDTHS, "T step(T, T)"},
    {FLOATS, WIDTHS, "T step(S, T)"},
    {FLOATS, WIDTHS, "T smoothstep(T, T, T)"},
    {FLOATS, WIDTHS, "T smoothstep(S, S, T)"},
    {FLOATS, WIDTHS, "T sign(T)"},
    {FLOATS, "3 4", "T cross(T, T)"},
    {FLOATS, "1 2 3 4", "S dot(T, T)"},
    {FLOATS, "1 2 3 4", "S distance(T, T)"},
    {FLOATS, "1 2 3 4", "S length(T)"},
    {FLOATS, "1 2 3 4", "T normalize(T)"},
    {"float", "1 2 3 4", "S fast_distance(T, T)"},
    {"float", "1 2 3 4", "S fast_length(T)"},
    {"float", "1 2 3 4", "T fast_normalize(T)"},
};

static const struct row relational[] = {
#define M(name) {FLOATS, WIDTHS, "B " name "(T, T)"},
    M("isequal") M("isnotequal") M("isgreater") M("isgreaterequal") M("isless") M("islessequal")
        M("islessgreater") M("isordered") M("isunordered")
#undef M
#define M(name) {FLOATS, WIDTHS, "B " name "(T)"},
            M("isfinite") M("isinf") M("isnan") M("isnormal") M("signbit")
#undef M
                {SIGNED, WIDTHS, "int any(T)"},
    {SIGNED, WIDTHS, "int all(T)"},
    {ALL, WIDTHS, "T bitselect(T, T, T)"},
    {ALL, WIDTHS, "T select(T, T, G)"},
    {ALL, WIDTHS, "T select(T, T, H)"},
};

static const struct row copies[] = {
    {ALL, WIDTHS, "event_t async_work_group_copy(local T *, const global T *, size_t, event_t)"},
    {ALL, WIDTHS, "event_t async_work_group_copy(global T *, const local T *, size_t, event_t)"},
    {ALL, WIDTHS,
     "event_t async_work_group_strided_copy(local T *, const global T *, size_t, size_t, event_t)"},
    {ALL, WIDTHS,
     "event_t async_work_group_strided_copy(global T *, const local T *, size_t, size_t, event_t)"},
    {ALL, WIDTHS, "void prefetch(const global T *, size_t)"},
    {"char", "1", "void wait_group_events(int, event_t *)"},
};

/* --- types --- */

static const struct {
    const char *name, *as_unsigned, *same_signed, *same_unsigned, *wider;
    unsigned bytes;
} elements[] = {
    {"char", "uchar", "char", "uchar", "short", 1},   {"uchar", "uchar", "char", "uchar", "ushort", 1},
    {"short", "ushort", "short", "ushort", "int", 2}, {"ushort", "ushort", "short", "ushort", "uint", 2},
    {"int", "uint", "int", "uint", "long", 4},        {"uint", "uint", "int", "uint", "ulong", 4},
    {"long", "ulong", "long", "ulong", NULL, 8},      {"ulong", "ulong", "long", "ulong", NULL, 8},
    {"float", NULL, "int", "uint", NULL, 4},          {"double", NULL, "long", "ulong", NULL, 8},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };
static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
enum { WIDTH_COUNT = 6 };
static const char *const spaces[] = {"global", "local", "private"};

/* Returns whether a word is in a list of words. */
static bool has_word(const char *list, const char *word) {
    const size_t n = strlen(word);
    for (const char *p = list; (p = strstr(p, word)); p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == 0 || p[n] == ' ')) return true;
    return false;
}

struct instance {
    unsigned element, width, space;
};

/* Prints the type of a letter of a signature. Returns false if the letter is no type. */
static bool put_letter(FILE *f, char letter, const struct instance *i) {
    const char *const n = widths[i->width];
    const char *name = elements[i->element].name;
    switch (letter) {
    case 'T': break;
    case 'S': fputs(name, f); return true;
    case 'N': name = "int"; break;
    case 'U': name = elements[i->element].as_unsigned; break;
    case 'G': name = elements[i->element].same_signed; break;
    case 'H': name = elements[i->element].same_unsigned; break;
    case 'W': name = elements[i->element].wider; break;
    case 'B': name = i->width == 0 ? "int" : elements[i->element].same_signed; break;
    default: return false;
    }
    fprintf(f, "%s%s", name, n);
    return true;
}

/* Prints a type from the signature, up to a character of `ends`. Returns the rest. */
static const char *put_type(FILE *f, const char *p, const char *ends, const struct instance *i) {
    bool pointer = false;
    for (; !strchr(ends, *p); p++) {
        if (*p == '@') {
            fprintf(f, "%s ", spaces[i->space]);
            pointer = true;
        } else if ((p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z') || !put_letter(f, *p, i)) {
            fputc(*p, f);
        }
    }
    if (pointer) fputs(" *", f);
    return p;
}

static unsigned functions;

/* void tN(RESULT *r, A a0, B a1) { RESULT x = name(a0, a1); … }: the result's type must be the function's
 * own. */
static void put_call(FILE *f, const char *signature, const struct instance *i) {
    const char *name = strchr(signature, ' ') + 1, *p = strchr(name, '(') + 1;
    const bool nothing = !strncmp(signature, "void ", 5), event = !strncmp(signature, "event_t ", 8);
    unsigned arguments = 0;
    fprintf(f, "void t%u(", functions++);
    if (!nothing && !event) {
        fputs("private ", f);
        put_type(f, signature, " ", i);
        fputs(*p != ')' ? " *r, " : " *r", f);
    }
    for (; *p != ')'; arguments++) {
        p = put_type(f, p, ",)", i);
        fprintf(f, " a%u", arguments);
        if (*p != ',') continue;
        fputs(", ", f);
        p += 2;
    }
    fputs(") { ", f);
    if (!nothing) {
        fputs("__auto_type x = ", f);
    }
    fprintf(f, "%.*s(", (int)strcspn(name, "("), name);
    for (unsigned a = 0; a < arguments; a++) fprintf(f, "%sa%u", a ? ", " : "", a);
    fputs(nothing ? "); }\n" : event ? "); (void)x; }\n" : "); __typeof__(x) *q = r; *q = x; }\n", f);
}

static void put_rows(FILE *f, const struct row *rows, size_t count) {
    for (size_t r = 0; r < count; r++)
        for (unsigned e = 0; e < ELEMENTS; e++) {
            if (!has_word(rows[r].types, elements[e].name)) continue;
            for (unsigned w = 0; w < WIDTH_COUNT; w++) {
                if (!has_word(rows[r].widths, w ? widths[w] : "1")) continue;
                for (unsigned s = 0; s < (strchr(rows[r].signature, '@') ? 3 : 1); s++)
                    put_call(f, rows[r].signature, &(struct instance){e, w, s});
            }
        }
}

/* --- functions whose names hold a type --- */

static void put_one(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_one(FILE *f, const char *format, ...) {
    char signature[256];
    va_list list;
    va_start(list, format);
    vsnprintf(signature, sizeof signature, format, list);
    va_end(list);
    put_call(f, signature, &(struct instance){0, 0, 0});
}

static bool is_floating(unsigned element) {
    return elements[element].name[0] == 'f' || elements[element].name[0] == 'd';
}

static void put_conversions(FILE *f) {
    static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
    for (unsigned d = 0; d < ELEMENTS; d++)
        for (unsigned s = 0; s < ELEMENTS; s++)
            for (unsigned w = 0; w < WIDTH_COUNT; w++)
                for (unsigned m = 0; m < 5; m++)
                    for (unsigned sat = 0; sat < (is_floating(d) ? 1 : 2); sat++)
                        put_one(f, "%s%s convert_%s%s%s%s(%s%s)", elements[d].name, widths[w],
                                elements[d].name, widths[w], sat ? "_sat" : "", modes[m], elements[s].name,
                                widths[w]);
}

/* Every pair of types of the same size; three elements count as four, and as three. */
static void put_reinterpretations(FILE *f) {
    static const unsigned counts[] = {1, 2, 4, 4, 8, 16};
    for (unsigned d = 0; d < ELEMENTS; d++)
        for (unsigned s = 0; s < ELEMENTS; s++)
            for (unsigned dw = 0; dw < WIDTH_COUNT; dw++)
                for (unsigned sw = 0; sw < WIDTH_COUNT; sw++)
                    if (counts[dw] * elements[d].bytes == counts[sw] * elements[s].bytes &&
                        (dw != 2 || sw == 2 || counts[sw] == 4))
                        put_one(f, "%s%s as_%s%s(%s%s)", elements[d].name, widths[dw], elements[d].name,
                                widths[dw], elements[s].name, widths[sw]);
}

static void put_vector_data(FILE *f) {
    static const char *const load_spaces[] = {"global", "local", "private", "constant"};
    for (unsigned e = 0; e < ELEMENTS; e++)
        for (unsigned w = 1; w < WIDTH_COUNT; w++)
            for (unsigned s = 0; s < 4; s++) {
                const char *t = elements[e].name, *n = widths[w];
                put_one(f, "%s%s vload%s(size_t, const %s %s *)", t, n, n, load_spaces[s], t);
                if (s < 3) put_one(f, "void vstore%s(%s%s, size_t, %s %s *)", n, t, n, load_spaces[s], t);
            }
    for (unsigned e = 0; e < ELEMENTS; e++)
        for (unsigned w = 1; w < WIDTH_COUNT; w++)
            for (unsigned m = 1; m < WIDTH_COUNT; m++) {
                const char *t = elements[e].name, *n = widths[w], *u = elements[e].same_unsigned;
                if (w == 2 || m == 2) continue; /* none with three elements */
                put_one(f, "%s%s shuffle(%s%s, %s%s)", t, n, t, widths[m], u, n);
                put_one(f, "%s%s shuffle2(%s%s, %s%s, %s%s)", t, n, t, widths[m], t, widths[m], u, n);
            }
}

static void put_halves(FILE *f) {
    static const char *const load_spaces[] = {"global", "local", "private", "constant"};
    static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
    for (unsigned w = 0; w < WIDTH_COUNT; w++)
        for (unsigned s = 0; s < 4; s++) {
            const char *n = widths[w], *space = load_spaces[s];
            put_one(f, "float%s vload_half%s(size_t, const %s half *)", n, n, space);
            if (w) put_one(f, "float%s vloada_half%s(size_t, const %s half *)", n, n, space);
            for (unsigned m = 0; s < 3 && m < 10; m++) {
                const char *t = m < 5 ? "float" : "double";
                put_one(f, "void vstore_half%s%s(%s%s, size_t, %s half *)", n, modes[m % 5], t, n, space);
                if (w)
                    put_one(f, "void vstorea_half%s%s(%s%s, size_t, %s half *)", n, modes[m % 5], t, n,
                            space);
            }
        }
}

static void put_atomics(FILE *f) {
    static const char *const two[] = {"add", "sub", "xchg", "min", "max", "and", "or", "xor"};
    static const char *const types[][2] = {{"int", "atomic"}, {"uint", "atomic"}, {"int", "atom"},
                                           {"uint", "atom"},  {"long", "atom"},   {"ulong", "atom"}};
    for (unsigned k = 0; k < 12; k++) {
        const char *t = types[k / 2][0], *prefix = types[k / 2][1], *space = k & 1 ? "local" : "global";
        for (unsigned i = 0; i < 8; i++)
            put_one(f, "%s %s_%s(volatile %s %s *, %s)", t, prefix, two[i], space, t, t);
        put_one(f, "%s %s_inc(volatile %s %s *)", t, prefix, space, t);
        put_one(f, "%s %s_dec(volatile %s %s *)", t, prefix, space, t);
        put_one(f, "%s %s_cmpxchg(volatile %s %s *, %s, %s)", t, prefix, space, t, t, t);
    }
    put_one(f, "float atomic_xchg(volatile global float *, float)");
    put_one(f, "float atomic_xchg(volatile local float *, float)");
}

static void put_the_rest(FILE *f) {
    static const char *const ids[] = {"global_size", "global_id", "local_size",   "local_id",
                                      "num_groups",  "group_id",  "global_offset"};
    static const char *const images[] = {"read_only image2d_t", "write_only image2d_t"};
    static const char *const queries[] = {"width", "height", "channel_data_type", "channel_order"};
    static const char *const reads[][2] = {{"float4", "f"}, {"int4", "i"}, {"uint4", "ui"}};
    put_one(f, "uint get_work_dim()");
    for (unsigned i = 0; i < 7; i++) put_one(f, "size_t get_%s(uint)", ids[i]);
    put_one(f, "void barrier(cl_mem_fence_flags)");
    put_one(f, "void mem_fence(cl_mem_fence_flags)");
    put_one(f, "void read_mem_fence(cl_mem_fence_flags)");
    put_one(f, "void write_mem_fence(cl_mem_fence_flags)");
    for (unsigned i = 0; i < 3; i++) {
        const char *t = reads[i][0], *name = reads[i][1];
        put_one(f, "%s read_image%s(read_only image2d_t, sampler_t, int2)", t, name);
        put_one(f, "%s read_image%s(read_only image2d_t, sampler_t, float2)", t, name);
        put_one(f, "%s read_image%s(read_only image2d_t, int2)", t, name);
        put_one(f, "void write_image%s(write_only image2d_t, int2, %s)", name, t);
    }
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned q = 0; q < 4; q++) put_one(f, "int get_image_%s(%s)", queries[q], images[i]);
        put_one(f, "int2 get_image_dim(%s)", images[i]);
    }
    for (unsigned e = 0; e < ELEMENTS; e++)
        for (unsigned w = 0; w < WIDTH_COUNT; w++)
            put_one(f, "uint vec_step(%s%s)", elements[e].name, widths[w]);
}

/* --- tests --- */

static char *folder;

static struct spawned compile_text(const char *name, const char *text) {
    char *path = spawn_text("%s/%s.cl", folder, name),
         *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    spawn_write(path, text);
    struct spawned s =
        spawn(folder, (char *[]){compiler, "--no-cache", "--options=-Werror", "-o", "image", path, NULL});
    free(path);
    free(compiler);
    return s;
}

/* Compiles the source printed by `put`: lockstep-cc refuses calls of functions that the library lacks. */
static void compile(const char *name, void (*put)(FILE *)) {
    char *text = NULL;
    size_t size;
    const unsigned before = functions;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    put(f);
    fputs("kernel void k(global int *a) { a[0] = 1; }\n", f);
    assert_int_equal(fclose(f), 0);
    struct spawned s = compile_text(name, text);
    if (s.status != 0) fail_msg("%s: status %d\n%s", name, s.status, s.err);
    print_message("%s: %u functions\n", name, functions - before);
    spawn_free(&s);
    free(text);
}

#define ROWS(list)                                                                                           \
    static void put_##list(FILE *f) {                                                                        \
        put_rows(f, list, sizeof list / sizeof *list);                                                       \
    }
ROWS(math)
ROWS(integers)
ROWS(common_and_geometric)
ROWS(relational)
ROWS(copies)

#define TEST(name)                                                                                           \
    static void test_##name(void **state) {                                                                  \
        (void)state;                                                                                         \
        compile(#name, put_##name);                                                                          \
    }
TEST(math)
TEST(integers)
TEST(common_and_geometric)
TEST(relational)
TEST(copies)
TEST(conversions)
TEST(reinterpretations)
TEST(vector_data)
TEST(halves)
TEST(atomics)
TEST(the_rest)

/* The check itself: a function that is nowhere is missed, and so is a result of another type. */
static void test_mistakes_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *source, *said;
    } mistakes[] = {
        {"float4 no_such(float4);\nvoid t(float4 *a) { *a = no_such(*a); }\n",
         "the function 'no_such' is defined neither"},
        {"void t(float *r, float a) { __auto_type x = ilogb(a); __typeof__(x) *q = r; *q = x; }\n",
         "incompatible pointer types"}};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct spawned s = compile_text("mistake", mistakes[i].source);
        assert_int_equal(s.status, 1);
        assert_non_null(strstr(s.err, mistakes[i].said));
        spawn_free(&s);
    }
}

static int begin(void **state) {
    (void)state;
    folder = spawn_folder();
    return 0;
}
static int end(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_math),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_common_and_geometric),
        cmocka_unit_test(test_relational),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_reinterpretations),
        cmocka_unit_test(test_vector_data),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_the_rest),
        cmocka_unit_test(test_mistakes_are_seen),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

/*
 * device library: the floating-point functions, against the host's in long double, within OpenCL 1.2's
 * bounds. A table of every function's largest error is printed; the operands of the worst case where a bound
 * is broken.
 */
#include "tests/device/runner.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CALLS = 3000, VECTOR_CALLS = 300 };

/* --- references the host does not have --- */
static const long double pi = 3.14159265358979323846264338327950288L;

static long double rsqrtl(long double a) {
    return 1 / sqrtl(a);
}
static long double acospil(long double a) {
    return acosl(a) / pi;
}
static long double asinpil(long double a) {
    return asinl(a) / pi;
}
static long double atanpil(long double a) {
    return atanl(a) / pi;
}
static long double atan2pil(long double a, long double b) {
    return atan2l(a, b) / pi;
}
static long double sinpil(long double a) {
    const long double r = a - 2 * rintl(a / 2);
    return sinl(pi * (fabsl(r) > 0.5L ? copysignl(1, r) - r : r));
}
static long double cospil(long double a) {
    const long double r = fabsl(a - 2 * rintl(a / 2));
    return r < 0.25L ? cosl(pi * r) : sinl(pi * (0.5L - r));
}
static long double tanpil(long double a) {
    return sinpil(a) / cospil(a);
}
static long double maxmagl(long double a, long double b) {
    return fabsl(a) > fabsl(b) ? a : fabsl(b) > fabsl(a) ? b : fmaxl(a, b);
}
static long double minmagl(long double a, long double b) {
    return fabsl(a) < fabsl(b) ? a : fabsl(b) < fabsl(a) ? b : fminl(a, b);
}
static long double powrl(long double a, long double b) {
    const bool undefined =
        a < 0 || isnan(a) || isnan(b) || (b == 0 && (a == 0 || isinf(a))) || (a == 1 && isinf(b));
    return undefined ? (long double)NAN : powl(fabsl(a), b);
}
static long double pownl(long double a, long double n) {
    return powl(a, n);
}
static long double rootnl(long double a, long double n) {
    const bool odd = fmodl(n, 2) != 0;
    if (n == 0 || (a < 0 && !odd)) return (long double)NAN;
    const long double root = powl(fabsl(a), 1 / n);
    return odd ? copysignl(root, a) : root;
}
static long double ldexp_reference(long double a, long double n) {
    return scalbnl(a, (int)fmaxl(-40000, fminl(40000, n)));
}
static long double lengthl(long double a, long double b) {
    return sqrtl(a * a + b * b);
}
/* The host's powl(-inf, -0x1p63) is inf, which is wrong. */
static long double pow_reference(long double a, long double b) {
    return isinf(a) ? (long double)pow((double)a, (double)b) : powl(a, b);
}
#define ldexpl ldexp_reference
#define powl   pow_reference

/* --- errors in units of the last place --- */
struct format {
    int digits, min_exponent, max_exponent;
};
static const struct format formats[] = {[KIND_float] = {24, -126, 127}, [KIND_double] = {53, -1022, 1023}};

static double ulp_error(long double expected, long double got, const struct format *f) {
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got) ? 0 : INFINITY;
    if (expected == got) return 0;
    const long double beyond = scalbnl(1, f->max_exponent + 1);
    if (isinf(expected)) return INFINITY;
    if (isinf(got)) got = copysignl(beyond, got);
    if (fabsl(expected) > beyond) expected = copysignl(beyond, expected);
    if (expected == got) return 0;
    const int exponent = expected == 0 ? f->min_exponent : ilogbl(expected);
    const int last = (exponent < f->min_exponent ? f->min_exponent : exponent) - f->digits + 1;
    return (double)(fabsl(got - expected) / scalbnl(1, last));
}

static unsigned broken;

static void report(enum function_id id, double worst, double bound, unsigned at) {
    const struct function *f = &functions[id];
    const struct calls *c = &calls[id];
    print_message("%-22s %8.3f of %5.1f ulp\n", f->name, worst, bound);
    if (worst <= bound) return;
    broken++;
    print_message("    %s(%La, %La) = %La\n", f->name, runner_value(c->a, f->a, at),
                  runner_value(c->b, f->b, at), runner_value(c->result, f->result, at));
}

static void check(enum function_id id, const long double *expected, double bound) {
    const struct function *f = &functions[id];
    const struct calls *c = &calls[id];
    double worst = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < c->n; i++) {
        const double error =
            ulp_error(expected[i], runner_value(c->result, f->result, i), &formats[f->result]);
        if (error > worst) worst = error, at = i;
    }
    report(id, worst, bound == 0 ? 0 : bound + 0.002, at);
}

static void check_1(enum function_id id, long double (*reference)(long double), double bound) {
    long double expected[CALLS];
    for (unsigned i = 0; i < CALLS; i++)
        expected[i] = reference(runner_value(calls[id].a, functions[id].a, i));
    check(id, expected, bound);
}

static void check_2(enum function_id id, long double (*reference)(long double, long double), double bound) {
    long double expected[CALLS];
    for (unsigned i = 0; i < CALLS; i++)
        expected[i] = reference(runner_value(calls[id].a, functions[id].a, i),
                                runner_value(calls[id].b, functions[id].b, i));
    check(id, expected, bound);
}

static void test_functions_within_their_bounds(void **state) {
    (void)state;
    broken = 0;
#define M(f, ulp) check_1(ID_##f##_float, f##l, ulp), check_1(ID_##f##_double, f##l, ulp);
    MATH_FUNCTIONS_1(M)
#undef M
#define M(f, ulp) check_2(ID_##f##_float, f##l, ulp), check_2(ID_##f##_double, f##l, ulp);
    MATH_FUNCTIONS_2(M)
    MATH_FUNCTIONS_INT(M)
#undef M
    check_1(ID_sincos_float, sinl, 4), check_1(ID_sincos_double, sinl, 4);
    check_1(ID_sincos_cosine_float, cosl, 4), check_1(ID_sincos_cosine_double, cosl, 4);
    check_1(ID_modf_whole_float, truncl, 0), check_1(ID_modf_whole_double, truncl, 0);
    assert_int_equal(broken, 0);
}

/* --- exact results --- */
static bool same_double(double a, double b) {
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

/* Operands of another type than T have type char in those rows and do not exist. */
#define OPERAND(id, T, which)                                                                                \
    (functions[ID_##id].which == functions[ID_##id].a ? ((const T *)calls[ID_##id].which)[i] : 0)
#define CHECK_EXACT(id, T, expected)                                                                         \
    for (unsigned i = 0; i < calls[ID_##id].n; i++) {                                                        \
        const T a = OPERAND(id, T, a), b = OPERAND(id, T, b), c = OPERAND(id, T, c);                         \
        (void)b, (void)c;                                                                                    \
        const double want = (double)(expected);                                                              \
        const double got = (double)runner_value(calls[ID_##id].result, functions[ID_##id].result, i);        \
        if (!same_double(want, got))                                                                         \
            fail_msg(#id "(%a, %a, %a) = %a, not %a", (double)a, (double)b, (double)c, got, want);           \
    }

static int exponent_of(double a) {
    return a == 0 ? -2147483647 - 1 : isfinite(a) ? ilogb(a) : 2147483647;
}
static double frexp_exponent(double a) {
    int e = 0;
    frexp(a, &e);
    return isfinite(a) ? e : 0;
}
static double part_of(double a) {
    double whole;
    return modf(a, &whole);
}
/* `part` is a − floor(a), rounded to the type. */
static double fract_of(double a, double part, double below_one) {
    return isinf(a) ? copysign(0, a) : part >= 1 ? below_one : part;
}
/* Returns the lower seven bits of the quotient, with its sign. The host's remquo() returns three. For up to
 * 128 divisors, the division has an error below one, which determines the others. */
static int quotient_of(double a, double b) {
    const double divisor = fabs(b), most = 128 * divisor, part = isinf(most) ? fabs(a) : fmod(fabs(a), most);
    int low = 0, q = (int)nearbyint(part / divisor);
    (void)remquo(part, divisor, &low);
    while ((q & 7) != (low & 7)) q += ((low - q) & 7) < 4 ? 1 : -1;
    return signbit(a) == signbit(b) ? q & 127 : -(q & 127);
}

static void test_exact_functions(void **state) {
    (void)state;
    CHECK_EXACT(fma_float, float, fmaf(a, b, c))
    CHECK_EXACT(fma_double, double, fma(a, b, c))
    CHECK_EXACT(nextafter_float, float, nextafterf(a, b))
    CHECK_EXACT(nextafter_double, double, nextafter(a, b))
#define BOTH(T, below_one)                                                                                   \
    CHECK_EXACT(ilogb_##T, T, exponent_of((double)a))                                                        \
    CHECK_EXACT(frexp_exponent_##T, T, frexp_exponent((double)a))                                            \
    CHECK_EXACT(frexp_##T, T, frexp((double)a, &(int){0}))                                                   \
    CHECK_EXACT(modf_##T, T, part_of((double)a))                                                             \
    CHECK_EXACT(fract_##T, T, fract_of((double)a, (double)(T)((double)a - floor((double)a)), below_one))     \
    CHECK_EXACT(remquo_##T, T, remainder((double)a, (double)b))                                              \
    CHECK_EXACT(isequal_##T, T, a == b)                                                                      \
    CHECK_EXACT(isless_##T, T, a < b)                                                                        \
    CHECK_EXACT(isunordered_##T, T, isnan(a) || isnan(b))                                                    \
    CHECK_EXACT(islessgreater_##T, T, a<b || a> b)                                                           \
    CHECK_EXACT(isnan_##T, T, isnan(a) != 0)                                                                 \
    CHECK_EXACT(isinf_##T, T, isinf(a) != 0)                                                                 \
    CHECK_EXACT(isfinite_##T, T, isfinite(a) != 0)                                                           \
    CHECK_EXACT(isnormal_##T, T, isnormal(a) != 0)                                                           \
    CHECK_EXACT(signbit_##T, T, signbit(a) != 0)
    BOTH(float, 0x1.fffffep-1)
    BOTH(double, 0x1.fffffffffffffp-1)
    for (unsigned i = 0; i < calls[ID_remquo_quotient_double].n; i++) {
        const double a = ((double *)calls[ID_remquo_quotient_double].a)[i],
                     b = ((double *)calls[ID_remquo_quotient_double].b)[i];
        if (!isfinite(a) || !isfinite(b) || b == 0) continue;
        assert_int_equal(((int *)calls[ID_remquo_quotient_double].result)[i], quotient_of(a, b));
    }
}

/* --- geometric functions: bounds of OpenCL 3.0, since 1.2 says none --- */

/* Fills components 0 to 2 from a, b, c, the last one first; the second vector of distance starts with b. */
static void components(long double *v, enum function_id id, unsigned i, unsigned first) {
    const struct calls *c = &calls[id];
    const void *const operands[3] = {c->a, c->b, c->c};
    static const unsigned order[4] = {0, 1, 2, 1};
    for (unsigned k = 0; k < 4; k++)
        v[k] = runner_value(operands[(order[k] + first) % 3], functions[id].a, i);
}

static long double length_of(const long double *v, unsigned n) {
    long double squares = 0;
    for (unsigned k = 0; k < n; k++) squares += v[k] * v[k];
    return sqrtl(squares);
}

static long double distance_of(enum function_id id, unsigned i, unsigned n) {
    long double v[4], w[4];
    components(v, id, i, 0), components(w, id, i, 1);
    for (unsigned k = 0; k < n; k++) v[k] -= w[k];
    return length_of(v, n);
}

/* Normalises a vector in place and returns the last component. A vector of length 0 is unchanged, an infinite
 * one points to its infinite components. */
static long double normalized(long double *v, unsigned n) {
    if (isinf(length_of(v, n)))
        for (unsigned k = 0; k < n; k++) v[k] = copysignl(isinf(v[k]) ? 1 : 0, v[k]);
    const long double length = length_of(v, n);
    return length == 0 ? v[0] : v[0] / length;
}

static void check_geometric(enum function_id length, unsigned n) {
    long double lengths[CALLS], distances[CALLS], directions[CALLS], v[4];
    const enum function_id distance = length + 1, normalize = length + 2;
    for (unsigned i = 0; i < CALLS; i++) {
        components(v, length, i, 0);
        lengths[i] = length_of(v, n);
        distances[i] = distance_of(distance, i, n);
        components(v, normalize, i, 0);
        directions[i] = normalized(v, n);
    }
    check(length, lengths, 2.75 + 0.5 * n);
    check(distance, distances, 2.5 + 2 * n);
    check(normalize, directions, 2 + n);
}

static void test_geometric_functions(void **state) {
    (void)state;
    broken = 0;
#define G(n, T) check_geometric(ID_length##n##_##T, n);
    EACH_COMPONENT_COUNT(G, float)
    EACH_COMPONENT_COUNT(G, double)
#undef G
    assert_int_equal(broken, 0);
}

/* Returns the sum of squares as the fast_ functions compute it, in the order of OpenCL's components. */
static float fast_squares(const long double *v, unsigned n) {
    float squares = 0;
    for (unsigned k = 1; k < n; k++) squares += (float)v[k] * (float)v[k];
    return squares + (float)v[0] * (float)v[0];
}

/* Checks fast_ functions. If the sum is neither subnormal nor infinite, results are within their error
 * bounds; otherwise they equal their formula, except for fast_normalize: for a subnormal sum, it returns the
 * vector, and for an infinite one any value. */
static void check_fast(enum function_id length, unsigned n) {
    const enum function_id distance = length + 1, normalize = length + 2;
    long double lengths[CALLS], distances[CALLS], directions[CALLS], v[4], w[4];
    for (unsigned i = 0; i < CALLS; i++) {
        components(v, length, i, 0);
        float squares = fast_squares(v, n);
        lengths[i] = isnormal(squares) ? length_of(v, n) : (long double)sqrtf(squares);
        components(v, distance, i, 0), components(w, distance, i, 1);
        for (unsigned k = 0; k < n; k++) v[k] = (long double)((float)v[k] - (float)w[k]);
        squares = fast_squares(v, n);
        distances[i] = isnormal(squares) ? distance_of(distance, i, n) : (long double)sqrtf(squares);
        components(v, normalize, i, 0);
        squares = fast_squares(v, n);
        directions[i] = squares < FLT_MIN ? v[0] : normalized(v, n);
        if (isinf(squares)) directions[i] = (long double)((float *)calls[normalize].result)[i];
    }
    check(length, lengths, 8191.5 + n);
    check(distance, distances, 8191.5 + 2 * n);
    check(normalize, directions, 8192 + n);
}

static void test_fast_geometric_functions(void **state) {
    (void)state;
    broken = 0;
#define G(n, ...) check_fast(ID_fast_length##n, n);
    EACH_COMPONENT_COUNT(G, )
#undef G
    assert_int_equal(broken, 0);
}

/* Every second vector has components of like size, so that each counts. */
static void relate_components(enum function_id id) {
    struct calls *c = &calls[id];
    for (unsigned i = 1; i < CALLS; i += 2) {
        const double y = (double)(runner_random() >> 11) * 0x1p-51 - 2,
                     z = (double)(runner_random() >> 11) * 0x1p-51 - 2;
        if (functions[id].a == KIND_float) {
            float *a = c->a, *b = c->b, *third = c->c;
            b[i] = (float)((double)a[i] * y), third[i] = (float)((double)a[i] * z);
        } else {
            double *a = c->a, *b = c->b, *third = c->c;
            b[i] = a[i] * y, third[i] = a[i] * z;
        }
    }
}

/* OpenCL does not bound lgamma's error; the test requires a useful accuracy away from zeros. */
static void test_lgamma_of_floats(void **state) {
    (void)state;
    for (unsigned i = 0; i < CALLS; i++) {
        const float a = ((float *)calls[ID_lgamma_float].a)[i],
                    got = ((float *)calls[ID_lgamma_float].result)[i];
        const float want = (float)lgamma((double)a);
        if (isfinite(want) ? fabsf(got - want) > 1e-7f * fmaxf(1e-3f, fabsf(want)) : got != want && a == a)
            fail_msg("lgamma(%a) = %a, not %a", (double)a, (double)got, (double)want);
    }
}

static void test_lgamma(void **state) {
    (void)state;
    for (unsigned i = 0; i < CALLS; i++) {
        const double a = ((double *)calls[ID_lgamma_double].a)[i],
                     got = ((double *)calls[ID_lgamma_double].result)[i];
        const double want = lgamma(a);
        if (!(a > -100)) continue;
        if (isfinite(want) ? fabs(got - want) > 1e-12 * fmax(1, fabs(want)) : got != want)
            fail_msg("lgamma(%a) = %a, not %a", a, got, want);
    }
}

/* Vector forms have the results of scalar ones. */
static void test_vectors(void **state) {
    (void)state;
    broken = 0;
    check_1(ID_vector_sin3, sinl, 4);
    check_1(ID_vector_sin16, sinl, 4);
    check_2(ID_vector_pown4, pownl, 16);
    check_2(ID_vector_length, lengthl, 3);
    assert_int_equal(broken, 0);
    CHECK_EXACT(vector_isless2, double, a < b ? -1 : 0)
    CHECK_EXACT(vector_select4, type_int, c < 0 ? b : a)
    CHECK_EXACT(scalar_select, type_int, c != 0 ? b : a)
    CHECK_EXACT(vector_any, type_int, (a < 0 || b < 0) + 2 * (a < 0 && b < 0))
    for (unsigned i = 0; i < CALLS; i++) {
        const struct calls *s = &calls[ID_vector_shuffle];
        const int table[8] = {((int *)s->a)[i], ((int *)s->b)[i], 7, 8, 9, 10, 11, 12};
        assert_int_equal(((int *)s->result)[i], table[((unsigned *)s->c)[i] % 8]);
        const struct calls *v = &calls[ID_vector_convert8];
        const float a = ((float *)v->a)[i];
        assert_int_equal(((uint8_t *)v->result)[i], a >= 255 ? 255 : a > 0 ? (int)rintf(a) : 0);
        const struct calls *d = &calls[ID_vector_dot];
        const float x = ((float *)d->a)[i], y = ((float *)d->b)[i], dot = x * y + y * x + 3 + 8;
        const float got = ((float *)d->result)[i];
        if (fabsf(x) < 100 && fabsf(y) < 100) assert_true(fabsf(got - dot) < 1e-2f);
    }
}

/* The same for every function and every width. */
static void test_vectors_give_what_scalars_do(void **state) {
    (void)state;
    unsigned different = 0;
    for (unsigned id = ID_half_from_double_rtn + 1; id < ID_vectors_wrong; id++)
        for (unsigned i = 0; i < VECTOR_CALLS; i++) {
            const unsigned mask = ((uint32_t *)calls[id].result)[i];
            if (mask == 0) continue;
            print_error("%s: widths %#x differ for %Lg, %Lg, %Lg\n", functions[id].name, mask,
                        runner_value(calls[id].a, functions[id].a, i),
                        runner_value(calls[id].b, functions[id].b, i),
                        runner_value(calls[id].c, functions[id].c, i));
            different++;
            break;
        }
    print_message("%u functions of vectors\n", ID_vectors_wrong - ID_half_from_double_rtn - 1);
    for (unsigned i = 0; i < VECTOR_CALLS; i++) {
        const struct calls *c = &calls[ID_vectors_wrong];
        const bool equal =
            __builtin_popcount(((uint32_t *)c->a)[i]) == __builtin_popcount(((uint32_t *)c->b)[i]);
        assert_int_equal(((uint32_t *)c->result)[i], equal ? 0 : 2);
    }
    assert_int_equal(different, 0);
}

static int run_everything(void **state) {
    (void)state;
    runner_seed();
    for (unsigned id = 0; id < ID_vector_any + 4; id++) runner_operands(id, CALLS);
    for (unsigned id = ID_half_from_double_rtn + 1; id < FUNCTION_COUNT; id++)
        runner_operands(id, VECTOR_CALLS);
    for (unsigned id = ID_length1_float; id <= ID_fast_normalize4; id++) relate_components(id);
    for (unsigned i = 0; i < 149; i++) /* every power of two down to the smallest */
        ((float *)calls[ID_lgamma_float].a)[CALLS - 1 - i] = -ldexpf(1, -1 - (int)i);
    runner_run();
    return 0;
}

static int free_everything(void **state) {
    (void)state;
    runner_free();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_within_their_bounds),
        cmocka_unit_test(test_exact_functions),
        cmocka_unit_test(test_geometric_functions),
        cmocka_unit_test(test_fast_geometric_functions),
        cmocka_unit_test(test_lgamma_of_floats),
        cmocka_unit_test(test_lgamma),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_vectors_give_what_scalars_do),
    };
    return cmocka_run_group_tests(tests, run_everything, free_everything);
}

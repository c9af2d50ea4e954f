/* math: the math functions (OpenCL 1.2, 6.12.2), and the native_ and half_ forms, which are the full ones. */
#include "libm.h"

/* --- rounding to integral values: adding 2^23 (2^52) rounds in the machine's own adder --- */
#define INTEGRAL(T, as_bits, U, big)                                                                           \
    T OVERLOAD fabs(T a) { return __builtin_elementwise_abs(a); }                                              \
    T OVERLOAD copysign(T a, T b) {                                                                            \
        const U sign = (U)1 << (8 * sizeof(T) - 1);                                                            \
        return as_##T((as_bits(a) & ~sign) | (as_bits(b) & sign));                                             \
    }                                                                                                          \
    T OVERLOAD rint(T a) {                                                                                     \
        const T shift = copysign((T)big, a), rounded = (a + shift) - shift;                                    \
        return fabs(a) < (T)big ? copysign(rounded, a) : a;                                                    \
    }                                                                                                          \
    T OVERLOAD floor(T a) {                                                                                    \
        const T nearest = rint(a);                                                                             \
        return nearest > a ? nearest - 1 : nearest;                                                            \
    }                                                                                                          \
    T OVERLOAD ceil(T a) {                                                                                     \
        const T nearest = rint(a);                                                                             \
        return copysign(nearest < a ? nearest + 1 : nearest, a);                                               \
    }                                                                                                          \
    T OVERLOAD trunc(T a) { return copysign(floor(fabs(a)), a); }                                              \
    T OVERLOAD round(T a) {                                                                                    \
        const T magnitude = fabs(a), down = floor(magnitude);                                                  \
        return copysign(magnitude - down >= (T)0.5 ? down + 1 : down, a);                                      \
    }                                                                                                          \
    VECTOR_1(T, fabs, T)                                                                                       \
    VECTOR_2(T, copysign, T, T)                                                                                \
    VECTOR_1(T, rint, T)                                                                                       \
    VECTOR_1(T, floor, T)                                                                                      \
    VECTOR_1(T, ceil, T)                                                                                       \
    VECTOR_1(T, trunc, T)                                                                                      \
    VECTOR_1(T, round, T)
INTEGRAL(float, as_uint, uint, 0x1p23f)
INTEGRAL(double, as_ulong, ulong, 0x1p52)

/* --- f(a) and f(a, b) as newlib has them --- */
#define SAME_1(f)                                                                                              \
    float OVERLOAD f(float a) { return libmf_##f(a); }                                                       \
    double OVERLOAD f(double a) { return libm_##f(a); }                                                        \
    BOTH_VECTOR_1(f)
#define SAME_2(f)                                                                                              \
    float OVERLOAD f(float a, float b) { return libmf_##f(a, b); }                                           \
    double OVERLOAD f(double a, double b) { return libm_##f(a, b); }                                           \
    BOTH_VECTOR_2(f)
#define BOTH_VECTOR_1(f)                                                                                       \
    VECTOR_1(float, f, float)                                                                                  \
    VECTOR_1(double, f, double)
#define BOTH_VECTOR_2(f)                                                                                       \
    VECTOR_2(float, f, float, float)                                                                           \
    VECTOR_2(double, f, double, double)
SAME_1(acos)
SAME_1(acosh)
SAME_1(asin)
SAME_1(asinh)
SAME_1(atan)
SAME_1(atanh)
SAME_1(cos)
SAME_1(cosh)
SAME_1(erf)
SAME_1(exp)
SAME_1(exp2)
SAME_1(expm1)
SAME_1(log)
SAME_1(log10)
SAME_1(log1p)
SAME_1(log2)
SAME_1(sin)
SAME_1(sinh)
SAME_1(tanh)

/* newlib's cbrtf is off by 3 ulp, its erfcf by more than 16, its tanf by hundreds for large arguments. */
#define FROM_DOUBLE_1(f)                                                                                       \
    float OVERLOAD f(float a) { return (float)libm_##f((double)a); }                                           \
    double OVERLOAD f(double a) { return libm_##f(a); }                                                        \
    BOTH_VECTOR_1(f)
FROM_DOUBLE_1(cbrt)
FROM_DOUBLE_1(erfc)
FROM_DOUBLE_1(tan)
SAME_2(atan2)
SAME_2(fmod)
SAME_2(hypot)
SAME_2(pow)
SAME_2(remainder)

/* --- definitions that are the same for both types --- */
#define EITHER(T, I, U, libm)                                                                                  \
    T OVERLOAD exp10(T a) { return libm(pow)((T)10, a); }                                                      \
    T OVERLOAD rsqrt(T a) { return 1 / sqrt(a); }                                                              \
    T OVERLOAD mad(T a, T b, T c) { return a * b + c; }                                                        \
    T OVERLOAD nextafter(T a, T b) { return a == b ? b : libm(nextafter)(a, b); }                              \
    T OVERLOAD fma(T a, T b, T c) { return FMA_##T(a, b, c); }                                                 \
    T OVERLOAD fmax(T a, T b) { return b != b || a >= b ? a : b; }                                             \
    T OVERLOAD fmin(T a, T b) { return b != b || a <= b ? a : b; }                                             \
    T OVERLOAD fdim(T a, T b) { return a <= b ? (T)0 : a - b; }                                                \
    T OVERLOAD maxmag(T a, T b) {                                                                              \
        const T x = fabs(a), y = fabs(b);                                                                      \
        return x > y ? a : y > x ? b : fmax(a, b);                                                             \
    }                                                                                                          \
    T OVERLOAD minmag(T a, T b) {                                                                              \
        const T x = fabs(a), y = fabs(b);                                                                      \
        return x < y ? a : y < x ? b : fmin(a, b);                                                             \
    }                                                                                                          \
    T OVERLOAD lgamma(T a) {                                                                                   \
        int sign;                                                                                              \
        return lgamma_r(a, &sign);                                                                             \
    }                                                                                                          \
    T OVERLOAD acospi(T a) { return libm(acos)(a) * (T)M_1_PI; }                                               \
    T OVERLOAD asinpi(T a) { return libm(asin)(a) * (T)M_1_PI; }                                               \
    T OVERLOAD atanpi(T a) { return libm(atan)(a) * (T)M_1_PI; }                                               \
    T OVERLOAD atan2pi(T a, T b) { return libm(atan2)(a, b) * (T)M_1_PI; }                                     \
    T OVERLOAD sinpi(T a) { return turn_##T(a).x; }                                                            \
    T OVERLOAD cospi(T a) { return turn_##T(a).y; }                                                            \
    T OVERLOAD tanpi(T a) {                                                                                    \
        const T##2 both = turn_##T(a);                                                                         \
        return both.x / both.y;                                                                                \
    }                                                                                                          \
    T OVERLOAD powr(T a, T b) {                                                                                \
        const bool undefined = a < 0 || a != a || b != b || (b == 0 && (a == 0 || a == (T)INFINITY)) ||        \
                               (a == 1 && fabs(b) == (T)INFINITY);                                             \
        return undefined ? (T)NAN : libm(pow)(fabs(a), b);                                                     \
    }                                                                                                          \
    VECTOR_1(T, exp10, T)                                                                                      \
    VECTOR_1(T, rsqrt, T)                                                                                      \
    VECTOR_1(T, sqrt, T)                                                                                       \
    VECTOR_3(T, mad, T, T, T)                                                                                  \
    VECTOR_3(T, fma, T, T, T)                                                                                  \
    VECTOR_2(T, nextafter, T, T)                                                                               \
    VECTOR_2(T, fmax, T, T)                                                                                    \
    VECTOR_2(T, fmin, T, T)                                                                                    \
    EACH_SIZE(FORM_VECTOR_SCALAR, T, fmax, T)                                                                  \
    EACH_SIZE(FORM_VECTOR_SCALAR, T, fmin, T)                                                                  \
    VECTOR_2(T, fdim, T, T)                                                                                    \
    VECTOR_2(T, maxmag, T, T)                                                                                  \
    VECTOR_2(T, minmag, T, T)                                                                                  \
    VECTOR_2(T, ldexp, T, int)                                                                                 \
    EACH_SIZE(LDEXP_SCALAR, T)                                                                                 \
    VECTOR_1(T, lgamma, T)                                                                                     \
    VECTOR_1(T, tgamma, T)                                                                                     \
    VECTOR_1(T, acospi, T)                                                                                     \
    VECTOR_1(T, asinpi, T)                                                                                     \
    VECTOR_1(T, atanpi, T)                                                                                     \
    VECTOR_2(T, atan2pi, T, T)                                                                                 \
    VECTOR_1(T, sinpi, T)                                                                                      \
    VECTOR_1(T, cospi, T)                                                                                      \
    VECTOR_1(T, tanpi, T)                                                                                      \
    VECTOR_2(T, powr, T, T)                                                                                    \
    VECTOR_2(T, pown, T, int)                                                                                  \
    VECTOR_2(T, rootn, T, int)                                                                                 \
    VECTOR_1(int, ilogb, T)                                                                                    \
    VECTOR_1(T, logb, T)                                                                                       \
    VECTOR_1(T, nan, U)
#define LDEXP_SCALAR(n, T, ...)                                                                                \
    T##n OVERLOAD ldexp(T##n a, int b) { return ldexp(a, (int##n)b); }
#define LIBM_float(f)  libmf_##f
#define LIBM_double(f) libm_##f
#define FMA_float      lockstep_fmaf
#define FMA_double     lockstep_fma
#define TURN(T, libm)                                                                                          \
    /* (sin πa, cos πa): a is reduced exactly to an eighth of a turn around a multiple of ½. */                \
    static T##2 turn_##T(T a) {                                                                                \
        const T around = a - 2 * rint(a * (T)0.5), quarters = rint(2 * around);                                \
        const T angle = (around - quarters * (T)0.5) * (T)M_PI;                                                \
        const T s = libm(sin)(angle), c = libm(cos)(angle);                                                    \
        const bool odd = fabs(quarters) == 1;                                                                  \
        const T sine = odd ? c : s, cosine = odd ? s : c;                                                      \
        const bool negative = quarters == -1 || fabs(quarters) == 2;                                           \
        const bool cosine_negative = quarters == 1 || fabs(quarters) == 2;                                     \
        return (T##2)(sine == 0 ? copysign(sine, a) : negative ? -sine : sine,                                 \
                      cosine_negative ? 0 - cosine : cosine); /* zeros as in IEEE 754 */                       \
    }
TURN(float, LIBM_float)
TURN(double, LIBM_double)

float OVERLOAD sqrt(float a) { return __builtin_sqrtf(a); }
double OVERLOAD sqrt(double a) { return __builtin_sqrt(a); }
float OVERLOAD nan(uint code) { return as_float(0x7fc00000 | (code & 0x3fffff)); }
double OVERLOAD nan(ulong code) { return as_double(0x7ff8000000000000 | (code & 0x7ffffffffffff)); }

/* One rounding: in double nothing overflows or is subnormal; of doubles, all steps but the last are exact, for they
 * leave a result that will be subnormal 53 bits above that. */
float OVERLOAD ldexp(float a, int n) {
    const int within = n < -400 ? -400 : n > 400 ? 400 : n;
    return (float)(a * as_double((ulong)(within + 1023) << 52));
}
double OVERLOAD ldexp(double a, int n) {
    const int n1 = n > 1023 ? 1023 : n < -1022 ? -969 : 0;
    const int n2 = n - n1 > 1023 ? 1023 : n - n1 < -1022 ? -969 : 0;
    const int rest = n - n1 - n2, last = rest > 1023 ? 1023 : rest < -1022 ? -1022 : rest;
    const double scaled = a * as_double((ulong)(n1 + 1023) << 52) * as_double((ulong)(n2 + 1023) << 52);
    return scaled * as_double((ulong)(last + 1023) << 52);
}

float OVERLOAD tgamma(float a) { return (float)lockstep_tgamma(a); }
double OVERLOAD tgamma(double a) { return lockstep_tgamma(a); }

/* An int is exact as a double, and so is its parity. */
double OVERLOAD pown(double a, int n) { return libm_pow(a, n); }
float OVERLOAD pown(float a, int n) { return (float)libm_pow(a, n); }

/* 1/n is a little off; its error e adds a factor |a|^e ≈ 1 + e log|a|. */
double OVERLOAD rootn(double a, int n) {
    const double magnitude = fabs(a), q = 1.0 / n, error = lockstep_fma(-q, n, 1.0) / n;
    const bool correct = magnitude > 0 && magnitude < INFINITY;
    const double root = libm_pow(magnitude, q) * (correct ? 1 + error * libm_log(magnitude) : 1.0);
    const bool odd = (n & 1) != 0;
    return n == 0 || (a < 0 && !odd) ? NAN : odd ? copysign(root, a) : root;
}
float OVERLOAD rootn(float a, int n) {
    const float root = (float)libm_pow(fabs((double)a), 1.0 / n);
    const bool odd = (n & 1) != 0;
    return n == 0 || (a < 0 && !odd) ? (float)NAN : odd ? copysign(root, a) : root;
}

/* The binary exponent; subnormals are scaled up first. */
int OVERLOAD ilogb(float a) {
    const float magnitude = fabs(a);
    const bool small = magnitude < 0x1p-126f;
    const int exponent = (int)(as_uint(small ? magnitude * 0x1p32f : magnitude) >> 23) - (small ? 127 + 32 : 127);
    return magnitude == 0 ? FP_ILOGB0 : magnitude < INFINITY ? exponent : FP_ILOGBNAN;
}
int OVERLOAD ilogb(double a) {
    const double magnitude = fabs(a);
    const bool small = magnitude < 0x1p-1022;
    const int exponent = (int)(as_ulong(small ? magnitude * 0x1p64 : magnitude) >> 52) - (small ? 1023 + 64 : 1023);
    return magnitude == 0 ? FP_ILOGB0 : magnitude < INFINITY ? exponent : FP_ILOGBNAN;
}
#define LOGB(T, ...)                                                                                           \
    T OVERLOAD logb(T a) {                                                                                     \
        const T magnitude = fabs(a);                                                                           \
        return magnitude == 0 ? -(T)INFINITY : magnitude < (T)INFINITY ? (T)ilogb(a) : magnitude;              \
    }
FLOATING_TYPES(LOGB)

EITHER(float, int, uint, LIBM_float)
EITHER(double, long, ulong, LIBM_double)

/* --- functions with a second result through a pointer --- */
#define POINTER_VECTOR(f, T, P, space)                                                                         \
    T##2 OVERLOAD f(T##2 a, space P##2 *p) {                                                                   \
        P x, y;                                                                                                \
        const T##2 result = (T##2)(f(a.x, &x), f(a.y, &y));                                                    \
        *p = (P##2)(x, y);                                                                                     \
        return result;                                                                                         \
    }                                                                                                          \
    T##3 OVERLOAD f(T##3 a, space P##3 *p) {                                                                   \
        P x, y, z;                                                                                             \
        const T##3 result = (T##3)(f(a.x, &x), f(a.y, &y), f(a.z, &z));                                        \
        *p = (P##3)(x, y, z);                                                                                  \
        return result;                                                                                         \
    }                                                                                                          \
    POINTER_HALVES(f, T, P, space, 4, 2)                                                                       \
    POINTER_HALVES(f, T, P, space, 8, 4)                                                                       \
    POINTER_HALVES(f, T, P, space, 16, 8)
#define POINTER_HALVES(f, T, P, space, n, half_n)                                                              \
    T##n OVERLOAD f(T##n a, space P##n *p) {                                                                   \
        P##half_n low, high;                                                                                   \
        const T##n result = (T##n)(f(a.lo, &low), f(a.hi, &high));                                             \
        *p = (P##n)(low, high);                                                                                \
        return result;                                                                                         \
    }
#define POINTER_SPACE(f, T, P, space)                                                                          \
    T OVERLOAD f(T a, space P *p) {                                                                            \
        P second;                                                                                              \
        const T result = f(a, &second);                                                                        \
        *p = second;                                                                                           \
        return result;                                                                                         \
    }                                                                                                          \
    POINTER_VECTOR(f, T, P, space)
#define POINTER(f, T, P)                                                                                       \
    POINTER_VECTOR(f, T, P, private)                                                                           \
    POINTER_SPACE(f, T, P, global)                                                                             \
    POINTER_SPACE(f, T, P, local)

#define POINTER_FUNCTIONS(T, libm, below_one)                                                                  \
    T OVERLOAD fract(T a, private T *whole) {                                                                  \
        *whole = floor(a);                                                                                     \
        const T part = fabs(a) == (T)INFINITY ? copysign((T)0, a) : a - *whole;                                \
        return part >= 1 ? (T)below_one : part;                                                                \
    }                                                                                                          \
    T OVERLOAD modf(T a, private T *whole) {                                                                   \
        *whole = trunc(a);                                                                                     \
        return copysign(fabs(a) == (T)INFINITY ? (T)0 : a - *whole, a);                                        \
    }                                                                                                          \
    T OVERLOAD sincos(T a, private T *cosine) {                                                                \
        *cosine = libm(cos)(a);                                                                                \
        return libm(sin)(a);                                                                                   \
    }                                                                                                          \
    T OVERLOAD frexp(T a, private int *exponent) { return libm(frexp)(a, exponent); }                          \
    T OVERLOAD lgamma_r(T a, private int *sign) {                                                              \
        *sign = 1;                                                                                             \
        return (T)libm_lgamma_r(a, sign);  /* newlib's lgammaf: infinite from -0x1p-63 to -0x1p-70 */          \
    }                                                                                                          \
    POINTER(fract, T, T)                                                                                       \
    POINTER(modf, T, T)                                                                                        \
    POINTER(sincos, T, T)                                                                                      \
    POINTER(frexp, T, int)                                                                                     \
    POINTER(lgamma_r, T, int)
POINTER_FUNCTIONS(float, LIBM_float, 0x1.fffffep-1f)
POINTER_FUNCTIONS(double, LIBM_double, 0x1.fffffffffffffp-1)

#define REMQUO_HALVES(T, space, n, half_n)                                                                     \
    T##n OVERLOAD remquo(T##n a, T##n b, space int##n *p) {                                                    \
        int##half_n low, high;                                                                                 \
        const T##n result = (T##n)(remquo(a.lo, b.lo, &low), remquo(a.hi, b.hi, &high));                       \
        *p = (int##n)(low, high);                                                                              \
        return result;                                                                                         \
    }
#define REMQUO_SPACE(T, space)                                                                                 \
    REMQUO_HALVES(T, space, 2, )                                                                               \
    T##3 OVERLOAD remquo(T##3 a, T##3 b, space int##3 *p) {                                                    \
        int2 low;                                                                                              \
        int high;                                                                                              \
        const T##3 result = (T##3)(remquo(a.xy, b.xy, &low), remquo(a.z, b.z, &high));                         \
        *p = (int3)(low, high);                                                                                \
        return result;                                                                                         \
    }                                                                                                          \
    REMQUO_HALVES(T, space, 4, 2)                                                                              \
    REMQUO_HALVES(T, space, 8, 4)                                                                              \
    REMQUO_HALVES(T, space, 16, 8)
#define REMQUO_SCALAR(T, space)                                                                                \
    T OVERLOAD remquo(T a, T b, space int *p) {                                                                \
        int quotient;                                                                                          \
        const T result = remquo(a, b, &quotient);                                                              \
        *p = quotient;                                                                                         \
        return result;                                                                                         \
    }
#define REMQUO(T, libm)                                                                                        \
    T OVERLOAD remquo(T a, T b, private int *quotient) {                                                       \
        int whole = 0;                                                                                         \
        const T result = libm(remquo)(a, b, &whole);                                                           \
        *quotient = whole < 0 ? -(-whole & 127) : whole & 127;                                                 \
        return result;                                                                                         \
    }                                                                                                          \
    REMQUO_SCALAR(T, global)                                                                                   \
    REMQUO_SCALAR(T, local)                                                                                    \
    REMQUO_SPACE(T, private)                                                                                   \
    REMQUO_SPACE(T, global)                                                                                    \
    REMQUO_SPACE(T, local)
REMQUO(float, LIBM_float)
REMQUO(double, LIBM_double)

/* --- native_ and half_ --- */
#define FAST_1(f)                                                                                              \
    float OVERLOAD native_##f(float a) { return f(a); }                                                        \
    float OVERLOAD half_##f(float a) { return f(a); }                                                          \
    VECTOR_1(float, native_##f, float)                                                                         \
    VECTOR_1(float, half_##f, float)
#define FAST_2(f)                                                                                              \
    float OVERLOAD native_##f(float a, float b) { return f(a, b); }                                            \
    float OVERLOAD half_##f(float a, float b) { return f(a, b); }                                              \
    VECTOR_2(float, native_##f, float, float)                                                                  \
    VECTOR_2(float, half_##f, float, float)
static float OVERLOAD recip(float a) { return 1 / a; }
static float OVERLOAD divide(float a, float b) { return a / b; }
FAST_1(cos)
FAST_1(exp)
FAST_1(exp2)
FAST_1(exp10)
FAST_1(log)
FAST_1(log2)
FAST_1(log10)
FAST_1(recip)
FAST_1(rsqrt)
FAST_1(sin)
FAST_1(sqrt)
FAST_1(tan)
FAST_2(divide)
FAST_2(powr)

/* relational: comparisons of floating point, select, bitselect, any, all (OpenCL 1.2, 6.12.6). */
#include "builtin.h"

/* A scalar comparison gives 1, a component of a vector comparison −1. */
#define COMPARE(f, expression)                                                                                 \
    int OVERLOAD f(float a, float b) { return expression; }                                                    \
    int OVERLOAD f(double a, double b) { return expression; }                                                  \
    static int OVERLOAD f##_mask(float a, float b) { return -(expression); }                                   \
    static long OVERLOAD f##_mask(double a, double b) { return -(long)(expression); }                          \
    COMPARE_VECTOR(int, f, float)                                                                              \
    COMPARE_VECTOR(long, f, double)
#define COMPARE_VECTOR(R, f, T)                                                                                \
    R##2 OVERLOAD f(T##2 a, T##2 b) { return (R##2)(f##_mask(a.x, b.x), f##_mask(a.y, b.y)); }                 \
    R##3 OVERLOAD f(T##3 a, T##3 b) { return (R##3)(f(a.xy, b.xy), f##_mask(a.z, b.z)); }                      \
    R##4 OVERLOAD f(T##4 a, T##4 b) { return (R##4)(f(a.lo, b.lo), f(a.hi, b.hi)); }                           \
    R##8 OVERLOAD f(T##8 a, T##8 b) { return (R##8)(f(a.lo, b.lo), f(a.hi, b.hi)); }                           \
    R##16 OVERLOAD f(T##16 a, T##16 b) { return (R##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }

COMPARE(isequal, a == b)
COMPARE(isnotequal, a != b)
COMPARE(isgreater, a > b)
COMPARE(isgreaterequal, a >= b)
COMPARE(isless, a < b)
COMPARE(islessequal, a <= b)
COMPARE(islessgreater, (a < b || a > b))
COMPARE(isordered, (a == a && b == b))
COMPARE(isunordered, (a != a || b != b))

#define CLASSIFY(f, float_expression, double_expression)                                                       \
    int OVERLOAD f(float a) { return float_expression; }                                                       \
    int OVERLOAD f(double a) { return double_expression; }                                                     \
    static int OVERLOAD f##_mask(float a) { return -f(a); }                                                    \
    static long OVERLOAD f##_mask(double a) { return -(long)f(a); }                                            \
    CLASSIFY_VECTOR(int, f, float)                                                                             \
    CLASSIFY_VECTOR(long, f, double)
#define CLASSIFY_VECTOR(R, f, T)                                                                               \
    R##2 OVERLOAD f(T##2 a) { return (R##2)(f##_mask(a.x), f##_mask(a.y)); }                                   \
    R##3 OVERLOAD f(T##3 a) { return (R##3)(f(a.xy), f##_mask(a.z)); }                                         \
    R##4 OVERLOAD f(T##4 a) { return (R##4)(f(a.lo), f(a.hi)); }                                               \
    R##8 OVERLOAD f(T##8 a) { return (R##8)(f(a.lo), f(a.hi)); }                                               \
    R##16 OVERLOAD f(T##16 a) { return (R##16)(f(a.lo), f(a.hi)); }

#define MAGNITUDE_32 (as_uint(a) & 0x7fffffffu)
#define MAGNITUDE_64 (as_ulong(a) & 0x7fffffffffffffffu)
CLASSIFY(isnan, MAGNITUDE_32 > 0x7f800000u, MAGNITUDE_64 > 0x7ff0000000000000u)
CLASSIFY(isinf, MAGNITUDE_32 == 0x7f800000u, MAGNITUDE_64 == 0x7ff0000000000000u)
CLASSIFY(isfinite, MAGNITUDE_32 < 0x7f800000u, MAGNITUDE_64 < 0x7ff0000000000000u)
CLASSIFY(isnormal, MAGNITUDE_32 - 0x00800000u < 0x7f000000u, MAGNITUDE_64 - 0x0010000000000000u < 0x7fe0000000000000u)
CLASSIFY(signbit, as_uint(a) >> 31 != 0, as_ulong(a) >> 63 != 0)

/* any, all: the most significant bit of each component. */
#define ANY_ALL(T, ...)                                                                                        \
    int OVERLOAD any(T a) { return a < 0; }                                                                    \
    int OVERLOAD any(T##2 a) { return (a.x | a.y) < 0; }                                                       \
    int OVERLOAD any(T##3 a) { return (a.x | a.y | a.z) < 0; }                                                 \
    int OVERLOAD any(T##4 a) { return any(a.lo | a.hi); }                                                      \
    int OVERLOAD any(T##8 a) { return any(a.lo | a.hi); }                                                      \
    int OVERLOAD any(T##16 a) { return any(a.lo | a.hi); }                                                     \
    int OVERLOAD all(T a) { return a < 0; }                                                                    \
    int OVERLOAD all(T##2 a) { return (a.x & a.y) < 0; }                                                       \
    int OVERLOAD all(T##3 a) { return (a.x & a.y & a.z) < 0; }                                                 \
    int OVERLOAD all(T##4 a) { return all(a.lo & a.hi); }                                                      \
    int OVERLOAD all(T##8 a) { return all(a.lo & a.hi); }                                                      \
    int OVERLOAD all(T##16 a) { return all(a.lo & a.hi); }
SIGNED_TYPES(ANY_ALL)

/* select: c's truth chooses b; of vectors, the most significant bit of c's component does. */
#define SELECT(T, C, S)                                                                                        \
    T OVERLOAD select(T a, T b, C c) { return c != 0 ? b : a; }                                                \
    static T OVERLOAD select_by_sign(T a, T b, C c) { return (S)c < 0 ? b : a; }                               \
    T##2 OVERLOAD select(T##2 a, T##2 b, C##2 c) {                                                             \
        return (T##2)(select_by_sign(a.x, b.x, c.x), select_by_sign(a.y, b.y, c.y));                           \
    }                                                                                                          \
    T##3 OVERLOAD select(T##3 a, T##3 b, C##3 c) {                                                             \
        return (T##3)(select(a.xy, b.xy, c.xy), select_by_sign(a.z, b.z, c.z));                                \
    }                                                                                                          \
    T##4 OVERLOAD select(T##4 a, T##4 b, C##4 c) {                                                             \
        return (T##4)(select(a.lo, b.lo, c.lo), select(a.hi, b.hi, c.hi));                                     \
    }                                                                                                          \
    T##8 OVERLOAD select(T##8 a, T##8 b, C##8 c) {                                                             \
        return (T##8)(select(a.lo, b.lo, c.lo), select(a.hi, b.hi, c.hi));                                     \
    }                                                                                                          \
    T##16 OVERLOAD select(T##16 a, T##16 b, C##16 c) {                                                         \
        return (T##16)(select(a.lo, b.lo, c.lo), select(a.hi, b.hi, c.hi));                                    \
    }
#define SELECT_BOTH(T, S, U) SELECT(T, S, S) SELECT(T, U, S)
SELECT_BOTH(char, char, uchar)
SELECT_BOTH(uchar, char, uchar)
SELECT_BOTH(short, short, ushort)
SELECT_BOTH(ushort, short, ushort)
SELECT_BOTH(int, int, uint)
SELECT_BOTH(uint, int, uint)
SELECT_BOTH(long, long, ulong)
SELECT_BOTH(ulong, long, ulong)
SELECT_BOTH(float, int, uint)
SELECT_BOTH(double, long, ulong)

#define BITSELECT(T, ...)                                                                                      \
    T OVERLOAD bitselect(T a, T b, T c) { return (T)(a ^ ((a ^ b) & c)); }                                     \
    VECTOR_3(T, bitselect, T, T, T)
INTEGER_TYPES(BITSELECT)
float OVERLOAD bitselect(float a, float b, float c) {
    return as_float(bitselect(as_uint(a), as_uint(b), as_uint(c)));
}
double OVERLOAD bitselect(double a, double b, double c) {
    return as_double(bitselect(as_ulong(a), as_ulong(b), as_ulong(c)));
}
VECTOR_3(float, bitselect, float, float, float)
VECTOR_3(double, bitselect, double, double, double)

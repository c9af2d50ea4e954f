/* common: the common and the geometric functions (OpenCL 1.2, 6.12.4 and 6.12.5). */
#include "builtin.h"

#define COMMON(T, ...)                                                                                         \
    T OVERLOAD max(T a, T b) { return a < b ? b : a; }                                                         \
    T OVERLOAD min(T a, T b) { return b < a ? b : a; }                                                         \
    T OVERLOAD clamp(T a, T low, T high) { return min(max(a, low), high); }                                    \
    T OVERLOAD degrees(T radians) { return (T)57.295779513082320877 * radians; }                               \
    T OVERLOAD radians(T degrees) { return (T)0.017453292519943295769 * degrees; }                             \
    T OVERLOAD mix(T a, T b, T t) { return a + (b - a) * t; }                                                  \
    T OVERLOAD step(T edge, T a) { return a < edge ? (T)0 : (T)1; }                                            \
    T OVERLOAD smoothstep(T low, T high, T a) {                                                                \
        const T t = clamp((a - low) / (high - low), (T)0, (T)1);                                               \
        return t * t * (3 - 2 * t);                                                                            \
    }                                                                                                          \
    T OVERLOAD sign(T a) { return a > 0 ? (T)1 : a < 0 ? (T)-1 : a == 0 ? a : (T)0; }                          \
    VECTOR_2(T, max, T, T)                                                                                     \
    VECTOR_2(T, min, T, T)                                                                                     \
    VECTOR_3(T, clamp, T, T, T)                                                                                \
    VECTOR_1(T, degrees, T)                                                                                    \
    VECTOR_1(T, radians, T)                                                                                    \
    VECTOR_3(T, mix, T, T, T)                                                                                  \
    VECTOR_2(T, step, T, T)                                                                                    \
    VECTOR_3(T, smoothstep, T, T, T)                                                                           \
    VECTOR_1(T, sign, T)                                                                                       \
    EACH_SIZE(FORM_VECTOR_SCALAR, T, max, T)                                                                   \
    EACH_SIZE(FORM_VECTOR_SCALAR, T, min, T)                                                                   \
    EACH_SIZE(FORM_VECTOR_SCALAR_SCALAR, T, clamp, T)                                                          \
    EACH_SIZE(FORM_VECTOR_VECTOR_SCALAR, T, mix, T)                                                            \
    EACH_SIZE(FORM_SCALAR_VECTOR, T, step, T)                                                                  \
    EACH_SIZE(FORM_SCALAR_SCALAR_VECTOR, T, smoothstep, T)
FLOATING_TYPES(COMMON)

#define CROSS(T, ...)                                                                                          \
    T##3 OVERLOAD cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                              \
    T##4 OVERLOAD cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), 0); }                             \
    T OVERLOAD dot(T a, T b) { return a * b; }                                                                 \
    T OVERLOAD dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                           \
    T OVERLOAD dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                               \
    T OVERLOAD dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
FLOATING_TYPES(CROSS)

/* Of doubles, very large and very small vectors are scaled by a power of two first, large ones by no more than they must
 * be, so that small components keep their digits; squares of floats, in double, neither overflow nor vanish. The fast_ functions are OpenCL's formulas in single precision: a sum of squares beyond FLT_MAX or
 * below FLT_MIN is theirs to lose, but where it has lost digits, fast_normalize returns the vector (6.12.5). */
static double scale_for(double squares) {
    return squares > DBL_MAX ? 0x1p-514 : squares < 0x1p-900 ? 0x1p600 : 1;
}
#define LENGTH(n)                                                                                              \
    /* An infinite vector points where its infinite components do. */                                          \
    static double##n OVERLOAD finite(double##n a) {                                                            \
        const double##n one = 1, zero = 0;                                                                     \
        return dot(a, a) == INFINITY ? copysign(isinf(a) ? one : zero, a) : a;                                 \
    }                                                                                                          \
    float OVERLOAD length(float##n v) {                                                                        \
        const double##n a = convert_double##n(v);                                                              \
        return (float)__builtin_sqrt(dot(a, a));                                                               \
    }                                                                                                          \
    double OVERLOAD length(double##n v) {                                                                      \
        const double scale = scale_for(dot(v, v));                                                             \
        const double##n a = v * scale;                                                                         \
        return __builtin_sqrt(dot(a, a)) / scale;                                                              \
    }                                                                                                          \
    float##n OVERLOAD normalize(float##n v) {                                                                  \
        const double##n a = finite(convert_double##n(v));                                                      \
        const double squares = dot(a, a);                                                                      \
        return convert_float##n(a * (squares == 0 ? 1 : 1 / __builtin_sqrt(squares)));                         \
    }                                                                                                          \
    double##n OVERLOAD normalize(double##n v) {                                                                \
        const double##n a = finite(v * scale_for(dot(v, v)));                                                  \
        const double squares = dot(a, a);                                                                      \
        return a / (squares == 0 ? 1 : __builtin_sqrt(squares));                                               \
    }                                                                                                          \
    float OVERLOAD distance(float##n a, float##n b) { return length(a - b); }                                  \
    double OVERLOAD distance(double##n a, double##n b) { return length(a - b); }                               \
    float OVERLOAD fast_length(float##n a) { return __builtin_sqrtf(dot(a, a)); }                              \
    float OVERLOAD fast_distance(float##n a, float##n b) { return fast_length(a - b); }                        \
    float##n OVERLOAD fast_normalize(float##n a) {                                                             \
        const float squares = dot(a, a);                                                                       \
        return a * (squares < FLT_MIN ? 1 : 1 / __builtin_sqrtf(squares));                                     \
    }
LENGTH()
LENGTH(2)
LENGTH(3)
LENGTH(4)

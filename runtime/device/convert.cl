/* convert: convert_* between all scalar and vector types, with every rounding and saturation (OpenCL 1.2, 6.2.3). */
#include "rounding.h"

/* D convert_D<mode>(S a), and for vectors, where the size stands inside the name. */
#define CONVERSION(D, mode, S, value)                                                                          \
    D OVERLOAD convert_##D##mode(S a) { return (D)(value); }                                                   \
    D##2 OVERLOAD convert_##D##2##mode(S##2 a) {                                                               \
        return (D##2)(convert_##D##mode(a.x), convert_##D##mode(a.y));                                         \
    }                                                                                                          \
    D##3 OVERLOAD convert_##D##3##mode(S##3 a) {                                                               \
        return (D##3)(convert_##D##2##mode(a.xy), convert_##D##mode(a.z));                                     \
    }                                                                                                          \
    D##4 OVERLOAD convert_##D##4##mode(S##4 a) {                                                               \
        return (D##4)(convert_##D##2##mode(a.lo), convert_##D##2##mode(a.hi));                                 \
    }                                                                                                          \
    D##8 OVERLOAD convert_##D##8##mode(S##8 a) {                                                               \
        return (D##8)(convert_##D##4##mode(a.lo), convert_##D##4##mode(a.hi));                                 \
    }                                                                                                          \
    D##16 OVERLOAD convert_##D##16##mode(S##16 a) {                                                            \
        return (D##16)(convert_##D##8##mode(a.lo), convert_##D##8##mode(a.hi));                                \
    }
#define EVERY_MODE(X, ...)                                                                                     \
    X(, __VA_ARGS__) X(_rte, __VA_ARGS__) X(_rtz, __VA_ARGS__) X(_rtp, __VA_ARGS__) X(_rtn, __VA_ARGS__)

/* --- to integers --- */

/* Floating point is first made integral by the rounding, then cut; saturation compares before it converts, and NaN
 * becomes 0. Between integers there is nothing to round. */
#define INTEGRAL(a)     (a)
#define INTEGRAL_rte(a) rint(a)
#define INTEGRAL_rtz(a) (a)
#define INTEGRAL_rtp(a) ceil(a)
#define INTEGRAL_rtn(a) floor(a)

#define SATURATED(D, a, low, high, limit)                                                                      \
    ((a) != (a) ? 0 : (a) <= (low) ? (D)(low) : (a) >= (limit) ? (high) : (D)(a))
#define FROM_FLOATING(mode, D, S, low, high, limit)                                                            \
    CONVERSION(D, mode, S, INTEGRAL##mode(a))                                                                  \
    static D OVERLOAD saturate_##D##mode(S a) { return SATURATED(D, a, (S)low, high, (S)limit); }              \
    CONVERSION(D, _sat##mode, S, saturate_##D##mode(INTEGRAL##mode(a)))
#define FROM_SIGNED(mode, D, S, low, high)                                                                     \
    CONVERSION(D, mode, S, a)                                                                                  \
    CONVERSION(D, _sat##mode, S, (long)a < (long)low ? low : a > 0 && (ulong)a > (ulong)high ? high : (D)a)
#define FROM_UNSIGNED(mode, D, S, high)                                                                        \
    CONVERSION(D, mode, S, a)                                                                                  \
    CONVERSION(D, _sat##mode, S, (ulong)a > (ulong)high ? high : (D)a)
#define TO_INTEGER(D, low, high, low_value, limit)                                                             \
    EVERY_MODE(FROM_SIGNED, D, char, low, high)                                                                \
    EVERY_MODE(FROM_SIGNED, D, short, low, high)                                                               \
    EVERY_MODE(FROM_SIGNED, D, int, low, high)                                                                 \
    EVERY_MODE(FROM_SIGNED, D, long, low, high)                                                                \
    EVERY_MODE(FROM_UNSIGNED, D, uchar, high)                                                                  \
    EVERY_MODE(FROM_UNSIGNED, D, ushort, high)                                                                 \
    EVERY_MODE(FROM_UNSIGNED, D, uint, high)                                                                   \
    EVERY_MODE(FROM_UNSIGNED, D, ulong, high)                                                                  \
    EVERY_MODE(FROM_FLOATING, D, float, low_value, high, limit)                                                \
    EVERY_MODE(FROM_FLOATING, D, double, low_value, high, limit)
TO_INTEGER(char, CHAR_MIN, CHAR_MAX, -0x1p7, 0x1p7)
TO_INTEGER(uchar, 0, UCHAR_MAX, 0, 0x1p8)
TO_INTEGER(short, SHRT_MIN, SHRT_MAX, -0x1p15, 0x1p15)
TO_INTEGER(ushort, 0, USHRT_MAX, 0, 0x1p16)
TO_INTEGER(int, INT_MIN, INT_MAX, -0x1p31, 0x1p31)
TO_INTEGER(uint, 0, UINT_MAX, 0, 0x1p32)
TO_INTEGER(long, LONG_MIN, LONG_MAX, -0x1p63, 0x1p63)
TO_INTEGER(ulong, 0, ULONG_MAX, 0, 0x1p64)

/* --- to floating point --- */

/* The casts round to nearest. The other modes build the encoding: the leading bits of the magnitude, with the sum of
 * exponent field and significand carrying into the exponent where rounding does. */
static float float_from_magnitude(ulong magnitude, bool negative, enum rounding mode) {
    const uint zeros = magnitude == 0 ? 0 : (uint)__builtin_clzl(magnitude);
    const ulong normal = magnitude << zeros, cut = normal << 24;
    const uint kept = (uint)(normal >> 40);
    const uint rounded = kept + round_up(mode, negative, kept & 1, cut >> 63, (cut << 1) != 0);
    const uint bits = magnitude == 0 ? 0 : ((126 + 63 - zeros) << 23) + rounded;
    return as_float(bits | (uint)negative << 31);
}
static double double_from_magnitude(ulong magnitude, bool negative, enum rounding mode) {
    const uint zeros = magnitude == 0 ? 0 : (uint)__builtin_clzl(magnitude);
    const ulong normal = magnitude << zeros, cut = normal << 53, kept = normal >> 11;
    const ulong rounded = kept + round_up(mode, negative, kept & 1, cut >> 63, (cut << 1) != 0);
    const ulong bits = magnitude == 0 ? 0 : ((ulong)(1022 + 63 - zeros) << 52) + rounded;
    return as_double(bits | (ulong)negative << 63);
}
/* The neighbour of the nearest float, where the mode asks for it: one step of the encoding. */
static float float_from_double(double a, enum rounding mode) {
    const float nearest = (float)a;
    const bool negative = as_ulong(a) >> 63 != 0, above = nearest > a, below = nearest < a;
    const bool down = above && (mode == ROUND_RTN || (mode == ROUND_RTZ && !negative));
    const bool up = below && (mode == ROUND_RTP || (mode == ROUND_RTZ && negative));
    const uint outward = negative ? down : up, inward = negative ? up : down;
    return as_float(as_uint(nearest) + outward - inward);
}

#define MODE_rtz ROUND_RTZ
#define MODE_rtp ROUND_RTP
#define MODE_rtn ROUND_RTN
#define FLOATING_FROM_INTEGER(D, S)                                                                            \
    CONVERSION(D, , S, a)                                                                                      \
    CONVERSION(D, _rte, S, a)                                                                                  \
    FLOATING_FROM_INTEGER_MODE(_rtz, D, S)                                                                     \
    FLOATING_FROM_INTEGER_MODE(_rtp, D, S)                                                                     \
    FLOATING_FROM_INTEGER_MODE(_rtn, D, S)
#define FLOATING_FROM_INTEGER_MODE(mode, D, S)                                                                 \
    CONVERSION(D, mode, S, D##_from_magnitude(a < 0 ? -(ulong)a : (ulong)a, a < 0, MODE##mode))
#define FLOATING_FROM_EACH_INTEGER(S, D, ...) FLOATING_FROM_INTEGER(D, S)
INTEGER_TYPES(FLOATING_FROM_EACH_INTEGER, float)
INTEGER_TYPES(FLOATING_FROM_EACH_INTEGER, double)

#define FLOATING_EXACT(mode, D, S) CONVERSION(D, mode, S, a)
EVERY_MODE(FLOATING_EXACT, float, float)
EVERY_MODE(FLOATING_EXACT, double, float)
EVERY_MODE(FLOATING_EXACT, double, double)
CONVERSION(float, , double, a)
CONVERSION(float, _rte, double, a)
CONVERSION(float, _rtz, double, float_from_double(a, ROUND_RTZ))
CONVERSION(float, _rtp, double, float_from_double(a, ROUND_RTP))
CONVERSION(float, _rtn, double, float_from_double(a, ROUND_RTN))

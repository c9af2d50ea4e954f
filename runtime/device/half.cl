/* half: half-precision values in memory: vload_half, vstore_half and their vector forms (OpenCL 1.2, 6.12.7). */
#include "rounding.h"

/* The half's fields, moved to a float's, are its value times 2^-112, subnormals included. */
float lockstep_float_from_half(uint h) {
    const float magnitude = as_float((h & 0x7fff) << 13) * 0x1p112f;
    const uint special = (h & 0x7c00) == 0x7c00 ? 0x7f800000 | (h & 0x3ff) << 13 : as_uint(magnitude);
    return as_float(special | (h & 0x8000) << 16);
}

/* Counts in units of the result's last place, then rounds the count. The sum of exponent field and count is the
 * encoding, also where rounding carries into the next binade. */
uint lockstep_half_from_double(double a, enum rounding mode) {
    const ulong bits = as_ulong(a);
    const bool negative = bits >> 63 != 0;
    const uint sign = negative ? 0x8000 : 0;
    const double magnitude = as_double(bits & 0x7fffffffffffffff);
    const int exponent_of_a = (int)(bits >> 52 & 0x7ff) - 1023;
    const int exponent = exponent_of_a < -14 ? -14 : exponent_of_a > 16 ? 16 : exponent_of_a;
    const bool overflow = magnitude >= 65536.0;
    const double units = (overflow ? 0.0 : magnitude) * as_double((ulong)(1023 + 10 - exponent) << 52);
    const uint count = (uint)units;
    const double cut = units - count;
    const uint rounded = count + round_up(mode, negative, count & 1, cut >= 0.5, cut != 0 && cut != 0.5);
    const uint encoding = ((uint)(exponent + 14) << 10) + rounded;
    const bool to_infinity = mode == ROUND_RTE || (mode == ROUND_RTP && !negative) || (mode == ROUND_RTN && negative);
    const uint finite = overflow || encoding >= 0x7c00 ? (to_infinity ? 0x7c00 : 0x7bff) : encoding;
    const uint special = a != a ? 0x7e00 : magnitude == INFINITY ? 0x7c00 : finite;
    return sign | special;
}

#define LOAD_HALF(space)                                                                                       \
    static float OVERLOAD load_one(const space half *p) {                                                      \
        return lockstep_float_from_half(*(const space ushort *)p);                                             \
    }                                                                                                          \
    static float2 OVERLOAD load_2(const space half *p) { return (float2)(load_one(p), load_one(p + 1)); }      \
    static float3 OVERLOAD load_3(const space half *p) { return (float3)(load_2(p), load_one(p + 2)); }        \
    static float4 OVERLOAD load_4(const space half *p) { return (float4)(load_2(p), load_2(p + 2)); }          \
    static float8 OVERLOAD load_8(const space half *p) { return (float8)(load_4(p), load_4(p + 4)); }          \
    static float16 OVERLOAD load_16(const space half *p) { return (float16)(load_8(p), load_8(p + 8)); }       \
    float OVERLOAD vload_half(size_t offset, const space half *p) { return load_one(p + offset); }             \
    float2 OVERLOAD vload_half2(size_t offset, const space half *p) { return load_2(p + offset * 2); }         \
    float3 OVERLOAD vload_half3(size_t offset, const space half *p) { return load_3(p + offset * 3); }         \
    float4 OVERLOAD vload_half4(size_t offset, const space half *p) { return load_4(p + offset * 4); }         \
    float8 OVERLOAD vload_half8(size_t offset, const space half *p) { return load_8(p + offset * 8); }         \
    float16 OVERLOAD vload_half16(size_t offset, const space half *p) { return load_16(p + offset * 16); }     \
    float2 OVERLOAD vloada_half2(size_t offset, const space half *p) { return load_2(p + offset * 2); }        \
    float3 OVERLOAD vloada_half3(size_t offset, const space half *p) { return load_3(p + offset * 4); }        \
    float4 OVERLOAD vloada_half4(size_t offset, const space half *p) { return load_4(p + offset * 4); }        \
    float8 OVERLOAD vloada_half8(size_t offset, const space half *p) { return load_8(p + offset * 8); }        \
    float16 OVERLOAD vloada_half16(size_t offset, const space half *p) { return load_16(p + offset * 16); }
LOAD_HALF(global)
LOAD_HALF(local)
LOAD_HALF(constant)
LOAD_HALF(private)

#define STORE_HALF_N(space, T, n, step, suffix, mode)                                                          \
    void OVERLOAD vstore_half##n##suffix(T##n a, size_t offset, space half *p) {                               \
        space ushort *to = (space ushort *)p + offset * n;                                                     \
        _Pragma("unroll") for (int i = 0; i < n; i++) to[i] = (ushort)lockstep_half_from_double(a[i], mode);   \
    }                                                                                                          \
    void OVERLOAD vstorea_half##n##suffix(T##n a, size_t offset, space half *p) {                              \
        space ushort *to = (space ushort *)p + offset * step;                                                  \
        _Pragma("unroll") for (int i = 0; i < n; i++) to[i] = (ushort)lockstep_half_from_double(a[i], mode);   \
    }
#define STORE_HALF_MODE(space, T, suffix, mode)                                                                \
    void OVERLOAD vstore_half##suffix(T a, size_t offset, space half *p) {                                     \
        ((space ushort *)p)[offset] = (ushort)lockstep_half_from_double(a, mode);                              \
    }                                                                                                          \
    STORE_HALF_N(space, T, 2, 2, suffix, mode)                                                                 \
    STORE_HALF_N(space, T, 3, 4, suffix, mode)                                                                 \
    STORE_HALF_N(space, T, 4, 4, suffix, mode)                                                                 \
    STORE_HALF_N(space, T, 8, 8, suffix, mode)                                                                 \
    STORE_HALF_N(space, T, 16, 16, suffix, mode)
#define STORE_HALF(space, T)                                                                                   \
    STORE_HALF_MODE(space, T, , ROUND_RTE)                                                                     \
    STORE_HALF_MODE(space, T, _rte, ROUND_RTE)                                                                 \
    STORE_HALF_MODE(space, T, _rtz, ROUND_RTZ)                                                                 \
    STORE_HALF_MODE(space, T, _rtp, ROUND_RTP)                                                                 \
    STORE_HALF_MODE(space, T, _rtn, ROUND_RTN)
STORE_HALF(global, float)
STORE_HALF(global, double)
STORE_HALF(local, float)
STORE_HALF(local, double)
STORE_HALF(private, float)
STORE_HALF(private, double)

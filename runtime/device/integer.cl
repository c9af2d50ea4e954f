/* integer: the integer functions (OpenCL 1.2, 6.12.3). */
#include "builtin.h"

/* --- definitions that are the same for every integer type --- */
#define ANY(T, U)                                                                                              \
    T OVERLOAD max(T a, T b) { return a < b ? b : a; }                                                         \
    T OVERLOAD min(T a, T b) { return b < a ? b : a; }                                                         \
    T OVERLOAD clamp(T a, T low, T high) { return min(max(a, low), high); }                                    \
    T OVERLOAD hadd(T a, T b) { return (T)((a & b) + ((a ^ b) >> 1)); }                                        \
    T OVERLOAD rhadd(T a, T b) { return (T)((a | b) - ((a ^ b) >> 1)); }                                       \
    U OVERLOAD abs_diff(T a, T b) { return a < b ? (U)((U)b - (U)a) : (U)((U)a - (U)b); }                      \
    T OVERLOAD rotate(T a, T n) {                                                                              \
        const uint bits = 8 * sizeof(T), by = (uint)n & (bits - 1);                                            \
        return (T)((U)a << by | (U)a >> (-by & (bits - 1)));                                                   \
    }                                                                                                          \
    T OVERLOAD mad_hi(T a, T b, T c) { return (T)((U)mul_hi(a, b) + (U)c); }                                   \
    VECTOR_2(T, max, T, T)                                                                                     \
    VECTOR_2(T, min, T, T)                                                                                     \
    VECTOR_3(T, clamp, T, T, T)                                                                                \
    VECTOR_2(T, hadd, T, T)                                                                                    \
    VECTOR_2(T, rhadd, T, T)                                                                                   \
    VECTOR_2(U, abs_diff, T, T)                                                                                \
    VECTOR_2(T, rotate, T, T)                                                                                  \
    VECTOR_3(T, mad_hi, T, T, T)                                                                               \
    VECTOR_2(T, mul_hi, T, T)                                                                                  \
    VECTOR_1(U, abs, T)                                                                                        \
    VECTOR_1(T, clz, T)                                                                                        \
    VECTOR_1(T, popcount, T)                                                                                   \
    VECTOR_2(T, add_sat, T, T)                                                                                 \
    VECTOR_2(T, sub_sat, T, T)                                                                                 \
    VECTOR_3(T, mad_sat, T, T, T)                                                                              \
    EACH_SIZE(FORM_VECTOR_SCALAR, T, max, T)                                                                   \
    EACH_SIZE(FORM_VECTOR_SCALAR, T, min, T)                                                                   \
    EACH_SIZE(FORM_VECTOR_SCALAR_SCALAR, T, clamp, T)

/* --- 64 bits --- */
ulong OVERLOAD mul_hi(ulong a, ulong b) {
    const ulong al = (uint)a, ah = a >> 32, bl = (uint)b, bh = b >> 32;
    const ulong middle = ah * bl + (al * bl >> 32), carry = al * bh + (uint)middle;
    return ah * bh + (middle >> 32) + (carry >> 32);
}
long OVERLOAD mul_hi(long a, long b) {
    return (long)(mul_hi((ulong)a, (ulong)b) - (ulong)(a >> 63 & b) - (ulong)(b >> 63 & a));
}
ulong OVERLOAD abs(long a) { return a < 0 ? -(ulong)a : (ulong)a; }
ulong OVERLOAD abs(ulong a) { return a; }
ulong OVERLOAD clz(ulong a) {
    const uint high = (uint)(a >> 32), low = (uint)a;
    const uint low_zeros = low == 0 ? 32 : (uint)__builtin_clz(low);
    return high == 0 ? 32 + low_zeros : (uint)__builtin_clz(high);
}
long OVERLOAD clz(long a) { return (long)clz((ulong)a); }
ulong OVERLOAD popcount(ulong a) { return (ulong)__builtin_popcountl(a); }
long OVERLOAD popcount(long a) { return __builtin_popcountl((ulong)a); }
ulong OVERLOAD add_sat(ulong a, ulong b) { return a + b < a ? ULONG_MAX : a + b; }
ulong OVERLOAD sub_sat(ulong a, ulong b) { return a < b ? 0 : a - b; }
long OVERLOAD add_sat(long a, long b) {
    const long sum = (long)((ulong)a + (ulong)b);
    return ((a ^ sum) & (b ^ sum)) < 0 ? (a >> 63) ^ LONG_MAX : sum;
}
long OVERLOAD sub_sat(long a, long b) {
    const long difference = (long)((ulong)a - (ulong)b);
    return ((a ^ b) & (a ^ difference)) < 0 ? (a >> 63) ^ LONG_MAX : difference;
}
ulong OVERLOAD mad_sat(ulong a, ulong b, ulong c) { return mul_hi(a, b) != 0 ? ULONG_MAX : add_sat(a * b, c); }
long OVERLOAD mad_sat(long a, long b, long c) {
    const ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
    const long high = mul_hi(a, b) + (c >> 63) + (sum < low); /* of the exact 128-bit result */
    return high == (long)sum >> 63 ? (long)sum : (high >> 63) ^ LONG_MAX;
}
ANY(ulong, ulong)
ANY(long, ulong)

/* --- 8 to 32 bits: in a wider type W nothing overflows --- */
#define NARROW(T, U, W, low, high)                                                                             \
    U OVERLOAD abs(T a) { return (U)(a < 0 ? -(W)a : (W)a); }                                                  \
    T OVERLOAD clz(T a) { return (T)((a == 0 ? 32 : __builtin_clz((U)a)) - (32 - 8 * (int)sizeof(T))); }       \
    T OVERLOAD popcount(T a) { return (T)__builtin_popcount((U)a); }                                           \
    T OVERLOAD mul_hi(T a, T b) { return (T)((W)a * (W)b >> 8 * sizeof(T)); }                                  \
    T OVERLOAD add_sat(T a, T b) { return (T)clamp((W)a + (W)b, (W)low, (W)high); }                            \
    T OVERLOAD sub_sat(T a, T b) { return (T)clamp((W)a - (W)b, (W)low, (W)high); }                            \
    T OVERLOAD mad_sat(T a, T b, T c) { return (T)clamp((long)a * (long)b + c, (long)low, (long)high); }       \
    ANY(T, U)
NARROW(int, uint, long, INT_MIN, INT_MAX)
NARROW(char, uchar, int, CHAR_MIN, CHAR_MAX)
NARROW(uchar, uchar, int, 0, UCHAR_MAX)
NARROW(short, ushort, int, SHRT_MIN, SHRT_MAX)
NARROW(ushort, ushort, long, 0, USHRT_MAX)

uint OVERLOAD abs(uint a) { return a; }
uint OVERLOAD clz(uint a) { return a == 0 ? 32 : (uint)__builtin_clz(a); }
uint OVERLOAD popcount(uint a) { return (uint)__builtin_popcount(a); }
uint OVERLOAD mul_hi(uint a, uint b) { return (uint)((ulong)a * b >> 32); }
uint OVERLOAD add_sat(uint a, uint b) { return a + b < a ? UINT_MAX : a + b; }
uint OVERLOAD sub_sat(uint a, uint b) { return a < b ? 0 : a - b; }
uint OVERLOAD mad_sat(uint a, uint b, uint c) {
    const ulong exact = (ulong)a * b + c;
    return exact > UINT_MAX ? UINT_MAX : (uint)exact;
}
ANY(uint, uint)

/* --- 24 bits: the plain product is one instruction and right for every operand OpenCL defines --- */
#define PRODUCT_24(T, ...)                                                                                     \
    T OVERLOAD mul24(T a, T b) { return a * b; }                                                               \
    T OVERLOAD mad24(T a, T b, T c) { return a * b + c; }                                                      \
    VECTOR_2(T, mul24, T, T)                                                                                   \
    VECTOR_3(T, mad24, T, T, T)
PRODUCT_24(int)
PRODUCT_24(uint)

#define UPSAMPLE(R, H, L)                                                                                      \
    R OVERLOAD upsample(H high, L low) { return (R)((R)high << 8 * sizeof(L) | low); }                         \
    VECTOR_2(R, upsample, H, L)
UPSAMPLE(short, char, uchar)
UPSAMPLE(ushort, uchar, uchar)
UPSAMPLE(int, short, ushort)
UPSAMPLE(uint, ushort, ushort)
UPSAMPLE(long, int, uint)
UPSAMPLE(ulong, uint, uint)

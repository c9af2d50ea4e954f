/*
 * math_exact: what newlib's math library lacks: fma rounded once, and a gamma function within OpenCL's 16
 * ulp; and what the machine has an instruction for.
 */
#include <stdbool.h>
#include <stdint.h>

static uint64_t bits_of(double a) {
    return (union {
               double value;
               uint64_t bits;
           }){a}
        .bits;
}
static double double_of(uint64_t bits) {
    return (union {
               uint64_t bits;
               double value;
           }){bits}
        .value;
}

/* The product of floats is exact in double, and the sum is rounded to odd there, so rounding it to float is
 * the only rounding that shows. */
float lockstep_fmaf(float a, float b, float c) {
    const double product = (double)a * (double)b, sum = product + (double)c;
    const double part = sum - product, error = (product - (sum - part)) + ((double)c - part);
    const uint64_t bits = bits_of(sum);
    const bool adjust = (error < 0 || error > 0) && (bits & 1) == 0 && sum - sum == 0;
    const uint64_t towards_error = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return (float)double_of(adjust ? towards_error : bits);
}

/* newlib's own functions (acos, asin, hypot) call these: VSQRT is as exact as its loop over the bits. */
double __ieee754_sqrt(double a) {
    return __builtin_sqrt(a);
}
float __ieee754_sqrtf(float a) {
    return __builtin_sqrtf(a);
}

/* A non-negative number of 128 bits. */
struct wide {
    uint64_t high, low;
};

static struct wide multiply(uint64_t a, uint64_t b) {
    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    const uint64_t middle = ah * bl + (al * bl >> 32), carry = al * bh + (uint32_t)middle;
    return (struct wide){ah * bh + (middle >> 32) + (carry >> 32), a * b};
}
static struct wide shift_left(struct wide a, unsigned n) { /* n 0–127 */
    if (n >= 64) return (struct wide){a.low << (n - 64), 0};
    return (struct wide){n == 0 ? a.high : a.high << n | a.low >> (64 - n), a.low << n};
}
/* Bits shifted out are remembered in the last one. */
static struct wide shift_right_sticky(struct wide a, unsigned n) {
    if (n == 0) return a;
    if (n >= 128) return (struct wide){0, (a.high | a.low) != 0};
    const struct wide lost = shift_left(a, 128 - n);
    const struct wide kept = n >= 64 ? (struct wide){0, n == 64 ? a.high : a.high >> (n - 64)}
                                     : (struct wide){a.high >> n, a.high << (64 - n) | a.low >> n};
    return (struct wide){kept.high, kept.low | ((lost.high | lost.low) != 0)};
}
static unsigned leading_zeros(struct wide a) { /* a ≠ 0 */
    return a.high != 0 ? (unsigned)__builtin_clzll(a.high) : 64 + (unsigned)__builtin_clzll(a.low);
}

/* A finite number: significand × 2^exponent, the significand's bit 52 set (unless it is 0). */
struct unpacked {
    uint64_t significand;
    int exponent;
    bool negative;
};
static struct unpacked unpack(double a) {
    const uint64_t bits = bits_of(a), fraction = bits & 0xfffffffffffff;
    const int field = (int)(bits >> 52 & 0x7ff);
    const bool negative = bits >> 63 != 0;
    if (field != 0) return (struct unpacked){fraction | 1ull << 52, field - 1075, negative};
    if (fraction == 0) return (struct unpacked){0, -1074, negative};
    const int shift = __builtin_clzll(fraction) - 11;
    return (struct unpacked){fraction << shift, -1074 - shift, negative};
}

/* a × 2^exponent, a ≠ 0 with a sticky last bit, to nearest even. */
static double pack(struct wide a, int exponent, bool negative) {
    const unsigned zeros = leading_zeros(a);
    a = shift_left(a, zeros);
    int field =
        exponent - (int)zeros + 127 + 1023; /* weight of the leading bit, 2^127 of the shifted number */
    if (field <= 0) {
        a = shift_right_sticky(a, (unsigned)(1 - field));
        field = 1;
    }
    const uint64_t kept = a.high >> 11, cut = a.high << 53 | (a.low != 0); /* 53 bits kept */
    const uint64_t up = cut > 1ull << 63 || (cut == 1ull << 63 && (kept & 1) != 0);
    /* A normal number's leading bit makes the exponent field one larger; rounding may carry into it too. */
    const uint64_t magnitude = ((uint64_t)(field - 1) << 52) + kept + up;
    const uint64_t infinity = 0x7ffull << 52;
    return double_of((field >= 0x7ff || magnitude > infinity ? infinity : magnitude) | (uint64_t)negative
                                                                                           << 63);
}

double lockstep_fma(double a, double b, double c) {
    const struct unpacked x = unpack(a), y = unpack(b), z = unpack(c);
    const bool product_special = (bits_of(a) >> 52 & 0x7ff) == 0x7ff || (bits_of(b) >> 52 & 0x7ff) == 0x7ff;
    if (product_special || x.significand == 0 || y.significand == 0) return a * b + c;
    if ((bits_of(c) >> 52 & 0x7ff) == 0x7ff) return c + c; /* the product might overflow */
    struct wide product = shift_left(multiply(x.significand, y.significand), 20); /* leading bit 124 or 125 */
    const int product_exponent = x.exponent + y.exponent - 20;
    const bool negative = x.negative != y.negative;
    if (z.significand == 0) return pack(product, product_exponent, negative);
    struct wide addend = {z.significand << 8, 0}; /* leading bit 124 */
    const int addend_exponent = z.exponent - 72;
    const int exponent = product_exponent > addend_exponent ? product_exponent : addend_exponent;
    product = shift_right_sticky(product, (unsigned)(exponent - product_exponent));
    addend = shift_right_sticky(addend, (unsigned)(exponent - addend_exponent));
    if (negative == z.negative) {
        const uint64_t low = product.low + addend.low;
        return pack((struct wide){product.high + addend.high + (low < addend.low), low}, exponent, negative);
    }
    const bool swap = product.high < addend.high || (product.high == addend.high && product.low < addend.low);
    const struct wide large = swap ? addend : product, small = swap ? product : addend;
    const struct wide rest = {large.high - small.high - (large.low < small.low), large.low - small.low};
    if ((rest.high | rest.low) == 0) return 0.0;
    return pack(rest, exponent, swap ? z.negative : negative);
}

double exp(double), pow(double, double), log(double), sin(double), floor(double);

/* Γ(y) = root² × rest for 0 < y, in factors that do not overflow where Γ(y) does not. Stirling's series is
 * good from 12 upwards; smaller arguments are lifted there by Γ(a) = Γ(a + n) / (a (a+1) … (a+n−1)). The
 * derivative makes up for what a + n loses to rounding: Γ'(y) ≈ Γ(y) (log y − 1/2y). */
struct gamma {
    double root, rest;
};
static struct gamma gamma_positive(double a) {
    double product = 1, n = 0;
    while (a + n < 12) {
        product *= a + n;
        n += 1;
    }
    const double y = a + n, lost = a - (y - n), w = 1 / y, w2 = w * w;
    const double series =
        w * (1.0 / 12 +
             w2 * (-1.0 / 360 +
                   w2 * (1.0 / 1260 + w2 * (-1.0 / 1680 + w2 * (1.0 / 1188 - w2 * (691.0 / 360360))))));
    const double correction = 1 + lost * (log(y) - 0.5 * w);
    return (struct gamma){pow(y, 0.5 * y - 0.25),
                          2.5066282746310005024 * exp(-y) * exp(series) * correction / product};
}

double lockstep_tgamma(double a) {
    const double magnitude = double_of(bits_of(a) & ~(1ull << 63)), infinity = (double)__builtin_inff();
    if (!(magnitude < infinity)) return a < 0 ? infinity - infinity : a;
    if (magnitude < 0x1p-60) return 1 / a;
    if (a > 172) return infinity;
    if (a > 0) {
        const struct gamma g = gamma_positive(a);
        return g.root * g.rest * g.root;
    }
    const double whole = floor(magnitude), part = magnitude - whole;
    if (part == 0) return (a - a) / (a - a);
    const bool odd = whole - 2 * floor(0.5 * whole) != 0;
    if (magnitude > 186) return odd ? 0.0 : -0.0;
    /* Γ(−m) = −π / (m sin(πm) Γ(m)) */
    const double sine = sin(3.14159265358979323846 * (part > 0.5 ? 1 - part : part));
    const struct gamma g = gamma_positive(magnitude);
    const double result = 3.14159265358979323846 / (magnitude * sine * g.rest) / g.root / g.root;
    return odd ? result : -result;
}

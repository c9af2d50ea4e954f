/*
 * aeabi: the helpers that ARM code generation calls (Run-time ABI for the ARM Architecture, sections 4.1
 * to 4.3) and the memory functions. Each is a plain function of an archive that the linker takes from by
 * need.
 *
 * Floating-point helpers pass numbers in core registers even where everything else uses VFP registers:
 * CORE_REGISTERS. Quotients by zero are 0 and their remainders the dividend.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CORE_REGISTERS __attribute__((pcs("aapcs")))

/* --- 64-bit division, on the machine's 32-bit UDIV --- */

/* (high:low) / divisor, where high < divisor and the divisor's top bit is set: two quotient digits of 16
 * bits, each guessed from the divisor's leading digit and at most two too large. */
struct digit {
    uint32_t guess;
    uint64_t excess, available;
};
static struct digit corrected(struct digit d, uint32_t leading, uint32_t trailing) {
    const bool large = d.excess > d.available;
    return (struct digit){d.guess - large, d.excess - (large ? trailing : 0),
                          d.available + (large ? (uint64_t)leading << 16 : 0)};
}
static uint32_t divide_long(uint32_t high, uint32_t low, uint32_t divisor) {
    const uint32_t leading = divisor >> 16, trailing = divisor & 0xffff;
    uint32_t quotient = 0, rest = high;
#pragma unroll
    for (int shift = 16; shift >= 0; shift -= 16) {
        const uint32_t guess = rest / leading;
        struct digit d = {guess, (uint64_t)guess * trailing,
                          (uint64_t)(rest - guess * leading) << 16 | (low >> shift & 0xffff)};
        d = corrected(corrected(d, leading, trailing), leading, trailing);
        quotient = quotient << 16 | d.guess;
        rest = (uint32_t)(d.available - d.excess);
    }
    return quotient;
}

/* Returns the quotient of a division by a divisor of at least 2^32. The quotient is below 2^32. */
static uint64_t divide_by_long(uint64_t dividend, uint64_t divisor) {
    const unsigned shift = (unsigned)__builtin_clz((uint32_t)(divisor >> 32));
    const uint32_t leading = (uint32_t)(divisor << shift >> 32);
    const uint32_t guess =
        divide_long((uint32_t)(dividend >> 33), (uint32_t)(dividend >> 1), leading) >> (31 - shift);
    /* Right or one too large (Hacker's Delight, 9-5): start one lower. */
    const uint32_t low = guess - (guess != 0);
    return low + (dividend - low * divisor >= divisor);
}

static uint64_t divide_by_short(uint64_t dividend, uint32_t divisor) {
    const uint32_t high = (uint32_t)(dividend >> 32), low = (uint32_t)dividend;
    if (divisor == 0) return 0;
    if (high == 0) return low / divisor;
    const unsigned shift = (unsigned)__builtin_clz(divisor);
    const uint32_t top = high / divisor;
    const uint64_t rest = ((uint64_t)(high - top * divisor) << 32 | low) << shift;
    return (uint64_t)top << 32 | divide_long((uint32_t)(rest >> 32), (uint32_t)rest, divisor << shift);
}

uint64_t lockstep_divide(uint64_t dividend, uint64_t divisor, uint64_t *remainder) {
    uint64_t quotient;
    if (divisor >> 32 != 0) {
        quotient = divide_by_long(dividend, divisor);
    } else {
        quotient = divide_by_short(dividend, (uint32_t)divisor);
    }
    *remainder = dividend - quotient * divisor;
    return quotient;
}

int64_t lockstep_divide_signed(int64_t dividend, int64_t divisor, int64_t *remainder) {
    const uint64_t n = dividend < 0 ? -(uint64_t)dividend : (uint64_t)dividend;
    const uint64_t d = divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor;
    uint64_t rest;
    const uint64_t quotient = lockstep_divide(n, d, &rest);
    *remainder = (int64_t)(dividend < 0 ? -rest : rest);
    return (int64_t)((dividend ^ divisor) < 0 ? -quotient : quotient);
}

/* Quotient in r0:r1, remainder in r2:r3: no C function returns that. */
#define DIVISION(name, function)                                                                             \
    __attribute__((naked)) void name(void) {                                                                 \
        __asm__("push {r11, lr}\n"                                                                           \
                "sub sp, sp, #16\n"                                                                          \
                "add r12, sp, #8\n"                                                                          \
                "str r12, [sp]\n"                                                                            \
                "bl " #function "\n"                                                                         \
                "ldrd r2, r3, [sp, #8]\n"                                                                    \
                "add sp, sp, #16\n"                                                                          \
                "pop {r11, pc}\n");                                                                          \
    }
DIVISION(__aeabi_uldivmod, lockstep_divide)
DIVISION(__aeabi_ldivmod, lockstep_divide_signed)

/* --- 32-bit division: UDIV and SDIV, for code that calls all the same --- */
uint32_t __aeabi_uidiv(uint32_t a, uint32_t b) {
    return a / b;
}
int32_t __aeabi_idiv(int32_t a, int32_t b) {
    return a / b;
}
uint64_t __aeabi_uidivmod(uint32_t a, uint32_t b) {
    const uint32_t quotient = a / b;
    return (uint64_t)(a - quotient * b) << 32 | quotient;
}
uint64_t __aeabi_idivmod(int32_t a, int32_t b) {
    const int32_t quotient = a / b;
    return (uint64_t)(uint32_t)(a - quotient * b) << 32 | (uint32_t)quotient;
}

/* --- 64-bit integers: product and shifts (by 0–63) --- */
int64_t __aeabi_lmul(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}
uint64_t __aeabi_llsl(uint64_t a, int n) {
    return a << n;
}
uint64_t __aeabi_llsr(uint64_t a, int n) {
    return a >> n;
}
int64_t __aeabi_lasr(int64_t a, int n) {
    return a >> n;
}

/* --- 64-bit integers and floating point --- */

/* Both halves are exact, so the sum is the only rounding. */
static double double_from(int64_t a) {
    return (double)(int32_t)(a >> 32) * 0x1p32 + (double)(uint32_t)a;
}
static double double_from_unsigned(uint64_t a) {
    return (double)(uint32_t)(a >> 32) * 0x1p32 + (double)(uint32_t)a;
}
/* Bits too low for a double are gathered into one that still fits and makes the float's rounding right. */
static uint64_t gathered(uint64_t magnitude) {
    return magnitude >> 53 != 0 ? ((magnitude >> 11) | ((magnitude & 0x7ff) != 0)) << 11 : magnitude;
}
CORE_REGISTERS double __aeabi_l2d(int64_t a) {
    return double_from(a);
}
CORE_REGISTERS double __aeabi_ul2d(uint64_t a) {
    return double_from_unsigned(a);
}
CORE_REGISTERS float __aeabi_l2f(int64_t a) {
    const uint64_t magnitude = a < 0 ? -(uint64_t)a : (uint64_t)a;
    const float result = (float)double_from_unsigned(gathered(magnitude));
    return a < 0 ? -result : result;
}
CORE_REGISTERS float __aeabi_ul2f(uint64_t a) {
    return (float)double_from_unsigned(gathered(a));
}

/* The machine's conversions saturate and make NaN 0, and so do these. */
static uint64_t unsigned_from(double a) {
    uint32_t high, low;
    __asm__("vcvt.u32.f64 %0, %P1" : "=t"(high) : "w"(a * 0x1p-32));
    __asm__("vcvt.u32.f64 %0, %P1" : "=t"(low) : "w"(a - (double)high * 0x1p32));
    return (uint64_t)high << 32 | low;
}
static int64_t signed_from(double a) {
    const uint64_t magnitude = unsigned_from(a < 0 ? -a : a);
    const uint64_t limit = a < 0 ? 1ull << 63 : (1ull << 63) - 1;
    const uint64_t saturated = magnitude > limit ? limit : magnitude;
    return (int64_t)(a < 0 ? -saturated : saturated);
}
CORE_REGISTERS int64_t __aeabi_d2lz(double a) {
    return signed_from(a);
}
CORE_REGISTERS uint64_t __aeabi_d2ulz(double a) {
    return unsigned_from(a);
}
CORE_REGISTERS int64_t __aeabi_f2lz(float a) {
    return signed_from((double)a);
}
CORE_REGISTERS uint64_t __aeabi_f2ulz(float a) {
    return unsigned_from((double)a);
}

/* --- memory: by words, which need not be aligned; then the bytes that are left --- */
struct word {
    uint32_t value;
} __attribute__((packed, may_alias));

static void copy_up(uint8_t *to, const uint8_t *from, size_t n) {
    while (n >= 4) {
        ((struct word *)to)->value = ((const struct word *)from)->value;
        to += 4;
        from += 4;
        n -= 4;
    }
    while (n > 0) {
        *to++ = *from++;
        n--;
    }
}
static void copy_down(uint8_t *to, const uint8_t *from, size_t n) {
    while (n >= 4) {
        n -= 4;
        ((struct word *)(to + n))->value = ((const struct word *)(from + n))->value;
    }
    while (n > 0) {
        n--;
        to[n] = from[n];
    }
}
static void fill(uint8_t *to, size_t n, uint8_t value) {
    const uint32_t word = value * 0x01010101u;
    while (n >= 4) {
        ((struct word *)to)->value = word;
        to += 4;
        n -= 4;
    }
    while (n > 0) {
        *to++ = value;
        n--;
    }
}

void *memcpy(void *to, const void *from, size_t n) {
    copy_up(to, from, n);
    return to;
}
void *memmove(void *to, const void *from, size_t n) {
    if ((uintptr_t)to - (uintptr_t)from >= n) {
        copy_up(to, from, n);
    } else {
        copy_down(to, from, n);
    }
    return to;
}
void *memset(void *to, int value, size_t n) {
    fill(to, n, (uint8_t)value);
    return to;
}

/* The suffixes promise alignment, which words do not need. */
#define MEMORY(suffix)                                                                                       \
    void __aeabi_memcpy##suffix(void *to, const void *from, size_t n) {                                      \
        memcpy(to, from, n);                                                                                 \
    }                                                                                                        \
    void __aeabi_memmove##suffix(void *to, const void *from, size_t n) {                                     \
        memmove(to, from, n);                                                                                \
    }                                                                                                        \
    void __aeabi_memset##suffix(void *to, size_t n, int value) {                                             \
        memset(to, value, n);                                                                                \
    }                                                                                                        \
    void __aeabi_memclr##suffix(void *to, size_t n) {                                                        \
        memset(to, 0, n);                                                                                    \
    }
MEMORY()
MEMORY(4)
MEMORY(8)

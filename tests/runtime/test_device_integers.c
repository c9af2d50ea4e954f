/*
 * device library: integer functions, every conversion with every rounding and saturation, and half precision,
 * against exact references.
 */
#include "tests/device/runner.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CALLS = 700 };

static bool is_signed(enum kind k) {
    return k == KIND_char || k == KIND_short || k == KIND_int || k == KIND_long;
}
static bool is_floating(enum kind k) {
    return k == KIND_float || k == KIND_double;
}
static __int128 lowest(enum kind k) {
    return is_signed(k) ? -((__int128)1 << (8 * kind_bytes[k] - 1)) : 0;
}
static __int128 highest(enum kind k) {
    return ((__int128)1 << (8 * kind_bytes[k] - is_signed(k))) - 1;
}
static __int128 saturated(__int128 v, enum kind k) {
    return v < lowest(k) ? lowest(k) : v > highest(k) ? highest(k) : v;
}
static __int128 wrapped(__int128 v, enum kind k) {
    const __int128 range = (__int128)1 << 8 * kind_bytes[k];
    const __int128 low = v & (range - 1);
    return is_signed(k) && low > highest(k) ? low - range : low;
}

/* --- integer functions: in the order in which functions.def has them for each type --- */
enum operation {
    ABS,
    ABS_DIFF,
    ADD_SAT,
    SUB_SAT,
    HADD,
    RHADD,
    CLAMP,
    CLZ,
    POPCOUNT,
    MUL_HI,
    MAD_HI,
    MAD_SAT,
    ROTATE,
    DIVIDE,
    MODULO,
    BITSELECT,
    OPERATIONS
};

static __int128 zeros_or_ones(__int128 a, unsigned bits, bool count_ones) {
    int n = 0;
    for (unsigned i = bits; i-- > 0;) {
        const bool one = a >> i & 1;
        if (count_ones) {
            n += one;
        } else if (one) {
            break;
        } else {
            n++;
        }
    }
    return n;
}

static __int128 reference(enum operation op, enum kind k, __int128 a, __int128 b, __int128 c) {
    const unsigned bits = 8 * kind_bytes[k];
    const __int128 mask = ((__int128)1 << bits) - 1, low = b < c ? b : c, high = b < c ? c : b;
    const __int128 divisor = b == 0 || (b & mask) == mask ? 3 : b;
    const unsigned by = (unsigned)(b & (bits - 1));
    switch (op) {
    case ABS: return a < 0 ? -a : a;
    case ABS_DIFF: return a < b ? b - a : a - b;
    case ADD_SAT: return saturated(a + b, k);
    case SUB_SAT: return saturated(a - b, k);
    case HADD: return (a + b) >> 1;
    case RHADD: return (a + b + 1) >> 1;
    case CLAMP: return a < low ? low : a > high ? high : a;
    case CLZ: return zeros_or_ones(a, bits, false);
    case POPCOUNT: return zeros_or_ones(a, bits, true);
    case MUL_HI:
        return is_signed(k) ? (a * b) >> bits
                            : (__int128)((unsigned __int128)a * (unsigned __int128)b >> bits);
    case MAD_HI: return wrapped(reference(MUL_HI, k, a, b, 0) + c, k);
    case MAD_SAT: /* the product of unsigned 64-bit numbers may need 128 bits */
        if (!is_signed(k) && (unsigned __int128)a * (unsigned __int128)b >> bits != 0) return highest(k);
        return saturated(a * b + c, k);
    case ROTATE: return wrapped((a & mask) << by | (by ? (a & mask) >> (bits - by) : 0), k);
    case DIVIDE: return a / divisor;
    case MODULO: return a % divisor;
    default: return wrapped((a & ~c) | (b & c), k);
    }
}

static void test_integer_functions(void **state) {
    (void)state;
    unsigned compared = 0;
    for (unsigned id = ID_abs_char; id <= ID_bitselect_ulong; id++) {
        const struct function *f = &functions[id];
        const enum operation op = (id - ID_abs_char) % OPERATIONS;
        for (unsigned i = 0; i < calls[id].n; i++, compared++) {
            const __int128 a = runner_integer(calls[id].a, f->a, i);
            const __int128 b = f->b == f->a ? runner_integer(calls[id].b, f->b, i) : 0;
            const __int128 c = f->c == f->a ? runner_integer(calls[id].c, f->c, i) : 0;
            const __int128 want = reference(op, f->a, a, b, c),
                           got = runner_integer(calls[id].result, f->result, i);
            if (want != got)
                fail_msg("%s(%lld, %lld, %lld) = %lld, not %lld", f->name, (long long)a, (long long)b,
                         (long long)c, (long long)got, (long long)want);
        }
    }
    assert_int_equal(compared, 8 * OPERATIONS * CALLS);
}

static void test_other_integer_functions(void **state) {
    (void)state;
    for (unsigned i = 0; i < CALLS; i++) {
        const struct calls *u = &calls[ID_upsample_ulong], *s = &calls[ID_upsample_short],
                           *m = &calls[ID_mad24_int];
        assert_true(((uint64_t *)u->result)[i] ==
                    ((uint64_t)((uint32_t *)u->a)[i] << 32 | ((uint32_t *)u->b)[i]));
        assert_int_equal(((int16_t *)s->result)[i], ((int8_t *)s->a)[i] * 256 + ((uint8_t *)s->b)[i]);
        const int64_t a = ((int *)m->a)[i] >> 8, b = ((int *)m->b)[i] >> 8, c = ((int *)m->c)[i];
        assert_int_equal(((int *)m->result)[i], (int)(a * b + c));
    }
}

/* --- conversions --- */
static const int rounding_modes[] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD,
                                     FE_DOWNWARD}; /* "", rte… */

static void check_to_floating(enum function_id id, int rounding) {
    const struct function *f = &functions[id];
    for (unsigned i = 0; i < calls[id].n; i++) {
        const volatile long double a = runner_value(calls[id].a, f->a, i);
        fesetround(rounding);
        const volatile long double want =
            f->result == KIND_float ? (long double)(float)a : (long double)(double)a;
        fesetround(FE_TONEAREST);
        const long double got = runner_value(calls[id].result, f->result, i);
        if (isnan(want) ? !isnan(got) : want != got)
            fail_msg("%s(%La) = %La, not %La", f->name, a, got, want);
    }
}

static void check_to_integer(enum function_id id, int rounding, bool saturate) {
    const struct function *f = &functions[id];
    for (unsigned i = 0; i < calls[id].n; i++) {
        const volatile long double a = runner_value(calls[id].a, f->a, i);
        fesetround(rounding);
        const volatile long double whole = rintl(a);
        fesetround(FE_TONEAREST);
        const bool inside =
            whole >= (long double)lowest(f->result) && whole <= (long double)highest(f->result);
        if (!saturate && is_floating(f->a) && !inside) continue; /* undefined */
        const __int128 exact = isnan(whole)        ? 0
                               : whole < -0x1p100L ? -highest(KIND_ulong)
                               : whole > 0x1p100L  ? highest(KIND_ulong)
                                                   : (__int128)whole;
        const __int128 want = saturate ? saturated(exact, f->result) : wrapped(exact, f->result);
        const __int128 got = runner_integer(calls[id].result, f->result, i);
        if (want != got) fail_msg("%s(%La) = %lld, not %lld", f->name, a, (long long)got, (long long)want);
    }
}

static void test_conversions(void **state) {
    (void)state;
    unsigned checked = 0;
    for (unsigned id = ID_convert_float_char; id <= ID_convert_double_rtn_double; id++, checked++)
        check_to_floating(id, rounding_modes[(id - ID_convert_float_char) % 5]);
    for (unsigned id = ID_convert_char_char; id <= ID_convert_ulong_sat_rtn_double; id++, checked++) {
        const unsigned k = (id - ID_convert_char_char) % 10;
        check_to_integer(id, k % 5 == 0 ? FE_TOWARDZERO : rounding_modes[k % 5], k >= 5);
    }
    assert_int_equal(checked, 2 * 10 * 5 + 8 * 10 * 10);
}

/* --- half precision --- */
static double half_value(uint16_t h) {
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    const double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                             : exponent == 0 ? ldexp(fraction, -24)
                                             : ldexp(1024 + fraction, exponent - 25);
    return h & 0x8000 ? -magnitude : magnitude;
}

static void test_every_half_as_float(void **state) {
    (void)state;
    const struct calls *c = &calls[ID_half_to_float];
    assert_int_equal(c->n, 65536);
    for (unsigned h = 0; h < 65536; h++) {
        const double want = half_value((uint16_t)h), got = (double)((float *)c->result)[h];
        if (isnan(want) ? !isnan(got) : memcmp(&want, &got, sizeof got) != 0)
            fail_msg("half %#x: %a, not %a", h, got, want);
    }
}

/* The halves below and above a finite magnitude have adjacent encodings. */
static uint16_t half_reference(double a, int rounding) {
    const double magnitude = fabs(a);
    const uint16_t sign = signbit(a) ? 0x8000 : 0;
    if (isnan(a)) return 0x7e00;
    if (isinf(a)) return sign | 0x7c00;
    uint16_t below = 0;
    while (below < 0x7bff && half_value(below + 1) <= magnitude) below++;
    const double low = half_value(below), high = below == 0x7bff ? 65536 : half_value(below + 1);
    const bool exact = magnitude == low, up_is_away = rounding == (sign ? FE_DOWNWARD : FE_UPWARD);
    const double middle = (low + high) / 2;
    const bool nearest_up = magnitude > middle || (magnitude == middle && (below & 1));
    const bool up = rounding == FE_TONEAREST ? nearest_up : up_is_away;
    return sign | (!exact && up ? below + 1 : below);
}

static void check_halves(enum function_id id, int rounding) {
    const struct calls *c = &calls[id];
    for (unsigned i = 0; i < c->n; i++) {
        const double a = (double)runner_value(c->a, functions[id].a, i);
        const uint16_t want = half_reference(a, rounding), got = ((uint16_t *)c->result)[i];
        if (isnan(a) ? (got & 0x7fff) <= 0x7c00 : got != want)
            fail_msg("%s(%a) = %#x, not %#x", functions[id].name, a, got, want);
    }
}

static void test_halves(void **state) {
    (void)state;
    static const struct {
        double value;
        uint16_t half;
    } by_hand[] = {{1.0, 0x3c00},   {-2.0, 0xc000}, {0.1, 0x2e66}, {65504, 0x7bff}, {65520, 0x7c00},
                   {65519, 0x7bff}, {0x1p-24, 1},   {0x1p-25, 0},  {0x1.8p-24, 2},  {0x1p-14, 0x400}};
    for (unsigned i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
        assert_int_equal(half_reference(by_hand[i].value, FE_TONEAREST), by_hand[i].half);
    check_halves(ID_half_from_float, FE_TONEAREST);
    check_halves(ID_half_from_double, FE_TONEAREST);
    check_halves(ID_half_from_double_rtz, FE_TOWARDZERO);
    check_halves(ID_half_from_double_rtp, FE_UPWARD);
    check_halves(ID_half_from_double_rtn, FE_DOWNWARD);
}

/* Random doubles seldom fall among the halves: put a fraction of an encoding there. */
static void half_operands(enum function_id id) {
    runner_operands(id, CALLS);
    for (unsigned i = 100; i < CALLS; i++) {
        const double a =
            half_value((uint16_t)(runner_random() & 0xfbff)) * (1 + (double)(runner_random() & 15) * 0x1p-14);
        if (functions[id].a == KIND_float) {
            ((float *)calls[id].a)[i] = (float)a;
        } else {
            ((double *)calls[id].a)[i] = a;
        }
    }
}

static int run_everything(void **state) {
    (void)state;
    runner_seed();
    for (unsigned id = ID_abs_char; id < ID_half_to_float; id++) runner_operands(id, CALLS);
    runner_operands(ID_half_to_float, 65536);
    for (unsigned h = 0; h < 65536; h++) ((uint16_t *)calls[ID_half_to_float].a)[h] = (uint16_t)h;
    for (unsigned id = ID_half_to_float + 1; id <= ID_half_from_double_rtn; id++) half_operands(id);
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
        cmocka_unit_test(test_integer_functions),
        cmocka_unit_test(test_other_integer_functions),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_every_half_as_float),
        cmocka_unit_test(test_halves),
    };
    return cmocka_run_group_tests(tests, run_everything, free_everything);
}

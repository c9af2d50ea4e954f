#include "tests/arm/arm_corner.h"

#include "tests/arm/arm_random.h"

#define ONE_OF(...)                                                                                          \
    ((const uint32_t[]){__VA_ARGS__})[random_below(sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))]

enum { ZERO, ONE, MINUS_ONE, LARGEST, SMALLEST, HALVES, BELOW_256, OTHER_WORD, INTEGER_CLASSES };
static const char *const integer_names[] = {"0", "1", "-1", "max", "min", "halves", "2–255", "other"};

enum { BY_0, BY_1, BY_30, BY_31, BY_32, BY_33, BY_63, BY_254, BY_255, SHIFT_CLASSES };
static const char *const shift_names[] = {"0", "1", "2–30", "31", "32", "33", "34–63", "64–254", "255"};

enum {
    PLUS_ZERO,
    MINUS_ZERO,
    UNITY, /* ±1 */
    LEAST, /* the smallest subnormal */
    SUBNORMAL,
    LEAST_NORMAL,
    GREATEST,
    PLUS_INFINITY,
    MINUS_INFINITY,
    QUIET_NAN,
    SIGNALLING_NAN,
    LIMIT, /* limit of an integer format, or next to one */
    TIE,   /* a small integer and a half */
    OTHER_NUMBER,
    FLOAT_CLASSES
};
static const char *const float_names[] = {
    "+0",   "-0",   "±1",        "least subnormal", "subnormal",     "least normal", "greatest",
    "+inf", "-inf", "quiet NaN", "signalling NaN",  "integer limit", "tie",          "other"};

static const unsigned counts[ARM_CORNER_KINDS] = {INTEGER_CLASSES, SHIFT_CLASSES, FLOAT_CLASSES,
                                                  FLOAT_CLASSES};
static const char *const *const names[ARM_CORNER_KINDS] = {integer_names, shift_names, float_names,
                                                           float_names};

unsigned arm_corner_classes(enum arm_corner_kind kind) {
    return counts[kind];
}
const char *arm_corner_name(enum arm_corner_kind kind, unsigned class) {
    return names[kind][class];
}

/* --- operands --- */

/* Returns whether an operation's VFP register holds an integer instead of a number of its format. */
static bool holds_integer(unsigned operation) {
    return operation == ARM_OP_vcvt_from_s32_f32 || operation == ARM_OP_vcvt_from_u32_f32 ||
           operation == ARM_OP_vcvt_from_s32_f64 || operation == ARM_OP_vcvt_from_u32_f64 ||
           operation == ARM_OP_vcvt_from_fixed_f32 || operation == ARM_OP_vcvt_from_fixed_f64;
}

static unsigned register_of(const struct arm_instruction *i, char letter) {
    switch (letter) {
    case 'd': return i->rd;
    case 'e': return i->rd + 1u;
    case 'n': return i->rn;
    case 'm': return i->rm;
    case 'g': return i->rm + 1u;
    case 'T': return i->rn;
    default: return i->rs;
    }
}

static bool is_address(const struct arm_instruction *i, char kind, char letter) {
    return kind == 'r' && letter == 'n' && (i->is_load || i->is_store);
}

/* Returns whether a row operates on singles of Advanced SIMD. The first element represents all. */
static bool is_single(const struct arm_row *row) {
    return strstr(row->text, ".f32") && row->operation != ARM_OP_neon_vcvt_to_f32;
}

unsigned arm_operands(const struct arm_instruction *i, struct arm_operand out[ARM_CORNER_OPERANDS]) {
    unsigned count = 0;
    for (const char *e = strchr(i->row->effects, ':') + 1; *e && count < ARM_CORNER_OPERANDS;) {
        const char kind = arm_effect_kind(*e) ? *e++ : 'r', letter = kind == 'T' || kind == 'P' ? kind : *e++;
        if (letter == 'l' || letter == 'v' || letter == 'P' || is_address(i, kind, letter)) continue;
        struct arm_operand o = {ARM_CORNER_INTEGER, register_of(i, letter)};
        if (o.row == 15) continue;
        if (kind == 'S' && !holds_integer(i->row->operation)) o.kind = ARM_CORNER_SINGLE;
        if (kind == 'Q' && is_single(i->row)) o.kind = ARM_CORNER_SINGLE;
        if (kind == 'D' && i->row->form < ARM_FORM_NEON && !holds_integer(i->row->operation))
            o.kind = ARM_CORNER_DOUBLE;
        if (i->row->form == ARM_FORM_SHIFTED_REGISTER && letter == 's') o.kind = ARM_CORNER_SHIFT;
        out[count++] = o;
    }
    return count;
}

uint64_t arm_operand_get(const struct arm_operand *o, const uint32_t *registers) {
    return registers[o->row] | (o->kind == ARM_CORNER_DOUBLE ? (uint64_t)registers[o->row + 1] << 32 : 0);
}

void arm_operand_set(const struct arm_operand *o, uint32_t *registers, uint64_t value) {
    registers[o->row] = (uint32_t)value;
    if (o->kind == ARM_CORNER_DOUBLE) registers[o->row + 1] = (uint32_t)(value >> 32);
}

/* --- values --- */

static bool is_corner_half(uint32_t half) {
    return half <= 1 || half == 0x7f || half == 0x80 || half == 0x7fff || half == 0x8000 || half == 0xffff;
}

static unsigned integer_class(uint32_t v) {
    switch (v) {
    case 0: return ZERO;
    case 1: return ONE;
    case 0xffffffff: return MINUS_ONE;
    case 0x7fffffff: return LARGEST;
    case 0x80000000: return SMALLEST;
    default:
        if (is_corner_half(v & 0xffff) && is_corner_half(v >> 16)) return HALVES;
        return v < 256 ? BELOW_256 : OTHER_WORD;
    }
}

static uint32_t integer_draw(unsigned class) {
    static const uint32_t fixed[] = {0, 1, 0xffffffff, 0x7fffffff, 0x80000000};
    switch (class) {
    case HALVES:
        return ONE_OF(0, 1, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff) << 16 |
               ONE_OF(0, 1, 0x7f, 0x80, 0x7fff, 0x8000, 0xffff);
    case BELOW_256: return 2 + random_below(254);
    case OTHER_WORD: return random_word() >> (random_below(2) ? 0 : random_below(24));
    default: return fixed[class];
    }
}

static unsigned shift_class(uint32_t v) {
    const uint32_t by = v & 255;
    if (by < 2) return BY_0 + by;
    if (by <= 30) return BY_30;
    if (by <= 33) return BY_31 + (by - 31);
    return by < 64 ? BY_63 : by < 255 ? BY_254 : BY_255;
}

static uint32_t shift_draw(unsigned class) {
    static const uint8_t low[] = {0, 1, 2, 31, 32, 33, 34, 64, 255}, more[] = {1, 1, 29, 1, 1, 1, 30, 191, 1};
    return (low[class] + random_below(more[class])) | (random_below(2) ? random_word() << 8 : 0);
}

struct format {
    unsigned fraction_bits, bits;
};
static const struct format single_format = {23, 32}, double_format = {52, 64};

static uint64_t from_number(const struct format *f, double number) {
    const float narrow = (float)number;
    uint64_t wide_bits;
    uint32_t narrow_bits;
    memcpy(&wide_bits, &number, sizeof wide_bits);
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    return f->bits == 32 ? narrow_bits : wide_bits;
}

static double to_number(const struct format *f, uint64_t bits) {
    float narrow;
    double wide;
    const uint32_t low = (uint32_t)bits;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return f->bits == 32 ? (double)narrow : wide;
}

static uint64_t infinity_of(const struct format *f) {
    return ((UINT64_C(1) << (f->bits - 1)) - 1) >> f->fraction_bits << f->fraction_bits;
}

static bool is_limit(const struct format *f, uint64_t magnitude) {
    static const double limits[] = {0x1p7, 0x1p8, 0x1p15, 0x1p16, 0x1p31, 0x1p32};
    for (unsigned n = 0; n < sizeof limits / sizeof *limits; n++) {
        const uint64_t at = from_number(f, limits[n]);
        if (magnitude + 2 >= at && magnitude <= at + 2) return true;
    }
    return false;
}

static unsigned float_class(const struct format *f, uint64_t v) {
    const uint64_t sign = UINT64_C(1) << (f->bits - 1), m = v & (sign - 1), infinity = infinity_of(f);
    const uint64_t normal = UINT64_C(1) << f->fraction_bits;
    if (m == 0) return v ? MINUS_ZERO : PLUS_ZERO;
    if (m > infinity) return m & normal >> 1 ? QUIET_NAN : SIGNALLING_NAN;
    if (m == infinity) return v & sign ? MINUS_INFINITY : PLUS_INFINITY;
    if (m < normal) return m == 1 ? LEAST : SUBNORMAL;
    if (m == normal) return LEAST_NORMAL;
    if (m == infinity - 1) return GREATEST;
    if (is_limit(f, m)) return LIMIT;
    const double number = to_number(f, m);
    if (number == 1) return UNITY;
    return number < 1000 && number == (double)(unsigned)number + 0.5 ? TIE : OTHER_NUMBER;
}

static uint64_t other_number(const struct format *f) {
    const uint64_t fraction = seed_next(&random_seed) & ((UINT64_C(1) << f->fraction_bits) - 1);
    const unsigned exponent_bits = f->bits - 1 - f->fraction_bits, bias = (1u << (exponent_bits - 1)) - 1;
    const unsigned near = bias - 30 + random_below(64); /* a value of similar magnitude, so that operands
                                                         * interact */
    const unsigned any = 1 + random_below(2 * bias);
    return (uint64_t)(random_below(4) ? near : any) << f->fraction_bits | fraction;
}

static uint64_t float_draw(const struct format *f, unsigned class) {
    static const double limits[] = {0x1p7, 0x1p8, 0x1p15, 0x1p16, 0x1p31, 0x1p32};
    const uint64_t normal = UINT64_C(1) << f->fraction_bits, random = seed_next(&random_seed);
    const uint64_t sign = (random >> 60 & 1) << (f->bits - 1), infinity = infinity_of(f);
    switch (class) {
    case PLUS_ZERO: return 0;
    case MINUS_ZERO: return UINT64_C(1) << (f->bits - 1);
    case UNITY: return sign | from_number(f, 1);
    case LEAST: return sign | 1;
    case SUBNORMAL: return sign | (2 + random % (normal - 2));
    case LEAST_NORMAL: return sign | normal;
    case GREATEST: return sign | (infinity - 1);
    case PLUS_INFINITY: return infinity;
    case MINUS_INFINITY: return infinity | UINT64_C(1) << (f->bits - 1);
    case QUIET_NAN: return sign | infinity | normal >> 1 | random % (normal >> 1);
    case SIGNALLING_NAN: return sign | infinity | (1 + random % ((normal >> 1) - 1));
    case LIMIT: return sign | (from_number(f, limits[random % 6]) - 2 + (random >> 8) % 5);
    case TIE: return sign | from_number(f, (double)(random % 1000) + 0.5);
    default: return sign | other_number(f);
    }
}

uint64_t arm_corner_draw(enum arm_corner_kind kind, unsigned class) {
    switch (kind) {
    case ARM_CORNER_INTEGER: return integer_draw(class);
    case ARM_CORNER_SHIFT: return shift_draw(class);
    case ARM_CORNER_SINGLE: return float_draw(&single_format, class);
    default: return float_draw(&double_format, class);
    }
}

unsigned arm_corner_class(enum arm_corner_kind kind, uint64_t value) {
    switch (kind) {
    case ARM_CORNER_INTEGER: return integer_class((uint32_t)value);
    case ARM_CORNER_SHIFT: return shift_class((uint32_t)value);
    case ARM_CORNER_SINGLE: return float_class(&single_format, value);
    default: return float_class(&double_format, value);
    }
}

/*
 * arm_vfp_format: arithmetic in one format. Included by arm_vfp.c once for each, with FLOAT (host type), BITS
 * (pattern type), FORMAT(name), FRACTION_BITS, EXPONENT_MAX and SQRT defined.
 */

#define SIGN_BIT    ((BITS)1 << (sizeof(BITS) * 8 - 1))
#define QUIET_BIT   ((BITS)1 << (FRACTION_BITS - 1))
#define INFINITY_   ((BITS)EXPONENT_MAX << FRACTION_BITS)
#define MIN_NORMAL  ((BITS)1 << FRACTION_BITS)
#define DEFAULT_NAN (INFINITY_ | QUIET_BIT)

static FLOAT FORMAT(value)(BITS bits) {
    FLOAT v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static BITS FORMAT(bits)(FLOAT v) {
    BITS bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static bool FORMAT(is_nan)(BITS a) {
    return (a & ~SIGN_BIT) > INFINITY_;
}
static bool FORMAT(is_signalling)(BITS a) {
    return FORMAT(is_nan)(a) && !(a & QUIET_BIT);
}

static BITS FORMAT(flush)(BITS a, uint32_t fpscr) {
    return fpscr & ARM_FPSCR_FLUSH && (a & ~SIGN_BIT) < MIN_NORMAL ? a & SIGN_BIT : a;
}

/* The NaN that comes of two operands at least one of which is a NaN. */
static BITS FORMAT(propagated)(BITS a, BITS b, uint32_t fpscr) {
    if (fpscr & ARM_FPSCR_DEFAULT_NAN) return DEFAULT_NAN;
    if (FORMAT(is_signalling)(a)) return a | QUIET_BIT;
    if (FORMAT(is_signalling)(b)) return b | QUIET_BIT;
    return FORMAT(is_nan)(a) ? a : b;
}

static BITS FORMAT(rounded)(enum arm_vfp_operation operation, BITS a, BITS b, uint32_t rounding) {
    volatile FLOAT p = FORMAT(value)(a), q = FORMAT(value)(b), r;
    fesetround(host_rounding(rounding));
    switch (operation) {
    case ARM_VFP_ADD: r = p + q; break;
    case ARM_VFP_SUBTRACT: r = p - q; break;
    case ARM_VFP_MULTIPLY: r = p * q; break;
    case ARM_VFP_DIVIDE: r = p / q; break;
    default: r = SQRT(q); break;
    }
    fesetround(FE_TONEAREST);
    return FORMAT(bits)(r);
}

/* Flushing looks at the result before rounding: what only rounding made normal is flushed too. */
static BITS FORMAT(basic)(enum arm_vfp_operation operation, BITS a, BITS b, uint32_t fpscr) {
    a = FORMAT(flush)(a, fpscr);
    b = FORMAT(flush)(b, fpscr);
    if (FORMAT(is_nan)(a) || FORMAT(is_nan)(b)) return FORMAT(propagated)(a, b, fpscr);
    BITS r = FORMAT(rounded)(operation, a, b, fpscr);
    if (FORMAT(is_nan)(r)) return DEFAULT_NAN;
    if (fpscr & ARM_FPSCR_FLUSH && (r & ~SIGN_BIT) == MIN_NORMAL)
        return FORMAT(flush)(FORMAT(rounded)(operation, a, b, ARM_FPSCR_TOWARDS_ZERO), fpscr);
    return FORMAT(flush)(r, fpscr);
}

BITS FORMAT(arm_vfp)(enum arm_vfp_operation operation, BITS d, BITS a, BITS b, uint32_t fpscr) {
    if (operation == ARM_VFP_SQUARE_ROOT) return FORMAT(basic)(operation, b, b, fpscr);
    if (operation < ARM_VFP_NEGATED_MULTIPLY) return FORMAT(basic)(operation, a, b, fpscr);
    BITS product = FORMAT(basic)(ARM_VFP_MULTIPLY, a, b, fpscr);
    switch (operation) {
    case ARM_VFP_MULTIPLY_ADD: return FORMAT(basic)(ARM_VFP_ADD, d, product, fpscr);
    case ARM_VFP_MULTIPLY_SUBTRACT: return FORMAT(basic)(ARM_VFP_ADD, d, product ^ SIGN_BIT, fpscr);
    case ARM_VFP_NEGATED_MULTIPLY_ADD:
        return FORMAT(basic)(ARM_VFP_ADD, d ^ SIGN_BIT, product ^ SIGN_BIT, fpscr);
    case ARM_VFP_NEGATED_MULTIPLY_SUBTRACT: return FORMAT(basic)(ARM_VFP_ADD, d ^ SIGN_BIT, product, fpscr);
    default: return product ^ SIGN_BIT;
    }
}

uint32_t FORMAT(arm_vfp_compare)(BITS a, BITS b, uint32_t fpscr) {
    if (FORMAT(is_nan)(a) || FORMAT(is_nan)(b)) return 3u << 28;
    FLOAT p = FORMAT(value)(FORMAT(flush)(a, fpscr)), q = FORMAT(value)(FORMAT(flush)(b, fpscr));
    return p == q ? 6u << 28 : p < q ? 8u << 28 : 2u << 28;
}

#undef SIGN_BIT
#undef QUIET_BIT
#undef INFINITY_
#undef MIN_NORMAL
#undef DEFAULT_NAN

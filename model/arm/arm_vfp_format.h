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

static BITS FORMAT(flushed)(BITS a, uint32_t fpscr, uint32_t *flags) {
    if (!(fpscr & ARM_FPSCR_FLUSH) || (a & ~SIGN_BIT) >= MIN_NORMAL || !(a & ~SIGN_BIT)) return a;
    *flags |= ARM_FPSCR_IDC;
    return a & SIGN_BIT;
}

/* Returns the NaN result of two operands of which at least one is a NaN. */
static BITS FORMAT(propagated)(BITS a, BITS b, uint32_t fpscr, uint32_t *flags) {
    if (FORMAT(is_signalling)(a) || FORMAT(is_signalling)(b)) *flags |= ARM_FPSCR_IOC;
    if (fpscr & ARM_FPSCR_DEFAULT_NAN) return DEFAULT_NAN;
    if (FORMAT(is_signalling)(a)) return a | QUIET_BIT;
    if (FORMAT(is_signalling)(b)) return b | QUIET_BIT;
    return FORMAT(is_nan)(a) ? a : b;
}

/* Returns the host's result; *raised gets its exceptions. */
static BITS FORMAT(rounded)(enum arm_vfp_operation operation, BITS a, BITS b, uint32_t rounding,
                            uint32_t *raised) {
    volatile FLOAT p = FORMAT(value)(a), q = FORMAT(value)(b), r;
    host_begin(rounding);
    switch (operation) {
    case ARM_VFP_ADD: r = p + q; break;
    case ARM_VFP_SUBTRACT: r = p - q; break;
    case ARM_VFP_MULTIPLY: r = p * q; break;
    case ARM_VFP_DIVIDE: r = p / q; break;
    default: r = SQRT(q); break;
    }
    *raised = host_end();
    return FORMAT(bits)(r);
}

/* Returns the final form of a rounded result that is not a NaN; is_tiny: the exact result is below the normal
 * numbers. */
static BITS FORMAT(delivered)(BITS r, bool is_tiny, uint32_t raised, uint32_t fpscr, uint32_t *flags) {
    if (is_tiny && fpscr & ARM_FPSCR_FLUSH) {
        *flags |= ARM_FPSCR_UFC;
        return r & SIGN_BIT;
    }
    if (raised & HOST_DIVISION) *flags |= ARM_FPSCR_DZC;
    if (raised & HOST_OVERFLOW) *flags |= ARM_FPSCR_OFC;
    if (raised & HOST_INEXACT) *flags |= ARM_FPSCR_IXC | (is_tiny ? ARM_FPSCR_UFC : 0);
    return r;
}

/* Returns whether the result was tiny before rounding. Rounding towards zero shows the results that only
 * rounding makes normal. */
static bool FORMAT(is_below_normal)(BITS r, uint32_t raised) {
    const BITS magnitude = r & ~SIGN_BIT;
    return magnitude < MIN_NORMAL && (magnitude || raised & HOST_INEXACT);
}

static BITS FORMAT(basic)(enum arm_vfp_operation operation, BITS a, BITS b, uint32_t fpscr, uint32_t *flags) {
    uint32_t raised, ignored;
    a = FORMAT(flushed)(a, fpscr, flags);
    b = FORMAT(flushed)(b, fpscr, flags);
    if (FORMAT(is_nan)(a) || FORMAT(is_nan)(b)) return FORMAT(propagated)(a, b, fpscr, flags);
    const BITS r = FORMAT(rounded)(operation, a, b, fpscr, &raised);
    if (FORMAT(is_nan)(r)) {
        *flags |= ARM_FPSCR_IOC;
        return DEFAULT_NAN;
    }
    bool is_tiny = FORMAT(is_below_normal)(r, raised);
    if ((r & ~SIGN_BIT) == MIN_NORMAL && raised & HOST_INEXACT)
        is_tiny =
            (FORMAT(rounded)(operation, a, b, ARM_FPSCR_TOWARDS_ZERO, &ignored) & ~SIGN_BIT) < MIN_NORMAL;
    return FORMAT(delivered)(r, is_tiny, raised, fpscr, flags);
}

BITS FORMAT(arm_vfp)(enum arm_vfp_operation operation, BITS d, BITS a, BITS b, uint32_t fpscr,
                     uint32_t *flags) {
    if (operation == ARM_VFP_SQUARE_ROOT) return FORMAT(basic)(operation, b, b, fpscr, flags);
    if (operation < ARM_VFP_NEGATED_MULTIPLY) return FORMAT(basic)(operation, a, b, fpscr, flags);
    const BITS product = FORMAT(basic)(ARM_VFP_MULTIPLY, a, b, fpscr, flags), negated = product ^ SIGN_BIT;
    switch (operation) {
    case ARM_VFP_MULTIPLY_ADD: return FORMAT(basic)(ARM_VFP_ADD, d, product, fpscr, flags);
    case ARM_VFP_MULTIPLY_SUBTRACT: return FORMAT(basic)(ARM_VFP_ADD, d, negated, fpscr, flags);
    case ARM_VFP_NEGATED_MULTIPLY_ADD: return FORMAT(basic)(ARM_VFP_ADD, d ^ SIGN_BIT, negated, fpscr, flags);
    case ARM_VFP_NEGATED_MULTIPLY_SUBTRACT:
        return FORMAT(basic)(ARM_VFP_ADD, d ^ SIGN_BIT, product, fpscr, flags);
    default: return negated;
    }
}

uint32_t FORMAT(arm_vfp_compare)(BITS a, BITS b, bool is_vcmpe, uint32_t fpscr, uint32_t *flags) {
    const BITS x = FORMAT(flushed)(a, fpscr, flags), y = FORMAT(flushed)(b, fpscr, flags);
    if (FORMAT(is_nan)(a) || FORMAT(is_nan)(b)) {
        if (is_vcmpe || FORMAT(is_signalling)(a) || FORMAT(is_signalling)(b)) *flags |= ARM_FPSCR_IOC;
        return 3u << 28;
    }
    const FLOAT p = FORMAT(value)(x), q = FORMAT(value)(y);
    return p == q ? 6u << 28 : p < q ? 8u << 28 : 2u << 28;
}

#undef SIGN_BIT
#undef QUIET_BIT
#undef INFINITY_
#undef MIN_NORMAL
#undef DEFAULT_NAN

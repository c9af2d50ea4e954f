/* The math library (newlib's) in both formats: every function of every argument, results as they are. */
#include "program.h"

/* clang-format off */
#define FUNCTIONS(X)                                                                                         \
    X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(exp)   \
    X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(cbrt) X(erf) X(floor) X(ceil) X(rint)        \
    X(trunc) X(round)
/* clang-format on */
#define FUNCTIONS_OF_TWO(X) X(pow) X(atan2) X(fmod) X(hypot) X(remainder) X(copysign) X(nextafter)

#define DECLARE(name)                                                                                        \
    double name(double);                                                                                     \
    float name##f(float);
#define DECLARE_TWO(name)                                                                                    \
    double name(double, double);                                                                             \
    float name##f(float, float);
FUNCTIONS(DECLARE)
FUNCTIONS_OF_TWO(DECLARE_TWO)

static double double_of(uint32_t high, uint32_t low) {
    const uint64_t bits = (uint64_t)high << 32 | low;
    double v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}

static float single_of(uint32_t bits) {
    float v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}

/* Returns an argument: one in four is any number, the others are in the range where most functions change. */
static double argument(float *single) {
    const uint32_t high = next_random(), low = next_random();
    static const double scale[4] = {0, 1, 10, 700};
    *single = single_of(high);
    if (low % 4 == 0) return double_of(high, low);
    const double v = (double)(int32_t)high * 0x1p-31 * scale[low % 4];
    *single = (float)v;
    return v;
}

#define PUT(name)     put_double(name(a)), put_single(name##f(p));
#define PUT_TWO(name) put_double(name(a, b)), put_single(name##f(p, q));

void program(uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        float p, q;
        const double a = argument(&p), b = argument(&q);
        FUNCTIONS(PUT)
        FUNCTIONS_OF_TWO(PUT_TWO)
    }
}

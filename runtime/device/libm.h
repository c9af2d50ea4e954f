/*
 * libm: what the OpenCL math functions are built on: newlib's functions under the prefixes libm_ and, for
 * floats, libmf_ (their own names are those of built-ins here), and what newlib lacks or rounds wrongly
 * (math_exact.c).
 */
#ifndef RUNTIME_DEVICE_LIBM_H
#define RUNTIME_DEVICE_LIBM_H

#include "builtin.h"

#define LIBM_1(name, symbol)                                                                                 \
    double libm_##name(double) __asm__(symbol);                                                              \
    float libmf_##name(float) __asm__(symbol "f");
#define LIBM_2(name, symbol)                                                                                 \
    double libm_##name(double, double) __asm__(symbol);                                                      \
    float libmf_##name(float, float) __asm__(symbol "f");
LIBM_1(acos, "__ieee754_acos")
LIBM_1(acosh, "__ieee754_acosh")
LIBM_1(asin, "__ieee754_asin")
LIBM_1(asinh, "asinh")
LIBM_1(atan, "atan")
LIBM_1(atanh, "__ieee754_atanh")
LIBM_1(cbrt, "cbrt")
LIBM_1(cos, "cos")
LIBM_1(cosh, "__ieee754_cosh")
LIBM_1(erf, "erf")
LIBM_1(erfc, "erfc")
LIBM_1(exp, "exp")
LIBM_1(exp2, "exp2")
LIBM_1(expm1, "expm1")
LIBM_1(log, "log")
LIBM_1(log10, "__ieee754_log10")
LIBM_1(log1p, "log1p")
LIBM_1(log2, "log2")
LIBM_1(sin, "sin")
LIBM_1(sinh, "__ieee754_sinh")
LIBM_1(tan, "tan")
LIBM_1(tanh, "tanh")
LIBM_2(atan2, "__ieee754_atan2")
LIBM_2(fmod, "__ieee754_fmod")
LIBM_2(hypot, "__ieee754_hypot")
LIBM_2(nextafter, "nextafter")
LIBM_2(pow, "pow")
LIBM_2(remainder, "__ieee754_remainder")
double libm_lgamma_r(double, int *) __asm__("__ieee754_lgamma_r");
double libm_remquo(double, double, int *) __asm__("remquo");
float libmf_remquo(float, float, int *) __asm__("remquof");
double libm_frexp(double, int *) __asm__("frexp");
float libmf_frexp(float, int *) __asm__("frexpf");

double lockstep_fma(double a, double b, double c);
float lockstep_fmaf(float a, float b, float c);
double lockstep_tgamma(double a);

#endif

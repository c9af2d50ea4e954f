/*
 * rounding: conversions that round in software: the machine's own round to nearest (to floating point) and
 * towards zero (to integers) only, and it has no half precision.
 */
#ifndef RUNTIME_DEVICE_ROUNDING_H
#define RUNTIME_DEVICE_ROUNDING_H

#include "builtin.h"

enum rounding { ROUND_RTE, ROUND_RTZ, ROUND_RTP, ROUND_RTN };

/* Returns whether a magnitude must be rounded up. The removed part is at least ½ of the last kept place
 * (`big`), and is neither 0 nor ½ (`inexact`); the last kept bit is `odd`. */
static inline uint round_up(enum rounding mode, bool negative, bool odd, bool big, bool inexact) {
    return mode == ROUND_RTE   ? big && (inexact || odd)
           : mode == ROUND_RTP ? !negative && (big || inexact)
           : mode == ROUND_RTN ? negative && (big || inexact)
                               : 0;
}

/* IEEE halves as their bits. */
uint lockstep_half_from_double(double a, enum rounding mode);
float lockstep_float_from_half(uint half_bits);

/* To nearest even; towards 0; −∞; +∞, as floating point. */
float OVERLOAD rint(float a);
float OVERLOAD trunc(float a);
float OVERLOAD floor(float a);
float OVERLOAD ceil(float a);
double OVERLOAD rint(double a);
double OVERLOAD trunc(double a);
double OVERLOAD floor(double a);
double OVERLOAD ceil(double a);

#endif

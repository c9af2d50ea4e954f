/*
 * figures_words: macros for the tables of papers' reports (figures.h). NAN: the paper has no number.
 */
#ifndef LOCKSTEP_FIGURES_WORDS_H
#define LOCKSTEP_FIGURES_WORDS_H

#include "lockstep/commands/figures.h"

#include <math.h>

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define SERIES(array) .series_count = COUNT(array)
#define KNOWN(array)  .known = array, .known_count = COUNT(array)

/* Fields that a table leaves out are zero. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Marks a benchmark that the paper does not have. */
#define OURS .ours = true

/* --- series --- */

/* Speed-up of variant v over b in percent; p: the paper's value. */
#define SPEED_UP_OVER(b, n, v, p)                                                                            \
    { .series = {n, p}, .variant = v, .base = b }
/* Quotient of counters of variant v in percent, times s. */
#define SCALED(n, v, over, under, s, p)                                                                      \
    { .series = {n, p}, .variant = v, .base = v, .numerator = over, .denominator = under, .scale = s }
#define RATIO(n, v, over, under, p) SCALED(n, v, over, under, 1, p)
/* Increase of an energy of variant v over b, in both sets of constants. */
#define ENERGY_OVER(b, kind, n, v, p)                                                                        \
    {.series = {n ", horowitz", p}, .variant = v, .base = b, .energy = kind, .set = 0}, {                    \
        .series = {n ", mcpat", p}, .variant = v, .base = b, .energy = kind, .set = 1                        \
    }

/* --- figures: name, title, unit, digits, series --- */

#define FIGURE(n, t, u, d, array) .name = n, .title = t, .unit = u, .digits = d, SERIES(array)
#define GAINS(n, t, u, array)     FIGURE(n, t, u, 1, array), .gains = true
#define FASTER(n, t, array)       GAINS(n, t, "% faster", array)

/* Fields of struct figures_paper that refer to the tables of a file. */
#define TABLES                                                                                               \
    .benchmarks = benchmarks, .benchmark_count = COUNT(benchmarks), .variants = variants,                    \
    .variant_count = COUNT(variants), .figures = figures, .figure_count = COUNT(figures)
#define CHECK_VARIANTS                                                                                       \
    _Static_assert(COUNT(variants) <= FIGURES_MAX_VARIANTS, "figures_runs.c has no room for them")

#endif

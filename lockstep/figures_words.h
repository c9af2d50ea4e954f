/*
 * figures_words: the words that reports of papers are written in (figures.h). NAN: the paper has no number.
 */
#ifndef LOCKSTEP_FIGURES_WORDS_H
#define LOCKSTEP_FIGURES_WORDS_H

#include "lockstep/figures.h"

#include <math.h>

/* By how many percent variant v is faster than b; the paper: p. */
#define SPEED_UP_OVER(b, n, v, p)                                                                            \
    { .series = {n, p}, .variant = v, .base = b }

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define SERIES(array) .series_count = COUNT(array)
#define KNOWN(array)  .known = array, .known_count = COUNT(array)

#endif

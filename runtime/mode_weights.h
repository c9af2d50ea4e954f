/*
 * mode_weights: the linear models of mode auto, one for each value of mimd.coalescing.
 * Made by scripts/mode-weights; do not edit.
 */
#ifndef RUNTIME_MODE_WEIGHTS_H
#define RUNTIME_MODE_WEIGHTS_H

#include "abi/kernel_features.h"

/* Expected log(MIMD time / SIMT time) = constant + sum of weight · (feature − mean). */
struct mode_weights {
    double constant, mean[MODE_FEATURES_ALL], weight[MODE_FEATURES_ALL];
};

static const struct mode_weights mode_weights[] = {
    /* modern */
    {-0.016208,
     {[MODE_FEATURE_COLUMNS] = 0.130970,
      [MODE_FEATURE_FEW] = 0.118064,
      [MODE_FEATURE_FILLED] = 0.967542,
      [MODE_FEATURE_UNIFORM] = 0.077526,
      [MODE_FEATURE_LENGTH] = 8.298770,
      [MODE_FEATURE_CALLS] = 0.242810},
     {[MODE_FEATURE_COLUMNS] = 1.274730,
      [MODE_FEATURE_FEW] = 1.341911,
      [MODE_FEATURE_FILLED] = 2.893872,
      [MODE_FEATURE_UNIFORM] = 5.342770,
      [MODE_FEATURE_LENGTH] = 0.107200,
      [MODE_FEATURE_CALLS] = 0.132212}},
    /* snucl */
    {0.268689,
     {[MODE_FEATURE_UNIT] = 0.062633,
      [MODE_FEATURE_FEW] = 0.118900,
      [MODE_FEATURE_FILLED] = 0.967542,
      [MODE_FEATURE_REPLICATED] = 2.314147,
      [MODE_FEATURE_CALLS] = 0.242810},
     {[MODE_FEATURE_UNIT] = 3.395776,
      [MODE_FEATURE_FEW] = 1.234747,
      [MODE_FEATURE_FILLED] = 2.738302,
      [MODE_FEATURE_REPLICATED] = 0.086004,
      [MODE_FEATURE_CALLS] = 0.127645}},
};

#endif

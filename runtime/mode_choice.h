/*
 * mode_choice: mode auto: whether a launch runs in SIMT or in MIMD mode. A linear model expects the logarithm
 * of MIMD mode's time over SIMT mode's from features of the kernel's code and of the launch
 * (abi/kernel_features.h); above 0 SIMT mode is chosen. The weights (mode_weights.h) are made by
 * scripts/mode-weights. docs/modes.md says how good the choice is.
 */
#ifndef RUNTIME_MODE_CHOICE_H
#define RUNTIME_MODE_CHOICE_H

#include "model/config/machine_config.h"
#include "model/core/launch.h"
#include "runtime/image.h"

extern const char *const mode_feature_name[MODE_FEATURES_ALL];

/* Chooses for a launch of a kernel of an image for both modes, whose sizes are set; `block`: its argument
 * block. Fills *choice, and the launch's mode and choice. */
void mode_choose(const struct image_kernel *k, const uint8_t *block, const struct machine_config *c,
                 struct machine_launch *l, struct machine_choice *choice);

#endif

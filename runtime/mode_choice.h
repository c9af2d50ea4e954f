/*
 * mode_choice: mode auto: chooses SIMT or MIMD mode for a launch. A linear model predicts the logarithm of
 * MIMD mode's time over SIMT mode's from features of the kernel's code and of the launch
 * (abi/kernel_features.h); above 0, SIMT mode is chosen. scripts/mode-weights makes the weights
 * (mode_weights.h). docs/modes.md describes the quality of the choice.
 */
#ifndef RUNTIME_MODE_CHOICE_H
#define RUNTIME_MODE_CHOICE_H

#include "model/config/machine_config.h"
#include "model/core/launch.h"
#include "runtime/image.h"

extern const char *const mode_feature_name[MODE_FEATURES_ALL];

/* Chooses the mode for a launch, whose sizes are set, of a kernel of an image for both modes; `block`: its
 * argument block. Fills *choice, and the launch's mode and choice. */
void mode_choose(const struct image_kernel *k, const uint8_t *block, const struct machine_config *c,
                 struct machine_launch *l, struct machine_choice *choice);

#endif

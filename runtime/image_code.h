/*
 * image_code: an image's code for the machine, with the places at which threads diverge and reconverge, and
 * its source lines for diagnoses.
 */
#ifndef RUNTIME_IMAGE_CODE_H
#define RUNTIME_IMAGE_CODE_H

#include "model/machine/machine.h"
#include "runtime/image.h"

/* Decodes an image. Free the result with machine_code_free() before the image, into which it points. */
void image_code(const struct image *i, struct machine_code *code);

#endif

/*
 * image_code: an image's code as the machine fetches it, with where threads part and meet, and its source
 * lines for diagnoses.
 */
#ifndef RUNTIME_IMAGE_CODE_H
#define RUNTIME_IMAGE_CODE_H

#include "model/machine/machine.h"
#include "runtime/image.h"

/* Decoded: machine_code_free() it before the image, which it points into. */
void image_code(const struct image *i, struct machine_code *code);

#endif

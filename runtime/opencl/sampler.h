/*
 * sampler: the value of a kernel's argument of type sampler_t.
 */
#ifndef RUNTIME_OPENCL_SAMPLER_H
#define RUNTIME_OPENCL_SAMPLER_H

#include "abi/image_object.h"
#include "runtime/opencl/objects.h"

uint32_t sampler_bits(const struct _cl_sampler *s); /* enum image_sampler */

#endif

/*
 * kernel_table: what the image's note says about the kernels' needs, as a table for people.
 */
#ifndef COMPILER_KERNEL_TABLE_H
#define COMPILER_KERNEL_TABLE_H

#include "compiler/text.h"

#include <jansson.h>

void kernel_table(const json_t *kernels, struct text *table);

#endif

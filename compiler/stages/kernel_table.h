/*
 * kernel_table: the kernels' needs from the image's note, as a table for people.
 */
#ifndef COMPILER_KERNEL_TABLE_H
#define COMPILER_KERNEL_TABLE_H

#include "compiler/driver/text.h"

#include <jansson.h>

void kernel_table(const json_t *kernels, struct text *table);

#endif

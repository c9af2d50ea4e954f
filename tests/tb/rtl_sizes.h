/*
 * rtl_sizes: the sizes of rtl/sizes, for tests.
 */
#ifndef TESTS_TB_RTL_SIZES_H
#define TESTS_TB_RTL_SIZES_H

#include "tb/stimulus/sizes.h"
#include "tests/spawn.h"

#include <stdlib.h>

#define RTL_SIZES 16 /* largest number of sizes */

/* Reads rtl/sizes of the source tree. Returns the number of sizes; 0 if the file is wrong. */
static inline unsigned rtl_sizes_of_source(struct rtl_size sizes[RTL_SIZES]) {
    char *path = spawn_text("%s/rtl/sizes", spawn_source());
    const unsigned count = rtl_sizes_read(sizes, RTL_SIZES, path);
    free(path);
    return count;
}

#endif

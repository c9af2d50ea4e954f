/*
 * twin_run: runs a kernel's twin on Unicorn, work-group after work-group, with p7's reads emulated: each is
 * put in place of a supervisor call first. Its stack is as large as the image says and no larger.
 */
#ifndef TESTS_COMPILER_TWIN_RUN_H
#define TESTS_COMPILER_TWIN_RUN_H

#include "runtime/image.h"

#include <stddef.h>
#include <stdint.h>

struct twin_run {
    const struct image *image;
    uint32_t work_dim, global_size[3], local_size[3], global_offset[3];
    uint32_t argument_block;  /* its address, in `memory` */
    struct {                  /* memory that it may use, besides code, local window and stack */
        uint32_t base, bytes; /* whole pages */
        void *contents;
    } memory[2];
    uint64_t instructions; /* result: executed, all groups */
};

/* NULL, or what went wrong (in a static buffer). */
const char *twin_run(struct twin_run *r, const struct image_kernel *k);

#endif

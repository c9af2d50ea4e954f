/* twin_run: runs a kernel's twin on Unicorn, one work-group after the other. Reads of p7 are emulated: each
 * instruction is replaced by a supervisor call before. The stack is exactly as large as the image says. */
#ifndef TESTS_COMPILER_TWIN_RUN_H
#define TESTS_COMPILER_TWIN_RUN_H

#include "runtime/image.h"

#include <stddef.h>
#include <stdint.h>

struct twin_run {
    const struct image *image;
    uint32_t work_dim, global_size[3], local_size[3], global_offset[3];
    uint32_t argument_block;  /* address in `memory` */
    struct {                  /* permitted memory, besides code, local window and stack */
        uint32_t base, bytes; /* whole pages */
        void *contents;
    } memory[2];
    uint64_t instructions; /* result: executed, all groups */
};

/* Runs the twin. Returns NULL, or an error message (in a static buffer). */
const char *twin_run(struct twin_run *r, const struct image_kernel *k);

#endif

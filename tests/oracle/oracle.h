/*
 * oracle: a second way to run a compiled kernel: the same ARM instructions under qemu-arm, one user context
 * per work-item, whose memory must end up with the same bytes as the simulated machine's.
 *
 * oracle_arm INPUT OUTPUT is an ARM Linux program. INPUT is a series of records, done in order,
 * little-endian: ORACLE_MEMORY  head, then size_bytes bytes: what lies at base from now on (code, arguments,
 * buffers) ORACLE_LAUNCH  head (base, size_bytes: the launch that follows), then a struct oracle_launch: runs
 * it ORACLE_RESULT  head: writes the bytes that now lie at base to OUTPUT Exit status 0, or 1 with a message
 * on standard error: a fault, an instruction that no kernel may use, a barrier that some work-items reach and
 * others have passed by.
 */
#ifndef TESTS_ORACLE_ORACLE_H
#define TESTS_ORACLE_ORACLE_H

#include <stdint.h>

enum oracle_kind { ORACLE_MEMORY = 1, ORACLE_LAUNCH, ORACLE_RESULT };

struct oracle_head {
    uint32_t kind; /* enum oracle_kind */
    uint32_t base, size_bytes;
};

struct oracle_launch {
    char kernel[48]; /* for messages */
    uint32_t entry, argument_block;
    uint32_t whole_groups; /* entry runs a work-group by itself and returns; else it runs a work-item */
    uint32_t work_dim, global_size[3], local_size[3], global_offset[3];
};

#endif

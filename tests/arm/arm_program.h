/* arm_program: runs a static ARM Linux program (tests/programs/) on one thread of the model, functionally.
 * Memory consists of the program's segments and a stack. SVC executes the two system calls that the program
 * uses, write and exit. */
#ifndef TESTS_ARM_ARM_PROGRAM_H
#define TESTS_ARM_ARM_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Receives the program's output. */
typedef void arm_program_output(const uint8_t *bytes, size_t size, void *user);

struct arm_program_end {
    int status;        /* the program's exit status; −1: see `fault` */
    char fault[160];   /* reason of an abnormal end, with the instruction */
    uint64_t executed; /* instructions */
};

/* Runs the program with two arguments, both in digits. Fails the test if the file cannot be read. */
struct arm_program_end arm_program_run(const char *path, uint32_t count, uint32_t seed,
                                       arm_program_output *output, void *user);

#endif

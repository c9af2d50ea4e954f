/* program: common parts of the compiled test programs. Each is a static ARM Linux program without a C
 * library, so that the same bytes run under qemu-arm and on the model (tests/arm/arm_program.h). It receives
 * one number, writes bytes to standard output and exits. */
#ifndef TESTS_PROGRAMS_PROGRAM_H
#define TESTS_PROGRAMS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Main function. `count` is the amount of work. */
void program(uint32_t count);

/* Writes bytes to standard output, buffered. */
void put_bytes(const void *bytes, size_t size);
static inline void put_word(uint32_t v) {
    put_bytes(&v, sizeof v);
}
static inline void put_long(uint64_t v) {
    put_bytes(&v, sizeof v);
}
static inline void put_single(float v) {
    put_bytes(&v, sizeof v);
}
static inline void put_double(double v) {
    put_bytes(&v, sizeof v);
}

/* Returns the next of a series of random numbers, which depends on the program's second argument. */
uint32_t next_random(void);

#endif

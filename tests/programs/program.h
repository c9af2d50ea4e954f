/*
 * program: what the compiled test programs share. Each is a static ARM Linux program without a C library, so
 * that the same bytes run under qemu-arm and on the model (tests/arm/arm_program.h): it gets one number,
 * writes bytes to standard output and ends.
 */
#ifndef TESTS_PROGRAMS_PROGRAM_H
#define TESTS_PROGRAMS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The program: `count` says how much of everything. */
void program(uint32_t count);

/* Bytes to standard output, buffered. */
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

/* The next of a series of random numbers that the program's second argument chooses. */
uint32_t next_random(void);

#endif

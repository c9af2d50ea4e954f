/* OpenCL's scalar types in C, by their names. */
#ifndef TESTS_DEVICE_TYPES_H
#define TESTS_DEVICE_TYPES_H

#include <stdint.h>

typedef int8_t type_char;
typedef uint8_t type_uchar;
typedef int16_t type_short;
typedef uint16_t type_ushort;
typedef int32_t type_int;
typedef uint32_t type_uint;
typedef int64_t type_long;
typedef uint64_t type_ulong;
typedef float type_float;
typedef double type_double;

#endif

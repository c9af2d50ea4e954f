/*
 * address_space: how clang numbers OpenCL's address spaces under -ffake-address-space-map. Private is 0.
 */
#ifndef COMPILER_ADDRESS_SPACE_H
#define COMPILER_ADDRESS_SPACE_H

enum { ADDRESS_SPACE_GLOBAL = 1, ADDRESS_SPACE_CONSTANT = 2, ADDRESS_SPACE_LOCAL = 3 };

#endif

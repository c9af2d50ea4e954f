/*
 * library_parts: the device library in the form of scripts/library-parts: self-contained parts of bitcode,
 * with the names of the functions in each. LLVM reads all names and types of a bitcode file even if few are
 * used; so only the parts that a program needs are read.
 */
#ifndef COMPILER_LIBRARY_PARTS_H
#define COMPILER_LIBRARY_PARTS_H

#include "compiler/driver/text.h"

struct library_part {
    size_t offset, size; /* position of its bitcode in the library */
};

/* Finds the part with a function. Returns false if there is none, or the library is damaged. */
bool library_parts_find(const struct text *library, const char *function, struct library_part *part);

#endif

/*
 * library_parts: the device library as scripts/library-parts writes it: parts of bitcode, each closed in
 * itself, with the names of the functions that each offers. LLVM reads all names and types of a bitcode file
 * whatever is used of it; so only parts that a program needs are read at all.
 */
#ifndef COMPILER_LIBRARY_PARTS_H
#define COMPILER_LIBRARY_PARTS_H

#include "compiler/text.h"

struct library_part {
    size_t offset, size; /* of its bitcode in the library */
};

/* The part that offers a function. False: none does, or the library is damaged. */
bool library_parts_find(const struct text *library, const char *function, struct library_part *part);

#endif

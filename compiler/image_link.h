/*
 * image_link: objects to an image (runtime/image.h): what the machine's memory map fixes, with ld.lld-14.
 */
#ifndef COMPILER_IMAGE_LINK_H
#define COMPILER_IMAGE_LINK_H

#include "compiler/local_memory.h"
#include "compiler/text.h"

/* The program's objects together with the device library's startup.o and, as far as needed, builtins.a. */
void image_link(const struct text *objects, size_t count, const char *library_directory,
                const struct local_memory *local, struct text *image);

#endif

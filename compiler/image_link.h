/*
 * image_link: objects to an image (runtime/image.h): what the machine's memory map fixes, with ld.lld-14.
 */
#ifndef COMPILER_IMAGE_LINK_H
#define COMPILER_IMAGE_LINK_H

#include "compiler/local_memory.h"
#include "compiler/text.h"

/* The objects of the program for SIMT mode, of its twin and of the note (empty: without one), together with
 * the device library's startup.o and, as far as needed, builtins.a. */
void image_link(const struct text *program, const struct text *twin, const struct text *note,
                const char *library_directory, const struct local_memory *local, struct text *image);

#endif

/*
 * image_link: objects to an image (runtime/image.h): what the machine's memory map fixes.
 */
#ifndef COMPILER_IMAGE_LINK_H
#define COMPILER_IMAGE_LINK_H

#include "compiler/local_memory.h"
#include "compiler/text.h"

/* The objects of the program for SIMT mode and of its twins (one of them may be empty), together
 * with the start-up code, an object, and, as far as needed, the device library's builtins.a. The image has a
 * section for its note that is yet to be filled. */
void image_link(const struct text *simt, const struct text *mimd, const char *library_directory,
                const char *startup, const struct local_memory *local, struct text *image);

/* Appends the note to a linked image: only linking settles the addresses in it. */
void image_add_note(struct text *image, const struct text *note);

#endif

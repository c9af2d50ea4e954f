/*
 * image_link: links objects to an image (runtime/image.h), by the machine's memory map.
 */
#ifndef COMPILER_IMAGE_LINK_H
#define COMPILER_IMAGE_LINK_H

#include "compiler/ir/local_memory.h"
#include "compiler/driver/text.h"

/* Links a program's object for SIMT mode and that of its twins; one of the two may be empty. Adds the object
 * of the start-up code and the necessary members of the device library's builtins.a. The image's section for
 * its note is still empty. */
void image_link(const struct text *simt, const struct text *mimd, const char *library_directory,
                const char *startup, const struct local_memory *local, struct text *image);

/* Appends the note to a linked image: its addresses are known only after linking. */
void image_add_note(struct text *image, const struct text *note);

#endif

/*
 * image_lines: maps instructions of an image to source lines, from its DWARF, and to functions, from its
 * symbols.
 */
#ifndef ABI_IMAGE_LINES_H
#define ABI_IMAGE_LINES_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_lines;

/* Reads an ELF image and keeps a copy. Without DWARF or symbols, later queries find nothing. Returns NULL
 * if memory is out. */
struct image_lines *image_lines_read(Elf *elf);
void image_lines_free(struct image_lines *l);

/* Do the work of image_callers(), image_line() and image_function() of image.h. */
void image_lines_callers(const struct image_lines *l, uint32_t pc, char *text, size_t size);
bool image_lines_find(const struct image_lines *l, uint32_t pc, const char **file, unsigned *line);
/* Return column and discriminator of an instruction; 0 if the instruction has no line of its own. */
unsigned image_lines_column(const struct image_lines *l, uint32_t pc);
unsigned image_lines_discriminator(const struct image_lines *l, uint32_t pc);
const char *image_lines_function(const struct image_lines *l, uint32_t pc);

#endif

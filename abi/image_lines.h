/*
 * image_lines: where the instructions of an image come from: source lines from its DWARF, functions from its
 * symbols.
 */
#ifndef ABI_IMAGE_LINES_H
#define ABI_IMAGE_LINES_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_lines;

/* Reads an ELF image, and keeps a copy; what it lacks (no DWARF, no symbols) is simply not known later. NULL
 * if memory is out. */
struct image_lines *image_lines_read(Elf *elf);
void image_lines_free(struct image_lines *l);

/* As image_callers(), image_line() and image_function() in image.h. */
void image_lines_callers(const struct image_lines *l, uint32_t pc, char *text, size_t size);
bool image_lines_find(const struct image_lines *l, uint32_t pc, const char **file, unsigned *line);
const char *image_lines_function(const struct image_lines *l, uint32_t pc);

#endif

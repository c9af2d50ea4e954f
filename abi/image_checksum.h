/*
 * image_checksum: eight hexadecimal digits in the note of an image: the CRC-32 of the whole file with the
 * digits 00000000 in their place. The compiler writes them last. Any later change of a byte is detected.
 */
#ifndef ABI_IMAGE_CHECKSUM_H
#define ABI_IMAGE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>

/* Beginning of the note's JSON, before and after the digits. */
#define IMAGE_CHECKSUM_BEGIN "{\"checksum\":\""
#define IMAGE_CHECKSUM_NONE  "00000000"

/* Writes the digits. Returns false if the image has no such note. */
bool image_checksum_write(void *image, size_t size);
bool image_checksum_holds(const void *image, size_t size);

#endif

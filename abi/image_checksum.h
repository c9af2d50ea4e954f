/*
 * image_checksum: eight hexadecimal digits in the note of an image, the CRC-32 of the whole file with zeros
 * in their place. Who makes an image writes it last; any byte that is changed afterwards shows.
 */
#ifndef ABI_IMAGE_CHECKSUM_H
#define ABI_IMAGE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>

/* How the note's JSON begins, before and behind its digits. */
#define IMAGE_CHECKSUM_BEGIN "{\"checksum\":\""
#define IMAGE_CHECKSUM_NONE  "00000000"

/* False: there is no note that begins so. */
bool image_checksum_write(void *image, size_t size);
bool image_checksum_holds(const void *image, size_t size);

#endif

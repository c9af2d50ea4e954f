#include "abi/image_checksum.h"

#include "abi/image_note.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#define DIGITS (sizeof IMAGE_CHECKSUM_NONE - 1)

/* Returns the offset of the digits, which follow the note's owner, padded to words; 0 if there are none. */
static size_t digits_at(const void *image, size_t size) {
    static const char before[] = IMAGE_NOTE_OWNER "\0\0\0\0" IMAGE_CHECKSUM_BEGIN;
    const char *found = memmem(image, size, before, sizeof before - 1);
    if (!found) return 0;
    const size_t at = (size_t)(found - (const char *)image) + sizeof before - 1;
    return size - at >= DIGITS ? at : 0;
}

static void checksum(const void *image, size_t size, size_t at, char digits[DIGITS + 1]) {
    const unsigned char *bytes = image;
    unsigned long crc = crc32_z(0, bytes, at);
    crc = crc32_z(crc, (const unsigned char *)IMAGE_CHECKSUM_NONE, DIGITS);
    crc = crc32_z(crc, bytes + at + DIGITS, size - at - DIGITS);
    snprintf(digits, DIGITS + 1, "%08lx", crc & 0xffffffff);
}

bool image_checksum_write(void *image, size_t size) {
    char digits[DIGITS + 1];
    const size_t at = digits_at(image, size);
    if (!at) return false;
    checksum(image, size, at, digits);
    memcpy((char *)image + at, digits, DIGITS);
    return true;
}

bool image_checksum_holds(const void *image, size_t size) {
    char digits[DIGITS + 1];
    const size_t at = digits_at(image, size);
    if (!at) return false;
    checksum(image, size, at, digits);
    return memcmp((const char *)image + at, digits, DIGITS) == 0;
}

/*
 * cache: finished images by content. The key covers everything that an image depends on; an entry contains
 * the build log and a checksum. An incomplete entry counts as none; a directory that cannot be written is no
 * error.
 */
#ifndef COMPILER_CACHE_H
#define COMPILER_CACHE_H

#include "compiler/driver/text.h"

#include <stdbool.h>
#include <stdint.h>

struct cache_key {
    char hexadecimal[33];
};

/* Returns the key of all parts, in order, with their lengths. */
struct cache_key cache_key(const struct text *parts, size_t count);

/* Returns the directory to use (sim/cache_folder.h); "" if there is none. */
void cache_default_directory(struct text *directory);

/* Calls trouble() for a directory of another user, or one that others may write to. */
void cache_check_directory(const char *directory);

/* Reads a key from its text. Returns false if it is not a key. */
bool cache_key_read(struct cache_key *key, const struct text *hexadecimal);

/* Loads an entry and marks it as used. */
bool cache_load(const char *directory, const struct cache_key *key, struct text *log, struct text *image);
void cache_store(const char *directory, const struct cache_key *key, const struct text *log,
                 const struct text *image);

/* Removes the least recently used entries until the directory holds at most limit_bytes, and files left by
 * compilers that were killed. */
void cache_shrink(const char *directory, uint64_t limit_bytes);

#endif

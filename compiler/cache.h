/*
 * cache: finished images by content. The key covers everything an image depends on; an entry carries the
 * build log and a checksum. An entry that is not whole is as good as none, and a directory that cannot be
 * written is no error.
 */
#ifndef COMPILER_CACHE_H
#define COMPILER_CACHE_H

#include "compiler/text.h"

#include <stdbool.h>
#include <stdint.h>

struct cache_key {
    char hexadecimal[33];
};

/* All parts, in order, with their lengths. */
struct cache_key cache_key(const struct text *parts, size_t count);

/* The directory to use (sim/cache_folder.h). "" if there is none. */
void cache_default_directory(struct text *directory);

/* One that is another user's, or that others may write to, is trouble(). */
void cache_check_directory(const char *directory);

/* A key from its text. False if it is none. */
bool cache_key_read(struct cache_key *key, const struct text *hexadecimal);

/* Loading marks an entry as used. */
bool cache_load(const char *directory, const struct cache_key *key, struct text *log, struct text *image);
void cache_store(const char *directory, const struct cache_key *key, const struct text *log,
                 const struct text *image);

/* Removes the entries that were not used for longest until the directory holds at most limit_bytes, and what
 * compilers that were killed have left behind. */
void cache_shrink(const char *directory, uint64_t limit_bytes);

#endif

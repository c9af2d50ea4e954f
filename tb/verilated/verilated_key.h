/*
 * verilated_key: the place and name of a built block in the cache.
 *
 * The cache is rtl/ in the folder of sim/cache_folder.h. The key contains everything that the build depends
 * on: names and texts of all files, parameters and options, the level of optimisation, the signals of the
 * slot and their places in the model, the processor's instructions, $VERILATOR. Which files a source
 * includes, and which of the machine's settings it has as parameters, only Verilator knows: BLOCK-KEY.reads
 * contains both, for a key with all settings and without included files. BLOCK-KEY.so is the library for a
 * key with these parameters and the texts of the included files. The key also contains each path that is
 * searched before an included file, since a new file there would be used instead. So machines share a block's
 * library if they differ only in settings that the block does not have. BLOCK-KEY.notices, with the library's
 * key, contains the warnings of a user's design. */
#ifndef TB_VERILATED_KEY_H
#define TB_VERILATED_KEY_H

#include "tb/verilated/verilated_library.h"

#include <limits.h>

#define VERILATED_VERSION 33 /* version, to be increased when builds of the same source change */

#define VERILATED_KEPT 1500 /* limit of files; a design has two to four */

#define VERILATED_PARAMETER "-G" /* prefix of lines in the list that are parameters, not files */

struct verilated_key {
    uint64_t hash[2];
    char list[2 * PATH_MAX], library[2 * PATH_MAX], notices[2 * PATH_MAX]; /* paths in the cache */
    char optimize[4]; /* -O3, or the value of $LOCKSTEP_RTL_OPTIMIZE */
};

/* Finds or makes the folder. Returns false with *e (EXIT_USER), also if it is another user's or others may
 * write there. */
bool verilated_cache(char *path, size_t size, struct error *e);

/* Removes the least recently used files beyond the limit, after a build. */
void verilated_cache_trim(const char *path);

/* Computes the key without included files, `list` and `optimize`. Returns false with *e (EXIT_USER) on
 * failure. */
bool verilated_key_init(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                        struct error *e);

/* Computes `library` and `notices` for these parameters (-GNAME=VALUE) and files, with a newline after each.
 * Returns false with *e (EXIT_USER) if one cannot be read. */
bool verilated_key_complete(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                            const char *reads, struct error *e);

/* Marks the library, its list and its notices as used. */
void verilated_key_touch(const struct verilated_key *k);

/* Computes `library` and `notices` from the list of the last build; returns false if it is unknown or
 * incomplete. */
bool verilated_key_recall(struct verilated_key *k, const struct verilated_request *r, const char *cache);

#endif

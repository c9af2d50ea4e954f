/*
 * verilated_key: where a built block is kept, and under which name.
 *
 * The cache is rtl/ in the folder of sim/cache_folder.h. The key
 * is made of everything that the build depends on: names and texts of all files, parameters and options, how
 * far it is optimised, the signals of the slot and where the model has them, the processor's instructions.
 * Which files a source includes, and which of the machine's settings it has as parameters, only Verilator
 * knows: BLOCK-KEY.reads says both for a key with all settings and without included files, and BLOCK-KEY.so
 * is the library for a key with these parameters and the files' texts, and with what would be found in their
 * place if it were there (a file of the same name in a folder that is searched before). So machines that
 * differ in what a block does not have share its library.
 */
#ifndef TB_VERILATED_KEY_H
#define TB_VERILATED_KEY_H

#include "tb/verilated_library.h"

#include <limits.h>

#define VERILATED_VERSION 31 /* counts up when what is built from the same source changes */

#define VERILATED_KEPT 600

#define VERILATED_PARAMETER "-G" /* begins a line of what a build reads that is no file */

struct verilated_key {
    uint64_t hash[2];
    char list[2 * PATH_MAX], library[2 * PATH_MAX]; /* paths in the cache */
    char optimize[4];                               /* -O3, or what $LOCKSTEP_RTL_OPTIMIZE says */
};

/* Finds the folder, or makes it. False and *e (EXIT_USER), also if it is another user's or others may write
 * there. */
bool verilated_cache(char *path, size_t size, struct error *e);

/* Something has been built: removes the files that were used longest ago, of those beyond the limit. */
void verilated_cache_trim(const char *path);

/* The key without included files, `list` and `optimize`. False and *e (EXIT_USER). */
bool verilated_key_init(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                        struct error *e);

/* `library`, for these parameters (-GNAME=VALUE) and files, a newline after each. False and *e (EXIT_USER) if
 * one cannot be read. */
bool verilated_key_complete(struct verilated_key *k, const struct verilated_request *r, const char *cache,
                            const char *reads, struct error *e);

/* The library and its list are used now. */
void verilated_key_touch(const struct verilated_key *k);

/* `library`, for what the last build read; false: it is not known, or not all there. */
bool verilated_key_recall(struct verilated_key *k, const struct verilated_request *r, const char *cache);

#endif

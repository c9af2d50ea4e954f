/*
 * synthesis_cache: results of synthesis, as JSON, by a hash of all that they depend on, in area/ of the
 * folder of sim/cache_folder.h.
 */
#ifndef SYNTHESIS_SYNTHESIS_CACHE_H
#define SYNTHESIS_SYNTHESIS_CACHE_H

#include "tb/ports/tool.h"

#include <jansson.h>

struct synthesis_key {
    char *text; /* text that is hashed */
    size_t size;
};

#define SYNTHESIS_HASH 40 /* bytes of a key's hash, with the final zero */

/* Adds a text and its end, so that two texts differ from their concatenation. */
void synthesis_key_add(struct synthesis_key *k, const char *text);
void synthesis_key_hash(const struct synthesis_key *k, char hash[SYNTHESIS_HASH]);
void synthesis_key_free(struct synthesis_key *k);

/* Returns a result, or NULL if it is missing or not whole. */
json_t *synthesis_recall(const struct synthesis_key *k);
/* Keeps a result. A full disk is no error: the result is made again. */
void synthesis_keep(const struct synthesis_key *k, json_t *result);

/* Locks a key (file_lock.h), so that no other process makes its result. Returns the descriptor that
 * synthesis_unlock() takes. */
int synthesis_lock(const struct synthesis_key *k, bool wait, struct error *e);
void synthesis_unlock(const struct synthesis_key *k, int lock);

/* Makes a folder for tools in the cache. Returns false with *e (EXIT_USER). */
bool synthesis_folder(struct tool_folder *f, struct error *e);

#endif

/*
 * synthesis_cache: results of synthesis, as JSON, by a hash of all that they depend on, in area/ of the
 * folder of sim/cache_folder.h.
 */
#ifndef SYNTHESIS_SYNTHESIS_CACHE_H
#define SYNTHESIS_SYNTHESIS_CACHE_H

#include "tb/ports/tool.h"

#include <jansson.h>

struct synthesis_key {
    char *text; /* what is hashed */
    size_t size;
};

#define SYNTHESIS_HASH 40 /* bytes of a key's hash with its final zero */

/* Adds words and their ends, so that two are not one. */
void synthesis_key_add(struct synthesis_key *k, const char *text);
void synthesis_key_hash(const struct synthesis_key *k, char hash[SYNTHESIS_HASH]);
void synthesis_key_free(struct synthesis_key *k);

/* NULL: it is not there, or not whole. */
json_t *synthesis_recall(const struct synthesis_key *k);
/* Keeps it. A full disk is no error: it will be made again. */
void synthesis_keep(const struct synthesis_key *k, json_t *result);

/* Returns a descriptor that holds the lock of a key, so that no other process makes its result. With `wait`
 * it waits for that process; else −1 if there is one (*e stays empty). −1 and *e (EXIT_USER) if the lock
 * cannot be made. Release it with the descriptor. */
int synthesis_lock(const struct synthesis_key *k, bool wait, struct error *e);
void synthesis_unlock(const struct synthesis_key *k, int lock);

/* A folder for tools, in the cache. False and *e (EXIT_USER). */
bool synthesis_folder(struct tool_folder *f, struct error *e);

#endif

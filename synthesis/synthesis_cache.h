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

/* Adds words and their ends, so that two are not one. */
void synthesis_key_add(struct synthesis_key *k, const char *text);
void synthesis_key_free(struct synthesis_key *k);

/* NULL: it is not there, or not whole. */
json_t *synthesis_recall(const struct synthesis_key *k);
/* Keeps it. A full disk is no error: it will be made again. */
void synthesis_keep(const struct synthesis_key *k, json_t *result);

/* A folder for tools, in the cache. False and *e (EXIT_USER). */
bool synthesis_folder(struct tool_folder *f, struct error *e);

#endif

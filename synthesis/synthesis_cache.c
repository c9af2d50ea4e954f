#include "synthesis/synthesis_cache.h"

#include "sim/cache_folder.h"
#include "sim/part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void synthesis_key_add(struct synthesis_key *k, const char *text) {
    const size_t size = strlen(text) + 1;
    k->text = realloc(k->text, k->size + size);
    require_memory(k->text);
    memcpy(k->text + k->size, text, size);
    k->size += size;
}

void synthesis_key_free(struct synthesis_key *k) {
    free(k->text);
    *k = (struct synthesis_key){0};
}

/* The folder, made if it is not there. */
static bool folder(char path[PATH_MAX], struct error *e) {
    if (!cache_folder_path(path, PATH_MAX - sizeof "/area"))
        return error_set(e, EXIT_USER, "no folder for results of synthesis: set LOCKSTEP_CACHE to one");
    if (!cache_folder_check(path, e)) return false;
    strcat(path, "/area");
    if (cache_folder_make(path)) return cache_folder_check(path, e);
    return error_set(e, EXIT_USER, "the folder %s for results of synthesis cannot be made: %s", path,
                     strerror(errno));
}

static bool file_of(const struct synthesis_key *k, char path[PATH_MAX + 64]) {
    struct error e = {0};
    char parent[PATH_MAX];
    if (!folder(parent, &e)) return false;
    const XXH128_hash_t h = XXH3_128bits(k->text, k->size);
    snprintf(path, PATH_MAX + 64, "%s/%016" PRIx64 "%016" PRIx64 ".json", parent, (uint64_t)h.high64,
             (uint64_t)h.low64);
    return true;
}

json_t *synthesis_recall(const struct synthesis_key *k) {
    char path[PATH_MAX + 64];
    json_error_t why;
    if (!file_of(k, path)) return NULL;
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    json_t *j = cache_folder_trusts(fileno(in)) ? json_loadf(in, 0, &why) : NULL;
    fclose(in);
    return j;
}

void synthesis_keep(const struct synthesis_key *k, json_t *result) {
    char path[PATH_MAX + 64];
    struct part p;
    struct error e = {0};
    if (!file_of(k, path) || !part_open(&p, path, &e)) return;
    json_dumpf(result, p.file, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    part_finish(&p, &e);
}

bool synthesis_folder(struct tool_folder *f, struct error *e) {
    char parent[PATH_MAX];
    return folder(parent, e) && tool_folder_make(f, parent, e);
}

#include "synthesis/synthesis_cache.h"

#include "sim/cache_folder.h"
#include "sim/file_lock.h"
#include "sim/part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

/* Writes the path of the folder, and makes the folder if it is missing. */
static bool folder(char path[PATH_MAX], struct error *e) {
    if (!cache_folder_path(path, PATH_MAX - sizeof "/area"))
        return error_set(e, EXIT_USER, "no folder for results of synthesis: set LOCKSTEP_CACHE to one");
    if (!cache_folder_check(path, e)) return false;
    strcat(path, "/area");
    if (cache_folder_make(path)) return cache_folder_check(path, e);
    return error_set(e, EXIT_USER, "the folder %s for results of synthesis cannot be made: %s", path,
                     strerror(errno));
}

void synthesis_key_hash(const struct synthesis_key *k, char hash[SYNTHESIS_HASH]) {
    const XXH128_hash_t h = XXH3_128bits(k->text, k->size);
    snprintf(hash, SYNTHESIS_HASH, "%016" PRIx64 "%016" PRIx64, (uint64_t)h.high64, (uint64_t)h.low64);
}

static bool file_of(const struct synthesis_key *k, const char *ending, char path[PATH_MAX + 64],
                    struct error *e) {
    char parent[PATH_MAX], hash[SYNTHESIS_HASH];
    if (!folder(parent, e)) return false;
    synthesis_key_hash(k, hash);
    snprintf(path, PATH_MAX + 64, "%s/%s.%s", parent, hash, ending);
    return true;
}

json_t *synthesis_recall(const struct synthesis_key *k) {
    char path[PATH_MAX + 64];
    json_error_t why;
    struct error e = {0};
    if (!file_of(k, "json", path, &e)) return NULL;
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
    if (!file_of(k, "json", path, &e) || !part_open(&p, path, &e)) return;
    json_dumpf(result, p.file, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    part_finish(&p, &e);
}

int synthesis_lock(const struct synthesis_key *k, bool wait, struct error *e) {
    char path[PATH_MAX + 64];
    return file_of(k, "lock", path, e) ? file_lock(path, wait, e) : -1;
}

/* A process that waits for the lock of a removed file gets it, and finds the result. */
void synthesis_unlock(const struct synthesis_key *k, int lock) {
    char path[PATH_MAX + 64];
    struct error e = {0};
    if (file_of(k, "lock", path, &e)) unlink(path);
    close(lock);
}

bool synthesis_folder(struct tool_folder *f, struct error *e) {
    char parent[PATH_MAX];
    return folder(parent, e) && tool_folder_make(f, parent, e);
}

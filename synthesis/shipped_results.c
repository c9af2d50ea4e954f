#include "synthesis/shipped_results.h"

#include "sim/error.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file that was read last: all requests of a list have one folder. */
static struct {
    char *folder; /* NULL: no file has been read */
    json_t *results;
} shipped;

static json_t *results_of(const char *folder) {
    char path[PATH_MAX + 32];
    json_error_t why;
    if (shipped.folder && strcmp(shipped.folder, folder) == 0) return shipped.results;
    free(shipped.folder);
    json_decref(shipped.results);
    shipped.folder = strdup(folder);
    require_memory(shipped.folder);
    snprintf(path, sizeof path, "%s/%s", folder, SHIPPED_RESULTS_FILE);
    return shipped.results = json_load_file(path, 0, &why);
}

static const char *text_of(const json_t *result, const char *key) {
    const char *text = json_string_value(json_object_get(result, key));
    return text ? text : "";
}

json_t *shipped_results_find(const char *folder, const char *hash) {
    size_t n;
    json_t *result;
    json_array_foreach(results_of(folder), n,
                       result) if (strcmp(text_of(result, "key"), hash) == 0) return result;
    return NULL;
}

/* Returns how many assignments of `a`, "WARPS=16 LANES=4", are also in `b`. */
static unsigned common(const char *a, const char *b) {
    unsigned count = 0;
    for (const char *word = a; *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        for (const char *at = b; *at; at += strspn(at, " ")) {
            const size_t other = strcspn(at, " ");
            count += other == length && strncmp(at, word, length) == 0;
            at += other;
        }
        word += length;
    }
    return count;
}

#define GUESS_SECONDS 30.0

double shipped_results_seconds(const char *folder, const char *module, const char *parameters) {
    double seconds = GUESS_SECONDS;
    int most = -1;
    size_t n;
    json_t *result;
    json_array_foreach(results_of(folder), n, result) {
        if (strcmp(text_of(result, "module"), module) != 0) continue;
        const int in_common = (int)common(parameters, text_of(result, "parameters"));
        if (in_common <= most) continue;
        most = in_common;
        seconds = json_number_value(json_object_get(result, "seconds"));
    }
    return seconds;
}

#include "lockstep/explore/point_store.h"

#include "sim/file_lock.h"
#include "sim/part.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define REAL_DIGITS JSON_REAL_PRECISION(9)

/* --- the folder --- */

char *point_store_path(const struct point_store *s, const char *room, const char *name, const char *ending) {
    char *path;
    require_memory(asprintf(&path, "%s/%s/%s%s", s->folder, room, name, ending) >= 0);
    return path;
}

static bool make_folder(const char *option, const char *path, struct error *e) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
    return error_set(e, EXIT_USER, "%s %s: the folder cannot be made: %s", option, path, strerror(errno));
}

bool point_store_open(struct point_store *s, const char *option, const char *folder, struct error *e) {
    static const char *const rooms[] = {"points", "locks", "work", "logs"};
    *s = (struct point_store){0};
    if (!make_folder(option, folder, e)) return false;
    s->folder = realpath(folder, NULL);
    if (!s->folder) return error_set(e, EXIT_USER, "%s %s: %s", option, folder, strerror(errno));
    for (size_t n = 0; n < sizeof rooms / sizeof *rooms; n++) {
        char *path;
        require_memory(asprintf(&path, "%s/%s", s->folder, rooms[n]) >= 0);
        const bool made = make_folder(option, path, e);
        free(path);
        if (!made) return false;
    }
    return true;
}

void point_store_close(struct point_store *s) {
    free(s->folder);
    *s = (struct point_store){0};
}

int point_store_lock(const struct point_store *s, const char *key, bool wait, struct error *e) {
    char *path = point_store_path(s, "locks", key, "");
    const int lock = file_lock(path, wait, e);
    free(path);
    return lock;
}

/* --- results --- */

/* Computes the checksum of an object without the member "checksum". Numbers are in the file's notation. */
static void checksum(const json_t *result, char text[POINT_KEY]) {
    char *bytes = json_dumps(result, JSON_COMPACT | JSON_SORT_KEYS | REAL_DIGITS);
    require_memory(bytes);
    const XXH128_hash_t h = XXH3_128bits(bytes, strlen(bytes));
    free(bytes);
    snprintf(text, POINT_KEY, "%016" PRIx64 "%016" PRIx64, (uint64_t)h.high64, (uint64_t)h.low64);
}

static bool is_text(const json_t *j, const char *text) {
    return json_is_string(j) && strcmp(json_string_value(j), text) == 0;
}

/* Takes the checksum out of an object; returns whether it was right. */
static bool take_checksum(json_t *result) {
    json_t *given = json_incref(json_object_get(result, "checksum"));
    char right[POINT_KEY];
    json_object_del(result, "checksum");
    checksum(result, right);
    const bool good = is_text(given, right);
    json_decref(given);
    return good;
}

json_t *point_store_read(const struct point_store *s, const char *key) {
    json_error_t why;
    char *path = point_store_path(s, "points", key, ".json");
    json_t *j = json_load_file(path, 0, &why);
    free(path);
    if (json_is_object(j) && take_checksum(j) && is_text(json_object_get(j, "key"), key)) return j;
    json_decref(j);
    return NULL;
}

bool point_store_has(const struct point_store *s, const char *key) {
    json_t *j = point_store_read(s, key);
    json_decref(j);
    return j;
}

void point_store_discard_damaged(const struct point_store *s, const char *key) {
    char *path = point_store_path(s, "points", key, ".json");
    if (!point_store_has(s, key) && unlink(path) == 0)
        fprintf(stderr, "lockstep: %s is damaged: it is removed, and the point runs again\n", path);
    free(path);
}

bool point_store_write(const struct point_store *s, const char *key, json_t *result, struct error *e) {
    struct part part;
    char sum[POINT_KEY];
    char *path = point_store_path(s, "points", key, ".json");
    const bool opened = part_open(&part, path, e);
    free(path);
    if (!opened) return false;
    json_object_set_new(result, "key", json_string(key));
    checksum(result, sum);
    json_object_set_new(result, "checksum", json_string(sum));
    json_dumpf(result, part.file, JSON_INDENT(1) | REAL_DIGITS);
    fputc('\n', part.file);
    json_object_del(result, "checksum");
    return part_finish_durable(&part, e);
}

/* --- failures of the computer --- */

bool point_store_host_failed(int status, bool own) {
    static const int raised[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    if (status == EXIT_USER) return !own;
    for (size_t n = 0; n < sizeof raised / sizeof *raised; n++)
        if (status == 128 + raised[n]) return false;
    return status > 128 && status <= 128 + SIGRTMAX;
}

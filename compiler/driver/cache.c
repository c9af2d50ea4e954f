#include "compiler/driver/cache.h"

#include "compiler/driver/trouble.h"
#include "sim/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#define CACHE_MAGIC       0x4c534349u /* "LSCI" */
#define SUFFIX            ".image"
#define LEFT_OVER_SECONDS 3600 /* age at which a temporary file counts as left over */

/* Layout of a file: this header, the log, the image. */
struct cache_header {
    uint32_t magic, log_bytes;
    uint64_t image_bytes;
    uint64_t checksum[2]; /* checksum of log and image */
};

struct cache_key cache_key(const struct text *parts, size_t count) {
    struct cache_key key;
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    for (size_t i = 0; i < count; i++) {
        XXH3_128bits_update(state, &parts[i].size, sizeof parts[i].size);
        XXH3_128bits_update(state, text_string(&parts[i]), parts[i].size);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    snprintf(key.hexadecimal, sizeof key.hexadecimal, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    return key;
}

void cache_default_directory(struct text *directory) {
    char path[PATH_MAX];
    if (cache_folder_path(path, sizeof path)) text_add(directory, path);
}

void cache_check_directory(const char *directory) {
    struct error e = {0};
    if (!cache_folder_check(directory, &e)) trouble("%s", e.message);
}

bool cache_key_read(struct cache_key *key, const struct text *hexadecimal) {
    const char *digits = text_string(hexadecimal);
    if (hexadecimal->size != sizeof key->hexadecimal - 1 ||
        strspn(digits, "0123456789abcdef") != hexadecimal->size)
        return false;
    memcpy(key->hexadecimal, digits, sizeof key->hexadecimal);
    return true;
}

static void cache_path(struct text *path, const char *directory, const struct cache_key *key) {
    text_printf(path, "%s/%s" SUFFIX, directory, key->hexadecimal);
}

static XXH128_hash_t cache_checksum(const void *bytes, size_t size) {
    return XXH3_128bits(bytes, size);
}

bool cache_load(const char *directory, const struct cache_key *key, struct text *log, struct text *image) {
    struct text path = {0}, file = {0};
    struct cache_header header;
    cache_path(&path, directory, key);
    int descriptor = open(path.data, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool good = descriptor >= 0 && cache_folder_trusts(descriptor) &&
                text_read_descriptor(&file, descriptor) && file.size >= sizeof header;
    if (descriptor >= 0) close(descriptor);
    if (good) {
        const char *content = file.data + sizeof header;
        size_t size = file.size - sizeof header;
        memcpy(&header, file.data, sizeof header);
        XXH128_hash_t hash = cache_checksum(content, size);
        good = header.magic == CACHE_MAGIC && header.log_bytes <= size &&
               header.image_bytes == size - header.log_bytes && header.checksum[0] == hash.low64 &&
               header.checksum[1] == hash.high64;
        if (good) {
            const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
            utimensat(AT_FDCWD, path.data, times, 0);
            text_append(log, content, header.log_bytes);
            text_append(image, content + header.log_bytes, header.image_bytes);
        }
    }
    text_free(&path);
    text_free(&file);
    return good;
}

void cache_store(const char *directory, const struct cache_key *key, const struct text *log,
                 const struct text *image) {
    struct text path = {0}, content = {0}, file = {0};
    struct cache_header header = {
        .magic = CACHE_MAGIC, .log_bytes = (uint32_t)log->size, .image_bytes = image->size};
    text_append(&content, text_string(log), log->size);
    text_append(&content, text_string(image), image->size);
    XXH128_hash_t hash = cache_checksum(content.data, content.size);
    header.checksum[0] = hash.low64;
    header.checksum[1] = hash.high64;
    text_append(&file, &header, sizeof header);
    text_append(&file, content.data, content.size);
    cache_path(&path, directory, key);
    /* A cache that cannot be written costs time, nothing else. */
    const mode_t before = umask(077);
    if (cache_folder_make(directory)) (void)text_write_file(&file, path.data);
    umask(before);
    text_free(&path);
    text_free(&content);
    text_free(&file);
}

/* --- making room --- */

struct entry {
    char *path;
    uint64_t bytes;
    struct timespec used;
};

static bool ends_with(const char *name, const char *suffix) {
    size_t n = strlen(name), s = strlen(suffix);
    return n >= s && !strcmp(name + n - s, suffix);
}

static int entry_compare(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Returns the cache's own files in a directory; others are ignored. */
static size_t read_entries(const char *directory, struct entry **entries) {
    DIR *d = opendir(directory);
    size_t count = 0;
    for (struct dirent *file; d && (file = readdir(d));) {
        struct text path = {0};
        struct stat s;
        bool left_over = ends_with(file->d_name, ".part") && strstr(file->d_name, SUFFIX ".");
        text_printf(&path, "%s/%s", directory, file->d_name);
        if ((!left_over && !ends_with(file->d_name, SUFFIX)) || stat(path.data, &s) != 0) {
            text_free(&path);
        } else if (left_over) {
            if (time(NULL) - s.st_mtim.tv_sec > LEFT_OVER_SECONDS) unlink(path.data);
            text_free(&path);
        } else {
            *entries = grow(*entries, count, sizeof **entries);
            (*entries)[count++] = (struct entry){path.data, (uint64_t)s.st_size, s.st_atim};
        }
    }
    if (d) closedir(d);
    return count;
}

void cache_shrink(const char *directory, uint64_t limit_bytes) {
    struct entry *entries = NULL;
    uint64_t total = 0;
    size_t count = read_entries(directory, &entries);
    for (size_t i = 0; i < count; i++) total += entries[i].bytes;
    if (total > limit_bytes) qsort(entries, count, sizeof *entries, entry_compare);
    for (size_t i = 0; i < count; i++) {
        /* Another compiler may already have removed it. */
        if (total > limit_bytes) {
            unlink(entries[i].path);
            total -= entries[i].bytes;
        }
        free(entries[i].path);
    }
    free(entries);
}

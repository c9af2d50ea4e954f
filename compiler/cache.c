#include "compiler/cache.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#define CACHE_MAGIC 0x4c534349u /* "LSCI" */

/* A file is this header, the log, the image. */
struct cache_header {
    uint32_t magic, log_bytes;
    uint64_t image_bytes;
    uint64_t checksum[2]; /* of log and image */
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
    const char *own = getenv("LOCKSTEP_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (own && *own)
        text_add(directory, own);
    else if (xdg && *xdg == '/')
        text_printf(directory, "%s/lockstep", xdg);
    else if (home && *home)
        text_printf(directory, "%s/.cache/lockstep", home);
}

static void cache_path(struct text *path, const char *directory, const struct cache_key *key) {
    text_printf(path, "%s/%s.image", directory, key->hexadecimal);
}

static XXH128_hash_t cache_checksum(const void *bytes, size_t size) {
    return XXH3_128bits(bytes, size);
}

bool cache_load(const char *directory, const struct cache_key *key, struct text *log, struct text *image) {
    struct text path = {0}, file = {0};
    struct cache_header header;
    cache_path(&path, directory, key);
    bool good = text_read_file(&file, path.data) && file.size >= sizeof header;
    if (good) {
        const char *content = file.data + sizeof header;
        size_t size = file.size - sizeof header;
        memcpy(&header, file.data, sizeof header);
        XXH128_hash_t hash = cache_checksum(content, size);
        good = header.magic == CACHE_MAGIC && header.log_bytes <= size &&
               header.image_bytes == size - header.log_bytes && header.checksum[0] == hash.low64 &&
               header.checksum[1] == hash.high64;
        if (good) {
            text_append(log, content, header.log_bytes);
            text_append(image, content + header.log_bytes, header.image_bytes);
        }
    }
    text_free(&path);
    text_free(&file);
    return good;
}

static void make_directories(const char *directory) {
    struct text path = {0};
    text_add(&path, directory);
    for (size_t i = 1; i <= path.size; i++) {
        char end = path.data[i];
        if (end != '/' && end != 0) continue;
        path.data[i] = 0;
        mkdir(path.data, 0777);
        path.data[i] = end;
    }
    text_free(&path);
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
    make_directories(directory);
    cache_path(&path, directory, key);
    /* A cache that cannot be written costs time, nothing else. */
    (void)text_write_file(&file, path.data);
    text_free(&path);
    text_free(&content);
    text_free(&file);
}

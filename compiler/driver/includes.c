#include "compiler/driver/includes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Writes `HASH SIZE PATH`, and the content to *content. */
static bool describe(struct text *line, struct text *content, const char *path) {
    if (strchr(path, '\n') || !text_read_file(content, path)) return false;
    XXH128_hash_t hash = XXH3_128bits(text_string(content), content->size);
    text_printf(line, "%016llx%016llx %zu %s\n", (unsigned long long)hash.high64,
                (unsigned long long)hash.low64, content->size, path);
    return true;
}

static bool add(struct text *includes, const char *path, const char *const *unwanted, size_t unwanted_count) {
    struct text line = {0}, content = {0};
    bool good = describe(&line, &content, path);
    for (size_t i = 0; good && i < unwanted_count; i++) good = !strstr(text_string(&content), unwanted[i]);
    if (good && !strstr(text_string(includes), text_string(&line))) text_add(includes, line.data);
    text_free(&line);
    text_free(&content);
    return good;
}

/* Returns in *path the file that a line marker `# 1 "FILE" 1…` enters. */
static bool entered_file(const char *line, struct text *path) {
    const char *p = line + strlen("# 1 \"");
    if (strncmp(line, "# 1 \"", strlen("# 1 \""))) return false;
    for (; *p && *p != '"' && *p != '\n'; p++) {
        if (*p == '\\' && p[1]) p++;
        text_append(path, p, 1);
    }
    return !strncmp(p, "\" 1", 3) && path->size && path->data[0] != '<';
}

bool includes_read(struct text *includes, const struct text *preprocessed, const char *const *unwanted,
                   size_t unwanted_count) {
    bool good = true;
    for (const char *line = text_string(preprocessed); good && line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        struct text path = {0};
        if (*line == '#' && entered_file(line, &path))
            good = add(includes, path.data, unwanted, unwanted_count);
        text_free(&path);
    }
    return good;
}

bool includes_unchanged(const struct text *includes) {
    bool good = true;
    for (const char *line = text_string(includes), *end; good && *line; line = end + 1) {
        struct text now = {0}, content = {0}, path = {0};
        end = strchr(line, '\n');
        const char *size = strchr(line, ' '), *name = size ? strchr(size + 1, ' ') : NULL;
        good = end && name && name < end;
        if (good) text_append(&path, name + 1, (size_t)(end - name - 1));
        good = good && describe(&now, &content, text_string(&path)) && now.size == (size_t)(end + 1 - line) &&
               !memcmp(now.data, line, now.size);
        text_free(&now);
        text_free(&content);
        text_free(&path);
    }
    return good;
}

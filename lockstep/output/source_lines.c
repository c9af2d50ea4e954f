#include "lockstep/output/source_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_text(struct source_lines *s, struct error *e) {
    size_t size = 0, n;
    char block[4096];
    FILE *file = fopen(s->path, "r"), *text = file ? open_memstream(&s->text, &size) : NULL;
    if (!file) return error_set(e, EXIT_USER, "%s cannot be read: %s", s->path, strerror(errno));
    require_memory(text);
    while ((n = fread(block, 1, sizeof block, file)) > 0) fwrite(block, 1, n, text);
    bool bad = ferror(file);
    fclose(text);
    fclose(file);
    return !bad || error_set(e, EXIT_USER, "%s cannot be read: %s", s->path, strerror(EISDIR));
}

bool source_lines_read(struct source_lines *s, const char *path, struct error *e) {
    *s = (struct source_lines){.path = path};
    if (!read_text(s, e)) {
        free(s->text);
        return false;
    }
    size_t room = 2;
    for (const char *p = s->text; *p; p++) room += *p == '\n';
    s->lines = calloc(room, sizeof *s->lines);
    require_memory(s->lines);
    for (char *rest = s->text; rest;) s->lines[++s->count] = strsep(&rest, "\n");
    return true;
}

void source_lines_free(struct source_lines *s) {
    free(s->lines);
    free(s->text);
    *s = (struct source_lines){0};
}

void source_lines_print(const struct source_lines *s, const char *mark, const char *file, size_t line,
                        FILE *out) {
    const char *plain = strncmp(file, "./", 2) ? file : file + 2,
               *path = strncmp(s->path, "./", 2) ? s->path : s->path + 2;
    fprintf(out, "%s%s:%zu", mark, plain, line);
    if (strcmp(plain, path) == 0 && line >= 1 && line <= s->count)
        fprintf(out, ": %s", s->lines[line] + strspn(s->lines[line], " \t"));
    fputc('\n', out);
}

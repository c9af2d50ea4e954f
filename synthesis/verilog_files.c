#include "synthesis/verilog_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_text(const char *path, struct error *e) {
    char *text = NULL;
    size_t capacity = 0;
    FILE *in = fopen(path, "r");
    if (!in) {
        error_set(e, EXIT_USER, "%s cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    const bool read = getdelim(&text, &capacity, '\0', in) > 0;
    fclose(in);
    if (read) return text;
    free(text);
    error_set(e, EXIT_USER, "%s cannot be read, or is empty", path);
    return NULL;
}

/* Replaces comments by blanks; ends of lines stay. */
static void blank_comments(char *text) {
    for (char *c = text; *c; c++) {
        const char *end = NULL;
        if (c[0] == '/' && c[1] == '/') end = c + strcspn(c, "\n");
        if (c[0] == '/' && c[1] == '*') end = strstr(c + 2, "*/") ? strstr(c + 2, "*/") + 2 : c + strlen(c);
        for (; end && c < end; c++)
            if (*c != '\n') *c = ' ';
        if (end) c--;
    }
}

/* Returns whether a character belongs to a name, a number or a string. */
static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '\'' || c == '"' || c == '`';
}

/* Returns whether a character is a bracket or separator, which is never a part of a longer operator. */
static bool is_separator(char c) {
    return strchr("()[]{},;", c) != NULL; /* also true for the final zero */
}

/* Returns whether a space between two characters separates two words or two operators. The question mark is
 * also a digit, as in 2'b1?0. */
static bool parts(char before, char after) {
    if (is_word(before) != is_word(after)) return after == '?';
    return is_word(before) || !(is_separator(before) || is_separator(after));
}

/* Returns a text without meaningless blanks, to be freed. Strings, and the lines of directives, stay. */
static char *tokens_of(const char *text) {
    char *tokens = malloc(2 * strlen(text) + 2), *to = tokens;
    require_memory(tokens);
    for (const char *at = text; *at;) {
        const char *blank = at;
        at += strspn(at, " \t\r\n");
        if (*at == '`' && (to == tokens || memchr(blank, '\n', (size_t)(at - blank)))) {
            if (to > tokens && to[-1] != '\n') *to++ = '\n';
            const size_t length = strcspn(at, "\n");
            memcpy(to, at, length);
            for (to += length, at += length; to[-1] == ' ' || to[-1] == '\r'; to--) {}
            *to++ = '\n';
        } else if (*at) {
            if (at > blank && to > tokens && to[-1] != '\n' && parts(to[-1], *at)) *to++ = ' ';
            if (*at == '"') {
                do *to++ = *at++;
                while (*at && (*at != '"' || at[-1] == '\\'));
            }
            if (*at) *to++ = *at++;
        }
    }
    *to++ = '\n';
    *to = '\0';
    return tokens;
}

static bool is_there(const struct verilog_files *f, const char *stem) {
    for (size_t n = 0; n < f->count; n++)
        if (strcmp(f->file[n].stem, stem) == 0) return true;
    return false;
}

static char *path_of(const char *folder, const char *stem) {
    char *path;
    require_memory(asprintf(&path, "%s/%s.sv", folder, stem) >= 0);
    return path;
}

static bool add_file(struct verilog_files *f, const char *folder, const char *stem, struct error *e) {
    f->file = realloc(f->file, (f->count + 1) * sizeof *f->file);
    require_memory(f->file);
    struct verilog_file *file = &f->file[f->count++];
    *file = (struct verilog_file){.stem = strdup(stem), .path = path_of(folder, stem)};
    require_memory(file->stem);
    file->text = read_text(file->path, e);
    if (!file->text) return false;
    blank_comments(file->text);
    file->tokens = tokens_of(file->text);
    return true;
}

/* Adds the files that a text names. */
static bool add_named(struct verilog_files *f, const char *folder, const char *text, struct error *e) {
    for (const char *at = text; *at;) {
        if (!isalpha((unsigned char)*at) && *at != '_') {
            at++;
            continue;
        }
        size_t length = 1;
        while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
        char *stem = strndup(at, length), *path = NULL;
        require_memory(stem);
        at += length;
        if (!is_there(f, stem)) path = path_of(folder, stem);
        const bool good = !path || access(path, F_OK) != 0 || add_file(f, folder, stem, e);
        free(path);
        free(stem);
        if (!good) return false;
    }
    return true;
}

bool verilog_files_read(struct verilog_files *f, const char *folder, const char *top, struct error *e) {
    *f = (struct verilog_files){0};
    if (!add_file(f, folder, top, e)) return false;
    for (size_t n = 0; n < f->count; n++)
        if (!add_named(f, folder, f->file[n].text, e)) return false;
    return true;
}

void verilog_files_free(struct verilog_files *f) {
    for (size_t n = 0; n < f->count; n++) {
        free(f->file[n].stem);
        free(f->file[n].path);
        free(f->file[n].text);
        free(f->file[n].tokens);
    }
    free(f->file);
    *f = (struct verilog_files){0};
}

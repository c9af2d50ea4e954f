#include "tb/ports/verilog_source.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool verilog_source_add(struct verilog_source *s, enum verilog_item_kind kind, const char *text,
                        size_t length) {
    if (s->count == VERILOG_MAX_ITEMS) return false;
    char *copy = strndup(text, length);
    require_memory(copy);
    s->item[s->count++] = (struct verilog_item){kind, copy};
    return true;
}

void verilog_source_name(struct verilog_source *s, const char *top) {
    free(s->top);
    s->top = strdup(top);
    require_memory(s->top);
}

void verilog_source_copy(struct verilog_source *to, const struct verilog_source *from) {
    *to = (struct verilog_source){0};
    if (from->top) verilog_source_name(to, from->top);
    to->pure = from->pure;
    for (unsigned n = 0; n < from->count; ++n)
        verilog_source_add(to, from->item[n].kind, from->item[n].text, strlen(from->item[n].text));
}

void verilog_source_free(struct verilog_source *s) {
    for (unsigned n = 0; n < s->count; ++n) free(s->item[n].text);
    free(s->top);
    *s = (struct verilog_source){0};
}

const char *verilog_source_file(const struct verilog_source *s) {
    unsigned n = 0;
    while (s->item[n].kind != VERILOG_FILE) ++n;
    return s->item[n].text;
}

/* Returns 0, or the errno for which a file cannot be read or a folder cannot be searched. */
static int why_not(const char *path, bool folder) {
    struct stat s;
    if (stat(path, &s) != 0) return errno;
    if (folder != S_ISDIR(s.st_mode)) return folder ? ENOTDIR : EISDIR;
    return access(path, R_OK) == 0 ? 0 : errno;
}

static bool resolve_item(struct verilog_item *item, struct error *e) {
    char path[PATH_MAX], *absolute;
    const bool folder = item->kind == VERILOG_INCLUDE;
    const char *given = item->text + (folder ? 2 : 0);
    const int why = why_not(given, folder);
    if (why || !realpath(given, path))
        return error_set(e, EXIT_USER, "%s: %s: %s", given,
                         folder                            ? "this is no folder to include from"
                         : item->kind == VERILOG_FUNCTIONS ? "the C cannot be read"
                                                           : "the Verilog cannot be read",
                         strerror(why ? why : errno));
    require_memory(asprintf(&absolute, "%s%s", folder ? "-I" : "", path) >= 0);
    free(item->text);
    item->text = absolute;
    return true;
}

static bool add_folder(struct verilog_source *s, const char *file, struct error *e) {
    char folder[PATH_MAX + 8];
    const int n = snprintf(folder, sizeof folder, "-I%.*s", (int)(strrchr(file, '/') - file), file);
    for (unsigned i = 0; i < s->count; ++i)
        if (s->item[i].kind == VERILOG_INCLUDE && strcmp(s->item[i].text, folder) == 0) return true;
    return verilog_source_add(s, VERILOG_INCLUDE, folder, (size_t)n) ||
           error_set(e, EXIT_USER, "%s: more than %u files, folders and options", file, VERILOG_MAX_ITEMS);
}

bool verilog_source_resolve(struct verilog_source *s, struct error *e) {
    const unsigned given = s->count;
    for (unsigned n = 0; n < given; ++n)
        if (s->item[n].kind <= VERILOG_INCLUDE && !resolve_item(&s->item[n], e)) return false;
    for (unsigned n = 0; n < given; ++n)
        if (s->item[n].kind <= VERILOG_FUNCTIONS && !add_folder(s, s->item[n].text, e)) return false;
    return true;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool text_declares(const char *text, const char *module) {
    static const char keyword[] = "module";
    const size_t length = strlen(module);
    for (const char *at = text; (at = strstr(at, keyword)); at += strlen(keyword)) {
        const char *name = at + strlen(keyword);
        name += strspn(name, " \t\r\n");
        if ((at == text || !is_word(at[-1])) && name != at + strlen(keyword) &&
            strncmp(name, module, length) == 0 && !is_word(name[length]))
            return true;
    }
    return false;
}

bool verilog_source_declares(const struct verilog_source *s, const char *module) {
    bool found = false;
    for (unsigned n = 0; n < s->count && !found; ++n) {
        char *text = NULL;
        size_t size = 0;
        FILE *in = s->item[n].kind == VERILOG_FILE ? fopen(s->item[n].text, "r") : NULL;
        if (in && getdelim(&text, &size, '\0', in) > 0) found = text_declares(text, module);
        free(text);
        if (in) fclose(in);
    }
    return found;
}

bool verilog_source_one(struct verilog_source *s, const char *file, const char *top, struct error *e) {
    *s = (struct verilog_source){0};
    verilog_source_name(s, top);
    verilog_source_add(s, VERILOG_FILE, file, strlen(file));
    return verilog_source_resolve(s, e);
}

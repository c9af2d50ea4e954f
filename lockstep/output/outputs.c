#include "lockstep/output/outputs.h"

#include "sim/part.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct location {
    struct stat folder;
    const char *name; /* name of the file in the folder */
    size_t length;    /* length of the name without the ending .part */
};

/* Finds folder and name of a path. Returns false if the folder does not exist; opening the file reports
 * that. */
static bool find_location(const char *path, struct location *p) {
    const char *slash = strrchr(path, '/');
    p->name = slash ? slash + 1 : path;
    p->length = strlen(p->name);
    while (p->length > 5 && strncmp(p->name + p->length - 5, ".part", 5) == 0) p->length -= 5;
    char *folder = strndup(slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    require_memory(folder);
    const bool found = stat(folder, &p->folder) == 0;
    free(folder);
    return found;
}

static bool same(const char *a, const char *b) {
    struct location x, y;
    return find_location(a, &x) && find_location(b, &y) && x.folder.st_dev == y.folder.st_dev &&
           x.folder.st_ino == y.folder.st_ino && x.length == y.length &&
           strncmp(x.name, y.name, x.length) == 0;
}

bool outputs_check(const struct output_name *outputs, size_t count, struct error *e) {
    for (size_t i = 0; i < count; i++) {
        const struct output_name *o = &outputs[i];
        if (!o->path) continue;
        if (!*o->path) return error_set(e, EXIT_USER, "%s '': a file name is needed", o->option);
        for (size_t k = 0; k < i; k++)
            if (outputs[k].path && same(outputs[k].path, o->path))
                return error_set(e, EXIT_USER, "%s %s and %s %s name the same file", outputs[k].option,
                                 outputs[k].path, o->option, o->path);
    }
    return true;
}

bool outputs_in_view(const char *path) {
    while (*path && (unsigned char)*path >= ' ' && *path != '"' && *path != 0x7f) path++;
    return !*path;
}

bool outputs_can_write(const char *option, const char *path, struct error *e) {
    struct part part;
    struct error why = {0};
    if (!part_open(&part, path, &why))
        return error_set(e, why.status, "%s %s: %s", option, path, why.message);
    part_abandon(&part);
    return true;
}

bool outputs_spare(const struct output_name *outputs, size_t count, const char *what, const char *path,
                   struct error *e) {
    struct stat in, out;
    if (!path || stat(path, &in) != 0 || !S_ISREG(in.st_mode)) return true;
    for (size_t i = 0; i < count; i++)
        if (outputs[i].path && stat(outputs[i].path, &out) == 0 && out.st_dev == in.st_dev &&
            out.st_ino == in.st_ino)
            return error_set(e, EXIT_USER, "%s %s would replace %s, %s", outputs[i].option, outputs[i].path,
                             path, what);
    return true;
}

#include "lockstep/commands/tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool find_in_folder(const char *folder, const char *name, int mode, char out[PATH_MAX],
                           struct error *e) {
    int length = snprintf(out, PATH_MAX, "%s/%s", folder, name);
    if (length >= PATH_MAX) return error_set(e, EXIT_USER, "the path of %s in %s is too long", name, folder);
    if (access(out, mode) == 0) return true;
    return error_set(e, EXIT_USER,
                     "%s cannot be used: %s\nbuild everything with `make`; %s must stay beside lockstep", out,
                     strerror(errno), name);
}

bool tools_find(struct tools *t, struct error *e) {
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length < 0) return error_set(e, EXIT_USER, "/proc/self/exe cannot be read: %s", strerror(errno));
    folder[length] = '\0';
    *strrchr(folder, '/') = '\0';
    if (snprintf(t->rtl, sizeof t->rtl, "%s/../rtl", folder) >= PATH_MAX ||
        snprintf(t->configs, sizeof t->configs, "%s/../configs", folder) >= PATH_MAX)
        return error_set(e, EXIT_USER, "the path %s is too long", folder);
    return find_in_folder(folder, "lockstep-cc", X_OK, t->compiler, e) &&
           find_in_folder(folder, "liblockstep_opencl.so", R_OK, t->driver, e);
}

/* Returns 0 if path can be executed, else the reason as an errno. */
static int why_not_executable(const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return errno;
    if (!S_ISREG(s.st_mode)) return S_ISDIR(s.st_mode) ? EISDIR : EACCES;
    return access(path, X_OK) == 0 ? 0 : errno;
}

static bool check_path(const char *path, struct error *e) {
    int why = why_not_executable(path);
    switch (why) {
    case 0: return true;
    case ENOENT:
    case ENOTDIR: return error_set(e, EXIT_NOT_FOUND, "%s: there is no such program", path);
    case EISDIR: return error_set(e, EXIT_CANNOT_RUN, "%s: this is a folder, not a program", path);
    case EACCES:
        return error_set(e, EXIT_CANNOT_RUN,
                         "%s: this file is not executable; if it is a program: chmod +x %s", path, path);
    default: return error_set(e, EXIT_CANNOT_RUN, "%s: this cannot be run: %s", path, strerror(why));
    }
}

bool tools_check_program(const char *name, struct error *e) {
    if (strchr(name, '/')) return check_path(name, e);
    const char *configured = getenv("PATH");
    char *search = strdup(configured ? configured : "/usr/bin:/bin"), *rest = search, *folder;
    require_memory(search);
    char path[PATH_MAX], refused[PATH_MAX] = "";
    bool found = false;
    while (*name && !found && (folder = strsep(&rest, ":"))) {
        if (snprintf(path, sizeof path, "%s/%s", *folder ? folder : ".", name) >= (int)sizeof path) continue;
        int why = why_not_executable(path);
        found = why == 0;
        if (why == EACCES && !*refused) strcpy(refused, path);
    }
    free(search);
    if (found) return true;
    if (*refused) return check_path(refused, e);
    return error_set(e, EXIT_NOT_FOUND,
                     "%s: there is no such program on PATH; one in this folder is called ./%s", name, name);
}

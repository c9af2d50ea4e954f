#include "sim/cache_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define OTHERS_WRITE (S_IWGRP | S_IWOTH)

bool cache_folder_path(char *path, size_t size) {
    const char *own = getenv("LOCKSTEP_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (own && *own)
        n = snprintf(path, size, "%s", own);
    else if (xdg && *xdg == '/')
        n = snprintf(path, size, "%s/lockstep", xdg);
    else if (home && *home)
        n = snprintf(path, size, "%s/.cache/lockstep", home);
    return n >= 0 && (size_t)n < size;
}

bool cache_folder_make(const char *path) {
    char part[PATH_MAX];
    for (const char *end = path + 1; end[-1]; end++) {
        if (*end != '/' && *end) continue;
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        if (mkdir(part, 0700) != 0 && errno != EEXIST && !*end) return false;
    }
    struct stat s;
    if (stat(path, &s) != 0) return false;
    errno = ENOTDIR;
    return S_ISDIR(s.st_mode);
}

bool cache_folder_check(const char *path, struct error *e) {
    struct stat s;
    if (stat(path, &s) != 0) return true;
    if (s.st_uid != geteuid())
        return error_set(e, EXIT_USER,
                         "the cache %s belongs to user %u, and what lies there would be run as user %u: set "
                         "LOCKSTEP_CACHE to a folder of your own",
                         path, (unsigned)s.st_uid, (unsigned)geteuid());
    if (s.st_mode & OTHERS_WRITE)
        return error_set(
            e, EXIT_USER,
            "others may write to the cache %s, and what lies there is run: remove it, or if you know "
            "what is in it: chmod go-w %s",
            path, path);
    return true;
}

bool cache_folder_trusts(int fd) {
    struct stat s;
    return fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() && !(s.st_mode & OTHERS_WRITE);
}

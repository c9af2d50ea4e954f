#include "sim/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *path, const char *ending) {
    char *joined;
    require_memory(asprintf(&joined, "%s%s", path, ending) >= 0);
    return joined;
}

int part_create(const char *path, char **name) {
    struct stat there;
    if (lstat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        *name = NULL;
        errno = EEXIST;
        return -1;
    }
    for (unsigned n = 1;; n++) {
        char ending[48];
        snprintf(ending, sizeof ending, n > 1 ? ".%ld-%u.part" : ".%ld.part", (long)getpid(), n);
        *name = join(path, ending);
        const int fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) return fd;
        const int why = errno;
        free(*name);
        *name = NULL;
        errno = why;
        if (why != EEXIST) return -1;
    }
}

static bool refuse(const char *path, struct error *e) {
    if (errno == EEXIST) return error_set(e, EXIT_USER, "%s: this exists and is not an ordinary file", path);
    return error_set(e, EXIT_USER, "%s cannot be written: %s", path,
                     errno ? strerror(errno) : "the file was cut short (is the disk full?)");
}

bool part_open(struct part *p, const char *path, struct error *e) {
    *p = (struct part){0};
    const int fd = part_create(path, &p->name);
    if (fd < 0) return refuse(path, e);
    p->path = join(path, "");
    p->file = fdopen(fd, "w");
    require_memory(p->file);
    return true;
}

static void forget(struct part *p) {
    free(p->path);
    free(p->name);
    *p = (struct part){0};
}

static bool end_as(struct part *p, const char *ending, struct error *e) {
    char *name = join(p->path, ending);
    errno = 0;
    const bool failed = fflush(p->file) != 0 || ferror(p->file);
    const int why = errno;
    const bool good = fclose(p->file) == 0 && !failed && rename(p->name, name) == 0;
    if (failed && why) errno = why;
    if (!good) {
        refuse(name, e);
        unlink(p->name);
    }
    free(name);
    forget(p);
    return good;
}

bool part_finish(struct part *p, struct error *e) {
    return end_as(p, "", e);
}

bool part_leave(struct part *p, struct error *e) {
    return end_as(p, ".part", e);
}

void part_abandon(struct part *p) {
    fclose(p->file);
    unlink(p->name);
    forget(p);
}

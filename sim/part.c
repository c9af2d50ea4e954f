#include "sim/part.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *path, const char *ending) {
    char *joined;
    require_memory(asprintf(&joined, "%s%s", path, ending) >= 0);
    return joined;
}

void part_lock(int fd) {
    (void)flock(fd, LOCK_EX | LOCK_NB); /* without locks the process's number must do */
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
        if (fd >= 0) part_lock(fd);
        if (fd >= 0) return fd;
        const int why = errno;
        free(*name);
        *name = NULL;
        errno = why;
        if (why != EEXIST) return -1;
    }
}

/* Returns whether a file of the folder is called NAME.N.part or NAME.N-M.part and no process N exists. */
static bool is_left(const char *file, const char *name) {
    const size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '.' || !isdigit((unsigned char)file[length + 1]))
        return false;
    char *end;
    const long process = strtol(file + length + 1, &end, 10);
    if (*end == '-') end += strspn(end, "-0123456789");
    return strcmp(end, ".part") == 0 && process > 0 && process <= INT_MAX && kill((pid_t)process, 0) != 0 &&
           errno == ESRCH;
}

/* Removes such a file, and before it the side files of libfst and the tracer, unless a process of another
 * name space writes to it. */
static void remove_left(int folder, const char *name) {
    static const char *const endings[] = {".hier", ".probe", ""};
    const int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat s;
    const bool left =
        fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0;
    for (size_t n = 0; left && n < sizeof endings / sizeof *endings; n++) {
        char *file = join(name, endings[n]);
        unlinkat(folder, file, 0);
        free(file);
    }
    if (fd >= 0) close(fd);
}

/* Returns the folder of a path with its last '/', to be freed; "." for a name alone. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = strndup(slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    require_memory(folder);
    return folder;
}

void part_clean(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = folder_of(path);
    DIR *d = opendir(folder);
    for (const struct dirent *f; d && (f = readdir(d)) != NULL;)
        if (is_left(f->d_name, name)) remove_left(dirfd(d), f->d_name);
    if (d) closedir(d);
    free(folder);
}

static bool refuse(const char *path, struct error *e) {
    if (errno == EEXIST) return error_set(e, EXIT_USER, "%s: this exists and is not an ordinary file", path);
    return error_set(e, EXIT_USER, "%s cannot be written: %s", path,
                     errno ? strerror(errno) : "the file was cut short (is the disk full?)");
}

bool part_open(struct part *p, const char *path, struct error *e) {
    *p = (struct part){0};
    part_clean(path);
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

/* Writes the folder to the disk, with the names of new files. If it cannot be opened, this is left to the
 * host. */
static void sync_folder(const char *path) {
    char *folder = folder_of(path);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(folder);
}

static bool end_as(struct part *p, const char *ending, bool durable, struct error *e) {
    char *name = join(p->path, ending);
    errno = 0;
    const bool failed = fflush(p->file) != 0 || ferror(p->file) || (durable && fsync(fileno(p->file)) != 0);
    const int why = errno;
    const bool good = fclose(p->file) == 0 && !failed && rename(p->name, name) == 0;
    if (failed && why) errno = why;
    if (!good) {
        refuse(name, e);
        unlink(p->name);
    } else if (durable) {
        sync_folder(p->path);
    }
    free(name);
    forget(p);
    return good;
}

bool part_finish(struct part *p, struct error *e) {
    return end_as(p, "", false, e);
}

bool part_finish_durable(struct part *p, struct error *e) {
    return end_as(p, "", true, e);
}

bool part_leave(struct part *p, struct error *e) {
    return end_as(p, ".part", false, e);
}

void part_abandon(struct part *p) {
    fclose(p->file);
    unlink(p->name);
    forget(p);
}

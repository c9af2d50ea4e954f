#include "sim/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int file_lock(const char *path, bool wait, struct error *e) {
    const int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (lock < 0) {
        error_set(e, EXIT_USER, "%s cannot be made: %s", path, strerror(errno));
        return -1;
    }
    if (flock(lock, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0) return lock;
    close(lock);
    return -1;
}

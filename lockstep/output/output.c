#include "lockstep/output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool refuse(int why, struct error *e) {
    return error_set(e, EXIT_USER, "standard output cannot be written%s%s", why ? ": " : "",
                     why ? strerror(why) : "");
}

FILE *output_take(struct error *e) {
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) { /* closed by the parent process: see sim/streams.h */
        refuse(EBADF, e);
        return NULL;
    }
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (out && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) return out;
    refuse(errno, e);
    if (out)
        fclose(out);
    else if (fd >= 0)
        close(fd);
    return NULL;
}

bool output_close(FILE *out, struct error *e) {
    const bool written = fflush(out) == 0 && !ferror(out);
    const int why = errno;
    if (fclose(out) == 0 && written) return true;
    return refuse(written ? errno : why, e);
}

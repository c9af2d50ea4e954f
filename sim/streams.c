#include "sim/streams.h"

#include "sim/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Descriptors with which the process was started; they belong to the whole process. */
static int *inherited; /* descriptors above the standard streams, in order */
static size_t inherited_count;
static bool messages; /* standard error is open */

/* Reserves the numbers of closed streams. A reserved stream is open for the other direction only, so it
 * refuses the same accesses as before. */
static void reserve(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            messages = fd == STDERR_FILENO;
            continue;
        }
        if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) _exit(EXIT_USER);
    }
}

static int by_number(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void keep_inherited(void) {
    DIR *d = opendir("/proc/self/fd");
    if (!d) return;
    for (const struct dirent *f; (f = readdir(d));) {
        const int fd = (int)strtol(f->d_name, NULL, 10);
        if (fd <= STDERR_FILENO || fd == dirfd(d)) continue;
        int *grown = realloc(inherited, (inherited_count + 1) * sizeof *grown);
        if (!grown) break;
        inherited = grown;
        inherited[inherited_count++] = fd;
    }
    closedir(d);
    if (inherited_count) qsort(inherited, inherited_count, sizeof *inherited, by_number);
}

void streams_close_ours(void) {
    unsigned next = STDERR_FILENO + 1;
    for (size_t i = 0; i < inherited_count; i++) {
        const unsigned fd = (unsigned)inherited[i];
        if (fd > next) close_range(next, fd - 1, CLOSE_RANGE_CLOEXEC);
        next = fd + 1;
    }
    close_range(next, ~0u, CLOSE_RANGE_CLOEXEC);
}

/* Returns whether the stream is a pipe without readers. */
static bool reader_is_gone(int fd) {
    struct pollfd p = {fd, POLLOUT, 0};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

static void die_by_pipe(void) {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &pipe, NULL);
    raise(SIGPIPE);
}

static void check_streams(int status, void *name) {
    struct sigaction pipe;
    errno = 0;
    const bool refused = fflush(stdout) != 0 || ferror(stdout);
    int why = errno;
    /* An earlier write was refused. stdio does not keep the reason, so another write finds it. */
    if (refused && !why && write(STDOUT_FILENO, "\n", 1) < 0) why = errno;
    const bool gone = refused && reader_is_gone(STDOUT_FILENO);
    const bool lost = fclose(stdout) != 0 && !refused;
    if (lost) why = errno;
    if (gone && !sigaction(SIGPIPE, NULL, &pipe) && pipe.sa_handler != SIG_IGN) die_by_pipe();
    if (refused || lost)
        fprintf(stderr, "%s: standard output cannot be written%s%s\n", (const char *)name, why ? ": " : "",
                why ? strerror(why) : "");
    const bool unheard = messages && ferror(stderr) && !reader_is_gone(STDERR_FILENO);
    if ((refused || lost || unheard) && status == EXIT_SOUND) _exit(EXIT_USER);
}

void streams_begin(const char *name) {
    reserve();
    keep_inherited();
    on_exit(check_streams, (void *)name);
}

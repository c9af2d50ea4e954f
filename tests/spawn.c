#include "tests/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned spawn_limit_seconds = 240;

static void need(bool condition, const char *what) {
    if (condition) return;
    perror(what);
    abort();
}

char *spawn_text(const char *format, ...) {
    va_list arguments;
    char *text;
    va_start(arguments, format);
    need(vasprintf(&text, format, arguments) >= 0, "vasprintf");
    va_end(arguments);
    return text;
}

static void be_child(const char *folder, int out, int err, char *const argv[]) {
    need(chdir(folder) == 0, folder);
    int in = open("/dev/null", O_RDONLY);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    alarm(spawn_limit_seconds);
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(99);
}

/* Output goes to unlinked files, so that no reader is needed while the program runs. */
static int unlinked_file(void) {
    char path[] = "/tmp/lockstep-test-output-XXXXXX";
    int fd = mkostemp(path, O_CLOEXEC);
    need(fd >= 0, "mkostemp");
    unlink(path);
    return fd;
}

static int open_terminal(int *other_side) {
    int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    need(fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0, "posix_openpt");
    *other_side = open(ptsname(fd), O_RDWR | O_NOCTTY | O_CLOEXEC);
    need(*other_side >= 0, "ptsname");
    return fd;
}

struct spawned spawn_start(const char *folder, bool terminal, char *const argv[]) {
    struct spawned s = {.out_fd = unlinked_file(), .terminal = terminal};
    int child_err;
    s.err_fd = terminal ? open_terminal(&child_err) : (child_err = unlinked_file());
    s.pid = fork();
    need(s.pid >= 0, "fork");
    if (s.pid == 0) be_child(folder, s.out_fd, child_err, argv);
    if (terminal) close(child_err);
    return s;
}

static char *read_all(int fd) {
    char *text, part[4096];
    size_t size;
    FILE *whole = open_memstream(&text, &size);
    need(whole, "open_memstream");
    ssize_t n; /* EIO from a terminal whose other side is closed */
    while ((n = read(fd, part, sizeof part)) > 0) fwrite(part, 1, (size_t)n, whole);
    need(fclose(whole) == 0, "fclose");
    return text;
}

static char *read_file(int fd) {
    lseek(fd, 0, SEEK_SET);
    return read_all(fd);
}

void spawn_finish(struct spawned *s) {
    int status;
    if (s->terminal) s->err = read_all(s->err_fd);
    need(waitpid(s->pid, &status, 0) == s->pid, "waitpid");
    s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    s->out = read_file(s->out_fd);
    if (!s->terminal) s->err = read_file(s->err_fd);
    close(s->out_fd);
    close(s->err_fd);
}

struct spawned spawn(const char *folder, char *const argv[]) {
    struct spawned s = spawn_start(folder, false, argv);
    spawn_finish(&s);
    return s;
}

void spawn_free(struct spawned *s) {
    free(s->out);
    free(s->err);
}

char *spawn_folder(void) {
    char *folder = spawn_text("/tmp/lockstep-test-XXXXXX");
    need(mkdtemp(folder), "mkdtemp");
    return folder;
}

void spawn_remove_folder(char *folder) {
    struct spawned s = spawn("/", (char *[]){"rm", "-rf", folder, NULL});
    spawn_free(&s);
    free(folder);
}

const char *spawn_build(void) {
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    need(length > 0, "/proc/self/exe");
    path[length] = '\0';
    for (int level = 0; level < 2; level++) *strrchr(path, '/') = '\0';
    return path;
}

const char *spawn_source(void) {
    static char path[PATH_MAX];
    strcpy(path, spawn_build());
    *strrchr(path, '/') = '\0';
    return path;
}

char *spawn_read(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return NULL;
    char *text = read_all(fd);
    close(fd);
    return text;
}

void spawn_write(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    need(f && fputs(text, f) >= 0 && fclose(f) == 0, path);
}

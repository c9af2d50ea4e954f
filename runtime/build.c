#include "runtime/build.h"

#include "compiler/trouble.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Pipes to a running compiler: its source goes in, its messages come out. */
struct compiler_process {
    pid_t pid;
    int source_fd, log_fd;
    size_t sent, log_bytes, log_capacity;
};

static _Noreturn void become_compiler(const struct build_request *r, const char *output, int in, int log) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(in, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    char levels[16];
    snprintf(levels, sizeof levels, "%u", r->priority_levels);
    if (r->directory == NULL || chdir(r->directory) == 0) {
        execl(r->compiler, r->compiler, "--priority-levels", levels, "--options", r->options, "--name",
              r->name, "--emit", r->check_only ? "priority" : "image", "-o", output, "-", (char *)NULL);
        dprintf(STDERR_FILENO, "%s cannot be run: %s\n", r->compiler, strerror(errno));
    } else {
        dprintf(STDERR_FILENO, "the program's directory %s: %s\n", r->directory, strerror(errno));
    }
    _exit(126);
}

static bool start(struct compiler_process *p, const struct build_request *r, const char *output,
                  struct error *e) {
    int in[2], log[2];
    /* A socket, since writing to a pipe that the compiler has closed would raise SIGPIPE. */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) != 0)
        return error_set(e, EXIT_INTERNAL, "compiling: socketpair: %s", strerror(errno));
    if (pipe2(log, O_CLOEXEC) != 0) {
        error_set(e, EXIT_INTERNAL, "compiling: pipe: %s", strerror(errno));
        close(in[0]);
        close(in[1]);
        return false;
    }
    p->pid = fork();
    if (p->pid == 0) become_compiler(r, output, in[0], log[1]);
    close(in[0]);
    close(log[1]);
    p->source_fd = in[1];
    p->log_fd = log[0];
    if (p->pid > 0) return true;
    error_set(e, EXIT_INTERNAL, "compiling: fork: %s", strerror(errno));
    close(p->source_fd);
    close(p->log_fd);
    return false;
}

static void feed(struct compiler_process *p, const struct build_request *r) {
    ssize_t n =
        r->source_bytes > p->sent ? write(p->source_fd, r->source + p->sent, r->source_bytes - p->sent) : 0;
    if (n > 0) p->sent += (size_t)n;
    /* A compiler that does not read on (an error in its options) is no failure of ours. */
    if (p->sent < r->source_bytes && (n > 0 || errno == EAGAIN || errno == EINTR)) return;
    close(p->source_fd);
    p->source_fd = -1;
}

/* False at the end of the messages. */
static bool listen_to(struct compiler_process *p, struct build *b) {
    char chunk[4096];
    ssize_t n = read(p->log_fd, chunk, sizeof chunk);
    if (n < 0) return errno == EINTR;
    if (n == 0) return false;
    if (p->log_bytes + (size_t)n + 1 > p->log_capacity) {
        size_t capacity = (p->log_bytes + (size_t)n + 1) * 2;
        char *log = realloc(b->log, capacity);
        if (log == NULL) return true; /* the rest of the text is lost, not the verdict */
        b->log = log;
        p->log_capacity = capacity;
    }
    for (ssize_t i = 0; i < n; i++)
        if (chunk[i] != 0) b->log[p->log_bytes++] = chunk[i];
    b->log[p->log_bytes] = 0;
    return true;
}

/* Feeds and listens until the compiler has closed its messages. False if interrupted. */
static bool attend(struct compiler_process *p, const struct build_request *r, struct build *b) {
    for (;;) {
        struct pollfd fds[3] = {
            {p->log_fd, POLLIN, 0}, {p->source_fd, POLLOUT, 0}, {r->interrupt_fd, POLLIN, 0}};
        if (poll(fds, 3, -1) < 0) continue;
        if (fds[2].revents) return false;
        if (fds[1].revents) feed(p, r);
        if (fds[0].revents && !listen_to(p, b)) return true;
    }
}

static bool read_image(const char *path, struct build *b, struct error *e) {
    FILE *f = fopen(path, "rb");
    struct stat s;
    b->compiled = false;
    if (f == NULL || fstat(fileno(f), &s) != 0) {
        error_set(e, EXIT_INTERNAL, "compiling: the compiler left no image in %s: %s", path, strerror(errno));
    } else {
        b->image_bytes = (size_t)s.st_size;
        b->image = malloc(b->image_bytes + 1);
        if (b->image == NULL || fread(b->image, 1, b->image_bytes, f) != b->image_bytes)
            error_set(e, EXIT_INTERNAL, "compiling: %s cannot be read", path);
        else
            b->compiled = true;
    }
    if (f != NULL) fclose(f);
    return b->compiled;
}

static bool run(const struct build_request *r, const char *output, struct build *b, struct error *e) {
    struct compiler_process p = {0};
    if (!start(&p, r, output, e)) return false;
    bool whole = attend(&p, r, b);
    if (!whole) kill(p.pid, SIGTERM);
    if (p.source_fd >= 0) close(p.source_fd);
    close(p.log_fd);
    int status = 0;
    while (waitpid(p.pid, &status, 0) < 0 && errno == EINTR) continue;
    if (!whole) return error_set(e, EXIT_USER, "interrupted while a kernel was being compiled");
    if (WIFSIGNALED(status))
        return error_set(e, EXIT_INTERNAL, "compiling %s: the compiler %s died of signal %d (%s)%s%s",
                         r->name, r->compiler, WTERMSIG(status), strsignal(WTERMSIG(status)),
                         b->log[0] ? ":\n" : "", b->log);
    b->compiled = WEXITSTATUS(status) == 0;
    if (b->compiled) return r->check_only || read_image(output, b, e);
    b->bad_options = WEXITSTATUS(status) == COMPILER_BAD_OPTIONS;
    if (b->bad_options || WEXITSTATUS(status) == COMPILER_REFUSED) return true;
    return error_set(e, EXIT_INTERNAL, "compiling %s: the compiler %s failed (status %d)%s%s", r->name,
                     r->compiler, WEXITSTATUS(status), b->log[0] ? ":\n" : "", b->log);
}

bool build_run(const struct build_request *r, struct build *b, struct error *e) {
    *b = (struct build){.log = calloc(1, 1)};
    const char *place = getenv("TMPDIR");
    char directory[3072], output[4096];
    snprintf(directory, sizeof directory, "%s/lockstep-build-XXXXXX",
             place != NULL && place[0] == '/' ? place : "/tmp");
    if (b->log == NULL) return error_set(e, EXIT_INTERNAL, "compiling: out of memory");
    if (mkdtemp(directory) == NULL)
        return error_set(e, EXIT_USER, "compiling: no temporary directory %s: %s (set TMPDIR)", directory,
                         strerror(errno));
    snprintf(output, sizeof output, "%s/image.elf", directory);
    bool verdict = run(r, output, b, e);
    unlink(output);
    rmdir(directory);
    return verdict;
}

void build_release(struct build *b) {
    free(b->log);
    free(b->image);
    *b = (struct build){0};
}

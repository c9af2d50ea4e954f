#include "runtime/build.h"

#include "compiler/driver/trouble.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A running compiler. It reads and writes files in memory: no files are left behind however it ends, and
 * neither process can block the other. */
struct compiler_process {
    pid_t pid;
    int pid_fd; /* descriptor that becomes readable when the compiler has ended */
    int source, image, log;
};

static bool fill(int fd, const void *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, (const char *)bytes + done, size - done);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) done += (size_t)n;
    }
    return lseek(fd, 0, SEEK_SET) == 0;
}

static bool open_files(struct compiler_process *p, const struct build_request *r, struct error *e) {
    p->source = memfd_create("kernel source", MFD_CLOEXEC);
    p->image = memfd_create("kernel image", MFD_CLOEXEC);
    p->log = memfd_create("kernel log", MFD_CLOEXEC);
    if (p->source >= 0 && p->image >= 0 && p->log >= 0 && fill(p->source, r->source, r->source_bytes))
        return true;
    return error_set(e, EXIT_USER, "compiling %s: no file in memory: %s", r->name, strerror(errno));
}

static void close_files(const struct compiler_process *p) {
    const int fds[] = {p->source, p->image, p->log, p->pid_fd};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0) close(fds[i]);
}

/* Returns whether the compiler is to warn of variables without a value: not if warnings are errors. */
static bool warns(const struct build_request *r) {
    return r->reports_uninitialised && r->kind != BUILD_LINK && !strstr(r->options, "-Werror");
}

/* Returns the build options; to be freed. */
static char *options_of(const struct build_request *r) {
    char *options;
    require_memory(asprintf(&options, "%s%s", r->options, warns(r) ? " -Wuninitialized" : "") >= 0);
    return options;
}

/* Becomes the compiler, which ends when the simulator ends, in whatever way. */
static _Noreturn void become_compiler(const struct compiler_process *p, const struct build_request *r,
                                      pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(126);
    dup2(p->source, STDIN_FILENO);
    dup2(p->image, STDOUT_FILENO);
    dup2(p->log, STDERR_FILENO);
    char levels[16], line[16], warp[16];
    snprintf(levels, sizeof levels, "%u", r->priority_levels);
    snprintf(line, sizeof line, "%u", r->line_bytes ? r->line_bytes : 256);
    snprintf(warp, sizeof warp, "%u", r->warp_size ? r->warp_size : 32);
    char *options = options_of(r);
    if (r->directory == NULL || chdir(r->directory) == 0) {
        execl(r->compiler, r->compiler, "--priority-levels", levels, "--options", options, "--name", r->name,
              "--emit", r->kind == BUILD_OBJECT ? "object" : "image", "--priorities",
              r->priorities ? r->priorities : "all", "--coalescing", r->coalescing ? r->coalescing : "modern",
              "--math", r->math ? r->math : "table", "--isa", r->isa ? r->isa : "vfp", "--ids",
              r->ids ? r->ids : "coprocessor", "--mode", r->mode ? r->mode : "both", "--scalarize",
              r->scalarize ? r->scalarize : "off", "--scalar", r->scalar ? r->scalar : "off", "--startup",
              r->startup ? r->startup : "loop", "--line-bytes", line, "--warp-size", warp, "-o", "-", "-",
              r->marks_unwritten      ? "--mark-unwritten"
              : r->kind == BUILD_LINK ? "--link"
                                      : (char *)NULL,
              r->marks_unwritten && r->kind == BUILD_LINK ? "--link" : (char *)NULL, (char *)NULL);
        dprintf(STDERR_FILENO, "%s cannot be run: %s\n", r->compiler, strerror(errno));
    } else {
        dprintf(STDERR_FILENO, "the program's directory %s: %s\n", r->directory, strerror(errno));
    }
    _exit(126);
}

static bool start(struct compiler_process *p, const struct build_request *r, struct error *e) {
    const pid_t parent = getpid();
    p->pid = fork();
    if (p->pid == 0) become_compiler(p, r, parent);
    if (p->pid > 0) p->pid_fd = pidfd_open(p->pid, 0);
    if (p->pid_fd >= 0) return true;
    error_set(e, EXIT_USER, "compiling %s: no process: %s", r->name, strerror(errno));
    if (p->pid > 0) {
        kill(p->pid, SIGKILL);
        waitpid(p->pid, NULL, 0);
    }
    return false;
}

static bool interrupted(const struct build_request *r) {
    struct pollfd p = {r->interrupt_fd, POLLIN, 0};
    return poll(&p, 1, 0) > 0;
}

/* Waits for the compiler's end. Returns false if interrupted: Ctrl-C at a terminal reaches both processes
 * and may have ended the compiler first. */
static bool wait_for(const struct compiler_process *p, const struct build_request *r, int *status) {
    struct pollfd fds[2] = {{p->pid_fd, POLLIN, 0}, {r->interrupt_fd, POLLIN, 0}};
    while (poll(fds, 2, -1) < 0) continue;
    if (!fds[0].revents) kill(p->pid, SIGTERM);
    if (!fds[0].revents) kill(p->pid, SIGCONT); /* continues a stopped process */
    while (waitpid(p->pid, status, 0) < 0 && errno == EINTR) continue;
    return fds[0].revents && !(WIFSIGNALED(*status) && interrupted(r));
}

/* Reads a whole file in memory and appends a zero. Returns NULL if memory is out. */
static char *read_whole(int fd, size_t *size) {
    struct stat s;
    if (fstat(fd, &s) != 0) return NULL;
    char *bytes = calloc(1, (size_t)s.st_size + 1);
    *size = 0;
    for (ssize_t n = 1; bytes != NULL && n > 0 && *size<(size_t)s.st_size; *size += n> 0 ? (size_t)n : 0)
        n = pread(fd, bytes + *size, (size_t)s.st_size - *size, (off_t)*size);
    return bytes;
}

/* Reads the log as a text: without zeros. */
static void read_log(const struct compiler_process *p, struct build *b) {
    size_t size, kept = 0;
    b->log = read_whole(p->log, &size);
    for (size_t i = 0; b->log != NULL && i < size; i++)
        if (b->log[i] != 0) b->log[kept++] = b->log[i];
    if (b->log != NULL) b->log[kept] = 0;
}

static bool read_image(const struct compiler_process *p, const struct build_request *r, struct build *b,
                       struct error *e) {
    b->image = (uint8_t *)read_whole(p->image, &b->image_bytes);
    if (b->image != NULL && b->image_bytes > 0) return true;
    b->compiled = false;
    if (b->image == NULL) return error_set(e, EXIT_USER, "compiling %s: out of memory", r->name);
    return error_set(e, EXIT_INTERNAL, "compiling %s: the compiler %s made no image", r->name, r->compiler);
}

/* Returns whether a person sends the signal, or a limit of file sizes. Other signals that end a compiler
 * are faults of its own. */
static bool is_users(int signal) {
    return signal == SIGTERM || signal == SIGINT || signal == SIGHUP || signal == SIGQUIT ||
           signal == SIGXFSZ;
}

/* Explains why the compiler gave no verdict: whose fault it is, and what the compiler printed. */
static bool explain_failure(const struct build_request *r, const struct build *b, int status,
                            struct error *e) {
    const char *colon = b->log[0] ? ":\n" : ", without a message";
    if (says_no_memory(b->log) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
        return error_set(e, EXIT_USER,
                         "compiling %s: the compiler %s was ended: no memory is left for it%s%s", r->name,
                         r->compiler, colon, b->log);
    if (WIFSIGNALED(status))
        return error_set(e, is_users(WTERMSIG(status)) ? EXIT_USER : EXIT_INTERNAL,
                         "compiling %s: the compiler %s died of signal %d (%s)%s%s", r->name, r->compiler,
                         WTERMSIG(status), strsignal(WTERMSIG(status)), colon, b->log);
    const bool machine = WEXITSTATUS(status) == COMPILER_TROUBLE || WEXITSTATUS(status) >= 126;
    return error_set(e, machine ? EXIT_USER : EXIT_INTERNAL,
                     "compiling %s: the compiler %s failed (status %d)%s%s", r->name, r->compiler,
                     WEXITSTATUS(status), colon, b->log);
}

/* Prints the warnings of variables without a value. */
static void report_uninitialised(const char *log) {
    static const char *const kinds[] = {" [-Wuninitialized]", " [-Wsometimes-uninitialized]"};
    static const char word[] = "warning: ";
    for (const char *end; (end = strchr(log, '\n')); log = end + 1) {
        const char *text = memmem(log, (size_t)(end - log), word, sizeof word - 1);
        for (unsigned n = 0; text && n < sizeof kinds / sizeof *kinds; n++) {
            const char *kind = memmem(text, (size_t)(end - text), kinds[n], strlen(kinds[n]));
            if (kind) fprintf(stderr, "%.*s\n", (int)(kind - log), log);
        }
    }
}

static bool judge(const struct compiler_process *p, const struct build_request *r, struct build *b,
                  int status, struct error *e) {
    read_log(p, b);
    if (b->log == NULL) return error_set(e, EXIT_USER, "compiling %s: out of memory", r->name);
    const int verdict = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    b->compiled = verdict == COMPILER_DONE;
    b->bad_options = verdict == COMPILER_BAD_OPTIONS;
    if (warns(r)) report_uninitialised(b->log);
    if (b->compiled) return read_image(p, r, b, e);
    if ((b->bad_options || verdict == COMPILER_REFUSED) && b->log[0]) return true;
    return explain_failure(r, b, status, e); /* a refusal comes with its reason */
}

bool build_run(const struct build_request *r, struct build *b, struct error *e) {
    struct compiler_process p = {.source = -1, .image = -1, .log = -1, .pid_fd = -1};
    int status = 0;
    *b = (struct build){0};
    bool verdict = open_files(&p, r, e) && start(&p, r, e);
    if (verdict)
        verdict = wait_for(&p, r, &status)
                      ? judge(&p, r, b, status, e)
                      : error_set(e, EXIT_USER, "interrupted while a kernel was being compiled");
    close_files(&p);
    return verdict;
}

void build_release(struct build *b) {
    free(b->log);
    free(b->image);
    *b = (struct build){0};
}

#include "runtime/program_process.h"

#include "sim/stack_limit.h"
#include "sim/streams.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE_MS 2000

static size_t name_length(const char *setting) {
    return (size_t)(strchrnul(setting, '=') - setting) + 1;
}

/* Returns the environment with the settings in place of variables of their names. */
static char **make_environment(char *const settings[]) {
    size_t count = 0, settings_count = 0, n = 0;
    while (environ[count] != NULL) count++;
    while (settings[settings_count] != NULL) settings_count++;
    char **made = calloc(count + settings_count + 1, sizeof *made);
    if (made == NULL) return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t s = 0;
        while (s < settings_count && strncmp(environ[i], settings[s], name_length(settings[s])) != 0) s++;
        if (s == settings_count) made[n++] = environ[i];
    }
    for (size_t s = 0; s < settings_count; s++) made[n++] = settings[s];
    return made;
}

/* Becomes the program. Ignored signals stay ignored, caught signals are reset, inherited descriptors stay
 * open. */
static _Noreturn void become_program(char *const argv[], char **environment, const sigset_t *blocked,
                                     int report_fd) {
    sigprocmask(SIG_SETMASK, blocked, NULL);
    streams_close_ours();
    stack_limit_restore();
    execvpe(argv[0], argv, environment);
    int why = errno;
    while (write(report_fd, &why, sizeof why) < 0 && errno == EINTR) continue;
    _exit(127);
}

static bool cannot_start(const char *program, int why, struct error *e) {
    if (why == ENOENT)
        return error_set(e, EXIT_NOT_FOUND, "%s: program not found%s", program,
                         strchr(program, '/') == NULL ? " on PATH (for one in this directory write ./NAME)"
                                                      : "");
    const bool full = why == EMFILE || why == ENFILE || why == EAGAIN || why == ENOMEM;
    return error_set(e, full ? EXIT_USER : EXIT_CANNOT_RUN, "%s: cannot be run: %s%s", program, strerror(why),
                     full ? " (see `ulimit -n`, `ulimit -u` and `free`)" : "");
}

bool program_process_start(struct program_process *p, char *const argv[], char *const settings[],
                           const sigset_t *blocked, struct error *e) {
    int report[2], why = 0;
    *p = (struct program_process){.pid = -1, .fd = -1};
    if (pipe2(report, O_CLOEXEC) != 0) return cannot_start(argv[0], errno, e);
    char **environment = make_environment(settings);
    if (environment != NULL) p->pid = fork();
    if (p->pid == 0) become_program(argv, environment, blocked, report[1]);
    if (p->pid < 0) why = environment != NULL ? errno : ENOMEM;
    free(environment);
    close(report[1]);
    /* The pipe closes when the program starts; an errno in it reports a failure. */
    while (p->pid > 0 && read(report[0], &why, sizeof why) < 0 && errno == EINTR) continue;
    close(report[0]);
    if (why == 0) {
        p->fd = pidfd_open(p->pid, 0);
        if (p->fd >= 0) return true;
        why = errno;
        kill(p->pid, SIGKILL);
    }
    if (p->pid > 0) waitpid(p->pid, NULL, 0);
    return cannot_start(argv[0], why, e);
}

void program_process_wait(struct program_process *p) {
    if (p->fd < 0) return;
    while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR) continue;
    close(p->fd);
    p->fd = -1;
}

void program_process_end(struct program_process *p) {
    if (p->fd < 0) return;
    struct pollfd ended = {p->fd, POLLIN, 0};
    kill(p->pid, SIGTERM);
    kill(p->pid, SIGCONT); /* a stopped program does not receive other signals */
    if (poll(&ended, 1, GRACE_MS) <= 0) kill(p->pid, SIGKILL);
    program_process_wait(p);
}

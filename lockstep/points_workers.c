/* The processes that work on a list of points, and what is shown meanwhile. */
#include "lockstep/command.h"
#include "lockstep/points.h"
#include "lockstep/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS_BETWEEN 2.0 /* looks at how many points are done */

struct workers {
    const struct points_list *list;
    pid_t process[POINTS_MOST_JOBS]; /* 0: has ended */
    unsigned count, running;
    bool ending;   /* they have been killed */
    bool lost;     /* another process has killed one */
    size_t before; /* points that were done at the start */
    double start;
};

static volatile sig_atomic_t stopping; /* SIGINT or SIGTERM has come */

static void on_stop(int signal_number) {
    (void)signal_number;
    stopping = 1;
}

/* A signal that is ignored stays so. */
static void handle(void (*handler)(int)) {
    static const int signals[] = {SIGINT, SIGTERM};
    for (size_t n = 0; n < 2; n++) {
        struct sigaction now;
        if (sigaction(signals[n], NULL, &now) == 0 && now.sa_handler != SIG_IGN) signal(signals[n], handler);
    }
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show_progress(const struct workers *w) {
    const size_t done = points_done(w->list), all = w->list->count;
    const double seconds = seconds_now() - w->start;
    if (done > w->before && done < all)
        progress_line("%zu of %zu runs are done, about %.0f s remain", done, all,
                      seconds / (double)(done - w->before) * (double)(all - done));
    else
        progress_line("%zu of %zu runs are done", done, all);
}

static pid_t start_worker(const struct points_list *l, unsigned worker, unsigned workers) {
    const pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    struct error e = {0};
    handle(SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_USER);
    _exit(points_work(l, l->count * worker / workers, &e) ? EXIT_SOUND : command_fail(&e));
}

/* The programs that the workers run die with them. */
static void kill_all(struct workers *w) {
    w->ending = true;
    for (unsigned k = 0; k < w->count; k++)
        if (w->process[k] > 0) kill(w->process[k], SIGKILL);
}

/* Returns the exit status of a worker that has ended, or 0 if a signal has ended it: the others go on; -1:
 * none has ended; -2: there is none. */
static int next_status(struct workers *w) {
    int status;
    const pid_t child = waitpid(-1, &status, WNOHANG);
    if (child < 0 && errno != EINTR) return -2;
    if (child <= 0) return -1;
    for (unsigned k = 0; k < w->count; k++)
        if (w->process[k] == child) {
            w->process[k] = 0;
            w->running--;
        }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (w->ending || stopping) return 0;
    fprintf(stderr, "lockstep: a worker was killed by signal %d (%s)\n", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    w->lost = true;
    return 0;
}

/* Waits for all; one that fails ends the others. Returns its status. */
static int wait_for_all(struct workers *w) {
    int failed = 0;
    double told = w->start;
    show_progress(w);
    while (w->running > 0) {
        const int status = next_status(w);
        if (status == -2) break;
        if (status > 0 && !failed) failed = status;
        if (failed || stopping) kill_all(w);
        if (status >= 0) continue;
        nanosleep(&(struct timespec){0, 20000000}, NULL);
        if (seconds_now() - told < SECONDS_BETWEEN) continue;
        told = seconds_now();
        show_progress(w);
    }
    progress_erase();
    return failed;
}

bool points_run_workers(const struct points_list *l, unsigned jobs, struct error *e) {
    struct workers w = {.list = l,
                        .count = l->count < jobs ? (unsigned)l->count : jobs,
                        .before = points_done(l),
                        .start = seconds_now()};
    struct sigaction interrupt, terminate;
    stopping = 0;
    sigaction(SIGINT, NULL, &interrupt);
    sigaction(SIGTERM, NULL, &terminate);
    handle(on_stop);
    for (unsigned k = 0; k < w.count; k++) w.running += (w.process[k] = start_worker(l, k, w.count)) > 0;
    const bool started = w.running > 0;
    const int status = wait_for_all(&w);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    if (!started) return error_set(e, EXIT_USER, "no process can be started");
    if (stopping)
        return error_set(e, EXIT_USER, "stopped: %zu of %zu runs are in %s; the same command runs the others",
                         points_done(l), l->count, l->points->store.folder);
    if (status == 0 && !w.lost) return true;
    return error_set(e, status ? (enum exit_status)status : EXIT_USER,
                     "a worker failed (the message is above); the same command goes on where it stopped");
}

unsigned points_default_jobs(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > POINTS_MOST_JOBS ? POINTS_MOST_JOBS : (unsigned)processors;
}

unsigned points_parse_jobs(const char *text) {
    char *end;
    errno = 0;
    const unsigned long n = strtoul(text, &end, 10);
    return errno || *end || *text < '0' || *text > '9' || n > POINTS_MOST_JOBS ? 0 : (unsigned)n;
}

#include "lockstep/explore/workers.h"

#include "lockstep/commands/command.h"
#include "lockstep/explore/points.h"
#include "lockstep/output/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Time limit for a worker to stop its tool and remove its folder after SIGTERM. */
#define SECONDS_TO_END 3.0

struct workers {
    const struct workers_task *task;
    pid_t process[POINTS_MOST_JOBS]; /* process of each worker; 0 if it has ended */
    unsigned count, running;
    double killed; /* time at which the workers got SIGTERM; 0 if they did not */
    bool lost;     /* another process has killed a worker */
};

static volatile sig_atomic_t stopping; /* SIGINT or SIGTERM has arrived */

static void on_stop(int signal_number) {
    (void)signal_number;
    stopping = 1;
}

/* Sets the handler of SIGINT and SIGTERM, except for ignored signals. */
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

static pid_t start_worker(const struct workers_task *task, unsigned worker, unsigned workers) {
    const pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    struct error e = {0};
    handle(SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(EXIT_USER);
    _exit(task->work(task->context, worker, workers, &e) ? EXIT_SOUND : command_fail(&e));
}

/* Ends all workers, and with them the programs that they run. */
static void end_all(struct workers *w) {
    const int signal_number = w->killed > 0 ? SIGKILL : SIGTERM;
    if (w->killed > 0 && seconds_now() - w->killed < SECONDS_TO_END) return;
    w->killed = seconds_now();
    for (unsigned k = 0; k < w->count; k++)
        if (w->process[k] > 0) kill(w->process[k], signal_number);
}

/* Returns the exit status of a worker that has ended, or 0 if a signal has ended it: the others continue.
 * Returns −1 if no worker has ended, −2 if there are no workers. */
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
    if (w->killed > 0 || stopping) return 0;
    fprintf(stderr, "lockstep: a worker was killed by signal %d (%s)\n", WTERMSIG(status),
            strsignal(WTERMSIG(status)));
    w->lost = true;
    return 0;
}

/* Waits for all workers. If one fails, ends the others. Returns its status. */
static int wait_for_all(struct workers *w) {
    int failed = 0;
    double told = seconds_now();
    w->task->show(w->task->context, true);
    while (w->running > 0) {
        const int status = next_status(w);
        if (status == -2) break;
        if (status > 0 && !failed && !stopping) failed = status;
        if (failed || stopping) end_all(w);
        if (status >= 0) continue;
        nanosleep(&(struct timespec){0, 20000000}, NULL);
        const bool now = seconds_now() - told >= WORKERS_SECONDS;
        if (now) told = seconds_now();
        w->task->show(w->task->context, now);
    }
    w->task->show(w->task->context, false);
    progress_erase();
    return failed;
}

enum workers_end workers_run(const struct workers_task *task, unsigned count, struct error *e) {
    struct workers w = {.task = task, .count = count};
    struct sigaction interrupt, terminate;
    stopping = 0;
    sigaction(SIGINT, NULL, &interrupt);
    sigaction(SIGTERM, NULL, &terminate);
    handle(on_stop);
    for (unsigned k = 0; k < w.count; k++) w.running += (w.process[k] = start_worker(task, k, w.count)) > 0;
    const bool started = w.running > 0 || !count;
    const int status = wait_for_all(&w);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    if (!started) error_set(e, EXIT_USER, "no process can be started");
    if (!started) return WORKERS_FAILED;
    if (stopping) return WORKERS_STOPPED;
    if (status == 0 && !w.lost) return WORKERS_DONE;
    error_set(e, status ? (enum exit_status)status : EXIT_USER,
              "a worker failed (the message is above); the same command goes on where it stopped");
    return status ? WORKERS_FAILED : WORKERS_LOST;
}

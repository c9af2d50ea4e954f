#include "lockstep/output/progress.h"

#include "lockstep/output/report.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define QUIET_SECONDS 2.0

static struct {
    FILE *out; /* NULL: no messages */
    bool terminal;
    bool shown; /* a progress line is on the terminal */
    /* State of the thread that prints step and launch periodically if there is no terminal: */
    bool telling, ending;
    double seconds;
    struct timespec start;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t end;
    char step[200], launch[200]; /* "": none */
} progress = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* --- every so often --- */

static void tell(void) {
    const bool both = *progress.step && *progress.launch;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds =
        (double)(now.tv_sec - progress.start.tv_sec) + 1e-9 * (double)(now.tv_nsec - progress.start.tv_nsec);
    fprintf(progress.out, "lockstep: after %ld s: %s%s%s\n", (long)seconds, progress.step, both ? ": " : "",
            *progress.launch || *progress.step
                ? progress.launch
                : "no kernel runs: the program or the kernel compiler is at work");
    fflush(progress.out);
}

static struct timespec later(struct timespec t, double seconds) {
    const long nanoseconds = t.tv_nsec + (long)((seconds - (double)(long)seconds) * 1e9);
    return (struct timespec){t.tv_sec + (long)seconds + nanoseconds / 1000000000, nanoseconds % 1000000000};
}

static void *keep_telling(void *unused) {
    (void)unused;
    pthread_mutex_lock(&progress.mutex);
    struct timespec next = later(progress.start, progress.seconds);
    while (!progress.ending) {
        if (pthread_cond_timedwait(&progress.end, &progress.mutex, &next) != ETIMEDOUT) continue;
        tell();
        next = later(next, progress.seconds);
    }
    pthread_mutex_unlock(&progress.mutex);
    return NULL;
}

/* Starts the thread with all signals blocked: signals are for the thread that runs the machine. */
static void start_telling(void) {
    pthread_condattr_t attributes;
    sigset_t all, before;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&progress.end, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    progress.telling = pthread_create(&progress.thread, NULL, keep_telling, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_begin(bool quiet, double seconds_between) {
    const int fd = quiet ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    progress.out = fd >= 0 ? fdopen(fd, "w") : NULL;
    progress.terminal = isatty(STDERR_FILENO);
    progress.seconds = seconds_between;
    progress.ending = progress.shown = false;
    progress.step[0] = progress.launch[0] = '\0';
    clock_gettime(CLOCK_MONOTONIC, &progress.start);
    if (progress.out && !progress.terminal) start_telling();
}

static void stop_telling(void) {
    pthread_mutex_lock(&progress.mutex);
    progress.ending = true;
    pthread_cond_signal(&progress.end);
    pthread_mutex_unlock(&progress.mutex);
    pthread_join(progress.thread, NULL);
    pthread_cond_destroy(&progress.end);
    progress.telling = false;
}

void progress_end(void) {
    if (progress.telling) stop_telling();
    if (progress.out) fclose(progress.out);
    progress.out = NULL;
}

/* --- steps and launches --- */

static void set(char *what, size_t size, const char *text) {
    pthread_mutex_lock(&progress.mutex);
    snprintf(what, size, "%s", text);
    pthread_mutex_unlock(&progress.mutex);
}

static void note(const char *format, va_list arguments) {
    char text[sizeof progress.step];
    vsnprintf(text, sizeof text, format, arguments);
    set(progress.step, sizeof progress.step, text);
}

void progress_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
}

static void show_line(const char *text) {
    fprintf(progress.out, "\r\033[K%s", text);
    fflush(progress.out);
    progress.shown = true;
}

void progress_line(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
    if (progress.out && progress.terminal) show_line(progress.step);
}

void progress_step(const char *format, ...) {
    va_list arguments;
    progress_erase();
    va_start(arguments, format);
    note(format, arguments);
    va_end(arguments);
    if (!progress.out) return;
    fprintf(progress.out, "lockstep: %s\n", progress.step);
    fflush(progress.out);
}

static uint64_t work_groups(const struct machine_launch *l) {
    uint64_t n = 1;
    for (unsigned d = 0; d < 3; d++) n *= l->global_size[d] / l->local_size[d];
    return n;
}

static void describe(const struct machine_launch *launch, const struct machine_result *so_far, char *out,
                     size_t size) {
    char cycles[32], done[32], all[32];
    const uint64_t total = work_groups(launch);
    const int n = snprintf(out, size, "%s: %s cycles, %s of %s work-groups, %.1f M cycles/s", launch->kernel,
                           report_number(so_far->cycles, cycles), report_number(so_far->work_groups, done),
                           report_number(total, all), (double)so_far->cycles / so_far->host_seconds * 1e-6);
    if (so_far->work_groups > 0 && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", about %.0f s left",
                 so_far->host_seconds * (double)(total - so_far->work_groups) / (double)so_far->work_groups);
}

void progress_show(void *context, const struct machine_launch *launch, const struct machine_result *so_far) {
    char text[sizeof progress.launch];
    (void)context;
    if (!progress.out || (progress.terminal && so_far->host_seconds < QUIET_SECONDS)) return;
    describe(launch, so_far, text, sizeof text);
    set(progress.launch, sizeof progress.launch, text);
    if (progress.terminal) show_line(text);
}

void progress_erase(void) {
    if (progress.shown) {
        fprintf(progress.out, "\r\033[K");
        fflush(progress.out);
    }
    progress.shown = false;
    set(progress.launch, sizeof progress.launch, "");
}

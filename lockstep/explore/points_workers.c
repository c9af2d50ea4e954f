/* The processes that work on a list of points. */
#include "lockstep/explore/points.h"
#include "lockstep/output/progress.h"
#include "lockstep/explore/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct running {
    const struct points_list *list;
    size_t before; /* points that had results at the start */
    double start;
};

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void show(void *context, bool now) {
    const struct running *r = context;
    const struct points_list *l = r->list;
    char more[100] = "";
    if (l->show) l->show(l->context, false, more, sizeof more);
    if (!now) return;
    const size_t done = points_done(l), all = l->count;
    const double seconds = seconds_now() - r->start;
    if (done > r->before && done < all)
        progress_line("%zu of %zu runs are done, about %.0f s remain%s", done, all,
                      seconds / (double)(done - r->before) * (double)(all - done), more);
    else
        progress_line("%zu of %zu runs are done%s", done, all, more);
}

static bool work(void *context, unsigned worker, unsigned workers, struct error *e) {
    const struct points_list *l = ((const struct running *)context)->list;
    return points_work(l, l->count * worker / workers, e);
}

bool points_run_workers(const struct points_list *l, unsigned jobs, struct error *e) {
    struct running r = {.list = l, .before = points_done(l), .start = seconds_now()};
    const struct workers_task task = {.context = &r, .work = work, .show = show};
    const size_t all = l->before || l->after ? jobs : l->count;
    const enum workers_end end = workers_run(&task, all < jobs ? (unsigned)all : jobs, e);
    if (end == WORKERS_LOST && points_done(l) == l->count) {
        *e = (struct error){0};
        return true;
    }
    if (end != WORKERS_STOPPED) return end == WORKERS_DONE;
    char more[100] = "";
    if (l->show) l->show(l->context, true, more, sizeof more);
    return error_set(e, EXIT_USER, "stopped: %zu of %zu runs are in %s%s; the same command goes on",
                     points_done(l), l->count, l->points->store.folder, more);
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

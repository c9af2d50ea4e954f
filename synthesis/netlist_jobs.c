#include "synthesis/netlist_jobs.h"

#include "synthesis/shipped_results.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- the list --- */

/* Sets the jobs' pointers to their settings again: both move when the list grows. */
static void point_to_settings(struct netlist_jobs *j) {
    for (size_t n = 0; n < j->count; n++) j->job[n].request.settings = j->job[n].settings;
}

bool netlist_jobs_add(struct netlist_jobs *j, const struct netlist_request *r, struct error *e) {
    j->job = reallocarray(j->job, j->count + 1, sizeof *j->job);
    require_memory(j->job);
    point_to_settings(j);
    struct netlist_job *job = &j->job[j->count];
    *job = (struct netlist_job){.request = *r};
    if (!netlist_find(r, j->technology, &job->result, job->hash, &job->state, e)) return false;
    for (size_t n = 0; n < j->count; n++)
        if (strcmp(j->job[n].hash, job->hash) == 0) return true;
    memcpy(job->settings, r->settings, r->count * sizeof *r->settings);
    job->request.settings = job->settings;
    job->estimate = shipped_results_seconds(r->folder, r->top, job->result.parameters);
    j->count++;
    return true;
}

void netlist_jobs_drop_known(struct netlist_jobs *j) {
    size_t kept = 0;
    for (size_t n = 0; n < j->count; n++)
        if (j->job[n].state != NETLIST_KNOWN) j->job[kept++] = j->job[n];
    j->count = kept;
    point_to_settings(j);
}

static int smallest_first(const void *a, const void *b) {
    const struct netlist_job *x = a, *y = b;
    if (x->estimate != y->estimate) return x->estimate < y->estimate ? -1 : 1;
    return strcmp(x->hash, y->hash);
}

void netlist_jobs_share(struct netlist_jobs *j) {
    if (!j->count) return;
    qsort(j->job, j->count, sizeof *j->job, smallest_first);
    point_to_settings(j);
    j->shared =
        mmap(NULL, j->count * sizeof *j->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require_memory(j->shared != MAP_FAILED);
}

/* --- the work --- */

bool netlist_jobs_make(struct netlist_jobs *j, size_t job, struct netlist_result *result, struct error *e) {
    struct netlist_job_state *s = &j->shared[job];
    enum netlist_state state;
    s->begin = now();
    __atomic_store_n(&s->progress, NETLIST_RUNS, __ATOMIC_SEQ_CST);
    const bool made =
        netlist_try(&j->job[job].request, j->technology, result, &state, e) && state == NETLIST_KNOWN;
    s->end = now();
    __atomic_store_n(&s->progress, made ? NETLIST_DONE : NETLIST_WAITS, __ATOMIC_SEQ_CST);
    return made;
}

bool netlist_jobs_work(struct netlist_jobs *j, struct error *e) {
    for (size_t n = 0; n < j->count; n++) {
        struct netlist_result result;
        struct error why = {0};
        if (__atomic_load_n(&j->shared[n].progress, __ATOMIC_SEQ_CST) != NETLIST_WAITS) continue;
        if (!netlist_jobs_make(j, n, &result, &why) && e->status == EXIT_SOUND) *e = why;
    }
    return e->status == EXIT_SOUND;
}

size_t netlist_jobs_done(const struct netlist_jobs *j) {
    size_t done = 0;
    for (size_t n = 0; n < j->count; n++) done += j->shared[n].progress == NETLIST_DONE;
    return done;
}

const struct netlist_job *netlist_jobs_next_done(struct netlist_jobs *j, double *seconds) {
    for (size_t n = 0; n < j->count; n++) {
        if (j->job[n].told || j->shared[n].progress != NETLIST_DONE) continue;
        *seconds = j->shared[n].end - j->shared[n].begin;
        j->job[n].told = true;
        return &j->job[n];
    }
    return NULL;
}

const struct netlist_job *netlist_jobs_running(const struct netlist_jobs *j, double *seconds) {
    const struct netlist_job *last = NULL;
    double begin = 0;
    for (size_t n = 0; n < j->count; n++) {
        if (j->shared[n].progress != NETLIST_RUNS || j->shared[n].begin < begin) continue;
        begin = j->shared[n].begin;
        last = &j->job[n];
    }
    *seconds = now() - begin;
    return last;
}

void netlist_jobs_free(struct netlist_jobs *j) {
    if (j->shared) munmap(j->shared, j->count * sizeof *j->shared);
    free(j->job);
    *j = (struct netlist_jobs){0};
}

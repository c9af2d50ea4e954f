#include "lockstep/explore/synthesis_workers.h"

#include "lockstep/output/progress.h"
#include "lockstep/explore/workers.h"

#include <stdio.h>
#include <string.h>

void synthesis_workers_tell(struct netlist_jobs *j) {
    size_t told = 0;
    double seconds;
    for (size_t n = 0; n < j->count; n++) told += j->job[n].told;
    for (const struct netlist_job *job; (job = netlist_jobs_next_done(j, &seconds));)
        progress_step("block %zu of %zu, %s, %.0f s", ++told, j->count, job->request.top, seconds);
}

void synthesis_workers_text(const struct netlist_jobs *j, bool stopped, char *text, size_t size) {
    double seconds;
    const size_t done = netlist_jobs_done(j);
    const struct netlist_job *running = netlist_jobs_running(j, &seconds);
    if (done == j->count)
        snprintf(text, size, "%s", "");
    else if (running && !stopped)
        snprintf(text, size, ", block %zu of %zu, %s, %.0f s so far", done + 1, j->count,
                 running->request.top, seconds);
    else
        snprintf(text, size, ", %zu of %zu blocks are done", done, j->count);
}

static bool work(void *context, unsigned worker, unsigned workers, struct error *e) {
    (void)worker, (void)workers;
    return netlist_jobs_work(context, e);
}

static void show(void *context, bool now) {
    char text[100];
    synthesis_workers_tell(context);
    synthesis_workers_text(context, false, text, sizeof text);
    if (now && *text) progress_line("%s", text + strlen(", "));
}

bool synthesis_workers_run(struct netlist_jobs *j, unsigned processes, struct error *e) {
    netlist_jobs_drop_known(j);
    netlist_jobs_share(j);
    if (!j->count) return true;
    const struct workers_task task = {.context = j, .work = work, .show = show};
    progress_step("%zu blocks to synthesise", j->count);
    const enum workers_end end = workers_run(&task, j->count < processes ? (unsigned)j->count : processes, e);
    if (end == WORKERS_STOPPED)
        error_set(e, EXIT_USER, "stopped: %zu of %zu blocks are kept; the same command goes on",
                  netlist_jobs_done(j), j->count);
    return end == WORKERS_DONE;
}

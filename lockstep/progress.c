#include "lockstep/progress.h"
#include "lockstep/report.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET_SECONDS 2.0

void progress_init(struct progress *p) {
    *p = (struct progress){.terminal = isatty(STDERR_FILENO)};
}

static uint64_t work_groups(const struct machine_launch *l) {
    uint64_t n = 1;
    for (unsigned d = 0; d < 3; d++) n *= l->global_size[d] / l->local_size[d];
    return n;
}

void progress_show(void *context, const struct machine_launch *launch, const struct machine_result *so_far) {
    struct progress *p = context;
    if (!p->terminal || so_far->host_seconds < QUIET_SECONDS) return;
    char cycles[32], done[32], all[32];
    uint64_t total = work_groups(launch);
    fprintf(stderr, "\r\033[K%s: %s cycles, %s of %s work-groups, %.1f M cycles/s", launch->kernel,
            report_number(so_far->cycles, cycles), report_number(so_far->work_groups, done),
            report_number(total, all), (double)so_far->cycles / so_far->host_seconds * 1e-6);
    if (so_far->work_groups > 0)
        fprintf(stderr, ", about %.0f s left",
                so_far->host_seconds * (double)(total - so_far->work_groups) / (double)so_far->work_groups);
    fflush(stderr);
    p->shown = true;
}

void progress_erase(struct progress *p) {
    if (p->shown) fprintf(stderr, "\r\033[K");
    p->shown = false;
}

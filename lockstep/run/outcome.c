#include "lockstep/run/outcome.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct outcome judge_failure(const struct error *e) {
    switch (e->status) {
    case EXIT_USER: return (struct outcome){"interrupted", false};
    case EXIT_NOT_FOUND:
    case EXIT_CANNOT_RUN: return (struct outcome){"not-started", false};
    case EXIT_TWINS_DISAGREE: return (struct outcome){"twins-disagree", false};
    case EXIT_INTERNAL: return (struct outcome){"internal-error", false};
    default: return (struct outcome){"fault", false};
    }
}

static struct outcome judge_signal(const char *program, const struct session_result *s, struct error *e) {
    error_set(e, (enum exit_status)(128 + s->signal),
              "%s was killed by signal %d (%s) after %u complete launch%s", program, s->signal,
              strsignal(s->signal), s->launches, s->launches == 1 ? "" : "es");
    return (struct outcome){"crashed", false};
}

static struct outcome judge_no_opencl(const char *program, struct error *e) {
    error_set(e, EXIT_USER,
              "%s ended without using OpenCL: nothing was simulated\n"
              "it must load OpenCL through libOpenCL.so.1 (link it with -lOpenCL)",
              program);
    return (struct outcome){"no-opencl", false};
}

/* Judges barriers. OpenCL requires every work-item of a group to reach a barrier that one reaches. The
 * machine lets the others continue, so the program may end without an error. */
static struct outcome judge_barriers(const struct run_record *r, struct error *e) {
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct launch_record *l = &r->launches[i];
        const bool scalar = l->result.scalar_units != 0;
        if (l->barriers_short)
            error_set(e, EXIT_PROGRAM_FAULT,
                      "kernel %s, launch %zu: %" PRIu64
                      " barrier%s opened although work-items of the work-group%s had ended before\n"
                      "all work-items of a work-group must reach the same barriers%s; the first time, %s",
                      l->kernel, i + 1, l->barriers_short, l->barriers_short == 1 ? "" : "s",
                      scalar ? " or its scalar thread" : "",
                      scalar ? ", and its scalar thread the barriers that include it" : "",
                      l->result.short_barrier);
    }
    return e->status ? (struct outcome){"barrier-missed", false} : (struct outcome){"complete", true};
}

struct outcome outcome_judge(const char *program, bool ran, const struct session_result *s,
                             const struct run_record *r, struct error *e) {
    if (!ran) return judge_failure(e);
    if (s->signal) return judge_signal(program, s, e);
    if (s->exit_status) {
        struct error barriers = {0};
        if (!judge_barriers(r, &barriers).sound) fprintf(stderr, "lockstep: %s\n", barriers.message);
        return (struct outcome){"program-failed", true};
    }
    if (!s->used_opencl) return judge_no_opencl(program, e);
    return judge_barriers(r, e);
}

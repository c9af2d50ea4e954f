#include "lockstep/run/simulation.h"

#include "lockstep/commands/command.h"

#include <stdio.h>
#include <string.h>

static void on_launch(void *context, const struct machine_launch *launch, const struct machine_result *result,
                      const struct error *e) {
    struct simulation *s = context;
    progress_erase();
    outside_report(&s->outside, launch);
    findings_report(&s->findings, machine_checks(s->machine), launch, s->record.launch_count + 1);
    const bool whole = e->status == EXIT_SOUND;
    s->limited |= result->limited;
    if (result->alone && !s->alone && !s->quiet)
        fprintf(stderr, "lockstep: kernel '%s' runs on one host thread in spite of --threads: %s\n",
                launch->kernel, result->alone);
    s->alone |= result->alone != NULL;
    run_record_add(&s->record, launch, result, whole);
    if (s->counts_events) events_add(&s->events, s->machine, launch);
    if (!whole && s->on_failure) s->on_failure(s->failure_context, e);
    if (s->after_launch) s->after_launch(s->context, launch, result, whole);
}

bool simulation_create(struct simulation *s, const struct machine_config *c,
                       const struct execution_options *o, const struct tools *tools, struct error *e) {
    *s = (struct simulation){0};
    if (!execution_options_fit(o, c, e)) return false;
    s->machine = machine_create(c, e);
    if (!s->machine) return false;
    if (o->redundancy) machine_count_redundancy(s->machine);
    if (o->idle) machine_count_idle(s->machine);
    if (o->memory) machine_check_memory(s->machine, o->memory == MEMORY_CHECKED);
    if (o->memory == MEMORY_CHECKED && !machine_checks(s->machine)->values && !o->quiet)
        fprintf(stderr,
                "lockstep: --check-memory: values that nothing has written are found on machines without "
                "Advanced SIMD only; on this machine, see the compiler's warnings\n");
    machine_set_lane_interval(s->machine, o->lane_interval);
    s->counts_events = o->events;
    machine_set_counting(s->machine, o->events);
    run_record_init(&s->record, s->machine);
    machine_set_max_cycles(s->machine, o->max_cycles);
    machine_set_exact_steps(s->machine, o->exact_steps);
    if (o->threads > 1) machine_set_threads(s->machine, o->threads);
    s->quiet = o->quiet;
    machine_set_check_levels(s->machine, o->check_levels);
    machine_set_check_uniform(s->machine, o->check_uniform);
    machine_set_check_scalar(s->machine, o->check_scalar);
    if (o->races) machine_check_races(s->machine);
    s->findings.strict = o->races == RACES_STRICT;
    if (o->tolerate_outside && !outside_begin(&s->outside, machine_memory(s->machine), e)) return false;
    machine_on_progress(s->machine, progress_show, NULL);
    const struct session_options so = {
        .machine = s->machine,
        .compiler = tools->compiler,
        .driver = tools->driver,
        .reports_uninitialised = o->memory == MEMORY_CHECKED,
        .marks_unwritten = machine_checks(s->machine)->values != NULL,
        .on_launch = on_launch,
        .context = s,
    };
    s->session = session_create(&so, e);
    return s->session;
}

void simulation_free(struct simulation *s) {
    if (s->session) session_destroy(s->session);
    outside_end(&s->outside);
    findings_free(&s->findings);
    if (!s->machine) return;
    run_record_free(&s->record);
    machine_destroy(s->machine);
}

static void add_line(struct error *e, const char *line) {
    const size_t used = strlen(e->message);
    snprintf(e->message + used, sizeof e->message - used, "\n%s", line);
}

void simulation_run(struct simulation *s, char *const argv[]) {
    bool ran = session_run(s->session, argv, &s->program, &s->error);
    progress_erase();
    s->outcome = outcome_judge(argv[0], ran, &s->program, &s->record, &s->error);
    findings_judge(&s->findings, s->program.exit_status, &s->outcome, &s->error);
    if (s->limited) add_line(&s->error, "the limit of cycles is that of --max-cycles");
    s->status = s->error.status != EXIT_SOUND ? (int)s->error.status : s->program.exit_status;
}

void simulation_print_messages(const struct simulation *s, const char *program) {
    if (s->outcome.sound && s->program.exit_status)
        fprintf(stderr, "lockstep: %s ended with exit status %d%s\n", program, s->program.exit_status,
                s->program.used_opencl ? "" : " without using OpenCL: nothing was simulated");
    else if (s->outcome.sound && s->record.launch_count == 0)
        fprintf(stderr, "lockstep: %s used OpenCL but ran no kernel\n", program);
    if (s->outcome.sound && s->program.builds_failed)
        fprintf(
            stderr,
            "lockstep: %u kernel source%s of %s did not compile (see the messages above); the exit status is "
            "the program's own\n",
            s->program.builds_failed, s->program.builds_failed == 1 ? "" : "s", program);
    if (s->error.status != EXIT_SOUND) command_fail(&s->error);
}

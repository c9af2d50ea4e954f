/* `lockstep run`: one program on one simulated machine, and the account of it. */
#include "lockstep/command.h"
#include "lockstep/outcome.h"
#include "lockstep/progress.h"
#include "lockstep/report.h"
#include "lockstep/run_options.h"
#include "lockstep/stats.h"
#include "lockstep/tools.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define VIEW_CYCLES 2000 /* of the first launch, that the GTKWave view opens at */

struct run {
    struct run_options options;
    struct machine_config config;
    struct tools tools;
    struct stats_file *stats; /* NULL: none asked for */
    struct trace *trace;      /* NULL: none asked for */
    struct machine *machine;
    struct session *session;
    struct run_record record;
    struct progress progress;
};

static void on_launch(void *context, const struct machine_launch *launch, const struct machine_result *result,
                      const struct error *e) {
    struct run *r = context;
    progress_erase(&r->progress);
    run_record_add(&r->record, launch, result, e->status == EXIT_SOUND);
}

static bool build_machine(struct run *r, struct error *e) {
    r->machine = machine_create(&r->config, e);
    if (!r->machine) return false;
    run_record_init(&r->record, r->machine);
    machine_set_max_cycles(r->machine, r->options.max_cycles);
    machine_set_exact_steps(r->machine, r->options.exact_steps);
    machine_on_progress(r->machine, progress_show, &r->progress);
    struct session_options so = {
        .machine = r->machine,
        .compiler = r->tools.compiler,
        .driver = r->tools.driver,
        .on_launch = on_launch,
        .context = r,
    };
    r->session = session_create(&so, e);
    return r->session;
}

/* Last of all, so that a run that cannot begin leaves no waveform. */
static bool start_trace(struct run *r, struct error *e) {
    r->trace = trace_open(r->options.trace_path, e);
    if (!r->trace) return false;
    machine_trace(r->machine, r->trace, r->options.trace_first, r->options.trace_last);
    return true;
}

/* Everything that can be wrong is found here, before the program starts. */
static bool prepare(struct run *r, struct error *e) {
    const struct run_options *o = &r->options;
    progress_init(&r->progress);
    if (!machine_options_resolve(&o->machine, &r->config, e) || !tools_check_program(o->argv[0], e) ||
        !tools_find(&r->tools, e))
        return false;
    return build_machine(r, e) && (!o->stats_path || (r->stats = stats_open(o->stats_path, e))) &&
           (!o->trace_path || start_trace(r, e));
}

/* The view opens at the first cycles traced. */
static bool write_view(const struct run *r, struct error *e) {
    const struct machine_result *first = &r->record.launches[0].result;
    const sim_time cycle = (first->end - first->start) / first->cycles;
    const uint64_t from = r->options.trace_first, left = r->options.trace_last - from;
    return trace_write_view(r->trace, from * cycle,
                            (from + (left < VIEW_CYCLES ? left : VIEW_CYCLES)) * cycle, e);
}

/* The last cycle traced. */
static uint64_t window_end(const struct run *r) {
    const uint64_t end = machine_cycle(r->machine);
    return r->options.trace_last < end ? r->options.trace_last : end;
}

/* Writes the view, closes the waveform and says where both are. */
static bool finish_trace(struct run *r, struct error *e) {
    const char *path = r->options.trace_path;
    int stem = (int)strlen(path) - 4;
    struct trace *t = r->trace;
    bool any = machine_cycle(r->machine) > 0;
    bool missed = any && machine_cycle(r->machine) <= r->options.trace_first;
    bool viewed = !any || write_view(r, e);
    uint64_t changes = trace_changes(t);
    r->trace = NULL;
    if (!trace_close(t, e) || !viewed) return false;
    if (!any) {
        fprintf(stderr, "\n  waveform   %s is empty: no kernel ran\n", path);
        return true;
    }
    if (missed)
        return error_set(e, EXIT_USER,
                         "--trace-cycles: the waveform %s is empty: the run ended at cycle %llu", path,
                         (unsigned long long)machine_cycle(r->machine));
    struct stat file = {0};
    char a[32], b[32];
    stat(path, &file);
    fprintf(stderr, "\n  waveform   %s (%s bytes, %s value changes)\n", path,
            report_number((uint64_t)file.st_size, a), report_number(changes, b));
    if (r->options.trace_first || r->options.trace_last < machine_cycle(r->machine))
        fprintf(stderr, "             it shows cycles %s to %s (--trace-cycles)\n",
                report_number(r->options.trace_first, a), report_number(window_end(r), b));
    if (!run_record_totals(&r->record).whole)
        fprintf(stderr, "             it ends early, at cycle %s\n",
                report_number(machine_cycle(r->machine), a));
    fprintf(stderr, "  view       %.*s.gtkw\n  open with  gtkwave %s %.*s.gtkw\n", stem, path, path, stem,
            path);
    return true;
}

static bool finish_stats(struct run *r, struct outcome outcome, int status, const char *message,
                         struct error *e) {
    const char *path = r->options.stats_path;
    struct stats_facts facts = {outcome.name, status, message, r->options.argv, outcome.sound};
    struct stats_file *s = r->stats;
    r->stats = NULL;
    if (!stats_write(s, &facts, &r->record, e)) return false;
    if (outcome.sound) {
        fprintf(stderr, "\n  statistics %s\n", path);
        return true;
    }
    fprintf(stderr, "\n  statistics %s.part: not of a whole run (%s)\n", path, outcome.name);
    return true;
}

/* The program's own verdict, below the table of what it did. */
static void print_verdict(const char *program, const struct session_result *s) {
    if (s->signal)
        fprintf(stderr, "\n  program    %s: killed by signal %d\n", program, s->signal);
    else
        fprintf(stderr, "\n  program    %s: exit status %d%s\n", program, s->exit_status,
                s->exit_status ? "" : " (success)");
}

/* Runs the program and accounts for it; the exit status of the command. */
static int execute(struct run *r) {
    const char *program = r->options.argv[0];
    struct session_result s = {0};
    struct error e = {0}, file_error = {0};
    if (r->stats) stats_begin(r->stats);
    bool ran = session_run(r->session, r->options.argv, &s, &e);
    progress_erase(&r->progress);
    struct outcome outcome = outcome_judge(program, ran, &s, &r->record, &e);
    int status = e.status != EXIT_SOUND ? (int)e.status : s.exit_status;
    report_print(&r->record, stderr);
    if (r->record.launch_count && e.status == EXIT_SOUND) print_verdict(program, &s);
    bool filed = !r->trace || finish_trace(r, &file_error);
    filed &= !r->stats || finish_stats(r, outcome, status, e.status ? e.message : NULL, &file_error);
    if (outcome.sound && s.exit_status)
        fprintf(stderr, "lockstep: %s ended with exit status %d%s\n", program, s.exit_status,
                s.used_opencl ? "" : " without using OpenCL: nothing was simulated");
    else if (outcome.sound && r->record.launch_count == 0)
        fprintf(stderr, "lockstep: %s used OpenCL but ran no kernel\n", program);
    if (e.status != EXIT_SOUND) command_fail(&e);
    if (!filed) command_fail(&file_error);
    return !filed && status == 0 ? (int)file_error.status : status;
}

/* Of a run that never began nothing is kept. */
static void release(struct run *r) {
    if (r->stats) stats_abandon(r->stats);
    if (r->session) session_destroy(r->session);
    if (r->machine) {
        run_record_free(&r->record);
        machine_destroy(r->machine);
    }
    machine_options_free(&r->options.machine);
}

int run_command(int argc, char **argv) {
    struct run r = {0};
    struct error e = {0};
    run_options_parse(&r.options, argc, argv);
    int status = prepare(&r, &e) ? execute(&r) : command_fail(&e);
    release(&r);
    return status;
}

/* `lockstep run`: one program on one simulated machine, and the account of it. */
#include "lockstep/command.h"
#include "lockstep/report.h"
#include "lockstep/rtl_report.h"
#include "lockstep/run_options.h"
#include "lockstep/simulation.h"
#include "lockstep/stats.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define VIEW_CYCLES 2000 /* of the first launch, that the GTKWave view opens at */

struct run {
    struct run_options options;
    struct stats_file *stats; /* NULL: none asked for */
    struct trace *trace;      /* NULL: none asked for */
    struct simulation simulation;
    struct tools tools;
    struct twins *twins; /* NULL: --rtl is off */
};

static bool bind_twins(struct run *r, struct error *e) {
    r->options.rtl.twins.folder = r->tools.rtl;
    r->twins = twins_create(&r->options.rtl.twins, r->simulation.machine, e);
    return r->twins;
}

/* Last of all, so that a run that cannot begin leaves no waveform. */
static bool start_trace(struct run *r, struct error *e) {
    r->trace = trace_open(r->options.trace_path, NULL, e);
    if (!r->trace) return false;
    machine_trace(r->simulation.machine, r->trace, r->options.trace_first, r->options.trace_last);
    if (r->twins) twins_trace(r->twins, r->trace);
    return true;
}

/* Everything that can be wrong is found here, before the program starts. */
static bool prepare(struct run *r, struct error *e) {
    const struct run_options *o = &r->options;
    struct machine_config config;
    return machine_options_resolve(&o->machine, &config, e) && tools_check_program(o->argv[0], e) &&
           tools_find(&r->tools, e) &&
           simulation_create(&r->simulation, &config, &o->execution, &r->tools, e) &&
           (!o->rtl.on || bind_twins(r, e)) &&
           (!o->stats_path || (r->stats = stats_open(o->stats_path, e))) &&
           (!o->trace_path || start_trace(r, e));
}

/* The view opens at the first cycles traced. */
static bool write_view(const struct run *r, struct error *e) {
    const struct machine_result *first = &r->simulation.record.launches[0].result;
    const sim_time cycle = (first->end - first->start) / first->cycles;
    const uint64_t from = r->options.trace_first, left = r->options.trace_last - from;
    return trace_write_view(r->trace, from * cycle,
                            (from + (left < VIEW_CYCLES ? left : VIEW_CYCLES)) * cycle, e);
}

/* The last cycle traced. */
static uint64_t window_end(const struct run *r) {
    const uint64_t end = machine_cycle(r->simulation.machine);
    return r->options.trace_last < end ? r->options.trace_last : end;
}

/* Writes the view, closes the waveform and says where both are. */
static bool finish_trace(struct run *r, struct error *e) {
    const char *path = r->options.trace_path;
    int stem = (int)strlen(path) - 4;
    struct trace *t = r->trace;
    bool any = machine_cycle(r->simulation.machine) > 0;
    bool missed = any && machine_cycle(r->simulation.machine) <= r->options.trace_first;
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
                         (unsigned long long)machine_cycle(r->simulation.machine));
    struct stat file = {0};
    char a[32], b[32];
    stat(path, &file);
    fprintf(stderr, "\n  waveform   %s (%s bytes, %s value changes)\n", path,
            report_number((uint64_t)file.st_size, a), report_number(changes, b));
    if (r->options.trace_first || r->options.trace_last < machine_cycle(r->simulation.machine))
        fprintf(stderr, "             it shows cycles %s to %s (--trace-cycles)\n",
                report_number(r->options.trace_first, a), report_number(window_end(r), b));
    if (!run_record_totals(&r->simulation.record).whole)
        fprintf(stderr, "             it ends early, at cycle %s\n",
                report_number(machine_cycle(r->simulation.machine), a));
    fprintf(stderr, "  view       %.*s.gtkw\n  open with  gtkwave %s %.*s.gtkw\n", stem, path, path, stem,
            path);
    return true;
}

static bool finish_stats(struct run *r, struct error *e) {
    const char *path = r->options.stats_path;
    const struct simulation *made = &r->simulation;
    struct stats_facts facts = stats_facts(made, r->options.argv);
    facts.twins = r->twins;
    struct stats_file *s = r->stats;
    r->stats = NULL;
    if (!stats_write(s, &facts, &made->record, e)) return false;
    if (made->outcome.sound) {
        fprintf(stderr, "\n  statistics %s\n", path);
        return true;
    }
    fprintf(stderr, "\n  statistics %s.part: not of a whole run (%s)\n", path, made->outcome.name);
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

/* A sound run in which nothing was compared is none. */
static void judge_twins(struct run *r) {
    struct simulation *s = &r->simulation;
    if (!s->outcome.sound || twins_judge(r->twins, &s->error)) return;
    s->outcome = (struct outcome){"nothing-compared", false};
    s->status = (int)s->error.status;
}

/* Runs the program and accounts for it; the exit status of the command. */
static int execute(struct run *r) {
    const char *program = r->options.argv[0];
    struct simulation *s = &r->simulation;
    struct error file_error = {0};
    if (r->stats) stats_begin(r->stats);
    simulation_run(s, r->options.argv);
    if (r->twins) judge_twins(r);
    report_print(&s->record, stderr);
    if (r->twins && s->record.launch_count) rtl_report_print(r->twins, stderr);
    if (s->record.launch_count && s->error.status == EXIT_SOUND) print_verdict(program, &s->program);
    bool filed = !r->trace || finish_trace(r, &file_error);
    filed &= !r->stats || finish_stats(r, &file_error);
    simulation_print_messages(s, program);
    if (!filed) command_fail(&file_error);
    return !filed && s->status == 0 ? (int)file_error.status : s->status;
}

/* Of a run that never began nothing is kept. */
static void release(struct run *r) {
    if (r->stats) stats_abandon(r->stats);
    twins_destroy(r->twins);
    simulation_free(&r->simulation);
    machine_options_free(&r->options.machine);
}

int run_command(int argc, char **argv) {
    struct run r = {0};
    struct error e = {0};
    run_options_parse(&r.options, argc, argv);
    r.options.rtl.twins.command = argv;
    int status = prepare(&r, &e) ? execute(&r) : command_fail(&e);
    release(&r);
    return status;
}

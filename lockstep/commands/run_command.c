/* `lockstep run`: one program on one simulated machine, with a report. */
#include "lockstep/commands/command.h"
#include "lockstep/gdb/gdb_stub.h"
#include "lockstep/run/injection.h"
#include "lockstep/output/junit.h"
#include "lockstep/output/outputs.h"
#include "lockstep/output/report.h"
#include "lockstep/commands/rtl_lint.h"
#include "lockstep/rtl/rtl_report.h"
#include "lockstep/run/run_options.h"
#include "lockstep/run/run_last.h"
#include "lockstep/run/run_recording.h"
#include "lockstep/run/run_waves.h"
#include "lockstep/run/simulation.h"
#include "lockstep/run/stats.h"
#include "lockstep/why/block_history.h"
#include "lockstep/why/lone_block.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VIEW_CYCLES 2000 /* cycles of the first launch at which the GTKWave view opens */

struct run {
    struct run_options options;
    struct stats_file *stats; /* NULL: not requested */
    struct trace *trace;      /* NULL: not requested */
    struct simulation simulation;
    struct tools tools;
    struct twins *twins; /* NULL: --rtl is off */
    struct junit junit;
    struct injection injection;
    struct run_recording recording;
    struct gdb_stub *gdb; /* NULL: none */
    struct run_log log;
    struct run_last last;
    struct run_waves waves;
    struct block_history_writer *blocks; /* NULL: none */
    struct lone_block_writer *block;     /* NULL: none */
    uint64_t trace_changes;              /* changes in the closed trace */
    bool trace_shown, trace_empty, stats_filed, recorded, logged;
};

static void tell_of_build(const char *block, const char *file) {
    progress_step("building the Verilog of %s (%s), to be kept for later runs", block, file);
}

static bool bind_twins(struct run *r, struct error *e) {
    r->options.rtl.twins.folder = r->tools.rtl;
    r->options.rtl.twins.on_build = tell_of_build;
    r->options.rtl.twins.on_notices = rtl_lint_tell;
    r->options.rtl.twins.toggles = r->options.execution.events;
    progress_note("loading Verilog; its initial blocks run");
    r->twins = twins_create(&r->options.rtl.twins, r->simulation.machine, e);
    progress_note("%s", "");
    return r->twins;
}

/* Opens the trace as the last step, so that a run that cannot begin leaves no waveform. */
static bool start_trace(struct run *r, struct error *e) {
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const struct run_options *o = &r->options;
    r->trace = trace_open(o->trace_path, &o->trace, e);
    if (!r->trace) return false;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) trace_guard(r->trace, fatal[i]);
    machine_trace(r->simulation.machine, r->trace, o->trace_windows, o->trace_window_count);
    if (r->twins) twins_trace(r->twins, r->trace);
    return true;
}

static bool begin_injection(struct run *r, struct error *e) {
    const struct injection_plan *p = &r->options.inject;
    if (!injection_check(p, machine_configuration(r->simulation.machine), e)) return false;
    injection_watch(&r->injection, p, &r->simulation);
    return true;
}

static bool begin_last(struct run *r) {
    if (r->options.trace_last) run_last_begin(&r->last, r->options.trace_last, &r->simulation, r->twins);
    return true;
}

static bool go_together(const struct run_options *o, struct error *e) {
    if (o->rtl.on && o->execution.threads > 1)
        return error_set(e, EXIT_USER, "--threads %u: Verilog (--rtl) runs on one host thread; leave one out",
                         o->execution.threads);
    if (o->gdb && injection_wanted(&o->inject))
        return error_set(e, EXIT_USER, "--gdb debugs one run, and --inject repeats it; leave one out");
    if (o->log.path && o->execution.threads > 1)
        return error_set(e, EXIT_USER, "--threads %u: --log observes one host thread; leave one out",
                         o->execution.threads);
    if (o->log.path && (o->gdb || injection_wanted(&o->inject) || o->trace_last))
        return error_set(e, EXIT_USER, "--log is of one run, which %s repeats; leave one out",
                         o->gdb          ? "--gdb"
                         : o->trace_last ? "--trace-last"
                                         : "--inject");
    return true;
}

static bool begin_gdb(struct run *r, const struct machine_config *c, struct error *e) {
    if (c->simt.mitigation == MITIGATION_ALT)
        return error_set(e, EXIT_USER, "--gdb: not with simt.mitigation alt; choose another mitigation");
    if (r->options.execution.threads > 1)
        return error_set(e, EXIT_USER, "--threads %u: --gdb debugs one host thread; leave one out",
                         r->options.execution.threads);
    const bool repeats = !r->options.trace_path && !r->options.trace_last;
    r->gdb = gdb_stub_create(r->simulation.machine, repeats ? r->simulation.session : NULL,
                             r->options.gdb_port, e);
    return r->gdb;
}

/* Returns whether the waveform is made of the recording. */
static bool makes_waves(const struct run *r) {
    return r->options.trace_path && r->options.trace_level < RUN_WAVES_RTL;
}

/* Returns the path of the recording; NULL if there is none. */
static const char *recording_path(const struct run *r) {
    return r->options.record_path ? r->options.record_path : r->waves.recording;
}

static bool begin_recording(struct run *r, struct error *e) {
    const struct run_options *o = &r->options;
    if (makes_waves(r) && !o->record_path && !run_waves_begin(&r->waves, e)) return false;
    const struct run_recording_options how = {recording_path(r), o->when,
                                              o->records_accesses ? &o->accesses : NULL};
    return (!how.path && !how.when) ||
           run_recording_begin(&r->recording, &how, r->simulation.machine, o->rtl.twins.command, o->argv, e);
}

static bool begin_blocks(struct run *r, struct error *e) {
    const struct run_options *o = &r->options;
    if (o->rtl.on)
        return error_set(e, EXIT_USER,
                         "ports of blocks cannot be explained in runs with --rtl: record the "
                         "run again without it");
    struct machine *m = r->simulation.machine;
    if (strcmp(o->blocks_name, "simt_coprocessor") == 0)
        r->blocks = block_history_begin(m, o->blocks_unit, o->blocks_window, o->blocks_path, e);
    else
        r->block = lone_block_begin(m, o->blocks_unit, o->blocks_name, o->blocks_window, r->tools.rtl,
                                    o->blocks_path, e);
    return r->blocks || r->block;
}

/* Reads and checks everything before the program starts. */
static bool prepare(struct run *r, struct error *e) {
    const struct run_options *o = &r->options;
    struct machine_config config;
    progress_begin(o->execution.quiet, PROGRESS_SECONDS);
    return machine_options_resolve(&o->machine, &config, e) && go_together(o, e) &&
           tools_check_program(o->argv[0], e) && tools_find(&r->tools, e) &&
           simulation_create(&r->simulation, &config, &o->execution, &r->tools, e) &&
           (!o->rtl.window_given || outputs_can_write("--rtl-window", o->rtl.twins.window, e)) &&
           junit_open(&r->junit, o->rtl.junit, e) && (!o->rtl.on || bind_twins(r, e)) &&
           (!o->blocks_path || begin_blocks(r, e)) && (!o->gdb || begin_gdb(r, &config, e)) &&
           (!injection_wanted(&o->inject) || begin_injection(r, e)) &&
           (!o->stats_path || (r->stats = stats_open(o->stats_path, e))) && begin_recording(r, e) &&
           (!o->log.path || run_log_begin(&r->log, &o->log, r->simulation.machine, e)) &&
           (!o->trace_path || makes_waves(r) || start_trace(r, e)) && begin_last(r);
}

/* Writes the view, which opens at the first traced cycles. */
static bool write_view(const struct run *r, struct error *e) {
    const struct machine_result *first = &r->simulation.record.launches[0].result;
    const sim_time cycle = (first->end - first->start) / first->cycles;
    const uint64_t from = r->options.trace_windows->first, left = r->options.trace_windows->last - from;
    return trace_write_view(r->trace, from * cycle,
                            (from + (left < VIEW_CYCLES ? left : VIEW_CYCLES)) * cycle, e);
}

/* Reports a window that the run has not reached as a mistake. */
static bool check_windows(const struct run *r, struct error *e) {
    const struct machine_window *last = &r->options.trace_windows[r->options.trace_window_count - 1];
    const uint64_t end = machine_cycle(r->simulation.machine);
    if (end > last->first) return true;
    return error_set(e, EXIT_USER,
                     "--trace-cycles %" PRIu64 ":%" PRIu64
                     ": the waveform %s is empty: the run ended at cycle "
                     "%" PRIu64,
                     last->first, last->last, r->options.trace_path, end);
}

/* Prints the cycles of the waveform if it is not the whole run. */
static void print_windows(const struct run *r) {
    const struct machine_window *w = r->options.trace_windows;
    const uint64_t end = machine_cycle(r->simulation.machine);
    char a[32], b[32];
    if (w->first == 0 && w->last >= end) return;
    for (size_t i = 0; i < r->options.trace_window_count; i++)
        fprintf(stderr, "             %s cycles %s to %s%s\n", i ? "     and" : "it shows",
                report_number(w[i].first, a), report_number(w[i].last < end ? w[i].last : end, b),
                i ? "" : " (--trace-cycles)");
}

/* Prints the paths of the waveform and its view. */
static void print_trace(const struct run *r) {
    const char *path = r->options.trace_path;
    if (r->trace_empty) fprintf(stderr, "\n  waveform   %s is empty: no kernel ran\n", path);
    if (!r->trace_shown) return;
    const int stem = (int)strlen(path) - 4;
    struct stat file = {0};
    char a[32], b[32];
    stat(path, &file);
    fprintf(stderr, "\n  waveform   %s (%s bytes, %s value changes)\n", path,
            report_number((uint64_t)file.st_size, a), report_number(r->trace_changes, b));
    print_windows(r);
    if (!run_record_totals(&r->simulation.record).whole)
        fprintf(stderr, "             it ends early, at cycle %s\n",
                report_number(machine_cycle(r->simulation.machine), a));
    fprintf(stderr, "  view       %.*s.gtkw\n  open with  gtkwave %s %.*s.gtkw\n", stem, path, path, stem,
            path);
}

/* Writes the view and closes the waveform. Without a launch there is no view, and windows are not checked. */
static bool finish_trace(struct run *r, struct error *e) {
    struct trace *t = r->trace;
    const bool any = machine_cycle(r->simulation.machine) > 0;
    const bool viewed = any && write_view(r, e) && check_windows(r, e);
    struct error why = {0};
    r->trace_changes = trace_changes(t);
    r->trace = NULL;
    const bool closed = trace_close(t, &why);
    r->trace_shown = closed && viewed;
    r->trace_empty = !any && access(r->options.trace_path, F_OK) == 0;
    if (!closed && !r->trace_empty) error_set(e, why.status, "%s", why.message);
    return r->trace_shown || r->trace_empty;
}

/* Makes the waveform of a finished recording. */
static bool make_waves(struct run *r, struct error *e) {
    const struct run_options *o = &r->options;
    const bool any = machine_cycle(r->simulation.machine) > 0;
    struct error why = {0};
    if (any)
        r->trace_changes =
            run_waves_write(recording_path(r), o->trace_path, *o->trace_windows, o->trace_level, &why);
    r->trace_shown = any && why.status == EXIT_SOUND;
    r->trace_empty = false;
    return r->trace_shown || !any || error_set(e, why.status, "%s", why.message);
}

static void print_recording(const struct run *r) {
    const char *path = r->options.record_path;
    struct stat file = {0};
    char a[32], b[32];
    stat(path, &file);
    fprintf(stderr, "\n  recording  %s (%s bytes, %s records)\n  look with  lockstep waves %s\n", path,
            report_number((uint64_t)file.st_size, a), report_number(r->recording.records, b), path);
}

static void print_log(const struct run *r) {
    char a[32];
    fprintf(stderr, "\n  log        %s (%s lines)\n", r->options.log.path, report_number(r->log.lines, a));
}

static bool finish_stats(struct run *r, struct error *e) {
    struct stats_facts facts = stats_facts(&r->simulation, r->options.argv);
    facts.twins = r->twins;
    struct stats_file *s = r->stats;
    r->stats = NULL;
    r->stats_filed = stats_write(s, &facts, &r->simulation.record, e);
    return r->stats_filed;
}

static void print_stats(const struct run *r) {
    const char *path = r->options.stats_path;
    const struct outcome *made = &r->simulation.outcome;
    if (made->sound)
        fprintf(stderr, "\n  statistics %s\n", path);
    else
        fprintf(stderr, "\n  statistics %s.part: not of a whole run (%s)\n", path, made->name);
}

/* Prints the program's own result below the table. */
static void print_verdict(const char *program, const struct session_result *s) {
    if (s->signal)
        fprintf(stderr, "\n  program    %s: killed by signal %d\n", program, s->signal);
    else
        fprintf(stderr, "\n  program    %s: exit status %d%s\n", program, s->exit_status,
                s->exit_status ? "" : " (success)");
}

/* Turns a sound run into a failure if no comparison was made, or driving Verilog differed. */
static void judge_twins(struct run *r) {
    struct simulation *s = &r->simulation;
    if (!s->outcome.sound || twins_judge(r->twins, &s->error)) return;
    const bool disagree = s->error.status == EXIT_TWINS_DISAGREE;
    s->outcome = (struct outcome){disagree ? "twins-disagree" : "nothing-compared", false};
    s->status = (int)s->error.status;
}

/* Writes a case for each block, and one for the run. The block that differed, and ended the run, has its
 * message. */
static bool finish_junit(struct run *r, struct error *e) {
    const struct simulation *s = &r->simulation;
    const char *program = r->options.argv[0];
    struct twins_count c;
    for (unsigned n = 0; r->junit.cases && twins_count(r->twins, n, &c); n++) {
        if (c.mismatches)
            junit_add(&r->junit, program, c.block->name, &s->error);
        else if (!c.comparisons)
            junit_skip(&r->junit, program, c.block->name, "nothing was compared");
        else
            junit_add(&r->junit, program, c.block->name, NULL);
    }
    struct error failed = s->error;
    if (failed.status == EXIT_SOUND && s->status)
        error_set(&failed, EXIT_USER, "the program ended with %d", s->status);
    junit_add(&r->junit, program, "run", &failed);
    return junit_close(&r->junit, e);
}

static void print_report(struct run *r) {
    const struct simulation *s = &r->simulation;
    const char *const other_work[] = {NULL, "Verilog", "waves", "Verilog and waves"};
    report_print(&s->record, other_work[(r->twins != NULL) + 2 * (r->options.trace_path != NULL)], stderr);
    if (r->twins && s->record.launch_count)
        rtl_report_print(r->twins, run_record_totals(&s->record).host_cpu_seconds, stderr);
    if (s->record.launch_count && s->error.status == EXIT_SOUND)
        print_verdict(r->options.argv[0], &s->program);
    if (r->options.trace_path) print_trace(r);
    if (r->recorded && r->options.record_path) print_recording(r);
    if (r->logged) print_log(r);
    run_recording_when(&r->recording, r->options.when, r->recorded ? r->options.record_path : NULL);
    if (r->stats_filed) print_stats(r);
    simulation_print_messages(s, r->options.argv[0]);
}

/* Runs the program and writes all results to files before they are printed, since printing may fail. Returns
 * the exit status of the command. */
static int execute(struct run *r) {
    struct simulation *s = &r->simulation;
    struct error file_error = {0};
    if (r->stats) stats_begin(r->stats);
    simulation_run(s, r->options.argv);
    if (r->gdb) gdb_stub_finish(r->gdb, s->status);
    if (r->twins) judge_twins(r);
    bool filed = !r->trace || finish_trace(r, &file_error);
    filed &= !r->stats || finish_stats(r, &file_error);
    filed &= finish_junit(r, &file_error);
    if (r->recording.writer) filed &= r->recorded = run_recording_finish(&r->recording, &file_error);
    if (r->recorded && makes_waves(r)) filed &= make_waves(r, &file_error);
    if (r->log.part.file) filed &= r->logged = run_log_finish(&r->log, &file_error);
    filed &= block_history_finish(r->blocks, &file_error) && lone_block_finish(r->block, &file_error);
    r->blocks = NULL;
    r->block = NULL;
    print_report(r);
    if (!run_last_report(&r->last, &file_error)) s->status = command_fail(&file_error);
    if (injection_wanted(&r->options.inject) && s->outcome.sound && s->record.launch_count)
        filed &=
            injection_run(&r->injection, s, &r->options.execution, &r->tools, r->options.argv, &file_error);
    if (!filed) command_fail(&file_error);
    return !filed && s->status == 0 ? (int)file_error.status : s->status;
}

/* Frees a run; one that never began leaves no file. */
static void release(struct run *r) {
    run_last_end(&r->last);
    block_history_finish(r->blocks, &(struct error){0});
    lone_block_finish(r->block, &(struct error){0});
    if (r->stats) stats_abandon(r->stats);
    junit_abandon(&r->junit);
    twins_destroy(r->twins);
    gdb_stub_destroy(r->gdb);
    simulation_free(&r->simulation);
    injection_free(&r->injection);
    run_recording_free(&r->recording);
    run_log_free(&r->log);
    run_waves_end(&r->waves);
    progress_end();
    run_options_free(&r->options);
}

static int command(int argc, char **argv) {
    struct run r = {0};
    struct error e = {0};
    run_options_parse(&r.options, argc, argv);
    r.options.rtl.twins.command = argv;
    int status = prepare(&r, &e) ? execute(&r) : command_fail(&e);
    release(&r);
    return status;
}

const struct command_row command_run = {10, "run a program; report cycles, instructions, where time went",
                                        command};

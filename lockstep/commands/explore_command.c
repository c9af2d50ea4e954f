/* `lockstep explore`: runs the points of a sweep, by workers, and stores the results. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/explore/exploration_effects.h"
#include "lockstep/output/progress.h"
#include "lockstep/explore/synthesis_workers.h"
#include "sim/part.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY_OUT = 256, KEY_JOBS, KEY_WORKER, KEY_ENGINE, KEY_SSHLOGIN, KEY_FOCUS, KEY_QUIET };
enum engine { ENGINE_LOCAL, ENGINE_PARALLEL, ENGINE_SLURM };

struct options {
    const char *sweep, *folder, *hosts;
    /* Worker: number of this worker, 1 to `workers`; 0: not a worker. */
    unsigned jobs, worker, workers;
    enum engine engine;
    bool focus, quiet;
};

static void parse_worker(struct options *o, const char *text, struct argp_state *state) {
    int used = -1;
    if (sscanf(text, "%u/%u%n", &o->worker, &o->workers, &used) != 2 || text[used] || *text == '-' ||
        o->worker < 1 || o->worker > o->workers || o->workers > POINTS_MOST_JOBS)
        argp_error(state, "--worker %s: K/N is needed, K from 1 to N", text);
}

static void parse_engine(struct options *o, const char *text, struct argp_state *state) {
    static const char *const names[] = {"local", "parallel", "slurm"};
    for (o->engine = 0; o->engine < 3; o->engine++)
        if (strcmp(text, names[o->engine]) == 0) return;
    argp_error(state, "--engine %s: it is local, parallel or slurm", text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_OUT: o->folder = argument; return 0;
    case KEY_JOBS:
        if (!(o->jobs = points_parse_jobs(argument)))
            argp_error(state, "--jobs %s: a number from 1 to %d is needed", argument, POINTS_MOST_JOBS);
        return 0;
    case KEY_WORKER: parse_worker(o, argument, state); return 0;
    case KEY_ENGINE: parse_engine(o, argument, state); return 0;
    case KEY_SSHLOGIN: o->hosts = argument; return 0;
    case KEY_FOCUS:
        if (strcmp(argument, "pareto") != 0) argp_error(state, "--focus %s: there is pareto", argument);
        o->focus = true;
        return 0;
    case KEY_QUIET: o->quiet = true; return 0;
    case ARGP_KEY_ARG:
        if (o->sweep) argp_error(state, "one sweep at a time: '%s' is too many", argument);
        o->sweep = argument;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "which sweep? A YAML file is needed"); return 0;
    case ARGP_KEY_END:
        if (!o->folder) argp_error(state, "--out is missing: the folder for what comes of it");
        if (o->hosts && o->engine != ENGINE_PARALLEL)
            argp_error(state, "--sshlogin is for --engine parallel");
        if (o->worker && (o->engine != ENGINE_LOCAL || o->focus))
            argp_error(state, "--worker only runs points: it goes with neither --engine nor --focus");
        if (o->focus && o->engine != ENGINE_LOCAL) argp_error(state, "--focus goes with --engine local only");
        if (!o->jobs) o->jobs = points_default_jobs();
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"out", KEY_OUT, "DIR", 0, "Folder for the results; an exploration in it is continued", 0},
    {"jobs", KEY_JOBS, "N", 0, "Points that run at a time (default: one a processor)", 0},
    {"worker", KEY_WORKER, "K/N", 0,
     "Only run points, beginning with the K-th of N parts; any number of workers may share DIR", 0},
    {"engine", KEY_ENGINE, "local|parallel|slurm", 0,
     "Starts the workers as local processes, with GNU parallel, or as a Slurm array", 0},
    {"sshlogin", KEY_SSHLOGIN, "HOSTS", 0, "With --engine parallel: hosts that share DIR and the programs",
     0},
    {"focus", KEY_FOCUS, "pareto", 0,
     "Then run neighbours of the front of time and area, until it has no new ones", 0},
    {"quiet", KEY_QUIET, NULL, 0, "Do not tell on standard error what is being done", 0},
    {0},
};

static const struct argp explore_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "SWEEP.yaml",
    .doc =
        "Runs programs on all machines of a sweep, computes their areas, and prints the machines that no "
        "other beats in time and area (energy, with area: off)."
        "\v"
        "SWEEP.yaml lists the fields that vary and the programs. It may have a sample, constraints, the "
        "period by area, and memory latency in nanoseconds (docs/exploration.md). The result of each point "
        "is a file, written completely or not at all. A point with a result is not run again, so an "
        "exploration can be continued at any time. DIR/points.sqlite, points.csv and points.json contain all "
        "points; a failed point is a row with its status.\n"
        "\n"
        "Examples:\n"
        "  lockstep explore sweep.yaml --out results\n"
        "  lockstep explore sweep.yaml --out results --engine parallel --sshlogin a,b --jobs 16\n"
        "  lockstep report results --html\n"
        "\n"
        "Exit status:\n  0 done, also if points failed\n  125 a mistake in the command line or the sweep, or "
        "a failure of this computer\n  126 a program of the sweep cannot be run\n  127 it was not found",
};

/* --- other engines --- */

static bool run_engine(char *const argv[], struct error *e) {
    int status;
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], argv);
        dprintf(STDERR_FILENO, "lockstep: %s cannot be run: %s\n", argv[0], strerror(errno));
        _exit(EXIT_NOT_FOUND);
    }
    if (child < 0) return error_set(e, EXIT_USER, "%s cannot be started: %s", argv[0], strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return error_set(e, EXIT_USER, "%s was lost: %s", argv[0], strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NOT_FOUND)
        return error_set(e, EXIT_USER, "--engine: %s is missing; install it (apt-get install %s)", argv[0],
                         strcmp(argv[0], "sbatch") == 0 ? "slurm-client" : argv[0]);
    return error_set(e, EXIT_USER, "%s failed (its messages are above)", argv[0]);
}

/* Writes a shell script that runs worker $1 of all. */
static bool write_job(const struct exploration *x, const struct options *o, const char *sweep, char **path,
                      struct error *e) {
    struct part part;
    require_memory(asprintf(path, "%s/job.sh", x->points.store.folder) >= 0);
    if (!part_open(&part, *path, e)) return false;
    fprintf(part.file,
            "#!/bin/sh\n#SBATCH --job-name=lockstep\n#SBATCH --array=1-%u\n#SBATCH --output=/dev/null\n",
            o->jobs);
    char *folder = getcwd(NULL, 0);
    require_memory(folder);
    fprintf(
        part.file,
        "cd '%s' && exec '%s' explore --quiet --worker \"${1:-$SLURM_ARRAY_TASK_ID}/%u\" --out '%s' '%s'\n",
        folder, x->points.self, o->jobs, x->points.store.folder, sweep);
    free(folder);
    return part_finish(&part, e);
}

/* Runs the workers by GNU parallel, which restarts a worker that was killed or whose host has failed. */
static bool run_parallel(const struct options *o, const char *job, struct error *e) {
    char jobs[16], *command,
        *numbers = calloc(o->jobs, 8),
        *argv[POINTS_MOST_JOBS + 16] = {"parallel", "--will-cite", "--retries", "3", "--jobs", jobs};
    size_t n = 6;
    require_memory(numbers && asprintf(&command, "sh '%s' {}", job) >= 0);
    snprintf(jobs, sizeof jobs, "%u", o->jobs);
    if (o->hosts) {
        argv[n++] = "--sshlogin";
        argv[n++] = (char *)o->hosts;
    }
    argv[n++] = command;
    argv[n++] = ":::";
    for (unsigned k = 0; k < o->jobs; k++) {
        snprintf(numbers + (size_t)k * 8, 8, "%u", k + 1);
        argv[n++] = numbers + (size_t)k * 8;
    }
    const bool good = run_engine(argv, e);
    free(numbers);
    free(command);
    return good;
}

/* Runs the workers by another engine. The loss of workers is no error if others have run their points. */
static bool run_other(const struct exploration *x, const struct options *o, const struct points_list *l,
                      struct error *e) {
    char *job, *sweep = realpath(o->sweep, NULL);
    require_memory(sweep);
    if (strchr(sweep, '\'') || strchr(x->points.store.folder, '\'')) {
        free(sweep);
        return error_set(e, EXIT_USER, "--engine: a path with a quote in it cannot be passed on");
    }
    const bool written = write_job(x, o, sweep, &job, e);
    bool good = written && (o->engine == ENGINE_SLURM
                                ? run_engine((char *[]){"sbatch", "--wait", "--quiet", job, NULL}, e)
                                : run_parallel(o, job, e));
    free(job);
    free(sweep);
    if (written && !good && points_sound(l) == l->count) {
        fprintf(stderr, "lockstep: %s, but all points have results\n", e->message);
        *e = (struct error){0};
        good = true;
    }
    return good;
}

/* --- the whole --- */

/* Checks that all points have results. A point has none if the computer has failed, or while another worker
 * runs it. */
static bool check_results(struct exploration *x, struct error *e) {
    const size_t all = exploration_points(x), done = exploration_done(x);
    if (done != all)
        return error_set(
            e, EXIT_USER,
            "%zu of %zu points have no result (messages above, and in %s/logs): the same command runs "
            "them again",
            all - done, all, x->points.store.folder);
    if (!exploration_lacks_areas(x)) return true;
    return error_set(e, EXIT_USER,
                     "areas of some machines are not known (messages above): the same command goes on");
}

static void print_summary(struct exploration *x, const struct exploration_total *totals) {
    size_t complete = 0;
    struct error e = {0};
    for (size_t n = 0; n < exploration_points(x); n++) {
        json_t *row = exploration_result(x, n, &e);
        const char *status = json_string_value(json_object_get(row, "status"));
        complete += status && strcmp(status, "complete") == 0;
        json_decref(row);
    }
    printf("%zu points, %zu complete: %s/points.sqlite, points.csv\n\n", exploration_points(x), complete,
           x->points.store.folder);
    exploration_print_front(x, totals, stdout);
    exploration_print_effects(&x->sweep, totals, stdout);
}

/* Prints the front after all programs have run, with the areas known at that time. */
static void print_first_front(struct exploration *x) {
    struct error e = {0};
    struct exploration_total *totals = exploration_first_totals(x, &e);
    progress_erase();
    exploration_print_front(x, totals, stdout);
    putchar('\n');
    fflush(stdout);
    free(totals);
}

static void show_blocks(void *context, bool stopped, char *more, size_t size) {
    struct exploration *x = context;
    synthesis_workers_tell(&x->blocks);
    synthesis_workers_text(&x->blocks, stopped, more, size);
    if (x->front_shown || stopped || !*more || x->sweep.period_from_area) return;
    struct points_list l;
    if (++x->looks % 25 || !exploration_points_list(x, &l) || points_done(&l) < l.count) return;
    x->front_shown = true;
    print_first_front(x);
}

/* Runs the workers, and reads their results. */
static bool run(struct exploration *x, const struct options *o, struct error *e) {
    struct points_list l;
    if (!exploration_list(x, &l, e)) return false;
    progress_step(x->blocks.count ? "%zu points of %zu configurations, %zu blocks to synthesise"
                                  : "%zu points of %zu configurations",
                  l.count, x->sweep.configuration_count, x->blocks.count);
    if (x->blocks.count) l.show = show_blocks;
    if (!(o->engine == ENGINE_LOCAL ? points_run_workers(&l, o->jobs, e) : run_other(x, o, &l, e)))
        return false;
    return exploration_collect_blocks(x, e);
}

static bool explore(struct exploration *x, const struct options *o, struct error *e) {
    for (;;) {
        if (!run(x, o, e)) return false;
        struct exploration_total *totals = exploration_totals(x, e);
        const bool whole = check_results(x, e),
                   more = whole && (exploration_evolve(x, totals) > 0 ||
                                    (o->focus && exploration_refine(x, totals) > 0));
        if (!more) {
            struct error why = {0};
            const bool written = exploration_write(x, &why);
            progress_end();
            if (written) print_summary(x, totals);
            free(totals);
            return whole && (written || error_set(e, why.status, "%s", why.message));
        }
        free(totals);
    }
}

/* Does the work of --worker: runs points and synthesises blocks, without printing tables. */
static bool be_worker(struct exploration *x, const struct options *o, struct error *e) {
    struct points_list l;
    return exploration_list(x, &l, e) && points_work(&l, l.count * (o->worker - 1) / o->workers, e);
}

static int command(int argc, char **argv) {
    struct options o = {0};
    struct exploration x;
    struct error e = {0};
    arguments_parse(&explore_argp, argc, argv, 0, &o);
    bool good = exploration_open(&x, o.sweep, o.folder, &e);
    if (good && x.sweep.sample == SWEEP_GENETIC && (o.worker || o.engine != ENGINE_LOCAL))
        good = error_set(&e, EXIT_USER,
                         "%s: kind: genetic chooses machines by the results of those before: it goes with "
                         "--engine local only",
                         o.sweep);
    if (good && o.worker) {
        good = be_worker(&x, &o, &e);
    } else if (good) {
        progress_begin(o.quiet, PROGRESS_SECONDS);
        good = explore(&x, &o, &e);
        progress_end();
    }
    exploration_free(&x);
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_explore = {80, "programs on many machines; which no other beats", command};

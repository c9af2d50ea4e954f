/* `lockstep diff`: the first difference between two runs. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/difference_statistics.h"
#include "recording/difference.h"
#include "sim/trace_difference.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEY_BY = 256 };

#define DIFFERENT 1 /* exit status of a difference */

struct options {
    const char *path[2];
    bool work, by;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_BY:
        o->work = strcmp(argument, "work") == 0;
        o->by = true;
        if (!o->work && strcmp(argument, "cycle") != 0)
            argp_error(state, "--by %s: it is one of cycle, work", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (o->path[1]) argp_error(state, "'%s': two files are compared", argument);
        o->path[o->path[0] != NULL] = argument;
        return 0;
    case ARGP_KEY_END:
        if (!o->path[1])
            argp_error(state, "two files are needed: recordings (lockstep run --record FILE.lsr), waveforms "
                              "(--trace FILE.fst) or statistics (--stats FILE.json)");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"by", KEY_BY, "ORDER", 0,
     "How recordings are compared: cycle (default) compares all records in the order of cycles; work "
     "compares the "
     "instructions of the same warps, in whichever cycles they ran",
     1},
    {0},
};

static const struct argp diff_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "FILE FILE",
    .doc = "Shows where two runs differ first. The files are recordings (.lsr), waveforms (.fst) or "
           "statistics (.json, .csv) of both."
           "\v"
           "Exit status: 0 the runs are equal, 1 they differ, 125 they cannot be compared.\n"
           "\n"
           "Examples:\n"
           "  lockstep run --record a.lsr -- ./my_program\n"
           "  lockstep run --record b.lsr --set mem.latency=100 -- ./my_program\n"
           "  lockstep diff a.lsr b.lsr\n"
           "  lockstep diff --by work a.lsr b.lsr",
};

enum form { RECORDING, WAVEFORM, STATISTICS };
static const char *const form_name[] = {"a recording", "a waveform", "a file of statistics"};

/* Files are recognised by their contents: the file of a killed run has another name. */
static enum form form_of(const char *path) {
    if (recording_is(path)) return RECORDING;
    return trace_is_fst(path) ? WAVEFORM : STATISTICS;
}

static bool compare_recordings(const struct options *o, bool *differs, struct error *e) {
    struct recording r[2] = {{.fd = -1}, {.fd = -1}};
    const bool good = recording_open(&r[0], o->path[0], e) && recording_open(&r[1], o->path[1], e) &&
                      (o->work ? difference_by_work(&r[0], &r[1], stdout, differs, e)
                               : difference_by_cycle(&r[0], &r[1], UINT64_MAX, stdout, differs, e));
    for (unsigned n = 0; n < 2; ++n) recording_close(&r[n]);
    return good;
}

static bool is_readable(const char *path, struct error *e) {
    return access(path, R_OK) == 0 || error_set(e, EXIT_USER, "%s: %s", path, strerror(errno));
}

static bool compare(const struct options *o, bool *differs, struct error *e) {
    if (!is_readable(o->path[0], e) || !is_readable(o->path[1], e)) return false;
    const enum form form[2] = {form_of(o->path[0]), form_of(o->path[1])};
    if (form[0] != form[1])
        return error_set(e, EXIT_USER,
                         "by their names, %s is %s and %s is %s: two files of one kind are needed",
                         o->path[0], form_name[form[0]], o->path[1], form_name[form[1]]);
    if (o->by && form[0] != RECORDING)
        return error_set(e, EXIT_USER, "--by is of recordings: %s is %s", o->path[0], form_name[form[0]]);
    switch (form[0]) {
    case RECORDING: return compare_recordings(o, differs, e);
    case WAVEFORM: return trace_difference(o->path[0], o->path[1], stdout, differs, e);
    default: return difference_statistics(o->path[0], o->path[1], stdout, differs, e);
    }
}

static int command(int argc, char **argv) {
    struct options o = {0};
    struct error e = {0};
    bool differs = false;
    arguments_parse(&diff_argp, argc, argv, 0, &o);
    if (!compare(&o, &differs, &e)) return command_fail(&e);
    if (!differs) puts("no difference");
    return differs ? DIFFERENT : EXIT_SOUND;
}

const struct command_row command_diff = {115, "where two runs differ first", command};

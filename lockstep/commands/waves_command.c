/* `lockstep waves`: waveforms from a recording. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/outputs.h"
#include "lockstep/output/report.h"
#include "lockstep/run/recording_options.h"
#include "lockstep/run/repetition.h"
#include "recording/waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CYCLES_AGAIN 1000000 /* largest number of cycles of level 3 that is written without --all */

enum { KEY_LEVEL = 256, KEY_SCOPE, KEY_ALL, KEY_ACCESSES };

struct options {
    struct recording_options recording;
    char *output;  /* allocated */
    bool accesses; /* asked for; the program runs again for them */
    struct waves_options waves;
};

static void set_output(struct options *o, const char *path, struct argp_state *state) {
    const size_t n = strlen(path);
    if (n < 5 || (strcmp(path + n - 4, ".fst") != 0 && strcmp(path + n - 4, ".vcd") != 0))
        argp_error(state, "-o %s: the name must end in .fst or .vcd, which says the format", path);
    if (!outputs_in_view(path))
        argp_error(state,
                   "-o %s: a name with a control character or a quote cannot stand in the view beside it",
                   path);
    free(o->output);
    o->output = strdup(path);
    require_memory(o->output);
}

/* Chooses NAME.fst in the folder of NAME.lsr. */
static void choose_output(struct options *o, struct argp_state *state) {
    const char *recording = o->recording.path;
    const size_t n = strlen(recording);
    const bool named = n > 4 && strcmp(recording + n - 4, ".lsr") == 0;
    char *path;
    require_memory(asprintf(&path, "%.*s.fst", (int)(named ? n - 4 : n), recording) >= 0);
    set_output(o, path, state);
    free(path);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->recording; return 0;
    case KEY_LEVEL: {
        const uint64_t level = recording_options_number("--level", argument, state);
        if (level > WAVES_MAX_LEVEL + 1) argp_error(state, "--level %s: levels are 0 to 3", argument);
        o->waves.level = (unsigned)level;
        return 0;
    }
    case KEY_SCOPE: o->waves.scope = argument; return 0;
    case KEY_ALL: o->waves.all = true; return 0;
    case KEY_ACCESSES: o->accesses = true; return 0;
    case 'o': set_output(o, argument, state); return 0;
    case ARGP_KEY_END:
        if (!o->output) choose_output(o, state);
        if (o->waves.level > WAVES_MAX_LEVEL && o->waves.scope)
            argp_error(state, "--scope %s: level 3 shows all that --trace does: leave one out",
                       o->waves.scope);
        if (o->accesses && o->waves.level != WAVES_MAX_LEVEL)
            argp_error(state, "--accesses adds them to --level 2: write that, too");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"level", KEY_LEVEL, "LEVEL", 0,
     "0: launches, work-groups, modes, barriers; 1 (default): each warp, too; 2: stages of the pipeline, "
     "too; "
     "3: all that `lockstep run --trace` shows, by running the program again",
     1},
    {"accesses", KEY_ACCESSES, NULL, 0,
     "With level 2: address, data and hit of each core's accesses, by running the program again", 1},
    {"scope", KEY_SCOPE, "PATTERN", 0, "Show only signals of such names, for example 'cluster0.warp3.*'", 1},
    {"output", 'o', "FILE", 0, "Write FILE.fst or FILE.vcd (default: beside the recording)", 1},
    {"all", KEY_ALL, NULL, 0, "Write more than 5 million value changes, too", 1},
    {0},
};

static const struct argp_child children[] = {{&recording_options_argp, 0, NULL, 0}, {0}};

static const struct argp waves_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "RECORDING.lsr",
    .doc = "Writes a waveform of some cycles of a recorded run, and a view for GTKWave beside it."
           "\v"
           "Without --cycles, --launch and --work-group it shows the 20,000 cycles before a fault, or, if "
           "there is "
           "none, the first in which warps run in the longest launch.\n"
           "\n"
           "Examples:\n"
           "  lockstep run --record my.lsr -- ./my_program\n"
           "  lockstep waves my.lsr\n"
           "  lockstep waves my.lsr --launch 1 --work-group 4,0,0 --level 2 -o group.fst\n"
           "  gtkwave group.fst group.gtkw",
};

static void print_result(const struct options *o, const struct recording *r,
                         const struct waves_result *result) {
    const bool again = o->waves.level > WAVES_MAX_LEVEL;
    char a[32], b[32];
    const char *path = o->output;
    const int stem = (int)strlen(path) - 4;
    if (!r->whole && !again)
        fprintf(stderr,
                "lockstep: %s: the run was killed; all is shown that it had written, up to cycle %s\n",
                r->path, report_number(r->end - 1, a));
    printf("%s: cycles %s to %s", path, report_number(o->waves.first, a), report_number(o->waves.last, b));
    if (again)
        printf(", of a second run that had the same records");
    else
        printf(", %s signals, %s value changes", report_number(result->signals, a),
               report_number(result->changes, b));
    printf("\nopen with: gtkwave %s %.*s.gtkw\n", path, stem, path);
}

static bool trace_again(const struct options *o, const struct recording *r, const struct window *w,
                        struct error *e) {
    char a[32], b[32];
    if (w->last - w->first >= CYCLES_AGAIN && !o->waves.all)
        return error_set(
            e, EXIT_USER,
            "level 3 of %s cycles is more than GTKWave loads in a few seconds: choose at most %s "
            "(--cycles), or add --all",
            report_number(w->last - w->first + 1, a), report_number(CYCLES_AGAIN, b));
    return repetition_trace(r, w, o->output, e);
}

/* Runs the program again for the accesses, if the recording has not those of the window. */
static bool write_with_accesses(const struct options *o, const struct recording *r, const struct window *w,
                                struct waves_result *result, struct error *e) {
    struct recording again;
    if (r->accesses && r->accesses_first <= w->first && r->accesses_last >= w->last)
        return waves_write(r, &o->waves, o->output, result, e);
    if (!repetition_accesses(r, w, &again, e)) return false;
    const bool good = waves_write(&again, &o->waves, o->output, result, e);
    recording_close(&again);
    return good;
}

static bool write_waves(const struct options *o, const struct recording *r, const struct window *w,
                        struct waves_result *result, struct error *e) {
    if (o->waves.level > WAVES_MAX_LEVEL) return trace_again(o, r, w, e);
    if (o->accesses) return write_with_accesses(o, r, w, result, e);
    return waves_write(r, &o->waves, o->output, result, e);
}

static int command(int argc, char **argv) {
    struct options o = {.waves.level = 1};
    struct recording r;
    struct window w;
    struct waves_result result = {0};
    struct error e = {0};
    arguments_parse(&waves_argp, argc, argv, 0, &o);
    bool good = recording_options_open(&o.recording, &r, &w, &e);
    if (good) {
        o.waves.first = w.first;
        o.waves.last = w.last;
        o.waves.view_first = w.view;
        o.waves.view_last = w.view + WINDOW_VIEW - 1 < w.last ? w.view + WINDOW_VIEW - 1 : w.last;
        o.waves.mark = w.mark;
        good = write_waves(&o, &r, &w, &result, &e);
        if (good) print_result(&o, &r, &result);
        recording_close(&r);
    }
    free(o.output);
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_waves = {100, "waveforms out of a recording (run --record)", command};

/* `lockstep log`: the executed instructions of a recording as text. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/run/recording_options.h"
#include "recording/timeline.h"
#include "sim/part.h"

#include <stdio.h>
#include <string.h>

enum { KEY_ALL = 256 };

struct options {
    struct recording_options recording;
    const char *output; /* NULL: standard output */
    bool all;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->recording; return 0;
    case KEY_ALL: o->all = true; return 0;
    case 'o': o->output = argument; return 0;
    case ARGP_KEY_END:
        if (o->output && strcmp(o->output, o->recording.path) == 0)
            argp_error(state, "-o %s: that is the recording", o->output);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"output", 'o', "FILE", 0, "Write FILE (default: standard output)", 1},
    {"all", KEY_ALL, NULL, 0, "Write more than a million lines, too", 1},
    {0},
};

static const struct argp_child children[] = {{&recording_options_argp, 0, NULL, 0}, {0}};

static const struct argp log_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "RECORDING.lsr",
    .doc =
        "Prints the executed instructions of a recorded run, a line for each warp instruction: cycle, warp, "
        "work-group, PC, mask of threads, instruction, source line. In MIMD mode a line stands for "
        "consecutive instructions of a core."
        "\v"
        "Without other options all instructions of the run are printed. `lockstep run --log` writes the same "
        "while the program runs, also with registers and memory.\n"
        "\n"
        "Examples:\n"
        "  lockstep log my.lsr --launch 0\n"
        "  lockstep log my.lsr --work-group 4,0,0 -o my.log",
};

static bool write_log(const struct options *o, const struct timeline *t, struct error *e) {
    struct part p;
    if (!o->output) {
        timeline_lines(t, stdout);
        return true;
    }
    if (!part_open(&p, o->output, e)) return false;
    timeline_lines(t, p.file);
    return part_finish(&p, e);
}

static int command(int argc, char **argv) {
    struct options o = {0};
    struct recording r;
    struct window w;
    struct error e = {0};
    arguments_parse(&log_argp, argc, argv, 0, &o);
    const struct recording_options *given = &o.recording;
    if (!given->cycles && !given->launches && !given->group && !given->at && !given->when) {
        o.recording.cycles = true;
        o.recording.last = UINT64_MAX;
    }
    bool good = recording_options_open(&o.recording, &r, &w, &e);
    if (good) {
        struct timeline t = {0};
        good = timeline_read(&t, &r, &w, o.all, &e) && write_log(&o, &t, &e);
        timeline_free(&t);
        recording_close(&r);
    }
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_log = {115, "executed instructions, out of a recording", command};

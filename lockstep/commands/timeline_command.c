/* `lockstep timeline`: warps and cores of a recording against time. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/run/recording_options.h"
#include "recording/timeline.h"
#include "sim/part.h"

#include <stdio.h>
#include <string.h>

enum { KEY_FORMAT = 256, KEY_ALL };

static const struct format {
    const char *name;
    void (*write)(const struct timeline *t, FILE *out);
} formats[] = {{"text", timeline_text},     {"svg", timeline_svg}, {"perfetto", timeline_perfetto},
               {"kanata", timeline_kanata}, {"ftr", timeline_ftr}, {"log", timeline_log}};

struct options {
    struct recording_options recording;
    const char *output; /* NULL: standard output */
    const struct format *format;
    bool all;
};

static const struct format *parse_format(const char *name, struct argp_state *state) {
    for (size_t n = 0; n < sizeof formats / sizeof *formats; ++n)
        if (strcmp(name, formats[n].name) == 0) return &formats[n];
    argp_error(state, "--format %s: it is one of text, svg, perfetto, kanata, ftr, log", name);
    return formats;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->recording; return 0;
    case KEY_FORMAT: o->format = parse_format(argument, state); return 0;
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
    {"format", KEY_FORMAT, "FORMAT", 0,
     "text (default), svg, perfetto (JSON for ui.perfetto.dev), kanata (for Konata), ftr (for SCViewer) or "
     "log (a line for each "
     "instruction)",
     1},
    {"output", 'o', "FILE", 0, "Write FILE (default: standard output)", 1},
    {"all", KEY_ALL, NULL, 0, "Write more than a million instructions, too", 1},
    {0},
};

static const struct argp_child children[] = {{&recording_options_argp, 0, NULL, 0}, {0}};

static const struct argp timeline_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "RECORDING.lsr",
    .doc = "Shows what each warp, or each core in MIMD mode, does in some cycles of a recorded run."
           "\v"
           "Without --cycles, --launch and --work-group the cycles are those of `lockstep waves`.\n"
           "\n"
           "Examples:\n"
           "  lockstep timeline my.lsr --launch 0\n"
           "  lockstep timeline my.lsr --format perfetto -o my.json\n"
           "  lockstep timeline my.lsr --work-group 4,0,0 --format kanata -o my.kanata",
};

static bool write_timeline(const struct options *o, const struct timeline *t, struct error *e) {
    struct part p;
    if (!o->output) {
        o->format->write(t, stdout);
        return true;
    }
    if (!part_open(&p, o->output, e)) return false;
    o->format->write(t, p.file);
    return part_finish(&p, e);
}

static int command(int argc, char **argv) {
    struct options o = {.format = formats};
    struct recording r;
    struct window w;
    struct error e = {0};
    arguments_parse(&timeline_argp, argc, argv, 0, &o);
    bool good = recording_options_open(&o.recording, &r, &w, &e);
    if (good) {
        struct timeline t = {0};
        good = timeline_read(&t, &r, &w, o.all, &e) && write_timeline(&o, &t, &e);
        timeline_free(&t);
        recording_close(&r);
    }
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_timeline = {110, "warps against time, out of a recording", command};

#include "lockstep/run_options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEY_TRACE = 256, KEY_TRACE_CYCLES, KEY_STATS };

static void parse_window(struct run_options *o, const char *argument, struct argp_state *state) {
    int used = -1;
    errno = 0;
    if (sscanf(argument, "%" SCNu64 ":%" SCNu64 "%n", &o->trace_first, &o->trace_last, &used) != 2 || errno ||
        argument[used] || strchr(argument, '-') || o->trace_last < o->trace_first)
        argp_error(state,
                   "--trace-cycles %s: FIRST:LAST is needed, two numbers of cycles, FIRST not above LAST",
                   argument);
}

static const char *parse_trace(const char *path, struct argp_state *state) {
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".fst") != 0)
        argp_error(state, "--trace %s: the name must end in .fst (the view beside it ends in .gtkw)", path);
    return path;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct run_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->execution;
        state->child_inputs[2] = &o->rtl;
        return 0;
    case KEY_TRACE: o->trace_path = parse_trace(argument, state); return 0;
    case KEY_TRACE_CYCLES: parse_window(o, argument, state); return 0;
    case KEY_STATS: o->stats_path = argument; return 0;
    case ARGP_KEY_ARG:
        o->argv = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no program is given"); return 0;
    case ARGP_KEY_END:
        if (!o->trace_path && o->trace_last != UINT64_MAX)
            argp_error(state,
                       "--trace-cycles says which cycles are traced, but --trace does not say where to");
        if (o->trace_path && o->stats_path && strcmp(o->trace_path, o->stats_path) == 0)
            argp_error(state, "--trace and --stats name the same file");
        if (o->trace_path && o->rtl.twins.window && strcmp(o->trace_path, o->rtl.twins.window) == 0)
            argp_error(state, "--trace and --rtl-window name the same file: %s", o->trace_path);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"trace", KEY_TRACE, "FILE.fst", 0, "Write a waveform, and a GTKWave view FILE.gtkw beside it", 0},
    {"trace-cycles", KEY_TRACE_CYCLES, "FIRST:LAST", 0,
     "Trace only these cycles of the run, counted from 0 through all launches (default: all)", 0},
    {"stats", KEY_STATS, "FILE.json", 0, "Write configuration, launches and every counter as JSON", 0},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0},
                                             {&execution_options_argp, 0, NULL, 0},
                                             {&rtl_options_argp, 0, NULL, 0},
                                             {0}};

static const struct argp run_argp = {
    .options = option_table,
    .parser = parse,
    .children = children,
    .args_doc = "PROGRAM [ARGUMENT...]",
    .doc =
        "Runs PROGRAM, an ordinary OpenCL program, with the simulated machine as its OpenCL device. What the "
        "program "
        "prints stays on standard output; tables and messages go to standard error."
        "\v"
        "Files are written as FILE.part and get their name when whole: a waveform when it could be closed "
        "(also after "
        "a fault or Ctrl-C), statistics when the run was sound.\n"
        "\n"
        "Examples:\n"
        "  lockstep run -- ./my_program input.txt\n"
        "  lockstep run --trace my.fst -- ./my_program input.txt\n"
        "  gtkwave my.fst my.gtkw\n"
        "  lockstep run --trace my.fst --trace-cycles 5000:9000 -- ./my_program\n"
        "  lockstep run --config my_machine.yaml --stats my.json -- ./my_program\n"
        "  lockstep run --set simt.warp_size=16 --set mem.latency=100 -- ./my_program\n"
        "  lockstep run --rtl check -- ./my_program\n"
        "  lockstep run --rtl check,warp_pc_arbiter=drive -- ./my_program\n"
        "  lockstep run --max-cycles 1000000 -- ./may_not_end\n"
        "\n"
        "Exit status: PROGRAM's own when the simulation was sound; else 120 the simulated program's mistake, "
        "121 a C model and its Verilog disagree, 122 Lockstep's own, 125 a mistake in configuration, files, "
        "command line or kernel source, or a program "
        "that "
        "used no OpenCL, 126 PROGRAM cannot be run, 127 it was not found, 128 + N it was killed by signal N.",
};

void run_options_parse(struct run_options *o, int argc, char **argv) {
    *o = (struct run_options){.trace_last = UINT64_MAX};
    argp_parse(&run_argp, argc, argv, ARGP_IN_ORDER, NULL, o);
}

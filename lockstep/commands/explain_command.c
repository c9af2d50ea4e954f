/* `lockstep explain`: one program on one machine, and the cycles of its launches, line by line. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/explanation.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/output/output.h"
#include "lockstep/run/simulation.h"
#include "lockstep/run/stats.h"

#include <stdio.h>

enum { KEY_JSON = 256 };

struct options {
    struct machine_options machine;
    struct execution_options execution;
    bool json;
    char **argv; /* the program and its arguments, NULL-terminated */
};

struct explain {
    struct options options;
    struct simulation simulation;
    struct explanation explanation;
    FILE *out;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->execution;
        return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARG:
        o->argv = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no program is given"); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"json", KEY_JSON, NULL, 0,
     "Print JSON: every cause of every line, and what --stats of `lockstep run` holds", 0},
    {0},
};

static const struct argp_child children[] = {
    {&machine_options_argp, 0, NULL, 0}, {&execution_options_argp, 0, NULL, 0}, {0}};

static const struct argp explain_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "PROGRAM [ARGUMENT...]",
    .doc = "Runs PROGRAM on the simulated machine and prints the cycles of each kernel by source line and "
           "cause. They add up exactly to the cycles of its launches."
           "\v"
           "Each cycle of the cluster (in MIMD mode of each core) belongs to one instruction: the one that "
           "executes, or is fetched or decoded, or waits for its operands. If all warps wait for a load, a "
           "result or a barrier, the cycle belongs to the instruction that the next warp waits for.\nCycles "
           "outside the kernel's instructions have rows of their own, in parentheses. `instructions` counts "
           "an instruction once for each thread; in MIMD mode once for each issue by a core.\n"
           "\n"
           "The tables go to standard output, and what PROGRAM prints to standard error.\n"
           "\n"
           "Examples:\n"
           "  lockstep explain -- ./my_program input.txt\n"
           "  lockstep explain --mode mimd -- ./my_program input.txt\n"
           "  lockstep explain --set mem.latency=400 --json -- ./my_program >lines.json\n"
           "\n"
           "Exit status: as of `lockstep run`.",
};

static void after_launch(void *context, const struct machine_launch *launch,
                         const struct machine_result *result, bool whole) {
    struct explain *x = context;
    explanation_add(&x->explanation, launch, result, whole, machine_profile(x->simulation.machine));
}

/* Reads and checks everything before the program starts. */
static bool prepare(struct explain *x, struct error *e) {
    const struct options *o = &x->options;
    struct machine_config config;
    struct tools tools;
    if (!machine_options_resolve(&o->machine, &config, e) || !tools_check_program(o->argv[0], e) ||
        !tools_find(&tools, e) || !(x->out = output_take(e)) ||
        !simulation_create(&x->simulation, &config, &o->execution, &tools, e))
        return false;
    machine_set_profiling(x->simulation.machine, true);
    x->explanation.warp_size = config.simt.warp_size;
    x->explanation.line_bytes = config.l2.line_bytes;
    x->explanation.banked = config_has_effect(&machine_config_table, &config, "local.banks");
    x->simulation.after_launch = after_launch;
    x->simulation.context = x;
    return true;
}

static void print_json(const struct explain *x) {
    const struct stats_facts facts = stats_facts(&x->simulation, x->options.argv);
    json_t *j = json_object();
    json_object_set_new(j, "schema", json_string("lockstep-explain"));
    json_object_set_new(j, "schema_version", json_integer(EXPLANATION_SCHEMA_VERSION));
    json_object_set_new(j, "kernels", explanation_document(&x->explanation));
    json_object_set_new(j, "run", stats_document(&facts, &x->simulation.record));
    json_dumpf(j, x->out, JSON_INDENT(2));
    fputc('\n', x->out);
    json_decref(j);
}

static int execute(struct explain *x) {
    struct simulation *s = &x->simulation;
    struct error e = {0};
    progress_begin(x->options.execution.quiet, PROGRESS_SECONDS);
    simulation_run(s, x->options.argv);
    progress_end();
    explanation_sort(&x->explanation);
    if (x->options.json)
        print_json(x);
    else
        explanation_print(&x->explanation, x->out);
    const bool printed = output_close(x->out, &e);
    simulation_print_messages(s, x->options.argv[0]);
    if (!printed) command_fail(&e);
    return printed || s->status ? s->status : (int)e.status;
}

static int command(int argc, char **argv) {
    struct explain x = {0};
    struct error e = {0};
    arguments_parse(&explain_argp, argc, argv, ARGP_IN_ORDER, &x.options);
    int status = prepare(&x, &e) ? execute(&x) : command_fail(&e);
    simulation_free(&x.simulation);
    explanation_free(&x.explanation);
    machine_options_free(&x.options.machine);
    return status;
}

const struct command_row command_explain = {30, "run a program; where its cycles went, line by line",
                                            command};

/* `lockstep config`: the effective configuration, or what every field means. */
#include "lockstep/arguments.h"
#include "lockstep/command.h"
#include "lockstep/machine_options.h"

#include <stdio.h>

enum { KEY_DESCRIBE = 256 };

struct options {
    struct machine_options machine;
    bool describe;
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case KEY_DESCRIBE: o->describe = true; return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is not an option; this command takes no arguments", argument);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"describe", KEY_DESCRIBE, NULL, 0,
     "Describe every field: default, range, unit, meaning, source of the default", 0},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};

static const struct argp config_argp = {
    .options = option_table,
    .parser = parse,
    .children = children,
    .doc = "Prints the effective configuration of the simulated machine as YAML that --config accepts."
           "\v"
           "Examples:\n"
           "  lockstep config\n"
           "  lockstep config --set simt.warp_size=16 > my_machine.yaml\n"
           "  lockstep config --config my_machine.yaml --set mem.latency=100\n"
           "  lockstep config --describe",
};

int config_command(int argc, char **argv) {
    struct options o = {0};
    struct machine_config c;
    struct error e = {0};
    arguments_parse(&config_argp, argc, argv, 0, &o);
    bool sound = machine_options_resolve(&o.machine, &c, &e);
    machine_options_free(&o.machine);
    if (!sound) return command_fail(&e);
    if (o.describe)
        config_describe(&machine_config_table, stdout);
    else
        config_write(&machine_config_table, &c, stdout);
    return EXIT_SOUND;
}

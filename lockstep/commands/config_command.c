/* `lockstep config`: the effective configuration, or a description of every field. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/field_list.h"
#include "lockstep/run/machine_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { KEY_DESCRIBE = 256, KEY_JSON };

struct options {
    struct machine_options machine;
    bool describe, json;
    char *const *fields; /* names of the fields to show, NULL after the last */
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->machine; return 0;
    case KEY_DESCRIBE: o->describe = true; return 0;
    case KEY_JSON: o->json = true; return 0;
    case ARGP_KEY_ARGS: o->fields = &state->argv[state->next]; return 0;
    case ARGP_KEY_END:
        if (o->fields && !o->describe)
            argp_error(state, "'%s' is not an option; fields are named with --describe only", o->fields[0]);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"describe", KEY_DESCRIBE, NULL, 0,
     "Describe the named fields and groups, or every field: default, range, unit, meaning, source of the "
     "default",
     0},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 0},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};

static const struct argp config_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "[--describe [FIELD...]]",
    .doc = "Prints the effective configuration of the simulated machine as YAML that --config accepts."
           "\v"
           "Examples:\n"
           "  lockstep config\n"
           "  lockstep config --set simt.warp_size=16 > my_machine.yaml\n"
           "  lockstep config --config my_machine.yaml --set mem.latency=100\n"
           "  lockstep config --describe\n"
           "  lockstep config --describe simt.divergence harp\n"
           "  lockstep config --describe --json",
};

static void print_json(json_t *j) {
    json_dumpf(j, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(j);
}

/* Returns the columns of the terminal on standard output; 0 if there is none or they are unknown. */
static unsigned terminal_columns(void) {
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static bool describe(const struct options *o, struct error *e) {
    char *none[] = {NULL};
    struct config_table chosen;
    const bool known = field_list_choose(&machine_config_table, o->fields ? o->fields : none, &chosen, e);
    const unsigned columns = terminal_columns();
    if (known && o->json)
        print_json(field_list_document(&chosen));
    else if (known && columns)
        field_list_print(&chosen, columns, stdout);
    else if (known)
        config_describe(&chosen, stdout); /* one line for each field, for grep and other tools */
    free((void *)chosen.fields);
    return known;
}

static int command(int argc, char **argv) {
    struct options o = {0};
    struct machine_config c;
    struct error e = {0};
    arguments_parse(&config_argp, argc, argv, 0, &o);
    bool sound = machine_options_resolve(&o.machine, &c, &e);
    machine_options_free(&o.machine);
    if (sound && o.describe)
        sound = describe(&o, &e);
    else if (sound && o.json)
        print_json(field_list_values(&machine_config_table, &c));
    else if (sound)
        config_write(&machine_config_table, &c, stdout);
    return sound ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_config = {120, "print the configuration of the machine, or describe it",
                                           command};

#include "lockstep/run/machine_options.h"

#include "lockstep/commands/tools.h"
#include "sim/config_folder.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_CONFIG = 1000, KEY_SET, KEY_MODE }; /* different from the keys of the parsers above this one */

static void add_assignment(struct machine_options *o, char *assignment) {
    o->set = realloc(o->set, (o->set_count + 1) * sizeof *o->set);
    require_memory(o->set);
    o->set[o->set_count++] = assignment;
}

static void add_mode(struct machine_options *o, const char *mode) {
    free(o->mode);
    require_memory(asprintf(&o->mode, "mode=%s", mode) >= 0);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct machine_options *o = state->input;
    switch (key) {
    case KEY_CONFIG:
        if (o->config_path)
            argp_error(state, "--config is given twice: a file may extend another with `extends: FILE`");
        o->config_path = argument;
        return 0;
    case KEY_MODE: add_mode(o, argument); return 0;
    case KEY_SET: add_assignment(o, argument); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"config", KEY_CONFIG, "FILE", 0, "YAML file, or a name (default: the base machine)", 1},
    {"mode", KEY_MODE, "simt|mimd|auto", 0, "Execution of kernels, after every --set", 1},
    {"set", KEY_SET, "FIELD=VALUE", 0, "Change one field of the configuration; repeatable", 1},
    {0},
};

const struct argp machine_options_argp = {.options = options, .parser = parse_option};

bool machine_options_read(struct machine_config *c, const char *path, struct error *e) {
    static struct tools tools;
    struct error ignored = {0}; /* a missing tool is reported later */
    if (!*tools.configs) {
        tools_find(&tools, &ignored);
        config_folder_own(tools.configs);
    }
    return config_read(&machine_config_table, c, path, e);
}

bool machine_options_read_all(const struct machine_options *o, struct machine_config *c, struct error *e) {
    config_defaults(&machine_config_table, c);
    if (o->config_path && !machine_options_read(c, o->config_path, e)) return false;
    for (size_t i = 0; i < o->set_count; i++)
        if (!config_set(&machine_config_table, c, o->set[i], e)) return false;
    if (o->mode && !config_set(&machine_config_table, c, o->mode, e)) return false;
    return config_check(&machine_config_table, c, e);
}

bool machine_options_resolve(const struct machine_options *o, struct machine_config *c, struct error *e) {
    if (!machine_options_read_all(o, c, e)) return false;
    for (size_t i = 0; i < o->set_count; i++)
        if (!config_matters(&machine_config_table, c, o->set[i], e)) return false;
    return true;
}

void machine_options_free(struct machine_options *o) {
    free(o->set);
    free(o->mode);
}

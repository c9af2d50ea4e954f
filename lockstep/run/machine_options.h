/*
 * machine_options: --config, --set and --mode, shared by all subcommands with a machine.
 */
#ifndef LOCKSTEP_MACHINE_OPTIONS_H
#define LOCKSTEP_MACHINE_OPTIONS_H

#include "model/config/machine_config.h"

#include <argp.h>

struct machine_options {
    const char *config_path; /* NULL: defaults */
    char **set;              /* "field=value", in the order given */
    size_t set_count;
    char *mode; /* "mode=…" from --mode; NULL: not given */
};

/* The options as a child parser; its input is a struct machine_options, zeroed. */
extern const struct argp machine_options_argp;

/* Reads a machine by config_read(). If a name without a folder is one of Lockstep's own machines and there is
 * no such file, the message contains the path of that machine. */
bool machine_options_read(struct machine_config *c, const char *path, struct error *e);

/* Resolve the configuration: defaults, then the file, then every --set, then --mode, then the check between
 * fields. Returns false with *e (EXIT_USER), also if a --set has no effect; read_all() accepts that, since
 * machines derived from it may have the field. */
bool machine_options_resolve(const struct machine_options *o, struct machine_config *c, struct error *e);
bool machine_options_read_all(const struct machine_options *o, struct machine_config *c, struct error *e);
void machine_options_free(struct machine_options *o);

#endif

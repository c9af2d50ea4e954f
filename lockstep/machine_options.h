/*
 * machine_options: --config, --set and --mode, the same in every subcommand that has a machine.
 */
#ifndef LOCKSTEP_MACHINE_OPTIONS_H
#define LOCKSTEP_MACHINE_OPTIONS_H

#include "model/config/machine_config.h"

#include <argp.h>

struct machine_options {
    const char *config_path; /* NULL: the defaults */
    char **set;              /* "field=value", in the order given */
    size_t set_count;
    char *mode; /* "mode=…", as --mode says; NULL: it does not */
};

/* The options as a child parser; its input is a struct machine_options, zeroed. */
extern const struct argp machine_options_argp;

/* config_read() of a machine; where a name without a folder is that of one of Lockstep's own machines, and no
 * such file is here, the message says where that is. */
bool machine_options_read(struct machine_config *c, const char *path, struct error *e);

/* The configuration that they ask for: defaults, then the file, then every --set, then --mode, then the check
 * between fields. False and *e (EXIT_USER), too, if a --set does nothing in it; but read_all() takes that:
 * what the machine lacks others may have that are made of it. */
bool machine_options_resolve(const struct machine_options *o, struct machine_config *c, struct error *e);
bool machine_options_read_all(const struct machine_options *o, struct machine_config *c, struct error *e);
void machine_options_free(struct machine_options *o);

#endif

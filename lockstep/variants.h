/*
 * variants: the machines that `lockstep compare` compares, from what was given on the command line.
 *
 * Each of mode, configuration file and field is a dimension; what was given once for it holds for all
 * variants, what was given several times varies. The variants are all combinations of what varies; the
 * dimension given first varies slowest. If nothing varies and no mode is given, the modes do.
 */
#ifndef LOCKSTEP_VARIANTS_H
#define LOCKSTEP_VARIANTS_H

#include "model/config/machine_config.h"

struct variant_dimension {
    char *field;   /* of the configuration; NULL: configuration files */
    char **values; /* of the field, or paths */
    size_t count;
};

struct variants_options {
    struct variant_dimension *dimensions; /* in the order in which they were first given */
    size_t count;
};

/* --config PATH. --set FIELD=VALUE[,VALUE…]: false and *e (EXIT_USER) if there is no '='. --mode
 * MODE[,MODE…]. A value given twice: false and *e. */
bool variants_add_config(struct variants_options *o, const char *path, struct error *e);
bool variants_add_set(struct variants_options *o, const char *assignment, struct error *e);
bool variants_add_mode(struct variants_options *o, const char *modes, struct error *e);
void variants_options_free(struct variants_options *o);

struct variant {
    char *name; /* what sets it apart: "mimd", "dual-mode-4, mem.latency=100" */
    struct machine_config config;
};

struct variants {
    struct variant *variants;
    size_t count;
};

/* Every variant, its configuration read and checked. False and *e (EXIT_USER) if there are fewer than two, if
 * one of them is not sound, or if a value of a field does nothing in any variant that has it. Free in either
 * case. */
bool variants_resolve(struct variants_options *o, struct variants *v, struct error *e);
void variants_free(struct variants *v);

#endif

/*
 * variants: the machines that `lockstep compare` compares, from its command line.
 *
 * Mode, configuration file and each field are dimensions. A dimension given once holds for all variants; one
 * given several times varies. The variants are all combinations of varying values; the dimension given first
 * varies slowest. If nothing varies and no mode is given, the modes vary.
 */
#ifndef LOCKSTEP_VARIANTS_H
#define LOCKSTEP_VARIANTS_H

#include "model/config/machine_config.h"

struct variant_dimension {
    char *field;   /* field of the configuration; NULL: configuration files */
    char **values; /* values of the field, or paths */
    size_t count;
};

struct variants_options {
    struct variant_dimension *dimensions; /* dimensions in the order of first mention */
    size_t count;
};

/* Add --config PATH; --set FIELD=VALUE[,VALUE…]; --mode MODE[,MODE…]. Returns false with *e (EXIT_USER) if
 * there is no '=', or for a repeated value. */
bool variants_add_config(struct variants_options *o, const char *path, struct error *e);
bool variants_add_set(struct variants_options *o, const char *assignment, struct error *e);
bool variants_add_mode(struct variants_options *o, const char *modes, struct error *e);
void variants_options_free(struct variants_options *o);

struct variant {
    char *name; /* name made of the differing values: "mimd", "dual-mode-4, mem.latency=100" */
    struct machine_config config;
};

struct variants {
    struct variant *variants;
    size_t count;
};

/* Makes all variants, with checked configurations. Returns false with *e (EXIT_USER) if there are fewer than
 * two, or one is not sound. Also fails if a value of a field has no effect in any variant with it. Free *v in
 * either case. */
bool variants_resolve(struct variants_options *o, struct variants *v, struct error *e);
void variants_free(struct variants *v);

#endif

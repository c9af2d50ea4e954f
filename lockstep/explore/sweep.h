/*
 * sweep: an exploration as its file describes it, and the points that it has: configurations × programs.
 *
 *   machine: configs/dual-mode-4.yaml      # the base; without it, the base machine
 *   fields:                                # all combinations; the first varies slowest
 *     simt.warp_size: [8, 16, 32]
 *   programs:                              # words as a shell has them, without its expansions; a % that
 * begins
 *     - build/benchmarks/reduction         # a word stands for a folder of the point's own
 *   period: area                           # the clock is what `lockstep area` finds (default: configuration)
 *   memory_ns: 200                         # mem.latency, whatever the clock is
 *   area: off                              # no area (default: fast; full)
 *   constraints: {n_tpo: 48, area_mm2: 6}  # at least; at most
 *   sample: {kind: random, points: 20, seed: 1}   # of the configurations; or latin_hypercube; or genetic,
 * with # population: 16, which are chosen at a time
 */
#ifndef LOCKSTEP_SWEEP_H
#define LOCKSTEP_SWEEP_H

#include "model/config/machine_config.h"

#include <stddef.h>

#define SWEEP_MAX_POINTS 1000000

enum sweep_sample { SWEEP_ALL, SWEEP_RANDOM, SWEEP_LATIN_HYPERCUBE, SWEEP_GENETIC };
enum sweep_area { SWEEP_AREA_OFF, SWEEP_AREA_FAST, SWEEP_AREA_FULL };

struct sweep_field {
    char *name;
    char **values;
    size_t count;
};

struct sweep_program {
    char *text;  /* value as text in the file */
    char **argv; /* NULL-terminated */
};

struct sweep {
    /* Path of the sweep's file; path of the base machine's file, NULL for the built-in base machine. */
    char *path, *machine;
    char *text; /* text of the file */
    struct sweep_field *fields;
    size_t field_count;
    struct sweep_program *programs;
    size_t program_count;
    bool period_from_area;
    double memory_ns; /* latency of main memory in ns; 0: mem.latency of the configuration */
    enum sweep_area area;
    unsigned least_n_tpo;
    double most_mm2; /* largest area in mm²; 0: no limit */
    enum sweep_sample sample;
    size_t sample_points;
    size_t population; /* SWEEP_GENETIC: number of configurations in a generation; 0: 16 */
    uint64_t seed;
    /* Numbers of the chosen combinations, in ascending order. With SWEEP_GENETIC initially one generation. */
    size_t *configurations;
    size_t configuration_count, combination_count;
};

/* Reads a sweep. Returns false with *e (EXIT_USER), with file and line, for any deviation from the above.
 * Returns false with the file in *e if a value of a field has no effect in any machine with it. Free *s in
 * either case. */
bool sweep_read(struct sweep *s, const char *path, struct error *e);
void sweep_free(struct sweep *s);

/* Chooses the configurations by sample, sample_points, population and seed. Returns false with *e (EXIT_USER)
 * if there are too many. Called by sweep_read(). */
bool sweep_choose(struct sweep *s, struct error *e);
/* Adds combinations to the configurations, each only once. */
void sweep_add(struct sweep *s, const size_t *combinations, size_t count);

/* Returns the index of a combination's value of a field. */
size_t sweep_value(const struct sweep *s, size_t combination, size_t field);
/* Returns the combination with another value of a field. */
size_t sweep_with_value(const struct sweep *s, size_t combination, size_t field, size_t value);
/* Returns "simt.warp_size=8". */
char *sweep_assignment(const struct sweep *s, size_t combination, size_t field);

/* Returns the machine of a combination. Returns false with *e (EXIT_USER) if the fields conflict. */
bool sweep_configure(const struct sweep *s, size_t combination, struct machine_config *c, struct error *e);

#endif

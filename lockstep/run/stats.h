/*
 * stats: the results of a run for other programs, as JSON; in a file named ….csv or ….txt only its counters,
 * as CSV or as a table. Deterministic results and host measurements are separate objects. `host` has
 * wall-clock seconds (seconds_simulating, launch_seconds of each launch), CPU seconds of all threads
 * (cpu_seconds_simulating, launch_cpu_seconds), and rates by both (…_per_second, …_per_cpu_second). Only CPU
 * time is steady on a shared machine. The file has a temporary name (part.h) until the end of the run. Then
 * its name is NAME, or NAME.part if the run was not sound.
 */
#ifndef LOCKSTEP_STATS_H
#define LOCKSTEP_STATS_H

#include "lockstep/run/simulation.h"
#include "tb/twins/twins.h"

#include <jansson.h>

#define STATS_SCHEMA_VERSION 1

struct stats_file;

/* Makes the file, and checks that it can be written and renamed; Returns NULL with *e (EXIT_USER)
 * otherwise. */
struct stats_file *stats_open(const char *path, struct error *e);

/* Removes an earlier file when the run begins, so that it cannot be mistaken for this run's. */
void stats_begin(struct stats_file *s);

struct stats_facts {
    const char *outcome;         /* "complete", "program-failed", … */
    int exit_status;             /* exit status of the command */
    const char *message;         /* diagnosis; NULL if there is none */
    char *const *argv;           /* the program and its arguments */
    bool sound;                  /* the file gets its final name */
    const struct events *events; /* counted events; NULL: not requested */
    const struct twins *twins;   /* comparisons with Verilog; NULL: not requested */
};

/* Returns the facts of a simulation that has run, without twins. */
struct stats_facts stats_facts(const struct simulation *s, char *const *argv);

/* Returns the document of a run; json_decref() it. */
json_t *stats_document(const struct stats_facts *facts, const struct run_record *r);

/* Returns every field of a configuration, by name. */
json_t *stats_configuration(const struct machine_config *c);

/* Returns text as JSON, which must be UTF-8, while arguments and paths need not be. */
json_t *stats_text(const char *t);

/* Writes the record, closes and renames. Returns false with *e (EXIT_USER) if it cannot be written. */
bool stats_write(struct stats_file *s, const struct stats_facts *facts, const struct run_record *r,
                 struct error *e);

/* Closes and removes the file of a run that never began. */
void stats_abandon(struct stats_file *s);

#endif

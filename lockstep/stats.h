/*
 * stats: the figures of a run for other programs, as JSON; in a file named ….csv or ….txt its counters alone,
 * as CSV or as a table.
 * Deterministic results and host measurements are separate objects. `host` has the seconds that simulating
 * took, by the wall (seconds_simulating, launch_seconds of each launch) and of the processors, all threads of
 * the simulator together (cpu_seconds_simulating, launch_cpu_seconds), and rates by both (…_per_second,
 * …_per_cpu_second); only CPU time is steady on a shared machine. The file has a name of its own (part.h)
 * until the run has ended, when it becomes NAME, or NAME.part if the run was not sound.
 */
#ifndef LOCKSTEP_STATS_H
#define LOCKSTEP_STATS_H

#include "lockstep/simulation.h"
#include "tb/twins.h"

#include <jansson.h>

#define STATS_SCHEMA_VERSION 1

struct stats_file;

/* Makes the file, checking now that it can be written and renamed; NULL and *e (EXIT_USER) otherwise. */
struct stats_file *stats_open(const char *path, struct error *e);

/* The run begins: an earlier run's file must not pass for this one's, and is removed. */
void stats_begin(struct stats_file *s);

struct stats_facts {
    const char *outcome;         /* "complete", "program-failed", … */
    int exit_status;             /* of the command */
    const char *message;         /* the diagnosis; NULL if there is none */
    char *const *argv;           /* the program and its arguments */
    bool sound;                  /* it becomes NAME */
    const struct events *events; /* what was counted; NULL: nothing was to be */
    const struct twins *twins;   /* what was compared with Verilog; NULL: nothing was to be */
};

/* The facts of a simulation that has run; without twins. */
struct stats_facts stats_facts(const struct simulation *s, char *const *argv);

/* The document of a run; json_decref() it. */
json_t *stats_document(const struct stats_facts *facts, const struct run_record *r);

/* Arguments and paths need not be UTF-8; JSON must. */
json_t *stats_text(const char *t);

/* Writes the record, closes and renames. False and *e (EXIT_USER) if the disk would not
 * take it. */
bool stats_write(struct stats_file *s, const struct stats_facts *facts, const struct run_record *r,
                 struct error *e);

/* Closes and removes the file: the run never began. */
void stats_abandon(struct stats_file *s);

#endif

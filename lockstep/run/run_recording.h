/*
 * run_recording: `lockstep run --record` and `--when`: the description of the machine, its launches and their
 * code in a recording, or for a condition, and the machine's recorders.
 */
#ifndef LOCKSTEP_RUN_RECORDING_H
#define LOCKSTEP_RUN_RECORDING_H

#include "model/machine/machine.h"
#include "recording/condition_watch.h"
#include "recording/recording_writer.h"

struct run_recording {
    struct recording_writer *writer; /* NULL: no recording */
    struct condition_watch *watch;   /* NULL: no condition */
    const struct machine_config *config;
    unsigned launches;
    uint64_t *codes; /* hashes of the code of launches so far */
    size_t code_count;
    uint64_t records;               /* records in the finished recording */
    struct machine_window accesses; /* cycles whose accesses are recorded; last below first: none */
};

struct run_recording_options {
    const char *path;                      /* NULL: no recording */
    const char *when;                      /* condition that is evaluated; NULL: none */
    const struct machine_window *accesses; /* cycles whose accesses are recorded; NULL: none */
};

/* Makes the file, reads the condition, and starts the machine's recorders; `r` must not move. `argv` is the
 * program, in the command line. Returns false with *e (EXIT_USER) if the file cannot be made, the condition
 * is wrong, or the machine cannot record accesses. */
bool run_recording_begin(struct run_recording *r, const struct run_recording_options *o, struct machine *m,
                         char *const command[], char *const argv[], struct error *e);
/* Prints when the condition held, if there is one. `recording` is the file in which it can be seen, or
 * NULL. */
void run_recording_when(struct run_recording *r, const char *text, const char *recording);
/* Ends the recording: the file gets its name. */
bool run_recording_finish(struct run_recording *r, struct error *e);
/* Frees *r; an unfinished recording leaves no file. */
void run_recording_free(struct run_recording *r);

#endif

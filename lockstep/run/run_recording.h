/*
 * run_recording: `lockstep run --record`: the description of the machine, its launches and their code in a
 * recording, and the machine's recorders.
 */
#ifndef LOCKSTEP_RUN_RECORDING_H
#define LOCKSTEP_RUN_RECORDING_H

#include "model/machine/machine.h"
#include "recording/recording_writer.h"

struct run_recording {
    struct recording_writer *writer; /* NULL: no recording */
    unsigned launches;
    uint64_t *codes; /* hashes of the code of launches so far */
    size_t code_count;
    uint64_t records;               /* records in the finished recording */
    struct machine_window accesses; /* cycles whose accesses are recorded; last below first: none */
};

/* Makes the file, and starts the machine's recorders; `r` must not move. `argv` is the program, in the
 * command line. `accesses`: the cycles whose accesses are recorded; NULL: none. Returns false with *e
 * (EXIT_USER) if the file cannot be made, or the machine cannot record accesses. */
bool run_recording_begin(struct run_recording *r, const char *path, const struct machine_window *accesses,
                         struct machine *m, char *const command[], char *const argv[], struct error *e);
/* Ends the recording: the file gets its name. */
bool run_recording_finish(struct run_recording *r, struct error *e);
/* Frees *r; an unfinished recording leaves no file. */
void run_recording_free(struct run_recording *r);

#endif

/*
 * events: what the instructions of a run did, by kind: operations by class, registers read and written, words
 * loaded and stored; what the caches stored, and arrivals at barriers. Those of instructions come from how
 * often each was executed, so that counting them changes nothing and costs next to nothing.
 *
 * An event is counted for each thread whose PC matched, as thread_instructions are, and for each instruction
 * of a core, as scalar_instructions are: start-up code and, in MIMD mode, kernels.
 */
#ifndef LOCKSTEP_EVENTS_H
#define LOCKSTEP_EVENTS_H

#include "model/machine/machine.h"

#include <jansson.h>

/* Counts of threads in SIMT mode, or of cores in MIMD mode. */
struct event_counts {
    uint64_t operations[ARM_CLASS_COUNT];
    uint64_t registers_read, registers_written; /* of 32 bits; NZCV and FPSCR are none */
    uint64_t words_loaded, words_stored;
};

struct events {
    struct event_counts threads, cores;
    struct machine_traffic traffic;
};

/* Adds a launch that has just ended, of a machine that counts. */
void events_add(struct events *x, const struct machine *m, const struct machine_launch *launch);

/* An array of objects: scope ("threads", "cores", "machine"), name ("operations.alu", "registers_read",
 * "l2.stores"), value. */
json_t *events_document(const struct events *x);
/* Reads it back. False: it is not one. */
bool events_from(struct events *x, const json_t *document);

#endif

/*
 * events: counts of a run's instructions by kind: operations by class, registers read and written, words
 * loaded and stored; stores to caches, and arrivals at barriers. Instruction counts come from the executions
 * of each instruction, so that counting changes nothing and is nearly free.
 *
 * An event is counted for each thread whose PC matched, like thread_instructions, and for each instruction of
 * a core, like scalar_instructions: start-up code and, in MIMD mode, kernels.
 */
#ifndef LOCKSTEP_EVENTS_H
#define LOCKSTEP_EVENTS_H

#include "model/machine/machine.h"

#include <jansson.h>

/* Counts of threads in SIMT mode, or of cores in MIMD mode. */
struct event_counts {
    uint64_t operations[ARM_CLASS_COUNT];
    uint64_t registers_read, registers_written; /* 32-bit registers; NZCV and FPSCR do not count */
    uint64_t words_loaded, words_stored;
};

struct events {
    struct event_counts threads, cores;
    struct machine_traffic traffic;
};

/* Adds a launch that has just ended, on a machine with counting. */
void events_add(struct events *x, const struct machine *m, const struct machine_launch *launch);

/* Returns an array of objects: scope ("threads", "cores", "machine"), name ("operations.alu",
 * "registers_read", "l2.stores"), value. */
json_t *events_document(const struct events *x);
/* Reads such an array. Returns false if it is not one. */
bool events_from(struct events *x, const json_t *document);

#endif

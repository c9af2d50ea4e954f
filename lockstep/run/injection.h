/*
 * injection: `lockstep run --inject`: runs the program once without and once with each fault
 * (model/uniform/fault.h), and prints a table of the effects.
 *
 * Classes: detected: error detection, or another check (an access outside every buffer, an undefined
 * instruction, the program killed…: a trap), stopped the run; corrected: the fault was corrected, and the run
 * ended as without it; silent: the exit status of the program or the contents of its buffers after a launch
 * differ; hang: a launch takes eight times as many cycles as the longest without a fault, all its threads
 * wait for each other, or the program launches twice as many kernels; masked: none of these.
 *
 * Faults are drawn from the seed; equal seeds, programs and machines give equal tables. The runs with faults
 * discard the program's output, and each reads standard input from the beginning, if possible.
 */
#ifndef LOCKSTEP_INJECTION_H
#define LOCKSTEP_INJECTION_H

#include "lockstep/run/simulation.h"
#include "model/uniform/fault.h"

struct injection_plan {
    unsigned count[FAULT_PLACE_COUNT]; /* number of faults of each place; all 0: no faults */
    uint64_t seed;
};

#define INJECTION_MAX_FAULTS 1000000 /* limit for one place */

/* Reads "alu=100,irb=5,seed=7". Returns false with a message if it is invalid. */
bool injection_read(struct injection_plan *p, const char *text, char *message, size_t size);
bool injection_wanted(const struct injection_plan *p);
/* Checks that the machine has the places. Returns false with *e (EXIT_USER) otherwise. */
bool injection_check(const struct injection_plan *p, const struct machine_config *c, struct error *e);

/* Observations of a run, for comparison. */
struct injection_witness {
    uint64_t buffers; /* hash of all buffers after every launch */
    unsigned launches;
    uint64_t longest; /* cycles of the longest launch */
    /* Largest number of launches, after which the run is interrupted. */
    unsigned most;
    struct machine *machine;
};

struct injection {
    const struct injection_plan *plan;
    struct fault *counting; /* counts of each cluster in the run without a fault */
    struct injection_witness whole;
};

/* Observe the run without a fault: called before it, and after the simulation is freed. */
void injection_watch(struct injection *j, const struct injection_plan *p, struct simulation *s);
void injection_free(struct injection *j);

/* Runs the program once for each fault, after a sound run without one, and prints the table on standard
 * error. Returns false with *e (EXIT_USER) if it was interrupted or could not continue. */
bool injection_run(struct injection *j, const struct simulation *whole, const struct execution_options *o,
                   const struct tools *tools, char *const argv[], struct error *e);

#endif

/*
 * injection: `lockstep run --inject`: the program runs once whole, then once for each fault
 * (model/uniform/fault.h), and what became of each fault is told in a table.
 *
 * Classes: detected: error detection, or a check that is there anyhow (an access outside every buffer, an
 * undefined instruction, the program killed…: a trap), stopped the run; corrected: it was mended, and all
 * went as without it; silent: the exit status of the program or what is in its buffers after a launch
 * differs; hang: a launch takes eight times as many cycles as the longest without a fault, all its threads
 * wait for each other, or the program launches twice as many kernels; masked: nothing of this.
 *
 * Faults are drawn from the seed; equal seeds, programs and machines give equal tables. The runs
 * with faults throw away what the program prints, and its standard input begins anew in each, if it can.
 */
#ifndef LOCKSTEP_INJECTION_H
#define LOCKSTEP_INJECTION_H

#include "lockstep/simulation.h"
#include "model/uniform/fault.h"

struct injection_plan {
    unsigned count[FAULT_PLACE_COUNT]; /* all 0: no faults */
    uint64_t seed;
};

#define INJECTION_MAX_FAULTS 1000000 /* in one place */

/* Reads "alu=100,irb=5,seed=7". False: a message says what is wrong. */
bool injection_read(struct injection_plan *p, const char *text, char *message, size_t size);
bool injection_wanted(const struct injection_plan *p);
/* Has the machine the places? False and *e (EXIT_USER) otherwise. */
bool injection_check(const struct injection_plan *p, const struct machine_config *c, struct error *e);

/* The observations of a run. */
struct injection_witness {
    uint64_t buffers; /* hash of all buffers after every launch */
    unsigned launches;
    uint64_t longest; /* cycles of a launch */
    unsigned most;    /* launches, then it is interrupted */
    struct machine *machine;
};

struct injection {
    const struct injection_plan *plan;
    struct fault *counting; /* of each cluster, in the run without a fault */
    struct injection_witness whole;
};

/* Before the run without a fault, and after the simulation is freed. */
void injection_watch(struct injection *j, const struct injection_plan *p, struct simulation *s);
void injection_free(struct injection *j);

/* After it, if it was sound: all the faults, and the table on standard error. False and *e (EXIT_USER): not
 * all, it was interrupted or could not go on. */
bool injection_run(struct injection *j, const struct simulation *whole, const struct execution_options *o,
                   const struct tools *tools, char *const argv[], struct error *e);

#endif

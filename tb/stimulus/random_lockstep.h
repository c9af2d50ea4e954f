/*
 * random_lockstep: a block alone, Verilog beside its C model, with the constrained random inputs of
 * tb/stimulus; and a failure of it made small.
 *
 * The inputs of a cycle are what the stimuli make of random numbers, from a state of the generator on. A
 * failure is made small in these: cycles are left out, and numbers replaced by such as activate less, as long
 * as something fails. So the inputs stay such as a cluster could give.
 */
#ifndef TB_RANDOM_LOCKSTEP_H
#define TB_RANDOM_LOCKSTEP_H

#include "tb/stimulus/sizes.h"
#include "tb/twins/twin.h"

struct stimulus_block;

#define RANDOM_LOCKSTEP_CORNERS 16 /* of a block, at most */

struct random_lockstep {
    const struct stimulus_block *block;
    struct rtl_size size;
    uint64_t seed; /* of the inputs */
    int initial;   /* seed of what has no value at reset */
    struct twin twin;
    const struct twin_port *different; /* the first signal that does; NULL after a failure: see the twin */
    uint64_t corners;                  /* of the latest cycle: bit n is the n-th */
    uint64_t reached[RANDOM_LOCKSTEP_CORNERS]; /* cycles of random_lockstep_run() with each corner */
};

/* The block that this Verilog module is, or is made for; NULL: there is none. Its name; all names. */
const struct stimulus_block *random_lockstep_find(const char *module, size_t length);
const char *random_lockstep_names(void);
const struct twin_block *random_lockstep_twin(const struct stimulus_block *b);

/* Returns the name of a block's n-th corner, a rare case of its inputs and state; NULL if there are no more.
 * *exists: blocks of this size have the case. */
const char *random_lockstep_corner(const struct stimulus_block *b, unsigned n, const struct rtl_size *size,
                                   bool *exists);

/* block, size, seed and initial are filled in. With `freely` the Verilog is held to its slot's contract only.
 * False and *e (EXIT_USER) if it cannot be built. */
bool random_lockstep_open(struct random_lockstep *r, const struct verilated_request *request, bool freely,
                          struct error *e);
void random_lockstep_close(struct random_lockstep *r);

struct random_failure {
    uint64_t found;          /* the cycle of the random inputs */
    bool lost;               /* the same inputs do not fail again: the Verilog has state that no reset sets */
    bool reduced;            /* false: it could not be repeated from its last cycles; the twin is as it was */
    unsigned cycles;         /* the small one: from a reset to the failure; */
    uint64_t active, before; /* values of inputs that are not 0 in them, and were in all cycles until then */
};

#define RANDOM_LOCKSTEP_TRACED 1000000 /* cycles before a failure from which it is repeated */

/* True: so many cycles were sound. Else *f, and the twin is as after the small failure, whose cycles count
 * from 0: with its history, and what differs. */
bool random_lockstep_run(struct random_lockstep *r, uint64_t cycles, struct random_failure *f);

/* Writes what Verilator has counted in this twin, which was built with its coverage. False: it was not. */
bool random_lockstep_coverage(const struct random_lockstep *r, const char *path);

/* The inputs of so many cycles as one number, the same for the same seed, whatever ran before: for tests. */
uint64_t random_lockstep_digest(struct random_lockstep *r, unsigned cycles);

#endif

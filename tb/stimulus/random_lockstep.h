/* random_lockstep: a single block, as Verilog and as C model, with the constrained random inputs of
 * tb/stimulus; and the reduction of a failure.
 *
 * The inputs of a cycle are a function of random numbers, drawn from a state of the generator. To reduce a
 * failure, cycles are removed and numbers replaced by others with less activity, as long as the sequence
 * fails. The inputs thus remain possible in a cluster. */
#ifndef TB_RANDOM_LOCKSTEP_H
#define TB_RANDOM_LOCKSTEP_H

#include "tb/stimulus/sizes.h"
#include "tb/twins/twin.h"

struct stimulus_block;

#define RANDOM_LOCKSTEP_CORNERS 16 /* limit of corners for a block */

struct random_lockstep {
    const struct stimulus_block *block;
    struct rtl_size size;
    uint64_t seed; /* seed of the inputs */
    int initial;   /* seed of values that no reset sets */
    struct twin twin;
    const struct twin_port *different;         /* first signal that differs; NULL after another failure: see
                                                * the twin */
    uint64_t corners;                          /* corners of the latest cycle, bit n for the n-th */
    uint64_t reached[RANDOM_LOCKSTEP_CORNERS]; /* cycles of random_lockstep_run() with each corner */
};

/* Find the block that a Verilog module is, or replaces (NULL if none); all names; the description of its
 * twin. */
const struct stimulus_block *random_lockstep_find(const char *module, size_t length);
const char *random_lockstep_names(void);
const struct twin_block *random_lockstep_twin(const struct stimulus_block *b);

/* Returns the name of a block's n-th corner, a rare case of its inputs and state; NULL if there are no more.
 * *exists: blocks of this size have the case. */
const char *random_lockstep_corner(const struct stimulus_block *b, unsigned n, const struct rtl_size *size,
                                   bool *exists);

/* The caller fills in block, size, seed and initial. With `freely`, the Verilog only has to obey the contract
 * of its slot. Returns false with *e (EXIT_USER) if it cannot be built. */
bool random_lockstep_open(struct random_lockstep *r, const struct verilated_request *request, bool freely,
                          struct error *e);
void random_lockstep_close(struct random_lockstep *r);

struct random_failure {
    uint64_t found;          /* failing cycle of the random inputs */
    bool lost;               /* the same inputs do not fail again: the Verilog has state that no reset sets */
    bool reduced;            /* false: the last cycles do not reproduce the failure; the twin is unchanged */
    unsigned cycles;         /* cycles of the reduced sequence, from a reset to the failure */
    uint64_t active, before; /* numbers of inputs that are not 0, in the reduced sequence and in all original
                              * cycles */
};

#define RANDOM_LOCKSTEP_TRACED 1000000 /* limit of cycles before a failure that reduction starts from */

/* Runs random cycles. Returns true if none failed. Otherwise fills *f and leaves the twin as after the
 * reduced failure (cycles count from 0), with its history and the difference. */
bool random_lockstep_run(struct random_lockstep *r, uint64_t cycles, struct random_failure *f);

/* Writes Verilator's coverage of a twin that was built with it. Returns false otherwise. */
bool random_lockstep_coverage(const struct random_lockstep *r, const char *path);

/* Returns a hash of the inputs of some cycles, which depends only on the seed; for tests. */
uint64_t random_lockstep_digest(struct random_lockstep *r, unsigned cycles);

#endif

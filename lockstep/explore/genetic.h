/*
 * genetic: a search for the front of two objectives, both minimised: NSGA-II (K. Deb, A. Pratap, S. Agarwal,
 * T. Meyarivan: A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II, IEEE Transactions on
 * Evolutionary Computation 6(2), 2002).
 *
 * An individual is a combination of values, numbered as in sweep.h: the first field varies slowest. Parents
 * are chosen from all individuals so far, by non-dominated sorting and crowding distance. No combination is
 * chosen twice. The only state of a search are its individuals and its seed, so that it can continue after
 * any interruption.
 *
 * Debian has no such library for C (pagmo is for C++).
 */
#ifndef LOCKSTEP_GENETIC_H
#define LOCKSTEP_GENETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct genetic_individual {
    size_t combination;
    double
        objective[2]; /* values to be minimised; both INFINITY if the combination is impossible, or failed */
};

struct genetic_space {
    const size_t *counts; /* number of values of each field */
    size_t fields;
};

/* Chooses the next generation: combinations that are not among the `count` individuals, whose order does not
 * matter. Returns their number: `children`, or fewer if the space has no others. */
size_t genetic_next(const struct genetic_space *space, const struct genetic_individual *individuals,
                    size_t count, size_t children, uint64_t seed, size_t *next);

struct genetic_member {
    struct genetic_individual individual;
    size_t rank;     /* number of the front: 0 if not dominated; n if dominated only by individuals of lower
                        fronts */
    double distance; /* crowding distance within its front; INFINITY at the ends */
    bool taken;
};

/* Fills `best` with up to `most` individuals: front by front, within a front by falling crowding distance.
 * Returns their number. */
size_t genetic_select(const struct genetic_individual *individuals, size_t count, size_t most,
                      struct genetic_member *best);

#endif

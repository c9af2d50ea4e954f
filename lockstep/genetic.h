/*
 * genetic: a search for the front of two objectives, both to be small: NSGA-II (K. Deb, A. Pratap, S.
 * Agarwal, T. Meyarivan: A Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II, IEEE Transactions on
 * Evolutionary Computation 6(2), 2002).
 *
 * An individual is a combination of values, numbered as in sweep.h: the first field varies slowest. Parents
 * are chosen from all individuals so far, by non-dominated sorting and crowding distance. No combination is
 * chosen twice. So a search has no state but its individuals and its seed, and continues after anything.
 *
 * Debian has no library of this for C (pagmo is for C++).
 */
#ifndef LOCKSTEP_GENETIC_H
#define LOCKSTEP_GENETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct genetic_individual {
    size_t combination;
    double objective[2]; /* both INFINITY: the combination is not possible, or failed */
};

struct genetic_space {
    const size_t *counts; /* values of each field */
    size_t fields;
};

/* Chooses the next generation: combinations that are not among the `count` individuals, whose order does not
 * matter. Returns how many: `children`, or fewer if the space has no others. */
size_t genetic_next(const struct genetic_space *space, const struct genetic_individual *individuals,
                    size_t count, size_t children, uint64_t seed, size_t *next);

struct genetic_member {
    struct genetic_individual individual;
    size_t rank;     /* of its front: 0, no individual dominates it; 1, only individuals of front 0; … */
    double distance; /* crowding distance within its front; INFINITY at the ends */
    bool taken;
};

/* Fills `best` with up to `most` of the individuals: front by front, within a front by falling crowding
 * distance. Returns how many. */
size_t genetic_select(const struct genetic_individual *individuals, size_t count, size_t most,
                      struct genetic_member *best);

#endif

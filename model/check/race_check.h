/*
 * race_check: data races of a launch (docs/checks.md): two work-items access a common byte, one of them
 * writes it, and nothing orders the two accesses.
 *
 * Ordered are: accesses of one work-item; accesses of a work-group on two sides of a barrier that fences
 * their memory; and all accesses before an atomic operation with those of a work-item after its own atomic
 * operation has read another's value. Atomic operations do not race with each other.
 *
 * The shadow has for each word of local memory and of buffers the last write and the last read: work-item,
 * interval, memory instruction. An interval contains a work-group's accesses between two barriers, or up to
 * the next atomic operation that orders accesses. Intervals are numbered upwards over all launches, so that
 * marks of earlier launches, or of earlier work-groups in local memory, are recognised by their numbers. A
 * word that is accessed in parts has a record for each byte.
 *
 * Known inaccuracies: only the last write and one of the last readers are kept, so that some of many races on
 * one word are not counted. An atomic operation orders more than it should: later races may be missed. Scalar
 * threads are not watched.
 */
#ifndef MODEL_CHECK_RACE_CHECK_H
#define MODEL_CHECK_RACE_CHECK_H

#include "model/check/access.h"

#define RACE_PAIRS 256 /* pairs of places of a launch that are kept apart */

/* One of the two accesses of a race. */
struct race_side {
    uint32_t pc;
    bool store, atomic;
    uint32_t group; /* linear number of the work-group */
    uint32_t item;  /* linear number in its work-group */
};

/* Races of two instructions: data of the first. */
struct race_pair {
    struct race_side side[2]; /* earlier access; later access */
    uint32_t address;         /* first byte that both access */
    bool local;               /* the word is in local memory */
    bool other;               /* side[0] is another work-item than the named one, which has also read */
    uint64_t count;           /* accesses that race with an access of the other instruction */
    uint64_t equal; /* subset of `count`: stores of the value that another work-item stored by the same
                       instruction */
};

struct race_check;

/* `slots`: largest number of work-groups in flight. */
struct race_check *race_check_create(unsigned slots);
void race_check_destroy(struct race_check *r);

void race_check_launch(struct race_check *r, const struct machine_launch *l);
/* Reports that a work-group begins in a slot. */
void race_check_group(struct race_check *r, unsigned slot, uint64_t number);
/* Reports that the work-group's threads leave the barrier at pc. */
void race_check_barrier(struct race_check *r, unsigned slot, uint32_t pc);
void race_check_access(struct race_check *r, unsigned slot, const struct checked_access *a);

/* Returns the pairs of the last launch in the order in which they were found; *more: pairs beyond RACE_PAIRS,
 * which are not kept. */
const struct race_pair *race_check_pairs(const struct race_check *r, size_t *count, uint64_t *more);

#endif

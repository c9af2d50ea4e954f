/*
 * outside: --tolerate-outside: accesses outside every buffer, and writes to read-only ones, are let pass, and
 * told of.
 *
 * For programs that read a little beside their buffers, or write one that they have declared read-only, which
 * goes unnoticed on hardware: what lies outside is zero until a kernel writes it, and stays written for the
 * rest of the run. Known inaccuracies: an access partly in a buffer is a fault all the same; what lies
 * outside is apart from other cores' stacks and local memories; a buffer created there begins with its own
 * contents.
 */
#ifndef LOCKSTEP_OUTSIDE_H
#define LOCKSTEP_OUTSIDE_H

#include "model/machine/machine.h"

struct outside {
    struct memory *memory; /* NULL: such accesses are faults */
    struct memory_outside state;
    struct outside_place { /* of an access that was told of */
        char *kernel;
        uint32_t pc;
    } * places;
    size_t place_count;
};

/* From now on. *o must stay where it is until outside_end(). False and *e (EXIT_USER) if the host has no
 * address space for it. */
bool outside_begin(struct outside *o, struct memory *memory, struct error *e);
void outside_end(struct outside *o);

/* After a launch: says on standard error which such access was its first, if there was one and that place
 * of the kernel has not been told of. */
void outside_report(struct outside *o, const struct machine_launch *launch);

#endif

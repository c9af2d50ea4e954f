/*
 * outside: --tolerate-outside: accesses outside every buffer, and writes to read-only ones, are allowed and
 * reported.
 *
 * For programs that read a little beyond their buffers, or write one that they have declared read-only,
 * without effect on hardware: bytes outside are 0 until a kernel writes them, and keep their value for the
 * rest of the run. Known inaccuracies: an access partly in a buffer is still a fault; bytes outside do not
 * overlap other cores' stacks and local memories; a buffer created there later begins with its own contents.
 */
#ifndef LOCKSTEP_OUTSIDE_H
#define LOCKSTEP_OUTSIDE_H

#include "model/machine/machine.h"

struct outside {
    struct memory *memory; /* NULL: such accesses are faults */
    struct memory_outside state;
    struct outside_place { /* place of an access that has been reported */
        char *kernel;
        uint32_t pc;
    } * places;
    size_t place_count;
};

/* Allows such accesses from now on. *o must not move until outside_end(). Returns false with *e (EXIT_USER)
 * if the host has no address space for it. */
bool outside_begin(struct outside *o, struct memory *memory, struct error *e);
void outside_end(struct outside *o);

/* Reports on standard error the first such access of a launch, if that place of the kernel is new. */
void outside_report(struct outside *o, const struct machine_launch *launch);

#endif

/*
 * outside: --tolerate-outside: accesses outside every buffer, and writes to read-only ones, are allowed and
 * reported.
 *
 * The option is for programs that read a little beyond their buffers, or write a buffer that they have
 * declared read-only, without effect on hardware. Bytes outside buffers are 0 until a kernel writes them, and
 * keep their value for the rest of the run. Known inaccuracies: an access partly in a buffer is still a
 * fault. Bytes outside do not overlap other cores' stacks and local memories. A buffer created there later
 * begins with its own contents.
 */
#ifndef LOCKSTEP_OUTSIDE_H
#define LOCKSTEP_OUTSIDE_H

#include "model/machine/machine.h"

struct outside {
    struct memory *memory; /* NULL: accesses outside buffers are faults */
    struct memory_outside state;
    struct outside_place { /* location of an access that has been reported */
        char *kernel;
        uint32_t pc;
    } * places;
    size_t place_count;
};

/* Allows accesses outside buffers from now on. *o must not move until outside_end(). Returns false with *e
 * (EXIT_USER) if the host has no address space for them. */
bool outside_begin(struct outside *o, struct memory *memory, struct error *e);
void outside_end(struct outside *o);

/* Reports on standard error the first such access of a launch, if its location in the kernel is new. */
void outside_report(struct outside *o, const struct machine_launch *launch);

#endif

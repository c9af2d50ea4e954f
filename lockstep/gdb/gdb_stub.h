/*
 * gdb_stub: `lockstep run --gdb`: gdb's remote serial protocol for the kernels of a run.
 *
 * The first instruction of the first launch waits for gdb. While gdb has stopped the machine, simulated time
 * does not advance: some threads of a warp have executed an instruction, the others have not. A thread that
 * is stepped executes its instruction alone, before the others of its warp. Threads that reach a breakpoint
 * together stop one after the other. Cycles and results are the same as without gdb, until gdb writes
 * registers or memory.
 *
 * For gdb, a launch of another program image is an exec. The stub supplies the images (vFile). During the
 * run, a folder below /tmp contains the sources that the program has passed to OpenCL.
 *
 * Known inaccuracy: gdb removes its breakpoints while it steps one thread off a breakpoint. If that thread
 * was stepped there, instructions of other warps miss the breakpoints meanwhile.
 */
#ifndef LOCKSTEP_GDB_GDB_STUB_H
#define LOCKSTEP_GDB_GDB_STUB_H

#include "model/machine/machine.h"
#include "runtime/session.h"

struct gdb_stub;

/* Creates a stub that listens at `port`; 0: any free port. `session` is that of the run, needed for going
 * back; with NULL gdb cannot go back. Returns NULL with *e (EXIT_USER) if there is no port. */
struct gdb_stub *gdb_stub_create(struct machine *m, struct session *session, unsigned port, struct error *e);
/* Tells gdb the exit status of the run, which has ended. */
void gdb_stub_finish(struct gdb_stub *g, int status);
void gdb_stub_destroy(struct gdb_stub *g); /* NULL: nothing */

#endif

/*
 * gdb_stub: `lockstep run --gdb`: gdb's remote serial protocol for the kernels of a run.
 *
 * The first instruction of the first launch waits for gdb. While gdb has stopped the machine, simulated time
 * stands: an instruction has been executed for some threads of its warp, and not for the others. A thread
 * that is stepped executes its instruction alone, before the others of its warp; threads that come to a
 * breakpoint together stop one after the other. Cycles and results are those of a run without gdb, until gdb
 * writes registers or memory.
 *
 * A launch of another program image is to gdb an exec. Images come from the stub (vFile); the sources that
 * the program has passed to OpenCL are put into a folder below /tmp while the run lasts.
 *
 * Known inaccuracies: gdb takes its breakpoints out while one thread steps from one; if that thread has been
 * stepped there, instructions of other warps pass them meanwhile.
 */
#ifndef LOCKSTEP_GDB_GDB_STUB_H
#define LOCKSTEP_GDB_GDB_STUB_H

#include "model/machine/machine.h"
#include "runtime/session.h"

struct gdb_stub;

/* Port 0: any that is free. session: of the run, for going back; NULL: gdb cannot. NULL and *e (EXIT_USER)
 * if there is no port. */
struct gdb_stub *gdb_stub_create(struct machine *m, struct session *session, unsigned port, struct error *e);
/* The run has ended: tells gdb its exit status. */
void gdb_stub_finish(struct gdb_stub *g, int status);
void gdb_stub_destroy(struct gdb_stub *g); /* NULL: nothing */

#endif

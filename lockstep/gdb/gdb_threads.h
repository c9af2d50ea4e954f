/*
 * gdb_threads: the threads of a machine as gdb sees them, with registers and memory. In SIMT mode a thread is
 * a live work-item, in MIMD mode a core that runs work-items one after the other. Its number, from 1, is that
 * of its place in the machine: the next work-item in that place is the same thread to gdb.
 */
#ifndef LOCKSTEP_GDB_GDB_THREADS_H
#define LOCKSTEP_GDB_GDB_THREADS_H

#include "model/machine/machine.h"

#define GDB_MOST_THREADS 4096 /* in a list; of a larger machine those of one cluster */

/* Registers as gdb numbers them, and as the description of the target says. */
enum { GDB_PC = 15, GDB_CPSR = 25, GDB_D0 = 26, GDB_FPSCR = 42, GDB_REGISTERS };
extern const char gdb_target_description[];

struct cluster;
struct simt;
struct sm;

/* An instruction of threads of one warp that is being executed. */
struct gdb_warp {
    unsigned cluster, warp;
    uint32_t pc;
    struct arm_instruction *i; /* NULL: there is none */
    struct arm_threads *threads;
    uint64_t participating, done; /* done: threads that have executed it */
    struct arm_execution *x;
};

struct gdb_threads {
    struct machine *machine;
    struct gdb_warp now;
};

unsigned gdb_threads_of_warp(const struct gdb_threads *g, unsigned cluster, unsigned warp, unsigned position);
unsigned gdb_threads_of_core(const struct gdb_threads *g, const struct cluster *c, unsigned core);

/* Whether there is such a thread now. */
bool gdb_threads_live(const struct gdb_threads *g, unsigned thread);
/* Live threads in ascending order: all, or those of the cluster of thread `near`. Returns how many. */
unsigned gdb_threads_list(const struct gdb_threads *g, unsigned near, unsigned list[GDB_MOST_THREADS]);
/* Gives the global id of the work-item of a thread of a warp. */
void gdb_threads_item(const struct gdb_threads *g, unsigned thread, uint32_t id[3]);
/* "item (37,0,0) warp 1 lane 5 of work-group (0,0,0)". */
void gdb_threads_name(const struct gdb_threads *g, unsigned thread, char *text, size_t size);
/* Unit that a thread's local memory belongs to: cluster or core. */
unsigned gdb_threads_unit(const struct gdb_threads *g, unsigned thread);
/* The unit of a thread, as cluster or SM (the other is NULL), and its warp. */
struct gdb_place {
    const struct simt *unit;
    const struct cluster *cluster;
    const struct sm *sm;
    unsigned warp;
};
struct gdb_place gdb_threads_place(const struct gdb_threads *g, unsigned thread);

/* Bytes of a register; 0: there is none. */
unsigned gdb_threads_register_bytes(unsigned number);
/* A live thread's register. Setting the PC to another value is refused. */
uint64_t gdb_threads_get(const struct gdb_threads *g, unsigned thread, unsigned number);
bool gdb_threads_set(const struct gdb_threads *g, unsigned thread, unsigned number, uint64_t value);

/* Copies bytes of memory as a live thread sees it; returns how many, from the first on, there are. */
uint32_t gdb_threads_read(const struct gdb_threads *g, unsigned thread, uint32_t address, uint8_t *bytes,
                          uint32_t size);
/* False, and nothing is written, if a byte is nowhere or may not be written. */
bool gdb_threads_write(const struct gdb_threads *g, unsigned thread, uint32_t address, const uint8_t *bytes,
                       uint32_t size);

#endif

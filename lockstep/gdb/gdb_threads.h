/*
 * gdb_threads: the threads of a machine as gdb sees them, with registers and memory. In SIMT mode a thread is
 * a live work-item; in MIMD mode it is a core, which runs work-items one after the other. The number of a
 * thread, from 1, is that of its hardware context. The next work-item in the same context is the same thread
 * for gdb.
 */
#ifndef LOCKSTEP_GDB_GDB_THREADS_H
#define LOCKSTEP_GDB_GDB_THREADS_H

#include "model/machine/machine.h"

/* Largest number of threads in a list. A list of a larger machine has the threads of one cluster. */
#define GDB_MOST_THREADS 4096

/* Numbers of registers in gdb and in the description of the target. */
enum { GDB_PC = 15, GDB_CPSR = 25, GDB_D0 = 26, GDB_FPSCR = 42, GDB_REGISTERS };
extern const char gdb_target_description[];

struct cluster;
struct simt;

/* An instruction of a warp in execution. */
struct gdb_warp {
    unsigned cluster, warp;
    uint32_t pc;
    struct arm_instruction *i; /* NULL if there is none */
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

/* Returns whether the thread exists now. */
bool gdb_threads_live(const struct gdb_threads *g, unsigned thread);
/* Lists live threads in ascending order: all, or those of the cluster of thread `near`. Returns their
 * number. */
unsigned gdb_threads_list(const struct gdb_threads *g, unsigned near, unsigned list[GDB_MOST_THREADS]);
/* Writes the global id of the work-item that a thread of a warp executes to id[]. */
void gdb_threads_item(const struct gdb_threads *g, unsigned thread, uint32_t id[3]);
/* Writes "item (37,0,0) warp 1 lane 5 of work-group (0,0,0)". */
void gdb_threads_name(const struct gdb_threads *g, unsigned thread, char *text, size_t size);
/* Returns the unit whose local memory the thread uses: a slot of a work-group, or a core. */
unsigned gdb_threads_unit(const struct gdb_threads *g, unsigned thread);
/* The meaning of a thread's number. */
struct gdb_place {
    struct simt *unit; /* NULL: nothing */
    struct core *core; /* core in MIMD mode; NULL in SIMT mode */
    unsigned warp, position;
};
struct gdb_place gdb_threads_place(const struct gdb_threads *g, unsigned thread);

/* Returns the bytes of a register; 0 if the register does not exist. */
unsigned gdb_threads_register_bytes(unsigned number);
/* Return or set a register of a live thread. Another value for the PC is refused. */
uint64_t gdb_threads_get(const struct gdb_threads *g, unsigned thread, unsigned number);
bool gdb_threads_set(const struct gdb_threads *g, unsigned thread, unsigned number, uint64_t value);

/* Copies bytes of memory as a live thread sees it. Returns the number of bytes, from the first on, that
 * exist. */
uint32_t gdb_threads_read(const struct gdb_threads *g, unsigned thread, uint32_t address, uint8_t *bytes,
                          uint32_t size);
/* Writes bytes of memory. Returns false without writing if a byte does not exist or is read-only. */
bool gdb_threads_write(const struct gdb_threads *g, unsigned thread, uint32_t address, const uint8_t *bytes,
                       uint32_t size);

#endif

/*
 * lockstep: Lockstep's models for other benches, in C and C++ (docs/library.md).
 *
 * - Each block of the machine, with the ports and parameters of its Verilog: lockstep/BLOCK.h.
 * - A whole machine that runs compiled kernels, at once or in steps, and shows in every cycle what a block of
 *   a cluster gets and does:
 *
 *     lockstep_create() · lockstep_buffer() for each buffer · for each launch: lockstep_kernel(), the
 * arguments in their order, then lockstep_run(), or lockstep_begin() and lockstep_step() until it returns
 * false, and lockstep_end() · lockstep_destroy()
 *
 * A function that fails returns NULL, false or 0, and lockstep_error() says why; a mistake of the bench never
 * ends the process. One thread at a time may use a handle; different handles have nothing in common.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <lockstep/blocks.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- version and errors --- */

/* The ABI of this header. A library with another one has another soname. */
#define LOCKSTEP_ABI 0

/* Returns "1.2.3 (COMMIT)". */
const char *lockstep_version(void);

/* Returns the message of the latest function of this thread that failed: a text of one or more lines. */
const char *lockstep_error(void);

/* --- a whole machine --- */

struct lockstep_machine;

/* Builds a machine. config: path of a YAML file, or NULL or "" for the base machine; settings: "FIELD=VALUE"
 * separated by blanks, or NULL; image: path of the output of `lockstep-cc -o IMAGE KERNELS.cl`, or NULL or ""
 * for a machine whose kernels are those of a program (lockstep_program()). */
struct lockstep_machine *lockstep_create(const char *config, const char *settings, const char *image);
/* Destroys a machine; stops a launch in steps or on a design. A checker must still be destroyed. NULL is
 * allowed. */
void lockstep_destroy(struct lockstep_machine *m);

/* Creates a buffer of 1 byte or more, all 0. Returns its address on the device, and in *host its memory,
 * which host and kernels share until the machine is destroyed. */
uint32_t lockstep_buffer(struct lockstep_machine *m, uint32_t size_bytes, uint8_t **host);
/* Does the same for memory of the caller, which must not move until the machine is destroyed. */
uint32_t lockstep_buffer_of(struct lockstep_machine *m, uint8_t *host, uint32_t size_bytes);

/* Selects the kernel of the next launch, and forgets earlier arguments. */
bool lockstep_kernel(struct lockstep_machine *m, const char *name);
/* Set the next argument: a value, an address in a buffer, or `size_bytes` bytes of local memory. */
bool lockstep_value(struct lockstep_machine *m, const void *value, size_t size_bytes);
bool lockstep_pointer(struct lockstep_machine *m, uint32_t address);
bool lockstep_local(struct lockstep_machine *m, uint32_t size_bytes);

/* Numbers of all work-items and of those in a work-group, in up to three dimensions; 0 counts as 1. */
struct lockstep_range {
    uint32_t global[3], local[3];
};

/* Runs a launch to its end. The kernel's printf goes to standard output. */
bool lockstep_run(struct lockstep_machine *m, const struct lockstep_range *range);

/* Begins a launch in steps, in which the blocks of one cluster are visible. SIMT mode, machines with
 * contexts: tpm. */
bool lockstep_begin(struct lockstep_machine *m, const struct lockstep_range *range, unsigned cluster);
/* Continues to the next cycle in which the cluster evaluates the block ("warp_scheduler"). Returns false if
 * the launch has ended, or there is no such block; lockstep_end() reports which. */
bool lockstep_step(struct lockstep_machine *m, const char *block, uint64_t *cycle);
/* Returns the block of that cluster, for the _read function of its header: after a step, with its ports and
 * flip-flops in that cycle, before the edge. NULL if there is none, or no launch has begun. */
const void *lockstep_block(const struct lockstep_machine *m, const char *block);
/* Ends a launch in steps, running it to its end if necessary. */
bool lockstep_end(struct lockstep_machine *m);

/* --- commit checking: a design that executes launches itself --- */

/* The design may have any microarchitecture: it reports the instructions that it commits. A reference
 * executes the same instructions in a memory of its own. The first difference between the two is reported
 * with its kernel, source line, thread and register.
 *
 *     lockstep_create(), with mode=mimd in the settings for cores, mode=simt for warps of simt.warp_size
 *     threads · a launch: lockstep_kernel() and its arguments, or lockstep_program() and
 *     lockstep_program_launch() · lockstep_checker_create() · lockstep_commit() until
 *     lockstep_checker_running() is false · lockstep_checker_end()
 *
 * A core begins at the start-up code, takes work-groups from the co-processor, and calls the kernel's twin
 * for each; it ends with WFI. A warp is started by lockstep_checker_start() at the kernel's thunk; its
 * threads end with the co-processor's exit. */

/* Starts an OpenCL program, unmodified, on a machine without an image and without buffers. argv: its name,
 * looked up on PATH, and its arguments, then NULL; the caller must keep it until the program has ended. */
bool lockstep_program(struct lockstep_machine *m, char *const argv[]);
/* Continues to the program's next launch; ends that of a checker, whose functions then fail. Returns false if
 * the program has ended, which lockstep_program_end() reports. */
bool lockstep_program_launch(struct lockstep_machine *m);
/* Waits for the program's end, or ends it if it has a launch. *status: its exit status, 128 and more if a
 * signal ended it. */
bool lockstep_program_end(struct lockstep_machine *m, int *status);

struct lockstep_checker;

/* Begins a launch of fewer than 2^32 work-items on a design with `units` cores or warps, at most 256. range:
 * NULL for a program's launch. */
struct lockstep_checker *lockstep_checker_create(struct lockstep_machine *m,
                                                 const struct lockstep_range *range, unsigned units);
/* Ends the launch, which fails for the program unless all work-items have ended without a difference. NULL is
 * allowed. */
void lockstep_checker_destroy(struct lockstep_checker *c);
/* Returns the threads of a unit: 1 of a core, simt.warp_size of a warp. A row of values has as many. */
unsigned lockstep_checker_threads(const struct lockstep_checker *c);
/* Returns whether any work-item, or any started core, has not ended. */
bool lockstep_checker_running(const struct lockstep_checker *c);
/* Returns whether all work-items have ended, and the design's memory equals the reference's. */
bool lockstep_checker_end(struct lockstep_checker *c);

/* Starts a warp, whose earlier threads have ended: thread k is work-item first_item + k of the work-group,
 * counted in the order of x, y, z, if there is one. */
bool lockstep_checker_start(struct lockstep_checker *c, unsigned unit, const uint32_t group[3],
                            uint32_t first_item);

/* Registers, as numbers and as bits of a mask: r0 to r14, s0 to s31 from 16 on, and these. */
#define LOCKSTEP_NZCV  48 /* flags, in bits 31 to 28 */
#define LOCKSTEP_FPSCR 49

/* Return the reference's state, with which the design begins: the address of the thread's next instruction,
 * or 1 if the thread has ended; a register. */
uint32_t lockstep_checker_pc(const struct lockstep_checker *c, unsigned unit, unsigned thread);
uint32_t lockstep_checker_register(const struct lockstep_checker *c, unsigned unit, unsigned thread,
                                   unsigned number);
/* Returns the design's memory at an address, as this core or warp sees it: code, arguments, buffers, its
 * local memory and stacks. NULL if there is none. This is the memory that the program's host sees. */
uint8_t *lockstep_checker_memory(struct lockstep_checker *c, unsigned unit, uint32_t address,
                                 uint32_t size_bytes);
/* Returns the co-processor's answer to an MRC. A core that asks for its next work-group gets one. */
uint32_t lockstep_checker_coprocessor(struct lockstep_checker *c, unsigned unit, unsigned thread,
                                      uint32_t instruction);

enum lockstep_commit_kind {
    LOCKSTEP_EXECUTED, /* the reference executes the instruction and compares */
    LOCKSTEP_LOADED, /* the same for a load, but the design's values are taken: they depend on other cores or
                        warps */
    LOCKSTEP_SKIPPED /* the reference does not execute the instruction: it takes the values */
};

/* Instructions that a core or warp has committed. */
struct lockstep_committed {
    uint32_t unit;         /* number of the core or warp */
    uint32_t pc;           /* address of the first instruction */
    uint32_t instructions; /* number of instructions merged into this commit; 0 counts as 1. For several, only
                              values are compared */
    uint32_t kind;         /* enum lockstep_commit_kind */
    uint64_t mask;         /* a bit for each thread at pc */
    uint64_t passed;       /* threads whose condition held */
    uint64_t destinations; /* a bit for each register written by passed threads */
    const uint32_t *values;    /* a row for each destination, lowest first: element k belongs to thread k */
    const uint32_t *addresses; /* loads and stores: a row of lowest addresses; NULL: unknown */
    const uint32_t *data;      /* stores: a row for each word; NULL: unknown */
};

/* Commits instructions in the order of the array. Returns false if an instruction differs
 * (lockstep_checker_difference()) or cannot be executed; the instructions before it have been committed.
 * After a difference every commit fails, until lockstep_checker_rewind(). */
bool lockstep_commit(struct lockstep_checker *c, const struct lockstep_committed *committed, size_t count);
/* Returns the number of instructions committed without a difference. */
uint64_t lockstep_commits(const struct lockstep_checker *c);

/* Describes the first difference. */
struct lockstep_difference {
    const char *kernel, *file; /* file "?" if unknown */
    unsigned line;
    uint32_t pc;
    unsigned unit, thread;
    uint32_t group[3], item[3]; /* ids of the work-group and, for warps, the work-item */
    const char *what;           /* "r3", "the address", "the PC" */
    uint32_t design, reference; /* value in the design; value in the reference */
};
/* Fills *d; the text is in lockstep_error(). Returns false if there is no difference. */
bool lockstep_checker_difference(const struct lockstep_checker *c, struct lockstep_difference *d);

/* Undoes the latest `instructions` committed instructions of the core or warp with the difference, and the
 * stores of the instruction that differs: in both memories and in the reference's registers. The latest 64
 * instructions can be undone. The design can then commit them again, starting with the reference's registers.
 * Returns the number of undone instructions. Instructions of other units in between are kept. Useful to
 * narrow a difference down. */
unsigned lockstep_checker_rewind(struct lockstep_checker *c, unsigned instructions);
/* Writes the latest instructions of that core or warp, and the registers before them. */
bool lockstep_checker_print(const struct lockstep_checker *c, unsigned instructions, char *text, size_t size);

/* Returns the cycles of all launches so far. */
uint64_t lockstep_cycles(const struct lockstep_machine *m);
/* Returns a counter over all launches, by its name in `lockstep run --stats`
 * ("cluster0.warp_instructions"). */
bool lockstep_counter(const struct lockstep_machine *m, const char *name, uint64_t *value);

#ifdef __cplusplus
}
#endif

#endif

/*
 * machine: the whole simulated machine: clusters, their co-processors, memory; and kernel launches on it.
 *
 * Clusters take work-groups in parallel, in one simulated time: the machine lets them work cycle by cycle,
 * and within a cycle in the order of their numbers, so that what they share sees requests in that order.
 *
 * A machine is built from a configuration, lives as long as the simulator process and runs one launch at a
 * time. Its cycle count and simulated time run on from launch to launch (nothing passes between them).
 */
#ifndef MODEL_MACHINE_MACHINE_H
#define MODEL_MACHINE_MACHINE_H

#include "model/config/machine_config.h"
#include "model/memory/memory.h"
#include "sim/counter.h"
#include "sim/error.h"
#include "sim/kernel.h"
#include "sim/trace.h"

#include <stddef.h>

struct machine;

/* Code as the machine fetches it; decoded once. Plain data that must outlive every launch that uses it. */
struct machine_code {
    uint32_t text_base, text_bytes;
    const uint8_t *text;
    uint32_t startup, startup_mimd;  /* the cores' start-up code in a SIMT and in a MIMD launch */
    struct arm_instruction *decoded; /* text_bytes / 4 of them: machine_decode() */
    /* Source position of an instruction, for diagnoses; may be NULL. */
    bool (*line)(const void *context, uint32_t pc, const char **file, unsigned *line);
    /* Likewise the functions that hold it, as text behind the position: " in 'f', inlined at k.cl:9 in 'k'".
     */
    void (*callers)(const void *context, uint32_t pc, char *text, size_t size);
    const void *line_context;
    const char *source_name, *source; /* the file that it was compiled from, for reports; may be NULL */
};
void machine_decode(struct machine_code *code); /* fills `decoded` (allocated) */
void machine_code_free(struct machine_code *code);

struct machine_launch {
    const char *kernel; /* name, for reports */
    const struct machine_code *code;
    uint32_t thunk; /* the kernel's entry */
    uint32_t twin;  /* MIMD: runs a whole work-group: void twin(const void *argument_block); 0: none */
    uint32_t twin_stack_bytes; /* stack that the twin needs, and what it needs on top for each work-item of */
    uint32_t twin_item_bytes;  /* a work-group; 0, 0: unknown */
    uint32_t argument_block;   /* its address (in a region of kind MEMORY_LAUNCH or MEMORY_BUFFER) */
    uint32_t work_dim;         /* 1–3 */
    uint32_t global_size[3], local_size[3], global_offset[3]; /* work-items; 1, 1, 0 beyond work_dim */
    uint32_t stack_bytes; /* private memory a work-item needs, as the compiler says; 0: unknown */
    uint32_t local_bytes; /* local memory a work-group uses, at MEMORY_LOCAL_BASE */
};

enum machine_cause { /* every cycle of a launch has exactly one, in a MIMD launch on each core */
#define MACHINE_CAUSES(X)                                                                                    \
    X(EXECUTE, "execute", "a round of a warp instruction starts in the lanes")                               \
    X(OCCUPIED, "occupied", "lanes or core are held by an instruction that takes more than a cycle a round") \
    X(FETCH, "fetch", "the next instruction waits for the L1I or the ITLB")                                  \
    X(OPERANDS, "operands", "the next instruction's operands are being collected")                           \
    X(FRONT_END, "front end", "the next instruction is selected, arbitrated, fetched or decoded")            \
    X(LATENCY, "latency", "no warp, or no instruction of a core, is ready: results are awaited")             \
    X(MEMORY, "memory", "no warp is ready: the next waits for its load or store; a core for its load")       \
    X(MSHR, "mshr", "a round is held because a lane's miss registers are all in use")                        \
    X(TPM, "tpm", "a round is held because the lanes' TPM ports are all in use (stack objects)")             \
    X(BARRIER, "barrier", "no warp is ready: the next was waiting at a barrier")                             \
    X(STARTUP, "start-up", "the cores run the start-up code")                                                \
    X(MODE_SWITCH, "mode switch", "L1D drained or invalidated; entering or leaving SIMT mode")               \
    X(ISSUE, "issue", "MIMD: a core issues an instruction of the kernel")                                    \
    X(BRANCH, "branch", "MIMD: a core has taken a branch")                                                   \
    X(WRITE_BUFFER, "write buffer", "MIMD: a core's store waits for an entry of its write buffer")           \
    X(NO_GROUP, "no work-group", "a core (MIMD) or a cluster has ended its last work-group, another has not")
#define X(id, name, what) MACHINE_CAUSE_##id,
                     MACHINE_CAUSES(X)
#undef X
                         MACHINE_CAUSE_COUNT
};
extern const char *const machine_cause_name[MACHINE_CAUSE_COUNT];
extern const char *const machine_cause_description[MACHINE_CAUSE_COUNT];

#define MACHINE_SHORT_BARRIER_BYTES 700

struct machine_result {
    uint64_t first_cycle, cycles; /* of the launch */
    sim_time start, end;          /* picoseconds */
    uint64_t work_groups, work_items;
    enum machine_mode mode;
    uint32_t units; /* what has a cause in each cycle: SIMT: the clusters; MIMD: their cores */
    uint64_t cause[MACHINE_CAUSE_COUNT]; /* cycles of the units by cause: adds up to cycles × units */
    double host_seconds;                 /* spent simulating it */
    /* The first barrier that opened although work-items of its work-group had ended: kernel, one such
     * work-item, PC and source line; "": none did. */
    char short_barrier[MACHINE_SHORT_BARRIER_BYTES];
};

struct machine *machine_create(const struct machine_config *c, struct error *e);
void machine_destroy(struct machine *m);
struct memory *machine_memory(struct machine *m);
const struct machine_config *machine_configuration(const struct machine *m);
struct counter_registry *machine_counters(struct machine *m);
uint64_t machine_cycle(const struct machine *m);
sim_time machine_time(const struct machine *m);
sim_time machine_time_of(const struct machine *m, uint64_t cycle); /* when the cycle begins */

/* Between launches the host has written `size_bytes` bytes, at least one, of the machine's memory: the next
 * launch finds none of their lines in a cache. Takes no simulated time. */
void machine_host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes);

/* For what runs beside its models (tb/) and for tests. */
struct cluster *machine_cluster(struct machine *m, unsigned index);

/* The largest work-group a launch may have: contexts, and n_tpo ≥ N_reg (machine.md §1); the same in both
 * modes, so that a program that asks for it does the same work. */
uint32_t machine_max_work_group(const struct machine_config *c);

/* The fields that this machine would have to change for work-groups of `items` work-items, as few and as
 * little as can be: "cluster.threads_per_lane=256 l1d.size=65536". False if no machine has room for them;
 * empty if this one has. */
bool machine_room_for(const struct machine_config *c, uint64_t items, char *text, size_t size);

/* Declares the machine's variables in a trace, before the first launch; emits into it in the cycles of the
 * windows, by the machine's count, and costs nothing in the others. The windows (at least one) are in order
 * and neither overlap nor touch; they stay the caller's, for as long as the machine lives. */
struct machine_window {
    uint64_t first, last; /* cycles; last UINT64_MAX: to the end */
};
#define MACHINE_WINDOW_MAX UINT64_C(10000000000000) /* cycles: all have a time at 1 MHz, too */
void machine_trace(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count);

/* Stops the launch in progress (or the next) at its next step: async-signal-safe. */
void machine_interrupt(struct machine *m);
/* Forgets an interrupt that came too late for the launch it was meant for. */
void machine_clear_interrupt(struct machine *m);
/* The running launch calls this about every 50 ms of host time (for a progress line); may be NULL. so_far
 * holds first_cycle, cycles, start, end, host_seconds and the work-groups and work-items completed up to now.
 */
typedef void machine_progress_function(void *context, const struct machine_launch *launch,
                                       const struct machine_result *so_far);
void machine_on_progress(struct machine *m, machine_progress_function *f, void *context);

/* Limits the cycles of one launch: a launch that would take more stops with EXIT_PROGRAM_FAULT. 0: no limit.
 */
void machine_set_max_cycles(struct machine *m, uint64_t cycles);

/* Visits every cycle instead of skipping those in which nothing happens: slower, else without any effect. */
void machine_set_exact_steps(struct machine *m, bool exact);

/* Stops a launch with EXIT_PROGRAM_FAULT when a thread ends at another priority than the outermost: a mistake
 * of whoever placed the priority operations. */
void machine_set_check_levels(struct machine *m, bool check);

/* Compares, after every instruction, what the machine takes for uniform (uniform.storage) in all threads of
 * the warp; one that differs is a panic. */
void machine_set_check_uniform(struct machine *m, bool check);

/* Counts redundant operations (redundancy.h) from the next launch on: as counters, in scope redundancy of
 * each cluster, which are registered now. Once, before the first launch. */
void machine_count_redundancy(struct machine *m);

/* Where the cycles of a launch went by instruction of its code. The cycles of its result's causes that are
 * not here went to no instruction of the kernel: start-up code, mode switches, cores without work-group. */
struct machine_profile {
    uint64_t cycles[MACHINE_CAUSE_COUNT]; /* SIMT: of the cluster; MIMD: of all cores */
    uint64_t executions;                  /* SIMT: for a thread whose PC matched; MIMD: by a core */
};
/* Profiles launches from the next on; off at first. Changes nothing else. */
void machine_set_profiling(struct machine *m, bool on);
/* Of the launch that ended last, text_bytes / 4 of its code, until the next begins. NULL: not profiled. */
const struct machine_profile *machine_profile(const struct machine *m);

/* Runs a launch to its end. False and *e with a diagnosis in the program's terms otherwise:
 * EXIT_PROGRAM_FAULT (fault, deadlock, cycle limit, foreign stack…: kernel, work-item, PC, source line),
 * EXIT_USER when interrupted (what each warp or core was doing) or the kernel has no twin for MIMD mode. The
 * sizes must have been checked (local sizes divide global sizes, work-group ≤ machine_max_work_group(),
 * local_bytes ≤ the limit). *r is filled in both cases.
 */
bool machine_run(struct machine *m, const struct machine_launch *launch, struct machine_result *r,
                 struct error *e);

/* What the start-up code reads (MRC p7, c7, c0, 1): the launch block, little-endian words at its address. */
struct machine_launch_block {
    uint32_t mode;      /* enum machine_mode */
    uint32_t kernel_pc; /* thunk (SIMT) or twin (MIMD) */
    uint32_t argument_block;
    uint32_t stack_top;  /* TOS of core 0's stack segment: SP of context j is TOS − j·stack_size */
    uint32_t stack_size; /* bytes per thread, a power of two */
    uint32_t
        stack_segment; /* bytes between the TOS of one core and the next: core i has TOS + i·stack_segment */
    uint32_t core_stack_top; /* first SP of core 0 itself; core i has core_stack_top + i·core_stack_size */
    uint32_t core_stack_size;
    uint32_t lane_map;        /* 0 block, 1 cyclic */
    uint32_t work_group_size; /* work-items */
    uint32_t local_size[3];
    uint32_t printf_buffer; /* 0: none */
};

#endif

/*
 * run_record: the results of a run, launch by launch, for the report and the statistics.
 */
#ifndef LOCKSTEP_RUN_RECORD_H
#define LOCKSTEP_RUN_RECORD_H

#include "model/machine/machine.h"

struct launch_record {
    char *kernel;
    uint32_t work_dim, global_size[3], local_size[3];
    bool whole; /* the launch ran to its end */
    struct machine_result result;
    bool chosen; /* mode auto chose the mode, for these reasons */
    struct machine_choice choice;
    uint64_t warp_instructions, thread_instructions;
    uint64_t core_instructions;   /* instructions of cores in MIMD mode: start-up code, twins */
    uint64_t kernel_instructions; /* instructions of kernels among core_instructions */
    uint64_t barriers_short;      /* barriers opened after work-items of the group had ended */
    /* Scalarized code: registers of a thread, and of a warp; instructions of the program's code, and the
     * scalar ones among them. */
    uint32_t vectors, scalars, code_instructions, code_scalars;
};

struct run_record {
    struct machine *machine;
    struct launch_record *launches;
    size_t launch_count, launch_capacity;
    uint64_t *values; /* value of every counter after the last launch: see counter_snapshot() */
};

/* Starts a record of the machine's work from now on. */
void run_record_init(struct run_record *r, struct machine *m);
void run_record_free(struct run_record *r);

/* Adds a launch that has just ended, while the counters have its events. Checks the sum of its causes. */
void run_record_add(struct run_record *r, const struct machine_launch *launch,
                    const struct machine_result *result, bool whole);

/* Returns the sum of the counters called `name` over the scopes with the ending `suffix` (".l1i"; "" for
 * every scope). */
uint64_t run_record_sum(const struct run_record *r, const char *suffix, const char *name);

struct run_totals {
    uint64_t cycles, work_groups, work_items;
    uint64_t unit_cycles;  /* sum of the causes: cycles of all units whose cycles have causes */
    bool core_cycles;      /* the units are cores, in at least some launches */
    bool mixed;            /* the units are clusters in other launches */
    bool scheduler_cycles; /* the units are schedulers */
    sim_time time;         /* picoseconds */
    uint64_t cause[MACHINE_CAUSE_COUNT];
    uint64_t kernel_instructions;          /* instructions of cores in MIMD mode */
    double host_seconds, host_cpu_seconds; /* see struct machine_result */
    bool whole;                            /* every launch ran to its end */
};
struct run_totals run_record_totals(const struct run_record *r);

#endif

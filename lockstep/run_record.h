/*
 * run_record: what a run did, launch by launch: what the report and the statistics are made of.
 */
#ifndef LOCKSTEP_RUN_RECORD_H
#define LOCKSTEP_RUN_RECORD_H

#include "model/machine/machine.h"

struct launch_record {
    char *kernel;
    uint32_t work_dim, global_size[3], local_size[3];
    bool whole; /* it ran to its end */
    struct machine_result result;
    bool chosen; /* mode auto chose the mode, because of */
    struct machine_choice choice;
    uint64_t warp_instructions, thread_instructions;
    uint64_t core_instructions; /* of the cores in MIMD mode: start-up code, twins */
    uint64_t barriers_short;    /* opened after work-items of the group had ended */
    /* Of code that was scalarized: registers of a thread, and of a warp; instructions of the program's code,
     * and those of them that are scalar. */
    uint32_t vectors, scalars, code_instructions, code_scalars;
};

struct run_record {
    struct machine *machine;
    struct launch_record *launches;
    size_t launch_count, launch_capacity;
    uint64_t *values; /* of every counter, after the last launch: see counter_snapshot() */
};

/* A record of what the machine does from now on. */
void run_record_init(struct run_record *r, struct machine *m);
void run_record_free(struct run_record *r);

/* Adds a launch that just ended (the counters hold its events now). That its causes add up is checked. */
void run_record_add(struct run_record *r, const struct machine_launch *launch,
                    const struct machine_result *result, bool whole);

/* Sum of the counters called `name` over the scopes that end in `suffix` (".l1i"; "" for every scope). */
uint64_t run_record_sum(const struct run_record *r, const char *suffix, const char *name);

struct run_totals {
    uint64_t cycles, work_groups, work_items;
    uint64_t unit_cycles;  /* of the units whose cycles have causes: what the causes add up to */
    bool core_cycles;      /* the units are cores, at least in some launches; */
    bool mixed;            /* and clusters in others; */
    bool scheduler_cycles; /* or the schedulers of a GPU-like machine; else clusters */
    sim_time time;         /* picoseconds */
    uint64_t cause[MACHINE_CAUSE_COUNT];
    double host_seconds, host_cpu_seconds; /* struct machine_result */
    bool whole;                            /* every launch ran to its end */
};
struct run_totals run_record_totals(const struct run_record *r);

#endif

/*
 * machine_parts: declarations shared by the files of the machine: the machine itself (machine.c), the cycles
 * of a launch (machine_steps.c), a livelock of exclusive stores (model/report/machine_livelock.c).
 */
#ifndef MODEL_MACHINE_MACHINE_PARTS_H
#define MODEL_MACHINE_MACHINE_PARTS_H

#include "model/cluster/cluster.h"
#include "model/machine/machine.h"
#include "model/machine/mimd_memory.h"
#include "model/machine/sms.h"
#include "model/machine/turns.h"
#include "sim/kernel.h"

#include <stdatomic.h>
#include <time.h>

struct machine {
    struct machine_config config; /* `mode` is that of the launch while one runs */
    bool chooses;                 /* the configuration's mode is auto: each launch has its own mode */
    enum machine_mode last;       /* mode of the last launch if `chooses` */
    struct memory memory;
    struct kernel *kernel;
    struct clock *clock;
    struct event *start;
    struct process *process;
    const struct fabric *fabric;
    struct work_group_dispatcher *groups;
    struct exclusive_monitor *monitor;
    struct uncore uncore;
    struct cluster *cluster;
    unsigned clusters; /* number of clusters of the base machine; 0: a GPU-like machine */
    struct sms *sms;   /* NULL: the base machine */
    struct simt *unit[MACHINE_MAX_CLUSTERS]; /* all clusters or SMs */
    unsigned units;
    struct turns turns;  /* next cycle of each cluster */
    struct memory *view; /* SIMT, several clusters: memory as the threads of each cluster see it */
    struct memory *own;  /* parts of each view that no other cluster can change */
    struct counter_registry *counters;
    uint8_t *launch_memory, *local_memory, *stack_memory;
    struct mimd_memory mimd_memory;
    uint32_t stack_size; /* bytes of one thread's stack in stack_memory */
    int stack_region;
    uint64_t first_cycle; /* first cycle of the launch */
    uint64_t cycle;       /* next cycle */
    /* Watch for endless repetition: its state, and the cycle before which the launch is checked next. */
    enum { SPIN_IDLE, SPIN_FIRST, SPIN_STRICT } spin;
    uint64_t spin_at;
    uint64_t max_cycles;
    bool limited;     /* the launch has reached max_cycles */
    uint64_t stop_at; /* cycle; UINT64_MAX: none */
    atomic_bool interrupted;
    machine_progress_function *progress;
    void *progress_context;
    struct machine_recorder recorder; /* all NULL: no recording */

    const struct machine_launch *launch; /* running launch, or NULL */
    struct error *error;
    struct machine_profile *profile;              /* profile of the running or the last launch */
    int64_t *thread_executions, *core_executions; /* counts of the running or the last launch */
    bool profiling, counting;
    struct checks checks;
    const struct debugger *debugger; /* NULL: none */
    const struct observer *observer; /* NULL: none */
    double host_start, host_shown, host_cpu_start;
    uint64_t groups_before;
};

/* The functions in which machines differ, by the way in which their units are connected. */
struct fabric {
    void (*create)(struct machine *m); /* makes units and counters */
    void (*destroy)(struct machine *m);
    void (*host_wrote)(struct machine *m, uint32_t address, uint32_t size_bytes);
    void (*set_exact)(struct machine *m, bool exact);
    void (*trace)(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count);
    /* Returns whether cycle t of a unit is traced. */
    bool (*traced)(struct machine *m, unsigned unit, uint64_t t);
    /* Prepares a launch; m->cycle becomes its first cycle. */
    void (*begin)(struct machine *m, struct machine_result *r);
    void (*run)(struct machine *m, struct error *e);
    /* Steps from cycle t to before `until`. Returns the next cycle with work; UINT64_MAX when all units are
     * done or one has failed. */
    uint64_t (*step)(struct machine *m, uint64_t t, uint64_t until);
    /* Returns the end of the step with cycle t, if steps have fixed ends. NULL: steps end where they must. */
    uint64_t (*end_of_step)(const struct machine *m, uint64_t t);
    /* Endless repetition (machine_spin.c): cycles of a launch before the first check; returns whether new
     * work can begin. NULL: never. */
    uint64_t first_look;
    bool (*work_begins)(const struct machine *m);
    uint64_t (*last)(const struct machine *m); /* returns the last cycle of all steps */
    bool (*is_stuck)(const struct machine *m); /* machine_is_stuck() */
    void (*end)(struct machine *m, struct machine_result *r);
};

/* Begin and end the watch for endless repetition, with a launch. */
void machine_spin_begin(struct machine *m);
void machine_spin_end(struct machine *m);
/* Checks at growing intervals whether the launch repeats for ever (spin_watch.h), in all cycles before
 * m->cycle. Changes nothing that is simulated. If so, m->cycle becomes the cycle in which this is known. */
bool machine_goes_round(struct machine *m);

#define MACHINE_CORE_STACK_BYTES 4096
#define MACHINE_CORE_STACKS_BASE (MEMORY_LAUNCH_BASE + 0x1000)

/* Layout of the private memory of a launch's threads. */
struct stack_layout {
    uint64_t stack_bytes; /* bytes for each thread: a power of two, as small as the kernel allows */
    uint32_t stacks;      /* number of stacks of all threads */
    uint32_t warps;       /* warps of each SM with stacks, the first ones; the others stay empty */
};
struct stack_layout stack_layout_of(const struct machine_config *c, const struct machine_launch *l);

/* The machine's clocked process: runs the launch from m->cycle on, until it ends, has failed or another event
 * in the kernel is pending. context: the machine. */
void machine_process(void *context);

/* Returns the first cycle beyond the launch's limit; UINT64_MAX if there is no limit. */
static inline uint64_t machine_limit(const struct machine *m) {
    const uint64_t most = m->max_cycles ? m->first_cycle + m->max_cycles : UINT64_MAX;
    return most < m->stop_at ? most : m->stop_at;
}

/* Writes a description of the exclusive stores that fail: since when, whose, and which stores keep them from
 * success. */
void machine_describe_failures(const struct machine *m, char *out, size_t size);

/* Maps the private memory of the launch's threads. Returns false with *e if there is no room. */
bool machine_map_stacks(struct machine *m, struct error *e);
/* Runs the launch that the units have begun, until it ends or has failed. */
void machine_run_kernel(struct machine *m, struct error *e);
/* Returns the time of a cycle's edge. context: a clock. */
sim_time machine_edge_time(const void *context, uint64_t cycle);

/* Fills in the launch's results up to now. */
void machine_fill_result(const struct machine *m, struct machine_result *r);

/* Returns a time in seconds. clock: CLOCK_MONOTONIC or CLOCK_PROCESS_CPUTIME_ID. */
double machine_host_now(clockid_t clock);

#endif

/*
 * machine_parts: what the files of the machine share: the machine itself (machine.c), the cycles of a launch
 * (machine_steps.c).
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
    struct machine_config config; /* its mode is that of the launch while one runs */
    bool chooses;                 /* the configuration's mode is auto: each launch has a mode of its own */
    enum machine_mode last;       /* with that: the mode of the last launch */
    struct memory memory;
    struct kernel *kernel;
    struct clock *clock;
    struct event *start;
    struct process *process;
    struct uncore uncore;
    struct cluster *cluster;
    unsigned clusters; /* of the base machine; 0: a GPU-like one, with */
    struct sms *sms;
    struct turns turns;  /* of the clusters: the cycle that each is to step next */
    struct memory *view; /* SIMT, several clusters: what the threads of each see, */
    struct memory *own;  /* and what of it no other cluster can change */
    struct counter_registry *counters;
    uint8_t *launch_memory, *local_memory, *stack_memory;
    struct mimd_memory mimd_memory;
    uint32_t stack_size; /* bytes of one thread's stack, of which stack_memory is made */
    int stack_region;
    uint64_t first_cycle; /* of the launch */
    uint64_t cycle;       /* the cycle to step next */
    uint64_t max_cycles;
    bool limited; /* the launch has reached it */
    atomic_bool interrupted;
    machine_progress_function *progress;
    void *progress_context;

    const struct machine_launch *launch; /* while one runs */
    struct error *error;
    struct machine_profile *profile;              /* of the launch, or of the last one */
    int64_t *thread_executions, *core_executions; /* likewise */
    bool profiling, counting;
    double host_start, host_shown, host_cpu_start;
    uint64_t groups_before;
};

/* Where the threads of a launch have their private memory. */
struct stack_layout {
    uint64_t stack_bytes; /* of a thread: a power of two, as small as the kernel allows */
    uint32_t stacks;      /* of all threads */
    uint32_t warps;       /* of each SM, the first ones, for which there are stacks; the others stay empty */
};
struct stack_layout stack_layout_of(const struct machine_config *c, const struct machine_launch *l);

/* The machine's clocked process: the launch from m->cycle on, until it ends, has failed or something else in
 * the kernel is pending. context: the machine. */
void machine_process(void *context);

/* First cycle of the launch that is too many; UINT64_MAX: none is. */
static inline uint64_t machine_limit(const struct machine *m) {
    return m->max_cycles ? m->first_cycle + m->max_cycles : UINT64_MAX;
}

/* Is cycle t one that waves show? SMs show their cycles themselves. */
static inline bool machine_traced(const struct machine *m, uint64_t t) {
    return m->clusters && cluster_traced(&m->cluster[0], t);
}

/* What the launch has done so far. */
void machine_fill_result(const struct machine *m, struct machine_result *r);

/* Seconds. clock: CLOCK_MONOTONIC or CLOCK_PROCESS_CPUTIME_ID. */
double machine_host_now(clockid_t clock);

#endif

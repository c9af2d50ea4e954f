/*
 * launch: what cores and clusters run: code, a kernel's launch on it; what each cycle of it was for, and what
 * has come of it.
 */
#ifndef MODEL_CORE_LAUNCH_H
#define MODEL_CORE_LAUNCH_H

#include "abi/kernel_features.h"
#include "abi/launch_block.h"
#include "model/arm/arm.h"
#include "sim/time.h"

/* --- code --- */

/* An operand of an instruction, and the register of a warp that holds it: abi/scalar_note.h. */
struct machine_operand {
    uint8_t architectural;
    bool vector;
    uint16_t number;
};
struct machine_scalarized {
    bool scalar;           /* one thread executes it for all */
    uint8_t reads, writes; /* operands: those that are read first */
    uint32_t first;        /* of these among all */
};

/* Code as the machine fetches it; decoded once. Plain data that must outlive every launch that uses it. */
struct machine_code {
    uint32_t text_base, text_bytes;
    const uint8_t *text;
    uint32_t startup, startup_mimd;  /* the cores' start-up code in a SIMT and in a MIMD launch */
    struct arm_instruction *decoded; /* text_bytes / 4 of them: machine_decode() */
    /* For each of them, if threads may stand at different places behind it, where they meet again, 0: nowhere
     * in its function; else MACHINE_TOGETHER. Allocated; NULL: nothing is known. */
    uint32_t *meeting;
    /* What is scalar, of each of them, and all operands. Allocated; NULL: the code was not scalarized. */
    struct machine_scalarized *scalarized;
    struct machine_operand *operands;
    /* Source position of an instruction, for diagnoses; may be NULL. */
    bool (*line)(const void *context, uint32_t pc, const char **file, unsigned *line);
    /* Likewise the functions that hold it, as text behind the position: " in 'f', inlined
     * at k.cl:9 in 'k'". */
    void (*callers)(const void *context, uint32_t pc, char *text, size_t size);
    const void *line_context;
    const char *source_name, *source; /* the file that it was compiled from, for reports; may be NULL */
};

#define MACHINE_TOGETHER 1 /* no address of an instruction */

void machine_decode(struct machine_code *code); /* fills `decoded` (allocated) */
void machine_code_free(struct machine_code *code);

/* The instruction at an address; NULL: it is outside the code, or in the middle of one. */
static inline struct arm_instruction *machine_code_at(const struct machine_code *code, uint32_t pc) {
    const uint32_t offset = pc - code->text_base;
    const uint32_t word = offset >> 2 | offset << 30; /* outside, if unaligned */
    return word < code->text_bytes / 4 ? &code->decoded[word] : NULL;
}

/* --- a launch --- */

#define MACHINE_REASON_BYTES 160

/* Why mode auto runs a launch in the mode that it does. */
struct machine_choice {
    double gain; /* expected natural logarithm of MIMD mode's time over SIMT mode's */
    double feature[MODE_FEATURES_ALL];
    char reason[MACHINE_REASON_BYTES];
};

struct machine_launch {
    const char *kernel;     /* name, for reports */
    enum machine_mode mode; /* chosen for this launch; read only if the configuration's mode is auto */
    const struct machine_choice *choice; /* why in that mode; NULL: nobody chose */
    const struct machine_code *code;
    uint32_t thunk; /* the kernel's entry */
    uint32_t twin;  /* MIMD: runs a whole work-group: void twin(const void *argument_block); 0: none */
    uint32_t twin_stack_bytes; /* stack that the twin needs, and what it needs on top for each work-item of */
    uint32_t twin_item_bytes;  /* a work-group; 0, 0: unknown */
    uint32_t argument_block;   /* its address (in a region of kind MEMORY_LAUNCH or MEMORY_BUFFER) */
    uint32_t work_dim;         /* 1–3 */
    uint32_t global_size[3], local_size[3], global_offset[3]; /* work-items; 1, 1, 0 beyond work_dim */
    uint32_t stack_bytes;      /* private memory a work-item needs, as the compiler says; 0: unknown */
    uint32_t local_bytes;      /* local memory a work-group uses, at MEMORY_LOCAL_BASE */
    uint32_t registers;        /* that a thread of it uses, 1 to ARM_REGISTERS; 0: unknown */
    uint32_t vectors, scalars; /* of code that was scalarized, in its place: of a thread, of a warp */
    const char *scalar_kernel; /* its partner for scalar units (scalar.mode: own); NULL: it has none */
    uint32_t scalar_thunk, scalar_registers; /* likewise, of that; thunk 0: none is to run */
    bool prefetches;    /* it only loads ahead: what it loads outside every buffer is 0 */
    bool scalar_stores; /* it stores: the launch means something else without it */
    bool synchronises;  /* one of the two does with the other: barriers that include the scalar thread */
};

/* Its work-groups in each dimension. */
void machine_launch_groups(const struct machine_launch *l, uint32_t count[3]);

/* --- causes of cycles --- */

/* Every cycle of a launch has exactly one, in a MIMD launch on each core, on a GPU-like machine on each
 * scheduler. Of the base machine: */
enum machine_cause {
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
    X(NO_GROUP, "no work-group",                                                                             \
      "a core (MIMD) or a cluster has ended its last work-group before the launch ends")
/* Of GPU-like machines, besides FETCH, BARRIER and NO_GROUP: an issue, or the first of the others, in this
 * order after the collectors', that stops a warp of the scheduler. */
#define MACHINE_GPU_CAUSES(X)                                                                                \
    X(ISSUE_SP, "issue SP", "an instruction issues to the SPs")                                              \
    X(ISSUE_SFU, "issue SFU", "an instruction issues to the special function units")                         \
    X(ISSUE_LDST, "issue LDST", "an instruction issues to the load-store unit")                              \
    X(COLLECTOR, "collector", "no collector of its unit is free, or a load takes its scalar registers")      \
    X(CONFLICT, "local conflict", "the load-store unit is held by passes of local memory")                   \
    X(REFUSED, "memory refused", "the load-store unit is held by transactions, or since caches take none")   \
    X(AWAITS_LOAD, "awaits load", "a load's result is awaited")                                              \
    X(AWAITS_SFU, "awaits SFU", "a special function unit's result is awaited")                               \
    X(AWAITS_SP, "awaits SP", "an SP's result is awaited")                                                   \
    X(WAR, "WAR", "an older instruction has still to read what this one writes")                             \
    X(DRAIN, "drain", "an exit or a memory barrier awaits the end of what is in flight")                     \
    X(PARTING, "parting", "a branch, a barrier or an exit is in flight")                                     \
    X(NO_WARP, "no warp", "the scheduler has no warp, while its cluster has")
#define X(id, name, what) MACHINE_CAUSE_##id,
    MACHINE_CAUSES(X) MACHINE_BASE_CAUSE_COUNT,
    MACHINE_GPU_FIRST = MACHINE_BASE_CAUSE_COUNT - 1,
    MACHINE_GPU_CAUSES(X)
#undef X
        MACHINE_CAUSE_COUNT
};
/* Can a GPU-like machine, or the base machine, have the cause? */
static inline bool machine_cause_is_of(bool gpu, unsigned cause) {
    const bool shared =
        cause == MACHINE_CAUSE_FETCH || cause == MACHINE_CAUSE_BARRIER || cause == MACHINE_CAUSE_NO_GROUP;
    return gpu ? shared || cause >= MACHINE_BASE_CAUSE_COUNT : cause < MACHINE_BASE_CAUSE_COUNT;
}
extern const char *const machine_cause_name[MACHINE_CAUSE_COUNT];
extern const char *const machine_cause_description[MACHINE_CAUSE_COUNT];

/* What a cycle of a scalar unit is for (scalar.mode own; scalar-unit.md §4.2): each has exactly one. */
#define SCALAR_CAUSES(X)                                                                                     \
    X(ISSUE, "busy", "cycles in which the scalar units issue an instruction")                                \
    X(OCCUPIED, "occupied", "cycles in which an instruction before holds the unit (divisions, doubles)")     \
    X(DEPENDENCY, "dependency", "cycles in which a result is awaited")                                       \
    X(MEMORY, "memory", "cycles in which an access to memory is awaited")                                    \
    X(FETCH, "fetch", "cycles in which the next instruction is awaited, behind a branch, too")               \
    X(BARRIER, "barrier", "cycles in which the threads wait at a barrier")                                   \
    X(EMPTY, "empty", "cycles in which the unit has no thread")
enum scalar_cause {
#define X(id, name, what) SCALAR_CAUSE_##id,
    SCALAR_CAUSES(X) SCALAR_CAUSE_COUNT
#undef X
};
extern const char *const scalar_cause_name[SCALAR_CAUSE_COUNT];
extern const char *const scalar_cause_description[SCALAR_CAUSE_COUNT];

#define MACHINE_SHORT_BARRIER_BYTES 700

/* --- what a launch did --- */

struct machine_result {
    uint64_t first_cycle, cycles; /* of the launch */
    sim_time start, end;          /* picoseconds */
    uint64_t work_groups, work_items;
    enum machine_mode mode;
    uint32_t units; /* what has a cause in each cycle: SIMT: the clusters; MIMD: their cores */
    uint64_t cause[MACHINE_CAUSE_COUNT]; /* cycles of the units by cause: adds up to cycles × units */
    uint32_t scalar_units; /* of all clusters, with scalar threads of the launch; 0: there are none */
    uint64_t scalar_cause[SCALAR_CAUSE_COUNT]; /* the units' own cycles by cause */
    double host_seconds;                       /* that simulating it took, as a clock on the wall says */
    double host_cpu_seconds;                   /* and of the processors: of all threads of this process */
    bool limited;                              /* it was stopped at the limit of machine_set_max_cycles() */
    const char *alone; /* with several host threads: why the launch ran on one; NULL: it did not */
    /* The first barrier that opened although work-items of its work-group had ended: kernel, one such
     * work-item, PC and source line; "": none did. */
    char short_barrier[MACHINE_SHORT_BARRIER_BYTES];
};

/* Where the cycles of a launch went by instruction of its code. The cycles of its result's causes that are
 * not here went to no instruction of the kernel: start-up code, mode switches, cores without work-group. */
struct machine_profile {
    uint64_t cycles[MACHINE_CAUSE_COUNT];       /* SIMT: of the cluster; MIMD: of all cores */
    uint64_t executions;                        /* SIMT: for a thread whose PC matched; MIMD: by a core */
    uint64_t scalar_cycles[SCALAR_CAUSE_COUNT]; /* of scalar units; EMPTY: 0 */
};

/* Cycles that are traced. */
struct machine_window {
    uint64_t first, last; /* cycles; last UINT64_MAX: to the end */
};
#define MACHINE_WINDOW_MAX UINT64_C(10000000000000) /* cycles: all have a time at 1 MHz, too */

#endif

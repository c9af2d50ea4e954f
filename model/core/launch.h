/*
 * launch: code, a launch of a kernel on cores and clusters, the causes of its cycles, and its result.
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
    uint8_t reads, writes; /* number of operands that are read (first in the list) and written */
    uint32_t first;        /* index of the first one in all operands */
};

/* A barrier and the memory that it fences. */
#define MACHINE_FENCE_LOCAL  1u
#define MACHINE_FENCE_GLOBAL 2u
struct machine_fence {
    uint32_t pc;
    unsigned memory;
};

/* Objects that an access may concern, as indices in the launch's objects. */
#define MACHINE_MOST_OBJECTS 16
struct machine_object_set {
    unsigned count; /* 1 to MACHINE_MOST_OBJECTS */
    uint16_t object[MACHINE_MOST_OBJECTS];
};

/* Code in the form that the machine fetches, decoded once. Plain data; must outlive every launch that uses
 * it. */
struct machine_code {
    uint32_t text_base, text_bytes;
    const uint8_t *text;
    bool has_simd;                   /* Advanced SIMD, or registers D16–D31, are used */
    uint32_t startup, startup_mimd;  /* start-up code of the cores in a SIMT and in a MIMD launch */
    struct arm_instruction *decoded; /* text_bytes / 4 instructions, from machine_decode() */
    /* For each instruction after which threads may diverge: the PC at which they reconverge, 0: none in the
     * function. Else MACHINE_TOGETHER. Allocated; NULL: unknown. */
    uint32_t *meeting;
    /* Scalar instructions and operands, for each instruction, and all operands. Allocated; NULL: the code was
     * not scalarized. */
    struct machine_scalarized *scalarized;
    struct machine_operand *operands;
    struct machine_fence *fences; /* fences of the barriers; allocated */
    size_t fence_count;
    /* For each instruction: number, from 1 on, of the set of objects that it may access; 0: unknown.
     * Allocated, as are the sets. NULL: all unknown. */
    uint16_t *object_set;
    struct machine_object_set *object_sets;
    /* Returns the source position of an instruction, for diagnoses; may be NULL. */
    bool (*line)(const void *context, uint32_t pc, const char **file, unsigned *line);
    /* Writes the functions that contain the instruction, as text after the position: " in 'f', inlined at
     * k.cl:9 in 'k'"; may be NULL. */
    void (*callers)(const void *context, uint32_t pc, char *text, size_t size);
    const void *line_context;
    const char *source_name, *source; /* source file, for reports; may be NULL */
    const void *image;                /* ELF file, for debuggers; may be NULL */
    size_t image_bytes;
};

#define MACHINE_TOGETHER 1 /* not an address of an instruction */

/* Return whether threads may diverge at the instruction at pc; the PC at which they reconverge, 0: none. */
static inline bool machine_parts(const struct machine_code *code, uint32_t pc) {
    return code->meeting && code->meeting[(pc - code->text_base) / 4] != MACHINE_TOGETHER;
}
static inline uint32_t machine_meeting(const struct machine_code *code, uint32_t pc) {
    return machine_parts(code, pc) ? code->meeting[(pc - code->text_base) / 4] : 0;
}

void machine_decode(struct machine_code *code); /* fills `decoded` (allocated) */
void machine_code_free(struct machine_code *code);

/* Returns the instruction at an address; NULL if it is outside the code or not a multiple of 4. */
static inline struct arm_instruction *machine_code_at(const struct machine_code *code, uint32_t pc) {
    const uint32_t offset = pc - code->text_base;
    const uint32_t word = offset >> 2 | offset << 30; /* outside the code if unaligned */
    return word < code->text_bytes / 4 ? &code->decoded[word] : NULL;
}

/* Returns the memory that the barrier at pc fences: all if unknown. */
static inline unsigned machine_fences(const struct machine_code *code, uint32_t pc) {
    for (size_t n = 0; n < code->fence_count; ++n)
        if (code->fences[n].pc == pc) return code->fences[n].memory;
    return MACHINE_FENCE_LOCAL | MACHINE_FENCE_GLOBAL;
}

/* Returns the objects that the load or store at pc may access; NULL if unknown. */
static inline const struct machine_object_set *machine_objects_of(const struct machine_code *code,
                                                                  uint32_t pc) {
    const unsigned set = code->object_set ? code->object_set[(pc - code->text_base) / 4] : 0;
    return set ? &code->object_sets[set - 1] : NULL;
}

/* --- a launch --- */

#define MACHINE_REASON_BYTES 160

/* Memory with a name in the source: a variable in local or private memory, or the target of an argument. */
#define MACHINE_OBJECT_DIMENSIONS 4
struct machine_object {
    const char *name;
    uint32_t address, size_bytes;
    bool local;
    bool of_twin;           /* a private variable in MIMD mode; else in SIMT mode */
    uint8_t base;           /* core register from which the address of a private variable is a distance */
    uint32_t stride;        /* distance of the variables of two work-items; 0: there is one */
    unsigned argument;      /* number from 1; 0: a variable */
    const char *file;       /* file of the variable's declaration, NULL if unknown */
    unsigned line;          /* line of the declaration */
    const char *region;     /* buffer of an argument in global memory: "buffer 3" */
    bool write_only;        /* argument in global memory with CL_MEM_WRITE_ONLY */
    uint32_t element_bytes; /* size of an element; 0: unknown */
    unsigned dimensions;
    uint32_t dimension[MACHINE_OBJECT_DIMENSIONS]; /* elements of an array, outermost first */
};

/* Reasons of mode auto for the mode of a launch. */
struct machine_choice {
    double gain; /* expected natural logarithm of MIMD mode's time over SIMT mode's */
    double feature[MODE_FEATURES_ALL];
    char reason[MACHINE_REASON_BYTES];
};

struct machine_launch {
    const char *kernel;     /* name, for reports */
    enum machine_mode mode; /* mode of this launch; read only if the configuration's mode is auto */
    const struct machine_choice *choice; /* reasons for the mode; NULL: not chosen automatically */
    const struct machine_code *code;
    uint32_t thunk; /* entry of the kernel */
    uint32_t twin;  /* MIMD: entry for a whole work-group: void twin(const void *argument_block); 0: none */
    uint32_t twin_stack_bytes; /* stack of the twin, and its growth for each work-item of */
    uint32_t twin_item_bytes;  /* a work-group; 0, 0: unknown */
    uint32_t argument_block;   /* address, in a region of kind MEMORY_LAUNCH or MEMORY_BUFFER */
    uint32_t work_dim;         /* 1–3 */
    uint32_t global_size[3], local_size[3], global_offset[3]; /* work-items; 1, 1, 0 beyond work_dim */
    uint32_t stack_bytes;      /* private memory of a work-item by the compiler; 0: unknown */
    uint32_t local_bytes;      /* local memory of a work-group, at MEMORY_LOCAL_BASE */
    uint32_t registers;        /* registers of a thread, 1 to ARM_REGISTERS; 0: unknown */
    uint32_t vectors, scalars; /* scalarized code, in place of `registers`: of a thread, of a warp */
    const char *scalar_kernel; /* partner kernel for scalar units (scalar.mode: own); NULL: none */
    uint32_t scalar_thunk, scalar_registers; /* entry and registers of the partner; thunk 0: none runs */
    bool prefetches;    /* the partner only loads ahead; its loads outside every buffer return 0 */
    bool scalar_stores; /* the partner stores: the launch has other results without it */
    bool synchronises;  /* kernel or partner synchronises with the other: barriers that include the scalar
                           thread */
    /* For diagnoses and checks; NULL: unknown. First the kernel's variables, then all its arguments,
     * including null pointers (size_bytes 0). */
    const struct machine_object *objects;
    size_t object_count;
};

/* Returns the number of work-groups in each dimension in `count`. */
void machine_launch_groups(const struct machine_launch *l, uint32_t count[3]);
/* Returns the global id of a work-item in dimension d, given its work-group's and its local id. */
static inline uint32_t machine_global_id(const struct machine_launch *l, unsigned d, uint32_t group,
                                         uint32_t local) {
    return group * l->local_size[d] + local + l->global_offset[d];
}

/* --- causes of cycles --- */

/* Every cycle of a launch has exactly one cause: for each cluster or, in a MIMD launch, each core; on a
 * GPU-like machine for each scheduler. Causes of the base machine: */
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
    X(BRANCH, "branch", "MIMD: a core has taken a branch; a superscalar one: has predicted it wrong")        \
    X(WRITE_BUFFER, "write buffer", "MIMD: a core's store waits for an entry of its write buffer")           \
    X(WINDOW, "window", "MIMD: the window of a core out of order is full")                                   \
    X(LSQ, "load-store queue", "MIMD: the load-store queue of a superscalar core is full")                   \
    X(SERIAL, "serial", "MIMD: a superscalar core waits to execute an instruction alone")                    \
    X(NO_GROUP, "no work-group",                                                                             \
      "a core (MIMD) or a cluster has ended its last work-group before the launch ends")
/* Causes of GPU-like machines, in addition to FETCH, BARRIER and NO_GROUP: an issue, or the first of the
 * others, in this order after the collectors', that stops a warp of the scheduler. */
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
/* Returns whether a cycle of a scheduler, or else of a cluster or core, can have the cause. */
static inline bool machine_cause_is_of(bool scheduler, unsigned cause) {
    const bool shared =
        cause == MACHINE_CAUSE_FETCH || cause == MACHINE_CAUSE_BARRIER || cause == MACHINE_CAUSE_NO_GROUP;
    return scheduler ? shared || cause >= MACHINE_BASE_CAUSE_COUNT : cause < MACHINE_BASE_CAUSE_COUNT;
}
extern const char *const machine_cause_name[MACHINE_CAUSE_COUNT];
extern const char *const machine_cause_description[MACHINE_CAUSE_COUNT];

/* Cause of a cycle of a scalar unit (scalar.mode own; scalar-unit.md §4.2); each cycle has exactly one. */
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

/* --- result of a launch --- */

struct machine_result {
    uint64_t first_cycle, cycles; /* cycles of the launch */
    sim_time start, end;          /* picoseconds */
    uint64_t work_groups, work_items;
    enum machine_mode mode;
    uint32_t units; /* units that have a cause in each cycle: clusters (SIMT) or cores (MIMD) */
    uint64_t cause[MACHINE_CAUSE_COUNT]; /* cycles of the units by cause; the sum is cycles × units */
    uint32_t scalar_units; /* scalar units of all clusters with scalar threads of the launch; 0: none */
    uint64_t scalar_cause[SCALAR_CAUSE_COUNT]; /* the units' own cycles by cause */
    double host_seconds;                       /* wall-clock time of the simulation */
    double host_cpu_seconds;                   /* CPU time of all threads of this process */
    bool limited;                              /* stopped at the limit of machine_set_max_cycles() */
    const char *alone; /* why the launch ran on one of several host threads; NULL: it ran on all */
    /* First barrier that opened although work-items of its work-group had ended: kernel, one such work-item,
     * PC and source line; "" if none. */
    char short_barrier[MACHINE_SHORT_BARRIER_BYTES];
};

/* Cycles of a launch for one instruction of its code. Cycles of the result's causes that are in no row belong
 * to no instruction of the kernel: start-up code, mode switches, cores without work-group. */
struct machine_profile {
    uint64_t cycles[MACHINE_CAUSE_COUNT]; /* SIMT: cycles of the cluster; MIMD: of all cores */
    uint64_t executions;                  /* SIMT: executions by threads whose PC matched; MIMD: by cores */
    uint64_t scalar_cycles[SCALAR_CAUSE_COUNT]; /* cycles of scalar units; EMPTY: 0 */
    uint64_t warps;                             /* SIMT: executions by warps */
    uint64_t accesses, lines,
        words;            /* SIMT: accesses to memory except stacks; cache lines and words of each */
    uint64_t bank_cycles; /* cycles that the load-store unit was held longer by conflicts of banks */
};

/* Counts an access of some threads of a warp. */
void machine_profile_access(struct machine_profile *row, uint64_t threads, const uint32_t *address,
                            uint32_t bytes, uint32_t line_bytes);

/* The cycles that are traced. */
struct machine_window {
    uint64_t first, last; /* both inclusive; last UINT64_MAX: to the end */
};
#define MACHINE_WINDOW_MAX UINT64_C(10000000000000) /* cycles; picoseconds fit 64 bits at 1 MHz */

#endif

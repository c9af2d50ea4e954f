/*
 * core: one in-order, single-issue ARM core in MIMD mode (timing.md §7), and the private memory system that
 * the same core's lane uses in SIMT mode.
 *
 * F D X W with full forwarding: one instruction issues a cycle; a result is usable `latency` cycles after
 * issue; a taken branch costs `branch_penalty` cycles; a fetch that misses the L1I waits for the L2. The
 * cluster executes the co-processor's instructions.
 *
 * Loads and stores in a MIMD launch: the address is in X, the L1D in the next cycle. The result of a load
 * that hits is usable after its latency (2: one more than an addition), and the load blocks nothing. A load
 * that misses goes to the L2 and blocks the core until the line arrives, unless fewer than
 * `core.hit_under_miss` loads already wait for lines. A store writes through (l1d.h) and blocks only while a
 * finite write buffer is full. A multiple access makes one access for each register, in order. In a SIMT
 * launch the L1D is the TPM: loads and stores go to the L2, and every load blocks. Every access is made in
 * the cycle in which its instruction or register is in X, so that shared parts see requests in order of time.
 *
 * An access or fetch that misses its TLB waits for a walk (page_walk.h) before it goes to L1D, L1I or L2.
 *
 * WFI in a kernel is a NOP, as the architecture allows and as in SIMT mode; so are WFE, SEV, YIELD and DBG
 * everywhere.
 *
 * Known inaccuracies: an access that crosses into another page, and a multiple access of a core, use the TLB
 * once, for the first page; with hit under miss an instruction does not wait for an earlier load of the
 * register that it writes; a carry that an instruction reads, and FPSCR's control bits, are usable in the
 * next cycle whatever the latency of the instruction that sets them; the base register that a load writes
 * back is usable when its first data are.
 */
#ifndef MODEL_CORE_CORE_H
#define MODEL_CORE_CORE_H

#include "model/arm/arm.h"
#include "model/config/core_kind.h"
#include "model/memory/l1d.h"
#include "model/core/core_record.h"
#include "model/core/launch.h"
#include "model/memory/page_walk.h"
#include "model/memory/tlb.h"

/* --- state --- */

enum core_state {
    CORE_ASLEEP,    /* no launch, or the start-up code has ended it with WFI */
    CORE_RUN,       /* issues instructions */
    CORE_MAINTAIN,  /* drains or invalidates its L1D until `next` */
    CORE_WAIT_SIMT, /* has raised its SIMT-mode register and waits for the end of SIMT mode */
    CORE_STATE_COUNT
};
extern const char *const core_state_name[CORE_STATE_COUNT];

/* A memory instruction in MIMD mode with accesses in later cycles than its issue. */
struct core_access {
    const struct arm_instruction *i; /* NULL: none */
    uint32_t pc, address;
    bool translated;             /* `address` is physical, not the program's */
    bool own;                    /* access to memory that no other core can change */
    unsigned count, done, bytes; /* accesses of the instruction; accesses made; bytes of each */
    uint64_t rest;               /* registers still to be loaded */
    uint64_t result;             /* first cycle in which all loaded data are usable */
    bool branches;
};

struct cluster;
struct core;

struct superscalar;

struct core {
    const struct core_kind *kind;
    struct superscalar *superscalar; /* NULL: the kind is single */
    unsigned index;                  /* number in its cluster */
    struct cluster *cluster;         /* owning cluster, for `starts` */
    /* Starts a context when core_run() reaches an instruction that does so, and returns true. Returns false
     * for other instructions, and for starts that the cluster must see in their cycle. NULL: the cluster sees
     * all starts. */
    bool (*starts)(struct core *c, const struct arm_instruction *i);
    /* Called before an instruction executes; called again if the instruction is then held. NULL: not called.
     */
    void (*executes)(struct core *c, const struct arm_instruction *i);
    /* Called after a load or store has executed in core_run(). If it returns false, the launch has failed,
     * and the run ends. NULL: not called. */
    bool (*accessed)(struct core *c, const struct arm_instruction *i, const struct arm_execution *x);
    enum core_state state;
    uint64_t next;              /* cycle of the next issue (CORE_RUN), or of the end of maintenance */
    struct arm_threads threads; /* positions == 1, rows below */
    struct arm_threads alone;   /* MIMD launches: the same rows with memory that no other core can change
                                   (core_run()); NULL: none */
    uint32_t registers[ARM_NEON_REGISTERS], pc, next_pc, n, z, c, v, q, ge, fpscr;
    uint64_t ready[ARM_RESOURCES]; /* first cycle in which an issue may use each resource */
    uint32_t fetched_line;         /* address >> line shift of the last fetched line; ~0: none */
    uint32_t launch_register[4];
    bool caches_data;   /* MIMD launches: the L1D is a cache */
    bool has_group;     /* MIMD launches: `group` is the id of the running work-group */
    bool in_kernel;     /* MIMD launches: the twin runs, not start-up code */
    uint32_t kernel_pc; /* MIMD launches: entry of the twin; else not a PC */
    uint32_t crossing;  /* entry of the twin, or the address to which it will return */
    uint32_t group[3];
    uint64_t asleep_since; /* first cycle in state CORE_ASLEEP */
    /* Cycles of the start-up code and of the kernel by cause, from the launch's start up to `next`.
     * core_issue() charges `*account`. */
    uint64_t startup_account[MACHINE_CAUSE_COUNT], kernel_account[MACHINE_CAUSE_COUNT], *account;
    uint32_t profiled_pc; /* profiled MIMD launches: PC of the kernel's instruction charged last */
    struct core_access access;
    uint64_t awaited[L2_MAX_MSHRS + 1]; /* first cycles in which the lines that loads wait for are present */
    unsigned awaited_count;
    struct cache l1i;
    struct l1d l1d;
    struct tlb itlb, dtlb;
    struct page_walkers walkers;
    struct private_l2 l2;
    uint32_t local_bytes, local_offset; /* local memory window: size; offset to the memory */
    uint64_t instructions;              /* instructions executed in MIMD mode */
    uint64_t memory_instructions;       /* loads and stores of twins among `instructions` */
    uint64_t told;                      /* 1 + number of instructions before the one that a debugger knows */
    /* Executions of each instruction of the code, minus those of the instruction before it: a run of
     * instructions changes two elements. NULL: not counted. */
    int64_t *executions;
    struct core_record record;
    const struct machine_config *config;
};

/* --- functions --- */

/* Initialises the next core on a cluster's bus. */
void core_init(struct core *c, unsigned index, const struct machine_config *config, struct memory *memory,
               struct snoop_bus *bus);
void core_free(struct core *c);

/* Sets the mode of the next launches, between launches, and empties the L1D. */
void core_set_mode(struct core *c, enum machine_mode mode);

/* Not an address of an instruction. */
#define CORE_NO_PC 1u

/* Cycles of a start of a context beyond those of its class. */
#define CORE_START_CYCLES 1u

/* Starts a launch at cycle t, at the start-up code with the given SP. No data are cached, and no cycle is
 * charged. */
void core_start(struct core *c, uint32_t pc, uint32_t sp, uint64_t t);

/* Issues the instruction at pc if possible, in state CORE_RUN with next == t. CORE_STALLED: `next` is the
 * cycle of the next attempt (an access of the previous instruction may have been made). CORE_ISSUED: *i has
 * executed, and `next`, pc and ready times are set (the cluster executes a co-processor instruction).
 * CORE_FAULTED: *i and *x describe the fault (i NULL: the PC is outside the text or not a multiple of 4). */
static inline enum core_issue core_issue(struct core *c, const struct machine_code *code, uint64_t t,
                                         struct arm_instruction **i, struct arm_execution *x) {
    return c->kind->issue(c, code, t, i, x);
}

/* Returns the address in the machine's memory: each local memory has its own place behind the one window. */
static inline uint32_t core_physical(const struct core *c, uint32_t address) {
    return address - MEMORY_LOCAL_BASE < c->local_bytes ? address + c->local_offset : address;
}

/* Returns the PC of the instruction on which the core works. */
static inline uint32_t core_working_pc(const struct core *c) {
    return c->kind->working_pc(c);
}

/* Switches between start-up code and twin if the PC is at the crossing. */
static inline void core_cross(struct core *c) {
    if (c->pc != c->crossing || c->access.i) return;
    c->in_kernel = !c->in_kernel;
    c->crossing = c->in_kernel ? c->registers[14] : c->kernel_pc;
    c->account = c->in_kernel ? c->kernel_account : c->startup_account;
}

/* Executes instructions in the core's cycles before `horizon`, in state CORE_RUN, with the same results as
 * single steps, and sets `next` to the core's next cycle. Before cycle `turn` no other core does anything
 * visible. From `turn` on, the run continues only with register instructions and with loads and stores of the
 * core's own memory (`alone`) that hit in its caches. The run ends before a fault and before instructions for
 * core_issue() and the cluster: co-processor instructions not taken by `starts`, exclusive accesses, WFI. */
static inline void core_run(struct core *c, const struct machine_code *code, uint64_t turn,
                            uint64_t horizon) {
    const bool calls = c->executes || c->accessed;
    if (c->kind->run && (!calls || c->kind->run_calls)) c->kind->run(c, code, turn, horizon);
}

/* --- fetches and translations --- */

/* Starts a walk after a TLB miss in cycle t. Returns the first cycle in which the translation is present. */
uint64_t core_walk(struct core *c, struct tlb *tlb, uint32_t address, uint64_t t);

/* Looks up an address in cycle t. Returns the first cycle in which the translation is present; t on a hit. */
static inline uint64_t core_translate(struct core *c, struct tlb *tlb, uint32_t address, uint64_t t) {
    return __builtin_expect(tlb_access(tlb, address, t), 1) ? t : core_walk(c, tlb, address, t);
}

/* Makes a fetch that reaches ITLB and L1I in cycle t if the first guess finds it in both. Returns true, with
 * the cycle at whose end the instruction is present. */
static inline bool core_fetch_hits(struct core *c, uint32_t pc, uint64_t t, uint64_t *fetched) {
    if (!tlb_hits(&c->itlb, pc, t) || !cache_find(&c->l1i, pc)) return false;
    tlb_use(&c->itlb, pc);
    ++c->l1i.accesses;
    *fetched = t + c->config->l1i.latency_cycles - 1;
    return true;
}

/* Returns whether ITLB and L1I have the instruction, so that no other core sees the fetch. */
bool core_fetches_alone(const struct core *c, uint32_t pc);

/* Fetches through the core's ITLB and L1I, which the fetch reaches in cycle t. Returns the cycle at whose end
 * the instruction is present (t on a hit). */
uint64_t core_fetch(struct core *c, uint32_t pc, uint64_t t);

#endif

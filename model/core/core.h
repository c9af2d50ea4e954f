/*
 * core: one in-order, single-issue ARM core in MIMD mode (timing.md §7), and the private memory
 * system that the same core's lane uses in SIMT mode.
 *
 * F D X W with full forwarding: one instruction issues a cycle; a result is usable `latency` cycles after
 * issue; a taken branch costs `branch_penalty` cycles; a fetch that misses the L1I waits for the L2. The
 * co-processor's instructions are the cluster's work.
 *
 * Loads and stores in a MIMD launch: address in X, the L1D in the next cycle. A load that hits is usable
 * after its latency (2: one more than an addition) and blocks nothing; one that misses asks the L2 and blocks
 * the core until the line is there, unless fewer than `core.hit_under_miss` loads wait for lines already. A
 * store writes through (l1d.h) and blocks only while a finite write buffer is full. A multiple access is a
 * single one for each register, one after the other. In a SIMT launch the L1D is the TPM: loads and stores go
 * to the L2, and every load blocks. Every access is made in the cycle in which its instruction, or its
 * register's turn, is in X, so that what is shared sees requests in order of time.
 *
 * An access or fetch that misses its TLB waits for a walk (page_walk.h) before it asks L1D, L1I or L2.
 *
 * WFI in a kernel is a NOP, as the architecture allows and as in SIMT mode; so are WFE, SEV, YIELD and DBG
 * everywhere.
 *
 * Known inaccuracies: an access that crosses into another page, and a multiple access of a core, ask the TLB
 * once, for its first page; with hit under miss an instruction does not wait for an earlier load
 * of the register that it writes; a carry that an instruction reads, and FPSCR's control bits, are usable in
 * the next cycle whatever the latency of the instruction that sets them; the base register that a load writes
 * back is usable when its first data are.
 */
#ifndef MODEL_CORE_CORE_H
#define MODEL_CORE_CORE_H

#include "model/arm/arm.h"
#include "model/memory/l1d.h"
#include "model/core/launch.h"
#include "model/memory/page_walk.h"
#include "model/memory/tlb.h"

/* --- state --- */

enum core_state {
    CORE_ASLEEP,    /* no launch, or its start-up code has reached WFI, which ends it */
    CORE_RUN,       /* issues instructions */
    CORE_MAINTAIN,  /* drains or invalidates its L1D until `next` */
    CORE_WAIT_SIMT, /* has raised its SIMT-mode register and waits */
    CORE_STATE_COUNT
};
extern const char *const core_state_name[CORE_STATE_COUNT];

/* A memory instruction in MIMD mode whose accesses do not all happen in the cycle of its issue. */
struct core_access {
    const struct arm_instruction *i; /* NULL: none */
    uint32_t pc, address;
    bool translated;             /* `address` is where the data are, not what the program says */
    bool own;                    /* of memory that no other core can change */
    unsigned count, done, bytes; /* accesses of the instruction, those made, bytes of each */
    uint64_t rest;               /* registers that are still to be loaded */
    uint64_t result;             /* first cycle in which all that was loaded may be used */
    bool branches;
};

struct cluster;

struct core {
    unsigned index;          /* in its cluster */
    struct cluster *cluster; /* whose core it is, for `starts` */
    /* Starts a context where core_run() meets the instruction that does so, true; false: it is another, or
     * one that the cluster must see in its cycle. NULL: all of them are. */
    bool (*starts)(struct core *c, const struct arm_instruction *i);
    enum core_state state;
    uint64_t next;              /* cycle of the next issue (CORE_RUN), or of the end of maintenance */
    struct arm_threads threads; /* positions == 1, rows below */
    struct arm_threads alone;   /* a MIMD launch: the same rows with memory that no other core can change
                                   (core_run()),   NULL: there is none */
    uint32_t registers[ARM_REGISTERS], pc, next_pc, n, z, c, v, q, ge, fpscr;
    uint64_t ready[ARM_RESOURCES]; /* first cycle in which an issue may use them */
    uint32_t fetched_line;         /* address >> line shift of the last line fetched from; ~0: none */
    uint32_t launch_register[4];
    bool caches_data;   /* a MIMD launch: the L1D is a cache */
    bool has_group;     /* a MIMD launch: `group` is the id of the work-group that it runs */
    bool in_kernel;     /* a MIMD launch: runs the twin, not start-up code */
    uint32_t kernel_pc; /* a MIMD launch: where the twin begins; else no PC */
    uint32_t crossing;  /* where it begins, or where it will return to */
    uint32_t group[3];
    uint64_t asleep_since; /* CORE_ASLEEP: first cycle */
    /* Cycles from the launch's start up to `next` by cause: of the start-up code, of the kernel. core_issue()
     * charges the one that `account` points to. */
    uint64_t startup_account[MACHINE_CAUSE_COUNT], kernel_account[MACHINE_CAUSE_COUNT], *account;
    uint32_t profiled_pc; /* a profiled MIMD launch: of the kernel's instruction charged last */
    struct core_access access;
    uint64_t awaited[L2_MAX_MSHRS + 1]; /* lines that loads wait for: first cycles in which they are there */
    unsigned awaited_count;
    struct cache l1i;
    struct l1d l1d;
    struct tlb itlb, dtlb;
    struct page_walkers walkers;
    struct private_l2 l2;
    uint32_t local_bytes, local_offset; /* the local memory window's size; from an address in
                                           it to where the memory is */
    uint64_t instructions;              /* executed in MIMD mode */
    uint64_t memory_instructions;       /* of these, loads and stores of twins */
    /* How often each instruction of the code has been executed, less how often the one before it has been: so
     * that those that follow each other are counted at once. NULL: not counted. */
    int64_t *executions;
    const struct machine_config *config;
};

/* --- functions --- */

/* The next core on a cluster's bus. */
void core_init(struct core *c, unsigned index, const struct machine_config *config, struct memory *memory,
               struct snoop_bus *bus);
void core_free(struct core *c);

/* Between launches: the next ones are SIMT or MIMD launches. The L1D is empty. */
void core_set_mode(struct core *c, enum machine_mode mode);

/* No address of an instruction. */
#define CORE_NO_PC 1u

/* A start of a context takes so many cycles more than its class says. */
#define CORE_START_CYCLES 1u

/* Starts a launch at cycle t: at the start-up code with the given SP; no data cached, no cycle charged. */
void core_start(struct core *c, uint32_t pc, uint32_t sp, uint64_t t);

enum core_issue { CORE_STALLED, CORE_ISSUED, CORE_FAULTED };
/* State CORE_RUN, next == t: issues the instruction at pc if it can. CORE_STALLED: `next` says when to try
 * again (an access of the instruction before may have been made meanwhile). CORE_ISSUED: *i was executed and
 * `next`, pc and ready times are set (a co-processor instruction has only been issued: the cluster carries it
 * out). CORE_FAULTED: *i and *x say what (i NULL: the PC is outside the text or not a multiple of 4). */
enum core_issue core_issue(struct core *c, const struct machine_code *code, uint64_t t,
                           struct arm_instruction **i, struct arm_execution *x);

/* Where an address is in the machine's memory: each local memory has its own place behind the one window. */
static inline uint32_t core_physical(const struct core *c, uint32_t address) {
    return address - MEMORY_LOCAL_BASE < c->local_bytes ? address + c->local_offset : address;
}

/* The PC of what the core does now. */
static inline uint32_t core_working_pc(const struct core *c) {
    return c->access.i ? c->access.pc : c->pc;
}

/* From start-up code into the twin, or back, if the PC is where that happens. */
static inline void core_cross(struct core *c) {
    if (c->pc != c->crossing || c->access.i) return;
    c->in_kernel = !c->in_kernel;
    c->crossing = c->in_kernel ? c->registers[14] : c->kernel_pc;
    c->account = c->in_kernel ? c->kernel_account : c->startup_account;
}

/* State CORE_RUN: makes what comes next in the core's cycles before `horizon`, as if it had been stepped, and
 * lets `next` say when the core goes on. From cycle `turn` on, before which no other core does anything that
 * others see, it ends before what others may see or change: it goes on with instructions on registers, and
 * with loads and stores of the core's own memory (`alone`) that its caches answer. It ends before a fault,
 * and before what core_issue() and the cluster carry out: co-processor instructions but for those that
 * `starts` takes, exclusive accesses, WFI. */
void core_run(struct core *c, const struct machine_code *code, uint64_t turn, uint64_t horizon);

/* --- fetches and translations --- */

/* After a TLB miss in cycle t: the first cycle in which the translation is there. */
uint64_t core_walk(struct core *c, struct tlb *tlb, uint32_t address, uint64_t t);

/* An address is looked up in cycle t: the first cycle in which its translation is there, t on a hit. */
static inline uint64_t core_translate(struct core *c, struct tlb *tlb, uint32_t address, uint64_t t) {
    return __builtin_expect(tlb_access(tlb, address, t), 1) ? t : core_walk(c, tlb, address, t);
}

/* A fetch that reaches ITLB and L1I in cycle t: true, and the cycle at whose end the instruction is there, if
 * the first look says that both have it. */
static inline bool core_fetch_hits(struct core *c, uint32_t pc, uint64_t t, uint64_t *fetched) {
    if (!tlb_hits(&c->itlb, pc, t) || !cache_find(&c->l1i, pc)) return false;
    tlb_use(&c->itlb, pc);
    ++c->l1i.accesses;
    *fetched = t + c->config->l1i.latency_cycles - 1;
    return true;
}

/* A fetch that nobody else sees: of what L1I and ITLB have. */
bool core_fetches_alone(const struct core *c, uint32_t pc);

/* A fetch through this core's ITLB and L1I that reaches them in cycle t: the cycle at whose end the
 * instruction is there (t on a hit). */
uint64_t core_fetch(struct core *c, uint32_t pc, uint64_t t);

#endif

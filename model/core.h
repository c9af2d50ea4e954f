/*
 * core: one in-order, single-issue ARM core in MIMD mode (timing.md, 'MIMD core'), and the private memory
 * system that the same core's lane uses in SIMT mode.
 *
 * F D X W with full forwarding: one instruction issues a cycle; a result is usable `latency` cycles after
 * issue; a taken branch costs `branch_penalty` cycles; a fetch that misses the L1I waits for the L2; a load
 * blocks until its data are there; the write buffer is perfect. In a SIMT launch the L1D is the TPM, so loads
 * and stores go to the L2. The co-processor's instructions are the cluster's work.
 *
 * Known inaccuracies: a TLB miss delays the answer of an access, not its request, which the caches see as if
 * it had hit (so that they see requests in order of time); flags and FPSCR are usable in the next cycle
 * whatever the latency of the instruction that sets them, except for conditions.
 */
#ifndef MODEL_CORE_H
#define MODEL_CORE_H

#include "model/arm.h"
#include "model/cache.h"
#include "model/machine.h"
#include "model/private_l2.h"
#include "model/tlb.h"

enum core_state {
    CORE_ASLEEP,    /* no launch, or WFI reached */
    CORE_RUN,       /* issues instructions */
    CORE_MAINTAIN,  /* drains or invalidates its L1D until `next` */
    CORE_WAIT_SIMT, /* has raised its SIMT-mode register and waits */
    CORE_STATE_COUNT
};
extern const char *const core_state_name[CORE_STATE_COUNT];

struct core {
    unsigned index; /* in its cluster */
    enum core_state state;
    uint64_t next;              /* cycle of the next issue (CORE_RUN), or of the end of maintenance */
    struct arm_threads threads; /* positions == 1, rows below */
    uint32_t registers[ARM_REGISTERS], pc, next_pc, n, z, c, v, q, ge, fpscr;
    uint64_t ready[ARM_REGISTERS], flags_ready; /* first cycle in which an issue may use them */
    uint32_t fetched_line; /* address >> line shift of the last line fetched from; ~0: none */
    uint32_t launch_register[4];
    struct cache l1i;
    struct tlb itlb, dtlb;
    struct private_l2 l2;
    uint64_t instructions; /* executed in MIMD mode */
    const struct machine_config *config;
};

void core_init(struct core *c, unsigned index, const struct machine_config *config, struct memory *memory);
void core_free(struct core *c);

/* Starts a launch at cycle t: at the start-up code with the given SP. */
void core_start(struct core *c, uint32_t pc, uint32_t sp, uint64_t t);

enum core_issue { CORE_STALLED, CORE_ISSUED, CORE_FAULTED };
/* State CORE_RUN, next == t: issues the instruction at pc if it can. CORE_STALLED: `next` says when to try
 * again. CORE_ISSUED: *i was executed and `next`, pc and ready times are set (a co-processor instruction has
 * only been issued: the cluster carries it out). CORE_FAULTED: *i and *x say what (i NULL: the PC is outside
 * the text or not a multiple of 4). */
enum core_issue core_issue(struct core *c, const struct machine_code *code, uint64_t t,
                           struct arm_instruction **i, struct arm_execution *x);

/* A fetch through this core's ITLB and L1I that reaches them in cycle t: the cycle at whose end the
 * instruction is there (t on a hit). */
uint64_t core_fetch(struct core *c, uint32_t pc, uint64_t t);

#endif

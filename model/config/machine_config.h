/*
 * machine_config: every parameter of the simulated machine, with one row of a table for each (machine.md §1,
 * §5; timing.md).
 */
#ifndef MODEL_CONFIG_MACHINE_CONFIG_H
#define MODEL_CONFIG_MACHINE_CONFIG_H

#include "abi/launch_block.h"
#include "model/config/arm_classes.h"
#include "model/replacement/replacement.h"
#include "sim/config.h"

enum pc_policy { PC_ICS_FIRST, PC_MIN_PC, PC_FIRST_READY };
/* Places of threads' registers, and with them kinds of machines (contexts_kind.h). Tables of other rooms have
 * a row for each name of the list. */
enum contexts { CONTEXTS_TPM, CONTEXTS_VRF, CONTEXTS_KINDS };
#define CONTEXTS_LIST(X) X(tpm) X(vrf)
enum issue { ISSUE_BARREL, ISSUE_SCOREBOARD };
enum lanes_kind { LANES_SPATIAL, LANES_TEMPORAL, LANES_SPATIO_TEMPORAL };
/* Features that are off by default with spatial lanes, and on by default with other lanes. */
enum lanes_chaining { CHAINING_BY_KIND, CHAINING_OFF, CHAINING_ON };
enum compaction { COMPACTION_BY_KIND, COMPACTION_NONE, COMPACTION_ROUND };
enum bank_map { BANK_MAP_BY_KIND, BANK_MAP_WARP, BANK_MAP_ROUND };
enum scalar_mode { SCALAR_OFF, SCALAR_OWN, SCALAR_GCN };
enum page_walk { PAGE_WALK_FIXED, PAGE_WALK_MEMORY };
enum multi_issue { MULTI_ISSUE_OFF, MULTI_ISSUE_WARPS, MULTI_ISSUE_ROUNDS };
enum mitigation { MITIGATION_NONE, MITIGATION_SKIP, MITIGATION_SLP, MITIGATION_DPE, MITIGATION_ALT };
enum slp { SLP_OWN, SLP_ANY }; /* lanes that may execute a thread */
/* Priority operations that the compiler puts into kernels. AUTO: all with ICS-First, the only policy that
 * reads the levels; else none. */
enum priority_operations {
    PRIORITY_OPERATIONS_ALL,
    PRIORITY_OPERATIONS_VARYING,
    PRIORITY_OPERATIONS_OFF,
    PRIORITY_OPERATIONS_AUTO
};
enum coalescing { COALESCING_MODERN, COALESCING_SNUCL };
enum scalarize { SCALARIZE_OFF, SCALARIZE_NONE, SCALARIZE_CONVERGENT, SCALARIZE_WIDE };
/* Kinds of partners that the compiler makes. */
enum kernel_scalar {
    KERNEL_SCALAR_OFF,
    KERNEL_SCALAR_PREFETCH,
    KERNEL_SCALAR_EXTRACT,
    KERNEL_SCALAR_DIVERGENCE
};
enum simt_startup { SIMT_STARTUP_LOOP, SIMT_STARTUP_UNROLLED };
enum kernel_math { KERNEL_MATH_TABLE, KERNEL_MATH_CLASSIC };
enum uniform_storage { UNIFORM_NONE, UNIFORM_TOKEN, UNIFORM_SRF };
enum uniform_only {
    UNIFORM_ONLY_NOT,
    UNIFORM_ONLY_ALU,
    UNIFORM_ONLY_MEMORY,
    UNIFORM_ONLY_BRANCHES,
    UNIFORM_ONLY_PRIORITIES,
    UNIFORM_ONLY_IDS
};

/* Write policies of a GPU-like machine's L1D (write_policy.h). */
enum write_policy_kind { WRITE_THROUGH, WRITE_BACK };
enum machine_isa { ISA_VFP, ISA_NEON };
enum coalesce_rule { COALESCE_CC13, COALESCE_CC20 };
enum local_broadcast { LOCAL_BROADCAST_ONE, LOCAL_BROADCAST_ANY };
enum dram_policy { DRAM_FCFS, DRAM_FRFCFS };

enum { MACHINE_OWN_FIELDS = 64 };

struct machine_config {
    uint32_t mode;     /* enum machine_mode, for every launch */
    uint32_t contexts; /* enum contexts: the base machine's, or a GPU-like machine's */
    uint32_t clock_mhz;
    struct {
        uint32_t bandwidth_mb, latency_ns;
    } host;
    struct {
        uint32_t count, lanes, threads_per_lane, stack_size_bytes, local_bytes, isa;
        uint32_t threads, groups, schedulers, sp_groups, sfu_lanes, ldst_lanes; /* contexts: vrf only */
    } cluster;
    struct {
        uint32_t warp_size, priority_levels, scheduler, active_warps, pc_policy, lane_map;
        uint32_t priority_operations, divergence, mitigation, slp, network_cycles, stack_calls;
        uint32_t queue_entries, collectors, arbitrate_cycles;
        uint32_t startup, enter_cycles, leave_cycles, livelock_cycles;
        uint32_t multi_issue;                                /* contexts: tpm only */
        uint32_t issue_width;                                /* contexts: vrf, or multi_issue warps */
        uint32_t issue, fetches, pipeline_depth, compaction; /* contexts: vrf only */
    } simt;
    struct {
        uint32_t kind, group, bound, chaining, free_on_warp_exit, exact_allocation, scalar_unit,
            scalar_registers;
    } lanes;                          /* contexts: vrf only */
    uint32_t own[MACHINE_OWN_FIELDS]; /* own parameters of fillings: own_fields.h */
    struct {
        uint32_t mode, units, registers, clock_divisor, share_groups;
    } scalar; /* contexts: vrf only */
    struct {
        uint32_t registers, banks, bank_map, allocation_unit;
    } vrf;
    struct {
        uint32_t coalescing;
    } mimd;
    struct {
        uint32_t math, ids, scalarize, scalar;
    } kernel;
    struct {
        uint32_t read_ports, write_ports, latency_cycles;
    } tpm;
    struct {
        uint32_t storage, intra, intra_only, inter, broadcast_cycles, srf_registers, irb_entries,
            irb_tag_bits;
    } uniform;
    struct {
        uint32_t kind, branch_penalty_cycles, hit_under_miss;
        uint32_t issue_width, commit_width, integer_units,
            vfp_units; /* superscalar kinds only, as are those below */
        uint32_t fetch_width, fetch_queue, front_stages, window, lsq, predictor_counters, btb_entries;
        uint32_t latency_cycles[ARM_CLASS_COUNT];   /* latency.CLASS: cycles from issue to result */
        uint32_t occupancy_cycles[ARM_CLASS_COUNT]; /* occupancy.CLASS: cycles between rounds or issues */
    } core;
    struct {
        uint32_t cumulative_flags;
    } arm;
    struct machine_cache_config {
        uint32_t size_bytes, ways, line_bytes, latency_cycles, replacement;
    } l1i, l1d, l2, constant;
    struct machine_mshr_config {
        uint32_t mshrs, requests; /* pending misses; requests that wait for each */
    } l1i_misses, l1d_misses, constant_misses;
    uint32_t l1d_write_policy;     /* enum write_policy_kind */
    uint32_t l2_mshrs;             /* for each slice */
    uint32_t write_buffer_entries; /* entries of the L1D's write buffer; 0: it never stalls */
    uint32_t l2_banks, l2_ports;
    struct {
        uint32_t latency_cycles, occupancy_cycles;
    } snoop;
    struct {
        uint32_t hop_cycles, latency_cycles, occupancy_cycles;
    } directory;
    struct {
        uint32_t itlb_entries, dtlb_entries, tlb_replacement, page_walk, tlb_miss_cycles, walkers;
        uint32_t replacement_seed;
        uint32_t latency_cycles, bandwidth_bytes, mshrs;
        uint32_t exclusive_hold_cycles; /* cycles for each thread context of the machine */
        uint32_t exclusive_livelock_cycles;
    } mem;
    struct {
        uint32_t rule;
    } coalesce;
    struct {
        uint32_t overlap, collectors;
    } ldst;
    struct {
        uint32_t size_bytes, banks, broadcast, latency_cycles;
    } local;
    struct {
        uint32_t clock_mhz, share, flit_bytes, latency_cycles, queue_packets;
    } icnt;
    struct machine_dram_config {
        uint32_t clock_mhz, channels, policy, queue_entries, pipe_cycles;
        uint32_t banks, row_bytes, burst_bytes, burst_cycles;
        uint32_t rcd, rp, cl, ras, rrd, rc, ccd, wl, cdlr, wr; /* cycles of the command clock */
    } dram;
};

extern const struct config_table machine_config_table;

/* Returns false with *e on a GPU-like machine, which does not support `what` (an option or a command). */
bool machine_config_is_base(const struct machine_config *c, const char *what, struct error *e);

/* Returns the number of 32-bit registers of a thread: N_reg of machine.md §1. */
static inline uint32_t machine_registers(const struct machine_config *c) {
    return c->cluster.isa == ISA_NEON ? ARM_NEON_REGISTERS : ARM_REGISTERS;
}

/* Returns the priority operations of kernels for this machine; never AUTO. */
enum priority_operations machine_priority_operations(const struct machine_config *c);

/* Returns whether threads of a warp may be in several flights at the same time. */
bool machine_runs_apart(const struct machine_config *c);

/* Returns the distance in bytes of two local memories, which follow MEMORY_LOCAL_BASE: whole pages. */
static inline uint32_t machine_local_stride(const struct machine_config *c) {
    return (c->cluster.local_bytes + 4095) / 4096 * 4096;
}

#endif

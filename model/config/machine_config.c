#include "model/config/machine_checks.h"

#include "model/config/core_kind.h"
#include "model/config/core_kinds.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/lanes_config.h"
#include "model/config/limits.h"
#include "model/config/own_fields.h"
#include "model/config/scalar_config.h"
#include "model/config/scheduler_kind.h"
#include "model/config/scheduler_policy.h"
#include "model/replacement/replacement_kind.h"

/* The last arguments of a row are its source and, if any, its conditions. */
#define FIELD(member) offsetof(struct machine_config, member)
#define NUMBER(name, member, low, high, value, unit, description, ...)                                       \
    {                                                                                                        \
        name, CONFIG_UNSIGNED, FIELD(member), low, high, false, value, NULL, NULL, unit, description,        \
            .source = __VA_ARGS__                                                                            \
    }
#define POWER(name, member, low, high, value, unit, description, ...)                                        \
    {                                                                                                        \
        name, CONFIG_UNSIGNED, FIELD(member), low, high, true, value, NULL, NULL, unit, description,         \
            .source = __VA_ARGS__                                                                            \
    }
#define FLAG(name, member, value, description, ...)                                                          \
    {                                                                                                        \
        name, CONFIG_FLAG, FIELD(member), 0, 0, false, value, NULL, NULL, "", description,                   \
            .source = __VA_ARGS__                                                                            \
    }
#define CHOICE(name, member, names, value, description, ...)                                                 \
    {                                                                                                        \
        name, CONFIG_CHOICE, FIELD(member), 0, 0, false, value, names, NULL, "", description,                \
            .source = __VA_ARGS__                                                                            \
    }
/* The names are files, and each has a description of its own. */
#define ROWS(name, member, names, doc, value, description, ...)                                              \
    {                                                                                                        \
        name, CONFIG_CHOICE, FIELD(member), 0, 0, false, value, names, doc, "", description,                 \
            .source = __VA_ARGS__                                                                            \
    }

static const char *const modes[] = {"simt", "mimd", "auto", NULL};
static const char *const pc_policies[] = {"ics_first", "min_pc", "first_ready", NULL};
static const char *const priority_operations[] = {"all", "varying", "off", "auto", NULL};
static const char *const coalescings[] = {"modern", "snucl", NULL};
static const char *const startups[] = {"loop", "unrolled", NULL};
static const char *const kernel_maths[] = {"table", "classic", NULL};
static const char *const page_walks[] = {"fixed", "memory", NULL};
const char *const machine_multi_issues[] = {"off", "warps", "rounds", NULL};
const char *const machine_mitigations[] = {"none", "skip", "slp", "dpe", "alt", NULL};
static const char *const slps[] = {"own", "any", NULL};
const char *const machine_lane_maps[] = {"block", "cyclic", "balanced", NULL};
static const char *const kinds[] = {"all", "alu", "memory", "branches", "priorities", "ids", NULL};
const char *const machine_storages[] = {"none", "token", "srf", NULL};
static const char *const contexts_kinds[] = {"tpm", "vrf", NULL};
static const char *const issues[] = {"barrel", "scoreboard", NULL};
static const char *const by_kind[] = {"by_kind", "off", "on", NULL};
static const char *const bank_maps[] = {"by_kind", "warp", "round", NULL};
static const char *const compactions[] = {"by_kind", "none", "round", NULL};
static const char *const scalarizes[] = {"off", "none", "convergent", "wide", NULL};
static const char *const kernel_ids[] = {"coprocessor", "computed", NULL};
static const char *const coalesce_rules[] = {"cc13", "cc20", NULL};
static const char *const local_broadcasts[] = {"one", "any", NULL};
static const char *const dram_policies[] = {"fcfs", "frfcfs", NULL};
static const char *const write_policies[] = {"write_through", "write_back", NULL};
static const char *const isas[] = {"vfp", "neon", NULL};
static const char *const off_on[] = {"off", "on", NULL};

#define TABLE2  "dual-mode Table 2"
#define OPEN    "open in the paper; the most ordinary value"
#define SIMT    "mode=simt,auto"
#define MIMD    "mode=mimd,auto"
#define TPM     "contexts=tpm"
#define VRF     "contexts=vrf"
#define PATH    TPM " " SIMT /* fields of the co-processor */
#define PCS     SIMT " simt.divergence=pc"
#define SEVERAL TPM " cluster.count>1"
#define BOARD   VRF " simt.issue=scoreboard"
#define GPU     "gpu-like.md §1", VRF
#define SCALAR  "scalar-unit.md §4, §4.1"
#define LANES   "spatio-temporal-simt; lanes.md §1, §2", VRF
#define OF_L1D  TABLE2, VRF "|" MIMD
#define TABLE3  "dual-mode Table 3"
#define OF_A7   "open in the paper: published pipelines of Cortex-A7 and A15"
#define SINGLE  TPM " core.kind=single"
#define WIDE    TPM " core.kind=in_order,out_of_order"
#define WINDOW  TPM " core.kind=out_of_order"
#define ISSUES  "|simt.multi_issue=warps,rounds" /* fields that the lanes read, too */
#define NEON    TPM " cluster.isa=neon"
#define GCC_A7  "GCC's scheduling description of Cortex-A7"

/* Latency and occupancy of each class in cycles, from cortex-a7.md of GCC; a multiple access takes one cycle
 * a register. Advanced SIMD has a datapath of 64 bits. */
enum {
    LATENCY_ALU = 1,
    LATENCY_SHIFT = 1,
    LATENCY_MULTIPLY = 2,
    LATENCY_DIVIDE = 5,
    LATENCY_BRANCH = 1,
    LATENCY_LOAD = 2,
    LATENCY_STORE = 1,
    LATENCY_LOAD_MULTIPLE = 2,
    LATENCY_STORE_MULTIPLE = 1,
    LATENCY_VFP_MOVE = 4,
    LATENCY_VFP_ADD_SINGLE = 4,
    LATENCY_VFP_ADD_DOUBLE = 4,
    LATENCY_VFP_MULTIPLY_SINGLE = 4,
    LATENCY_VFP_MULTIPLY_DOUBLE = 7,
    LATENCY_VFP_CHAINED_SINGLE = 8,
    LATENCY_VFP_CHAINED_DOUBLE = 11,
    LATENCY_VFP_DIVIDE_SINGLE = 16,
    LATENCY_VFP_DIVIDE_DOUBLE = 31,
    LATENCY_NEON_INTEGER = 4,
    LATENCY_NEON_INTEGER_QUAD = 4,
    LATENCY_NEON_MULTIPLY = 4,
    LATENCY_NEON_MULTIPLY_QUAD = 4,
    LATENCY_NEON_FLOAT = 4,
    LATENCY_NEON_FLOAT_QUAD = 4,
    LATENCY_NEON_CHAINED = 8,
    LATENCY_NEON_CHAINED_QUAD = 8,
    LATENCY_NEON_LOAD = 2,
    LATENCY_NEON_STORE = 1,
    LATENCY_COPROCESSOR = 1,
    LATENCY_HINT = 1,
    OCCUPANCY_ALU = 1,
    OCCUPANCY_SHIFT = 1,
    OCCUPANCY_MULTIPLY = 1,
    OCCUPANCY_DIVIDE = 5,
    OCCUPANCY_BRANCH = 1,
    OCCUPANCY_LOAD = 1,
    OCCUPANCY_STORE = 1,
    OCCUPANCY_LOAD_MULTIPLE = 1,
    OCCUPANCY_STORE_MULTIPLE = 1,
    OCCUPANCY_VFP_MOVE = 1,
    OCCUPANCY_VFP_ADD_SINGLE = 1,
    OCCUPANCY_VFP_ADD_DOUBLE = 1,
    OCCUPANCY_VFP_MULTIPLY_SINGLE = 1,
    OCCUPANCY_VFP_MULTIPLY_DOUBLE = 4,
    OCCUPANCY_VFP_CHAINED_SINGLE = 1,
    OCCUPANCY_VFP_CHAINED_DOUBLE = 4,
    OCCUPANCY_VFP_DIVIDE_SINGLE = 14,
    OCCUPANCY_VFP_DIVIDE_DOUBLE = 29,
    OCCUPANCY_NEON_INTEGER = 1,
    OCCUPANCY_NEON_INTEGER_QUAD = 2,
    OCCUPANCY_NEON_MULTIPLY = 1,
    OCCUPANCY_NEON_MULTIPLY_QUAD = 2,
    OCCUPANCY_NEON_FLOAT = 1,
    OCCUPANCY_NEON_FLOAT_QUAD = 2,
    OCCUPANCY_NEON_CHAINED = 1,
    OCCUPANCY_NEON_CHAINED_QUAD = 2,
    OCCUPANCY_NEON_LOAD = 1,
    OCCUPANCY_NEON_STORE = 1,
    OCCUPANCY_COPROCESSOR = 1,
    OCCUPANCY_HINT = 1,
};

/* On GPU-like machines the load-store unit determines the time of an access, not the class, except for scalar
 * threads. */
#define IS_ACCESS(class)                                                                                     \
    ((class) == ARM_CLASS_LOAD || (class) == ARM_CLASS_STORE || (class) == ARM_CLASS_LOAD_MULTIPLE ||        \
     (class) == ARM_CLASS_STORE_MULTIPLE)

static const struct config_field fields[] = {
    CHOICE(
        "mode", mode, modes, MODE_SIMT,
        "how kernels run: work-items as threads of warps (simt), a whole work-group on each core (mimd), or "
        "each launch in the mode that is expected to be faster (auto)",
        "dual-mode 5.2; machine.md §2; docs/modes.md"),
    CHOICE("contexts", contexts, contexts_kinds, CONTEXTS_TPM,
           "where threads' registers are: in the L1 data caches of a cluster of cores, or in the vector "
           "register file of a GPU-like machine, which has no cores and no MIMD mode",
           "machine.md §5; gpu-like.md"),
    NUMBER("cluster.clock_mhz", clock_mhz, 1, 100000, 1000, "MHz", "clock of cores, co-processor and caches",
           TABLE2),
    NUMBER("host.bandwidth", host.bandwidth_mb, 0, 100000000, 0, "MB/s",
           "a command that moves bytes (read, write, copy, fill, map, unmap) takes their number by it, in "
           "profiles; 0: no time",
           "for the program's profile only: the clusters stand still meanwhile"),
    NUMBER("host.latency", host.latency_ns, 0, 1000000000, 0, "ns",
           "and this long besides, however few bytes it moves", "for the program's profile only"),
    NUMBER("cluster.count", cluster.count, 1, MACHINE_MAX_CLUSTERS, 1, "clusters", "clusters of the machine",
           "dual-mode Table 2; 5.4.2"),
    POWER("cluster.lanes", cluster.lanes, 1, MACHINE_MAX_LANES, 4, "lanes", "cores of a cluster: SIMD_width",
          TABLE2),
    POWER("cluster.threads_per_lane", cluster.threads_per_lane, 1, TPM_MAX_CONTEXTS, 128, "contexts",
          "thread contexts of each lane: N_ct", TABLE2, TPM),
    CHOICE("cluster.isa", cluster.isa, isas, ISA_VFP,
           "instructions of floating point, for which kernels are compiled: VFPv3-D16 (vfp; 48 registers of "
           "32 bits a thread), or with Advanced SIMD (neon; 80)",
           "dual-mode 5.1, 5.5.1", TPM),
    POWER("cluster.stack_size", cluster.stack_size_bytes, 256, 1u << 18, 1024, "bytes",
          "least stack of one thread (Size_stack); a kernel that needs more gets it", OPEN),
    NUMBER("cluster.local_memory", cluster.local_bytes, 1024, 1u << 20, 32768, "bytes",
           "largest local memory of a work-group", "machine.md §4: a device limit"),
    NUMBER("cluster.threads", cluster.threads, 4, SM_MAX_THREADS, 1024, "threads",
           "thread contexts of a cluster; their warps are at most 128, and 64 a scheduler", GPU),
    NUMBER("cluster.groups", cluster.groups, 1, BARRIER_TABLE_MAX_GROUPS, 8, "work-groups",
           "in flight in a cluster, as far as threads, registers and local memory last", GPU),
    NUMBER("cluster.schedulers", cluster.schedulers, 1, SM_MAX_SCHEDULERS, 1, "schedulers",
           "warp schedulers of a cluster; warp w belongs to scheduler w mod schedulers", GPU),
    NUMBER("cluster.sp_groups", cluster.sp_groups, 1, SM_MAX_SP_GROUPS, 1, "groups",
           "groups of cluster.lanes SPs, each an issue port of its own", GPU),
    NUMBER("cluster.sfu_lanes", cluster.sfu_lanes, 0, 32, 2, "lanes",
           "special function units of a cluster (VDIV, VSQRT); 0: the SPs do their work", GPU),
    NUMBER("cluster.ldst_lanes", cluster.ldst_lanes, 1, 32, 8, "lanes",
           "address units of a cluster's load-store unit", "gpu-like.md §1", VRF " lanes.kind=spatial"),
    POWER("simt.warp_size", simt.warp_size, 4, LWM_MAX_THREADS, 32, "threads",
          "threads that share an instruction, up to 64; 128 do in sub-warps: lwm.threads", TABLE2),
    NUMBER("simt.priority_levels", simt.priority_levels, 1, TDT_MAX_LEVELS, 8, "levels",
           "priority levels of the warp PC arbiter", "dual-mode 4.3; machine.md §3", PCS),
    ROWS("simt.scheduler", simt.scheduler, scheduler_names, scheduler_doc, SCHEDULER_round_robin,
         "which ready warp is picked (docs/policies.md)", "dual-mode 3.3; machine.md §3", SIMT),
    NUMBER("simt.active_warps", simt.active_warps, 1, TDT_MAX_WARPS, 4, "warps",
           "warps of which one is picked (more than there are: all)", "machine.md §3",
           "simt.scheduler=two_level"),
    CHOICE("simt.pc_policy", simt.pc_policy, pc_policies, PC_ICS_FIRST,
           "with simt.divergence pc, how the warp PC arbiter chooses a PC", "dual-mode 4.1", PCS),
    CHOICE("simt.priority_operations", simt.priority_operations, priority_operations,
           PRIORITY_OPERATIONS_AUTO,
           "conditional statements that get priority operations: all; varying: if the condition may vary "
           "within a work-group; off: none; auto: all if simt.pc_policy is ics_first, else off",
           "dual-mode Algorithm 1", PCS),
    ROWS("simt.divergence", simt.divergence, divergence_names, divergence_doc, DIVERGENCE_pc,
         "which threads run together (docs/divergence.md)", "harp 2.2 to 4; divergence.md §4, §5", SIMT),
    CHOICE("simt.mitigation", simt.mitigation, machine_mitigations, MITIGATION_NONE,
           "use of lanes without a thread. none: they are idle; skip: rounds without a thread are left out; "
           "slp: each lane executes its participating threads without gaps (lane permutation, with "
           "simt.lane_map). dpe: two paths of a warp are in flight at once (dual-path execution); alt: all "
           "threads continue at once, each with its own instruction (alternate execution)",
           "dual-mode 5.3; divergence.md §4", SIMT),
    CHOICE("simt.slp", simt.slp, slps, SLP_OWN,
           "a thread is executed by its own lane; by any lane, to which a network brings its operands, but "
           "for loads and stores",
           "machine.md §5; divergence.md §4", "simt.mitigation=slp"),
    NUMBER("simt.network_cycles", simt.network_cycles, 0, 16, 2, "cycles",
           "that the operands of an instruction take to the lanes, and its results back", "divergence.md §4",
           "simt.slp=any"),
    NUMBER("simt.stack_calls", simt.stack_calls, 1, RE_CONVERGENCE_STACK_MAX_CALLS, 16, "calls",
           "functions called and not yet left that the stack of a warp, or a work-group, has room for",
           "divergence.md §4", "simt.divergence=sbr,lwm,oracle,tbc"),
/* Own parameters of fillings (own_fields.h). */
#define OWN(member, type, low, high, power, value, unit, description, source)                                \
    {                                                                                                        \
        FILLING_NAME "." #member, type, FIELD(own) + offsetof(struct own_fields, FILLING.member), low, high, \
            power, value, NULL, NULL, unit, description, source, FILLING_NEEDS                               \
    }
#define OWN_BEGIN
#define OWN_END
#define OWN_NUMBER(member, low, high, value, ...)                                                            \
    OWN(member, CONFIG_UNSIGNED, low, high, false, value, __VA_ARGS__),
#define OWN_POWER(member, low, high, value, ...)                                                             \
    OWN(member, CONFIG_UNSIGNED, low, high, true, value, __VA_ARGS__),
#define OWN_FLAG(member, value, ...) OWN(member, CONFIG_FLAG, 0, 0, false, value, "", __VA_ARGS__),
#include "generated/own_fields.h"
    CHOICE("simt.lane_map", simt.lane_map, machine_lane_maps, LANE_MAP_BLOCK,
           "lane of each thread of a warp. block: neighbours share a lane; cyclic: neighbours share a round "
           "(GPU-like machines: always); balanced: cyclic, permuted so that threads a power of two apart are "
           "in different lanes",
           "dual-mode equation 4; divergence.md §4", SIMT),
    NUMBER("simt.queue_entries", simt.queue_entries, 1, MACHINE_MAX_QUEUE, 2, "entries",
           "dispatch queue between decode and operand collection", "timing.md §D",
           SIMT " " TPM "|simt.issue=barrel"),
    NUMBER("simt.collectors", simt.collectors, 1, MACHINE_MAX_COLLECTORS, 2, "buffers",
           "operand collector buffers", "timing.md §O", SIMT),
    CHOICE(
        "simt.multi_issue", simt.multi_issue, machine_multi_issues, MULTI_ISSUE_OFF,
        "rounds that start in the lanes in a cycle. off: one; warps: one of each of up to simt.issue_width "
        "instructions of different warps, as many as have units; rounds: of one instruction, as many as its "
        "class has units",
        "dual-mode Table 3; superscalar.md §7", PATH),
    NUMBER("simt.arbitrate_cycles", simt.arbitrate_cycles, 1, 100, 1, "cycles",
           "that a warp is in A, one at a time: the delay of the warp PC arbiter, such as min_pc's tree of "
           "comparators",
           "timing.md §A; machine.md §3", SIMT " " TPM "|simt.issue=barrel"),
    CHOICE(
        "simt.startup", simt.startup, startups, SIMT_STARTUP_LOOP,
        "the loop of the cores' start-up code that starts contexts: an iteration for each; or, of lane map "
        "block with four rounds or more, for four of them",
        "dual-mode 5.2", PATH),
    NUMBER("simt.enter_cycles", simt.enter_cycles, 1, 1000, 2, "cycles",
           "from the last core's raised SIMT-mode register to the first selection", "timing.md §6", PATH),
    NUMBER("simt.leave_cycles", simt.leave_cycles, 1, 1000, 2, "cycles",
           "from the last thread's exit to the cores' next instruction", "timing.md §6", PATH),
    NUMBER("simt.livelock_cycles", simt.livelock_cycles, 0, UINT32_MAX, 0, "cycles",
           "without the commit of an instruction in SIMT mode that end a launch as livelocked; 0: twice what "
           "the slowest instruction of this machine can take",
           "machine.md §3", SIMT),
    CHOICE("simt.issue", simt.issue, issues, ISSUE_SCOREBOARD,
           "when a warp issues again: after the commit of its instruction, or once a scoreboard says that "
           "its operands are there",
           GPU),
    NUMBER("simt.pipeline_depth", simt.pipeline_depth, 7, 64, 8, "cycles",
           "from the selection of a warp to the commit of its instruction, both included, if all goes well "
           "and its lanes need one round",
           "harp Table 3", VRF " simt.issue=barrel"),
    NUMBER(
        "simt.issue_width", simt.issue_width, 1, CORE_MAX_ISSUE_WIDTH, 1, "instructions",
        "of one warp that a scheduler issues in a cycle, up to 2; with simt.multi_issue warps: of different "
        "warps that are in the lanes at once",
        "gpu-like.md §1; dual-mode Table 3", VRF "|simt.multi_issue=warps"),
    NUMBER("simt.fetches", simt.fetches, 1, 8, 1, "fetches",
           "of two instructions, that a cluster makes in a cycle; with barrel issue those of scalar threads",
           "gpu-like.md §1", BOARD "|scalar.mode=own"),
    CHOICE("simt.compaction", simt.compaction, compactions, COMPACTION_BY_KIND,
           "rounds of a warp instruction without an active thread (one that participates with a condition "
           "that holds). none: they take their cycle; round: they are skipped; by_kind: none if lanes.kind "
           "is spatial, else round",
           LANES),
    CHOICE("lanes.kind", lanes.kind, lanes_kind_name, LANES_SPATIAL,
           "what executes a warp instruction: all lanes of a cluster, side by side; one lane, a thread a "
           "cycle; a group of lanes.group lanes",
           LANES),
    POWER("lanes.group", lanes.group, 1, MACHINE_MAX_LANES, 1, "lanes",
          "lanes that execute a warp instruction together, with registers of their own: 1 with lanes.kind "
          "temporal, more with spatio_temporal; a cluster has at most 16 such groups",
          LANES),
    CHOICE("lanes.bound", lanes.bound, off_on, 1,
           "a warp belongs to one lane group for its life; off: each of its instructions goes to any that is "
           "free, as no machine could",
           "spatio-temporal-simt 5.6; lanes.md §1", VRF),
    CHOICE("lanes.chaining", lanes.chaining, by_kind, CHAINING_BY_KIND,
           "an instruction that uses another's result for the same active threads follows it round by round; "
           "by lanes.kind: unless it is spatial",
           "spatio-temporal-simt; lanes.md §1, §2", BOARD),
    CHOICE("lanes.free_on_warp_exit", lanes.free_on_warp_exit, off_on, 0,
           "a warp's slot and registers are free when its own last thread has exited; off: when that of its "
           "work-group has",
           LANES),
    CHOICE("lanes.exact_allocation", lanes.exact_allocation, off_on, 0,
           "a warp takes registers for the threads that it has; off: for as many as it could have", LANES),
    CHOICE("lanes.scalar_unit", lanes.scalar_unit, off_on, 0,
           "with lanes.kind spatial and kernel.scalarize convergent or wide: a scalar ALU and register file "
           "beside the lanes, which need it; other lanes keep scalars in their own registers",
           "spatio-temporal-simt 5.9; lanes.md §4", VRF),
    NUMBER("lanes.scalar_registers", lanes.scalar_registers, 64, 1u << 20, 4096, "registers",
           "of a cluster's scalar register file", "lanes.md §4", "lanes.scalar_unit=on"),
    CHOICE("scalar.mode", scalar.mode, scalar_mode_name, SCALAR_OFF,
           "scalar units. off: none; own: they run scalar threads with instructions of their own, one for "
           "each work-group of a program with a scalar kernel; gcn: they execute the scalar instructions of "
           "the warps (kernel.scalarize)",
           "flexible-scalar-unit III; scalar-unit.md §4", VRF),
    NUMBER("scalar.units", scalar.units, 1, SCALAR_MAX_UNITS, 6, "units", "scalar units of a cluster", SCALAR,
           "scalar.mode=own,gcn"),
    NUMBER("scalar.registers", scalar.registers, 48, 1u << 16, 1024, "registers",
           "32-bit registers of a cluster's scalar threads, or of its warps' scalars (gcn); a work-group "
           "waits until enough are free",
           "flexible-scalar-unit V; scalar-unit.md §4", "scalar.mode=own,gcn"),
    CHOICE("scalar.share_groups", scalar.share_groups, off_on, 0,
           "for kernels without a scalar kernel and with work-groups of one work-item: every second "
           "work-group runs on a scalar unit instead of in a warp; if one side is full, on the other",
           "flexible-scalar-unit VI (NN); scalar-unit.md §4.3", "scalar.mode=own"),
    POWER("scalar.clock_divisor", scalar.clock_divisor, 1, 8, 1, "cycles",
          "cycles of the cluster's clock that one of a scalar unit's takes", "flexible-scalar-unit Fig. 9",
          "scalar.mode=own"),
    NUMBER("vrf.registers", vrf.registers, 64, 1u << 20, 16384, "registers",
           "32-bit registers of a cluster's vector register file", GPU),
    NUMBER("vrf.banks", vrf.banks, 0, 64, 8, "banks",
           "of the vector register file, each with one port a round wide; 0: never a conflict", GPU),
    CHOICE("vrf.bank_map", vrf.bank_map, bank_maps, BANK_MAP_BY_KIND,
           "bank of register d of warp w. warp: d + w for all its rounds, and one round is read in a cycle. "
           "round: d + slot + round (slot: among its lane group's warps), and two rounds are read if banks "
           "permit, of one instruction after the other. by_kind: warp if lanes.kind is spatial",
           "spatio-temporal-simt; lanes.md §1, §2", BOARD),
    NUMBER("vrf.allocation_unit", vrf.allocation_unit, 1, 16, 1, "registers",
           "a thread gets whole units of its kernel's registers", GPU),
    CHOICE("mimd.coalescing", mimd.coalescing, coalescings, COALESCING_MODERN,
           "how MIMD mode's code runs a work-group's work-items one after the other: as a compiler of today "
           "would, or as the paper's translator (docs/modes.md)",
           "dual-mode Table 2", MIMD),
    CHOICE(
        "kernel.math", kernel.math, kernel_maths, KERNEL_MATH_TABLE,
        "log, exp and pow of kernels: by tables and without branches, or newlib's classic ones with branches",
        "dual-mode Fig. 13"),
    CHOICE(
        "kernel.ids", kernel.ids, kernel_ids, 0,
        "global ids and addresses of kernels in SIMT mode: an id is read by one instruction, and loads and "
        "stores add and shift offsets; or instructions of their own compute both, as in PTX",
        "uniform Fig. 2", SIMT),
    CHOICE("kernel.scalarize", kernel.scalarize, scalarizes, SCALARIZE_OFF,
           "instructions that one thread of a warp executes for all, with results kept once for a warp. off: "
           "none, with registers as the compiler counts them; none: none, with registers as for the others; "
           "convergent: outside divergent control flow; wide: also inside, where no other thread needs the "
           "result",
           "spatio-temporal-simt 4; lanes.md §3", VRF),
    CHOICE("kernel.scalar", kernel.scalar, kernel_scalar_name, KERNEL_SCALAR_OFF,
           "scalar kernels that the compiler makes for kernels without one. off: none; prefetch: they load "
           "ahead for the work-items; extract: they do the work of one work-item, or work that all do alike. "
           "divergence: they distribute the iterations of loops that work-items leave at different times",
           "flexible-scalar-unit VI; scalar-unit.md §2", "scalar.mode=own"),
    NUMBER("tpm.read_ports", tpm.read_ports, 1, 16, 1, "ports", "vTPO lines read in a cycle", "timing.md §O",
           PATH),
    NUMBER("tpm.write_ports", tpm.write_ports, 1, 16, 1, "ports", "vTPO lines written in a cycle",
           "timing.md §W", PATH),
    NUMBER("tpm.latency", tpm.latency_cycles, 1, 100, 1, "cycles", "one read of the TPM", TABLE2, PATH),
    CHOICE("uniform.storage", uniform.storage, machine_storages, UNIFORM_NONE,
           "where a value that all threads of a warp share is kept: nowhere; with one thread, marked by a "
           "token; in a scalar register file",
           "uniform 3.1", SIMT),
    CHOICE("uniform.intra", uniform.intra, off_on, 0,
           "instructions with uniform operands are executed for one thread, in one round", "uniform 3.1",
           "uniform.storage=token,srf"),
    CHOICE("uniform.intra_only", uniform.intra_only, kinds, UNIFORM_ONLY_NOT,
           "and of them all, or to see what each brings only: arithmetic; loads and stores; branches; "
           "priority operations, barriers and exits; reads of ids and sizes",
           "uniform 5.1, for comparison", "uniform.intra=on"),
    CHOICE("uniform.inter", uniform.inter, off_on, 0,
           "and not at all where another warp has left the result of the same in a reuse buffer",
           "uniform 3.2", "uniform.storage=token,srf"),
    NUMBER("uniform.broadcast_cycles", uniform.broadcast_cycles, 0, 100, 0, "cycles",
           "to bring a scalar to the other lanes, on top of reading it", "machine.md §9",
           "uniform.storage=token,srf"),
    NUMBER("uniform.srf_registers", uniform.srf_registers, 8, SRF_RENAME_MAX_PHYSICAL, 128, "registers",
           "scalar registers of a cluster", "uniform 4", "uniform.storage=srf"),
    NUMBER("uniform.irb_entries", uniform.irb_entries, 2, INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES, 8, "entries",
           "instruction reuse buffer, fully associative", "uniform 4", "uniform.inter=on"),
    NUMBER("uniform.irb_tag_bits", uniform.irb_tag_bits, 1, 30, 10, "bits",
           "of the PC that an entry of the instruction reuse buffer is found by", "uniform 4",
           "uniform.inter=on"),
    ROWS("core.kind", core.kind, core_kind_names, core_kind_doc, CORE_single,
         "how cores issue instructions in MIMD mode and in start-up code",
         "dual-mode Table 3; docs/superscalar.md", TPM),
    NUMBER("core.branch_penalty", core.branch_penalty_cycles, 0, 100, 2, "cycles",
           "lost after a taken branch in MIMD mode", "timing.md §7", SINGLE),
    NUMBER("core.hit_under_miss", core.hit_under_miss, 0, 64, 0, "loads",
           "loads that missed the L1D while a core in MIMD mode goes on; 0: the first blocks it",
           "timing.md §7", MIMD " core.kind=single"),
    NUMBER("core.issue_width", core.issue_width, 1, CORE_MAX_ISSUE_WIDTH, 2, "instructions",
           "issued (in_order), or dispatched and selected (out_of_order), in a cycle", TABLE3, WIDE),
    NUMBER("core.commit_width", core.commit_width, 1, CORE_MAX_ISSUE_WIDTH, 3, "instructions",
           "committed in a cycle", TABLE3, WINDOW ISSUES),
    NUMBER("core.integer_units", core.integer_units, 1, CORE_MAX_UNITS, 2, "units",
           "execute integer instructions and branches; the first one also multiplies and divides", TABLE3,
           WIDE ISSUES),
    NUMBER("core.vfp_units", core.vfp_units, 1, CORE_MAX_UNITS, 2, "units",
           "execute VFP instructions; the first one also divides", TABLE3, WIDE ISSUES),
    POWER("core.fetch_width", core.fetch_width, 1, 8, 4, "instructions",
          "fetched in a cycle, from an aligned block of as many", OPEN, WIDE),
    NUMBER("core.fetch_queue", core.fetch_queue, 1, CORE_MAX_FETCH_QUEUE, 32, "instructions",
           "fetched and past core.front_stages, to be issued (in_order) or dispatched (out_of_order)", TABLE3,
           WIDE),
    NUMBER("core.front_stages", core.front_stages, 1, CORE_MAX_FRONT_STAGES, 8, "cycles",
           "from the fetch of an instruction to its first issue: what a branch costs that is predicted wrong",
           OF_A7, WIDE),
    NUMBER("core.window", core.window, 1, CORE_MAX_WINDOW, 128, "instructions",
           "dispatched and not committed", TABLE3, WINDOW),
    NUMBER("core.lsq", core.lsq, 1, CORE_MAX_LSQ, 32, "instructions",
           "load-store queue: loads and stores issued or dispatched, with accesses that have not ended",
           TABLE3, WIDE),
    POWER("core.predictor", core.predictor_counters, 1, 65536, 4096, "counters",
          "of 2 bits that predict conditional branches", TABLE3, WIDE),
    POWER("core.btb", core.btb_entries, 0, 65536, 4096, "entries",
          "branch target buffer; 0: no branch is predicted taken", TABLE3, WIDE),
    FLAG("arm.cumulative_flags", arm.cumulative_flags, 0,
         "warps keep the exception flags of FPSCR (IDC, IXC, UFC, OFC, DZC, IOC), as cores always do; slower",
         "kernels do not read them", SIMT),
#define X(id, text, what)                                                                                    \
    NUMBER("latency." text, core.latency_cycles[ARM_CLASS_##id], 1, 1000, LATENCY_##id, "cycles",            \
           "from issue to result: " what, GCC_A7,                                                            \
           ARM_IS_NEON_CLASS(ARM_CLASS_##id) ? NEON : TPM "|simt.issue=scoreboard|scalar.mode=own"),         \
        NUMBER("occupancy." text, core.occupancy_cycles[ARM_CLASS_##id], 1, 1000, OCCUPANCY_##id, "cycles",  \
               "between two rounds or issues: " what, GCC_A7,                                                \
               IS_ACCESS(ARM_CLASS_##id)           ? TPM "|scalar.mode=own"                                  \
               : ARM_IS_NEON_CLASS(ARM_CLASS_##id) ? NEON                                                    \
                                                   : NULL),
    ARM_CLASSES(X)
#undef X
#define REPLACEMENT(name, field, what, ...)                                                                  \
    ROWS(name, field, replacement_names, replacement_doc, REPLACEMENT_lru,                                   \
         what ", line of a full set that goes when another comes (docs/caches.md)", __VA_ARGS__)
#define CACHE_OF(name, member, size, ways_, cycles, what, source, of_latency)                                \
    NUMBER(name ".size", member.size_bytes, 1024, 1u << 24, size, "bytes", what, source),                    \
        NUMBER(name ".ways", member.ways, 1, CACHE_MAX_WAYS, ways_, "ways", what ", associativity", source), \
        POWER(name ".line", member.line_bytes, 32, CACHE_MAX_LINE_BYTES, 64, "bytes", what ", line",         \
              source),                                                                                       \
        REPLACEMENT(name ".replacement", member.replacement, what, of_latency),                              \
        NUMBER(name ".latency", member.latency_cycles, 1, 1000, cycles, "cycles", what ", hit", of_latency)
#define CACHE(name, member, size, ways_, cycles, what)                                                       \
    CACHE_OF(name, member, size, ways_, cycles, what, TABLE2, TABLE2)
        CACHE("l1i", l1i, 32768, 4, 1, "instruction cache of each core"),
    CACHE_OF("l1d", l1d, 32768, 4, 1, "data cache of each core; the TPM in SIMT mode", TABLE2, OF_L1D),
    NUMBER("l1d.write_buffer", write_buffer_entries, 0, L1D_MAX_WRITES, 0, "stores",
           "write buffer between L1D and L2 in MIMD mode; 0: perfect, it never stalls", TABLE2, MIMD),
    CHOICE(
        "l1d.write_policy", l1d_write_policy, write_policies, WRITE_THROUGH,
        "stores to memory go to the L2 and drop their line from the L1D; or stay in the L1D until their line "
        "must go or the launch ends (docs/caches.md). Those of private memory always stay. Cores write "
        "through",
        "gpu-like.md §4; GPGPU-Sim, gpgpu_cache:dl1"),
    CACHE("l2", l2, 262144, 8, 8, "private unified cache of each core"),
    POWER("l2.banks", l2_banks, 1, L2_MAX_BANKS, 1, "banks", "banks of an L2, by line", OPEN, TPM),
    NUMBER("l2.ports", l2_ports, 1, L2_MAX_BANK_PORTS, 1, "requests",
           "requests that a bank of an L2 takes in a cycle", OPEN, TPM),
    NUMBER("snoop.latency", snoop.latency_cycles, 1, 1000, 8, "cycles",
           "until all L2s of a cluster have answered a snoop: one looks up as long as the one that asks",
           OPEN, TPM),
    NUMBER("snoop.occupancy", snoop.occupancy_cycles, 1, 64, 4, "cycles",
           "that a request holds its cluster's bus: a line of 64 bytes, 16 a cycle", OPEN, TPM),
    NUMBER("directory.hop", directory.hop_cycles, 1, 1000, 10, "cycles",
           "a crossing of the network between clusters and directory", OPEN, SEVERAL),
    NUMBER("directory.latency", directory.latency_cycles, 1, 1000, 8, "cycles",
           "a look-up in the directory, where there are several clusters", OPEN, SEVERAL),
    NUMBER("directory.occupancy", directory.occupancy_cycles, 1, 64, 1, "cycles",
           "between two look-ups in the directory", OPEN, SEVERAL),
    NUMBER("mem.itlb_entries", mem.itlb_entries, 1, 1024, 32, "entries", "instruction TLB, fully associative",
           TABLE2, TPM),
    NUMBER("mem.dtlb_entries", mem.dtlb_entries, 1, 1024, 32, "entries", "data TLB, fully associative",
           TABLE2, TPM),
    REPLACEMENT("mem.tlb_replacement", mem.tlb_replacement, "both TLBs", TABLE2, TPM),
    NUMBER("mem.replacement_seed", mem.replacement_seed, 1, UINT32_MAX, REPLACEMENT_SEED, "number",
           "with which the generator of each cache and TLB begins", "Marsaglia, Xorshift RNGs, 2003",
           "l1i.replacement=random|l1d.replacement=random|l2.replacement=random|constant.replacement=random|"
           "mem.tlb_replacement=random"),
    CHOICE("mem.page_walk", mem.page_walk, page_walks, PAGE_WALK_FIXED,
           "what a TLB miss costs: mem.tlb_miss, or two descriptors read through the L2", TABLE2, TPM),
    NUMBER("mem.tlb_miss", mem.tlb_miss_cycles, 1, 10000, 20, "cycles", "penalty of a TLB miss", TABLE2,
           TPM " mem.page_walk=fixed"),
    NUMBER("mem.walkers", mem.walkers, 1, PAGE_WALK_WALKERS, 1, "walkers",
           "page walkers of each core, for both its TLBs; further misses wait", OPEN, TPM),
    NUMBER("mem.latency", mem.latency_cycles, 1, 100000, 200, "cycles", "main memory, behind the L2", TABLE2,
           TPM),
    NUMBER("mem.bandwidth", mem.bandwidth_bytes, 1, 1024, 16, "bytes/cycle",
           "what main memory reads or writes in a cycle", OPEN, TPM),
    NUMBER("mem.mshrs", mem.mshrs, 2, L2_MAX_MSHRS, 8, "misses",
           "outstanding L2 misses of each lane (an access can need two lines)", OPEN, TPM),
    NUMBER("mem.exclusive_hold", mem.exclusive_hold_cycles, 1, 100000, 80, "cycles",
           "hold after an LDREX, for each thread context of the machine: other stores to the line wait this "
           "long for the STREX; other STREX fail. With an engine that regroups threads there is no hold",
           "Rocket, lrscCycles (80 cycles for a core); RISC-V Zalrsc, 16 instructions",
           "simt.divergence=pc,sbr,oracle"),
    NUMBER("mem.exclusive_livelock", mem.exclusive_livelock_cycles, 0, UINT32_MAX, 0, "cycles",
           "in which STREX fails without a pause and none stores, that end a launch as livelocked; 0: ten "
           "million, or 16 times the hold of mem.exclusive_hold if that is more",
           OPEN, NULL),
    NUMBER("l1i.mshrs", l1i_misses.mshrs, 1, CACHE_MAX_MSHRS, 2, "misses", "misses of an L1I in flight", GPU),
    NUMBER("l1i.merges", l1i_misses.requests, 1, CACHE_MAX_REQUESTS, 32, "requests",
           "requests that wait for one miss of the L1I, the first included", GPU),
    NUMBER("l1d.mshrs", l1d_misses.mshrs, 1, CACHE_MAX_MSHRS, 32, "misses", "misses of an L1D in flight",
           GPU),
    NUMBER("l1d.merges", l1d_misses.requests, 1, CACHE_MAX_REQUESTS, 8, "requests",
           "requests that wait for one miss of the L1D, the first included", GPU),
    CACHE_OF("constant", constant, 8192, 2, 4, "cache of constants of a cluster", GPU, GPU),
    NUMBER("constant.mshrs", constant_misses.mshrs, 1, CACHE_MAX_MSHRS, 2, "misses",
           "misses of a cache of constants in flight", GPU),
    NUMBER("constant.merges", constant_misses.requests, 1, CACHE_MAX_REQUESTS, 32, "requests",
           "requests that wait for one miss of the cache of constants, the first included", GPU),
    NUMBER("l2.mshrs", l2_mshrs, 1, CACHE_MAX_MSHRS, 32, "misses", "misses of a slice of the L2 in flight",
           GPU),
    CHOICE("coalesce.rule", coalesce.rule, coalesce_rules, COALESCE_CC20,
           "what a warp's access makes one transaction of: segments of 32 to 128 bytes for each half-warp; "
           "lines of the L1D",
           "gpu-like.md §4", VRF),
    CHOICE(
        "ldst.overlap", ldst.overlap, off_on, 1,
        "the load-store unit reads the addresses of the next instruction while it sends the transactions of "
        "one; else after its last",
        "GPGPU-Sim, ldst_unit::cycle()", VRF),
    NUMBER("ldst.collectors", ldst.collectors, 0, MACHINE_MAX_COLLECTORS, 0, "buffers",
           "operand collector buffers of the load-store unit; 0: as many as simt.collectors",
           "gpu-like.md §1", BOARD),
    NUMBER("local.bytes", local.size_bytes, 1024, 1u << 20, 16384, "bytes",
           "local memory of a cluster, for all its work-groups in flight", GPU),
    POWER("local.banks", local.banks, 1, 64, 32, "banks", "of the local memory, each a word wide", GPU),
    CHOICE("local.broadcast", local.broadcast, local_broadcasts, LOCAL_BROADCAST_ANY,
           "which words go to all threads that want them: one in a pass, or every one that is read",
           "gpu-like.md §4", VRF " lanes.kind=spatial"),
    NUMBER("local.latency", local.latency_cycles, 1, 1000, 4, "cycles",
           "from the last pass of an access to local memory to its data", GPU),
    NUMBER("icnt.clock_mhz", icnt.clock_mhz, 1, 100000, 650, "MHz",
           "clock of the crossbar and the L2's slices", GPU),
    NUMBER("icnt.share", icnt.share, 1, MACHINE_MAX_CLUSTERS, 1, "clusters",
           "clusters that share a port of the crossbar", "gpu-like.md §1", VRF " cluster.count>1"),
    NUMBER("icnt.flit", icnt.flit_bytes, 8, 256, 32, "bytes", "that a port of the crossbar sends in a cycle",
           GPU),
    NUMBER("icnt.latency", icnt.latency_cycles, 1, 1000, 4, "cycles", "of the crossbar, each way", GPU),
    NUMBER("icnt.queue", icnt.queue_packets, 1, 64, 8, "packets",
           "of a cluster that the slices have not taken yet; then its requests wait", GPU),
    NUMBER("dram.clock_mhz", dram.clock_mhz, 1, 100000, 800, "MHz", "command clock of the DRAM", GPU),
    NUMBER("dram.channels", dram.channels, 1, DRAM_MAX_CHANNELS, 8, "channels",
           "of DRAM, each behind a slice of the L2", GPU),
    CHOICE(
        "dram.policy", dram.policy, dram_policies, DRAM_FRFCFS,
        "which request goes to a bank next: the oldest; the oldest to the bank's open row, else the oldest",
        GPU),
    NUMBER("dram.queue", dram.queue_entries, 1, DRAM_MAX_QUEUE, 16, "requests", "that a channel chooses from",
           GPU),
    NUMBER("dram.pipe", dram.pipe_cycles, 1, 1000, 60, "icnt cycles",
           "from a miss in the L2 to the queue of its channel", GPU),
    POWER("dram.banks", dram.banks, 1, DRAM_MAX_BANKS, 8, "banks", "of a channel", GPU),
    POWER("dram.row", dram.row_bytes, 256, 65536, 2048, "bytes", "of a row of a bank", GPU),
    POWER("dram.burst", dram.burst_bytes, 8, 256, 32, "bytes", "that a column access moves", GPU),
#define DISTANCE(name, member, low, cycles, what)                                                            \
    NUMBER("dram." name, dram.member, low, DRAM_MAX_DISTANCE, cycles, "command cycles", what, GPU)
    DISTANCE("burst_cycles", burst_cycles, 1, 2, "that the data of a column access take"),
    DISTANCE("rcd", rcd, 1, 12, "from an activation to a column access of the row"),
    DISTANCE("rp", rp, 1, 10, "from a precharge to an activation of the bank"),
    DISTANCE("cl", cl, 1, 10, "from a read to its data"),
    DISTANCE("ras", ras, 1, 25, "from an activation to a precharge of the bank"),
    DISTANCE("rrd", rrd, 1, 8, "between activations of different banks"),
    DISTANCE("rc", rc, 1, 35, "between activations of a bank"),
    DISTANCE("ccd", ccd, 1, 2, "between column accesses"),
    DISTANCE("wl", wl, 0, 7, "from a write to its data"),
    DISTANCE("cdlr", cdlr, 0, 6, "from the data of a write to a read"),
    DISTANCE("wr", wr, 0, 11, "from the data of a write to a precharge of the bank"),
#undef DISTANCE
};

const struct config_table machine_config_table = {fields, sizeof fields / sizeof fields[0],
                                                  machine_config_check, sizeof(struct machine_config)};

bool machine_config_is_base(const struct machine_config *c, const char *what, struct error *e) {
    if (c->contexts == CONTEXTS_TPM) return true;
    return error_set(e, EXIT_USER, "%s is not built for GPU-like machines (contexts: vrf) yet", what);
}

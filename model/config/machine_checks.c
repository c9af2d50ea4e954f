#include "model/config/machine_checks.h"

#include "abi/memory_map.h"
#include "generated/divergence_slot_list.h"
#include "model/config/core_kind.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/lanes_config.h"
#include "model/config/limits.h"
#include "model/config/scalar_config.h"
#include "model/config/scheduler_kind.h"
#include "model/config/scheduler_policy.h"

static bool check_uniform(const struct machine_config *c, struct error *e) {
    const bool storage = c->uniform.storage != UNIFORM_NONE, used = c->uniform.intra || c->uniform.inter;
    if (used && !storage)
        return error_set(e, EXIT_USER,
                         "uniform.%s is on, but uniform.storage is none: nothing says which registers are "
                         "uniform; set uniform.storage to token or srf",
                         c->uniform.intra ? "intra" : "inter");
    if (storage && !used)
        return error_set(
            e, EXIT_USER,
            "uniform.storage is %s, but nothing would use it: set uniform.intra or uniform.inter "
            "to on",
            machine_storages[c->uniform.storage]);
    return true;
}

enum priority_operations machine_priority_operations(const struct machine_config *c) {
    if (c->simt.divergence != DIVERGENCE_pc) return PRIORITY_OPERATIONS_OFF;
    if (c->simt.priority_operations != PRIORITY_OPERATIONS_AUTO)
        return (enum priority_operations)c->simt.priority_operations;
    return c->simt.pc_policy == PC_ICS_FIRST ? PRIORITY_OPERATIONS_ALL : PRIORITY_OPERATIONS_OFF;
}

bool machine_runs_apart(const struct machine_config *c) {
    return divergence_engines[c->simt.divergence]->regroups || c->simt.mitigation == MITIGATION_DPE ||
           c->simt.mitigation == MITIGATION_ALT;
}

/* Returns whether warps have threads of several warps of the register file or of the TPMs. */
static bool regroups(const struct machine_config *c) {
    return divergence_engines[c->simt.divergence]->regroups;
}

/* Checks the scheduler of an engine that forms warps. */
static bool check_picks(const struct machine_config *c, struct error *e) {
    const struct divergence_engine *row = divergence_engines[c->simt.divergence];
    const char *engine = divergence_names[c->simt.divergence];
    if (!row->picks && c->simt.scheduler != SCHEDULER_round_robin)
        return error_set(e, EXIT_USER,
                         "simt.divergence is %s, which selects warps itself: simt.scheduler %s would do "
                         "nothing; set it to round_robin",
                         engine, scheduler_names[c->simt.scheduler]);
    return !scheduler_policies[c->simt.scheduler]->moves ||
           error_set(e, EXIT_USER,
                     "simt.divergence is %s: simt.scheduler %s knows only warps of the register "
                     "file; set it to round_robin or greedy_oldest",
                     engine, scheduler_names[c->simt.scheduler]);
}

/* Checks that a cluster of cores has the engine. */
static bool check_divergence(const struct machine_config *c, struct error *e) {
#define HAS(name)  [DIVERGENCE_##name] = true,
#define NAME(name) " " #name
    const uint32_t contexts = c->cluster.lanes * c->cluster.threads_per_lane;
    static const bool has[DIVERGENCE_KINDS] = {DIVERGENCE_SLOT_LIST(HAS)};
    if (!has[c->simt.divergence])
        return error_set(
            e, EXIT_USER,
            "simt.divergence is %s, which needs contexts: vrf; the threads of this machine have "
            "theirs in the TPMs: set simt.divergence to one of these:" DIVERGENCE_SLOT_LIST(NAME),
            divergence_names[c->simt.divergence]);
    if (!regroups(c)) return true;
    if (c->uniform.storage != UNIFORM_NONE)
        return error_set(
            e, EXIT_USER,
            "uniform.storage is %s, but simt.divergence is %s: a value that is kept once is that of all "
            "threads of a warp in the TPMs, which leave it here; set one to none or to pc",
            machine_storages[c->uniform.storage], divergence_names[c->simt.divergence]);
    if (c->simt.divergence == DIVERGENCE_tbc && contexts / c->simt.warp_size > COMPACTION_MAX_WARPS)
        return error_set(
            e, EXIT_USER,
            "simt.divergence is tbc, and cluster.lanes x cluster.threads_per_lane = %u contexts make %u "
            "warps of simt.warp_size %u; its stack knows %u",
            contexts, contexts / c->simt.warp_size, c->simt.warp_size, COMPACTION_MAX_WARPS);
    const struct divergence_engine *row = divergence_engines[c->simt.divergence];
    if (row->as_wide_as_lanes && c->simt.mitigation == MITIGATION_SKIP)
        return error_set(
            e, EXIT_USER,
            "simt.mitigation is skip, but simt.divergence is %s: its warps have no rounds without "
            "threads",
            divergence_names[c->simt.divergence]);
    return check_picks(c, e) && (!row->check || row->check(c, e));
#undef HAS
#undef NAME
}

/* Checks mitigation dpe: levels determine the threads of a second path of a warp. */
static bool check_dual_path(const struct machine_config *c, struct error *e) {
    const bool tpm = c->contexts == CONTEXTS_TPM;
    const unsigned warps = c->cluster.threads_per_lane * c->cluster.lanes / c->simt.warp_size;
    if (c->simt.pc_policy != PC_ICS_FIRST || machine_priority_operations(c) == PRIORITY_OPERATIONS_OFF)
        return error_set(
            e, EXIT_USER,
            "simt.mitigation is dpe, which needs simt.pc_policy ics_first and the priority operations "
            "of kernels: the levels of threads say which may run beside others");
    if (tpm && warps > TDT_MAX_WARPS / 2)
        return error_set(
            e, EXIT_USER,
            "simt.mitigation is dpe, and a co-processor has %u warps; it has room for two paths of "
            "each of %u",
            warps, TDT_MAX_WARPS / 2);
    return true;
}

/* Checks that a warp takes several rounds: a mitigation cannot save the only one. */
static bool saves_rounds(const struct machine_config *c, struct error *e) {
    const unsigned width = machine_lane_group_width(c);
    return c->simt.warp_size > width ||
           error_set(e, EXIT_USER,
                     "simt.mitigation is %s, but simt.warp_size and %s are both %u: each lane has one "
                     "thread of a warp, and there are no rounds to save",
                     machine_mitigations[c->simt.mitigation],
                     c->lanes.kind == LANES_SPATIAL ? "cluster.lanes" : "lanes.group", width);
}

/* Checks mitigations of machines with cores. */
static bool check_mitigation(const struct machine_config *c, struct error *e) {
    if (c->simt.slp == SLP_ANY && c->simt.mitigation != MITIGATION_SLP)
        return error_set(e, EXIT_USER, "simt.slp is any, but simt.mitigation is %s: it is a form of slp",
                         machine_mitigations[c->simt.mitigation]);
    if (c->simt.slp == SLP_ANY && c->uniform.storage != UNIFORM_NONE)
        return error_set(e, EXIT_USER,
                         "simt.slp is any, but uniform.storage is not none: tokens know the threads of a "
                         "warp in their own lanes");
    if (c->simt.mitigation == MITIGATION_DPE) return check_dual_path(c, e);
    const bool saves = c->simt.mitigation == MITIGATION_SKIP || c->simt.mitigation == MITIGATION_SLP;
    return !saves || saves_rounds(c, e);
}

/* Checks the options that know one instruction in the lanes at a time, of which one round starts in a cycle.
 */
static bool check_multi_issue(const struct machine_config *c, struct error *e) {
    const char *multi_issue = machine_multi_issues[c->simt.multi_issue];
    if (c->simt.multi_issue == MULTI_ISSUE_OFF) return true;
    if (c->simt.multi_issue == MULTI_ISSUE_WARPS && c->simt.issue_width == 1)
        return error_set(
            e, EXIT_USER,
            "simt.multi_issue is warps, but simt.issue_width is 1, with which it does nothing: set "
            "simt.issue_width to at least 2");
    if (c->simt.mitigation >= MITIGATION_DPE)
        return error_set(
            e, EXIT_USER,
            "simt.mitigation is %s, but simt.multi_issue is %s: each of the two has several instructions in "
            "flight where the pipeline has one, and no rule says which goes first; set one to none or off",
            machine_mitigations[c->simt.mitigation], multi_issue);
    if (c->uniform.storage != UNIFORM_NONE)
        return error_set(
            e, EXIT_USER,
            "uniform.storage is %s, but simt.multi_issue is %s: tokens and scalar registers have a "
            "port for one instruction in the lanes; set one to none or off",
            machine_storages[c->uniform.storage], multi_issue);
    return true;
}

/* Checks the stacks of SIMT mode; in MIMD mode a core's stack is as large as its kernel needs. */
static bool check_stacks(const struct machine_config *c, struct error *e) {
    const uint64_t threads = (uint64_t)c->cluster.count * c->cluster.lanes * c->cluster.threads_per_lane;
    const uint64_t bytes = threads * c->cluster.stack_size_bytes;
    if (c->mode == MODE_MIMD || bytes <= MEMORY_BUFFER_BASE - MEMORY_STACK_BASE) return true;
    return error_set(
        e, EXIT_USER,
        "cluster.stack_size %u for each of cluster.count x cluster.lanes x cluster.threads_per_lane "
        "= %u x %u x %u threads is %llu bytes; there is room for %u",
        c->cluster.stack_size_bytes, c->cluster.count, c->cluster.lanes, c->cluster.threads_per_lane,
        (unsigned long long)bytes, MEMORY_BUFFER_BASE - MEMORY_STACK_BASE);
}

/* Checks the space for local memories: each running work-group has its own behind the one window. */
static bool check_local_memories(const struct machine_config *c, struct error *e) {
    const uint32_t groups = c->cluster.count * (c->mode == MODE_SIMT ? 1 : c->cluster.lanes);
    const unsigned long long bytes = (unsigned long long)groups * machine_local_stride(c);
    if (bytes <= MEMORY_STACK_BASE - MEMORY_LOCAL_BASE) return true;
    return error_set(
        e, EXIT_USER,
        "cluster.local_memory %u for each of %u work-groups at once (cluster.count %u, cluster.lanes %u) is "
        "%llu bytes; there is room for %u",
        c->cluster.local_bytes, groups, c->cluster.count, c->cluster.lanes, bytes,
        MEMORY_STACK_BASE - MEMORY_LOCAL_BASE);
}

/* Checks that caches consist of whole sets and that DRAM commands can keep their distances. */
static bool check_memory(const struct machine_config *c, struct error *e) {
    const struct {
        const char *name;
        const struct machine_cache_config *cache;
        uint32_t sets; /* minimum; an access can need two lines of the L2 in different sets */
    } caches[] = {{"l1i", &c->l1i, 1}, {"l1d", &c->l1d, 1}, {"constant", &c->constant, 1}, {"l2", &c->l2, 2}};
    for (unsigned i = 0; i < sizeof caches / sizeof caches[0]; ++i) {
        const struct machine_cache_config *cache = caches[i].cache;
        const uint32_t set = cache->ways * cache->line_bytes;
        if (cache->size_bytes < caches[i].sets * set)
            return error_set(
                e, EXIT_USER, "%s.size %u holds less than %u set%s of %s.ways %u x %s.line %u bytes",
                caches[i].name, cache->size_bytes, caches[i].sets, caches[i].sets == 1 ? "" : "s",
                caches[i].name, cache->ways, caches[i].name, cache->line_bytes);
        if (cache->size_bytes % set)
            return error_set(
                e, EXIT_USER,
                "%s.size %u is not a whole number of sets of %s.ways %u x %s.line %u = %u bytes; %u is",
                caches[i].name, cache->size_bytes, caches[i].name, cache->ways, caches[i].name,
                cache->line_bytes, set, cache->size_bytes / set * set);
    }
    if (c->dram.ccd < c->dram.burst_cycles)
        return error_set(
            e, EXIT_USER,
            "dram.ccd is %u and dram.burst_cycles %u: the data of two column accesses would be on the bus "
            "at once",
            c->dram.ccd, c->dram.burst_cycles);
    return true;
}

/* Checks GPU-like machines: tokens, scalar registers and reuse buffer have one port each. */
static bool check_uniform_ports(const struct machine_config *c, struct error *e) {
    if (c->uniform.storage == UNIFORM_NONE) return true;
    if (divergence_engines[c->simt.divergence]->as_wide_as_lanes && c->simt.warp_size != c->cluster.lanes)
        return error_set(
            e, EXIT_USER,
            "uniform.storage is %s, but an instruction of simt.divergence %s has a thread in each lane, and "
            "a value that is kept once is kept for simt.warp_size (%u) threads: set that to cluster.lanes "
            "(%u)",
            machine_storages[c->uniform.storage], divergence_names[c->simt.divergence], c->simt.warp_size,
            c->cluster.lanes);
    if (c->lanes.kind == LANES_TEMPORAL && c->uniform.storage == UNIFORM_TOKEN && c->uniform.broadcast_cycles)
        return error_set(
            e, EXIT_USER,
            "uniform.broadcast_cycles is %u, but uniform.storage is token and lanes.kind temporal: "
            "a scalar is in the lane that reads it, and goes to no other; set it to 0",
            c->uniform.broadcast_cycles);
    if (c->cluster.schedulers * c->simt.issue_width == 1) return true;
    return error_set(
        e, EXIT_USER,
        "uniform.storage is %s, but cluster.schedulers %u x simt.issue_width %u instructions can "
        "issue in a cycle: what is uniform is found for one, as tokens, scalar registers and reuse buffer "
        "have a port each",
        machine_storages[c->uniform.storage], c->cluster.schedulers, c->simt.issue_width);
}

/* Checks the needs of engines other than sbr. */
static bool check_engine(const struct machine_config *c, struct error *e) {
    const char *engine = divergence_names[c->simt.divergence];
    const struct divergence_engine *row = divergence_engines[c->simt.divergence];
    if (c->simt.issue != ISSUE_BARREL)
        return error_set(
            e, EXIT_USER,
            "with contexts vrf simt.divergence is %s, but simt.issue is scoreboard, which goes with "
            "sbr only: the scoreboard knows warps that stay what they are; set simt.issue to barrel",
            engine);
    if (c->simt.warp_size % machine_lane_group_width(c))
        return error_set(e, EXIT_USER, "simt.divergence is %s: simt.warp_size %u must be a multiple of %s %u",
                         engine, c->simt.warp_size,
                         c->lanes.kind == LANES_SPATIAL ? "cluster.lanes" : "lanes.group",
                         machine_lane_group_width(c));
    if (!row->regroups) return !row->check || row->check(c, e);
    if (c->vrf.banks)
        return error_set(e, EXIT_USER,
                         "simt.divergence is %s: a warp's registers are in many rows of the register file; "
                         "conflicts of banks between rows are not modelled: set vrf.banks (%u) to 0",
                         engine, c->vrf.banks);
    if (c->lanes.free_on_warp_exit)
        return error_set(e, EXIT_USER,
                         "simt.divergence is %s: warps of any threads do not end one by one: set "
                         "lanes.free_on_warp_exit to off",
                         engine);
    return check_picks(c, e) && (!row->check || row->check(c, e));
}

/* Checks the pairs of options that no machine could have. */
static bool check_pairs(const struct machine_config *c, struct error *e) {
    const char *engine = divergence_names[c->simt.divergence],
               *mitigation = machine_mitigations[c->simt.mitigation];
    const bool dpe = c->simt.mitigation == MITIGATION_DPE, alt = c->simt.mitigation == MITIGATION_ALT,
               slp = c->simt.mitigation == MITIGATION_SLP, gcn = c->scalar.mode == SCALAR_GCN,
               pcs = c->simt.divergence == DIVERGENCE_pc, uniform = c->uniform.storage != UNIFORM_NONE;
    if (c->simt.divergence == DIVERGENCE_harp && c->lanes.kind == LANES_TEMPORAL)
        return error_set(
            e, EXIT_USER,
            "simt.divergence is harp, but lanes.kind temporal: a warp as wide as one lane is one "
            "thread");
    if (regroups(c) && gcn)
        return error_set(e, EXIT_USER,
                         "scalar.mode is gcn, but simt.divergence is %s: parts of a warp execute an "
                         "instruction at different times, with different scalars",
                         engine);
    if (dpe && !pcs)
        return error_set(e, EXIT_USER, "simt.mitigation is dpe, but simt.divergence is %s: %s", engine,
                         regroups(c) ? "its engine has the sides of a branch as warps of their own"
                                     : "a re-convergence stack has one runnable path");
    if (alt && !pcs)
        return error_set(
            e, EXIT_USER,
            "simt.mitigation is alt, but simt.divergence is %s: alt mixes instructions by the PC "
            "of each thread; set simt.divergence to pc",
            engine);
    if (slp && (c->simt.divergence == DIVERGENCE_lwm || c->simt.divergence == DIVERGENCE_harp))
        return error_set(e, EXIT_USER, "simt.mitigation is slp, but simt.divergence is %s: %s", engine,
                         c->simt.divergence == DIVERGENCE_lwm
                             ? "its sub-warps are packed already"
                             : "a warp has one round, and there are none to save");
    if (slp && c->lanes.kind == LANES_TEMPORAL)
        return error_set(e, EXIT_USER,
                         "simt.mitigation is slp, but lanes.kind is temporal: all threads of a warp have one "
                         "lane");
    if (alt && c->lanes.kind != LANES_SPATIAL)
        return error_set(e, EXIT_USER,
                         "simt.mitigation is alt, but lanes.kind is %s: alt needs an L1I for each lane",
                         lanes_kind_name[c->lanes.kind]);
    if (uniform && gcn)
        return error_set(e, EXIT_USER,
                         "uniform.storage is %s, but scalar.mode is gcn: a register has one number, the "
                         "compiler's or that of uniform values",
                         machine_storages[c->uniform.storage]);
    if (uniform && alt)
        return error_set(
            e, EXIT_USER,
            "uniform.storage is %s, but simt.mitigation is alt: an instruction in the lanes is of "
            "several instructions of its warp, and the tokens have one port",
            machine_storages[c->uniform.storage]);
    if (gcn && (dpe || alt))
        return error_set(e, EXIT_USER,
                         "scalar.mode is gcn, but simt.mitigation is %s: two sides of a branch run at once, "
                         "with different scalars",
                         mitigation);
    if (c->scalar.mode == SCALAR_OWN && alt)
        return error_set(e, EXIT_USER,
                         "scalar.mode is own, which needs contexts: vrf, but simt.mitigation is alt, which "
                         "needs cores: no machine has both");
    return true;
}

/* Checks mitigations of GPU-like machines. */
static bool check_vrf_mitigation(const struct machine_config *c, struct error *e) {
    if (c->simt.mitigation == MITIGATION_NONE) return true;
    if (c->simt.mitigation == MITIGATION_SKIP)
        return error_set(e, EXIT_USER,
                         "simt.mitigation is skip, but contexts is vrf: set simt.compaction to round, which "
                         "skips rounds without threads");
    if (c->simt.mitigation == MITIGATION_ALT)
        return error_set(
            e, EXIT_USER,
            "simt.mitigation is alt, but contexts is vrf: alt needs an L1I for each lane, and the "
            "lanes of a GPU-like machine have one; set it to none");
    if (c->simt.mitigation == MITIGATION_DPE) return check_dual_path(c, e);
    if (c->simt.slp == SLP_ANY)
        return error_set(
            e, EXIT_USER,
            "simt.slp is any, but contexts is vrf: no network brings operands to other lanes; set "
            "it to own");
    if (machine_compacts(c))
        return error_set(
            e, EXIT_USER,
            "simt.mitigation is slp, but simt.compaction is round: the rounds of slp have threads "
            "of several rows; set it to none");
    return saves_rounds(c, e);
}

/* Checks the needs and the unsupported features of a GPU-like machine. */
static bool check_vrf(const struct machine_config *c, struct error *e) {
    const uint32_t warps = c->cluster.threads / c->simt.warp_size;
    const uint64_t stacks = (uint64_t)c->cluster.count * machine_stacks(c) * c->cluster.stack_size_bytes;
    const uint64_t locals = (uint64_t)c->cluster.count * c->cluster.groups * machine_local_stride(c);
    if (c->mode != MODE_SIMT)
        return error_set(e, EXIT_USER, "mode is %s, but contexts is vrf: a GPU-like machine has no cores%s",
                         c->mode == MODE_MIMD ? "mimd" : "auto",
                         c->mode == MODE_MIMD ? "" : ", and nothing to choose: set mode to simt");
    if (!check_vrf_mitigation(c, e)) return false;
    if (c->simt.multi_issue != MULTI_ISSUE_OFF)
        return error_set(
            e, EXIT_USER,
            "simt.multi_issue is %s, but contexts is vrf: the lanes of a GPU-like machine are those of "
            "cluster.sp_groups; set it to off",
            machine_multi_issues[c->simt.multi_issue]);
    if (c->simt.issue_width > SM_MAX_ISSUE_WIDTH)
        return error_set(e, EXIT_USER,
                         "simt.issue_width is %u, but contexts is vrf: a scheduler issues at most %u "
                         "instructions of a warp in a cycle",
                         c->simt.issue_width, SM_MAX_ISSUE_WIDTH);
    if (c->simt.lane_map != LANE_MAP_CYCLIC)
        return error_set(e, EXIT_USER,
                         "simt.lane_map is %s, but contexts is vrf: the threads of a round are side by side; "
                         "set it to cyclic",
                         machine_lane_maps[c->simt.lane_map]);
    if (c->simt.divergence != DIVERGENCE_sbr && !check_engine(c, e)) return false;
    const bool spatial = c->lanes.kind == LANES_SPATIAL;
    const unsigned sp_groups = spatial ? c->cluster.schedulers : 1;
    if (c->simt.issue == ISSUE_BARREL &&
        (c->cluster.sp_groups != sp_groups || (spatial && c->cluster.ldst_lanes != c->cluster.lanes) ||
         c->cluster.sfu_lanes || c->simt.issue_width != 1))
        return error_set(
            e, EXIT_USER,
            "simt.issue is barrel: each scheduler has lanes of its own, which do everything: set "
            "cluster.sp_groups to %u, %scluster.sfu_lanes to 0 and simt.issue_width to 1",
            sp_groups, spatial ? "cluster.ldst_lanes to cluster.lanes, " : "");
    if (c->simt.issue == ISSUE_BARREL && (c->cluster.threads / c->simt.warp_size) % c->cluster.schedulers)
        return error_set(e, EXIT_USER,
                         "simt.issue is barrel: the %u warps of cluster.threads %u cannot be shared out to "
                         "cluster.schedulers %u",
                         c->cluster.threads / c->simt.warp_size, c->cluster.threads, c->cluster.schedulers);
    const uint32_t of_schedulers = c->cluster.schedulers * SM_MAX_SCHEDULER_WARPS,
                   most = of_schedulers < SM_MAX_WARPS ? of_schedulers : SM_MAX_WARPS;
    if (c->cluster.threads % c->simt.warp_size || warps < c->cluster.schedulers || warps > most)
        return error_set(e, EXIT_USER,
                         "cluster.threads %u makes %u warps of simt.warp_size %u; whole ones, %u to %u, are "
                         "possible with cluster.schedulers %u",
                         c->cluster.threads, warps, c->simt.warp_size, c->cluster.schedulers, most,
                         c->cluster.schedulers);
    if (c->vrf.registers < c->simt.warp_size * ARM_REGISTERS)
        return error_set(e, EXIT_USER,
                         "vrf.registers %u is too few for one warp: simt.warp_size %u x %u registers",
                         c->vrf.registers, c->simt.warp_size, ARM_REGISTERS);
    if (!lanes_config_check(c, e) || !scalar_config_check(c, e)) return false;
    const uint32_t longest = c->l1i.line_bytes > c->l1d.line_bytes ? c->l1i.line_bytes : c->l1d.line_bytes;
    if (longest > c->l2.line_bytes || c->constant.line_bytes > c->l2.line_bytes)
        return error_set(e, EXIT_USER,
                         "l2.line is %u, but lines of l1i.line %u, l1d.line %u and constant.line %u must lie "
                         "in one of the L2",
                         c->l2.line_bytes, c->l1i.line_bytes, c->l1d.line_bytes, c->constant.line_bytes);
    if (c->cluster.local_bytes > c->local.size_bytes)
        return error_set(
            e, EXIT_USER,
            "cluster.local_memory %u, which one work-group may have, is more than local.bytes %u, "
            "which all of a cluster share",
            c->cluster.local_bytes, c->local.size_bytes);
    if (stacks > MEMORY_BUFFER_BASE - MEMORY_STACK_BASE)
        return error_set(e, EXIT_USER,
                         "cluster.stack_size %u for each of cluster.count %u clusters' %u threads "
                         "(cluster.threads, and scalar "
                         "ones) is %llu bytes; there is room for %u",
                         c->cluster.stack_size_bytes, c->cluster.count, machine_stacks(c),
                         (unsigned long long)stacks, MEMORY_BUFFER_BASE - MEMORY_STACK_BASE);
    if (locals > MEMORY_STACK_BASE - MEMORY_LOCAL_BASE)
        return error_set(
            e, EXIT_USER,
            "cluster.local_memory %u for each of cluster.count x cluster.groups = %u x %u work-groups "
            "is %llu bytes; there is room for %u",
            c->cluster.local_bytes, c->cluster.count, c->cluster.groups, (unsigned long long)locals,
            MEMORY_STACK_BASE - MEMORY_LOCAL_BASE);
    return check_uniform(c, e) && check_uniform_ports(c, e);
}

/* Checks the registers: tokens of uniform registers are bits of a word, 48 registers and flags. */
static bool check_isa(const struct machine_config *c, struct error *e) {
    if (c->cluster.isa == ISA_VFP || c->uniform.storage == UNIFORM_NONE) return true;
    return error_set(
        e, EXIT_USER,
        "cluster.isa is neon, but uniform.storage is not none: it holds values of the registers of vfp "
        "only; set cluster.isa to vfp or uniform.storage to none");
}

static bool check_warp_size(const struct machine_config *c, struct error *e) {
    if (c->simt.warp_size <= MACHINE_MAX_WARP_SIZE) return true;
    return error_set(e, EXIT_USER,
                     "simt.warp_size is %u, but must be at most %u threads. For warps of %u threads, "
                     "executed in sub-warps, set simt.divergence to lwm, with lwm.threads %u",
                     c->simt.warp_size, MACHINE_MAX_WARP_SIZE, c->simt.warp_size, c->simt.warp_size);
}

bool machine_config_check(const void *config, struct error *e) {
    const struct machine_config *c = config;
    if (!check_warp_size(c, e) || !check_memory(c, e) || !check_pairs(c, e)) return false;
    if (c->contexts == CONTEXTS_VRF) return check_vrf(c, e);
    if (c->l1d_write_policy != WRITE_THROUGH)
        return error_set(
            e, EXIT_USER,
            "l1d.write_policy is write_back, but contexts is tpm: other cores snoop the L2s alone, "
            "which would not know of stores that stay in an L1D; set it to write_through");
    const uint32_t contexts = c->cluster.lanes * c->cluster.threads_per_lane;
    if (c->simt.warp_size < c->cluster.lanes)
        return error_set(
            e, EXIT_USER,
            "simt.warp_size is %u, but a warp needs a thread for each of the %u lanes (cluster.lanes)",
            c->simt.warp_size, c->cluster.lanes);
    if (contexts < c->simt.warp_size || contexts / c->simt.warp_size > TDT_MAX_WARPS)
        return error_set(e, EXIT_USER,
                         "cluster.lanes x cluster.threads_per_lane = %u x %u = %u contexts make %u warps of "
                         "simt.warp_size %u; 1 to %u are possible",
                         c->cluster.lanes, c->cluster.threads_per_lane, contexts,
                         contexts / c->simt.warp_size, c->simt.warp_size, TDT_MAX_WARPS);
    if (c->l1d.line_bytes > c->l2.line_bytes)
        return error_set(e, EXIT_USER,
                         "l1d.line is %u and l2.line %u: a line of the L1D must lie in one of the L2, which "
                         "answers for it to other cores",
                         c->l1d.line_bytes, c->l2.line_bytes);
    if (!check_isa(c, e) || !check_stacks(c, e) || !check_local_memories(c, e) || !check_uniform(c, e) ||
        !(!core_kinds[c->core.kind]->check || core_kinds[c->core.kind]->check(c, e)) ||
        !check_divergence(c, e) || !check_mitigation(c, e) || !check_multi_issue(c, e) ||
        !lanes_config_check(c, e) || !scalar_config_check(c, e))
        return false;
    const uint32_t rounds = c->simt.warp_size / c->cluster.lanes;
    if (c->l1d.size_bytes / (rounds * 4) < machine_registers(c))
        return error_set(e, EXIT_USER,
                         "l1d.size %u is too small for the registers of one warp: simt.warp_size %u / "
                         "cluster.lanes %u = %u contexts a lane (n_act) x %u registers x 4 bytes = %u bytes",
                         c->l1d.size_bytes, c->simt.warp_size, c->cluster.lanes, rounds, machine_registers(c),
                         rounds * machine_registers(c) * 4);
    return true;
}

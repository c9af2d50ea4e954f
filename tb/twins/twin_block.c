#include "tb/twins/place.h"

#include "generated/first_ready_arbiter_ports.h"
#include "generated/min_pc_arbiter_ports.h"
#include "model/config/core_kind.h"
#include "model/config/core_kinds.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/lanes_config.h"
#include "model/config/own_fields.h"
#include "model/config/scheduler_kind.h"
#include "model/control/bank_conflict_resolver.h"
#include "model/control/branch_predictor.h"
#include "model/control/coalescer.h"
#include "model/control/dram_scheduler.h"
#include "model/control/exclusive_monitor.h"
#include "model/control/issue_select.h"
#include "model/control/load_store_queue.h"
#include "model/control/miss_registers.h"
#include "model/control/scoreboard.h"
#include "model/divergence/harp_scheduler_cycle.h"
#include "model/divergence/re_convergence_barriers_cycle.h"
#include "model/divergence/re_convergence_stack_cycle.h"
#include "model/divergence/subwarp_packer.h"
#include "model/divergence/second_level_cycle.h"
#include "model/divergence/warp_formation_table_cycle.h"
#include "model/divergence/warp_lookup_cycle.h"
#include "model/memory/snoop_directory.h"
#include "model/control/lane_scheduler.h"
#include "model/control/local_memory_arbiter.h"
#include "model/control/round_compactor.h"
#include "model/control/scalar_scheduler.h"
#include "model/control/work_group_dispatcher.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SIGNAL(kind, part, name, type, array) {#name, kind, offsetof(struct part, name), sizeof(type), array},

static const struct twin_signal round_robin[] = {WARP_SCHEDULER_SIGNALS(SIGNAL)};
#define SIGNALS(name, upper) static const struct twin_signal name[] = {upper##_SCHEDULER_SIGNALS(SIGNAL)};
SCHEDULER_TWINS(SIGNALS)
#undef SIGNALS
static const struct twin_signal ics_first[] = {WARP_PC_ARBITER_SIGNALS(SIGNAL)};
static const struct twin_signal min_pc[] = {MIN_PC_ARBITER_SIGNALS(SIGNAL)};
static const struct twin_signal first_ready[] = {FIRST_READY_ARBITER_SIGNALS(SIGNAL)};
static const struct twin_signal dispatcher[] = {SUBWARP_DISPATCHER_SIGNALS(SIGNAL)};
static const struct twin_signal barriers[] = {BARRIER_TABLE_SIGNALS(SIGNAL)};
static const struct twin_signal tokens[] = {TOKEN_FILE_SIGNALS(SIGNAL)};
static const struct twin_signal rename_map[] = {SRF_RENAME_SIGNALS(SIGNAL)};
static const struct twin_signal reuse[] = {INSTRUCTION_REUSE_BUFFER_SIGNALS(SIGNAL)};
static const struct twin_signal address[] = {TPO_ADDRESS_SIGNALS(SIGNAL)};
static const struct twin_signal collector[] = {OPERAND_COLLECTOR_SIGNALS(SIGNAL)};
static const struct twin_signal writeback[] = {WRITEBACK_ARBITER_SIGNALS(SIGNAL)};
static const struct twin_signal coprocessor[] = {SIMT_COPROCESSOR_SIGNALS(SIGNAL)};
static const struct twin_signal transactions[] = {COALESCER_SIGNALS(SIGNAL)};
static const struct twin_signal passes[] = {BANK_CONFLICT_RESOLVER_SIGNALS(SIGNAL)};
static const struct twin_signal hazards[] = {SCOREBOARD_SIGNALS(SIGNAL)};
static const struct twin_signal reservations[] = {EXCLUSIVE_MONITOR_SIGNALS(SIGNAL)};
static const struct twin_signal groups[] = {WORK_GROUP_DISPATCHER_SIGNALS(SIGNAL)};
static const struct twin_signal protocol[] = {SNOOP_DIRECTORY_SIGNALS(SIGNAL)};
static const struct twin_signal predictions[] = {BRANCH_PREDICTOR_SIGNALS(SIGNAL)};
static const struct twin_signal selection[] = {ISSUE_SELECT_SIGNALS(SIGNAL)};
static const struct twin_signal accesses[] = {LOAD_STORE_QUEUE_SIGNALS(SIGNAL)};
static const struct twin_signal commands[] = {DRAM_SCHEDULER_SIGNALS(SIGNAL)};
static const struct twin_signal misses[] = {MISS_REGISTERS_SIGNALS(SIGNAL)};
static const struct twin_signal rounds[] = {ROUND_COMPACTOR_SIGNALS(SIGNAL)};
static const struct twin_signal lane_groups[] = {LANE_SCHEDULER_SIGNALS(SIGNAL)};
static const struct twin_signal local_rounds[] = {LOCAL_MEMORY_ARBITER_SIGNALS(SIGNAL)};
static const struct twin_signal scalar_turns[] = {SCALAR_SCHEDULER_SIGNALS(SIGNAL)};
static const struct twin_signal stacks[] = {RE_CONVERGENCE_STACK_SIGNALS(SIGNAL)};
static const struct twin_signal subwarps[] = {SUBWARP_PACKER_SIGNALS(SIGNAL)};
static const struct twin_signal lookups[] = {WARP_LOOKUP_SIGNALS(SIGNAL)};
static const struct twin_signal formation[] = {WARP_FORMATION_TABLE_SIGNALS(SIGNAL)};
static const struct twin_signal queues[] = {SECOND_LEVEL_SIGNALS(SIGNAL)};
static const struct twin_signal meetings[] = {RE_CONVERGENCE_BARRIERS_SIGNALS(SIGNAL)};
static const struct twin_signal harp[] = {HARP_SCHEDULER_SIGNALS(SIGNAL)};
static const struct twin_signal descriptors[] = {THREAD_DESCRIPTOR_TABLE_SIGNALS(SIGNAL)};

#define BLOCK(slot, policy, name, module, signals, member, q)                                                \
    { BLOCK_PARTS(slot, policy, name, module, signals, member, q), 0, 0, 0, false }
#define BLOCK_PARTS(slot, policy, name, module, signals, member, q)                                          \
    slot, policy, name, module, signals, sizeof(signals) / sizeof(signals)[0],                               \
        offsetof(struct cluster, member), offsetof(struct cluster, member.in),                               \
        offsetof(struct cluster, member.out), q
#define SCHEDULER(policy, module, signals)                                                                   \
    BLOCK(CLUSTER_BLOCK_SCHEDULER, policy, "warp_scheduler", module, signals, blocks.scheduler,              \
          offsetof(struct cluster, blocks.scheduler.q))
#define ARBITER(policy, module, signals)                                                                     \
    BLOCK(CLUSTER_BLOCK_ARBITER, policy, "warp_pc_arbiter", module, signals, blocks.arbiter, 0)
/* Blocks of uniform instructions. */
#define UNIFORM(slot, name, signals, member)                                                                 \
    BLOCK(slot, 0, name, name, signals, uniform.member, offsetof(struct cluster, uniform.member.q))
/* Blocks without alternatives. The list of signals has the name of the member of struct cluster. */
#define CLOCKED(slot, name, signals, member)                                                                 \
    BLOCK(slot, 0, name, name, signals, member, offsetof(struct cluster, member.q))

/* Blocks with memories, whose rows are an array in the model. */
#define MEMORIES(slot, name, signals, member, row)                                                           \
    {                                                                                                        \
        BLOCK_PARTS(slot, 0, name, name, signals, member, offsetof(struct cluster, member.q)),               \
            offsetof(struct cluster, member.row[0]), sizeof(((struct cluster *)NULL)->member.row[0]),        \
            offsetof(struct cluster, member.written), false                                                  \
    }

/* Blocks of GPU-like machines and shared blocks: the model itself has the ports. */
#define OF_MODEL(slot, module, signals, model, q)                                                            \
    {                                                                                                        \
        slot, 0, #module, #module, signals, sizeof(signals) / sizeof(signals)[0], 0,                         \
            offsetof(struct model, in), offsetof(struct model, out), q, 0, 0, 0, false                       \
    }
#define OF_SM(slot, module, signals)           OF_MODEL(slot, module, signals, module, offsetof(struct module, q))
#define OF_SM_UNCLOCKED(slot, module, signals) OF_MODEL(slot, module, signals, module, 0)

/* Blocks of the L1D or of a divergence engine: a separate model has the ports. `q` is 0 without flip-flops;
 * OF_ENGINE_ROWS is for memories. */
#define OF_ENGINE_PARTS(slot, name, module, model, signals, q)                                               \
    slot, 0, name, module, signals, sizeof(signals) / sizeof(signals)[0], 0, offsetof(struct model, in),     \
        offsetof(struct model, out), q
#define OF_ENGINE(slot, name, module, model, signals)                                                        \
    { OF_ENGINE_PARTS(slot, name, module, model, signals, offsetof(struct model, q)), 0, 0, 0, false }
#define OF_ENGINE_ROWS(slot, name, model, signals, q)                                                        \
    {                                                                                                        \
        OF_ENGINE_PARTS(slot, name, name, model, signals, q), offsetof(struct model, row[0]),                \
            sizeof(((struct model *)NULL)->row[0]), offsetof(struct model, written), false                   \
    }

const struct twin_block twin_block[] = {
    [CLUSTER_BLOCK_SCHEDULER] = SCHEDULER(SCHEDULER_round_robin, "warp_scheduler", round_robin),
    [CLUSTER_BLOCK_ARBITER] = ARBITER(PC_ICS_FIRST, "warp_pc_arbiter", ics_first),
    [CLUSTER_BLOCK_DISPATCHER] =
        CLOCKED(CLUSTER_BLOCK_DISPATCHER, "subwarp_dispatcher", dispatcher, blocks.dispatcher),
    [CLUSTER_BLOCK_BARRIERS] = CLOCKED(CLUSTER_BLOCK_BARRIERS, "barrier_table", barriers, barriers),
    [CLUSTER_BLOCK_DESCRIPTORS] = {BLOCK_PARTS(CLUSTER_BLOCK_DESCRIPTORS, 0, "thread_descriptor_table",
                                               "thread_descriptor_table", descriptors, descriptors,
                                               offsetof(struct cluster, descriptors.q)),
                                   offsetof(struct cluster, descriptors.warp),
                                   sizeof(struct warp_descriptors),
                                   offsetof(struct cluster, descriptors.written), true},
    [CLUSTER_BLOCK_ADDRESS] =
        BLOCK(CLUSTER_BLOCK_ADDRESS, 0, "tpo_address", "tpo_address", address, address, 0),
    [CLUSTER_BLOCK_COLLECTOR] =
        CLOCKED(CLUSTER_BLOCK_COLLECTOR, "operand_collector", collector, blocks.collector),
    [CLUSTER_BLOCK_WRITEBACK] =
        CLOCKED(CLUSTER_BLOCK_WRITEBACK, "writeback_arbiter", writeback, blocks.writeback),
    [CLUSTER_BLOCK_TOKENS] = UNIFORM(CLUSTER_BLOCK_TOKENS, "token_file", tokens, tokens),
    [CLUSTER_BLOCK_RENAME] = MEMORIES(CLUSTER_BLOCK_RENAME, "srf_rename", rename_map, uniform.rename, row),
    [CLUSTER_BLOCK_REUSE] = UNIFORM(CLUSTER_BLOCK_REUSE, "instruction_reuse_buffer", reuse, reuse),
    [CLUSTER_BLOCK_COPROCESSOR] =
        CLOCKED(CLUSTER_BLOCK_COPROCESSOR, "simt_coprocessor", coprocessor, coprocessor),
    [CLUSTER_BLOCK_COALESCER] = OF_SM(CLUSTER_BLOCK_COALESCER, coalescer, transactions),
    [CLUSTER_BLOCK_RESOLVER] = OF_SM(CLUSTER_BLOCK_RESOLVER, bank_conflict_resolver, passes),
    [CHANNEL_BLOCK_DRAM] = OF_SM(CHANNEL_BLOCK_DRAM, dram_scheduler, commands),
    [CLUSTER_BLOCK_SCOREBOARD] = OF_SM(CLUSTER_BLOCK_SCOREBOARD, scoreboard, hazards),
    [CLUSTER_BLOCK_SCALAR] = OF_SM(CLUSTER_BLOCK_SCALAR, scalar_scheduler, scalar_turns),
    [CLUSTER_BLOCK_LANES] = OF_SM_UNCLOCKED(CLUSTER_BLOCK_LANES, lane_scheduler, lane_groups),
    [CLUSTER_BLOCK_LOCAL] = OF_SM_UNCLOCKED(CLUSTER_BLOCK_LOCAL, local_memory_arbiter, local_rounds),
    [CLUSTER_BLOCK_COMPACTOR] = OF_SM(CLUSTER_BLOCK_COMPACTOR, round_compactor, rounds),
    [CLUSTER_BLOCK_MISSES] = OF_ENGINE_ROWS(CLUSTER_BLOCK_MISSES, "miss_registers", miss_registers, misses,
                                            offsetof(struct miss_registers, q)),
    [CLUSTER_BLOCK_STACK] =
        OF_ENGINE_ROWS(CLUSTER_BLOCK_STACK, "re_convergence_stack", re_convergence_stack_cycle, stacks,
                       offsetof(struct re_convergence_stack_cycle, q)),
    [CLUSTER_BLOCK_PACKER] = {OF_ENGINE_PARTS(CLUSTER_BLOCK_PACKER, "subwarp_packer", "subwarp_packer",
                                              subwarp_packer, subwarps, 0),
                              0, 0, 0},
    [CLUSTER_BLOCK_READY_LOOKUP] =
        OF_ENGINE(CLUSTER_BLOCK_READY_LOOKUP, "ready_lookup", "warp_lookup", warp_lookup_cycle, lookups),
    [CLUSTER_BLOCK_WAITING_LOOKUP] =
        OF_ENGINE(CLUSTER_BLOCK_WAITING_LOOKUP, "waiting_lookup", "warp_lookup", warp_lookup_cycle, lookups),
    [CLUSTER_BLOCK_FORMATION] = OF_ENGINE_ROWS(CLUSTER_BLOCK_FORMATION, "warp_formation_table",
                                               warp_formation_table_cycle, formation, 0),
    [CLUSTER_BLOCK_SECOND_LEVEL] =
        OF_ENGINE(CLUSTER_BLOCK_SECOND_LEVEL, "second_level", "second_level", second_level_cycle, queues),
    [CLUSTER_BLOCK_MEETINGS] = OF_ENGINE(CLUSTER_BLOCK_MEETINGS, "re_convergence_barriers",
                                         "re_convergence_barriers", re_convergence_barriers_cycle, meetings),
    [CLUSTER_BLOCK_HARP] =
        OF_ENGINE(CLUSTER_BLOCK_HARP, "harp_scheduler", "harp_scheduler", harp_scheduler_cycle, harp),
    [CLUSTER_BLOCK_MONITOR] = OF_MODEL(CLUSTER_BLOCK_MONITOR, exclusive_monitor, reservations, exclusive_bank,
                                       offsetof(struct exclusive_bank, q)),
    [CLUSTER_BLOCK_GROUPS] = OF_SM(CLUSTER_BLOCK_GROUPS, work_group_dispatcher, groups),
    [CLUSTER_BLOCK_PROTOCOL] = OF_SM_UNCLOCKED(CLUSTER_BLOCK_PROTOCOL, snoop_directory, protocol),
    [CLUSTER_BLOCK_PREDICTOR] = OF_SM_UNCLOCKED(CLUSTER_BLOCK_PREDICTOR, branch_predictor, predictions),
    [CLUSTER_BLOCK_SELECT] = OF_SM_UNCLOCKED(CLUSTER_BLOCK_SELECT, issue_select, selection),
    [CLUSTER_BLOCK_QUEUE] = OF_SM(CLUSTER_BLOCK_QUEUE, load_store_queue, accesses),
#define TWIN(name, upper) SCHEDULER(SCHEDULER_##name, #name "_scheduler", name),
    SCHEDULER_TWINS(TWIN)
#undef TWIN
        ARBITER(PC_MIN_PC, "min_pc_arbiter", min_pc),
    ARBITER(PC_FIRST_READY, "first_ready_arbiter", first_ready),
};

const unsigned twin_block_count = sizeof twin_block / sizeof twin_block[0];
const char *const twin_suffix[] = {"_i", "_o", "_q", "_q"};

const char *twin_block_names(void) {
    static char names[CLUSTER_BLOCK_COUNT * VERILOG_MAX_NAME];
    size_t used = 0;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 b == 0                         ? ""
                                 : b == CLUSTER_BLOCK_COUNT - 1 ? " and "
                                                                : ", ",
                                 twin_block[b].name);
    return names;
}

static unsigned policy_of(const struct machine_config *c, enum cluster_block slot) {
    switch (slot) {
    case CLUSTER_BLOCK_SCHEDULER: return c->simt.scheduler;
    case CLUSTER_BLOCK_ARBITER: return c->simt.pc_policy;
    default: return 0;
    }
}

const struct twin_block *twin_block_of(const struct machine_config *c, enum cluster_block slot) {
    const struct twin_block *b = twin_block;
    while (b->slot != slot || b->policy != policy_of(c, slot)) {
        ++b;
        invariant(b < twin_block + twin_block_count, "no Verilog fills %s", twin_block[slot].name);
    }
    return b;
}

bool twin_block_decides(enum cluster_block slot) {
    return slot == CLUSTER_BLOCK_SCHEDULER || slot == CLUSTER_BLOCK_ARBITER ||
           slot == CLUSTER_BLOCK_BARRIERS || slot == CLUSTER_BLOCK_COLLECTOR ||
           slot == CLUSTER_BLOCK_ADDRESS || slot == CLUSTER_BLOCK_WRITEBACK ||
           slot == CLUSTER_BLOCK_COALESCER || slot == CLUSTER_BLOCK_RESOLVER ||
           slot == CLUSTER_BLOCK_SCOREBOARD || slot == CLUSTER_BLOCK_PACKER || slot == CLUSTER_BLOCK_LANES ||
           slot == CLUSTER_BLOCK_LOCAL || slot == CLUSTER_BLOCK_SCALAR || slot == CLUSTER_BLOCK_MONITOR ||
           slot == CLUSTER_BLOCK_GROUPS || slot == CLUSTER_BLOCK_PROTOCOL ||
           slot == CLUSTER_BLOCK_PREDICTOR || slot == CLUSTER_BLOCK_SELECT || slot == CLUSTER_BLOCK_QUEUE;
}

bool twin_block_is_pure(enum cluster_block slot) {
    return slot != CLUSTER_BLOCK_COPROCESSOR && slot != CLUSTER_BLOCK_HARP;
}

bool twin_block_is_shared(enum cluster_block slot) {
    return slot >= CLUSTER_BLOCK_MONITOR && slot < CLUSTER_BLOCK_COUNT;
}

/* Returns the values that a block needs which knows only one instruction of a warp at a time; NULL if the
 * machine has one of them. */
static const char *one_path(const struct machine_config *m) {
    return m->simt.mitigation >= MITIGATION_DPE ? "simt.mitigation none, skip or slp" : NULL;
}

/* Returns the values that a block needs which knows only one instruction of a flight; NULL if the machine has
 * one of them. */
static const char *one_instruction(const struct machine_config *m) {
    return m->simt.mitigation == MITIGATION_ALT ? "simt.mitigation none, skip, slp or dpe" : NULL;
}

/* Returns the values that a block needs which counts rounds; NULL if the machine has one of them. Such a
 * block broadcasts the thread of the n-th round as if no earlier round had been skipped. */
static const char *every_round(const struct machine_config *m) {
    return m->simt.mitigation == MITIGATION_SKIP || m->simt.mitigation == MITIGATION_ALT
               ? "simt.mitigation none, slp or dpe"
               : NULL;
}

const enum cluster_block *twin_block_parts(enum cluster_block whole) {
    static const enum cluster_block none[] = {CLUSTER_BLOCK_COUNT};
    static const enum cluster_block coprocessor_parts[] = {CLUSTER_BLOCK_SCHEDULER,   CLUSTER_BLOCK_ARBITER,
                                                           CLUSTER_BLOCK_DISPATCHER,  CLUSTER_BLOCK_BARRIERS,
                                                           CLUSTER_BLOCK_DESCRIPTORS, CLUSTER_BLOCK_COUNT};
    static const enum cluster_block harp_parts[] = {CLUSTER_BLOCK_MEETINGS, CLUSTER_BLOCK_READY_LOOKUP,
                                                    CLUSTER_BLOCK_WAITING_LOOKUP, CLUSTER_BLOCK_SECOND_LEVEL,
                                                    CLUSTER_BLOCK_COUNT};
    return whole == CLUSTER_BLOCK_COPROCESSOR ? coprocessor_parts
           : whole == CLUSTER_BLOCK_HARP      ? harp_parts
                                              : none;
}

static const char *engine_too_large(const struct machine_config *m, enum cluster_block slot);

/* Returns the field that makes a part, and thus the whole, too large. */
static const char *whole_too_large(const struct machine_config *m, enum cluster_block whole) {
    const char *field = NULL;
    for (const enum cluster_block *part = twin_block_parts(whole); !field && *part != CLUSTER_BLOCK_COUNT;
         ++part)
        field = engine_too_large(m, *part);
    return field;
}

static const char *engine_too_large(const struct machine_config *m, enum cluster_block slot) {
    const unsigned most = WARP_LOOKUP_CYCLE_MAX_ENTRIES;
    switch (slot) {
    case CLUSTER_BLOCK_STACK: /* a large warp may have more threads than a port has bits */
        return m->simt.divergence == DIVERGENCE_lwm &&
                       own_fields(m)->lwm.threads > RE_CONVERGENCE_STACK_CYCLE_MAX_WARP_SIZE
                   ? "lwm.threads of at most 64"
                   : NULL;
    case CLUSTER_BLOCK_FORMATION:
        if (machine_threads(m) > SM_MAX_THREADS)
            return "cluster.lanes x cluster.threads_per_lane of at most 4096";
        return own_fields(m)->dwf.lut_entries > WARP_FORMATION_WAYS * WARP_FORMATION_TABLE_CYCLE_MAX_SETS
                   ? "dwf.lut_entries of at most 256"
                   : NULL;
    case CLUSTER_BLOCK_MEETINGS:
        if (own_fields(m)->harp.barrier_ways > RE_CONVERGENCE_BARRIERS_CYCLE_MAX_WAYS)
            return "harp.barrier_ways of at most 16";
        return own_fields(m)->harp.barriers > RE_CONVERGENCE_BARRIERS_CYCLE_MAX
                   ? "harp.barriers of at most 128"
                   : NULL;
    case CLUSTER_BLOCK_READY_LOOKUP:
        return own_fields(m)->harp.ready_lookup > most ? "harp.ready_lookup of at most 16" : NULL;
    case CLUSTER_BLOCK_WAITING_LOOKUP:
        return own_fields(m)->harp.waiting_lookup > most ? "harp.waiting_lookup of at most 16" : NULL;
    case CLUSTER_BLOCK_SECOND_LEVEL:
        return machine_threads(m) / machine_schedulers(m) > SECOND_LEVEL_CYCLE_MAX_ENTRIES
                   ? "at most 1024 thread contexts a scheduler"
                   : NULL;
    case CLUSTER_BLOCK_HARP: return whole_too_large(m, slot);
    default: return NULL;
    }
}

/* Returns the field that a block of a divergence engine needs. */
static const char *engine_absent(const struct machine_config *m, enum cluster_block slot) {
    const uint32_t d = m->simt.divergence;
    const bool has_stacks = d == DIVERGENCE_sbr || d == DIVERGENCE_oracle || d == DIVERGENCE_lwm;
    switch (slot) {
    case CLUSTER_BLOCK_STACK: return has_stacks ? NULL : "simt.divergence sbr, lwm or oracle";
    case CLUSTER_BLOCK_PACKER: return d == DIVERGENCE_lwm ? NULL : "simt.divergence lwm";
    case CLUSTER_BLOCK_FORMATION: return d == DIVERGENCE_dwf ? NULL : "simt.divergence dwf";
    default: return d == DIVERGENCE_harp ? NULL : "simt.divergence harp";
    }
}

const char *twin_block_too_large(const struct machine_config *m, enum cluster_block slot) {
    return twin_block_of_engine(slot) && !engine_absent(m, slot) ? engine_too_large(m, slot) : NULL;
}

/* Returns NULL if a machine's scheduler has Verilog. */
static const char *scheduler_absent(const struct machine_config *m) {
    static const char *const has = "simt.scheduler round_robin"
#define NAME(name, upper) " or " #name
        SCHEDULER_TWINS(NAME);
#undef NAME
    const struct twin_block *b = twin_block;
    while (b < twin_block + twin_block_count &&
           (b->slot != CLUSTER_BLOCK_SCHEDULER || b->policy != m->simt.scheduler))
        ++b;
    return b < twin_block + twin_block_count ? NULL : has;
}

#define PCS "simt.divergence pc"

/* Returns whether each thread has a PC. */
static bool has_pcs(const struct machine_config *m) {
    return m->simt.divergence == DIVERGENCE_pc;
}

#define VFP "cluster.isa vfp" /* the Verilog has 48 registers */

const char *twin_block_absent(const struct machine_config *m, enum cluster_block slot) {
    const char *absent = twin_machine_of(m)->absent(m, slot);
    if (absent) return absent;
    if (twin_block_of_engine(slot)) {
        absent = engine_absent(m, slot);
        return absent ? absent : engine_too_large(m, slot);
    }
    switch (slot) {
    case CLUSTER_BLOCK_SCHEDULER: return scheduler_absent(m);
    case CLUSTER_BLOCK_TOKENS: return m->uniform.storage == UNIFORM_TOKEN ? NULL : "uniform.storage token";
    case CLUSTER_BLOCK_RENAME: return m->uniform.storage == UNIFORM_SRF ? NULL : "uniform.storage srf";
    case CLUSTER_BLOCK_REUSE: return m->uniform.inter ? NULL : "uniform.inter on";
    case CLUSTER_BLOCK_SCOREBOARD: return m->simt.issue == ISSUE_BARREL ? "simt.issue scoreboard" : NULL;
    case CLUSTER_BLOCK_SCALAR: return m->scalar.mode == SCALAR_OWN ? NULL : "scalar.mode own";
    case CLUSTER_BLOCK_MISSES:
        return m->l1d_misses.mshrs > MISS_REGISTERS_MAX ? "l1d.mshrs up to 64"
               : m->icnt.clock_mhz > m->clock_mhz
                   ? "icnt.clock_mhz not above cluster.clock_mhz" /* otherwise two answers could come in one
                                                                   * cycle */
                   : NULL;
    case CLUSTER_BLOCK_RESOLVER: return m->lanes.kind == LANES_SPATIAL ? NULL : "lanes.kind spatial";
    case CLUSTER_BLOCK_LANES:
        if (m->simt.issue == ISSUE_BARREL)
            return "simt.issue scoreboard"; /* each lane group has a scheduler */
        __attribute__((fallthrough));
    case CLUSTER_BLOCK_LOCAL:
        return m->lanes.kind == LANES_SPATIAL ? "lanes.kind temporal or spatio_temporal" : NULL;
    case CLUSTER_BLOCK_COMPACTOR: return machine_compacts(m) ? NULL : "simt.compaction round";
    case CLUSTER_BLOCK_PREDICTOR:
        return !core_kinds[m->core.kind]->superscalar ? "core.kind in_order or out_of_order"
               : m->core.btb_entries                  ? NULL
                                                      : "core.btb of at least 1";
    case CLUSTER_BLOCK_SELECT:
    case CLUSTER_BLOCK_QUEUE: return m->core.kind == CORE_out_of_order ? NULL : "core.kind out_of_order";
    case CLUSTER_BLOCK_ARBITER: return has_pcs(m) ? one_instruction(m) : PCS;
    case CLUSTER_BLOCK_COLLECTOR: return m->cluster.isa == ISA_VFP ? one_instruction(m) : VFP;
    case CLUSTER_BLOCK_ADDRESS: return m->cluster.isa == ISA_VFP ? NULL : VFP;
    case CLUSTER_BLOCK_DISPATCHER: return every_round(m);
    case CLUSTER_BLOCK_DESCRIPTORS:
    case CLUSTER_BLOCK_WRITEBACK: return one_path(m);
    case CLUSTER_BLOCK_COPROCESSOR:
        return scheduler_policies[m->simt.scheduler]->code == SCHEDULER_NO_CODE
                   ? "simt.scheduler round_robin or greedy_oldest or two_level or pipelined"
               : !has_pcs(m)                   ? PCS
               : m->simt.arbitrate_cycles != 1 ? "simt.arbitrate_cycles 1"
               : m->simt.slp == SLP_ANY        ? "simt.slp own"
               : every_round(m)                ? "simt.mitigation none or slp"
                                               : one_path(m);
    default: return NULL;
    }
}

const struct twin_block *twin_block_called(const char *module) {
    for (const struct twin_block *b = twin_block; b < twin_block + twin_block_count; ++b)
        if (strcmp(b->module, module) == 0) return b;
    return NULL;
}

enum cluster_block twin_block_find(const char *name, size_t length) {
    enum cluster_block b = 0;
    while (b < CLUSTER_BLOCK_COUNT &&
           (strlen(twin_block[b].name) != length || strncmp(twin_block[b].name, name, length) != 0))
        ++b;
    return b;
}

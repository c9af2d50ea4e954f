/* face_models: how the face of each block of rtl/ (face.h) creates and evaluates the block's model.
 *
 * For each module (name in capitals; `d` points to its handle, whose first member is `model`):
 *
 *   MODULE_FACE_INIT(d)             creates the model in its state after a reset; parameters are members of
 * *d MODULE_FACE_LEAST               the smallest value of each parameter
 *
 * A block can have these in library/faces/NAME.h instead.
 *
 * The following macros are only defined if they differ from the defaults of the generated file:
 *
 *   MODULE_FACE_WRONG(d)            the name of an input value that the model must not evaluate, since it
 *                                   would access elements that do not exist; NULL: none
 *   MODULE_FACE_FITS(d)             whether the parameters fit each other
 *   MODULE_FACE_PARTS               further members that the model needs
 *   MODULE_FACE_FREE(d)             frees allocations of INIT
 *   MODULE_FACE_EVAL(d), _CLOCK(d)  the two halves of a cycle
 *   MODULE_FACE_KEEP(d)             the state of a model whose evaluation changes its state */
#ifndef LIBRARY_FACE_MODELS_H
#define LIBRARY_FACE_MODELS_H

#include "library/face.h"
#include "model/control/bank_conflict_resolver.h"
#include "model/control/barrier_table.h"
#include "model/control/branch_predictor.h"
#include "model/control/coalescer.h"
#include "model/control/dram_scheduler.h"
#include "model/control/exclusive_monitor.h"
#include "model/control/instruction_reuse_buffer.h"
#include "model/control/issue_select.h"
#include "model/control/lane_scheduler.h"
#include "model/control/load_store_queue.h"
#include "model/control/local_memory_arbiter.h"
#include "model/control/miss_registers.h"
#include "model/control/operand_collector.h"
#include "model/control/round_compactor.h"
#include "model/control/scalar_scheduler.h"
#include "model/control/scoreboard.h"
#include "model/control/simt_coprocessor.h"
#include "model/control/srf_rename.h"
#include "model/control/subwarp_dispatcher.h"
#include "model/control/thread_descriptor_table.h"
#include "model/control/token_file.h"
#include "model/control/tpo_address.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/control/warp_scheduler.h"
#include "model/control/work_group_dispatcher.h"
#include "model/control/writeback_arbiter.h"
#include "model/divergence/harp_scheduler_cycle.h"
#include "model/divergence/re_convergence_barriers_cycle.h"
#include "model/divergence/re_convergence_stack_cycle.h"
#include "model/divergence/second_level_cycle.h"
#include "model/divergence/subwarp_packer.h"
#include "model/divergence/warp_formation_table_cycle.h"
#include "model/divergence/warp_lookup_cycle.h"
#include "model/memory/snoop_directory.h"

#define POWER_OF_TWO(n)          (((n) & ((n)-1)) == 0)
#define NO_SUCH(input, n, count) ((n) >= (count) ? input : NULL)
#define REGION(whole)                                                                                        \
    { &(whole), sizeof(whole) }
#define ROWS(first, count)                                                                                   \
    { first, (size_t)(count) * sizeof *(first) }

#define WARP_SCHEDULER_FACE_INIT(d)                                                                          \
    warp_scheduler_init(&(d)->model, &scheduler_policy_round_robin, (d)->WARPS, 1)
#define WARP_SCHEDULER_FACE_LEAST .WARPS = 1

#define TWO_LEVEL_SCHEDULER_FACE_INIT(d)                                                                     \
    warp_scheduler_init(&(d)->model, &scheduler_policy_two_level, (d)->WARPS, (d)->ACTIVE)
#define TWO_LEVEL_SCHEDULER_FACE_LEAST .WARPS = 1, .ACTIVE = 1
#include "generated/scheduler_faces.h" /* faces of the other schedulers, whose only parameter is WARPS */

#define WARP_PC_ARBITER_FACE_INIT(d)                                                                         \
    warp_pc_arbiter_init(&(d)->model, PC_ICS_FIRST, (d)->WARP_SIZE, (d)->LEVELS)
#define WARP_PC_ARBITER_FACE_LEAST .WARP_SIZE = 4, .LEVELS = 1

#define MIN_PC_ARBITER_FACE_INIT(d) warp_pc_arbiter_init(&(d)->model, PC_MIN_PC, (d)->WARP_SIZE, (d)->LEVELS)
#define MIN_PC_ARBITER_FACE_LEAST   .WARP_SIZE = 4, .LEVELS = 1

#define FIRST_READY_ARBITER_FACE_INIT(d)                                                                     \
    warp_pc_arbiter_init(&(d)->model, PC_FIRST_READY, (d)->WARP_SIZE, (d)->LEVELS)
#define FIRST_READY_ARBITER_FACE_LEAST .WARP_SIZE = 4, .LEVELS = 1

#define THREAD_DESCRIPTOR_TABLE_FACE_INIT(d)                                                                 \
    ((d)->model.warp = (d)->room.warp, (d)->model.rows = (d)->room.row[0],                                   \
     thread_descriptor_table_init(&(d)->model, (d)->WARPS, (d)->WARP_SIZE, (d)->LEVELS),                     \
     thread_descriptor_table_lanes(&(d)->model, (d)->LANES, (d)->CYCLIC != 0),                               \
     (void)((d)->model.in.execute_target = (d)->execute_target))
#define THREAD_DESCRIPTOR_TABLE_FACE_CLOCK(d)                                                                \
    (thread_descriptor_table_clock(&(d)->model), (void)((d)->model.in.execute_target = (d)->execute_target))
#define THREAD_DESCRIPTOR_TABLE_FACE_PARTS struct tdt_room room;
#define THREAD_DESCRIPTOR_TABLE_FACE_LEAST .WARPS = 1, .WARP_SIZE = 4, .LANES = 1, .LEVELS = 1, .CYCLIC = 0

#define SUBWARP_DISPATCHER_FACE_INIT(d)                                                                      \
    subwarp_dispatcher_init(&(d)->model, (d)->WARPS, (d)->WARP_SIZE, (d)->LANES)
#define SUBWARP_DISPATCHER_FACE_LEAST .WARPS = 1, .WARP_SIZE = 4, .LANES = 1

#define OPERAND_COLLECTOR_FACE_INIT(d)                                                                       \
    operand_collector_init(&(d)->model,                                                                      \
                           &(struct operand_collector_config){(d)->COLLECTORS, (d)->READ_PORTS,              \
                                                              (d)->READ_LATENCY, (d)->VTPO_LINES})
#define OPERAND_COLLECTOR_FACE_LEAST                                                                         \
    .WARPS = 1, .COLLECTORS = 1, .READ_PORTS = 1, .READ_LATENCY = 1, .VTPO_LINES = 1

#define WRITEBACK_ARBITER_FACE_INIT(d) writeback_arbiter_init(&(d)->model, (d)->WARPS, (d)->WRITE_PORTS)
#define WRITEBACK_ARBITER_FACE_LEAST   .WARPS = 1, .WRITE_PORTS = 1, .VTPO_LINES = 1
#define WRITEBACK_ARBITER_FACE_WRONG(d)                                                                      \
    ((d)->model.in.land ? NO_SUCH("warp_i", (d)->model.in.warp, (d)->model.cfg.warps) : NULL)

#define TPO_ADDRESS_FACE_INIT(d) (void)((d)->model = (struct tpo_address){.in = {0}})
#define TPO_ADDRESS_FACE_LEAST   .CONTEXTS = 512
#define TPO_ADDRESS_FACE_WRONG(d)                                                                            \
    ((d)->model.in.stack_bits + (d)->model.in.contexts_bits >= 32 ? "stack_bits_i" : NULL)

#define BARRIER_TABLE_FACE_INIT(d)  barrier_table_init(&(d)->model, (d)->GROUPS, (d)->SCALAR != 0)
#define BARRIER_TABLE_FACE_LEAST    .WARPS = 1, .WARP_SIZE = 4, .GROUPS = 1, .SCALAR = 0
#define BARRIER_TABLE_FACE_WRONG(d) barrier_table_face_wrong(&(d)->model)

#define TOKEN_FILE_FACE_INIT(d) token_file_init(&(d)->model, (d)->WARPS, (d)->REGISTERS)
#define TOKEN_FILE_FACE_LEAST   .WARPS = 1, .REGISTERS = 4

#define SRF_RENAME_FACE_INIT(d)  srf_rename_init(&(d)->model, (d)->WARPS, (d)->REGISTERS, (d)->PHYSICAL)
#define SRF_RENAME_FACE_LEAST    .WARPS = 1, .REGISTERS = 5, .PHYSICAL = 2
#define SRF_RENAME_FACE_WRONG(d) srf_rename_face_wrong(&(d)->model)

#define INSTRUCTION_REUSE_BUFFER_FACE_INIT(d)                                                                \
    instruction_reuse_buffer_init(&(d)->model, (d)->ENTRIES, (d)->TAG_BITS, (d)->OPCODE_BITS)
#define INSTRUCTION_REUSE_BUFFER_FACE_LEAST .ENTRIES = 1, .TAG_BITS = 1, .OPCODE_BITS = 1

#define BANK_CONFLICT_RESOLVER_FACE_INIT(d)                                                                  \
    bank_conflict_resolver_init(                                                                             \
        &(d)->model, &(struct bank_conflict_resolver_config){(d)->WARP_SIZE, (d)->BANKS, (d)->BROADCAST})
#define BANK_CONFLICT_RESOLVER_FACE_LEAST   .WARP_SIZE = 4, .BANKS = 1, .BROADCAST = 0
#define BANK_CONFLICT_RESOLVER_FACE_FITS(d) POWER_OF_TWO((d)->BANKS)

#define COALESCER_FACE_INIT(d)                                                                               \
    coalescer_init(&(d)->model, &(struct coalescer_config){.rule = (d)->RULE,                                \
                                                           .warp_size = (d)->WARP_SIZE,                      \
                                                           .line_bytes = (d)->LINE_BYTES})
#define COALESCER_FACE_LEAST .WARP_SIZE = 4, .RULE = 0, .LINE_BYTES = 32
#define COALESCER_FACE_WRONG(d)                                                                              \
    ((d)->model.in.valid && (!(d)->model.in.bytes || !POWER_OF_TWO((d)->model.in.bytes)) ? "bytes_i" : NULL)
#define COALESCER_FACE_FITS(d) POWER_OF_TWO((d)->LINE_BYTES)

#define DRAM_SCHEDULER_FACE_INIT(d)                                                                          \
    dram_scheduler_init(&(d)->model, &(struct dram_scheduler_config){                                        \
                                         .policy = (d)->POLICY, .queue = (d)->QUEUE, .banks = (d)->BANKS})
#define DRAM_SCHEDULER_FACE_LEAST .BANKS = 1, .QUEUE = 1, .POLICY = 0, .TAG_BITS = 1
#define DRAM_SCHEDULER_FACE_WRONG(d)                                                                         \
    ((d)->model.in.valid ? NO_SUCH("bank_i", (d)->model.in.bank, (d)->model.cfg.banks) : NULL)
#define DRAM_SCHEDULER_FACE_FITS(d) POWER_OF_TWO((d)->BANKS)

#define EXCLUSIVE_MONITOR_FACE_INIT(d)  exclusive_bank_reset(&(d)->model)
#define EXCLUSIVE_MONITOR_FACE_LEAST    .THREADS = 1
#define EXCLUSIVE_MONITOR_FACE_WRONG(d) NO_SUCH("thread_i", (d)->model.in.thread, (d)->THREADS)

#define LANE_SCHEDULER_FACE_INIT(d)                                                                          \
    lane_scheduler_init(&(d)->model,                                                                         \
                        &(struct lane_scheduler_config){(d)->WARPS, (d)->LANE_GROUPS, (d)->BOUND != 0})
#define LANE_SCHEDULER_FACE_LEAST .WARPS = 1, .LANE_GROUPS = 1, .BOUND = 0

#define LOCAL_MEMORY_ARBITER_FACE_INIT(d)                                                                    \
    local_memory_arbiter_init(                                                                               \
        &(d)->model, &(struct local_memory_arbiter_config){(d)->LANES, (d)->LANE_GROUPS, (d)->BANKS})
#define LOCAL_MEMORY_ARBITER_FACE_LEAST    .LANES = 1, .LANE_GROUPS = 1, .BANKS = 1
#define LOCAL_MEMORY_ARBITER_FACE_WRONG(d) NO_SUCH("turn_i", (d)->model.in.turn, (d)->LANE_GROUPS)
#define LOCAL_MEMORY_ARBITER_FACE_FITS(d)  (POWER_OF_TWO((d)->BANKS) && (d)->LANES % (d)->LANE_GROUPS == 0)

#define MISS_REGISTERS_FACE_INIT(d) miss_registers_init(&(d)->model, (d)->MSHRS, (d)->MERGES)
#define MISS_REGISTERS_FACE_LEAST   .MSHRS = 1, .MERGES = 1, .LINE_BITS = 1, .REQUEST_BITS = 1
#define MISS_REGISTERS_FACE_WRONG(d)                                                                         \
    ((d)->model.in.fill ? NO_SUCH("filled_i", (d)->model.in.filled, (d)->model.cfg.mshrs) : NULL)
#define MISS_REGISTERS_FACE_CLOCK(d) (miss_registers_write(&(d)->model), miss_registers_clock(&(d)->model))

#define ROUND_COMPACTOR_FACE_INIT(d)                                                                         \
    round_compactor_init(&(d)->model, &(struct round_compactor_config){(d)->WARP_SIZE, (d)->LANES})
#define ROUND_COMPACTOR_FACE_LEAST   .WARP_SIZE = 1, .LANES = 1
#define ROUND_COMPACTOR_FACE_FITS(d) ((d)->WARP_SIZE % (d)->LANES == 0)

#define SCALAR_SCHEDULER_FACE_INIT(d)                                                                        \
    scalar_scheduler_init(&(d)->model, &(struct scalar_scheduler_config){(d)->THREADS, (d)->DIVISOR})
#define SCALAR_SCHEDULER_FACE_LEAST   .THREADS = 1, .DIVISOR = 1
#define SCALAR_SCHEDULER_FACE_FITS(d) POWER_OF_TWO((d)->DIVISOR)

#define SCOREBOARD_FACE_INIT(d) scoreboard_init(&(d)->model, (d)->WARPS, (d)->REGISTERS)
#define SCOREBOARD_FACE_LEAST   .WARPS = 1, .REGISTERS = 1
#define SCOREBOARD_FACE_WRONG(d)                                                                             \
    ((d)->model.in.issued ? NO_SUCH("warp_i", (d)->model.in.warp, (d)->model.cfg.warps) : NULL)

#define WORK_GROUP_DISPATCHER_FACE_INIT(d) work_group_dispatcher_reset(&(d)->model)

#define SNOOP_DIRECTORY_FACE_INIT(d) snoop_directory_init(&(d)->model, (d)->CLUSTERS, (d)->L2S)
#define SNOOP_DIRECTORY_FACE_LEAST   .CLUSTERS = 1, .L2S = 1
#define SNOOP_DIRECTORY_FACE_WRONG(d)                                                                        \
    ((d)->model.in.cluster >= (d)->CLUSTERS ? "cluster_i" : NO_SUCH("l2_i", (d)->model.in.l2, (d)->L2S))

#define BRANCH_PREDICTOR_FACE_INIT(d)                                                                        \
    branch_predictor_init(&(d)->model, (d)->FETCH_WIDTH, (d)->COMMITS, (d)->COUNTERS, (d)->TAG_BITS)
#define BRANCH_PREDICTOR_FACE_LEAST   .FETCH_WIDTH = 1, .COMMITS = 1, .COUNTERS = 1, .TAG_BITS = 1
#define BRANCH_PREDICTOR_FACE_FITS(d) (POWER_OF_TWO((d)->FETCH_WIDTH) && POWER_OF_TWO((d)->COUNTERS))

#define ISSUE_SELECT_FACE_INIT(d)                                                                            \
    issue_select_init(&(d)->model, &(struct issue_select_config){(d)->WINDOW, (d)->ISSUE_WIDTH,              \
                                                                 (d)->INTEGER_UNITS, (d)->VFP_UNITS})
#define ISSUE_SELECT_FACE_LEAST    .WINDOW = 1, .ISSUE_WIDTH = 1, .INTEGER_UNITS = 1, .VFP_UNITS = 1
#define ISSUE_SELECT_FACE_WRONG(d) NO_SUCH("first_i", (d)->model.in.first, (d)->WINDOW)

#define LOAD_STORE_QUEUE_FACE_INIT(d) load_store_queue_init(&(d)->model, (d)->QUEUE)
#define LOAD_STORE_QUEUE_FACE_LEAST   .QUEUE = 1
#define LOAD_STORE_QUEUE_FACE_WRONG(d)                                                                       \
    ((d)->model.in.search && (d)->model.in.position >= 2 * (d)->QUEUE ? "position_i"                         \
     : (d)->model.in.known ? NO_SUCH("known_slot_i", (d)->model.in.known_slot, (d)->QUEUE)                   \
                           : NULL)

#define SUBWARP_PACKER_FACE_INIT(d) subwarp_packer_init(&(d)->model, (d)->LANES, (d)->ROWS)
#define SUBWARP_PACKER_FACE_LEAST   .LANES = 1, .ROWS = 1
#define SUBWARP_PACKER_FACE_FITS(d) ((d)->LANES * (d)->ROWS <= RE_CONVERGENCE_STACK_MAX_WARP_SIZE)

#define RE_CONVERGENCE_STACK_FACE_INIT(d)                                                                    \
    (re_convergence_stack_init(&(d)->stack, (d)->WARPS, (d)->WARP_SIZE, (d)->CALLS),                         \
     re_convergence_stack_cycle_init(&(d)->model, &(d)->stack))
#define RE_CONVERGENCE_STACK_FACE_LEAST    .WARPS = 1, .WARP_SIZE = 1, .CALLS = 1
#define RE_CONVERGENCE_STACK_FACE_WRONG(d) re_convergence_stack_face_wrong(&(d)->model)
#define RE_CONVERGENCE_STACK_FACE_PARTS    struct re_convergence_stack stack;
#define RE_CONVERGENCE_STACK_FACE_FREE(d)  re_convergence_stack_free(&(d)->stack)
#define RE_CONVERGENCE_STACK_FACE_KEEP(d)                                                                    \
    REGION((d)->model), REGION((d)->stack), ROWS((d)->stack.warp, (d)->WARPS),                               \
        ROWS((d)->stack.below, ((d)->WARPS * (2 * (d)->WARP_SIZE + (d)->CALLS)))

#define WARP_FORMATION_TABLE_FACE_INIT(d)                                                                    \
    (warp_formation_table_init(&(d)->table, (d)->SETS * WARP_FORMATION_WAYS),                                \
     warp_formation_table_cycle_init(&(d)->model, &(d)->table))
#define WARP_FORMATION_TABLE_FACE_LEAST    .SETS = 1, .WARP_SIZE = 1, .POOL = 2, .GROUPS = 1
#define WARP_FORMATION_TABLE_FACE_WRONG(d) ((d)->model.in.come && !(d)->model.in.come_pc ? "come_pc_i" : NULL)
#define WARP_FORMATION_TABLE_FACE_FITS(d)  POWER_OF_TWO((d)->SETS)
#define WARP_FORMATION_TABLE_FACE_PARTS    struct warp_formation_table table;
#define WARP_FORMATION_TABLE_FACE_FREE(d)  warp_formation_table_free(&(d)->table)
#define WARP_FORMATION_TABLE_FACE_KEEP(d)                                                                    \
    REGION((d)->model), REGION((d)->table), ROWS((d)->table.entry, ((d)->SETS * WARP_FORMATION_WAYS))

#define WARP_LOOKUP_FACE_INIT(d)                                                                             \
    (warp_lookup_init(&(d)->lookup, (d)->SLOTS, (d)->RENEWS != 0),                                           \
     warp_lookup_cycle_init(&(d)->model, &(d)->lookup, (d)->LANES))
#define WARP_LOOKUP_FACE_LEAST    .LANES = 1, .SLOTS = 1, .GROUPS = 1, .REGISTER_ROWS = 2, .RENEWS = 0
#define WARP_LOOKUP_FACE_WRONG(d) NO_SUCH("leave_entry_i", (d)->model.in.leave_entry, (d)->SLOTS)
#define WARP_LOOKUP_FACE_PARTS    struct warp_lookup lookup;
#define WARP_LOOKUP_FACE_KEEP(d)  REGION((d)->model), REGION((d)->lookup)

#define SECOND_LEVEL_FACE_INIT(d)                                                                            \
    (second_level_init(&(d)->level, (d)->QUEUE),                                                             \
     second_level_cycle_init(&(d)->model, &(d)->level, (d)->LANES))
#define SECOND_LEVEL_FACE_LEAST   .QUEUE = 1, .LANES = 1, .GROUPS = 1, .REGISTER_ROWS = 2
#define SECOND_LEVEL_FACE_PARTS   struct second_level level;
#define SECOND_LEVEL_FACE_FREE(d) second_level_free(&(d)->level)
#define SECOND_LEVEL_FACE_KEEP(d) REGION((d)->model), REGION((d)->level), ROWS((d)->level.warp, (d)->QUEUE)

#define RE_CONVERGENCE_BARRIERS_FACE_INIT(d)                                                                 \
    (re_convergence_barriers_init(&(d)->barriers, (d)->BARRIER_SETS, (d)->WAYS),                             \
     re_convergence_barriers_cycle_init(&(d)->model, &(d)->barriers, (d)->LANES))
#define RE_CONVERGENCE_BARRIERS_FACE_LEAST                                                                   \
    .BARRIER_SETS = 1, .WAYS = 1, .LANES = 1, .GROUPS = 1, .REGISTER_ROWS = 2
#define RE_CONVERGENCE_BARRIERS_FACE_WRONG(d)                                                                \
    ((d)->model.in.gone                                                                                      \
         ? NO_SUCH("gone_barrier_i", (d)->model.in.gone_barrier, (d)->BARRIER_SETS * (d)->WAYS)              \
         : NULL)
#define RE_CONVERGENCE_BARRIERS_FACE_PARTS   struct re_convergence_barriers barriers;
#define RE_CONVERGENCE_BARRIERS_FACE_FREE(d) re_convergence_barriers_free(&(d)->barriers)
#define RE_CONVERGENCE_BARRIERS_FACE_KEEP(d)                                                                 \
    REGION((d)->model), REGION((d)->barriers), ROWS((d)->barriers.barrier, ((d)->BARRIER_SETS * (d)->WAYS))

#define HARP_SCHEDULER_FACE_INIT(d)                                                                          \
    harp_scheduler_face_init(&(d)->model, &(d)->whole, (d)->LANES,                                           \
                             (struct harp_config){.threads = (d)->QUEUE,                                     \
                                                  .second_level = 512,                                       \
                                                  .first_level = (d)->FIRST_LEVEL,                           \
                                                  .ready_lookup = (d)->READY_SLOTS,                          \
                                                  .waiting_lookup = (d)->WAITING_SLOTS,                      \
                                                  .sets = (d)->BARRIER_SETS,                                 \
                                                  .ways = (d)->WAYS,                                         \
                                                  .barrier_stages = (d)->STAGES})
#define HARP_SCHEDULER_FACE_LEAST                                                                            \
    .LANES = 1, .QUEUE = 1, .FIRST_LEVEL = 1, .READY_SLOTS = 1, .WAITING_SLOTS = 1, .BARRIER_SETS = 1,       \
    .WAYS = 1, .STAGES = 1, .GROUPS = 1, .REGISTER_ROWS = 2
#define HARP_SCHEDULER_FACE_PARTS                                                                            \
    struct harp_scheduler whole;                                                                             \
    bool chosen; /* a choice has been made since the latest step */
#define HARP_SCHEDULER_FACE_WRONG(d) ((d)->model.in.step && !(d)->chosen ? "step_i" : NULL)
#define HARP_SCHEDULER_FACE_CLOCK(d)                                                                         \
    ((d)->chosen = (d)->model.in.choose || ((d)->chosen && !(d)->model.in.step),                             \
     harp_scheduler_cycle_clock(&(d)->model))
#define HARP_SCHEDULER_FACE_FREE(d) ((d)->chosen = false, harp_scheduler_free(&(d)->whole))
#define HARP_SCHEDULER_FACE_EVAL(d)                                                                          \
    ((d)->model.now += (d)->model.in.choose, harp_scheduler_cycle_eval(&(d)->model))
#define HARP_SCHEDULER_FACE_KEEP(d)                                                                          \
    REGION((d)->model), REGION((d)->whole), ROWS((d)->whole.second_level.warp, (d)->QUEUE),                  \
        ROWS((d)->whole.parked.warp, (d)->QUEUE), ROWS((d)->whole.waiting, (d)->QUEUE),                      \
        ROWS((d)->whole.waiting_slot, (d)->QUEUE),                                                           \
        ROWS((d)->whole.barriers.barrier, ((d)->BARRIER_SETS * (d)->WAYS))

#define SIMT_COPROCESSOR_FACE_INIT(d)                                                                        \
    ((d)->descriptors.warp = (d)->room.warp, (d)->descriptors.rows = (d)->room.row[0],                       \
     warp_scheduler_init(&(d)->scheduler, scheduler_policy_coded((d)->SCHEDULER), (d)->WARPS, (d)->ACTIVE),  \
     warp_pc_arbiter_init(&(d)->arbiter, (d)->PC_POLICY, (d)->WARP_SIZE, (d)->LEVELS),                       \
     thread_descriptor_table_init(&(d)->descriptors, (d)->WARPS, (d)->WARP_SIZE, (d)->LEVELS),               \
     thread_descriptor_table_lanes(&(d)->descriptors, (d)->LANES, (d)->CYCLIC != 0),                         \
     barrier_table_init(&(d)->barriers, 1, false),                                                           \
     subwarp_dispatcher_init(&(d)->dispatcher, (d)->WARPS, (d)->WARP_SIZE, (d)->LANES),                      \
     simt_coprocessor_init(                                                                                  \
         &(d)->model, &(struct simt_coprocessor_config){(d)->QUEUE_ENTRIES, (d)->COLLECTORS},                \
         &(struct simt_coprocessor_blocks){&(d)->scheduler, &(d)->arbiter, &(d)->descriptors,                \
                                           &(d)->barriers, &(d)->dispatcher}),                               \
     (void)((d)->model.in.execute_target = (d)->execute_target))
#define SIMT_COPROCESSOR_FACE_LEAST                                                                          \
    .WARPS = 1, .WARP_SIZE = 4, .LANES = 1, .LEVELS = 1, .CYCLIC = 0, .SCHEDULER = 0, .ACTIVE = 1,           \
    .PC_POLICY = 0, .QUEUE_ENTRIES = 1, .COLLECTORS = 1
#define SIMT_COPROCESSOR_FACE_PARTS                                                                          \
    struct warp_scheduler scheduler;                                                                         \
    struct warp_pc_arbiter arbiter;                                                                          \
    struct thread_descriptor_table descriptors;                                                              \
    struct barrier_table barriers;                                                                           \
    struct subwarp_dispatcher dispatcher;                                                                    \
    struct tdt_room room;

static inline const char *barrier_table_face_wrong(const struct barrier_table *b) {
    const uint64_t scalar = b->in.scalar_arrives | b->in.scalar_exits;
    if (b->in.start_group >= b->cfg.groups) return "start_group_i";
    if (b->in.arrive_group >= b->cfg.groups) return "arrive_group_i";
    if (b->in.exit_group >= b->cfg.groups) return "exit_group_i";
    return b->cfg.groups < 64 && scalar >> b->cfg.groups ? "scalar_arrives_i or scalar_exits_i" : NULL;
}

static inline const char *srf_rename_face_wrong(const struct srf_rename *s) {
    const unsigned rows = s->cfg.registers - 2;
    if (s->in.read_row0 >= rows) return "read_row0_i";
    if (s->in.read_row1 >= rows) return "read_row1_i";
    return NO_SUCH("read_row2_i", s->in.read_row2, rows);
}

static inline const char *re_convergence_stack_face_wrong(const struct re_convergence_stack_cycle *c) {
    const unsigned warps = c->stack->cfg.warps;
    if (c->in.start_warp >= warps) return "start_warp_i";
    if (c->in.read_warp >= warps) return "read_warp_i";
    return NO_SUCH("commit_warp_i", c->in.commit_warp, warps);
}

static inline void harp_scheduler_face_init(struct harp_scheduler_cycle *c, struct harp_scheduler *whole,
                                            unsigned lanes, struct harp_config config) {
    harp_scheduler_init(whole, &config);
    harp_scheduler_cycle_init(c, whole, lanes);
}

#endif

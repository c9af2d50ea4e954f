/*
 * dpi_models: what the DPI functions of the blocks (build/library/dpi/) share, and how a block's model is
 * made of the parameters of its Verilog.
 *
 * The functions have the types of DPI-C (IEEE 1800, annex H): a bit is an unsigned char, a vector of bits an
 * array of 32-bit words, lowest first, a handle a pointer. NULL as a handle: nothing is done.
 */
#ifndef LIBRARY_DPI_MODELS_H
#define LIBRARY_DPI_MODELS_H

#include "model/control/barrier_table.h"
#include "model/control/instruction_reuse_buffer.h"
#include "model/control/operand_collector.h"
#include "model/control/srf_rename.h"
#include "model/control/subwarp_dispatcher.h"
#include "model/control/thread_descriptor_table.h"
#include "model/control/token_file.h"
#include "model/control/tpo_address.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/control/warp_scheduler.h"
#include "model/control/writeback_arbiter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* MODULE_DPI_INIT(model, parameters…); MODULE_DPI_LEAST: the smallest value of each. */
#define WARP_SCHEDULER_DPI_INIT(model, warps) warp_scheduler_init(model, SCHEDULER_ROUND_ROBIN, warps, 1)
#define WARP_SCHEDULER_DPI_LEAST              1
#define GREEDY_OLDEST_SCHEDULER_DPI_INIT(model, warps)                                                       \
    warp_scheduler_init(model, SCHEDULER_GREEDY_OLDEST, warps, 1)
#define GREEDY_OLDEST_SCHEDULER_DPI_LEAST 1
#define TWO_LEVEL_SCHEDULER_DPI_INIT(model, warps, active)                                                   \
    warp_scheduler_init(model, SCHEDULER_TWO_LEVEL, warps, active)
#define TWO_LEVEL_SCHEDULER_DPI_LEAST 1, 1
#define WARP_PC_ARBITER_DPI_INIT(model, warp_size, levels)                                                   \
    warp_pc_arbiter_init(model, PC_ICS_FIRST, warp_size, levels)
#define WARP_PC_ARBITER_DPI_LEAST 4, 1
#define MIN_PC_ARBITER_DPI_INIT(model, warp_size, levels)                                                    \
    warp_pc_arbiter_init(model, PC_MIN_PC, warp_size, levels)
#define MIN_PC_ARBITER_DPI_LEAST 4, 1
#define FIRST_READY_ARBITER_DPI_INIT(model, warp_size, levels)                                               \
    warp_pc_arbiter_init(model, PC_FIRST_READY, warp_size, levels)
#define FIRST_READY_ARBITER_DPI_LEAST 4, 1
#define THREAD_DESCRIPTOR_TABLE_DPI_INIT(model, warps, warp_size, lanes, levels, cyclic)                     \
    (thread_descriptor_table_init(model, warps, warp_size, levels),                                          \
     thread_descriptor_table_lanes(model, lanes, cyclic != 0))
#define THREAD_DESCRIPTOR_TABLE_DPI_LEAST 1, 4, 1, 1, 0
#define SUBWARP_DISPATCHER_DPI_INIT(model, warps, warp_size, lanes)                                          \
    subwarp_dispatcher_init(model, warps, warp_size, lanes)
#define SUBWARP_DISPATCHER_DPI_LEAST 1, 4, 1
#define OPERAND_COLLECTOR_DPI_INIT(model, warps, collectors, read_ports, read_latency, vtpo_lines)           \
    operand_collector_init(                                                                                  \
        model, &(struct operand_collector_config){collectors, read_ports, read_latency, vtpo_lines})
#define OPERAND_COLLECTOR_DPI_LEAST 1, 1, 1, 1, 1
#define WRITEBACK_ARBITER_DPI_INIT(model, warps, write_ports, vtpo_lines)                                    \
    ((void)(vtpo_lines), writeback_arbiter_init(model, warps, write_ports))
#define WRITEBACK_ARBITER_DPI_LEAST 1, 1, 1
#define TPO_ADDRESS_DPI_INIT(model, contexts)                                                                \
    ((void)(contexts), (void)(*(model) = (struct tpo_address){.in = {0}}))
#define TPO_ADDRESS_DPI_LEAST 512
#define BARRIER_TABLE_DPI_INIT(model, warps, warp_size, groups, scalar)                                      \
    barrier_table_init(model, groups, scalar != 0)
#define BARRIER_TABLE_DPI_LEAST                             1, 4, 1, 0
#define TOKEN_FILE_DPI_INIT(model, warps, registers)        token_file_init(model, warps, registers)
#define TOKEN_FILE_DPI_LEAST                                1, 4
#define SRF_RENAME_DPI_INIT(model, warps, registers, count) srf_rename_init(model, warps, registers, count)
#define SRF_RENAME_DPI_LEAST                                1, 5, 2
#define INSTRUCTION_REUSE_BUFFER_DPI_INIT(model, entries, tag_bits, opcode_bits)                             \
    instruction_reuse_buffer_init(model, entries, tag_bits, opcode_bits)
#define INSTRUCTION_REUSE_BUFFER_DPI_LEAST 1, 1, 1

/* MODULE_DPI_LEGAL(model): may the model evaluate its inputs? Between two edges a bench may give others,
 * which the model would stop at; at an edge it does. */
#define WARP_SCHEDULER_DPI_LEGAL(m)          true
#define GREEDY_OLDEST_SCHEDULER_DPI_LEGAL(m) true
#define TWO_LEVEL_SCHEDULER_DPI_LEGAL(m)     true
#define WARP_PC_ARBITER_DPI_LEGAL(m)         true
#define MIN_PC_ARBITER_DPI_LEGAL(m)          true
#define FIRST_READY_ARBITER_DPI_LEGAL(m)     true
#define THREAD_DESCRIPTOR_TABLE_DPI_LEGAL(m) true
#define SUBWARP_DISPATCHER_DPI_LEGAL(m)                                                                      \
    (!(m)->in.valid || ((m)->in.warp < (m)->cfg.warps && (m)->in.rounds >= 1 &&                              \
                        (m)->in.rounds <= (m)->cfg.rounds && (m)->in.beats >= 1 && (m)->in.occupancy >= 1))
#define OPERAND_COLLECTOR_DPI_LEGAL(m)        true
#define WRITEBACK_ARBITER_DPI_LEGAL(m)        (!(m)->in.land || (m)->in.warp < (m)->cfg.warps)
#define TPO_ADDRESS_DPI_LEGAL(m)              true
#define INSTRUCTION_REUSE_BUFFER_DPI_LEGAL(m) true
#define BARRIER_TABLE_DPI_LEGAL(m)            barrier_table_dpi_legal(m)
#define TOKEN_FILE_DPI_LEGAL(m)               ((m)->in.read_warp < (m)->cfg.warps && (m)->in.write_warp < (m)->cfg.warps)
#define SRF_RENAME_DPI_LEGAL(m)                                                                              \
    ((m)->in.read_warp < (m)->cfg.warps && (m)->in.write_warp < (m)->cfg.warps &&                            \
     (m)->in.release_warp < (m)->cfg.warps && (m)->in.read_row0 < (m)->cfg.registers - 2 &&                  \
     (m)->in.read_row1 < (m)->cfg.registers - 2 && (m)->in.read_row2 < (m)->cfg.registers - 2)

static inline bool barrier_table_dpi_legal(const struct barrier_table *b) {
    const struct barrier_table_in *in = &b->in;
    const unsigned groups = b->cfg.groups, g = in->start_group;
    const uint64_t scalar = in->scalar_arrives | in->scalar_exits;
    if (g >= groups || in->arrive_group >= groups || in->exit_group >= groups) return false;
    if (groups < 64 && scalar >> groups) return false;
    if (!b->cfg.scalar && (scalar || in->start_scalar || in->arrive_scalar)) return false;
    if (scalar & (b->q.scalar_waits | ~b->q.scalar_live) || in->scalar_arrives & in->scalar_exits)
        return false;
    if (in->start && (b->now.live[g] || b->now.waiting[g] || b->q.scalar_live >> g & 1)) return false;
    const uint32_t *live = b->now.live, *waiting = b->now.waiting;
    const uint64_t both =
        in->arrive_group == in->exit_group ? (uint64_t)in->arrive_count + in->exit_count : 0;
    return (uint64_t)waiting[in->arrive_group] + in->arrive_count <= live[in->arrive_group] &&
           (uint64_t)waiting[in->exit_group] + in->exit_count <= live[in->exit_group] &&
           waiting[in->exit_group] + both <= live[in->exit_group];
}

/* Is a parameter from `least` to `most`? Says so on standard error if not. */
bool dpi_in_range(const char *block, const char *parameter, unsigned value, unsigned least, unsigned most);
/* Zeroed; panics if there is none. */
void *dpi_allocate(size_t size);

/* A value of a port. */
typedef unsigned __int128 dpi_value;

/* `bits` (1 to 128) bits of a vector from bit `at` on. */
static inline dpi_value dpi_bits(const uint32_t *vector, unsigned at, unsigned bits) {
    dpi_value value = 0;
    for (unsigned n = 0; n < bits; n += 32 - (at + n) % 32)
        value |= (dpi_value)(vector[(at + n) / 32] >> (at + n) % 32) << n;
    return value & ~(dpi_value)0 >> (128 - bits);
}

/* Sets them; those above in the same word become 0: elements are set in their order. */
static inline void dpi_set_bits(uint32_t *vector, unsigned at, unsigned bits, dpi_value value) {
    value &= ~(dpi_value)0 >> (128 - bits);
    for (unsigned n = 0; n < bits; n += 32 - (at + n) % 32) {
        const unsigned shift = (at + n) % 32;
        uint32_t *word = &vector[(at + n) / 32];
        *word = (*word & ((1u << shift) - 1)) | (uint32_t)(value >> n) << shift;
    }
}

#endif

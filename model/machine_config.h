/*
 * machine_config: every parameter of the simulated machine, one table row each (machine.md §1, §5;
 * timing.md).
 */
#ifndef MODEL_MACHINE_CONFIG_H
#define MODEL_MACHINE_CONFIG_H

#include "model/arm.h"
#include "sim/config.h"

enum machine_mode { MODE_SIMT, MODE_MIMD };
enum pc_policy { PC_ICS_FIRST, PC_MIN_PC, PC_FIRST_READY };
enum lane_map { LANE_MAP_BLOCK, LANE_MAP_CYCLIC };

struct machine_config {
    uint32_t mode; /* enum machine_mode, of every launch */
    uint32_t clock_mhz;
    struct {
        uint32_t lanes, threads_per_lane, stack_size_bytes, local_bytes;
    } cluster;
    struct {
        uint32_t warp_size, priority_levels, pc_policy, lane_map, queue_entries, collectors;
        uint32_t enter_cycles, leave_cycles;
    } simt;
    struct {
        uint32_t read_ports, write_ports, latency_cycles;
    } tpm;
    struct {
        uint32_t branch_penalty_cycles;
        uint32_t latency_cycles[ARM_CLASS_COUNT];   /* latency.CLASS: cycles from issue to result */
        uint32_t occupancy_cycles[ARM_CLASS_COUNT]; /* occupancy.CLASS: cycles between rounds or issues */
    } core;
    struct {
        uint32_t cumulative_flags;
    } arm;
    struct machine_cache_config {
        uint32_t size_bytes, ways, line_bytes, latency_cycles;
    } l1i, l1d, l2;
    struct {
        uint32_t itlb_entries, dtlb_entries, tlb_miss_cycles, latency_cycles, mshrs;
    } mem;
};

extern const struct config_table machine_config_table;

#endif

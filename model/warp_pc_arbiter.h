/*
 * warp_pc_arbiter: chooses the PC of the scheduled warp (dual-mode §3.3, §4.3, Fig. 8, Fig. 9; timing.md, A).
 *
 * ICS-First: the active thread vector of priority level n is ATV-P_n = Ready ∧ P_n (equation 5; states are
 * one-hot, so Ready implies neither Idle, Execution nor Barrier). The highest level with a bit set wins; its
 * lowest-numbered thread, one-hot in WTID, gives the warp PC. Every Ready thread whose PC equals the warp PC
 * participates, whatever its priority.
 * Rivals in the slot: Min-PC takes the smallest PC among Ready threads, first-ready the lowest-numbered Ready
 * thread's (no divergence optimisation).
 */
#ifndef MODEL_WARP_PC_ARBITER_H
#define MODEL_WARP_PC_ARBITER_H

#include "model/machine_config.h"
#include "model/thread_descriptor_table.h"

struct warp_pc_arbiter {
    struct {
        enum pc_policy policy;
        unsigned warp_size, levels;
    } cfg;
    struct {
        uint64_t wtid;          /* one-hot: the thread that gives the PC; 0 when no thread is Ready */
        uint32_t pc;            /* the warp PC */
        uint64_t participating; /* P */
        unsigned level;         /* of that thread: for ICS-First the level that won */
    } out;
};

void warp_pc_arbiter_init(struct warp_pc_arbiter *a, enum pc_policy policy, unsigned warp_size,
                          unsigned levels);
/* Combinational: the descriptors of the scheduled warp → out. */
void warp_pc_arbiter_eval(struct warp_pc_arbiter *a, const struct warp_descriptors *w);

#endif

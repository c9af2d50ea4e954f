/*
 * warp_pc_arbiter: chooses the PC of the scheduled warp (dual-mode §3.3, §4.3, Fig. 8, Fig. 9; timing.md §A).
 *
 * ICS-First: the active thread vector of priority level n is ATV-P_n = Ready ∧ P_n (equation 5; states are
 * one-hot, so Ready implies neither Idle, Execution nor Barrier). The highest level with a bit set wins; its
 * lowest-numbered thread, one-hot in WTID, gives the warp PC. Every Ready thread whose PC equals the warp PC
 * participates, whatever its priority. Alternatives in the slot: Min-PC takes the smallest PC among Ready
 * threads, first-ready the lowest-numbered Ready thread's (no divergence optimisation).
 */
#ifndef MODEL_CONTROL_WARP_PC_ARBITER_H
#define MODEL_CONTROL_WARP_PC_ARBITER_H

#include "generated/warp_pc_arbiter_ports.h"
#include "model/config/machine_config.h"
#include "model/control/thread_descriptor_table.h"

/* --- parameters, ports and flip-flops --- */

struct warp_pc_arbiter {
    struct {
        enum pc_policy policy;
        unsigned warp_size, levels;
    } cfg;
    struct warp_pc_arbiter_in in; /* the ports are described in rtl/warp_pc_arbiter.sv */
    struct warp_pc_arbiter_out out;
};

/* --- functions --- */

void warp_pc_arbiter_init(struct warp_pc_arbiter *a, enum pc_policy policy, unsigned warp_size,
                          unsigned levels);
/* Connects the inputs to the descriptors of the scheduled warp, which must outlive it. */
void warp_pc_arbiter_read(struct warp_pc_arbiter *a, const struct warp_descriptors *w);
/* Returns whether one of these threads of a warp, which are ready and have one PC, gives the warp PC. False
 * also if their PC is needed to decide. */
bool warp_pc_arbiter_leads(const struct warp_pc_arbiter *a, const struct warp_descriptors *w,
                           uint64_t threads);
void warp_pc_arbiter_eval(struct warp_pc_arbiter *a); /* combinational: in → out */

#endif

/*
 * dram_scheduler: in each cycle of a DRAM channel's command clock, the request that goes to its bank and the
 * command that the channel gives (gpu-like.md §5): FCFS or FR-FCFS in front of the banks, and all distances
 * between commands.
 *
 * A cycle has three steps:
 * - An offered request (`in.valid`) joins the end of the queue, unless the queue is full (`out.ready`), and
 *   takes part at once.
 * - One request goes to its bank. With fcfs this is the oldest, if its bank has no request, so that none
 *   overtakes it. With frfcfs, the banks are searched from the bank after the one served last, for a bank
 *   that has no request but has some queued: the oldest request for its open row goes there, else the oldest.
 * - One command is given. The banks are searched from the one after the last activation or precharge. The
 *   command is a column access if the request's row is open, ACT if no row is open, PRE if another row is.
 *
 * A request keeps its bank for all its column accesses. Distances count down: a command whose distance is 0
 * may be given now. A scheduler that has nothing to do for n cycles need not be evaluated in them:
 * dram_scheduler_idle() returns n, dram_scheduler_skip() passes the time.
 */
#ifndef MODEL_CONTROL_DRAM_SCHEDULER_H
#define MODEL_CONTROL_DRAM_SCHEDULER_H

#include "generated/dram_scheduler_ports.h"
#include "model/config/limits.h"
#include "model/config/machine_config.h"

enum dram_command { DRAM_NONE, DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE }; /* out.command */

/* --- parameters, ports and flip-flops --- */

struct dram_scheduler_config {
    unsigned policy, queue, banks; /* enum dram_policy; at most DRAM_MAX_QUEUE; at most DRAM_MAX_BANKS */
    unsigned rcd, rp, cl, ras, rrd, rc, ccd, wl, cdlr, wr, burst_cycles; /* constant inputs */
};

struct dram_scheduler {
    struct {
        unsigned policy, queue, banks;
    } cfg;
    struct dram_scheduler_in in; /* ports and flip-flops: rtl/dram_scheduler.sv */
    struct dram_scheduler_out out;
    struct dram_scheduler_state q; /* points to the arrays below */
    struct {
        unsigned count; /* queued requests, including the one that joined */
        unsigned taken; /* entry of the queue that goes to a bank; `count` if none does */
    } d;
    uint32_t queue_bank[DRAM_MAX_QUEUE], queue_row[DRAM_MAX_QUEUE];
    uint32_t queue_bursts[DRAM_MAX_QUEUE], queue_tag[DRAM_MAX_QUEUE];
    bool queue_write[DRAM_MAX_QUEUE];
    uint32_t bank_row[DRAM_MAX_BANKS], bank_open[DRAM_MAX_BANKS];
    uint32_t bank_bursts[DRAM_MAX_BANKS], bank_tag[DRAM_MAX_BANKS];
    uint32_t bank_act[DRAM_MAX_BANKS], bank_pre[DRAM_MAX_BANKS], bank_col[DRAM_MAX_BANKS];
};

/* --- functions --- */

/* Initialises in place: the structure points to itself and must not be copied. */
void dram_scheduler_init(struct dram_scheduler *s, const struct dram_scheduler_config *config);
void dram_scheduler_eval(struct dram_scheduler *s);  /* in, q → out, d */
void dram_scheduler_clock(struct dram_scheduler *s); /* d → q: the edge; clears in.valid */

/* Returns the number of cycles in which nothing happens unless a request is offered; UINT32_MAX: never. */
uint32_t dram_scheduler_idle(const struct dram_scheduler *s);
/* Passes `cycles` cycles in which nothing happens. */
void dram_scheduler_skip(struct dram_scheduler *s, uint64_t cycles);

#endif

/*
 * dram_scheduler: which request of a DRAM channel goes to its bank, and which command the channel gives, in
 * each cycle of the command clock (gpu-like.md §5): FCFS or FR-FCFS in front of the banks, and all distances
 * between commands.
 *
 * A cycle: A request that is offered (`in.valid`) joins the queue, if that is not full (`out.ready`), behind
 * all others, and takes part at once. Then one request goes to its bank: with fcfs the oldest, if its bank
 * has none, so that nothing overtakes it; with frfcfs that of the first bank without a request that has one
 * queued, from the bank after the one served last: the oldest to the bank's open row, else the oldest. Then
 * one command is given: of the first bank, from the one after the last activation or precharge, that can give
 * one: a column access if its row is open, ACT if no row is, PRE if another is. A request has its bank for
 * all its column accesses.
 *
 * Distances are counted down: what is 0 may be now. A scheduler that has nothing to do for n cycles need not
 * be evaluated in them: dram_scheduler_idle() says so, dram_scheduler_skip() lets them pass.
 */
#ifndef MODEL_CONTROL_DRAM_SCHEDULER_H
#define MODEL_CONTROL_DRAM_SCHEDULER_H

#include "generated/dram_scheduler_ports.h"
#include "model/config/limits.h"
#include "model/config/machine_config.h"

enum dram_command { DRAM_NONE, DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE }; /* out.command */

/* --- parameters, ports and flip-flops --- */

struct dram_scheduler_config {
    unsigned policy, queue, banks; /* enum dram_policy; up to DRAM_MAX_QUEUE, DRAM_MAX_BANKS */
    unsigned rcd, rp, cl, ras, rrd, rc, ccd, wl, cdlr, wr, burst_cycles; /* inputs that do not change */
};

struct dram_scheduler {
    struct {
        unsigned policy, queue, banks;
    } cfg;
    struct dram_scheduler_in in; /* ports and flip-flops: rtl/dram_scheduler.sv */
    struct dram_scheduler_out out;
    struct dram_scheduler_state q; /* of the arrays below */
    struct {
        unsigned count; /* requests that are queued, the one that has joined included */
        unsigned taken; /* the queue's entry that goes to a bank; count: none */
    } d;
    uint32_t queue_bank[DRAM_MAX_QUEUE], queue_row[DRAM_MAX_QUEUE];
    uint32_t queue_bursts[DRAM_MAX_QUEUE], queue_tag[DRAM_MAX_QUEUE];
    bool queue_write[DRAM_MAX_QUEUE];
    uint32_t bank_row[DRAM_MAX_BANKS], bank_open[DRAM_MAX_BANKS];
    uint32_t bank_bursts[DRAM_MAX_BANKS], bank_tag[DRAM_MAX_BANKS];
    uint32_t bank_act[DRAM_MAX_BANKS], bank_pre[DRAM_MAX_BANKS], bank_col[DRAM_MAX_BANKS];
};

/* --- functions --- */

/* In place: it points to itself and must not be copied. */
void dram_scheduler_init(struct dram_scheduler *s, const struct dram_scheduler_config *config);
void dram_scheduler_eval(struct dram_scheduler *s);  /* in, q → out, d */
void dram_scheduler_clock(struct dram_scheduler *s); /* d → q: the edge; nothing is offered again */

/* For so many cycles nothing happens unless a request is offered; UINT32_MAX: never. */
uint32_t dram_scheduler_idle(const struct dram_scheduler *s);
/* So many cycles pass, in which nothing happens. */
void dram_scheduler_skip(struct dram_scheduler *s, uint64_t cycles);

#endif

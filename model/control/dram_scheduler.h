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

#include "model/config/limits.h"
#include "model/config/machine_config.h"

#include <stdbool.h>
#include <stdint.h>

enum dram_command { DRAM_NONE, DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE };

struct dram_scheduler_in {
    bool valid;
    bool write;
    uint32_t bank;
    uint32_t row;
    uint32_t bursts;
    uint32_t tag;
};

struct dram_scheduler_out {
    bool ready;       /* the queue takes a request */
    uint32_t command; /* enum dram_command */
    uint32_t bank;    /* that it is for; 0: none */
    bool done;        /* it is the last column access of a request: */
    uint32_t tag;     /* whose tag this is, else 0 */
    bool hit;         /* and whose row was open when it went to its bank */
};

struct dram_scheduler {
    struct dram_scheduler_config {
        unsigned policy, queue, banks; /* enum dram_policy; up to DRAM_MAX_QUEUE, DRAM_MAX_BANKS */
        unsigned rcd, rp, cl, ras, rrd, rc, ccd, wl, cdlr, wr, burst_cycles;
    } cfg;
    struct dram_scheduler_in in;
    struct dram_scheduler_out out;
    struct {            /* what the edge does */
        unsigned count; /* requests that are queued, the one that has joined included */
        unsigned taken; /* the queue's entry that goes to a bank; count: none */
    } d;
    /* The queue, oldest first; what is not used is 0. */
    uint32_t count;
    uint32_t queue_bank[DRAM_MAX_QUEUE], queue_row[DRAM_MAX_QUEUE];
    uint32_t queue_bursts[DRAM_MAX_QUEUE], queue_tag[DRAM_MAX_QUEUE];
    bool queue_write[DRAM_MAX_QUEUE];
    /* Of each bank: its request, its open row, and the cycles until it may do what. */
    uint32_t busy, open, write, hit; /* bit b: of bank b */
    uint32_t row[DRAM_MAX_BANKS], open_row[DRAM_MAX_BANKS], bursts[DRAM_MAX_BANKS], tag[DRAM_MAX_BANKS];
    uint32_t act[DRAM_MAX_BANKS], pre[DRAM_MAX_BANKS], col[DRAM_MAX_BANKS];
    /* Of all: until an activation, a read, a write; the banks from which on they take turns. */
    uint32_t any_act, any_rd, any_wr, turn, first;
};

void dram_scheduler_init(struct dram_scheduler *s, const struct dram_scheduler_config *config);
void dram_scheduler_eval(struct dram_scheduler *s);  /* in, state → out, d */
void dram_scheduler_clock(struct dram_scheduler *s); /* d → state: the edge; in is 0 again */

/* For so many cycles nothing happens unless a request is offered; UINT32_MAX: never. */
uint32_t dram_scheduler_idle(const struct dram_scheduler *s);
/* So many cycles pass, in which nothing happens. */
void dram_scheduler_skip(struct dram_scheduler *s, uint64_t cycles);

#endif

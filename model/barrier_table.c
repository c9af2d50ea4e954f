#include "model/barrier_table.h"

#include "sim/error.h"

void barrier_table_init(struct barrier_table *b) {
    *b = (struct barrier_table){0};
}

void barrier_table_reset(struct barrier_table *b) {
    *b = (struct barrier_table){.opened = b->opened, .opened_without = b->opened_without};
}

static void start(struct barrier_table *b) {
    invariant(b->q.live == 0 && b->q.waiting == 0, "a work-group starts while %u threads live and %u wait",
              b->q.live, b->q.waiting);
    b->d.live = b->in.start_live;
    b->d.waiting = 0;
    b->d.mixed = b->d.exited = false;
}

static void count(struct barrier_table *b) {
    b->d.waiting += b->in.arrive_count;
    b->d.live -= b->in.exit_count;
    invariant(b->d.waiting <= b->q.live && b->q.waiting + b->in.exit_count <= b->q.live,
              "%u threads arrive at a barrier and %u exit, %u live and %u of them wait", b->in.arrive_count,
              b->in.exit_count, b->q.live, b->q.waiting);
    b->d.exited |= b->in.exit_count != 0;
    if (!b->in.arrive_count) return;
    if (b->q.waiting == 0)
        b->d.pc = b->in.arrive_pc;
    else if (b->in.arrive_pc != b->q.pc)
        b->d.mixed = true;
}

void barrier_table_eval(struct barrier_table *b) {
    b->d = b->q;
    count(b);
    if (b->q.release) {
        b->d.waiting = 0;
        b->d.mixed = false;
    }
    if (b->in.start) start(b);
    const bool all_wait = b->d.waiting && b->d.waiting == b->d.live;
    b->out.opens = all_wait && !b->d.mixed;
    b->out.deadlock = all_wait && b->d.mixed;
    b->out.release = b->q.release;
    b->out.exited = b->q.exited;
    b->d.release = b->out.opens;
}

void barrier_table_clock(struct barrier_table *b) {
    if (b->q.release) {
        ++b->opened;
        if (b->q.exited) ++b->opened_without;
    }
    b->q = b->d;
    b->in = (struct barrier_table_in){0};
}

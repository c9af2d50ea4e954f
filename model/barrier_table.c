#include "model/barrier_table.h"

#include "sim/error.h"

#include <string.h>

void barrier_table_init(struct barrier_table *b) {
    memset(b, 0, sizeof *b);
}

void barrier_table_start(struct barrier_table *b, unsigned live) {
    invariant(b->live == 0 && b->waiting == 0, "a work-group starts while %u threads live and %u wait",
              b->live, b->waiting);
    b->live = live;
    b->exited = 0;
}

void barrier_table_arrive(struct barrier_table *b, uint32_t pc, unsigned threads) {
    unsigned i = 0;
    while (i < b->used && b->entry[i].pc != pc) ++i;
    b->waiting += threads;
    invariant(b->waiting <= b->live, "%u threads wait at barriers, %u live", b->waiting, b->live);
    if (i == BARRIER_TABLE_ENTRIES) return; /* these threads wait for ever: deadlock will be seen */
    if (i == b->used) b->entry[b->used++] = (struct barrier_entry){.pc = pc};
    b->entry[i].count += threads;
}

void barrier_table_exit(struct barrier_table *b, unsigned threads) {
    invariant(b->waiting + threads <= b->live, "%u threads exit, %u live and %u of them wait", threads,
              b->live, b->waiting);
    b->live -= threads;
    b->exited += threads;
}

bool barrier_table_opens(const struct barrier_table *b, uint32_t *pc) {
    if (b->used != 1 || b->entry[0].count != b->live) return false;
    *pc = b->entry[0].pc;
    return true;
}

void barrier_table_release(struct barrier_table *b) {
    invariant(b->used == 1 && b->entry[0].count == b->live, "a barrier is released that is not open");
    ++b->opened;
    if (b->exited) ++b->opened_without;
    b->used = b->waiting = 0;
}

bool barrier_table_deadlock(const struct barrier_table *b) {
    return b->live > 0 && b->waiting == b->live && b->used > 1;
}

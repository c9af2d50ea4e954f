#include "model/core/core_record.h"

static void give(struct core_record *r) {
    const struct core_run *run = &r->ended;
    if (run->count)
        *recorder_add(r->recorder) =
            (struct record){.cycle = run->first,
                            .threads = run->count,
                            .pc = run->pc,
                            .place = (uint16_t)r->place,
                            .kind = RECORD_RUN,
                            .form = run->waited,
                            .after = {(uint32_t)(run->end - run->first), run->repetitions}};
    r->ended.count = 0;
}

/* Closes the open run, which repeats the previous one or replaces it. */
static void close_run(struct core_record *r) {
    struct core_run *a = &r->ended, *b = &r->open;
    b->cycles = b->end - b->first;
    if (a->count == b->count && a->pc == b->pc && a->cycles == b->cycles && a->end == b->first) {
        ++a->repetitions;
        a->end = b->end;
    } else {
        give(r);
        *a = *b;
    }
    b->count = 0;
}

void core_record_run(struct core_record *r, uint32_t pc, uint32_t count, uint64_t first, uint64_t end) {
    struct core_run *run = &r->open;
    if (first > r->wait_first && first == r->wait_end) first = r->wait_first;
    if (!count) {
        r->wait_first = first;
        r->wait_end = end;
        return;
    }
    if (run->count && run->pc + 4 * run->count == pc && run->end == first) {
        run->count += count;
        run->end = end;
        return;
    }
    const bool waited = first > run->end;
    if (run->count) close_run(r);
    *run = (struct core_run){.pc = pc,
                             .count = count,
                             .repetitions = 1,
                             .waited = waited ? r->waits : 0,
                             .first = first,
                             .end = end};
}

void core_record_flush(struct core_record *r) {
    if (!r->recorder) return;
    if (r->open.count) close_run(r);
    give(r);
}

/* Signals of blocks, by the stamps of the instructions in them. */
#include "recording/causes_terms.h"

#include <string.h>

/* A signal shows instructions from one stamp to another; the first one explains it. */
struct row {
    const char *name;
    unsigned from, to;
};

static const struct row of_cluster[] = {{"warp_scheduler.grant_o", CAUSES_S, CAUSES_S},
                                        {"fetch.warp", RECORD_F, RECORD_LEFT},
                                        {"fetch.pc", RECORD_F, RECORD_LEFT},
                                        {"dispatcher.queue", RECORD_O, RECORD_O},
                                        {"operand_collector.warp", RECORD_O, RECORD_COLLECTED}};

static bool is_called(const char *name, const char *signal) {
    const size_t length = strlen(signal);
    return strncmp(name, signal, length) == 0 && name[length] == '@';
}

/* Returns the flight that passes from one stamp to another in a cycle, or does so next; SIZE_MAX: none.
 * `scheduler`: of a streaming multiprocessor. */
static size_t passing(const struct causes *c, const struct row *row, unsigned scheduler, uint64_t cycle) {
    size_t found = SIZE_MAX;
    for (size_t n = 0; n < c->count; ++n) {
        if (c->sm && c->flight[n].place % c->schedulers != scheduler) continue;
        if (stamp_at(c, n, row->to) < cycle) continue;
        if (found == SIZE_MAX || stamp_at(c, n, row->from) < stamp_at(c, found, row->from)) found = n;
    }
    return found;
}

static int opening(const struct causes *c, uint64_t cycle, struct causes_at *at) {
    for (size_t n = 0; n < c->events; ++n) {
        if (c->event[n].kind != RECORD_RELEASE || c->event[n].cycle <= cycle) continue;
        *at = (struct causes_at){causes_last_arrival(c, c->event[n].cycle), RECORD_COMMIT};
        return at->flight == SIZE_MAX ? CAUSES_SIGNAL_REST : CAUSES_SIGNAL_HAS;
    }
    return CAUSES_SIGNAL_REST;
}

static int explained(const struct causes *c, const struct row *row, unsigned scheduler, uint64_t cycle,
                     struct causes_at *at) {
    *at = (struct causes_at){passing(c, row, scheduler, cycle), row->from};
    return at->flight == SIZE_MAX ? CAUSES_SIGNAL_REST : CAUSES_SIGNAL_HAS;
}

int causes_signal(const struct causes *c, const char *name, uint64_t cycle, struct causes_at *at) {
    static const struct row selection = {"", CAUSES_S, CAUSES_S};
    unsigned scheduler = 0;
    int used = 0;
    if (is_called(name, "barrier_table.opens_o")) return opening(c, cycle, at);
    for (size_t n = 0; !c->sm && n < sizeof of_cluster / sizeof *of_cluster; ++n)
        if (is_called(name, of_cluster[n].name)) return explained(c, &of_cluster[n], 0, cycle, at);
    if (c->sm && sscanf(name, "scheduler%u%n", &scheduler, &used) == 1 && scheduler < c->schedulers &&
        (is_called(name + used, ".warp") || is_called(name + used, ".pc")))
        return explained(c, &selection, scheduler, cycle, at);
    return CAUSES_SIGNAL_NONE;
}

const char *causes_signals(const struct recording_unit *u) {
    return u->sm
               ? "scheduler0.warp, scheduler0.pc and barrier_table.opens_o"
               : "warp_scheduler.grant_o, fetch.warp, fetch.pc, dispatcher.queue, operand_collector.warp and "
                 "barrier_table.opens_o";
}

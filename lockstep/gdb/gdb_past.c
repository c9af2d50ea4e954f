#include "lockstep/gdb/gdb_past.h"

#include "lockstep/gdb/gdb_stub_parts.h"
#include "runtime/snapshots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Largest number of cycles that a cluster may be ahead of the machine, and allowance for the cycles of a
 * copy. */
#define CYCLES_AHEAD 2048

/* State shared by the run and its copies. */
struct gdb_past {
    enum { SEARCH_STEP, SEARCH_POINT, SEARCH_FIRST, SERVE } task;
    struct gdb_position from;  /* position at which a search ends */
    struct gdb_moment present; /* moment of the run */
    enum gdb_outcome outcome;
    enum gdb_farewell farewell;
    /* Result of a search: whether there is one, and the position at which gdb is served. */
    bool found;
    struct gdb_position to;
    struct gdb_reason reason;
    bool at_point; /* a point has stopped the thread */
    /* gdb has left a point by a step back: the next search for a point includes the threads that stopped at
     * that point's moment. */
    bool left_point;
    struct gdb_position point;
    /* State of the client: */
    bool silent;
    unsigned general, control, stepped;
    unsigned point_count;
    struct gdb_point points[GDB_MOST_POINTS];
};

static bool is_same(const struct gdb_moment *a, const struct gdb_moment *b) {
    return a->launch == b->launch && a->number == b->number && a->cluster == b->cluster && a->unit == b->unit;
}

/* --- the client's state --- */

static void give(const struct gdb_stub *g) {
    struct gdb_past *p = g->past;
    p->silent = g->link.silent;
    p->general = g->general;
    p->control = g->control;
    p->stepped = g->stepped;
    p->point_count = g->point_count;
    memcpy(p->points, g->points, sizeof p->points);
}

static void take(struct gdb_stub *g) {
    const struct gdb_past *p = g->past;
    g->link.silent = p->silent;
    g->general = p->general;
    g->control = p->control;
    g->point_count = p->point_count;
    memcpy(g->points, p->points, sizeof p->points);
    gdb_ask(g);
}

/* --- in a copy --- */

static void wakes(void *context, const struct snapshots_order *order) {
    struct gdb_stub *g = context;
    (void)order;
    g->repeats = true;
    g->arrived = false;
    g->stepped = 0;
    g->range[0] = g->range[1] = 0;
    g->interrupted = g->execs = g->greets = false;
    take(g);
}

static void ended(void *context, const struct snapshots_order *order, struct snapshots_answer *answer) {
    (void)context, (void)order;
    answer->whole = true;
}

static _Noreturn void leave_copy(struct gdb_stub *g, enum gdb_outcome outcome) {
    g->past->outcome = outcome;
    give(g);
    snapshots_leave(g->snapshots);
}

bool gdb_past_travels(const struct gdb_stub *g) {
    return g->repeats && !g->arrived;
}

bool gdb_past_searches(const struct gdb_stub *g) {
    return g->repeats && g->past->task != SERVE;
}

bool gdb_past_every(const struct gdb_stub *g) {
    return (g->snapshots && g->renews && !g->repeats) ||
           (gdb_past_searches(g) && g->past->task != SEARCH_POINT);
}

bool gdb_past_marks(const struct gdb_stub *g, uint32_t pc) {
    if (!g->repeats) return false;
    return pc == (gdb_past_searches(g) ? g->past->from : g->past->to).moment.pc || pc == g->past->present.pc;
}

bool gdb_past_enter(struct gdb_stub *g, const struct gdb_moment *e) {
    g->moment = *e;
    if (g->snapshots && g->renews && g->attached && g->link.client >= 0) {
        g->renews = false;
        snapshots_keep_descriptor(g->snapshots, g->link.client);
        snapshots_take(g->snapshots);
        gdb_ask(g);
    }
    if (!g->repeats || gdb_past_searches(g)) return false;
    if (!g->arrived && is_same(e, &g->past->to.moment)) return g->arrived = true;
    if (is_same(e, &g->past->present)) leave_copy(g, GDB_CAUGHT_UP);
    return false;
}

static void set_target(struct gdb_stub *g, unsigned thread, const struct gdb_reason *why) {
    g->past->found = true;
    g->past->to = (struct gdb_position){.moment = g->moment, .thread = thread};
    g->past->reason = *why;
    g->past->at_point = g->past->task == SEARCH_POINT;
}

void gdb_past_look(struct gdb_stub *g, unsigned thread, unsigned position, const struct gdb_point *p) {
    const struct gdb_position *from = &g->past->from;
    const bool last = is_same(&g->moment, &from->moment), done = from->done >> position & 1;
    struct gdb_reason why = {SIGNAL_TRAP, ""};
    if (g->past->task == SEARCH_FIRST) {
        strcpy(why.text, "replaylog:begin;");
        set_target(g, gdb_threads_live(&g->threads, from->thread) ? from->thread : thread, &why);
        leave_copy(g, GDB_SEARCHED);
    } else if (g->past->task == SEARCH_STEP) {
        if (thread == from->thread && (!last || done)) set_target(g, thread, &why);
    } else if (p && (!last || done || thread < from->thread)) {
        gdb_point_reason(p, &why);
        set_target(g, thread, &why);
    }
}

void gdb_past_looked(struct gdb_stub *g) {
    if (is_same(&g->moment, &g->past->from.moment)) leave_copy(g, GDB_SEARCHED);
}

void gdb_past_interrupt(struct gdb_stub *g) {
    g->past->found = true;
    g->past->to = g->past->from;
    g->past->reason = (struct gdb_reason){SIGNAL_INTERRUPT, ""};
    g->past->at_point = false;
    leave_copy(g, GDB_SEARCHED);
}

void gdb_past_resume(struct gdb_stub *g) {
    if (g->repeats && is_same(&g->moment, &g->past->present)) leave_copy(g, GDB_CAUGHT_UP);
    if (g->repeats) g->past->at_point = g->past->left_point = false;
    if (!g->repeats && g->wrote) gdb_past_forget(g);
    g->wrote = false;
}

void gdb_past_leave(struct gdb_stub *g, enum gdb_farewell farewell) {
    g->past->farewell = farewell;
    leave_copy(g, GDB_LEAVES);
}

const struct gdb_reason *gdb_past_reason(const struct gdb_stub *g, unsigned *thread) {
    *thread = g->past->to.thread;
    return &g->past->reason;
}

/* --- in the run --- */

/* Lets a copy that was made before `cycle` do g->past->task. Returns the cycle from which it repeated the
 * run. */
static uint64_t order(struct gdb_stub *g, uint64_t cycle) {
    const uint64_t present = machine_cycle(g->threads.machine) + CYCLES_AHEAD;
    const struct snapshots_order o = {
        .cycle = present, .cycles = present - cycle + CYCLES_AHEAD, .serves = true};
    struct snapshots_answer answer;
    g->past->outcome = GDB_DIFFERS;
    if (!snapshots_repeat(g->snapshots, &o, &answer)) g->past->outcome = GDB_FORGOTTEN;
    return answer.first;
}

/* Searches the target of gdb's request, first in the newest copy, then in older ones. Returns false if the
 * repeated run differs. */
static bool search(struct gdb_stub *g) {
    const int task = g->past->task;
    uint64_t first = g->past->from.moment.cycle, older;
    g->past->found = false;
    for (older = order(g, first); g->past->outcome == GDB_SEARCHED && !g->past->found && older != first;) {
        first = older;
        g->past->task = task;
        older = order(g, first);
    }
    if (g->past->outcome == GDB_SEARCHED && !g->past->found) {
        g->past->task = SEARCH_FIRST;
        order(g, 0);
    }
    return g->past->outcome == GDB_SEARCHED && g->past->found;
}

static void travel(struct gdb_stub *g) {
    give(g);
    do {
        if (!search(g)) break;
        g->past->task = SERVE;
        order(g, g->past->to.moment.cycle);
    } while (g->past->outcome == GDB_GOES_BACK);
    take(g);
}

/* Notes a request to go back. Gdb steps back from a point before it goes further back, for example when the
 * point's condition is false. */
static void note_request(struct gdb_stub *g, bool steps) {
    struct gdb_past *p = g->past;
    const unsigned thread = g->control ? g->control : g->general;
    const bool left = !steps && p->left_point;
    p->task = steps ? SEARCH_STEP : SEARCH_POINT;
    p->from = left ? p->point
                   : (struct gdb_position){.moment = g->moment,
                                           .done = g->threads.now.i ? g->threads.now.done : 0,
                                           .thread = thread};
    p->left_point = steps && p->at_point && thread == p->to.thread;
    p->point = p->to;
    p->at_point = false;
}

/* Reports the end of history to gdb. A thread that is being stepped gets an ordinary stop instead: gdb 13
 * hangs otherwise. */
static void tell_present(struct gdb_stub *g) {
    const unsigned stepped = g->past->stepped;
    if (stepped && gdb_threads_live(&g->threads, stepped))
        gdb_tell(g, stepped, &(struct gdb_reason){SIGNAL_TRAP, ""});
    else
        gdb_tell(g, g->thread, &(struct gdb_reason){SIGNAL_TRAP, "replaylog:end;"});
}

void gdb_past_go_back(struct gdb_stub *g, bool steps) {
    if (!g->repeats) g->past->at_point = g->past->left_point = false;
    note_request(g, steps);
    if (g->repeats) leave_copy(g, GDB_GOES_BACK);
    g->past->present = g->moment;
    travel(g);
    if (machine_interrupted(g->threads.machine)) return;
    if (g->past->outcome == GDB_LEAVES) {
        gdb_leave(g, g->past->farewell);
        return;
    }
    if (g->past->outcome == GDB_FORGOTTEN) {
        gdb_tell(g, g->thread, &(struct gdb_reason){SIGNAL_TRAP, "replaylog:begin;"});
        return;
    }
    if (g->past->outcome == GDB_DIFFERS)
        fprintf(stderr,
                "lockstep: gdb cannot go back: the repeated run differs; does the program write into a "
                "mapped buffer while a kernel runs?\n");
    tell_present(g);
}

void gdb_past_forget(struct gdb_stub *g) {
    if (!g->snapshots || g->repeats) return;
    snapshots_forget(g->snapshots);
    g->renews = g->link.client >= 0;
}

void gdb_past_consider(struct gdb_stub *g) {
    if (!g->renews) snapshots_consider(g->snapshots);
}

void gdb_past_begin(struct gdb_stub *g, struct session *session) {
    const struct snapshots_options o = {.machine = g->threads.machine,
                                        .flag = "--gdb",
                                        .kept = SNAPSHOTS_MOST,
                                        .whole = true,
                                        .late = true,
                                        .wakes = wakes,
                                        .ended = ended,
                                        .context = g};
    void *shared = mmap(NULL, sizeof *g->past, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return;
    g->past = shared;
    g->snapshots = snapshots_create(&o);
    g->renews = true;
    if (g->snapshots) session_keep_snapshots(session, g->snapshots);
}

void gdb_past_end(struct gdb_stub *g) {
    snapshots_destroy(g->snapshots);
    if (g->past) munmap(g->past, sizeof *g->past);
}

/* Transfer of a stay to the unit: the contents of its stages are computed from the stamps. */
#include "model/fast/parts.h"

#include <string.h>

static void copy_flight(struct unit *u, const struct fast *p, unsigned warp) {
    const struct fast_flight *f = &p->flight[warp];
    const struct warp_wait *w = &p->chosen[warp];
    u->flight[warp] = (struct unit_flight){.i = f->i,
                                           .participating = f->participating,
                                           .passed = f->execution.passed,
                                           .in_stack = f->execution.in_stack,
                                           .pc = f->pc,
                                           .warp = (uint16_t)warp,
                                           .number = (uint8_t)warp,
                                           .s = f->s,
                                           .f = f->f,
                                           .fetched = f->fetched,
                                           .left = f->left,
                                           .o = f->o,
                                           .collected = f->collected,
                                           .x = f->x,
                                           .last = f->last,
                                           .result = f->result,
                                           .made = f->made,
                                           .since = w->since,
                                           .wait_pc = w->pc,
                                           .cause = (uint8_t)w->cause,
                                           .rounds = (uint8_t)f->rounds,
                                           .held = (uint16_t)f->held,
                                           .writes_left = (uint16_t)f->writes_left,
                                           .read_lines = (uint16_t)f->read_lines,
                                           .reads = (uint16_t)f->reads,
                                           .collects = f->collects};
    u->execution[warp] = f->execution;
}

/* Fills the unit's pool. Flights have the numbers of their warps; numbers of warps without a flight are
 * free. */
static void copy_flights(struct unit *u, const struct fast *p) {
    uint64_t flying = 0;
    for (uint32_t n = p->started; n != p->selected; ++n) {
        const unsigned number = fast_flight_number(p, n);
        u->order[n % UNIT_RING] = (uint8_t)number;
        flying |= UINT64_C(1) << number;
    }
    for (unsigned n = 0; n < p->landing_count; ++n) flying |= UINT64_C(1) << p->landing[n];
    if (p->x_flight != FAST_NONE) flying |= UINT64_C(1) << p->x_flight;
    u->free = (uint16_t)p->warps;
    for (unsigned w = p->warps; w--;) {
        copy_flight(u, p, w);
        if (flying >> w & 1) continue;
        u->flight[w].next = u->free;
        u->free = (uint16_t)w;
    }
    /* A unit does not know the planned stamps of later cycles. */
    for (uint32_t n = p->left; n != p->selected; ++n) u->flight[fast_flight_number(p, n)].left = UNIT_NEVER;
}

static void copy_front(struct unit *u, const struct fast *p) {
    u->selected = p->selected;
    u->arbitrated = p->arbitrated;
    u->left = p->left;
    u->decoded = p->decoded;
    u->collecting = p->collecting;
    u->started = p->started;
    u->ready = p->ready_to_run;
    u->front_end = p->front_end;
    memcpy(u->wait, p->wait, p->warps * sizeof *p->wait);
}

static void copy_operands(struct unit *u, const struct fast *p) {
    if (p->collecting != p->started) u->o_free = u->flight[fast_last_collected(p)].collected + 1;
    u->o_since = p->o_since;
    u->o_stood = p->o_stood;
    u->o_lines = p->o_lines;
    u->read_port = p->read_ports;
    u->write_port = p->write_ports;
}

static void copy_lanes(struct unit *u, const struct fast *p) {
    u->x_flight = p->x_flight;
    u->shown = p->shown_x_flight;
    u->x_round = p->x_round;
    u->x_beat = p->x_beat;
    u->x_bytes = p->x_bytes;
    u->x_words = p->x_words;
    u->x_in_tpm = p->x_in_tpm;
    u->x_one_word = p->x_one_word;
    u->x_next = p->x_next;
    u->x_free = p->x_free;
    u->x_last = p->x_last;
    u->x_stood = p->x_stood;
    u->x_refused = p->x_refused;
}

static void copy_landing(struct unit *u, const struct fast *p) {
    u->landing_count = p->landing_count;
    u->landed = p->landed;
    for (unsigned n = 0; n < p->landing_count; ++n) {
        u->landing[n] = (uint8_t)p->landing[n];
        u->landing_due[n] = p->landing_due[n];
    }
    u->committed = p->committed;
    u->stuck = p->stuck;
    const int left = p->cluster->left_warp;
    if (left != CLUSTER_NONE) u->left_pc = p->flight[left].pc;
    held_accesses_copy(&u->held, &p->held);
}

void fast_show(const struct fast *p, uint64_t t) {
    struct unit *u = p->cluster->unit;
    unit_begin(u, t);
    copy_flights(u, p);
    copy_front(u, p);
    copy_operands(u, p);
    copy_lanes(u, p);
    copy_landing(u, p);
}

void fast_leave(struct fast *p, uint64_t t) {
    cluster_catch_up(p->cluster, t);
    fast_show(p, t);
    p->on = false;
    p->hits_end = 0; /* no known hits are left */
}

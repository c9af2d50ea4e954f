#include "model/divergence/warp_lookup_cycle.h"

#include "sim/error.h"

#include <string.h>

static void show(struct warp_lookup_cycle *c) {
    const struct warp_lookup *l = c->lookup;
    memset(c->mask, 0, sizeof c->mask);
    memset(c->age, 0, sizeof c->age);
    for (unsigned n = 0; n < l->count; ++n) {
        const struct regrouped_warp *w = &l->entry[n].warp;
        const unsigned slot = l->entry[n].slot;
        c->pc[slot] = w->pc;
        c->group[slot] = w->group;
        c->mask[slot] = (uint32_t)w->valid;
        for (unsigned later = n + 1; later < l->count; ++later)
            c->age[slot] |= UINT32_C(1) << l->entry[later].slot;
        for (unsigned k = 0; k < c->lanes; ++k)
            if (w->valid >> k & 1) c->row[slot * c->lanes + k] = w->row[k];
    }
    c->q = (struct warp_lookup_state){c->pc, c->group, c->mask, c->row, c->age, l->count};
}

void warp_lookup_cycle_init(struct warp_lookup_cycle *c, struct warp_lookup *l, unsigned lanes) {
    invariant(lanes >= 1 && lanes <= MACHINE_MAX_LANES && l->cfg.entries <= WARP_LOOKUP_CYCLE_MAX_ENTRIES,
              "cycles of a lookup of %u lanes, %u entries", lanes, l->cfg.entries);
    memset(c, 0, sizeof *c);
    c->lookup = l;
    c->lanes = lanes;
    l->cycle = c;
    warp_lookup_cycle_reset(c);
}

void warp_lookup_cycle_reset(struct warp_lookup_cycle *c) {
    c->lookup->count = 0;
    c->in = (struct warp_lookup_in){.rows = c->rows};
    memset(c->pc, 0, sizeof c->pc);
    memset(c->group, 0, sizeof c->group);
    memset(c->row, 0, sizeof c->row);
    show(c);
}

/* Removes the entry in a slot. */
static void leave(struct warp_lookup *l, unsigned slot) {
    unsigned n = 0;
    while (n < l->count && l->entry[n].slot != slot) ++n;
    invariant(n < l->count, "slot %u of a lookup, which is to leave, is free", slot);
    warp_lookup_take(l, n);
}

/* Outputs, for each slot, the threads that have entered it in this cycle. */
static void show_who_came(struct warp_lookup_cycle *c) {
    const struct warp_lookup *l = c->lookup;
    memset(c->came_out, 0, sizeof c->came_out);
    for (unsigned n = 0; n < l->count; ++n) {
        const unsigned slot = l->entry[n].slot;
        const bool left = c->in.leave && slot == c->in.leave_entry;
        c->came_out[slot] = (uint32_t)l->entry[n].warp.valid & ~(left ? 0 : c->mask[slot]);
    }
}

void warp_lookup_cycle_eval(struct warp_lookup_cycle *c) {
    struct warp_lookup *l = c->lookup;
    const struct warp_lookup_in *in = &c->in;
    struct issued_warp w = c->comes ? *c->comes : (struct issued_warp){.ready = 0};
    w.warp = (struct regrouped_warp){.pc = in->come_pc, .group = in->come_group, .valid = in->come};
    for (unsigned k = 0; k < c->lanes; ++k) w.warp.row[k] = (uint16_t)c->rows[k];
    c->out = (struct warp_lookup_out){
        .pc = c->pc[in->leave_entry],
        .group = c->group[in->leave_entry],
        .mask = c->mask[in->leave_entry],
        .rows = c->rows_out,
        .oldest = l->count ? l->entry[0].slot : 0,
        .count = l->count,
        .full = l->count == l->cfg.entries,
        .masks = c->masks_out,
        .entry_rows = c->entry_rows_out,
        .came = c->came_out,
    };
    memcpy(c->masks_out, c->mask, sizeof c->mask);
    memcpy(c->entry_rows_out, c->row, sizeof c->row);
    memcpy(c->rows_out, &c->row[in->leave_entry * c->lanes], c->lanes * sizeof c->row[0]);
    l->cycle = NULL; /* operations below act on the lookup at once */
    if (in->leave) leave(l, in->leave_entry);
    const uint64_t left = warp_lookup_merge(l, &w, in->come);
    c->out.joined = in->come & ~(uint32_t)left;
    if (left && !warp_lookup_insert(l, &w, left)) c->out.bypass = (uint32_t)left;
    show_who_came(c);
    l->cycle = c;
}

void warp_lookup_cycle_clock(struct warp_lookup_cycle *c) {
    show(c);
    c->in.leave = false;
    c->in.come = 0;
    c->comes = NULL;
}

struct warp_lookup_out warp_lookup_cycle_step(struct warp_lookup_cycle *c) {
    warp_lookup_cycle_eval(c);
    if (c->evaluated) c->evaluated(c->context);
    const struct warp_lookup_out out = c->out;
    warp_lookup_cycle_clock(c);
    return out;
}

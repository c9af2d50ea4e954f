#include "model/control/subwarp_dispatcher.h"

#include "sim/error.h"

void subwarp_dispatcher_init(struct subwarp_dispatcher *s, unsigned warps, unsigned warp_size,
                             unsigned lanes) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS && warp_size >= 4 && warp_size <= MACHINE_MAX_WARP_SIZE &&
                  lanes >= 1 && lanes <= MACHINE_MAX_LANES && warp_size % lanes == 0,
              "dispatcher of %u warps of %u threads on %u lanes", warps, warp_size, lanes);
    *s = (struct subwarp_dispatcher){.cfg = {warps, warp_size / lanes}};
}

void subwarp_dispatcher_reset(struct subwarp_dispatcher *s) {
    s->in = (struct subwarp_dispatcher_in){0};
    s->out = (struct subwarp_dispatcher_out){0};
    s->q = s->d = (struct subwarp_dispatcher_state){0};
}

/* Takes the offered instruction. */
static void take(const struct subwarp_dispatcher *s, struct subwarp_dispatcher_state *d) {
    invariant(s->in.warp < s->cfg.warps && s->in.rounds >= 1 && s->in.rounds <= s->cfg.rounds &&
                  s->in.beats >= 1 && s->in.beats <= 63 && s->in.occupancy >= 1 && s->in.occupancy <= 1023,
              "dispatch of warp %u: %u rounds of %u beats, %u cycles each", s->in.warp, s->in.rounds,
              s->in.beats, s->in.occupancy);
    d->active = true;
    d->warp = s->in.warp;
    d->left = s->in.rounds - 1;
    d->beat = 0;
    d->last_beat = s->in.beats - 1;
    d->occupancy = s->in.occupancy;
    d->wait = 0;
}

/* Ends a beat: the next one follows `occupancy` cycles later. */
static void next_beat(struct subwarp_dispatcher_state *d, bool last) {
    d->wait = d->occupancy - 1;
    d->active = !last;
    d->beat = d->beat == d->last_beat ? 0 : d->beat + 1;
    if (d->beat == 0 && d->active) --d->left;
}

void subwarp_dispatcher_eval(struct subwarp_dispatcher *s) {
    struct subwarp_dispatcher_out out = {.ready = !s->q.active && s->q.wait == 0};
    out.first = out.ready && s->in.valid;
    struct subwarp_dispatcher_state d = s->q;
    if (out.first) take(s, &d);
    out.busy = d.active;
    out.valid = d.active && d.wait == 0;
    if (d.wait) --d.wait;
    if (out.valid) {
        out.warp = d.warp;
        out.context = d.warp * s->cfg.rounds + s->cfg.rounds - 1 - d.left;
        out.beat = d.beat;
        out.last = d.left == 0 && d.beat == d.last_beat;
        if (!s->in.hold) next_beat(&d, out.last);
    }
    s->out = out;
    s->d = d;
}

void subwarp_dispatcher_clock(struct subwarp_dispatcher *s) {
    s->q = s->d;
}

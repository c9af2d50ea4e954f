#include "model/control/scoreboard.h"

#include "sim/error.h"

#include <string.h>

void scoreboard_init(struct scoreboard *s, unsigned warps, unsigned registers) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS && registers >= 1 && registers <= 64,
              "scoreboard of %u warps, %u registers", warps, registers);
    memset(s, 0, sizeof *s);
    s->cfg.warps = warps;
    s->cfg.registers = registers;
    s->q.pending = s->pending;
    s->in.release = s->release;
    s->in.unread = s->unread;
    s->in.needs = s->needs;
    s->in.destinations = s->destinations;
}

void scoreboard_eval(struct scoreboard *s) {
    const struct scoreboard_in *in = &s->in;
    s->out.clear = 0;
    for (unsigned w = 0; w < s->cfg.warps; ++w) {
        const uint64_t issued = in->issued && in->warp == w ? in->writes : 0;
        s->d.pending[w] = (s->pending[w] | issued) & ~in->release[w];
        if (!(in->needs[w] & s->d.pending[w]) && !(in->destinations[w] & in->unread[w]))
            s->out.clear |= warp_bit(w);
    }
}

void scoreboard_clock(struct scoreboard *s) {
    memcpy(s->pending, s->d.pending, sizeof s->pending);
    memset(s->release, 0, sizeof s->release);
    s->in.issued = false;
    s->in.writes = 0;
}

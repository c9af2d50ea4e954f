/* F and D: the instruction buffers of the warps (gpu-like.md §3). */
#include "model/sm/sm_parts.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_ldst.h"

static void empty(struct sm *s, unsigned warp) {
    sm_scheduler_of(s, warp)->decoded &= ~sm_scheduler_bit(s, warp);
    sm_scheduler_of(s, warp)->decoding &= ~sm_scheduler_bit(s, warp);
    s->warp[warp].buffered = 0;
    if (s->warp[warp].live) warp_set_add(&s->wants_fetch, warp);
}

void sm_redirect(struct sm *s, unsigned warp) {
    struct sm_warp *w = &s->warp[warp];
    if (s->barrel) return;
    if (!w->live || !w->buffered || w->buffer_pc != re_convergence_stack_pc(&s->stack, warp)) empty(s, warp);
}

/* A fetch returns 8 aligned bytes: two instructions, or one if the PC is at the second. */
void sm_fetched(struct sm *s, unsigned warp, uint64_t t) {
    if (warp >= SCALAR_L1I_TAG) {
        scalar_units_fetched(s, warp, t);
        return;
    }
    if (s->barrel) {
        sm_barrel_fetched(s, warp, t);
        return;
    }
    struct sm_warp *w = &s->warp[warp];
    if (!w->live) return;
    if (w->buffer_pc != re_convergence_stack_pc(&s->stack, warp)) { /* the PC of the warp has changed since
                                                                     * the request */
        warp_set_add(&s->wants_fetch, warp);
        return;
    }
    w->buffered = w->buffer_pc & 4 ? 1 : SM_BUFFER;
    sm_decode_by(s, warp, t + 2);
}

uint64_t sm_fetch(struct sm *s, uint64_t t) {
    for (s->fetches_left = s->config->simt.fetches; s->fetches_left && s->wants_fetch; --s->fetches_left) {
        const unsigned warp = warp_set_first(warp_scheduler_first_after(s->wants_fetch, s->fetch_turn));
        struct sm_warp *w = &s->warp[warp];
        w->buffer_pc = re_convergence_stack_pc(&s->stack, warp);
        if (!sm_ldst_fetch(s, warp, w->buffer_pc, t)) { /* the L1I accepts no request in this cycle */
            s->fetches_left = 0;
            return t + 1;
        }
        s->fetch_turn = warp;
        warp_set_remove(&s->wants_fetch, warp);
    }
    return s->wants_fetch ? t + 1 : SM_NEVER;
}

#include "model/control/round_compactor.h"

uint64_t round_compactor_rounds(unsigned lanes, uint64_t active) {
    const uint64_t of_round = lanes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
    uint64_t rounds = 0;
    if (!active) return 1;
    for (uint64_t rest = active; rest;) {
        const unsigned n = (unsigned)__builtin_ctzll(rest) / lanes;
        rounds |= UINT64_C(1) << n;
        rest &= ~(of_round << n * lanes);
    }
    return rounds;
}

void round_compactor_init(struct round_compactor *r, const struct round_compactor_config *config) {
    *r = (struct round_compactor){.cfg = *config};
}

void round_compactor_eval(struct round_compactor *r) {
    const uint64_t left = r->in.load ? round_compactor_rounds(r->cfg.lanes, r->in.active) : r->q.left;
    r->out.valid = left != 0;
    r->out.rounds = left;
    r->out.round = left ? (uint32_t)__builtin_ctzll(left) : 0;
    r->out.last = left && !(left & (left - 1));
    r->d.left = r->in.take ? left & (left - 1) : left;
}

void round_compactor_clock(struct round_compactor *r) {
    r->q = r->d;
}

#include "model/control/branch_predictor.h"

#include "sim/error.h"

#include <string.h>

void branch_predictor_init(struct branch_predictor *p, unsigned fetch_width, unsigned commits,
                           unsigned counters, unsigned tag_bits) {
    invariant(fetch_width >= 1 && fetch_width <= BRANCH_PREDICTOR_MAX_FETCH_WIDTH && commits >= 1 &&
                  commits <= CORE_MAX_ISSUE_WIDTH && tag_bits >= 1 && tag_bits <= 30,
              "branch predictor: %u fetched, %u learned, %u bits of tags", fetch_width, commits, tag_bits);
    *p = (struct branch_predictor){.cfg = {fetch_width, commits, counters, tag_bits}};
    p->in.tag = p->tag;
    p->in.target = p->target;
    p->in.counter = p->counter;
    p->in.pc = p->pc;
    p->in.new_target = p->new_target;
    p->in.old_counter = p->old_counter;
    p->out.new_counter = p->new_counter;
}

/* Returns whether two words have one row: of the counters, of the BTB. */
static bool shares_counter(const struct branch_predictor *p, uint32_t a, uint32_t b) {
    return ((a ^ b) & (p->cfg.counters - 1)) == 0;
}
static bool shares_target(const struct branch_predictor *p, uint32_t a, uint32_t b) {
    return ((a ^ b) & (UINT32_C(0x3fffffff) >> p->cfg.tag_bits)) == 0;
}

/* A branch writes its rows, and those before it in the cycle do not. */
static void learn(struct branch_predictor *p, unsigned n) {
    const struct branch_predictor_in *in = &p->in;
    const bool counts = in->counts >> n & 1, taken = in->was_taken >> n & 1;
    uint32_t counter = in->old_counter[n];
    for (unsigned m = 0; m < n; ++m) {
        if (taken && shares_target(p, in->pc[m], in->pc[n])) p->out.write_target &= ~(1u << m);
        if (!counts || !(p->out.write_counter >> m & 1) || !shares_counter(p, in->pc[m], in->pc[n])) continue;
        counter = p->new_counter[m];
        p->new_counter[m] = 0;
        p->out.write_counter &= ~(1u << m);
    }
    if (taken) p->out.write_target |= 1u << n;
    if (!counts) return;
    p->out.write_counter |= 1u << n;
    p->new_counter[n] = taken ? counter + (counter < 3) : counter - (counter > 0);
}

/* Predicts an instruction of the block; returns whether the fetch ends with it. */
static bool ends(struct branch_predictor *p, unsigned n) {
    const struct branch_predictor_in *in = &p->in;
    const uint32_t pc = in->block * p->cfg.fetch_width + n;
    bool hit = in->valid >> n & 1 && in->tag[n] == pc >> (30 - p->cfg.tag_bits);
    uint32_t counter = in->counter[n], target = in->target[n];
    for (unsigned m = 0; m < p->cfg.commits; ++m) {
        if (p->out.write_counter >> m & 1 && shares_counter(p, in->pc[m], pc)) counter = p->new_counter[m];
        if (!(p->out.write_target >> m & 1) || !shares_target(p, in->pc[m], pc)) continue;
        hit = in->pc[m] == pc;
        target = in->new_target[m];
    }
    if (!(in->branch >> n & 1) || !hit || (in->conditional >> n & 1 && counter < 2)) return false;
    p->out.taken = true;
    p->out.slot = n;
    p->out.next = target;
    return true;
}

void branch_predictor_eval(struct branch_predictor *p) {
    memset(p->new_counter, 0, sizeof p->new_counter);
    p->out = (struct branch_predictor_out){.new_counter = p->new_counter};
    for (unsigned n = 0; n < p->cfg.commits; ++n)
        if (p->in.learn >> n & 1) learn(p, n);
    for (unsigned n = 0; p->in.fetch && n < p->cfg.fetch_width && !ends(p, n); ++n) continue;
}

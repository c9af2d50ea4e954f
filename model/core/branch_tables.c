#include "model/core/branch_tables.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void branch_tables_init(struct branch_tables *p, unsigned counters, unsigned entries, unsigned fetch_width,
                        unsigned commits) {
    *p = (struct branch_tables){
        .counters = counters,
        .entries = entries,
        .counter = malloc(counters),
        .btb = calloc(entries + 1, sizeof *p->btb),
    };
    require_memory(p->counter && p->btb);
    memset(p->counter, 1, counters);
    for (unsigned n = 0; n < entries; ++n) p->btb[n].pc = BRANCH_TARGET_NONE;
    branch_predictor_init(&p->block, fetch_width, commits, counters, branch_tables_tag_bits(entries));
}

void branch_tables_free(struct branch_tables *p) {
    free(p->counter);
    free(p->btb);
}

/* --- with something beside the block --- */

/* The rows of an address, which is given in words, as they were before the core's cycle. */
static uint32_t counter_before(const struct branch_tables *p, uint32_t word) {
    const struct branch_predictor *b = &p->block;
    for (unsigned m = 0; m < p->learned; ++m)
        if (((b->pc[m] ^ word) & (p->counters - 1)) == 0) return b->old_counter[m];
    return p->counter[word & (p->counters - 1)];
}
static struct branch_target target_before(const struct branch_tables *p, uint32_t word) {
    for (unsigned m = 0; m < p->learned; ++m)
        if (((p->block.pc[m] ^ word) & (p->entries - 1)) == 0) return p->replaced[m];
    return p->btb[word & (p->entries - 1)];
}

void branch_tables_note(struct branch_tables *p, uint32_t pc, bool conditional, bool taken, uint32_t target) {
    struct branch_predictor *b = &p->block;
    const unsigned n = p->learned;
    invariant(n < b->cfg.commits, "%u branches are learned in a cycle", n + 1);
    b->old_counter[n] = counter_before(p, pc / 4);
    p->replaced[n] = target_before(p, pc / 4);
    b->pc[n] = pc / 4;
    b->new_target[n] = target / 4;
    b->in.learn |= 1u << n;
    b->in.counts |= (uint32_t)conditional << n;
    b->in.was_taken |= (uint32_t)taken << n;
    ++p->learned;
}

void branch_tables_end(struct branch_tables *p) {
    struct branch_predictor_in *in = &p->block.in;
    branch_predictor_eval(&p->block);
    block_requests_cycle(&p->block.requests, CLUSTER_BLOCK_PREDICTOR);
    in->fetch = false;
    in->branch = in->conditional = in->learn = in->counts = in->was_taken = 0;
    p->learned = 0;
}

unsigned branch_tables_fetch(struct branch_tables *p, uint32_t pc, unsigned count, uint32_t branches,
                             uint32_t conditional, uint32_t *target) {
    struct branch_predictor *b = &p->block;
    const unsigned first = pc / 4 % b->cfg.fetch_width;
    b->in.fetch = true;
    b->in.block = pc / 4 / b->cfg.fetch_width;
    b->in.branch = branches << first;
    b->in.conditional = conditional << first;
    b->in.valid = 0;
    for (unsigned n = 0; n < b->cfg.fetch_width; ++n) {
        const uint32_t word = b->in.block * b->cfg.fetch_width + n;
        const struct branch_target row = target_before(p, word);
        const bool valid = row.pc != BRANCH_TARGET_NONE;
        b->in.valid |= (uint32_t)valid << n;
        b->tag[n] = valid ? row.pc / 4 >> (30 - b->cfg.tag_bits) : 0;
        b->target[n] = row.target / 4;
        b->counter[n] = counter_before(p, word);
    }
    branch_tables_end(p);
    if (!b->out.taken || !(branches << first >> b->out.slot & 1)) return count;
    *target = b->out.next * 4;
    return b->out.slot - first;
}

#include "model/divergence/second_level_cycle.h"

#include "sim/error.h"

#include <string.h>

void second_level_cycle_init(struct second_level_cycle *c, struct second_level *s, unsigned lanes) {
    invariant(lanes >= 1 && lanes <= MACHINE_MAX_LANES && s->cfg.entries <= SECOND_LEVEL_CYCLE_MAX_ENTRIES,
              "cycles of a Second-Level of %u lanes, %u entries", lanes, s->cfg.entries);
    memset(c, 0, sizeof *c);
    c->level = s;
    c->lanes = lanes;
    s->cycle = c;
    second_level_clear(s);
}

static void show(struct second_level_cycle *c) {
    c->q = (struct second_level_state){c->pc, c->group, c->mask, c->row, c->level->first, c->level->count};
}

void second_level_cycle_reset(struct second_level_cycle *c) {
    c->in = (struct second_level_in){.rows = c->rows};
    memset(c->pc, 0, sizeof c->pc);
    memset(c->group, 0, sizeof c->group);
    memset(c->mask, 0, sizeof c->mask);
    memset(c->row, 0, sizeof c->row);
    show(c);
}

static void put_out(struct second_level_cycle *c) {
    const struct second_level *s = c->level;
    c->out = (struct second_level_out){.rows = c->rows_out, .count = s->count};
    memset(c->rows_out, 0, sizeof c->rows_out);
    if (!s->count) return;
    c->out.pc = c->pc[s->first];
    c->out.group = c->group[s->first];
    c->out.mask = c->mask[s->first];
    memcpy(c->rows_out, &c->row[s->first * c->lanes], c->lanes * sizeof c->row[0]);
}

/* An entry is written at the edge; `q` changes only then. */
void second_level_cycle_eval(struct second_level_cycle *c) {
    struct second_level *s = c->level;
    const struct second_level_in *in = &c->in;
    struct regrouped_warp w = {.pc = in->put_pc, .group = in->put_group, .valid = in->put_mask};
    for (unsigned k = 0; k < c->lanes; ++k) w.row[k] = (uint16_t)c->rows[k];
    put_out(c);
    s->cycle = NULL; /* operations below act on the queue at once */
    struct regrouped_warp oldest;
    if (in->take) second_level_take(s, &oldest);
    if (in->put) second_level_put(s, &w);
    s->cycle = c;
}

void second_level_cycle_clock(struct second_level_cycle *c) {
    const struct second_level *s = c->level;
    if (c->in.put) {
        const unsigned at = (s->first + s->count - 1) % s->cfg.entries;
        c->pc[at] = c->in.put_pc;
        c->group[at] = c->in.put_group;
        c->mask[at] = c->in.put_mask;
        memcpy(&c->row[at * c->lanes], c->rows, c->lanes * sizeof c->row[0]);
    }
    show(c);
    c->in.put = c->in.take = false;
}

/* --- operations --- */

static void step(struct second_level_cycle *c) {
    second_level_cycle_eval(c);
    if (c->evaluated) c->evaluated(c->context);
    second_level_cycle_clock(c);
}

void second_level_cycle_put(struct second_level_cycle *c, const struct regrouped_warp *w) {
    c->in.put = true;
    c->in.put_pc = w->pc;
    c->in.put_group = w->group;
    c->in.put_mask = (uint32_t)w->valid;
    for (unsigned k = 0; k < c->lanes; ++k) c->rows[k] = w->valid >> k & 1 ? w->row[k] : 0;
    step(c);
}

void second_level_cycle_take(struct second_level_cycle *c) {
    c->in.take = true;
    step(c);
}

#include "model/divergence/warp_formation_table_cycle.h"

#include "sim/error.h"

#include <string.h>

static unsigned set_of(const struct warp_formation_table_cycle *c, uint32_t pc) {
    return pc / 4 % c->table->cfg.sets;
}

static void write_row(struct warp_formation_table_cycle *c, unsigned set) {
    struct warp_formation_table_row *r = &c->row[set];
    for (unsigned way = 0; way < WARP_FORMATION_WAYS; ++way) {
        const struct warp_formation_entry *e = &c->table->entry[set * WARP_FORMATION_WAYS + way];
        r->pc[way] = e->pc;
        r->group[way] = (uint8_t)e->group;
        r->warp[way] = (uint16_t)e->warp;
        r->mask[way] = e->mask;
        r->rank[way] = (uint8_t)e->rank;
    }
    c->written |= UINT64_C(1) << set;
}

void warp_formation_table_cycle_init(struct warp_formation_table_cycle *c, struct warp_formation_table *t) {
    invariant(t->cfg.sets <= WARP_FORMATION_TABLE_CYCLE_MAX_SETS,
              "cycles of a warp formation table of %u sets", t->cfg.sets);
    memset(c, 0, sizeof *c);
    c->table = t;
    t->cycle = c;
    warp_formation_table_clear(t);
}

void warp_formation_table_cycle_reset(struct warp_formation_table_cycle *c) {
    c->in = (struct warp_formation_table_in){0};
    for (unsigned set = 0; set < c->table->cfg.sets; ++set) write_row(c, set);
    c->written = 0;
}

void warp_formation_table_cycle_eval(struct warp_formation_table_cycle *c) {
    const struct warp_formation_table_in *in = &c->in;
    c->written = 0;
    c->out = (struct warp_formation_table_out){0};
    c->table->cycle = NULL; /* operations below act on the table at once */
    if (in->issue) {
        warp_formation_table_issue(c->table, in->issue_pc, in->issue_group, in->issue_warp);
        write_row(c, set_of(c, in->issue_pc));
    }
    if (in->come) {
        const struct warp_formation_found x =
            warp_formation_table_come(c->table, in->come_pc, in->come_group, in->come, in->new_warp);
        c->out = (struct warp_formation_table_out){
            .hit = x.hit, .warp = x.warp, .joined = x.joined, .left = x.left, .lost = x.lost};
        write_row(c, set_of(c, in->come_pc));
    }
    c->table->cycle = c;
}

void warp_formation_table_cycle_clock(struct warp_formation_table_cycle *c) {
    c->in.issue = false;
    c->in.come = 0;
}

static struct warp_formation_table_out step(struct warp_formation_table_cycle *c) {
    warp_formation_table_cycle_eval(c);
    if (c->evaluated) c->evaluated(c->context);
    warp_formation_table_cycle_clock(c);
    return c->out;
}

struct warp_formation_found warp_formation_table_cycle_come(struct warp_formation_table_cycle *c, uint32_t pc,
                                                            uint32_t group, uint64_t mask,
                                                            uint32_t new_warp) {
    c->in.come = mask;
    c->in.come_pc = pc;
    c->in.come_group = group;
    c->in.new_warp = new_warp;
    const struct warp_formation_table_out o = step(c);
    return (struct warp_formation_found){
        .hit = o.hit, .warp = o.warp, .joined = o.joined, .left = o.left, .lost = o.lost};
}

void warp_formation_table_cycle_issue(struct warp_formation_table_cycle *c, uint32_t pc, uint32_t group,
                                      uint32_t warp) {
    c->in.issue = true;
    c->in.issue_pc = pc;
    c->in.issue_group = group;
    c->in.issue_warp = warp;
    step(c);
}

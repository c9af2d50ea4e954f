/* Instructions of few or many operands; an X stage that takes collected instructions and holds them for some
 * time; loads that occupy some ports; occasional resets. */
#ifndef TB_STIMULUS_OPERAND_COLLECTOR_H
#define TB_STIMULUS_OPERAND_COLLECTOR_H

#include "tb/stimulus/stimulus.h"

static struct operand_collector stimulus_collector;
static unsigned stimulus_collector_warps, stimulus_rounds_left; /* rounds left of the instruction in X */

static inline void start_operand_collector(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_collector_warps = rtl_size_of(size, "WARPS");
    stimulus_rounds_left = 0;
    operand_collector_init(&stimulus_collector, &(struct operand_collector_config){
                                                    .collectors = rtl_size_of(size, "COLLECTORS"),
                                                    .read_ports = rtl_size_of(size, "READ_PORTS"),
                                                    .read_latency = rtl_size_of(size, "READ_LATENCY"),
                                                    .vtpo_lines = rtl_size_of(size, "VTPO_LINES")});
}

static inline void stimulus_operands(struct seed *s, struct operand_collector_in *in) {
    const bool few = seed_below(s, 8) != 0;
    in->warp = stimulus_one_of(s, stimulus_collector_warps);
    in->sources = seed_next(s) & ((UINT64_C(1) << ARM_REGISTERS) - 1);
    for (unsigned n = 0; n < 3 && few; ++n) in->sources &= seed_next(s);
    if (seed_below(s, 8) == 0) in->sources = 0;
    if (stimulus_rare(s, 64)) in->sources = stimulus_all(ARM_REGISTERS);
    in->scalars = in->sources & seed_next(s);
    if (seed_below(s, 2)) in->scalars = 0;
    if (stimulus_rare(s, 32)) in->scalars = in->sources;
}

static inline bool drive_operand_collector(struct seed *s) {
    struct operand_collector *o = &stimulus_collector;
    const bool reset = seed_below(s, 512) == 0;
    if (reset) {
        operand_collector_init(o, &(struct operand_collector_config){o->cfg.collectors, o->cfg.read_ports,
                                                                     o->cfg.read_latency, o->cfg.vtpo_lines});
        stimulus_rounds_left = 0;
    }
    o->in.take = stimulus_rounds_left == 0 && o->q.waiting && seed_below(s, 4);
    if (o->in.take) stimulus_rounds_left = 1 + seed_below(s, 12);
    o->in.hold = stimulus_rounds_left > 0;
    if (stimulus_rounds_left) --stimulus_rounds_left;
    o->in.valid = seed_below(s, 4) != 0;
    stimulus_operands(s, &o->in);
    o->in.taken = seed_below(s, 3) ? 0 : seed_below(s, o->cfg.read_ports + 1);
    operand_collector_eval(o);
    return reset;
}

static inline void clock_operand_collector(void) {
    operand_collector_clock(&stimulus_collector);
}

static const struct stimulus_corner operand_collector_corner[] = {
    {"the last warp", NULL},
    {"all buffers hold instructions", NULL},
    {"loads take all ports", NULL},
    {"an instruction reads its last register", NULL},
    {"an instruction reads all registers", NULL},
    {"an instruction has no sources", NULL},
    {"all sources are scalars", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_operand_collector(void) {
    const struct operand_collector *o = &stimulus_collector;
    return STIMULUS_CORNERS(o->out.start && o->in.warp == stimulus_collector_warps - 1,
                            o->q.waiting + o->q.busy + o->in.hold >= o->cfg.collectors,
                            o->in.taken == o->cfg.read_ports && o->q.busy,
                            o->out.start && o->in.sources >> (ARM_REGISTERS - 1) & 1,
                            o->out.start && o->in.sources == stimulus_all(ARM_REGISTERS),
                            o->out.start && !o->in.sources,
                            o->out.start && o->in.sources && o->in.scalars == o->in.sources);
}

static const struct stimulus_block operand_collector_stimulus = {
    "operand_collector",     "operand_collector",      CLUSTER_BLOCK_COLLECTOR,   &stimulus_collector.in,
    &stimulus_collector.q,   &stimulus_collector.out,  start_operand_collector,   drive_operand_collector,
    clock_operand_collector, operand_collector_corner, corners_operand_collector,
};

#endif

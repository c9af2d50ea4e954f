/* Accesses of few or many threads to consecutive, strided or scattered bytes, aligned or not, few of them
 * across segments. An access stays until its last transaction and is now and then not presented. Includes
 * resets. */
#ifndef TB_STIMULUS_COALESCER_H
#define TB_STIMULUS_COALESCER_H

#include "model/control/coalescer.h"
#include "tb/stimulus/stimulus.h"

static struct coalescer stimulus_coalescer;
static uint32_t stimulus_thread_address[64];

static inline void start_coalescer(struct seed *s, const struct rtl_size *size) {
    (void)s;
    memset(stimulus_thread_address, 0, sizeof stimulus_thread_address);
    coalescer_init(&stimulus_coalescer,
                   &(struct coalescer_config){.rule = rtl_size_of(size, "RULE"),
                                              .warp_size = rtl_size_of(size, "WARP_SIZE"),
                                              .line_bytes = rtl_size_of(size, "LINE_BYTES")});
}

static inline void stimulus_access(struct seed *s, struct coalescer *c) {
    struct coalescer_in *in = &c->in;
    const unsigned stride = seed_below(s, 40), scatter = seed_below(s, 3) ? 0 : 1u << seed_below(s, 14);
    const bool aligned = seed_below(s, 3) != 0;
    uint32_t base = (uint32_t)seed_next(s);
    if (seed_below(s, 4) == 0) base |= 0xffffff80; /* around the end of memory */
    in->store = seed_below(s, 2);
    in->bytes = 1u << seed_below(s, 4);
    in->active = stimulus_mask(s, c->cfg.warp_size);
    in->address = stimulus_thread_address;
    for (unsigned k = 0; k < c->cfg.warp_size; ++k) {
        stimulus_thread_address[k] = base + k * stride + (scatter ? seed_below(s, scatter) : 0);
        if (aligned) stimulus_thread_address[k] &= ~(in->bytes - 1);
    }
}

static inline bool drive_coalescer(struct seed *s) {
    struct coalescer *c = &stimulus_coalescer;
    const bool reset = seed_below(s, 512) == 0;
    if (reset)
        coalescer_init(c, &(struct coalescer_config){c->cfg.rule, c->cfg.warp_size, c->cfg.line_bytes});
    if (!c->q.begun) stimulus_access(s, c);
    c->in.valid = seed_below(s, 16) != 0;
    c->in.address = stimulus_thread_address;
    if (!c->in.bytes) c->in.bytes = 4;
    coalescer_eval(c);
    return reset;
}

static inline void clock_coalescer(void) {
    coalescer_clock(&stimulus_coalescer);
}

static const struct stimulus_corner coalescer_corner[] = {
    {"the last thread is served", NULL},
    {"all threads are active", "WARP_SIZE>1"},
    {"an access of the last thread at the end of memory", NULL},
    {"an address with bit 31", NULL},
    {"no request while an access is under way", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_coalescer(void) {
    const struct coalescer *c = &stimulus_coalescer;
    const unsigned last = c->cfg.warp_size - 1;
    return STIMULUS_CORNERS(c->out.valid && c->out.threads >> last & 1,
                            c->in.valid && !c->q.begun && c->in.active == stimulus_all(c->cfg.warp_size),
                            c->in.valid && c->in.active >> last & 1 &&
                                c->in.address[last] + c->in.bytes < c->in.address[last],
                            c->out.valid && c->out.address >> 31, !c->in.valid && c->q.begun);
}

static const struct stimulus_block coalescer_stimulus = {
    "coalescer",
    "coalescer",
    CLUSTER_BLOCK_COALESCER,
    &stimulus_coalescer.in,
    &stimulus_coalescer.q,
    &stimulus_coalescer.out,
    start_coalescer,
    drive_coalescer,
    clock_coalescer,
    coalescer_corner,
    corners_coalescer,
};

#endif

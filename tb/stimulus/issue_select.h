/* Windows with few and with many ready instructions, each of one kind, from any slot on; stores without an
 * address, often one only; units that are free or busy. */
#ifndef TB_STIMULUS_ISSUE_SELECT_H
#define TB_STIMULUS_ISSUE_SELECT_H

#include "model/control/issue_select.h"
#include "tb/stimulus/stimulus.h"

static struct issue_select stimulus_select;

static inline void start_issue_select(struct seed *s, const struct rtl_size *size) {
    (void)s;
    issue_select_init(&stimulus_select, &(struct issue_select_config){rtl_size_of(size, "WINDOW"),
                                                                      rtl_size_of(size, "ISSUE_WIDTH"),
                                                                      rtl_size_of(size, "INTEGER_UNITS"),
                                                                      rtl_size_of(size, "VFP_UNITS")});
}

static inline bool drive_issue_select(struct seed *s) {
    struct issue_select_in *in = &stimulus_select.in;
    const unsigned window = stimulus_select.cfg.window, units = issue_select_load_store(&stimulus_select) + 1;
    warp_set left = stimulus_warps(s, window);
    in->first = stimulus_one_of(s, window);
    in->integer = left & stimulus_warps(s, window);
    left &= ~in->integer;
    in->vfp = left & stimulus_warps(s, window);
    left &= ~in->vfp;
    in->load = left & stimulus_warps(s, window);
    in->store = left & ~in->load;
    in->needs_first = stimulus_warps(s, window) & stimulus_warps(s, window);
    in->unknown = seed_below(s, 2) ? issue_select_slot(stimulus_one_of(s, window)) & ~in->load
                                   : stimulus_warps(s, window) & ~(in->load | in->integer | in->vfp);
    if (seed_below(s, 4) == 0) in->unknown = 0;
    in->unknown |= seed_below(s, 4) ? in->store : 0;
    in->free = (uint32_t)(seed_below(s, 2) ? stimulus_all(units) : stimulus_mask(s, units));
    issue_select_eval(&stimulus_select);
    return false;
}

static const struct stimulus_corner issue_select_corner[] = {
    {"the instruction in the last slot issues", NULL},
    {"an instruction behind the last slot issues", "WINDOW>1"},
    {"as many issue as can", "WINDOW>3"},
    {"a load waits for an older store", "WINDOW>1"},
    {"a load passes a younger store that has no address", "WINDOW>1"},
    {"an instruction that needs the first unit waits for it", "INTEGER_UNITS>1"},
    {"nothing is ready", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_issue_select(void) {
    const struct issue_select *s = &stimulus_select;
    const struct issue_select_in *in = &s->in;
    const unsigned count = (unsigned)__builtin_popcount(s->out.issue);
    unsigned __int128 issued = 0, older = 0, held = 0;
    bool last = false, behind = false, passes = false;
    for (unsigned n = 0; n < count; ++n) {
        issued |= issue_select_slot(s->slot[n]);
        last |= s->slot[n] == s->cfg.window - 1;
        behind |= s->slot[n] < in->first;
        passes |= (in->load & issue_select_slot(s->slot[n])) != 0 && in->unknown != 0;
    }
    for (unsigned age = 0; age < s->cfg.window; ++age) {
        const unsigned __int128 bit = issue_select_slot((in->first + age) % s->cfg.window);
        if (older & in->unknown) held |= bit & in->load;
        older |= bit;
    }
    const bool busy = (in->free & 1) == 0 && in->free & ((1u << s->cfg.integer_units) - 1);
    return STIMULUS_CORNERS(last, behind, count == s->cfg.issue_width,
                            held != 0 && in->free >> issue_select_load_store(s), passes,
                            busy && (in->integer & in->needs_first & ~issued) != 0,
                            !(in->integer | in->vfp | in->load | in->store));
}

static const struct stimulus_block issue_select_stimulus = {
    "issue_select", "issue_select",       CLUSTER_BLOCK_SELECT, &stimulus_select.in,
    NULL,           &stimulus_select.out, start_issue_select,   drive_issue_select,
    NULL,           issue_select_corner,  corners_issue_select,
};

#endif

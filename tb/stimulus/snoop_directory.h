/* Lines in states that programs cause: requests of any L2 that fit its state; stores into an exclusive line
 * without a request; now and then the next line without copies. */
#ifndef TB_STIMULUS_SNOOP_DIRECTORY_H
#define TB_STIMULUS_SNOOP_DIRECTORY_H

#include "model/memory/directory.h"
#include "model/memory/moesi.h"
#include "model/memory/snoop_directory.h"
#include "tb/stimulus/stimulus.h"

static struct snoop_directory stimulus_protocol;
/* The line as it is: its state in each L2, and what the directory knows of it. */
static uint32_t stimulus_copy[SNOOP_DIRECTORY_MAX_COPIES];
static unsigned stimulus_entry, stimulus_owner;

static inline void stimulus_new_line(void) {
    memset(stimulus_copy, MOESI_I, sizeof stimulus_copy);
    stimulus_entry = DIRECTORY_U;
    stimulus_owner = 0;
}

static inline void start_snoop_directory(struct seed *s, const struct rtl_size *size) {
    (void)s;
    snoop_directory_init(&stimulus_protocol, rtl_size_of(size, "CLUSTERS"), rtl_size_of(size, "L2S"));
    stimulus_new_line();
}

/* Any request that an L2 makes of a line in this state, or none. */
static inline unsigned stimulus_request(struct seed *s, unsigned state, bool evicts) {
    if (seed_below(s, 16) == 0) return SNOOP_DIRECTORY_NONE;
    if (state == MOESI_I) return seed_below(s, 3) ? SNOOP_DIRECTORY_READ : SNOOP_DIRECTORY_WRITE;
    if (evicts || moesi_alone(state) || seed_below(s, 2)) return SNOOP_DIRECTORY_EVICT;
    return SNOOP_DIRECTORY_UPGRADE;
}

/* An L2 that has the line, if one of those after a random one does: else the random one. */
static inline unsigned stimulus_l2(struct seed *s, unsigned copies, bool with_line) {
    const unsigned any = seed_below(s, copies);
    for (unsigned n = 0; with_line && n < copies; ++n)
        if (stimulus_copy[(any + n) % copies] != MOESI_I) return (any + n) % copies;
    return any;
}

static inline bool drive_snoop_directory(struct seed *s) {
    struct snoop_directory *d = &stimulus_protocol;
    const unsigned copies = d->clusters * d->l2s;
    if (seed_below(s, 64) == 0) stimulus_new_line();
    const bool evicts = seed_below(s, 4) == 0;
    const unsigned l2 = stimulus_l2(s, copies, evicts || seed_below(s, 2));
    for (unsigned n = 0; n < copies; ++n)
        if (stimulus_copy[n] == MOESI_E && seed_below(s, 2)) stimulus_copy[n] = MOESI_M;
    memcpy(d->state, stimulus_copy, sizeof d->state);
    d->in = (struct snoop_directory_in){
        .request = stimulus_request(s, stimulus_copy[l2], evicts),
        .cluster = l2 / d->l2s,
        .l2 = l2 % d->l2s,
        .state = d->state,
        .entry = stimulus_entry,
        .owner = stimulus_owner,
    };
    snoop_directory_eval(d);
    return false;
}

static inline void clock_snoop_directory(void) {
    const struct snoop_directory *d = &stimulus_protocol;
    memcpy(stimulus_copy, d->next, sizeof stimulus_copy);
    stimulus_entry = d->out.entry;
    stimulus_owner = d->out.owner;
}

static inline bool stimulus_all_share(void) {
    bool all = true;
    for (unsigned n = 0; n < stimulus_protocol.clusters * stimulus_protocol.l2s; ++n)
        all &= stimulus_copy[n] != MOESI_I;
    return all;
}

static const struct stimulus_corner snoop_directory_corner[] = {
    {"the last L2 requests", NULL},
    {"the last cluster owns the line", "CLUSTERS>1"},
    {"all L2s have the line", NULL},
    {"a modified line is written back", NULL},
    {"another L2 supplies the line", "L2S>1"},
    {NULL, NULL},
};

static inline uint64_t corners_snoop_directory(void) {
    const struct snoop_directory *d = &stimulus_protocol;
    const unsigned last = d->clusters * d->l2s - 1;
    return STIMULUS_CORNERS(d->in.request != SNOOP_DIRECTORY_NONE &&
                                d->in.cluster * d->l2s + d->in.l2 == last,
                            d->in.request != SNOOP_DIRECTORY_NONE && d->in.owner == d->clusters - 1,
                            stimulus_all_share(), d->out.write_back, d->out.supplied);
}

static const struct stimulus_block snoop_directory_stimulus = {
    "snoop_directory",
    "snoop_directory",
    CLUSTER_BLOCK_PROTOCOL,
    &stimulus_protocol.in,
    NULL,
    &stimulus_protocol.out,
    start_snoop_directory,
    drive_snoop_directory,
    clock_snoop_directory,
    snoop_directory_corner,
    corners_snoop_directory,
};

#endif

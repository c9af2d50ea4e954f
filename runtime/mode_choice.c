#include "runtime/mode_choice.h"

#include "runtime/mode_weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REASONS 3 /* largest number of features that a reason names */

const char *const mode_feature_name[MODE_FEATURES_ALL] = {
#define X(id, name) [MODE_FEATURE_##id] = name,
    MODE_FEATURES(X)
#undef X
};

/* Returns the value of an integer argument, as a number of turns. */
static double turns(const struct image_kernel *k, const uint8_t *block, uint32_t offset) {
    for (size_t n = 0; n < k->argument_count; n++) {
        const struct image_argument *a = &k->arguments[n];
        int64_t value = 0;
        if (a->offset != offset || a->size_bytes > sizeof value) continue;
        memcpy(&value, block + offset, a->size_bytes);
        if (a->size_bytes == 4) value = (int32_t)value;
        return value < 1 ? 1 : value > FEATURES_TRIPS_MOST ? FEATURES_TRIPS_MOST : (double)value;
    }
    return FEATURES_TRIPS;
}

static void add_up(const struct image_kernel *k, const uint8_t *block, double count[KERNEL_COUNTS_ALL]) {
    memset(count, 0, KERNEL_COUNTS_ALL * sizeof *count);
    for (size_t r = 0; r < k->feature_count; r++) {
        const struct image_features *f = &k->features[r];
        double times = 1;
        for (uint32_t n = 0; n < f->trip_count; n++) times *= turns(k, block, f->trips[n]);
        for (unsigned n = 0; n < KERNEL_COUNTS_ALL; n++) count[n] += times * f->count[n];
    }
}

static double thousand(double n, double instructions) {
    return log2(1 + 1000 * n / instructions);
}

static void find_features(const struct image_kernel *k, const uint8_t *block, const struct machine_config *c,
                          const struct machine_launch *l, double f[MODE_FEATURES_ALL]) {
    double n[KERNEL_COUNTS_ALL], groups = 1;
    const double cores = c->cluster.count * c->cluster.lanes, warp = c->simt.warp_size,
                 items = (double)l->local_size[0] * l->local_size[1] * l->local_size[2];
    add_up(k, block, n);
    const double code = fmax(n[KERNEL_COUNT_INSTRUCTIONS], 1), loads = fmax(n[KERNEL_COUNT_LOADS], 1e-9);
    for (unsigned d = 0; d < 3; d++) groups *= (double)l->global_size[d] / l->local_size[d];
    f[MODE_FEATURE_BARRIERS] = thousand(n[KERNEL_COUNT_BARRIERS], code);
    f[MODE_FEATURE_REPLICATED] = thousand(k->twin_item_bytes / 4.0 * n[KERNEL_COUNT_BARRIERS], code);
    f[MODE_FEATURE_DIVERGENT] = n[KERNEL_COUNT_DIVERGENT] / code;
    f[MODE_FEATURE_UNIFORM] = n[KERNEL_COUNT_UNIFORM] / code;
    f[MODE_FEATURE_UNIT] = n[KERNEL_COUNT_UNIT] / code;
    f[MODE_FEATURE_STRIDED] = n[KERNEL_COUNT_STRIDED] / code;
    f[MODE_FEATURE_GATHER] = n[KERNEL_COUNT_GATHER] / code;
    f[MODE_FEATURE_COLUMNS] = n[KERNEL_COUNT_COLUMNS] / loads;
    f[MODE_FEATURE_ROWS] = n[KERNEL_COUNT_ROWS] / loads;
    f[MODE_FEATURE_LENGTH] = log2(code);
    f[MODE_FEATURE_GROUPS] = log2(groups / cores);
    f[MODE_FEATURE_FEW] = groups < cores;
    f[MODE_FEATURE_FILLED] = items / (ceil(items / warp) * warp);
    f[MODE_FEATURE_CALLS] = thousand(n[KERNEL_COUNT_CALLS], code);
}

/* Names the features with most weight and their parts of the expected logarithm. */
static void give_reason(const double part[MODE_FEATURES_ALL], struct machine_choice *choice) {
    bool named[MODE_FEATURES_ALL] = {false};
    int used = snprintf(choice->reason, sizeof choice->reason,
                        "MIMD mode is expected to take %.2f times as long", exp(choice->gain));
    for (unsigned r = 0; r < REASONS; r++) {
        unsigned most = MODE_FEATURES_ALL;
        for (unsigned n = 0; n < MODE_FEATURES_ALL; n++)
            if (!named[n] && fabs(part[n]) >= 0.005 &&
                (most == MODE_FEATURES_ALL || fabs(part[n]) > fabs(part[most])))
                most = n;
        if (most == MODE_FEATURES_ALL) return;
        named[most] = true;
        used += snprintf(choice->reason + used, sizeof choice->reason - (size_t)used, "%s%s %+.2f",
                         r ? ", " : ": ", mode_feature_name[most], part[most]);
    }
}

void mode_choose(const struct image_kernel *k, const uint8_t *block, const struct machine_config *c,
                 struct machine_launch *l, struct machine_choice *choice) {
    const struct mode_weights *w = &mode_weights[c->mimd.coalescing];
    double part[MODE_FEATURES_ALL];
    find_features(k, block, c, l, choice->feature);
    choice->gain = w->constant;
    for (unsigned n = 0; n < MODE_FEATURES_ALL; n++) {
        part[n] = w->weight[n] * (choice->feature[n] - w->mean[n]);
        choice->gain += part[n];
    }
    give_reason(part, choice);
    l->mode = choice->gain > 0 ? MODE_SIMT : MODE_MIMD;
    l->choice = choice;
}

#include "sim/histogram.h"

#include "sim/error.h"

static void init(struct histogram *h, uint64_t first, uint64_t width, unsigned buckets) {
    invariant(buckets >= 1 && buckets <= HISTOGRAM_MAX_BUCKETS, "a histogram of %u buckets", buckets);
    *h = (struct histogram){.first = first, .width = width, .buckets = buckets, .min = UINT64_MAX};
}

void histogram_init_linear(struct histogram *h, uint64_t first, uint64_t width, unsigned buckets) {
    invariant(width >= 1, "a histogram with buckets of no width");
    init(h, first, width, buckets);
}

void histogram_init_counts(struct histogram *h, uint64_t first, unsigned buckets) {
    init(h, first, 1, buckets);
    h->counts = true;
}

void histogram_sum_up(struct histogram *h) {
    if (!h->counts) return;
    h->total = h->sum = h->max = 0;
    h->min = UINT64_MAX;
    for (unsigned n = 0; n < h->buckets; n++) {
        if (!h->bucket[n]) continue;
        h->max = h->first + n;
        if (!h->total) h->min = h->max;
        h->total += h->bucket[n];
        h->sum += h->bucket[n] * h->max;
    }
}

void histogram_init_powers(struct histogram *h, unsigned buckets) {
    init(h, 0, 0, buckets);
}

uint64_t histogram_from(const struct histogram *h, unsigned bucket) {
    if (h->width == 0) return bucket ? UINT64_C(1) << (bucket - 1) : 0;
    return bucket ? h->first + bucket * h->width : 0;
}

uint64_t histogram_to(const struct histogram *h, unsigned bucket) {
    if (bucket + 1 >= h->buckets) return UINT64_MAX;
    return h->width == 0 ? (UINT64_C(1) << bucket) - 1 : h->first + (bucket + 1) * h->width - 1;
}

void histogram_subtract(struct histogram *h, const struct histogram *earlier) {
    const uint64_t max = h->max;
    h->total -= earlier->total;
    h->sum -= earlier->sum;
    h->min = h->max = 0;
    uint64_t seen = 0;
    for (unsigned n = 0; n < h->buckets; n++) {
        h->bucket[n] -= earlier->bucket[n];
        if (!h->bucket[n]) continue;
        if (!seen) h->min = histogram_from(h, n);
        h->max = histogram_to(h, n) < max ? histogram_to(h, n) : max;
        seen += h->bucket[n];
    }
    invariant(seen == h->total, "a histogram is not an earlier copy of this one");
}

/*
 * histogram: how often values of which size were seen, with their number, sum, smallest and largest. Plain
 * data that a model keeps and adds to; counter_register_histogram() makes it known.
 *
 * Values below the first bucket count in it, those above the last in the last: its end is open. Counts are 64
 * bits, and so is the sum, which wraps beyond.
 */
#ifndef SIM_HISTOGRAM_H
#define SIM_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define HISTOGRAM_MAX_BUCKETS 129

struct histogram {
    uint64_t first, width; /* linear: bucket n is of first + n·width … first + (n + 1)·width − 1; width 0:
                              powers of two: bucket 0 of 0, bucket n of 2^(n−1) … 2^n − 1 */
    bool counts; /* bucket n is of value first + n, and there are no others: histogram_count() may add to the
                    buckets alone, and histogram_sum_up() makes the next four from them */
    uint64_t buckets; /* 1 to HISTOGRAM_MAX_BUCKETS */
    uint64_t total, sum;
    uint64_t min,
        max; /* while there is no value: UINT64_MAX and 0; min of those that are read (counter.h) 0 */
    uint64_t bucket[HISTOGRAM_MAX_BUCKETS];
};

/* Panics unless width ≥ 1 and there are 1 to HISTOGRAM_MAX_BUCKETS buckets. */
void histogram_init_linear(struct histogram *h, uint64_t first, uint64_t width, unsigned buckets);
void histogram_init_powers(struct histogram *h, unsigned buckets);
/* Of values first … first + buckets − 1 only. */
void histogram_init_counts(struct histogram *h, uint64_t first, unsigned buckets);
/* Before total, sum, min and max are read of one that counts; nothing of others. */
void histogram_sum_up(struct histogram *h);

/* Smallest and largest value that counts in a bucket; the last one's is UINT64_MAX. */
uint64_t histogram_from(const struct histogram *h, unsigned bucket);
uint64_t histogram_to(const struct histogram *h, unsigned bucket);

/* *h becomes what was added since `earlier`, an earlier copy of it. Its min and max are then those of the
 * buckets: the smallest and largest value that can have been added (the largest not above the max so far). */
void histogram_subtract(struct histogram *h, const struct histogram *earlier);

static inline unsigned histogram_bucket(const struct histogram *h, uint64_t value) {
    uint64_t n;
    if (h->width == 1)
        n = value > h->first ? value - h->first : 0;
    else if (h->width == 0)
        n = value ? 64 - (unsigned)__builtin_clzll(value) : 0;
    else
        n = value > h->first ? (value - h->first) / h->width : 0;
    return (unsigned)(n < h->buckets ? n : h->buckets - 1);
}

/* Adds one of the values of a histogram that counts, which is all that it does. */
static inline void histogram_count(struct histogram *h, uint64_t value) {
    ++h->bucket[value - h->first];
}

/* Adds a value so many times. */
static inline void histogram_add_times(struct histogram *h, uint64_t value, uint64_t times) {
    if (!times) return;
    h->bucket[histogram_bucket(h, value)] += times;
    if (__builtin_expect(value < h->min, 0)) h->min = value;
    if (__builtin_expect(value > h->max, 0)) h->max = value;
    h->total += times;
    h->sum += value * times;
}

static inline void histogram_add(struct histogram *h, uint64_t value) {
    histogram_add_times(h, value, 1);
}

#endif

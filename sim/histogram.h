/*
 * histogram: counts how often values of each size were seen, with their number, sum, smallest and largest.
 * It is plain data of a model; counter_register_histogram() registers it.
 *
 * Values below the first bucket count in the first, values above the last in the last, whose end is open.
 * Counts have 64 bits, and so has the sum, which wraps.
 */
#ifndef SIM_HISTOGRAM_H
#define SIM_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define HISTOGRAM_MAX_BUCKETS 129

struct histogram {
    uint64_t first, width; /* linear: bucket n is of first + n·width … first + (n + 1)·width − 1; width 0:
                              powers of two: bucket 0 is of 0, bucket n of 2^(n−1) … 2^n − 1 */
    bool counts; /* bucket n is of value first + n, and no other values occur: histogram_count() adds to the
                    buckets alone, and histogram_sum_up() computes the next four fields from them */
    uint64_t buckets; /* 1 to HISTOGRAM_MAX_BUCKETS */
    uint64_t total, sum;
    uint64_t min, max; /* UINT64_MAX and 0 without values; in snapshots (counter.h) min is 0 then */
    uint64_t bucket[HISTOGRAM_MAX_BUCKETS];
};

/* Panics unless width ≥ 1 and there are 1 to HISTOGRAM_MAX_BUCKETS buckets. */
void histogram_init_linear(struct histogram *h, uint64_t first, uint64_t width, unsigned buckets);
void histogram_init_powers(struct histogram *h, unsigned buckets);
/* Prepares a histogram of the values first … first + buckets − 1 only. */
void histogram_init_counts(struct histogram *h, uint64_t first, unsigned buckets);
/* Computes total, sum, min and max of a histogram with `counts`; needed before they are read. No effect on
 * others. */
void histogram_sum_up(struct histogram *h);

/* Return the smallest and the largest value that counts in a bucket; UINT64_MAX for the last one. */
uint64_t histogram_from(const struct histogram *h, unsigned bucket);
uint64_t histogram_to(const struct histogram *h, unsigned bucket);

/* Subtracts `earlier`, an earlier copy of *h: later values remain. Min and max become those of the buckets:
 * the smallest and largest value that can have been added (the largest not above the max so far). */
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

/* Adds a value of a histogram with `counts`. */
static inline void histogram_count(struct histogram *h, uint64_t value) {
    ++h->bucket[value - h->first];
}

/* Adds a value `times` times. */
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

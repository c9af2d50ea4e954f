/*
 * sram: area, time, energy and leakage of static memories at 40 nm (high-performance cells, 330 K, laid out
 * for speed), as CACTI 7 has them, which is not part of this project.
 *
 * A memory of words is a closed form: the logarithm of each figure is quadratic in those of words, width and
 * ports, fitted to 220 of CACTI's results (16 to 4096 words of 8 to 512 bits, 1 to 6 ports). On 140 that it
 * was not fitted to, mean and largest errors are: area 11 and 46 %, time 3 and 12 %, read energy 16 and 73 %,
 * write energy 7 and 48 %, leakage 3 and 17 %. Caches are CACTI's results themselves, by size, ways and line.
 *
 * Known inaccuracies: CACTI's own: its objective alone moves area by 1.4 and read energy by 1.9, its kind of
 * cell leakage by 1,000. Below 16 words and for memories that are searched use synthesis.
 */
#ifndef SYNTHESIS_SRAM_H
#define SYNTHESIS_SRAM_H

#include <stddef.h>

struct sram {
    double mm2, ns, read_pj, write_pj, leakage_mw;
};

#define SRAM_LEAST_WORDS 16

/* A memory of so many words (fewer count as SRAM_LEAST_WORDS) of so many bits; ports: that read, write or
 * both. */
struct sram sram_memory(unsigned words, unsigned bits, unsigned ports);

/* A cache with its tags, all ways read at once. Sizes that the table has not: from the nearest of these ways
 * and lines, area and leakage by size, the rest by its root. */
struct sram sram_cache(unsigned size_bytes, unsigned ways, unsigned line_bytes);

/* Memories of which papers or CACTI tell the area, for comparison: the form is not fitted to them. */
struct sram_reference {
    const char *source; /* whose, where */
    unsigned words, bits, ports;
    double mm2, ns; /* 0: not said */
};
extern const struct sram_reference sram_references[];
extern const size_t sram_reference_count;

#endif

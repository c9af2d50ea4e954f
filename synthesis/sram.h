/*
 * sram: area, time, energy and leakage of static memories at 40 nm (high-performance cells, 330 K, laid out
 * for speed), as CACTI 7 has them, which is not part of this project.
 *
 * A memory of words is a closed form: the logarithm of each figure is cubic in those of words, width and
 * ports, fitted to 275 of CACTI's results (32 to 4096 words and 8 to 512 bits by powers of two, 1, 2, 3, 4
 * and 6 ports). On 175 that it was not fitted to (tests/synthesis/sram_held_out.h), mean and largest errors
 * are: area 8 and 30 %, time 3 and 9 %, read energy 14 and 44 %, write energy 6 and 37 %, leakage 3 and 20 %.
 * A larger memory is several of the largest. Caches are CACTI's results themselves, by size, ways and line.
 *
 * Known inaccuracies: CACTI's own: its objective alone moves area by 1.4 and read energy by 1.9, its kind of
 * cell leakage by 1,000. It has no memories of fewer than 32 words: use synthesis, also for those that are
 * searched.
 */
#ifndef SYNTHESIS_SRAM_H
#define SYNTHESIS_SRAM_H

#include <stddef.h>

struct sram {
    double mm2, ns, read_pj, write_pj, leakage_mw;
};

#define SRAM_LEAST_WORDS 32
#define SRAM_MOST_WORDS  4096
#define SRAM_MOST_BITS   512

/* A memory of so many words (fewer count as SRAM_LEAST_WORDS) of so many bits, 8 at least; ports, 1 to 6: one
 * reads and writes; of several the last one writes (of six the last two), the others read. */
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

/*
 * sram: area, time, energy and leakage of static memories at 40 nm (high-performance cells, 330 K, laid out
 * for speed), following CACTI 7, which is not part of this project.
 *
 * A memory of words has a closed form: the logarithm of each figure is cubic in the logarithms of words,
 * width and ports. The form is fitted to 275 results of CACTI (32 to 4096 words and 8 to 512 bits by powers
 * of two, 1, 2, 3, 4 and 6 ports). For 175 other results (tests/synthesis/sram_held_out.h), mean and
 * largest errors are: area 8 and 30 %, time 3 and 9 %, read energy 14 and 44 %, write energy 6 and 37 %,
 * leakage 3 and 20 %. A larger memory consists of several of the largest size. Caches are results of CACTI
 * itself, by size, ways and line.
 *
 * Known inaccuracies are those of CACTI: its objective alone changes area by a factor of 1.4 and read
 * energy by 1.9, the kind of cell changes leakage by 1,000. It has no memories of fewer than 32 words: use
 * synthesis for these, and for memories that are searched.
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

/* Returns a memory of that many words (at least SRAM_LEAST_WORDS) of at least 8 bits with 1 to 6 ports. A
 * single port reads and writes. With two ports or more, the last one (with six, the last two) writes and
 * the others read. */
struct sram sram_memory(unsigned words, unsigned bits, unsigned ports);

/* Returns a cache with its tags, all ways read at once. A size that is not in the table follows from the
 * nearest entry with these ways and lines: area and leakage by size, the rest by its square root. */
struct sram sram_cache(unsigned size_bytes, unsigned ways, unsigned line_bytes);

/* Memories of which papers or CACTI give the area, for comparison: the form is not fitted to them. */
struct sram_reference {
    const char *source; /* author and place */
    unsigned words, bits, ports;
    double mm2, ns; /* 0: not given */
};
extern const struct sram_reference sram_references[];
extern const size_t sram_reference_count;

#endif

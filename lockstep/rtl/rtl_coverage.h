/*
 * rtl_coverage: the lines and toggles of Verilog that a test has reached, as counted by Verilator, merged
 * over sizes and instances.
 */
#ifndef LOCKSTEP_RTL_COVERAGE_H
#define LOCKSTEP_RTL_COVERAGE_H

#include "sim/error.h"
#include "tb/ports/verilog_source.h"

#include <stdint.h>

/* A line of a file, or a bit of a signal that is declared in it. */
struct rtl_coverage_point {
    char *file, *name; /* name of the bit; "" for a line */
    unsigned line;
    uint64_t count;
};

/* All 0: empty. */
struct rtl_coverage {
    struct rtl_coverage_point *point;
    size_t count, room;
};

/* Adds Verilator's instrumentation to a source to be built; `folder`: our Verilog. */
bool rtl_coverage_prepare(struct verilog_source *s, const char *folder, struct error *e);

/* Adds the counts in a file of Verilator. Returns false with *e (EXIT_USER) if it cannot be read. */
bool rtl_coverage_add(struct rtl_coverage *c, const char *path, struct error *e);

/* Prints a table of the files, then the lines and signals that no cycle has reached. */
void rtl_coverage_print(struct rtl_coverage *c);

/* Writes each file to FOLDER/NAME with the count before each line; for a line with signals, the count of the
 * bit with the fewest toggles. Returns false with *e (EXIT_USER). */
bool rtl_coverage_annotate(struct rtl_coverage *c, const char *folder, struct error *e);

void rtl_coverage_free(struct rtl_coverage *c);

#endif

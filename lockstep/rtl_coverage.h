/*
 * rtl_coverage: which lines and toggles of Verilog a test has reached, as Verilator counts them, merged over
 * sizes and instances.
 */
#ifndef LOCKSTEP_RTL_COVERAGE_H
#define LOCKSTEP_RTL_COVERAGE_H

#include "sim/error.h"
#include "tb/ports/verilog_source.h"

#include <stdint.h>

/* A line of a file, or a bit of a signal that is declared in it. */
struct rtl_coverage_point {
    char *file, *name; /* name: of the bit; "" of a line */
    unsigned line;
    uint64_t count;
};

/* Zeroed: nothing. */
struct rtl_coverage {
    struct rtl_coverage_point *point;
    size_t count, room;
};

/* Adds Verilator's instruments to a source that is to be built; `folder`: of our Verilog. */
bool rtl_coverage_prepare(struct verilog_source *s, const char *folder, struct error *e);

/* Adds the counts that a file of Verilator has. False and *e (EXIT_USER) if it cannot be read. */
bool rtl_coverage_add(struct rtl_coverage *c, const char *path, struct error *e);

/* Prints a table of the files, then the lines and signals that no cycle has reached. */
void rtl_coverage_print(struct rtl_coverage *c);

/* Writes each file to FOLDER/NAME, the count of the line before each line: of a line with signals the count
 * of the bit that toggled least. False and *e (EXIT_USER). */
bool rtl_coverage_annotate(struct rtl_coverage *c, const char *folder, struct error *e);

void rtl_coverage_free(struct rtl_coverage *c);

#endif

/*
 * trace_summary: for each variable of an FST file the number of its changes, and a hash of their times and
 * values.
 */
#ifndef TESTS_SIM_TRACE_SUMMARY_H
#define TESTS_SIM_TRACE_SUMMARY_H

#include <stdint.h>

/* Called for each variable, in the order of declarations; the parts of the scope are joined by dots. */
typedef void trace_summary_visit(void *context, const char *scope, const char *name, uint64_t changes,
                                 uint64_t hash);

void trace_summarize(const char *path, trace_summary_visit *visit, void *context);
/* Does the same for the changes from a time, excluded, to another one, excluded. Leading zeros do not count,
 * since widths may differ. */
void trace_summarize_between(const char *path, uint64_t first, uint64_t end, trace_summary_visit *visit,
                             void *context);

#endif

/*
 * trace: waveforms in FST, written through libfst (fstapi).
 *
 * Declared once, before the first value: scopes, variables (1–64 bits, strings, enumerations with state
 * names). Then values are emitted at non-decreasing times; an unchanged value writes nothing. The file is
 * NAME.part while it grows, is flushed every flush interval, and becomes NAME when closed. Nothing here
 * changes the simulation.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "sim/error.h"
#include "sim/kernel.h"

struct trace;
typedef uint32_t trace_variable; /* index of a variable in its trace */

/* Opens path.part, checking now that it can be written; NULL and *e (EXIT_USER) otherwise. */
struct trace *trace_open(const char *path, struct error *e);
/* Flushes, closes and renames. False and *e if the disk would not take it. */
bool trace_close(struct trace *t, struct error *e);
const char *trace_path(const struct trace *t);

void trace_scope(struct trace *t, const char *name); /* opens a scope below the current one */
void trace_upscope(struct trace *t);

enum trace_format { TRACE_BINARY, TRACE_HEX, TRACE_DECIMAL, TRACE_ENUM, TRACE_STRING };
trace_variable trace_declare(struct trace *t, const char *name, unsigned width, enum trace_format format);
/* An enumeration: names[value] for value < count; GTKWave shows the names. */
trace_variable trace_declare_enum(struct trace *t, const char *name, const char *type, unsigned count,
                                  const char *const *names);

void trace_value(struct trace *t, trace_variable v, sim_time at, uint64_t value);
void trace_string(struct trace *t, trace_variable v, sim_time at, const char *value);

uint64_t trace_changes(const struct trace *t); /* values written so far */

/* The GTKWave view (path of the trace with .gtkw): groups and variables in the order of their declaration. A
 * variable is in the view unless trace_hide() was called for it; enumerations are shown by name. */
void trace_hide(struct trace *t, trace_variable v);
bool trace_write_view(const struct trace *t, sim_time from, sim_time to, struct error *e);

#endif

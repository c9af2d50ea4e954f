/*
 * trace: waveforms in FST, written through libfst (fstapi).
 *
 * Declared once, before the first value: scopes, variables (1–64 bits, strings, enumerations with state
 * names). Names are letters, digits and _; any other character becomes _. Then values are emitted at
 * non-decreasing times; an unchanged value writes nothing, of several at one time the last is written, and a
 * variable is unknown (x) before its first. Misuse is a panic. Nothing here changes the simulation; the same
 * calls write the same bytes.
 *
 * The file is NAME.part while it grows and becomes NAME when closed; an earlier NAME is removed when the
 * trace is opened. It is flushed every 65,536 changes (16 per variable if that is more). What a killed run
 * left can be read up to its last flush after NAME.part and NAME.part.hier are renamed to X.fst and
 * X.fst.hier; a panic closes NAME.part.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "sim/error.h"
#include "sim/kernel.h"

struct trace;
typedef uint32_t trace_variable; /* index of a variable in its trace */

/* Opens path.part, checking now that it can be written; NULL and *e (EXIT_USER) otherwise. */
struct trace *trace_open(const char *path, struct error *e);
/* Writes what is pending, closes, renames and frees. False and *e (EXIT_USER) if the disk would not take it
 * or nothing was declared. */
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
 * variable is in the view unless trace_hide() was called for it; enumerations are shown by name; the window
 * shows `from` to `to`. To be opened with `gtkwave NAME.fst NAME.gtkw`. */
void trace_hide(struct trace *t, trace_variable v);
void trace_mark(struct trace *t, sim_time at); /* marker A of the view; none by default */
bool trace_write_view(const struct trace *t, sim_time from, sim_time to, struct error *e);

#endif

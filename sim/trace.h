/*
 * trace: waveforms in FST, written through libfst (fstapi), or in VCD: NAME.vcd is VCD, any other name FST.
 *
 * Declared once, before the first value: scopes, variables (bit vectors of any width, reals, strings, events,
 * enumerations with state names). Names are letters, digits and _; any other character becomes _. Then values
 * are given at non-decreasing times; an unchanged value writes nothing, of several at one time the last is
 * written, and a variable is unknown (x; a real NaN) before its first. Misuse is a panic. Nothing here
 * changes the simulation; the same calls write the same bytes. VCD has no enumerations: it shows their
 * numbers, with the names in a comment; reals, strings and events are written as GTKWave reads them.
 *
 * The file has a name of its own, NAME.N.part (part.h), while it grows and becomes NAME when closed; an
 * earlier NAME is removed when the trace is opened. It is flushed every so many changes (trace_options; at
 * least 16 per variable). The files that a killed run left can be read up to their last flush: rename
 * NAME.N.part and, of an FST, NAME.N.part.hier to X.fst and X.fst.hier. A panic closes it as NAME.part, and
 * so do the signals for which trace_guard() asked.
 *
 * With windows (trace_window()) only these times are in the file; the times between are marked as not traced.
 *
 * Known limits: times up to 2^63 ps; the changes of one time step take less than 2 GB; libfst keeps side
 * tables under /tmp, whose room is checked before the first value; a disk that fills up later is seen at the
 * end.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "sim/error.h"
#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel;
struct trace;
typedef uint32_t trace_variable; /* index of a variable in its trace */

/* How FST compresses: LZ4 and FASTLZ for speed, ZLIB takes twice the time for three quarters of the
 * size. */
enum trace_packing { TRACE_LZ4, TRACE_FASTLZ, TRACE_ZLIB };
#define TRACE_FLUSH_CHANGES     (1u << 16) /* changes between flushes where nothing else is asked for */
#define TRACE_MAX_FLUSH_CHANGES (1u << 20)

struct trace_options {
    enum trace_packing packing; /* of FST */
    uint32_t flush_changes;     /* a killed run loses less than three times as many; 0: TRACE_FLUSH_CHANGES */
};

/* Opens path.N.part, checking now that it can be written; NULL and *e (EXIT_USER) otherwise. options NULL:
 * all defaults. A process that lives under RLIMIT_FSIZE catches SIGXFSZ, else it is killed by it. */
struct trace *trace_open(const char *path, const struct trace_options *options, struct error *e);
/* Writes what is pending, closes, renames and frees. False and *e (EXIT_USER) if the disk would not take it,
 * nothing was declared, or a window is empty: the last value came before its first time (the file is whole
 * then, but not what was asked for). */
bool trace_close(struct trace *t, struct error *e);
const char *trace_path(const struct trace *t);
uint64_t trace_changes(const struct trace *t); /* values written so far */

/* --- declarations, before the first value --- */

void trace_scope(struct trace *t, const char *name); /* opens a scope below the current one */
void trace_upscope(struct trace *t);
/* Variables declared up to trace_end_group() are one group in the GTKWave view, without a scope. */
void trace_group(struct trace *t, const char *name);
void trace_end_group(struct trace *t);

enum trace_format {
    TRACE_BINARY,
    TRACE_HEX,
    TRACE_DECIMAL,
    TRACE_ENUM,
    TRACE_STRING, /* width 0 */
    TRACE_REAL,   /* width 0 */
    TRACE_EVENT,  /* width 0: an instant, without a value */
};
/* Bit vectors have 1 to 2^20 bits. */
trace_variable trace_declare(struct trace *t, const char *name, unsigned width, enum trace_format format);
/* An enumeration: names[value] for value < count; GTKWave shows the names. */
trace_variable trace_declare_enum(struct trace *t, const char *name, const char *type, unsigned count,
                                  const char *const *names);

/* Traces the times first to last (first ≤ last) only; several windows in the order of their times, without
 * overlap. A window begins with every value that was given before it. Values outside cost little, and need
 * not be given. */
void trace_window(struct trace *t, sim_time first, sim_time last);

/* --- a kernel's signals, clocks and events, from outside --- */

/* Declares and traces everything in the kernel whose full name (scope.h) matches the pattern: signals of any
 * width, clocks, events. * matches any characters, dots too, ? one, [a-c] one of these. The scopes are those
 * of the names, below the trace's current one. `format` (TRACE_BINARY, TRACE_HEX or TRACE_DECIMAL) is for
 * signals of more than a bit. Signals that are attached already are left out, so special cases come first,
 * then "*". Returns how many were attached. A signal has the value of its last delta cycle at a time.
 *
 * Call it when the model is built, before the first kernel_run() and the first value; the kernel must live
 * until the trace is closed. No process can notice it: delta cycles, activations and their order stay the
 * same. An attached clock costs two changes a period, and nothing while no window is open. */
size_t trace_attach(struct trace *t, struct kernel *k, const char *pattern, enum trace_format format);
/* One signal, shown as an enumeration; false if the kernel has none of this name, or it is attached already.
 * A value without a name is a panic when it comes. */
bool trace_attach_enum(struct trace *t, struct kernel *k, const char *name, const char *type, unsigned count,
                       const char *const *names);

/* --- values --- */

void trace_value(struct trace *t, trace_variable v, sim_time at, uint64_t value); /* up to 64 bits */
/* Any width: bit n is bit n % 64 of words[n / 64]. */
void trace_wide(struct trace *t, trace_variable v, sim_time at, const uint64_t *words);
void trace_real(struct trace *t, trace_variable v, sim_time at, double value);
void trace_string(struct trace *t, trace_variable v, sim_time at, const char *value);
void trace_event(struct trace *t, trace_variable v, sim_time at); /* several at one time are one */
/* Time has come to `at`: the file reaches that far even if nothing changes any more. */
void trace_reach(struct trace *t, sim_time at);

/* --- values that are not given in the order of their times --- */

/* From now on values are kept, and may come in any order: trace_release() gives those before a time, in the
 * order of times, those of one time in the order in which they came. They must come no earlier than a time so
 * given. What is kept when the trace is closed is given then. */
void trace_hold(struct trace *t);
void trace_release(struct trace *t, sim_time before);

/* --- when the process dies --- */

/* When `signal` arrives, the trace is closed as after a panic, and the process dies of the signal as if it
 * had not been caught. SIGABRT, SIGSEGV, SIGBUS, SIGFPE and SIGILL: at once, unless the tracer itself was at
 * work (then the file keeps what was flushed). Any other, such as SIGINT and SIGTERM: when the next time step
 * begins, since a handler may not do it, or when trace_close()
 * has made the file; a second such signal kills at once. For several signals and traces;
 * what was set up before is restored with the last trace that is closed. */
void trace_guard(struct trace *t, int signal);

/* --- the GTKWave view --- */

/* The path of the trace with .gtkw: groups and variables in the order of their declaration. A variable is in
 * the view unless trace_hide() was called for it; enumerations are shown by name; the window shows `from` to
 * `to`. To be opened with `gtkwave NAME.fst NAME.gtkw`. */
void trace_hide(struct trace *t, trace_variable v);
/* It stands before all others in the view, red, in a group of this name, the same for all;
 * also in its place. */
void trace_highlight(struct trace *t, trace_variable v, const char *group);
void trace_mark(struct trace *t, sim_time at); /* marker A of the view; none by default */
char *trace_view_path(const char *trace);      /* of a trace of that path; to be freed */
bool trace_write_view(const struct trace *t, sim_time from, sim_time to, struct error *e);

#endif

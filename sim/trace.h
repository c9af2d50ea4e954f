/*
 * trace: waveforms in FST, written through libfst (fstapi), or in VCD: NAME.vcd is VCD, any other name FST.
 *
 * Scopes and variables are declared once, before the first value. Variables are bit vectors of any width,
 * reals, strings, events, and enumerations with state names. Names are letters, digits and _; any other
 * character becomes _. Values then follow at non-decreasing times. An unchanged value writes nothing, and
 * of several values at one time the last one is written. A variable is unknown (x; a real NaN) before its
 * first value.
 *
 * Misuse is a panic. Tracing does not change the simulation, and the same calls write the same bytes. VCD
 * has no enumerations: it shows their numbers, with the names in a comment. Reals, strings and events are
 * written as GTKWave reads them.
 *
 * The file is called NAME.N.part (part.h) while it grows, and NAME when closed; an earlier NAME is removed
 * when the trace is opened. The file is flushed after a number of changes (trace_options; at least 16 per
 * variable). The files of a killed run can be read up to their last flush: rename NAME.N.part and, of an
 * FST, NAME.N.part.hier to X.fst and X.fst.hier. A panic, or a signal of trace_guard(), closes the file as
 * NAME.part.
 *
 * With windows (trace_window()) only these times are in the file; the times between are marked as not traced.
 *
 * Known limits: times up to 2^63 ps; the changes of one time step take less than 2 GB. libfst keeps side
 * tables under /tmp. The room there is checked before the first value; a disk that fills up later is an error
 * at the end.
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

/* Packing of FST: LZ4 and FASTLZ are fast; ZLIB takes twice the time for three quarters of the size. */
enum trace_packing { TRACE_LZ4, TRACE_FASTLZ, TRACE_ZLIB };
#define TRACE_FLUSH_CHANGES     (1u << 16) /* default number of changes between flushes */
#define TRACE_MAX_FLUSH_CHANGES (1u << 20)

struct trace_options {
    enum trace_packing packing; /* packing of an FST */
    uint32_t flush_changes;     /* changes between flushes; a killed run loses fewer than three times as
                                   many; 0: TRACE_FLUSH_CHANGES */
};

/* Opens path.N.part and checks that it can be written. Returns NULL with *e (EXIT_USER) otherwise. options
 * NULL: all defaults. A process under RLIMIT_FSIZE must catch SIGXFSZ, which would kill it. */
struct trace *trace_open(const char *path, const struct trace_options *options, struct error *e);
/* Writes pending changes, closes, renames and frees. Returns false with *e (EXIT_USER) if the disk refused
 * them or no variable was declared. Also returns false if a window is empty because the last value came
 * before its first time; the file is then complete. */
bool trace_close(struct trace *t, struct error *e);
const char *trace_path(const struct trace *t);
uint64_t trace_changes(const struct trace *t); /* values written so far */

/* --- declarations, before the first value --- */

void trace_scope(struct trace *t, const char *name); /* opens a scope below the current one */
void trace_upscope(struct trace *t);
/* Makes the variables declared up to trace_end_group() one group in the GTKWave view, without a scope. */
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
/* Declares a variable; bit vectors have 1 to 2^20 bits. */
trace_variable trace_declare(struct trace *t, const char *name, unsigned width, enum trace_format format);
/* Declares an enumeration: names[value] for value < count; GTKWave shows the names. */
trace_variable trace_declare_enum(struct trace *t, const char *name, const char *type, unsigned count,
                                  const char *const *names);

/* Traces only the times first to last (first ≤ last). Several windows are added in the order of their
 * times, without overlap. A window begins with the values given before it. Values outside of windows cost
 * little and may be omitted. */
void trace_window(struct trace *t, sim_time first, sim_time last);

/* --- a kernel's signals, clocks and events, from outside --- */

/* Declares and traces all objects in the kernel whose full name (scope.h) matches the pattern: signals of
 * any width, clocks, events. * matches any characters, also dots; a question mark matches one character,
 * [a-c] one of these. The scopes are those of the names, below the trace's current one. `format`
 * (TRACE_BINARY, TRACE_HEX or TRACE_DECIMAL) is used for signals of more than one bit. Attached signals are
 * skipped, so special cases come first, then "*". Returns the number of attached objects. A signal has the
 * value of its last delta cycle at a time.
 *
 * Call it when the model is built, before the first kernel_run() and the first value. The kernel must live
 * until the trace is closed. No process can notice it: delta cycles, activations and their order stay the
 * same. An attached clock costs two changes a period, and nothing while no window is open. */
size_t trace_attach(struct trace *t, struct kernel *k, const char *pattern, enum trace_format format);
/* Attaches one signal as an enumeration. Returns false if the kernel has none of this name, or if it is
 * attached already. A value without a name is a panic when it occurs. */
bool trace_attach_enum(struct trace *t, struct kernel *k, const char *name, const char *type, unsigned count,
                       const char *const *names);

/* --- values --- */

void trace_value(struct trace *t, trace_variable v, sim_time at, uint64_t value); /* up to 64 bits */
/* Gives a value of any width: bit n is bit n % 64 of words[n / 64]. */
void trace_wide(struct trace *t, trace_variable v, sim_time at, const uint64_t *words);
void trace_real(struct trace *t, trace_variable v, sim_time at, double value);
void trace_string(struct trace *t, trace_variable v, sim_time at, const char *value);
void trace_event(struct trace *t, trace_variable v, sim_time at); /* several events at one time count once
                                                                   */
/* Extends the file to time `at`, even if no value changes. */
void trace_reach(struct trace *t, sim_time at);

/* --- values that are not given in the order of their times --- */

/* Keeps values from now on, which may come in any order. trace_release() writes the kept values before a
 * time, in the order of times; values of one time keep their order. Later values must not be earlier than a
 * released time. Values that are kept when the trace is closed are written then. */
void trace_hold(struct trace *t);
void trace_release(struct trace *t, sim_time before);

/* --- when the process dies --- */

/* Closes the trace as after a panic when `signal` arrives; then the process dies of the signal as if it had
 * not been caught. SIGABRT, SIGSEGV, SIGBUS, SIGFPE and SIGILL act at once, unless the tracer itself was at
 * work (then the file keeps what was flushed). Other signals, such as SIGINT and SIGTERM, act when the next
 * time step begins, because a handler may not do it, or when trace_close() has made the file. A second such
 * signal kills at once. For several signals and traces; earlier handlers are restored when the last trace
 * is closed. */
void trace_guard(struct trace *t, int signal);

/* --- the GTKWave view --- */

/* Write the view: the path of the trace with .gtkw, with groups and variables in the order of their
 * declaration. A variable is in the view unless trace_hide() was called for it. Enumerations are shown by
 * name; the window shows `from` to `to`. The view is opened with `gtkwave NAME.fst NAME.gtkw`. */
void trace_hide(struct trace *t, trace_variable v);
/* Shows the variable also before all others in the view, red, in a group of this name, which is the same
 * for all. */
void trace_highlight(struct trace *t, trace_variable v, const char *group);
void trace_mark(struct trace *t, sim_time at); /* marker A of the view; none by default */
char *trace_view_path(const char *trace);      /* path of a trace's view, to be freed */
bool trace_write_view(const struct trace *t, sim_time from, sim_time to, struct error *e);

#endif

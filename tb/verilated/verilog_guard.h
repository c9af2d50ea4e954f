/*
 * verilog_guard: sees what a design does to the process that has loaded it: runs for ever, ends it, crashes.
 *
 * A design (Verilog, and the C that it imports) is a shared library of this process. A timer on the processor
 * time of the thread that runs it, an exit handler and handlers of the signals of a crash look at the stack:
 * a design is at work if one of its functions is on it. They then say so and leave with EXIT_TWINS_DISAGREE.
 * A cycle does nothing for it.
 *
 * Known inaccuracy: a design that calls _exit() or kills the process is not seen; nor a crash later on, in
 * the simulator, after a design wrote where it must not.
 */
#ifndef TB_VERILOG_GUARD_H
#define TB_VERILOG_GUARD_H

#include <stdint.h>

#define VERILOG_GUARD_SECONDS      20 /* CPU seconds; default */
#define VERILOG_GUARD_MOST_SECONDS 86400

/* A loaded design, once for each twin. */
struct verilog_guard {
    const char *block;
    char *file;             /* first file of its source */
    uintptr_t begin, end;   /* range of its library in memory; 0: being loaded */
    const uint64_t *cycles; /* number of compared cycles; NULL: none yet */
    struct verilog_guard *next;
};

/* Begins to watch designs on this thread. A design that uses `seconds` of CPU time without a compared cycle
 * or a new instance counts as endless. `command` is printed as the way to replay it; NULL: not printed. */
void verilog_guard_start(unsigned seconds, char *const *command);
/* Ends the watch. */
void verilog_guard_stop(void);

/* Announces the loading of a design, which counts as active until verilog_guard_loaded() sets its range. *g
 * must not move until verilog_guard_remove(). */
void verilog_guard_add(struct verilog_guard *g, const char *block, const char *file);
void verilog_guard_loaded(struct verilog_guard *g, const void *function);
void verilog_guard_remove(struct verilog_guard *g);

/* Announces that an instance is made or reset. */
void verilog_guard_note(void);

#endif

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

#define VERILOG_GUARD_SECONDS      20 /* of processor time, if nothing else is asked for */
#define VERILOG_GUARD_MOST_SECONDS 86400

/* A design that is loaded, once for each twin. */
struct verilog_guard {
    const char *block;
    char *file;             /* the (first) of its source */
    uintptr_t begin, end;   /* of its library in memory; 0: it is being loaded */
    const uint64_t *cycles; /* that have been compared; NULL: none yet */
    struct verilog_guard *next;
};

/* From now on designs are watched, on this thread. One that works for `seconds` of processor time without a
 * cycle compared or an instance made is taken for endless. `command` is said to replay it; NULL: nothing. */
void verilog_guard_start(unsigned seconds, char *const *command);
/* No longer. */
void verilog_guard_stop(void);

/* A design is about to be loaded: until verilog_guard_loaded() says where it is, it is at work. *g must stay
 * where it is until verilog_guard_remove(). */
void verilog_guard_add(struct verilog_guard *g, const char *block, const char *file);
void verilog_guard_loaded(struct verilog_guard *g, const void *function);
void verilog_guard_remove(struct verilog_guard *g);

/* An instance is made or reset. */
void verilog_guard_note(void);

#endif

/* trace_private: declarations that the files of the tracer share: trace.c (opening, times, values),
 * trace_declare.c, trace_attach.c (kernels), trace_queue.c (to the file), trace_fst.c and trace_vcd.c (the
 * files), trace_guard.c (signals), trace_view.c (the GTKWave view). */
#ifndef SIM_TRACE_PRIVATE_H
#define SIM_TRACE_PRIVATE_H

#include "sim/trace.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* Members of a variable that trace_value() uses: few, apart from the declarations. */
struct trace_state {
    uint64_t value, written; /* present value, and value in the file; for a real its bits */
    uint64_t limit;          /* largest value */
    uint32_t handle;         /* handle of fstapi; in VCD the number from which the code is made */
    uint8_t width;           /* width of a number, in bits */
    enum __attribute__((packed)) trace_kind {
        TRACE_NUMBER,
        TRACE_WIDE,
        TRACE_FLOAT,
        TRACE_TEXT,
        TRACE_INSTANT
    } kind;
    bool seen;    /* has a value */
    bool known;   /* `written` is valid */
    bool pending; /* given at the present time, and written when time advances */
};

/* A declaration; the items are in the order of declaration. */
struct trace_item {
    enum trace_item_kind { TRACE_SCOPE, TRACE_UPSCOPE, TRACE_GROUP, TRACE_END_GROUP, TRACE_VARIABLE } kind;
    char *path; /* "a.b.name" */
    char *name; /* the last part of it */
    trace_variable variable;
};

struct trace_declaration {
    size_t item;
    enum trace_format format;
    unsigned width;
    char *current, *written; /* present and written value of a string; words of a wide vector */
    size_t capacity;         /* bytes of either of them */
    bool hidden, highlighted;
};

struct trace_enum {
    char *type;
    unsigned count;
    uint32_t handle;
};

struct trace_window {
    sim_time first, last;
};

/* A file format. */
struct trace_writer {
    bool (*open)(struct trace *t, struct error *e);
    void (*scope)(struct trace *t, const char *name); /* opens a scope; NULL: closes one */
    /* Returns the table's handle. */
    uint32_t (*enumeration)(struct trace *t, const char *type, unsigned width, unsigned count,
                            const char *const *names);
    /* Returns the variable's handle; `enumeration` 0: none. */
    uint32_t (*declare)(struct trace *t, const char *name, unsigned width, enum trace_format format,
                        uint32_t enumeration);
    bool (*begin)(struct trace *t, struct error *e); /* ends the declarations */
    /* From here to close(), functions are called by the thread of trace_queue.c. */
    void (*time)(struct trace *t, sim_time at);
    void (*active)(struct trace *t, bool on); /* a window begins or has ended, at that time */
    void (*flush)(struct trace *t);
    void (*number)(struct trace *t, uint32_t handle, unsigned width, uint64_t value);
    void (*real)(struct trace *t, uint32_t handle, double value);
    void (*instant)(struct trace *t, uint32_t handle);
    void (*text)(struct trace *t, uint32_t handle, const char *value, uint32_t length);
    void (*wide)(struct trace *t, uint32_t handle, unsigned width, const uint64_t *words);
    void (*close)(struct trace *t);
    bool (*whole)(const struct trace *t); /* returns whether the closed file is complete */
};
extern const struct trace_writer trace_fst, trace_vcd;

struct trace {
    char *path, *part; /* final name; name of the growing file (part.h) */
    char *left;        /* name of the file that a dying process leaves */
    const struct trace_writer *writer;
    void *file; /* fstapi's context, or a FILE */
    struct trace_options options;
    bool file_failed;         /* VCD: a write failed */
    uint64_t hierarchy_bytes; /* upper bound of the bytes of libfst's file of declarations */
    struct trace_state *states;
    struct trace_declaration *declarations;
    size_t variable_count, variable_capacity;
    struct trace_item *items;
    size_t item_count, item_capacity;
    struct trace_enum *enums;
    size_t enum_count, enum_capacity;
    char *scope; /* path of the current scope, "" at the top */
    bool in_group;
    struct trace_window *windows;
    size_t window_count, window_capacity;
    size_t window;           /* index of the present or next window */
    sim_time edge;           /* time at which it begins or ends; SIM_TIME_NEVER: never */
    bool on;                 /* values are written to the file */
    trace_variable *pending; /* variables with a value at the present time */
    size_t pending_count;
    bool started; /* declarations are over */
    sim_time now;
    sim_time written_time; /* last time in the file, if `timed` */
    bool timed;
    uint64_t changes, next_flush;
    struct error failure; /* failure during the run, for trace_close() */
    char *highlights;     /* group of the variables that come first in the view; NULL: none */
    bool marked;          /* the view has a marker at `mark` */
    sim_time mark;
    struct trace_attachment *attachments;
    struct trace_binding *clocks; /* attached clocks */
    sim_time next_edge;           /* next edge of the clocks; SIM_TIME_NEVER: none */
    struct trace_held *held;      /* kept values of trace_hold.c; NULL: values are written at once */
    struct trace_queue *queue;    /* NULL: not writing yet, or not any more */
    volatile sig_atomic_t busy;   /* pending values or the queue are in use: a handler must not touch them
                                   */
    struct trace *next_guarded;   /* trace_guard.c */
};

/* --- between the files of the tracer --- */
char *trace_format_string(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns the array with room for one more element. */
void *trace_grow(void *array, size_t count, size_t *capacity, size_t element_size);
/* Writes value's bits 0 to width − 1 as '0' and '1', the highest first; room for 7 more before `out`. */
char *trace_digits(uint64_t value, unsigned width, char out[72]);
/* Does the same for a wide vector, into width + 64 bytes. */
char *trace_wide_digits(const uint64_t *words, unsigned width, char *out);
void trace_queue_start(struct trace *t);
void trace_queue_end(struct trace *t); /* returns when all is written */
bool trace_queue_is_thread(const struct trace *t);
void trace_queue_time(struct trace *t, sim_time at);
void trace_queue_active(struct trace *t, bool on);
void trace_queue_flush(struct trace *t);
void trace_queue_value(struct trace *t, const struct trace_state *s, const struct trace_declaration *d);
/* Signals that a process raises by its own actions, after which it cannot continue. */
enum { TRACE_FINAL_SIGNALS = 5 };
extern const int trace_final_signal[TRACE_FINAL_SIGNALS];
/* Writes pending changes and closes the part, as after a panic. */
void trace_close_part(struct trace *t);
/* Gives the edges of attached clocks up to kernel_now(), detaches the kernels and frees the attachments. */
void trace_attach_end(struct trace *t);
/* Gives the edges of attached clocks up to now. */
void trace_run_clocks(struct trace *t, sim_time now);
/* Returns whether values are kept. */
bool trace_keeps(const struct trace *t);
/* Keeps a value of a variable, of `size` bytes. */
void trace_keep(struct trace *t, trace_variable v, sim_time at, const void *value, size_t size);
/* Keeps the time `at`. */
void trace_keep_reach(struct trace *t, sim_time at);
void trace_free_held(struct trace *t);
/* Set by a signal that trace_guard() caught: trace_die() follows at the next time step. */
extern volatile sig_atomic_t trace_signal;
_Noreturn void trace_die(void);
void trace_unguard(struct trace *t);

#endif

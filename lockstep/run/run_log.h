/*
 * run_log: `lockstep run --log`: a line of text for each executed instruction (log_line.h), on request with
 * the values of registers and memory. The log has no effect on the machine.
 */
#ifndef LOCKSTEP_RUN_LOG_H
#define LOCKSTEP_RUN_LOG_H

#include "lockstep/gdb/gdb_threads.h"
#include "model/check/observer.h"
#include "sim/part.h"

#include <argp.h>

#define RUN_LOG_ITEMS 16 /* most --log-items */

/* Work-items whose global ids are in a range in each dimension. */
struct run_log_items {
    uint32_t first[3], last[3];
};

struct run_log_options {
    char *path; /* path of the log; NULL: no log */
    bool values, cycles;
    uint64_t first, last; /* cycles */
    struct run_log_items items[RUN_LOG_ITEMS];
    unsigned item_count; /* 0: all work-items */
};

/* The options as a child parser; its input is a struct run_log_options, zeroed. */
extern const struct argp run_log_argp;

/* An instruction as text. */
struct run_log_text {
    char *text; /* NULL if not made yet */
    unsigned line;
};

struct run_log {
    const struct run_log_options *options;
    struct observer observer;
    struct gdb_threads threads;
    struct part part;
    uint64_t lines;
    const struct machine_code *code; /* code of the launch */
    uint64_t hash;                   /* hash of the code to which the texts belong */
    struct run_log_text *text;       /* text of each instruction of the code */
    uint32_t texts;
    unsigned cores; /* number of cores in a cluster */
};

/* Opens the log and observes the machine from its first launch on. Returns false with *e (EXIT_USER) if the
 * file cannot be written, or the machine has no such log. */
bool run_log_begin(struct run_log *l, const struct run_log_options *o, struct machine *m, struct error *e);
/* Completes the file. Returns false with *e if it could not be written. */
bool run_log_finish(struct run_log *l, struct error *e);
/* Frees a log. A log that was not finished leaves no file. */
void run_log_free(struct run_log *l);

#endif

/*
 * simulation: one program on its own machine, from building the machine to the judged outcome. Shared by all
 * subcommands that run a program.
 */
#ifndef LOCKSTEP_SIMULATION_H
#define LOCKSTEP_SIMULATION_H

#include "lockstep/run/events.h"
#include "lockstep/run/execution_options.h"
#include "lockstep/run/outcome.h"
#include "lockstep/run/outside.h"
#include "lockstep/output/findings.h"
#include "lockstep/output/progress.h"
#include "lockstep/run/run_record.h"
#include "lockstep/commands/tools.h"

struct simulation {
    struct machine *machine;
    struct session *session;
    struct run_record record;
    struct outside outside;
    struct findings findings;
    bool limited; /* a launch has reached the limit of --max-cycles */
    /* Quiet: --quiet. alone: the message about a launch on one host thread has been printed. */
    bool quiet, alone;
    bool counts_events;
    struct events events; /* events of all launches, if counted (--events) */
    /* Called after each launch, complete or not, when it is in the record; may be NULL. */
    void (*after_launch)(void *context, const struct machine_launch *launch,
                         const struct machine_result *result, bool whole);
    void *context;
    /* Called after a launch that has failed or was interrupted, before its diagnosis is passed on; may be
     * NULL. */
    void (*on_failure)(void *context, const struct error *e);
    void *failure_context;
    /* set by simulation_run() */
    struct session_result program;
    struct outcome outcome;
    struct error error; /* diagnosis, if something other than the program's own status failed */
    int status;         /* exit status of the command */
};

/* Builds the machine and the session. *s must not move until simulation_free(), which must be called in
 * either case. Returns false with *e (EXIT_USER, EXIT_INTERNAL) on failure. */
bool simulation_create(struct simulation *s, const struct machine_config *c,
                       const struct execution_options *o, const struct tools *tools, struct error *e);
void simulation_free(struct simulation *s);

/* Runs the program to its end and judges it. To be called once for each simulation. */
void simulation_run(struct simulation *s, char *const argv[]);

/* Prints on standard error that the program failed or ran no kernel, and the diagnosis. */
void simulation_print_messages(const struct simulation *s, const char *program);

#endif

/*
 * simulation: one program on one machine of its own, from the built machine to the judged outcome: what the
 * subcommands that run a program share.
 */
#ifndef LOCKSTEP_SIMULATION_H
#define LOCKSTEP_SIMULATION_H

#include "lockstep/events.h"
#include "lockstep/execution_options.h"
#include "lockstep/outcome.h"
#include "lockstep/outside.h"
#include "lockstep/progress.h"
#include "lockstep/run_record.h"
#include "lockstep/tools.h"

struct simulation {
    struct machine *machine;
    struct session *session;
    struct run_record record;
    struct outside outside;
    bool limited;      /* a launch has reached the limit of --max-cycles */
    bool quiet, alone; /* --quiet; it has been said that a launch runs on one host thread */
    bool counts_events;
    struct events events; /* of all launches, where they are counted (--events) */
    /* Called after each launch, whole or not, once it is in the record; NULL: nothing. */
    void (*after_launch)(void *context, const struct machine_launch *launch,
                         const struct machine_result *result, bool whole);
    void *context;
    /* after simulation_run() */
    struct session_result program;
    struct outcome outcome;
    struct error error; /* the diagnosis, where something failed but the program's own status */
    int status;         /* exit status of the command */
};

/* Builds the machine and the session. *s must stay where it is until simulation_free(), which is due in
 * either case. False and *e (EXIT_USER, EXIT_INTERNAL) if that fails. */
bool simulation_create(struct simulation *s, const struct machine_config *c,
                       const struct execution_options *o, const struct tools *tools, struct error *e);
void simulation_free(struct simulation *s);

/* Runs the program to its end and judges how it ended. Once for each simulation. */
void simulation_run(struct simulation *s, char *const argv[]);

/* On standard error: that the program failed or ran no kernel; the diagnosis. */
void simulation_print_messages(const struct simulation *s, const char *program);

#endif

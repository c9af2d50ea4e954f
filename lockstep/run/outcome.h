/*
 * outcome: how a run ended, and the reason if it failed.
 */
#ifndef LOCKSTEP_OUTCOME_H
#define LOCKSTEP_OUTCOME_H

#include "lockstep/run/run_record.h"
#include "runtime/session.h"

struct outcome {
    const char *name; /* name in the statistics: "complete", "crashed", … */
    /* The run was sound: the program's exit status is passed on, and files get their final names. */
    bool sound;
};

/* Judges a run from the results of session_run(). If the program ended by itself but not well, fills *e with
 * the message and the exit status. */
struct outcome outcome_judge(const char *program, bool ran, const struct session_result *s,
                             const struct run_record *r, struct error *e);

#endif

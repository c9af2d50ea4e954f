/*
 * outcome: how a run ended, and whose mistake it was if it did not end well.
 */
#ifndef LOCKSTEP_OUTCOME_H
#define LOCKSTEP_OUTCOME_H

#include "lockstep/run_record.h"
#include "runtime/session.h"

struct outcome {
    const char *name; /* as in the statistics: "complete", "crashed", … */
    bool sound;       /* the program's own exit status passes through, and files get their final names */
};

/* Judges a run from what session_run() returned and filled. Where the program ended by itself but not well,
 * fills *e with the message and the exit status. */
struct outcome outcome_judge(const char *program, bool ran, const struct session_result *s,
                             const struct run_record *r, struct error *e);

#endif

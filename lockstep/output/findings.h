/*
 * findings: --check-races and --check-memory: messages about mistakes of a run that do not stop it, and their
 * effect on the exit status.
 */
#ifndef LOCKSTEP_FINDINGS_H
#define LOCKSTEP_FINDINGS_H

#include "lockstep/run/outcome.h"
#include "model/check/checks.h"

#define FINDINGS_TOLD 10 /* largest number of messages of each kind in a run */

/* Findings of one kind. */
struct findings_kind {
    uint64_t count; /* number of accesses */
    size_t places;
    char **seen; /* texts of all reported locations and notes */
    size_t seen_count;
};

struct findings {
    bool strict; /* two stores of the same value to one address are also races */
    struct findings_kind races, reads, values;
};

/* Reports on standard error, after launch `number`, the findings of the checks at new places. */
void findings_report(struct findings *f, const struct checks *checks, const struct machine_launch *launch,
                     size_t number);
/* Turns a sound run with findings into a failure: fills *o and *e. If the program itself has failed, its
 * status is kept. */
void findings_judge(const struct findings *f, int exit_status, struct outcome *o, struct error *e);
void findings_free(struct findings *f);

#endif

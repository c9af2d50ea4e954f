/*
 * findings: --check-races and --check-memory: messages about a run's mistakes that do not stop it, and the
 * verdict.
 */
#ifndef LOCKSTEP_FINDINGS_H
#define LOCKSTEP_FINDINGS_H

#include "lockstep/run/outcome.h"
#include "model/check/checks.h"

#define FINDINGS_TOLD 10 /* messages of each kind in a run */

/* Findings of one kind. */
struct findings_kind {
    uint64_t count; /* number of accesses */
    size_t places;
    char **seen; /* texts of the places that have been reported, including notes */
    size_t seen_count;
};

struct findings {
    bool strict; /* stores of one value to one place are also races */
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

/*
 * wave_changes: converts records of a recording to changes of its waves' signals.
 */
#ifndef RECORDING_WAVE_CHANGES_H
#define RECORDING_WAVE_CHANGES_H

#include "recording/changes.h"
#include "recording/wave_signals.h"

struct wave_changes {
    const struct recording *r;
    uint64_t first, last; /* first and last cycle */
    struct wave_signals signals;
    struct changes changes;
    const struct recording_launch *launch; /* launch of the last record; most records have the same */
    size_t before;                         /* number of changes in cycles before `first` */
    struct wave_unit_state {
        uint32_t group[3]; /* work-group that began last */
        unsigned warps;    /* number of warps that have started since */
        bool starts_up;    /* its cores run the start-up code of a SIMT launch */
        uint64_t selected; /* selection of the last flight */
        uint64_t *run_end; /* first cycle after the last run of each core */
    } * at;                /* state of each unit, at the record visited last */
};

/* Counts the changes of signals that are shown, from cycle `first` to `last`, and some before. False and *e:
 * the recording is damaged. */
bool wave_changes_count(struct wave_changes *c, struct error *e);
/* Stores and sorts them, after they have been counted. */
bool wave_changes_store(struct wave_changes *c, struct error *e);
/* Applies the changes from *x on up to a cycle, and moves *x behind them. */
void wave_changes_apply(struct wave_changes *c, const struct change **x, uint64_t cycle);
void wave_changes_free(struct wave_changes *c);

/* For records that come during a run, in place of wave_changes_count() and _store(): begins; adds the changes
 * of a record; adds those of the begin, or end, of a launch. *c->r has the launches so far. */
void wave_changes_begin(struct wave_changes *c);
void wave_changes_add(struct wave_changes *c, unsigned unit, const struct record *r);
void wave_changes_add_launch(struct wave_changes *c, const struct recording_launch *l);

#endif

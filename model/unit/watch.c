/* Faults and records of a unit's flights. */
#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

void unit_watch_fault(struct unit *u, const struct unit_flight *f, fault_event *event) {
    const struct simt_instruction n = unit_instruction(f);
    const uint16_t *home = u->regrouped ? u->regrouped->home[f - u->flight] : NULL;
    if (f->i) simt_fault(u->simt, event, &n, f->passed, unit_form(u, f), home);
}

static void record_flight(struct unit *u, const struct unit_flight *f, const struct simt_instruction *n,
                          uint64_t passed, uint64_t t) {
    struct record *r = recorder_add(u->simt->recorder);
    simt_fill_flight(r, n, passed, unit_form(u, f), f->s);
    record_stamps(r, CLUSTER_STAMPS(f, t));
}

/* A flight with threads of several warps has a record for each, that of its first thread first. */
void unit_record_commit(struct unit *u, const struct unit_flight *f, uint64_t t) {
    struct simt_instruction n = unit_instruction(f);
    if (!u->regrouped) {
        record_flight(u, f, &n, f->passed, t);
        return;
    }
    for (uint64_t rest = f->participating; rest;) {
        const struct unit_part p = unit_next_part(u, f, &rest);
        n.warp = p.warp;
        n.participating = p.threads;
        record_flight(u, f, &n, unit_part_passed(u, f, &p), t);
    }
}

void unit_record_stall(struct unit *u, enum record_stage stage, const struct unit_flight *f, uint64_t first,
                       uint64_t end) {
    if (first < end) recorder_stall(u->simt->recorder, stage, first, end - first, f->warp);
}

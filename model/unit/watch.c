/* Faults and records of a unit's flights. */
#include "model/unit/services.h"

void unit_watch_fault(struct unit *u, const struct unit_flight *f, fault_event *event) {
    const struct simt_instruction n = unit_instruction(f);
    if (f->i) simt_fault(u->simt, event, &n, f->passed, unit_form(u, f), NULL);
}

void unit_record_commit(struct unit *u, const struct unit_flight *f, uint64_t t) {
    const struct simt_instruction n = unit_instruction(f);
    struct record *r = recorder_add(u->simt->recorder);
    simt_fill_flight(r, &n, f->passed, unit_form(u, f), f->s);
    record_stamps(r, CLUSTER_STAMPS(f, t));
}

void unit_record_stall(struct unit *u, enum record_stage stage, const struct unit_flight *f, uint64_t first,
                       uint64_t end) {
    if (first < end) recorder_stall(u->simt->recorder, stage, first, end - first, f->warp);
}

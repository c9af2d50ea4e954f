#include "recording/description.h"

#include <inttypes.h>
#include <stdio.h>

const char *const description_stamp[RECORD_STAMPS] = {
    [RECORD_F] = "F begins",      [RECORD_FETCHED] = "fetched",  [RECORD_LEFT] = "F ends",
    [RECORD_O] = "O begins",      [RECORD_COLLECTED] = "O ends", [RECORD_X] = "first round",
    [RECORD_LAST] = "last round", [RECORD_RESULT] = "result",    [RECORD_COMMIT] = "commit"};

static const struct recording_code *code_at(const struct recording *r, uint64_t cycle) {
    const struct recording_launch *l = recording_launch_at(r, cycle);
    return l ? l->code : NULL;
}

/* Appends the instruction at pc. */
static int put_instruction(const struct recording *r, const struct record *x, char *text, size_t size) {
    const struct recording_code *code = code_at(r, x->cycle);
    const unsigned line = code ? recording_line(code, x->pc) : 0;
    char of_line[32] = "";
    if (line) snprintf(of_line, sizeof of_line, " (line %u)", line);
    return snprintf(text, size, "0x%" PRIx32 "  %.80s%s", x->pc, code ? recording_text(code, x->pc) : "",
                    of_line);
}

static void put_event(const struct recording *r, const struct record *x, char *text, size_t size) {
    static const char *const stage[] = {"operands", "TPM ports", "miss registers"};
    static const char *const threads[] = {[RECORD_START] = "start",
                                          [RECORD_ARRIVE] = "arrive at a barrier",
                                          [RECORD_EXIT] = "exit",
                                          [RECORD_RELEASE] = "leave a barrier"};
    int used;
    switch (x->kind) {
    case RECORD_FLIGHT:
        used = put_instruction(r, x, text, size);
        snprintf(text + used, size - (size_t)used, ", threads %" PRIx64 ", commit after %" PRIu32 " cycles",
                 x->threads, x->after[RECORD_COMMIT]);
        return;
    case RECORD_RUN:
        used = put_instruction(r, x, text, size);
        snprintf(text + used, size - (size_t)used,
                 " and on: %" PRIu64 " instructions, %" PRIu32 " times, in %" PRIu32 " cycles", x->threads,
                 x->after[1], x->after[0]);
        return;
    case RECORD_STALL:
        snprintf(text, size, "waits for %s for %" PRIu32 " cycles", stage[x->form % 3], x->after[0]);
        return;
    case RECORD_MODE:
        snprintf(text, size, "mode: %s", x->form < r->mode_count ? r->modes[x->form] : "unknown");
        return;
    case RECORD_GROUP:
        snprintf(text, size, "work-group (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") begins", x->after[0],
                 x->after[1], x->after[2]);
        return;
    case RECORD_ACCESS:
        snprintf(text, size, "%s %" PRIu32 " bytes at 0x%" PRIx32 ": 0x%" PRIx64,
                 x->after[0] & 1 ? "stores" : "loads", x->after[0] / 2, x->pc, x->threads);
        return;
    case RECORD_COMMAND:
        snprintf(text, size, "command %u for row %" PRIu32 " of bank %" PRIu32, x->form, x->pc, x->after[0]);
        return;
    case RECORD_GROUP_END: snprintf(text, size, "its work-group ends"); return;
    default:
        snprintf(text, size, "threads %" PRIx64 " %s at 0x%" PRIx32, x->threads, threads[x->kind], x->pc);
    }
}

/* Returns the name of a kind's places; NULL: the record is of the unit. */
static const char *place_of(const struct recording *r, unsigned unit, const struct record *x) {
    switch (x->kind) {
    case RECORD_RUN: return "core";
    case RECORD_ACCESS: return r->units[unit].sm ? "ldst" : "core";
    case RECORD_COMMAND: return "channel";
    case RECORD_MODE: return NULL;
    case RECORD_GROUP:
    case RECORD_GROUP_END: return r->units[unit].sm ? "slot" : NULL;
    default: return "warp";
    }
}

void description_of(const struct recording *r, unsigned unit, const struct record *x,
                    char text[DESCRIPTION_BYTES]) {
    const char *place = place_of(r, unit, x);
    int used = place ? snprintf(text, DESCRIPTION_BYTES, "%.40s.%s%u  ", r->units[unit].name, place, x->place)
                     : snprintf(text, DESCRIPTION_BYTES, "%.40s  ", r->units[unit].name);
    put_event(r, x, text + used, DESCRIPTION_BYTES - (size_t)used);
}

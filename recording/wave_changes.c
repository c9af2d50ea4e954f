#include "recording/wave_changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_shown(const struct wave_changes *c, uint32_t signal) {
    return c->signals.signal[c->signals.signal[signal].shows].shown;
}

static void change(struct wave_changes *c, uint64_t cycle, uint32_t signal, enum change_kind kind,
                   uint64_t value) {
    if (cycle > c->last + 1 || !is_shown(c, signal)) return;
    c->before += cycle < c->first;
    changes_add(&c->changes, cycle, signal, kind, value);
}

static uint32_t of_warp(const struct wave_changes *c, unsigned unit, unsigned warp, enum wave_warp_signal n) {
    return wave_warp_signal(&c->signals, unit, warp, n);
}

/* Adds a value that holds from cycle `from` to before cycle `to`. */
static void holds(struct wave_changes *c, uint64_t from, uint64_t to, uint32_t signal, uint64_t value) {
    change(c, from, signal, CHANGE_ADD, value);
    change(c, to, signal, CHANGE_ADD, -value);
}

static void becomes(struct wave_changes *c, uint64_t from, uint32_t signal, uint64_t value) {
    change(c, from, signal, CHANGE_SET, value);
}

static const struct recording_code *code_at(struct wave_changes *c, uint64_t cycle) {
    if (!c->launch || cycle < c->launch->first || cycle >= c->launch->end)
        c->launch = recording_launch_at(c->r, cycle);
    return c->launch ? c->launch->code : NULL;
}

/* Adds the values of `now` during a flight, cycle by cycle. */
static void stages(struct wave_changes *c, unsigned unit, const struct record *r) {
    const uint64_t s = r->cycle;
    const uint32_t signal = of_warp(c, unit, r->place, WAVE_STAGE);
    const struct {
        uint64_t from;
        enum wave_now now;
    } stage[] = {
        {s + 1, WAVE_NOW_FRONT_END},
        {s + r->after[RECORD_F], WAVE_NOW_FETCH},
        {s + r->after[RECORD_LEFT] + 1, WAVE_NOW_FRONT_END},
        {s + r->after[RECORD_LEFT] + 2, WAVE_NOW_QUEUE},
        {s + r->after[RECORD_O] + 1, WAVE_NOW_OPERANDS},
        {s + r->after[RECORD_X] + 1, WAVE_NOW_ROUNDS},
        {s + r->after[RECORD_LAST] + 1, r->flags & RECORD_ACCESSES ? WAVE_NOW_MEMORY : WAVE_NOW_RESULT},
        {s + r->after[RECORD_COMMIT] + 1, WAVE_NOW_IDLE}};
    for (size_t n = 0; n < sizeof stage / sizeof *stage; ++n)
        if (n + 1 == sizeof stage / sizeof *stage || stage[n].from < stage[n + 1].from)
            change(c, stage[n].from, signal, CHANGE_SET, stage[n].now);
}

/* Counters above the stage of a warp: flights in units, and those of them with memory accesses. */
#define IN_UNITS  (UINT64_C(1) << 16)
#define IN_MEMORY (UINT64_C(1) << 32)

/* Counters of a warp's flights that stall for the TPM, and for a miss register: it may have several. */
#define FOR_TPM  UINT64_C(1)
#define FOR_MSHR (UINT64_C(1) << 16)

/* Adds what the scheduler and the stages of a streaming multiprocessor do for a flight. */
static void stages_of_units(struct wave_changes *c, unsigned unit, const struct record *r) {
    const struct wave_signals *s = &c->signals;
    const unsigned scheduler = r->place % c->r->units[unit].schedulers;
    const uint64_t at = r->cycle, o = at + r->after[RECORD_O], x = at + r->after[RECORD_X],
                   last = at + r->after[RECORD_LAST], end = at + r->after[RECORD_COMMIT] + 1;
    holds(c, at, at + 1, wave_scheduler_signal(s, unit, scheduler, WAVE_SCHEDULER_WARP),
          r->place + UINT64_C(1));
    becomes(c, at, wave_scheduler_signal(s, unit, scheduler, WAVE_SCHEDULER_PC), r->pc);
    holds(c, o, x, wave_signal_of(s, unit, WAVE_COLLECTING), 1);
    holds(c, x, last + 1, wave_signal_of(s, unit, WAVE_EXECUTING), 1);
    if (r->flags & RECORD_ACCESSES) holds(c, last + 1, end, wave_signal_of(s, unit, WAVE_ACCESSING), 1);
}

/* Adds a flight of a streaming multiprocessor, in whose units several flights of a warp can be at a time. */
static void flight_in_units(struct wave_changes *c, unsigned unit, const struct record *r) {
    const uint64_t from = r->cycle + 1, end = r->cycle + r->after[RECORD_COMMIT] + 1;
    const uint64_t begun = c->r->units[unit].barrel ? r->cycle + r->after[RECORD_O] + 1 : from;
    becomes(c, from, of_warp(c, unit, r->place, WAVE_PC), r->pc);
    becomes(c, from, of_warp(c, unit, r->place, WAVE_LINE), recording_line(code_at(c, r->cycle), r->pc));
    holds(c, begun, end, of_warp(c, unit, r->place, WAVE_IN_FLIGHT), 1);
    holds(c, from, end, of_warp(c, unit, r->place, WAVE_STAGE),
          r->flags & RECORD_ACCESSES ? IN_MEMORY : IN_UNITS);
    stages_of_units(c, unit, r);
}

/* Adds a flight with threads of several warps, for one of these. The first one's record has its stages. */
static void stages_of_part(struct wave_changes *c, unsigned unit, const struct record *r) {
    holds(c, r->cycle + r->after[RECORD_F], r->cycle + r->after[RECORD_COMMIT] + 1,
          of_warp(c, unit, r->place, WAVE_STAGE), r->flags & RECORD_ACCESSES ? IN_MEMORY : IN_UNITS);
}

static void flight(struct wave_changes *c, unsigned unit, const struct record *r) {
    const struct wave_signals *s = &c->signals;
    const bool regroups = c->r->units[unit].regroups, again = regroups && c->at[unit].selected == r->cycle;
    const uint64_t at = r->cycle, f = at + r->after[RECORD_F], left = at + r->after[RECORD_LEFT],
                   o = at + r->after[RECORD_O], end = at + r->after[RECORD_COMMIT] + 1;
    (regroups ? stages_of_part : stages)(c, unit, r);
    becomes(c, f, of_warp(c, unit, r->place, WAVE_PC), r->pc);
    becomes(c, f, of_warp(c, unit, r->place, WAVE_LINE), recording_line(code_at(c, at), r->pc));
    holds(c, f, end, of_warp(c, unit, r->place, WAVE_PARTICIPATING), r->threads);
    c->at[unit].selected = r->cycle;
    if (again) return;
    holds(c, at, at + 1, wave_signal_of(s, unit, WAVE_GRANT), r->place + UINT64_C(1));
    holds(c, f, left + 1, wave_signal_of(s, unit, WAVE_FETCH_WARP), r->place + UINT64_C(1));
    becomes(c, f, wave_signal_of(s, unit, WAVE_FETCH_PC), r->pc);
    holds(c, o, at + r->after[RECORD_COLLECTED] + 1, wave_signal_of(s, unit, WAVE_COLLECT_WARP),
          r->place + UINT64_C(1));
    holds(c, left + 2, o + 1, wave_signal_of(s, unit, WAVE_QUEUE), 1);
}

/* Adds a stall. A beat that waits for a miss register is made in the cycle after the last one of
 * the stall. */
static void stall(struct wave_changes *c, unsigned unit, const struct record *r) {
    const bool mshr = r->form == RECORD_STAGE_MSHR;
    const uint64_t end = r->cycle + r->after[0] + !mshr;
    if (end > r->cycle + 1)
        holds(c, r->cycle + 1, end, of_warp(c, unit, r->place, WAVE_STALL), mshr ? FOR_MSHR : FOR_TPM);
}

/* Adds consecutive instructions of a core. A superscalar core may begin a run in the last cycle of another.
 */
static void add_run(struct wave_changes *c, unsigned unit, const struct record *r) {
    const struct wave_signals *s = &c->signals;
    if (r->place >= c->r->units[unit].cores) return;
    uint64_t *end = &c->at[unit].run_end[r->place];
    const uint64_t from = r->cycle > *end ? r->cycle : *end, to = r->cycle + r->after[0];
    if (from < to) {
        holds(c, from, to, wave_core_signal(s, unit, r->place, WAVE_CORE_RUNS), 1);
        holds(c, from, to, wave_core_signal(s, unit, r->place, WAVE_CORE_STATE), WAVE_STATE_START_UP);
        *end = to;
    }
    becomes(c, r->cycle, wave_core_signal(s, unit, r->place, WAVE_CORE_PC), r->pc);
    becomes(c, r->cycle, wave_core_signal(s, unit, r->place, WAVE_CORE_LINE),
            recording_line(code_at(c, r->cycle), r->pc));
}

/* Adds the begin or end of a work-group: of a cluster, of a core in a MIMD launch, or of an SM. */
static void group(struct wave_changes *c, unsigned unit, const struct record *r) {
    const struct recording_unit *u = &c->r->units[unit];
    uint32_t signal = wave_signal_of(&c->signals, unit, WAVE_WORK_GROUP);
    const bool begins = r->kind == RECORD_GROUP;
    const bool mimd = code_at(c, r->cycle - 1) && strcmp(c->launch->mode, "mimd") == 0;
    char text[48] = "";
    if (begins) {
        memcpy(c->at[unit].group, r->after, sizeof c->at[unit].group);
        c->at[unit].warps = 0;
    }
    if (u->sm) {
        change(c, r->cycle, signal, CHANGE_ADD, begins ? 1 : -UINT64_C(1));
        return;
    }
    if (mimd && r->place >= u->cores) return;
    if (mimd) signal = wave_core_signal(&c->signals, unit, r->place, WAVE_CORE_GROUP);
    if (mimd)
        change(c, r->cycle, wave_core_signal(&c->signals, unit, r->place, WAVE_CORE_STATE),
               begins ? CHANGE_OR : CHANGE_CLEAR, WAVE_STATE_WAITS);
    if (begins) snprintf(text, sizeof text, "(%u, %u, %u)", r->after[0], r->after[1], r->after[2]);
    if (begins || mimd)
        becomes(c, r->cycle, signal, c->changes.change ? wave_signals_text(&c->signals, text) : 0);
}

/* Writes the global id of the work-item with a linear local id in the unit's last work-group. */
static int write_item(const struct wave_changes *c, unsigned unit, uint32_t local, char *text, size_t bytes) {
    const struct recording_launch *l = c->launch;
    const uint32_t *size = l->local, x = size[0] ? size[0] : 1, y = size[1] ? size[1] : 1;
    return snprintf(text, bytes, "(%u, %u, %u)", l->offset[0] + c->at[unit].group[0] * size[0] + local % x,
                    l->offset[1] + c->at[unit].group[1] * size[1] + local / x % y,
                    l->offset[2] + c->at[unit].group[2] * size[2] + local / x / y);
}

/* Returns whether threads stay in the warps in which they start. */
static bool keeps_warps(const struct recording *r) {
    const char *engine =
        json_string_value(json_object_get(json_object_get(r->head, "configuration"), "simt.divergence"));
    return !engine ||
           (strcmp(engine, "lwm") != 0 && strcmp(engine, "dwf") != 0 && strcmp(engine, "tbc") != 0);
}

/* Adds the work-items of a warp whose threads have started. The warps of a streaming multiprocessor start in
 * the order of their work-items. */
static void items(struct wave_changes *c, unsigned unit, const struct record *r) {
    const struct recording_unit *u = &c->r->units[unit];
    const uint32_t signal = of_warp(c, unit, r->place, WAVE_ITEM);
    const uint32_t first = (u->sm ? c->at[unit].warps++ : r->place) * u->warp_size;
    char text[96];
    if (!is_shown(c, signal) || !r->threads || (u->sm && !keeps_warps(c->r)) || !code_at(c, r->cycle)) return;
    const uint32_t last = first + 63 - (uint32_t)__builtin_clzll(r->threads);
    int used = write_item(c, unit, first + (uint32_t)__builtin_ctzll(r->threads), text, sizeof text);
    used += snprintf(text + used, sizeof text - (size_t)used, " to ");
    write_item(c, unit, last, text + used, sizeof text - (size_t)used);
    becomes(c, r->cycle, signal, c->changes.change ? wave_signals_text(&c->signals, text) : 0);
}

/* Adds a mode. In the start-up of a SIMT launch all cores run start-up code. */
static void mode(struct wave_changes *c, unsigned unit, const struct record *r) {
    const bool starts_up = r->form < c->r->mode_count && strcmp(c->r->modes[r->form], "start-up") == 0;
    becomes(c, r->cycle, wave_signal_of(&c->signals, unit, WAVE_MODE), r->form);
    for (unsigned n = 0; starts_up != c->at[unit].starts_up && n < c->r->units[unit].cores; ++n)
        change(c, r->cycle, wave_core_signal(&c->signals, unit, n, WAVE_CORE_STATE),
               starts_up ? CHANGE_OR : CHANGE_CLEAR, WAVE_STATE_START_UP);
    c->at[unit].starts_up = starts_up;
}

/* Adds an access, which works in the cycle of the record. Those before the window are in some recordings
 * only: they are left out. */
static void add_access(struct wave_changes *c, unsigned unit, const struct record *r) {
    const struct recording_unit *u = &c->r->units[unit];
    const struct wave_signals *s = &c->signals;
    if (!c->r->accesses || r->cycle < c->first || r->cycle > c->last ||
        r->place >= (u->sm ? u->load_store_units : u->cores))
        return;
    const uint32_t first = wave_access_signal(s, unit, r->place, WAVE_ACCESS);
    becomes(c, r->cycle, first + WAVE_ACCESS, 1 + (r->after[0] & 1));
    becomes(c, r->cycle, first + WAVE_ACCESS_ADDRESS, r->pc);
    becomes(c, r->cycle, first + WAVE_ACCESS_DATA, r->threads);
    becomes(c, r->cycle, first + WAVE_ACCESS_HIT, r->form);
    becomes(c, r->cycle, first + WAVE_ACCESS_MSHR, r->after[1]);
    becomes(c, r->cycle + 1, first + WAVE_ACCESS, 0);
    becomes(c, r->cycle + 1, first + WAVE_ACCESS_HIT, RECORD_HIT_NONE);
}

/* Adds a command of a DRAM channel, which is given in the cycle of the record. */
static void add_command(struct wave_changes *c, const struct record *r) {
    if (r->place >= c->r->channels || r->cycle < c->first || r->cycle > c->last ||
        r->form >= RECORD_COMMAND_COUNT)
        return;
    const uint32_t first = wave_channel_signal(&c->signals, r->place, WAVE_COMMAND);
    becomes(c, r->cycle, first + WAVE_COMMAND, r->form);
    becomes(c, r->cycle, first + WAVE_COMMAND_BANK, r->after[0]);
    becomes(c, r->cycle, first + WAVE_COMMAND_ROW, r->pc);
    becomes(c, r->cycle + 1, first + WAVE_COMMAND, RECORD_COMMAND_NONE);
}

static void visit_record(void *context, unsigned unit, const struct record *r) {
    struct wave_changes *c = context;
    const bool of_a_warp = r->kind != RECORD_MODE && r->kind != RECORD_GROUP && r->kind != RECORD_GROUP_END &&
                           r->kind != RECORD_RUN && r->kind < RECORD_ACCESS;
    if (of_a_warp && r->place >= c->r->units[unit].warps) return;
    switch (r->kind) {
    case RECORD_FLIGHT: (c->r->units[unit].sm ? flight_in_units : flight)(c, unit, r); break;
    case RECORD_STALL: stall(c, unit, r); break;
    case RECORD_RUN: add_run(c, unit, r); break;
    case RECORD_MODE: mode(c, unit, r); break;
    case RECORD_ACCESS: add_access(c, unit, r); break;
    case RECORD_COMMAND: add_command(c, r); break;
    case RECORD_GROUP:
    case RECORD_GROUP_END: group(c, unit, r); break;
    case RECORD_START:
        change(c, r->cycle, of_warp(c, unit, r->place, WAVE_LIVE), CHANGE_OR, r->threads);
        items(c, unit, r);
        break;
    case RECORD_ARRIVE:
        change(c, r->cycle, of_warp(c, unit, r->place, WAVE_WAITING), CHANGE_OR, r->threads);
        break;
    case RECORD_EXIT:
        change(c, r->cycle, of_warp(c, unit, r->place, WAVE_LIVE), CHANGE_CLEAR, r->threads);
        break;
    case RECORD_RELEASE:
        change(c, r->cycle, of_warp(c, unit, r->place, WAVE_WAITING), CHANGE_CLEAR, r->threads);
        becomes(c, r->cycle - 1, wave_signal_of(&c->signals, unit, WAVE_OPENS), 1);
        becomes(c, r->cycle, wave_signal_of(&c->signals, unit, WAVE_OPENS), 0);
        break;
    default: break;
    }
}

static void add_kernel(struct wave_changes *c, const struct recording_launch *l) {
    const uint64_t text = c->changes.change ? wave_signals_text(&c->signals, l->kernel) : 0;
    for (unsigned u = 0; u < c->r->unit_count; ++u)
        becomes(c, l->first, wave_signal_of(&c->signals, u, WAVE_KERNEL), text);
}

static void end_kernel(struct wave_changes *c, const struct recording_launch *l) {
    for (unsigned u = 0; l->ended && u < c->r->unit_count; ++u)
        becomes(c, l->end, wave_signal_of(&c->signals, u, WAVE_KERNEL), 0);
}

static void launches(struct wave_changes *c) {
    for (size_t n = 0; n < c->r->launch_count; ++n) {
        add_kernel(c, &c->r->launches[n]);
        end_kernel(c, &c->r->launches[n]);
    }
}

/* --- collection --- */

static void free_units(struct wave_changes *c) {
    for (size_t u = 0; c->at && u < c->r->unit_count; ++u) free(c->at[u].run_end);
    free(c->at);
    c->at = NULL;
}

static void begin_units(struct wave_changes *c) {
    free_units(c);
    c->at = calloc(c->r->unit_count, sizeof *c->at);
    require_memory(c->at);
    for (size_t u = 0; u < c->r->unit_count; ++u) {
        c->at[u].run_end = calloc(c->r->units[u].cores + 1, sizeof *c->at[u].run_end);
        require_memory(c->at[u].run_end);
    }
}

static bool collect_changes(struct wave_changes *c, struct error *e) {
    c->before = 0;
    begin_units(c);
    launches(c);
    return recording_records(c->r, c->first, c->last, visit_record, c, e);
}

bool wave_changes_count(struct wave_changes *c, struct error *e) {
    return collect_changes(c, e);
}

bool wave_changes_store(struct wave_changes *c, struct error *e) {
    changes_store(&c->changes);
    if (!collect_changes(c, e)) return false;
    changes_sort(&c->changes);
    return true;
}

void wave_changes_begin(struct wave_changes *c) {
    begin_units(c);
    c->changes.grows = true;
    changes_store(&c->changes);
}

void wave_changes_add(struct wave_changes *c, unsigned unit, const struct record *r) {
    visit_record(c, unit, r);
}

void wave_changes_add_launch(struct wave_changes *c, const struct recording_launch *l) {
    c->launch = NULL; /* the list of launches may have moved */
    if (l->ended)
        end_kernel(c, l);
    else
        add_kernel(c, l);
}

void wave_changes_free(struct wave_changes *c) {
    free_units(c);
    changes_free(&c->changes);
    wave_signals_free(&c->signals);
}

/* --- values --- */

static enum wave_now now_of(const struct wave_signal *warp) {
    const uint64_t live = warp[WAVE_LIVE].value, waiting = warp[WAVE_WAITING].value;
    if (warp[WAVE_STALL].value >= FOR_MSHR) return WAVE_NOW_MSHR;
    if (warp[WAVE_STALL].value) return WAVE_NOW_TPM;
    if (warp[WAVE_STAGE].value >= IN_MEMORY) return WAVE_NOW_MEMORY;
    if (warp[WAVE_STAGE].value >= IN_UNITS) return WAVE_NOW_RESULT;
    if (warp[WAVE_STAGE].value) return (enum wave_now)warp[WAVE_STAGE].value;
    if (!live) return WAVE_NOW_IDLE;
    return live & ~waiting ? WAVE_NOW_SELECTABLE : WAVE_NOW_BARRIER;
}

static void apply(struct wave_signal *s, const struct change *x) {
    switch (x->kind) {
    case CHANGE_SET: s->value = x->value; break;
    case CHANGE_ADD: s->value += x->value; break;
    case CHANGE_OR: s->value |= x->value; break;
    case CHANGE_CLEAR: s->value &= ~x->value; break;
    }
}

void wave_changes_apply(struct wave_changes *c, const struct change **x, uint64_t cycle) {
    const struct change *const first = *x, *const end = c->changes.change + c->changes.count;
    for (; *x < end && (*x)->cycle <= cycle; ++*x) apply(&c->signals.signal[(*x)->signal], *x);
    for (const struct change *y = first; y < *x; ++y) {
        struct wave_signal *s = &c->signals.signal[c->signals.signal[y->signal].shows];
        if (s != &c->signals.signal[y->signal]) s->value = now_of(s);
    }
}

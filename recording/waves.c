#include "recording/waves.h"

#include "recording/wave_changes.h"
#include "recording/wave_view.h"

struct cut {
    const struct waves_options *o;
    struct wave_changes w;
};

static void write_value(struct cut *c, struct trace *t, struct wave_signal *s, sim_time at) {
    if (s->written == s->value) return;
    const uint64_t v = s->written = s->value;
    switch (s->form) {
    case WAVE_TICKS:
    case WAVE_COUNTS: break; /* written cycle by cycle */
    case WAVE_PLAIN: trace_value(t, s->variable, at, v); break;
    case WAVE_NUMBER: trace_value(t, s->variable, at, v ? v - 1 : s->name_count - 1); break;
    case WAVE_TEXT: trace_string(t, s->variable, at, c->w.signals.text[v]); break;
    case WAVE_ONE_HOT: {
        uint64_t words[64] = {0};
        if (v) words[(v - 1) / 64] = UINT64_C(1) << (v - 1) % 64;
        trace_wide(t, s->variable, at, words);
        break;
    }
    }
}

/* Applies the changes of a cycle from *x on, and writes the signals that have other values. */
static void show_cycle(struct cut *c, struct trace *t, const struct change **x, uint64_t cycle) {
    const struct change *const first = *x;
    const sim_time at = recording_time(c->w.r, cycle);
    wave_changes_apply(&c->w, x, cycle);
    for (const struct change *y = first; y < *x; ++y)
        write_value(c, t, &c->w.signals.signal[c->w.signals.signal[y->signal].shows], at);
}

/* Writes clock and number of a cycle. */
static void write_cycle(const struct cut *c, struct trace *t, uint64_t cycle) {
    const struct wave_signal *clock = &c->w.signals.signal[WAVE_CLOCK],
                             *number = &c->w.signals.signal[WAVE_CYCLE];
    const sim_time at = recording_time(c->w.r, cycle), next = recording_time(c->w.r, cycle + 1);
    if (number->shown) trace_value(t, number->variable, at, cycle);
    if (!clock->shown) return;
    trace_value(t, clock->variable, at, 1);
    trace_value(t, clock->variable, at + (next - at) / 2, 0);
}

/* Returns the number of changes of clock and number in a cycle. */
static unsigned changes_a_cycle(const struct cut *c) {
    return 2 * c->w.signals.signal[WAVE_CLOCK].shown + c->w.signals.signal[WAVE_CYCLE].shown;
}

static void write_changes(struct cut *c, struct trace *t) {
    const struct change *x = c->w.changes.change, *const end = x + c->w.changes.count;
    const sim_time first = recording_time(c->w.r, c->o->first);
    show_cycle(c, t, &x, c->o->first);
    for (uint32_t n = 0; n < c->w.signals.count; ++n)
        if (c->w.signals.signal[n].shown) write_value(c, t, &c->w.signals.signal[n], first);
    for (uint64_t cycle = c->o->first; changes_a_cycle(c) && cycle <= c->o->last; ++cycle) {
        if (x < end && x->cycle <= cycle) show_cycle(c, t, &x, cycle);
        write_cycle(c, t, cycle);
    }
    while (x < end) show_cycle(c, t, &x, x->cycle);
    trace_reach(t, recording_time(c->w.r, c->o->last + 1));
}

/* --- all --- */

/* Hides clock and cycle in a long window. False and *e: nothing is left to show. */
static bool choose_clock(struct cut *c, struct error *e) {
    if (c->o->last - c->o->first < WAVES_CLOCKED) return true;
    bool any = false;
    for (uint32_t n = 0; n < c->w.signals.count; ++n) {
        if (n < WAVE_RUN_SIGNALS) c->w.signals.signal[n].shown = false;
        any |= c->w.signals.signal[n].shown;
    }
    return any ||
           error_set(e, EXIT_USER, "--scope %s: it is shown of at most %u cycles: choose fewer (--cycles)",
                     c->o->scope, WAVES_CLOCKED);
}

/* GTKWave needed 17.5 s for 56 M changes. */
static bool is_readable(const struct cut *c, struct error *e) {
    const size_t count =
        c->w.changes.count - c->w.before + changes_a_cycle(c) * (c->o->last - c->o->first + 1);
    if (c->o->all || count <= WAVES_MOST) return true;
    return error_set(
        e, EXIT_USER,
        "the waveform would have about %zu million changes, which GTKWave loads in %zu s and %zu MB: "
        "choose fewer cycles (--cycles), a part of the signals (--scope) or a lower --level, or add --all",
        count / 1000000, 1 + count * 3 / 10000000, count / 15000);
}

static bool write_waves(struct cut *c, const char *path, struct waves_result *result, struct error *e) {
    struct trace *t = trace_open(path, NULL, e);
    if (!t) return false;
    wave_signals_declare(&c->w.signals, t);
    for (uint32_t n = 0; n < c->w.signals.count; ++n) result->signals += c->w.signals.signal[n].shown;
    write_changes(c, t);
    result->changes = trace_changes(t);
    return trace_close(t, e) && wave_view_write(&c->w.signals, path, recording_time(c->w.r, c->o->view_first),
                                                recording_time(c->w.r, c->o->view_last + 1),
                                                recording_time(c->w.r, c->o->mark), e);
}

bool waves_write(const struct recording *r, const struct waves_options *o, const char *path,
                 struct waves_result *result, struct error *e) {
    struct cut c = {.o = o, .w = {.r = r, .first = o->first, .last = o->last}};
    *result = (struct waves_result){0};
    const bool good = wave_signals_make(&c.w.signals, r, o->level, o->scope, e) && choose_clock(&c, e) &&
                      wave_changes_count(&c.w, e) && is_readable(&c, e) && wave_changes_store(&c.w, e) &&
                      write_waves(&c, path, result, e);
    wave_changes_free(&c.w);
    return good;
}

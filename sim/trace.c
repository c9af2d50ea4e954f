#include "sim/part.h"
#include "sim/trace_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLUSH_CHANGES_PER_VARIABLE 16 /* minimum: a flush costs in proportion to the variables */

char *trace_format_string(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    require_memory(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    return text;
}

void *trace_grow(void *array, size_t count, size_t *capacity, size_t element_size) {
    if (count < *capacity) return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    array = realloc(array, *capacity * element_size);
    require_memory(array);
    return array;
}

/* Byte m of the product has bit 7 − m of the factor at its top. */
char *trace_digits(uint64_t value, unsigned width, char out[72]) {
    const unsigned bytes = (width + 7) / 8;
    for (unsigned i = bytes; i-- > 0; value >>= 8) {
        const uint64_t spread = (value & 0xff) * 0x8040201008040201u & 0x8080808080808080u;
        const uint64_t digits = (spread >> 7) + 0x3030303030303030u;
        memcpy(out + 8 * i, &digits, 8);
    }
    return out + 8 * bytes - width;
}

char *trace_wide_digits(const uint64_t *words, unsigned width, char *out) {
    const unsigned count = (width + 63) / 64;
    for (unsigned i = 0; i < count; i++) trace_digits(words[count - 1 - i], 64, out + 64 * (size_t)i);
    return out + (size_t)64 * count - width;
}

/* --- opening and closing --- */

/* Makes the part of what can become a regular file. */
static bool make_part(struct trace *t, struct error *e) {
    part_clean(t->path);
    const int file = part_create(t->path, &t->part);
    if (file < 0)
        return error_set(e, EXIT_USER, "cannot write the trace '%s': %s", t->path,
                         errno == EEXIST ? "there is something else of that name" : strerror(errno));
    close(file);
    return true;
}

static void free_trace(struct trace *t) {
    for (size_t i = 0; i < t->item_count; i++) {
        free(t->items[i].path);
        free(t->items[i].name);
    }
    for (size_t i = 0; i < t->variable_count; i++) {
        free(t->declarations[i].current);
        free(t->declarations[i].written);
    }
    for (size_t i = 0; i < t->enum_count; i++) free(t->enums[i].type);
    free(t->items);
    free(t->declarations);
    free(t->states);
    free(t->enums);
    free(t->highlights);
    free(t->windows);
    free(t->pending);
    free(t->scope);
    free(t->path);
    free(t->part);
    free(t->left);
    trace_free_held(t);
    free(t);
}

static void settle(struct trace *t);
static void move_to(struct trace *t, sim_time at);

/* If there is no room for libfst's tables, it cannot close: what it holds is left to the
 * end of the process. */
static void close_file(struct trace *t) {
    trace_queue_end(t);
    if (t->failure.status == EXIT_SOUND) t->writer->close(t);
}

static void remove_part(const struct trace *t) {
    char *hierarchy = trace_format_string("%s.hier", t->part);
    unlink(t->part);
    unlink(hierarchy);
    free(hierarchy);
}

void trace_close_part(struct trace *t) {
    if (trace_queue_is_thread(t)) return; /* the thread cannot wait for itself */
    settle(t);
    close_file(t);
    dprintf(STDERR_FILENO, "The waveform up to here is in %s\n",
            rename(t->part, t->left) == 0 ? t->left : t->part);
}

static void close_at_panic(void *context) {
    trace_release(context, SIM_TIME_NEVER);
    trace_close_part(context);
}

static const struct trace_writer *writer_of(const char *path) {
    const size_t length = strlen(path);
    return length >= 4 && !strcmp(path + length - 4, ".vcd") ? &trace_vcd : &trace_fst;
}

struct trace *trace_open(const char *path, const struct trace_options *options, struct error *e) {
    struct trace *t = calloc(1, sizeof *t);
    require_memory(t);
    t->path = trace_format_string("%s", path);
    t->left = trace_format_string("%s.part", path);
    t->scope = trace_format_string("%s", "");
    t->writer = writer_of(path);
    if (options) t->options = *options;
    if (!t->options.flush_changes) t->options.flush_changes = TRACE_FLUSH_CHANGES;
    invariant(t->options.flush_changes <= TRACE_MAX_FLUSH_CHANGES, "trace: %u changes between flushes",
              t->options.flush_changes);
    t->edge = t->next_edge = SIM_TIME_NEVER;
    t->on = true;
    t->busy = true; /* until the first value: there is nothing to save */
    if (!make_part(t, e) || !t->writer->open(t, e)) {
        free_trace(t);
        return NULL;
    }
    unlink(path); /* an earlier run's result must not pass for this one's */
    error_at_panic(close_at_panic, t);
    return t;
}

static bool check_windows(const struct trace *t, struct error *e) {
    for (size_t i = 0; i < t->window_count; i++) {
        const struct trace_window *w = &t->windows[i];
        if (t->started && w->first <= t->now) continue;
        return error_set(e, EXIT_USER,
                         "the trace '%s' has nothing to show from %lu to %lu ps: the last value is of %lu ps",
                         t->path, w->first, w->last, t->now);
    }
    return true;
}

/* Gives the closed part its name or, after a failure, removes it. */
static bool finish_file(struct trace *t, struct error *e) {
    if (t->failure.status != EXIT_SOUND) {
        remove_part(t);
        return error_set(e, t->failure.status, "%s", t->failure.message);
    }
    if (t->variable_count == 0) { /* fstapi cannot make a readable file of it */
        unlink(t->part);
        return error_set(e, EXIT_USER, "nothing was traced, so there is no trace '%s'", t->path);
    }
    if (!t->writer->whole(t))
        return error_set(e, EXIT_USER,
                         "cannot write the trace '%s': the file was cut short (is the disk full?); see %s",
                         t->path, rename(t->part, t->left) == 0 ? t->left : t->part);
    if (rename(t->part, t->path))
        return error_set(e, EXIT_USER, "cannot rename %s to '%s': %s", t->part, t->path, strerror(errno));
    return check_windows(t, e);
}

bool trace_close(struct trace *t, struct error *e) {
    error_cancel_at_panic(close_at_panic, t);
    trace_release(t, SIM_TIME_NEVER);
    if (!t->started && t->variable_count) move_to(t, t->now);
    trace_attach_end(t);
    t->busy = true;
    settle(t);
    if (t->timed && t->on && t->now > t->written_time) trace_queue_time(t, t->now);
    close_file(t);
    const bool ok = finish_file(t, e);
    trace_unguard(t);
    free_trace(t);
    return ok;
}

const char *trace_path(const struct trace *t) {
    return t->path;
}
uint64_t trace_changes(const struct trace *t) {
    return t->changes;
}

/* --- time --- */

void trace_window(struct trace *t, sim_time first, sim_time last) {
    invariant(!t->started, "trace: a window comes after the first value");
    invariant(first <= last, "trace: a window from %lu to %lu ps", first, last);
    invariant(!t->window_count || t->windows[t->window_count - 1].last < first,
              "trace: the window that begins at %lu ps is out of order", first);
    t->windows = trace_grow(t->windows, t->window_count, &t->window_capacity, sizeof *t->windows);
    t->windows[t->window_count++] = (struct trace_window){first, last};
    t->on = false;
    t->edge = t->windows[0].first;
}

static void write_time(struct trace *t) {
    if (t->timed && t->written_time == t->now) return;
    trace_queue_time(t, t->now);
    t->written_time = t->now;
    t->timed = true;
}

/* Returns whether the file has another value; the file will have this one. */
static bool takes(struct trace_state *s, struct trace_declaration *d) {
    const bool known = s->known;
    s->known = true;
    s->pending = false;
    switch (s->kind) {
    case TRACE_INSTANT: return true;
    case TRACE_TEXT:
        if (known && !strcmp(d->current, d->written)) return false;
        strcpy(d->written, d->current);
        return true;
    case TRACE_WIDE:
        if (known && !memcmp(d->current, d->written, d->capacity)) return false;
        memcpy(d->written, d->current, d->capacity);
        return true;
    default:
        if (known && s->value == s->written) return false;
        s->written = s->value;
        return true;
    }
}

/* Writes values when time advances: only the last one of each variable at a time, and none that
 * was undone. */
static void settle(struct trace *t) {
    if (!t->pending_count) return;
    for (size_t i = 0; i < t->pending_count; i++) {
        struct trace_state *s = &t->states[t->pending[i]];
        struct trace_declaration *d = &t->declarations[t->pending[i]];
        if (!takes(s, d)) continue;
        write_time(t);
        trace_queue_value(t, s, d);
        t->changes++;
    }
    t->pending_count = 0;
    if (t->changes < t->next_flush) return;
    const uint64_t least = FLUSH_CHANGES_PER_VARIABLE * t->variable_count;
    t->next_flush = t->changes + (least > t->options.flush_changes ? least : t->options.flush_changes);
    trace_queue_flush(t);
}

/* Gives all existing values again at the present time. */
static void give_all(struct trace *t) {
    for (trace_variable v = 0; v < t->variable_count; v++) {
        struct trace_state *s = &t->states[v];
        s->known = false; /* all values are unknown between windows of a VCD */
        if (!s->seen || s->kind == TRACE_INSTANT) continue;
        s->pending = true;
        t->pending[t->pending_count++] = v;
    }
}

/* Begins or ends the window at the present time. */
static void cross_edge(struct trace *t) {
    t->on = !t->on;
    if (!t->on) {
        write_time(t);
        trace_queue_active(t, false);
        t->window++;
        t->edge = t->window < t->window_count ? t->windows[t->window].first : SIM_TIME_NEVER;
        return;
    }
    const sim_time last = t->windows[t->window].last;
    t->edge = last < SIM_TIME_NEVER - 1 ? last + 1 : SIM_TIME_NEVER;
    write_time(t);
    if (t->window > 0) trace_queue_active(t, true);
    give_all(t);
}

static void begin_file(struct trace *t) {
    t->started = true;
    t->next_flush = t->options.flush_changes;
    if (t->writer->begin(t, &t->failure)) {
        trace_queue_start(t);
        if (t->on) give_all(t); /* values of attached signals */
        return;
    }
    t->on = false;
    t->edge = SIM_TIME_NEVER;
}

static __attribute__((noinline)) void move_to(struct trace *t, sim_time at) {
    invariant(at > t->now || (!t->started && at == t->now), "trace: time runs back from %lu to %lu ps",
              t->now, at);
    if (at >= t->next_edge) {
        trace_run_clocks(t, at);
        if (at == t->now) return;
    }
    t->busy = true;
    if (!t->started) begin_file(t);
    if (at > t->now) settle(t);
    while (__builtin_expect(at >= t->edge, 0)) {
        t->now = t->edge;
        cross_edge(t);
        if (at > t->now) settle(t);
    }
    t->now = at;
    t->busy = false;
    if (__builtin_expect(trace_signal, 0)) trace_die();
}

void trace_reach(struct trace *t, sim_time at) {
    if (trace_keeps(t)) {
        trace_keep_reach(t, at);
        return;
    }
    if (at != t->now || !t->started) move_to(t, at);
}

/* --- values --- */

/* Must be called before the variable gets a value at this time. */
static inline void touch(struct trace *t, trace_variable v, sim_time at) {
    struct trace_state *s = &t->states[v];
    if (at != t->now || __builtin_expect(!t->started, 0)) move_to(t, at);
    s->seen = true;
    if (s->pending || !t->on) return;
    s->pending = true;
    t->pending[t->pending_count++] = v;
}

static struct trace_state *state_of(struct trace *t, trace_variable v, enum trace_kind kind) {
    invariant(v < t->variable_count, "trace: there is no variable %u", v);
    invariant(t->states[v].kind == kind, "trace: '%s' is of another kind",
              t->items[t->declarations[v].item].path);
    return &t->states[v];
}

void trace_value(struct trace *t, trace_variable v, sim_time at, uint64_t value) {
    struct trace_state *s = state_of(t, v, TRACE_NUMBER);
    if (__builtin_expect(t->held != NULL, 0) && trace_keeps(t)) {
        trace_keep(t, v, at, &value, sizeof value);
        return;
    }
    if (s->value == value && s->seen) return;
    invariant(value <= s->limit, "trace: %lu is no value of '%s'", value,
              t->items[t->declarations[v].item].path);
    touch(t, v, at);
    s->value = value;
}

void trace_real(struct trace *t, trace_variable v, sim_time at, double value) {
    struct trace_state *s = state_of(t, v, TRACE_FLOAT);
    uint64_t bits;
    if (trace_keeps(t)) {
        trace_keep(t, v, at, &value, sizeof value);
        return;
    }
    memcpy(&bits, &value, sizeof bits);
    if (s->value == bits && s->seen) return;
    touch(t, v, at);
    s->value = bits;
}

void trace_wide(struct trace *t, trace_variable v, sim_time at, const uint64_t *words) {
    invariant(v < t->variable_count, "trace: there is no variable %u", v);
    if (t->states[v].kind == TRACE_NUMBER) {
        trace_value(t, v, at, words[0]);
        return;
    }
    const struct trace_state *s = state_of(t, v, TRACE_WIDE);
    struct trace_declaration *d = &t->declarations[v];
    if (trace_keeps(t)) {
        trace_keep(t, v, at, words, d->capacity);
        return;
    }
    if (s->seen && !memcmp(d->current, words, d->capacity)) return;
    invariant(d->width % 64 == 0 || words[d->width / 64] >> d->width % 64 == 0,
              "trace: a value does not fit '%s'", t->items[d->item].path);
    touch(t, v, at);
    memcpy(d->current, words, d->capacity);
}

void trace_string(struct trace *t, trace_variable v, sim_time at, const char *value) {
    const struct trace_state *s = state_of(t, v, TRACE_TEXT);
    struct trace_declaration *d = &t->declarations[v];
    if (trace_keeps(t)) {
        trace_keep(t, v, at, value, strlen(value) + 1);
        return;
    }
    if (s->seen && !strcmp(d->current, value)) return;
    touch(t, v, at);
    const size_t size = strlen(value) + 1;
    if (size > d->capacity) {
        d->capacity = size < 32 ? 32 : 2 * size;
        d->current = realloc(d->current, d->capacity);
        d->written = realloc(d->written, d->capacity);
        require_memory(d->current && d->written);
    }
    memcpy(d->current, value, size);
}

void trace_event(struct trace *t, trace_variable v, sim_time at) {
    state_of(t, v, TRACE_INSTANT);
    if (trace_keeps(t))
        trace_keep(t, v, at, NULL, 0);
    else
        touch(t, v, at);
}

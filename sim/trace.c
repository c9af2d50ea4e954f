#include "sim/trace_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fstapi.h>

/* Changes between flushes: what a killed run can lose. By changes and not by host time, so that the same run
 * writes the same bytes. */
enum { FLUSH_CHANGES = 1 << 16 };

static char *format_string(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *format_string(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    invariant(vasprintf(&text, format, arguments) >= 0, "out of memory");
    va_end(arguments);
    return text;
}

/* Room for one more element. */
static void *grow(void *array, size_t count, size_t *capacity, size_t element_size) {
    if (count < *capacity) return array;
    *capacity = *capacity ? 2 * *capacity : 64;
    array = realloc(array, *capacity * element_size);
    invariant(array, "out of memory");
    return array;
}

/* --- opening and closing --- */

/* Whether path can become a regular file, and its .part be written. */
static bool check_writable(const struct trace *t, struct error *e) {
    struct stat status;
    if (!stat(t->path, &status) && !S_ISREG(status.st_mode))
        return error_set(e, EXIT_USER, "cannot write the trace '%s': there is something else of that name",
                         t->path);
    int file = open(t->part, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) return error_set(e, EXIT_USER, "cannot write the trace '%s': %s", t->path, strerror(errno));
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
    free(t->pending);
    free(t->scope);
    free(t->path);
    free(t->part);
    free(t);
}

static void write_pending(struct trace *t);

/* What there is becomes readable; it keeps the name of a part, for it is not the whole run. */
static void close_at_panic(void *context) {
    struct trace *t = context;
    write_pending(t);
    fstWriterClose(t->writer);
    fprintf(stderr, "The waveform up to here is in %s\n", t->part);
}

struct trace *trace_open(const char *path, struct error *e) {
    struct trace *t = calloc(1, sizeof *t);
    invariant(t, "out of memory");
    t->path = format_string("%s", path);
    t->part = format_string("%s.part", path);
    t->scope = format_string("%s", "");
    t->next_flush = FLUSH_CHANGES;
    if (check_writable(t, e)) {
        t->writer = fstWriterCreate(t->part, 1);
        if (!t->writer) {
            error_set(e, EXIT_USER, "cannot write the trace '%s' or its temporary files: %s", path,
                      strerror(errno));
            unlink(t->part);
        }
    }
    if (!t->writer) {
        free_trace(t);
        return NULL;
    }
    unlink(path); /* an earlier run's result must not pass for this one's */
    fstWriterSetPackType(t->writer, FST_WR_PT_LZ4);
    fstWriterSetTimescale(t->writer, -12);
    fstWriterSetDate(t->writer, "Thu Jan  1 00:00:00 1970");
    fstWriterSetVersion(t->writer, "Lockstep");
    error_at_panic(close_at_panic, t);
    return t;
}

/* fstapi reports no write error, but a file that was cut short is no longer a chain of finished blocks. */
static bool is_whole(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    struct stat status;
    bool ok = !fstat(fileno(f), &status);
    off_t at = 0;
    bool hierarchy = false;
    while (ok && at < status.st_size) {
        unsigned char head[9] = {0};
        ok = !fseeko(f, at, SEEK_SET) && fread(head, sizeof head, 1, f) == 1 && head[0] != FST_BL_SKIP;
        off_t length = 0;
        for (int i = 1; i < 9; i++) length = length << 8 | head[i];
        ok = ok && length > 0 && length < status.st_size - at;
        hierarchy |= head[0] == FST_BL_HIER || head[0] == FST_BL_HIER_LZ4 || head[0] == FST_BL_HIER_LZ4DUO;
        at += 1 + length;
    }
    fclose(f);
    return ok && hierarchy && at == status.st_size;
}

bool trace_close(struct trace *t, struct error *e) {
    error_cancel_at_panic(close_at_panic, t);
    write_pending(t);
    fstWriterClose(t->writer);
    bool ok = true;
    if (t->variable_count == 0) { /* fstapi cannot make a readable file of it */
        ok = error_set(e, EXIT_USER, "nothing was traced, so there is no trace '%s'", t->path);
        unlink(t->part);
    } else if (!is_whole(t->part))
        ok = error_set(e, EXIT_USER,
                       "cannot write the trace '%s': the file was cut short (is the disk full?); see %s",
                       t->path, t->part);
    else if (rename(t->part, t->path))
        ok = error_set(e, EXIT_USER, "cannot rename %s to '%s': %s", t->part, t->path, strerror(errno));
    free_trace(t);
    return ok;
}

const char *trace_path(const struct trace *t) {
    return t->path;
}
uint64_t trace_changes(const struct trace *t) {
    return t->changes;
}

/* --- declarations --- */

static struct trace_item *add_item(struct trace *t, enum trace_item_kind kind, const char *name) {
    invariant(!t->started, "trace: '%s' is declared after the first value", name);
    t->items = grow(t->items, t->item_count, &t->item_capacity, sizeof *t->items);
    struct trace_item *item = &t->items[t->item_count++];
    *item = (struct trace_item){.kind = kind, .name = format_string("%s", name)};
    /* GTKWave takes dots for scopes and brackets for bit ranges */
    for (char *c = item->name; *c; c++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", *c)) *c = '_';
    item->path = format_string("%s%s%s", t->scope, t->scope[0] ? "." : "", item->name);
    return item;
}

void trace_scope(struct trace *t, const char *name) {
    struct trace_item *item = add_item(t, TRACE_SCOPE, name);
    free(t->scope);
    t->scope = format_string("%s", item->path);
    fstWriterSetScope(t->writer, FST_ST_VCD_MODULE, item->name, NULL);
}

void trace_upscope(struct trace *t) {
    invariant(t->scope[0], "trace: no scope is open");
    add_item(t, TRACE_UPSCOPE, "");
    char *dot = strrchr(t->scope, '.');
    *(dot ? dot : t->scope) = 0;
    fstWriterSetUpscope(t->writer);
}

static trace_variable add_variable(struct trace *t, const char *name, unsigned width,
                                   enum trace_format format) {
    size_t capacity = t->variable_capacity;
    t->declarations = grow(t->declarations, t->variable_count, &capacity, sizeof *t->declarations);
    capacity = t->variable_capacity;
    t->pending = grow(t->pending, t->variable_count, &capacity, sizeof *t->pending);
    t->states = grow(t->states, t->variable_count, &t->variable_capacity, sizeof *t->states);
    trace_variable v = (trace_variable)t->variable_count++;
    struct trace_item *item = add_item(t, TRACE_VARIABLE, name);
    item->variable = v;
    t->declarations[v] =
        (struct trace_declaration){.item = t->item_count - 1, .format = format, .width = width};
    t->states[v] = (struct trace_state){.width = (uint8_t)width};
    bool text = format == TRACE_STRING;
    t->states[v].handle = fstWriterCreateVar(t->writer, text ? FST_VT_GEN_STRING : FST_VT_VCD_WIRE,
                                             FST_VD_IMPLICIT, width, item->name, 0);
    return v;
}

trace_variable trace_declare(struct trace *t, const char *name, unsigned width, enum trace_format format) {
    invariant(format != TRACE_ENUM, "trace: '%s' is an enumeration without names", name);
    invariant(format == TRACE_STRING || (width >= 1 && width <= 64), "trace: '%s' has %u bits", name, width);
    return add_variable(t, name, format == TRACE_STRING ? 0 : width, format);
}

/* The enumeration's table in the file, made at its first use. */
static uint32_t enum_table(struct trace *t, const char *type, unsigned width, unsigned count,
                           const char *const *names) {
    for (size_t i = 0; i < t->enum_count; i++) {
        if (strcmp(t->enums[i].type, type)) continue;
        invariant(t->enums[i].count == count, "trace: enumeration '%s' has two sizes", type);
        return t->enums[i].handle;
    }
    const char **values = calloc(count, sizeof *values);
    invariant(values, "out of memory");
    for (unsigned i = 0; i < count; i++) {
        char bits[33] = {0};
        for (unsigned b = 0; b < width; b++) bits[width - 1 - b] = (char)('0' + (i >> b & 1));
        values[i] = format_string("%s", bits);
    }
    t->enums = grow(t->enums, t->enum_count, &t->enum_capacity, sizeof *t->enums);
    uint32_t handle = fstWriterCreateEnumTable(t->writer, type, count, width, (const char **)names, values);
    t->enums[t->enum_count++] = (struct trace_enum){format_string("%s", type), count, handle};
    for (unsigned i = 0; i < count; i++) free((char *)values[i]);
    free(values);
    return handle;
}

trace_variable trace_declare_enum(struct trace *t, const char *name, const char *type, unsigned count,
                                  const char *const *names) {
    invariant(count > 0, "trace: enumeration '%s' is empty", type);
    unsigned width = 1;
    while (width < 32 && (count - 1) >> width) width++;
    fstWriterEmitEnumTableRef(t->writer, enum_table(t, type, width, count, names));
    trace_variable v = add_variable(t, name, width, TRACE_ENUM);
    t->declarations[v].count = count;
    return v;
}

void trace_hide(struct trace *t, trace_variable v) {
    invariant(v < t->variable_count, "trace: there is no variable %u", v);
    t->declarations[v].hidden = true;
}

/* --- values --- */

static bool write_text(struct trace *t, struct trace_state *s, struct trace_declaration *d) {
    if (s->known && !strcmp(d->current, d->written)) return false;
    size_t length = strlen(d->current);
    memcpy(d->written, d->current, length + 1);
    fstWriterEmitVariableLengthValueChange(t->writer, s->handle, d->current, (uint32_t)length);
    return true;
}

static bool write_number(struct trace *t, struct trace_state *s) {
    if (s->known && s->value == s->written) return false;
    s->written = s->value;
    fstWriterEmitValueChange64(t->writer, s->handle, s->width, s->value);
    return true;
}

/* Values are written when time moves on, since fstapi would keep every value a variable had within one time.
 */
static void write_pending(struct trace *t) {
    for (size_t i = 0; i < t->pending_count; i++) {
        trace_variable v = t->pending[i];
        struct trace_state *s = &t->states[v];
        t->changes += s->width ? write_number(t, s) : write_text(t, s, &t->declarations[v]);
        s->known = true;
        s->pending = false;
    }
    t->pending_count = 0;
}

static void change_at(struct trace *t, trace_variable v, sim_time at) {
    if (!t->started || at != t->now) {
        invariant(!t->started || at > t->now, "trace: time runs back from %lu to %lu ps", t->now, at);
        write_pending(t);
        if (t->changes >= t->next_flush) {
            uint64_t interval = 16 * t->variable_count; /* a flush costs in proportion to the variables */
            t->next_flush = t->changes + (interval > FLUSH_CHANGES ? interval : FLUSH_CHANGES);
            fstWriterFlushContext(t->writer);
        }
        fstWriterEmitTimeChange(t->writer, at);
        t->now = at;
        t->started = true;
    }
    if (!t->states[v].pending) t->pending[t->pending_count++] = v;
    t->states[v].pending = true;
}

void trace_value(struct trace *t, trace_variable v, sim_time at, uint64_t value) {
    invariant(v < t->variable_count, "trace: there is no variable %u", v);
    struct trace_state *s = &t->states[v];
    if (s->value == value && (s->known || s->pending)) return;
    const struct trace_declaration *d = &t->declarations[v];
    const char *name = t->items[d->item].path;
    invariant(d->format != TRACE_STRING, "trace: '%s' is a string", name);
    invariant(s->width == 64 || value >> s->width == 0, "trace: %lu does not fit '%s'", value, name);
    invariant(d->format != TRACE_ENUM || value < d->count, "trace: '%s' has no name for %lu", name, value);
    change_at(t, v, at);
    s->value = value;
}

void trace_string(struct trace *t, trace_variable v, sim_time at, const char *value) {
    invariant(v < t->variable_count, "trace: there is no variable %u", v);
    struct trace_state *s = &t->states[v];
    struct trace_declaration *d = &t->declarations[v];
    invariant(d->format == TRACE_STRING, "trace: '%s' is no string", t->items[d->item].path);
    if ((s->known || s->pending) && !strcmp(d->current, value)) return;
    change_at(t, v, at);
    size_t size = strlen(value) + 1;
    if (size > d->capacity) {
        d->capacity = size < 32 ? 32 : 2 * size;
        d->current = realloc(d->current, d->capacity);
        d->written = realloc(d->written, d->capacity);
        invariant(d->current && d->written, "out of memory");
    }
    memcpy(d->current, value, size);
}

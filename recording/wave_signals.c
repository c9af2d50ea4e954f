#include "recording/wave_signals.h"

#include "sim/nearest.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define X(id, name) name,
const char *const wave_now_name[WAVE_NOW_COUNT] = {WAVE_NOWS(X)};
#undef X
#define X(id, name) name,
static const char *const core_state_name[WAVE_STATE_COUNT] = {WAVE_CORE_STATES(X)};
#undef X

#define X(id, name) name,
static const char *const hit_name[RECORD_HIT_COUNT] = {RECORD_HITS(X)};
#undef X

#define X(id, name) name,
static const char *const command_name[RECORD_COMMAND_COUNT] = {RECORD_COMMANDS(X)};
#undef X

/* Returns the names "0" to "`warps` - 1", then "none". */
static char **warp_names(unsigned warps) {
    char **names = calloc(warps + 2, sizeof *names);
    require_memory(names);
    for (unsigned w = 0; w <= warps; ++w)
        require_memory(w < warps ? asprintf(&names[w], "%u", w) >= 0 : (names[w] = strdup("none")) != NULL);
    return names;
}

static struct wave_signal *add_signal(struct wave_signals *s, const struct recording_unit *u, unsigned level,
                                      enum trace_format format, unsigned width, const char *name) {
    struct wave_signal *signal = &s->signal[s->count++];
    *signal = (struct wave_signal){.level = level,
                                   .format = format,
                                   .width = width,
                                   .bits = width,
                                   .shows = s->count - 1,
                                   .written = UINT64_MAX};
    snprintf(signal->name, sizeof signal->name, "%s.%s", u->name, name);
    signal->form = format == TRACE_STRING ? WAVE_TEXT : WAVE_PLAIN;
    return signal;
}

static void add_enum(struct wave_signals *s, const struct recording_unit *u, unsigned level, const char *name,
                     const char *type, const char *const *names, unsigned count) {
    struct wave_signal *signal = add_signal(s, u, level, TRACE_ENUM, 0, name);
    signal->bits = count > 1 ? 32 - (unsigned)__builtin_clz(count - 1) : 1;
    signal->type = type;
    signal->names = names;
    signal->name_count = count;
}

static void add_warp_number(struct wave_signals *s, const struct recording_unit *u, const char *name,
                            const char *const *names) {
    add_enum(s, u, 2, name, "warp_number", names, u->warps + 1);
    s->signal[s->count - 1].form = WAVE_NUMBER;
}

/* Adds a signal that is not shown itself, but may appear in another one. */
static void add_hidden(struct wave_signals *s, uint32_t shows) {
    s->signal[s->count++] = (struct wave_signal){.level = UINT32_MAX, .shows = shows};
}

static void add_unit(struct wave_signals *s, const struct recording *r, const struct recording_unit *u,
                     const char *const *names) {
    add_signal(s, u, 0, TRACE_STRING, 0, "kernel");
    if (u->sm) {
        add_signal(s, u, 0, TRACE_DECIMAL, 8, "work_groups");
        add_hidden(s, s->count);
        add_signal(s, u, 0, TRACE_BINARY, 1, "barrier_table.opens_o");
        add_signal(s, u, 2, TRACE_DECIMAL, 16, "operand_collector.instructions");
        add_signal(s, u, 2, TRACE_DECIMAL, 16, "units.instructions");
        add_signal(s, u, 2, TRACE_DECIMAL, 16, "memory.instructions");
        for (unsigned n = WAVE_ACCESSING + 1; n < WAVE_UNIT_SIGNALS; ++n) add_hidden(s, s->count);
        return;
    }
    add_signal(s, u, 0, TRACE_STRING, 0, "work_group");
    add_enum(s, u, 0, "mode", "cluster_mode", r->modes, (unsigned)r->mode_count);
    add_signal(s, u, 0, TRACE_BINARY, 1, "barrier_table.opens_o");
    add_signal(s, u, 2, TRACE_BINARY, u->warps, "warp_scheduler.grant_o")->form = WAVE_ONE_HOT;
    add_warp_number(s, u, "fetch.warp", names);
    add_signal(s, u, 2, TRACE_HEX, 32, "fetch.pc");
    add_warp_number(s, u, "operand_collector.warp", names);
    add_signal(s, u, 2, TRACE_DECIMAL, 8, "dispatcher.queue");
}

static void add_warp(struct wave_signals *s, const struct recording_unit *u, unsigned warp) {
    static const struct {
        const char *name;
        enum trace_format format;
        unsigned width; /* 0: one bit for each thread, or a string */
    } row[WAVE_WARP_SHOWN] = {{"now", TRACE_DECIMAL, 4},
                              {"pc", TRACE_HEX, 32},
                              {"line", TRACE_DECIMAL, 20},
                              {"participating", TRACE_HEX, 0},
                              {"item", TRACE_STRING, 0}};
    const uint32_t now = s->count;
    for (unsigned n = 0; n < WAVE_WARP_SHOWN; ++n) {
        char name[32];
        const bool flights = n == WAVE_IN_FLIGHT && u->sm;
        snprintf(name, sizeof name, "warp%u.%s", warp, flights ? "in_flight" : row[n].name);
        if (flights)
            add_signal(s, u, 1, TRACE_DECIMAL, 8, name);
        else
            add_signal(s, u, 1, row[n].format,
                       row[n].width || row[n].format == TRACE_STRING ? row[n].width : u->warp_size, name);
    }
    s->signal[now].is_now = true;
    for (unsigned n = WAVE_WARP_SHOWN; n < WAVE_WARP_SIGNALS; ++n) add_hidden(s, now);
}

static void add_core(struct wave_signals *s, const struct recording_unit *u, unsigned core) {
    static const struct {
        const char *name;
        enum trace_format format;
        unsigned width;
    } row[WAVE_CORE_STATE] = {{"runs", TRACE_BINARY, 1},
                              {"pc", TRACE_HEX, 32},
                              {"line", TRACE_DECIMAL, 20},
                              {"work_group", TRACE_STRING, 0}};
    char name[32];
    for (unsigned n = 0; n < WAVE_CORE_STATE; ++n) {
        snprintf(name, sizeof name, "core%u.%s", core, row[n].name);
        add_signal(s, u, 1, row[n].format, row[n].width, name);
    }
    snprintf(name, sizeof name, "core%u.state", core);
    add_enum(s, u, 1, name, "core_state", core_state_name, WAVE_STATE_COUNT);
}

/* Adds the signals of a scheduler. One that issues several instructions in a cycle has no single warp. */
static void add_scheduler(struct wave_signals *s, const struct recording_unit *u, unsigned scheduler,
                          const char *const *names) {
    char name[32];
    if (!u->issues_one) {
        for (unsigned n = 0; n < WAVE_SCHEDULER_SIGNALS; ++n) add_hidden(s, s->count);
        return;
    }
    snprintf(name, sizeof name, "scheduler%u.warp", scheduler);
    add_warp_number(s, u, name, names);
    snprintf(name, sizeof name, "scheduler%u.pc", scheduler);
    add_signal(s, u, 2, TRACE_HEX, 32, name);
}

/* Adds the signals of the accesses of a core or load-store unit. */
static void add_accesses(struct wave_signals *s, const struct recording_unit *u, unsigned place) {
    static const char *const kinds[] = {"none", "load", "store"};
    char name[32];
    const char *scope = u->sm ? "ldst" : "core";
    snprintf(name, sizeof name, "%s%u.access", scope, place);
    add_enum(s, u, 2, name, "access_kind", kinds, 3);
    snprintf(name, sizeof name, "%s%u.address", scope, place);
    add_signal(s, u, 2, TRACE_HEX, 32, name);
    snprintf(name, sizeof name, "%s%u.data", scope, place);
    add_signal(s, u, 2, TRACE_HEX, 64, name);
    snprintf(name, sizeof name, "%s%u.hit", scope, place);
    add_enum(s, u, 2, name, "access_hit", hit_name, RECORD_HIT_COUNT);
    snprintf(name, sizeof name, "%s%u.mshr", scope, place);
    add_signal(s, u, 2, TRACE_DECIMAL, 16, name);
}

/* Adds the signals of the commands of a DRAM channel. */
static void add_channel(struct wave_signals *s, unsigned channel) {
    static const struct recording_unit dram = {.name = "dram"};
    char name[32];
    snprintf(name, sizeof name, "channel%u.command", channel);
    add_enum(s, &dram, 2, name, "dram_command", command_name, RECORD_COMMAND_COUNT);
    snprintf(name, sizeof name, "channel%u.bank", channel);
    add_signal(s, &dram, 2, TRACE_DECIMAL, 8, name);
    snprintf(name, sizeof name, "channel%u.row", channel);
    add_signal(s, &dram, 2, TRACE_DECIMAL, 32, name);
}

static unsigned places_of_accesses(const struct recording *r, const struct recording_unit *u) {
    return !r->accesses ? 0 : u->sm ? u->load_store_units : u->cores;
}

/* Adds the signals of the run, which are in no scope. */
static void add_run(struct wave_signals *s, const struct recording *r) {
    const unsigned bits = 64 - (unsigned)__builtin_clzll(r->end | 1);
    s->signal[s->count++] = (struct wave_signal){.name = "clock",
                                                 .level = 2,
                                                 .form = WAVE_TICKS,
                                                 .format = TRACE_BINARY,
                                                 .width = 1,
                                                 .bits = 1,
                                                 .shows = WAVE_CLOCK};
    s->signal[s->count++] = (struct wave_signal){.name = "cycle",
                                                 .level = 2,
                                                 .form = WAVE_COUNTS,
                                                 .format = TRACE_DECIMAL,
                                                 .width = bits,
                                                 .bits = bits,
                                                 .shows = WAVE_CYCLE};
}

/* Shows the signals that match. Returns false if none does. */
static bool choose_shown(struct wave_signals *s, unsigned level, const char *scope) {
    bool any = false;
    for (uint32_t n = 0; n < s->count; ++n) {
        struct wave_signal *signal = &s->signal[n];
        signal->shown = signal->level <= level && (!scope || fnmatch(scope, signal->name, 0) == 0);
        any |= signal->shown;
    }
    return any;
}

static bool refuse_scope(const struct wave_signals *s, unsigned level, const char *scope, struct error *e) {
    char *list;
    size_t bytes;
    FILE *out = open_memstream(&list, &bytes);
    require_memory(out);
    for (uint32_t n = 0; n < s->count; ++n)
        if (s->signal[n].level <= level) fprintf(out, "%s%s", n ? ", " : "", s->signal[n].name);
    fclose(out);
    error_set(
        e, EXIT_USER,
        "--scope %s: no signal of level %u has such a name%s; names are like %s, and * stands for any part",
        scope, level, nearest_hint(scope, strlen(scope), list),
        s->signal[s->unit[0] + WAVE_UNIT_SIGNALS].name);
    free(list);
    return false;
}

bool wave_signals_make(struct wave_signals *s, const struct recording *r, unsigned level, const char *scope,
                       struct error *e) {
    size_t count = WAVE_RUN_SIGNALS + (size_t)r->channels * WAVE_CHANNEL_SIGNALS;
    for (size_t u = 0; u < r->unit_count; ++u)
        count += WAVE_UNIT_SIGNALS + (size_t)r->units[u].warps * WAVE_WARP_SIGNALS +
                 (size_t)r->units[u].cores * WAVE_CORE_SIGNALS +
                 (size_t)r->units[u].schedulers * WAVE_SCHEDULER_SIGNALS +
                 (size_t)places_of_accesses(r, &r->units[u]) * WAVE_ACCESS_SIGNALS;
    *s = (struct wave_signals){.signal = calloc(count, sizeof *s->signal),
                               .unit = calloc(r->unit_count, sizeof *s->unit),
                               .cores = calloc(r->unit_count, sizeof *s->cores),
                               .accesses = calloc(r->unit_count, sizeof *s->accesses),
                               .warp_names = calloc(r->unit_count + 1, sizeof *s->warp_names)};
    require_memory(s->signal && s->unit && s->cores && s->accesses && s->warp_names);
    s->unit_count = r->unit_count;
    wave_signals_text(s, "");
    add_run(s, r);
    for (size_t u = 0; u < r->unit_count; ++u) {
        s->unit[u] = s->count;
        s->warp_names[u] = warp_names(r->units[u].warps);
        add_unit(s, r, &r->units[u], (const char *const *)s->warp_names[u]);
        for (unsigned w = 0; w < r->units[u].warps; ++w) add_warp(s, &r->units[u], w);
        s->cores[u] = s->count;
        for (unsigned n = 0; n < r->units[u].cores; ++n) add_core(s, &r->units[u], n);
        for (unsigned n = 0; n < r->units[u].schedulers; ++n)
            add_scheduler(s, &r->units[u], n, (const char *const *)s->warp_names[u]);
        s->accesses[u] = s->count;
        for (unsigned n = 0; n < places_of_accesses(r, &r->units[u]); ++n) add_accesses(s, &r->units[u], n);
    }
    s->channels = s->count;
    for (unsigned n = 0; n < r->channels; ++n) add_channel(s, n);
    return choose_shown(s, level, scope) || refuse_scope(s, level, scope, e);
}

void wave_signals_free(struct wave_signals *s) {
    for (char ***unit = s->warp_names; unit && *unit; ++unit) {
        for (char **name = *unit; *name; ++name) free(*name);
        free(*unit);
    }
    free(s->warp_names);
    for (size_t n = 0; n < s->text_count; ++n) free(s->text[n]);
    free(s->text);
    free(s->unit);
    free(s->cores);
    free(s->accesses);
    free(s->signal);
}

uint64_t wave_signals_text(struct wave_signals *s, const char *text) {
    if ((s->text_count & (s->text_count - 1)) == 0) {
        s->text = realloc(s->text, (s->text_count ? 2 * s->text_count : 1) * sizeof *s->text);
        require_memory(s->text);
    }
    s->text[s->text_count] = strdup(text);
    require_memory(s->text[s->text_count]);
    return s->text_count++;
}

/* The open scopes: of the unit, and in it of a block or a warp. */
struct scopes {
    char unit[32], part[32]; /* "": no scope is open */
};

static void leave(struct trace *t, char *scope) {
    if (*scope) trace_upscope(t);
    *scope = '\0';
}

static void enter(struct trace *t, char scope[32], const char *name, size_t bytes) {
    snprintf(scope, 32, "%.*s", (int)bytes, name);
    if (bytes) trace_scope(t, scope);
}

static bool is(const char *scope, const char *name, size_t bytes) {
    return strlen(scope) == bytes && memcmp(scope, name, bytes) == 0;
}

/* Opens the scopes of "unit.name" or "unit.part.name", none of "name"; returns the name. */
static const char *enter_scopes(struct trace *t, struct scopes *at, const char *name) {
    if (!strchr(name, '.')) return name;
    const size_t unit = strcspn(name, ".");
    const char *part = name + unit + 1, *dot = strchr(part, '.');
    const size_t bytes = dot ? (size_t)(dot - part) : 0;
    const bool other = !is(at->unit, name, unit);
    if (other || !is(at->part, part, bytes)) leave(t, at->part);
    if (other) {
        leave(t, at->unit);
        enter(t, at->unit, name, unit);
    }
    if (bytes && !*at->part) enter(t, at->part, part, bytes);
    return dot ? dot + 1 : part;
}

void wave_signals_declare(struct wave_signals *s, struct trace *t) {
    struct scopes at = {0};
    for (uint32_t n = 0; n < s->count; ++n) {
        struct wave_signal *signal = &s->signal[n];
        if (!signal->shown) continue;
        const char *name = enter_scopes(t, &at, signal->name);
        signal->variable = signal->format == TRACE_ENUM
                               ? trace_declare_enum(t, name, signal->type, signal->name_count, signal->names)
                               : trace_declare(t, name, signal->width, signal->format);
    }
    leave(t, at.part);
    leave(t, at.unit);
}

/* `lockstep why`: why a warp or core is in its state in a cycle of a recording. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/report.h"
#include "lockstep/run/recording_options.h"
#include "recording/causes_core.h"
#include "recording/description.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEY_DEPTH = 256 };

struct options {
    const char *place, *recording;
    uint64_t depth;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_DEPTH:
        o->depth = recording_options_number("--depth", argument, state);
        if (o->depth < 1 || o->depth > 1000) argp_error(state, "--depth %s: 1 to 1000", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (o->recording) argp_error(state, "'%s': a place and one recording are enough", argument);
        if (o->place)
            o->recording = argument;
        else
            o->place = argument;
        return 0;
    case ARGP_KEY_END:
        if (!o->recording)
            argp_error(state, "a place and a recording are needed, as in: lockstep why warp3@9771400 my.lsr");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"depth", KEY_DEPTH, "N", 0, "Go so many causes back (default: 8)", 1},
    {0},
};

static const struct argp why_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "[UNIT.]warpN[.SIGNAL]@CYCLE RECORDING.lsr\n[UNIT.]coreN[.SIGNAL]@CYCLE RECORDING.lsr",
    .doc =
        "Says what a warp, or a core in MIMD mode, waits for in a cycle, and what that waits for, and so on, "
        "until memory, the begin of a work-group or launch, or --depth."
        "\v"
        "The causes follow from the cycles in which stages begin and end (docs/timing.md, docs/gpu-like.md). "
        "Loads and stores of cores are named with their address if the run was recorded with "
        "--record-accesses.\n"
        "\n"
        "Examples:\n"
        "  lockstep run --record my.lsr -- ./my_program\n"
        "  lockstep why warp3@9771400 my.lsr\n"
        "  lockstep why cluster1.warp0.now@5000 --depth 20 my.lsr\n"
        "  lockstep why core0@5000 my.lsr",
};

/* A warp or core in a cycle. */
struct place {
    unsigned unit, number;
    bool core;
    uint64_t cycle;
};

/* Reads "warpN" or "coreN" at the beginning of a name. Returns its length; 0: it is neither. */
static int read_number(const char *name, struct place *p) {
    int used = 0;
    p->core = strncmp(name, "core", 4) == 0;
    if (sscanf(name, p->core ? "core%u%n" : "warp%u%n", &p->number, &used) != 1) return 0;
    return name[used] == '.' || name[used] == '@' ? used : 0;
}

static bool is_in_unit(const struct recording *r, const char *place, const struct place *p, struct error *e) {
    const struct recording_unit *u = &r->units[p->unit];
    const unsigned count = p->core ? u->cores : u->warps;
    const char *kind = p->core ? "cores" : "warps";
    if (!count) return error_set(e, EXIT_USER, "'%s': %s has no %s", place, u->name, kind);
    return p->number < count ||
           error_set(e, EXIT_USER, "'%s': %s has %s 0 to %u", place, u->name, kind, count - 1);
}

/* Parses the place "[UNIT.]warpN[.SIGNAL]@CYCLE", or one with coreN. */
static bool find_place(const struct recording *r, const char *place, struct place *p, struct error *e) {
    const char *at = strrchr(place, '@'), *name = place;
    int all = 0;
    p->unit = 0;
    for (unsigned n = 0; n < r->unit_count; ++n) {
        const size_t length = strlen(r->units[n].name);
        if (strncmp(place, r->units[n].name, length) != 0 || place[length] != '.') continue;
        p->unit = n;
        name = place + length + 1;
    }
    if (!at || !read_number(name, p) || sscanf(at, "@%" SCNu64 "%n", &p->cycle, &all) != 1 || at[all] ||
        at[1] == '-')
        return error_set(e, EXIT_USER,
                         "'%s': a warp or core and a cycle are needed, as in warp3@12000, core0@12000 or "
                         "%s.warp3.now@12000",
                         place, r->units[0].name);
    if (name == place && r->unit_count > 1)
        return error_set(e, EXIT_USER, "'%s': which of %zu clusters? Write %s.%s", place, r->unit_count,
                         r->units[0].name, place);
    if (p->cycle >= r->end)
        return error_set(e, EXIT_USER, "'%s': %s ends at cycle %" PRIu64, place, r->path, r->end - 1);
    return is_in_unit(r, place, p, e);
}

static bool is_mimd(const struct recording *r, uint64_t cycle) {
    const struct recording_launch *l = recording_launch_at(r, cycle);
    return l && strcmp(l->mode, "mimd") == 0;
}

/* Prints "12,345  warp 3 commits (0x10184  add r1, r2, line 12)". */
static void print_stamp(const struct causes *c, struct causes_at at) {
    static const char *const does[] = {[RECORD_F] = "enters F",
                                       [RECORD_FETCHED] = "has its instruction",
                                       [RECORD_LEFT] = "leaves F",
                                       [RECORD_O] = "starts O",
                                       [RECORD_COLLECTED] = "ends O",
                                       [RECORD_X] = "starts its first round",
                                       [RECORD_LAST] = "starts its last round",
                                       [RECORD_RESULT] = "has its result",
                                       [RECORD_COMMIT] = "commits",
                                       [CAUSES_S] = "is selected"};
    const struct record *f = &c->flight[at.flight];
    const struct recording_launch *l = recording_launch_at(c->r, f->cycle);
    char number[32];
    printf("%14s  warp %u %s", report_number(causes_cycle(c, at), number), f->place,
           at.stamp == CAUSES_S && c->sm && !c->barrel ? "issues" : does[at.stamp]);
    if (l) printf(" (0x%" PRIx32 ", line %u)", f->pc, recording_line(l->code, f->pc));
}

static void print_chain(const struct causes *c, struct causes_at at, uint64_t depth) {
    bool more = true;
    while (more && depth-- > 0) {
        char text[CAUSES_TEXT];
        struct causes_at before;
        print_stamp(c, at);
        more = causes_of(c, at, text, &before);
        printf(": %s\n", text);
        at = before;
    }
}

static void print_head(const struct recording *r, const struct place *p) {
    char number[32];
    printf("in cycle %s %s.%s%u waits for this:\n", report_number(p->cycle, number), r->units[p->unit].name,
           p->core ? "core" : "warp", p->number);
}

static bool explain_warp(const struct recording *r, const struct place *p, uint64_t depth, struct error *e) {
    struct causes c = {0};
    struct causes_at at;
    bool good = causes_read(&c, r, p->unit, p->cycle, e);
    if (good && causes_awaited(&c, p->number, p->cycle, &at)) {
        print_head(r, p);
        print_chain(&c, at, depth);
    } else if (good) {
        good = error_set(e, EXIT_USER,
                         "%s: warp %u has no instruction in cycle %" PRIu64 " or the %u after it%s", r->path,
                         p->number, p->cycle, CAUSES_CYCLES,
                         is_mimd(r, p->cycle) ? ": that launch runs in MIMD mode, on cores (core0@...)" : "");
    }
    causes_free(&c);
    return good;
}

/* Prints "12,345  core 0 issues (0x10184, line 12): ...". */
static void print_core_chain(const struct causes_core *c, size_t step, uint64_t depth) {
    bool more = true;
    while (more && depth-- > 0) {
        const struct core_step *s = &c->step[step];
        const struct recording_launch *l = recording_launch_at(c->r, s->cycle);
        char number[32], text[CAUSES_TEXT];
        size_t before;
        printf("%14s  core %u issues", report_number(s->cycle, number), c->core);
        if (s->count > 1) printf(" %u instructions", s->count);
        if (l) printf(" (0x%" PRIx32 ", line %u)", s->pc, recording_line(l->code, s->pc));
        more = causes_core_of(c, step, text, &before);
        printf(": %s\n", text);
        step = before;
    }
}

static bool explain_core(const struct recording *r, const struct place *p, uint64_t depth, struct error *e) {
    struct causes_core c = {0};
    size_t step;
    bool good = causes_core_read(&c, r, p->unit, p->number, p->cycle, e);
    if (good && causes_core_awaited(&c, p->cycle, &step)) {
        print_head(r, p);
        print_core_chain(&c, step, depth);
    } else if (good) {
        good = error_set(
            e, EXIT_USER, "%s: core %u issues no instruction in cycle %" PRIu64 " or the %u after it%s",
            r->path, p->number, p->cycle, CAUSES_CYCLES,
            is_mimd(r, p->cycle) ? "" : ": that launch runs in SIMT mode, with warps (warp0@...)");
    }
    causes_core_free(&c);
    return good;
}

static bool explain(const struct options *o, const struct recording *r, struct error *e) {
    struct place p;
    if (!find_place(r, o->place, &p, e)) return false;
    return (p.core ? explain_core : explain_warp)(r, &p, o->depth, e);
}

static int command(int argc, char **argv) {
    struct options o = {.depth = 8};
    struct recording r;
    struct error e = {0};
    arguments_parse(&why_argp, argc, argv, 0, &o);
    bool good = recording_open(&r, o.recording, &e);
    if (good) {
        good = explain(&o, &r, &e);
        recording_close(&r);
    }
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_why = {117, "why a warp or core is where it is in a cycle", command};

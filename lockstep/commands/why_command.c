/* `lockstep why`: why a warp is in its state in a cycle of a recording. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/report.h"
#include "lockstep/run/recording_options.h"
#include "recording/causes.h"
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
    .args_doc = "[UNIT.]warpN[.SIGNAL]@CYCLE RECORDING.lsr",
    .doc =
        "Says what a warp waits for in a cycle, and what that waits for, and so on, until memory, the begin "
        "of a work-group, or --depth."
        "\v"
        "The causes follow from the cycles in which stages begin and end (docs/timing.md, docs/gpu-like.md). "
        "Cores in MIMD mode are not explained.\n"
        "\n"
        "Examples:\n"
        "  lockstep run --record my.lsr -- ./my_program\n"
        "  lockstep why warp3@9771400 my.lsr\n"
        "  lockstep why cluster1.warp0.now@5000 --depth 20 my.lsr",
};

/* Parses the place "[UNIT.]warpN[.SIGNAL]@CYCLE". */
static bool find_place(const struct recording *r, const char *place, unsigned *unit, unsigned *warp,
                       uint64_t *cycle, struct error *e) {
    const char *at = strrchr(place, '@'), *name = place;
    int used = 0, all = 0;
    *unit = 0;
    for (unsigned n = 0; n < r->unit_count; ++n) {
        const size_t length = strlen(r->units[n].name);
        if (strncmp(place, r->units[n].name, length) != 0 || place[length] != '.') continue;
        *unit = n;
        name = place + length + 1;
    }
    if (!at || sscanf(name, "warp%u%n", warp, &used) != 1 || (name[used] != '.' && name[used] != '@') ||
        sscanf(at, "@%" SCNu64 "%n", cycle, &all) != 1 || at[all] || at[1] == '-')
        return error_set(e, EXIT_USER,
                         "'%s': a warp and a cycle are needed, as in warp3@12000 or %s.warp3.now@12000",
                         place, r->units[0].name);
    if (name == place && r->unit_count > 1)
        return error_set(e, EXIT_USER, "'%s': which of %zu clusters? Write %s.%s", place, r->unit_count,
                         r->units[0].name, place);
    if (*warp >= r->units[*unit].warps)
        return error_set(e, EXIT_USER, "'%s': %s has warps 0 to %u", place, r->units[*unit].name,
                         r->units[*unit].warps - 1);
    if (*cycle >= r->end)
        return error_set(e, EXIT_USER, "'%s': %s ends at cycle %" PRIu64, place, r->path, r->end - 1);
    return true;
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

static bool explain(const struct options *o, const struct recording *r, struct error *e) {
    unsigned unit, warp;
    uint64_t cycle;
    struct causes c = {0};
    struct causes_at at;
    bool good = find_place(r, o->place, &unit, &warp, &cycle, e) && causes_read(&c, r, unit, cycle, e);
    if (good && causes_awaited(&c, warp, cycle, &at)) {
        char number[32];
        printf("in cycle %s %s.warp%u waits for this:\n", report_number(cycle, number), r->units[unit].name,
               warp);
        print_chain(&c, at, o->depth);
    } else if (good) {
        good =
            error_set(e, EXIT_USER, "%s: warp %u has no instruction in cycle %" PRIu64 " or the %u after it",
                      r->path, warp, cycle, CAUSES_CYCLES);
    }
    causes_free(&c);
    return good;
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

const struct command_row command_why = {117, "why a warp is where it is in a cycle", command};

/* `lockstep why`: why a warp, a core or a block is in its state in a cycle of a recording. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/report.h"
#include "lockstep/commands/tools.h"
#include "lockstep/run/recording_options.h"
#include "lockstep/run/repetition.h"
#include "lockstep/why/block_causes.h"
#include "recording/causes_core.h"
#include "recording/description.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
    .args_doc = "[UNIT.]warpN[.SIGNAL]@CYCLE RECORDING.lsr\n[UNIT.]coreN[.SIGNAL]@CYCLE RECORDING.lsr\n"
                "[UNIT.][PLACE.]BLOCK.SIGNAL@CYCLE RECORDING.lsr",
    .doc =
        "Says what a warp, a core in MIMD mode or a signal of a block waits for in a cycle. Then says what "
        "that "
        "waits for, and so on. Stops at memory, at the begin of a work-group or launch, or after --depth "
        "steps."
        "\v"
        "The causes follow from the cycles in which stages begin and end (docs/timing.md, docs/gpu-like.md). "
        "A signal of level 2 of a block is explained by the instruction that is in the block, or comes next. "
        "For other ports and flip-flops of blocks the program runs again; their causes are the inputs and "
        "flip-flops that change them. "
        "Loads and stores of cores are named with their address if the run was recorded with "
        "--record-accesses.\n"
        "\n"
        "Examples:\n"
        "  lockstep run --record my.lsr -- ./my_program\n"
        "  lockstep why warp3@9771400 my.lsr\n"
        "  lockstep why cluster1.warp0.now@5000 --depth 20 my.lsr\n"
        "  lockstep why core0@5000 my.lsr\n"
        "  lockstep why warp_scheduler.grant_o@9771400 my.lsr\n"
        "  lockstep why 'warp_pc_arbiter.participating_o[5]@9771400' my.lsr",
};

enum place_kind { PLACE_WARP, PLACE_CORE, PLACE_BLOCK };
static const char *const kind_name[] = {"warp", "core"};
static const char *const kind_signals[] = {"now, pc, line, participating, in_flight, item",
                                           "state, runs, pc, line, work_group"};

/* A warp, a core or a signal of a block in a cycle. */
struct place {
    unsigned unit, number;
    enum place_kind kind;
    const char *name; /* name in the unit, up to '@' */
    uint64_t cycle;
};

/* Returns whether a list "a, b, c" has a word. */
static bool has_word(const char *list, const char *word, size_t length) {
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 2 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || !at[length])) return true;
    return false;
}

/* Checks the number of a warp or core, and its signal. */
static bool is_in_unit(const struct recording *r, const char *place, const struct place *p, struct error *e) {
    const struct recording_unit *u = &r->units[p->unit];
    const unsigned count = p->kind == PLACE_CORE ? u->cores : u->warps;
    const char *kind = kind_name[p->kind], *signal = p->name + strcspn(p->name, ".@");
    const size_t length = strcspn(signal, "@");
    if (!count) return error_set(e, EXIT_USER, "'%s': %s has no %ss", place, u->name, kind);
    if (p->number >= count)
        return error_set(e, EXIT_USER, "'%s': %s has %ss 0 to %u", place, u->name, kind, count - 1);
    return *signal != '.' || has_word(kind_signals[p->kind], signal + 1, length - 1) ||
           error_set(e, EXIT_USER, "'%s': signals of a %s are %s", place, kind, kind_signals[p->kind]);
}

/* Reads "warpN" or "coreN" at the beginning of the name; other names are those of blocks. */
static void read_kind(struct place *p) {
    for (unsigned n = 0; n < 2; ++n) {
        int used = 0;
        char format[16];
        snprintf(format, sizeof format, "%s%%u%%n", kind_name[n]);
        p->kind = (enum place_kind)n;
        if (sscanf(p->name, format, &p->number, &used) == 1 && (p->name[used] == '.' || p->name[used] == '@'))
            return;
    }
    p->kind = PLACE_BLOCK;
}

/* Parses the place "[UNIT.]warpN[.SIGNAL]@CYCLE", one with coreN, or "[UNIT.]BLOCK.SIGNAL@CYCLE". */
static bool find_place(const struct recording *r, const char *place, struct place *p, struct error *e) {
    const char *at = strrchr(place, '@');
    int all = 0;
    *p = (struct place){.name = place};
    for (unsigned n = 0; n < r->unit_count; ++n) {
        const size_t length = strlen(r->units[n].name);
        if (strncmp(place, r->units[n].name, length) != 0 || place[length] != '.') continue;
        p->unit = n;
        p->name = place + length + 1;
    }
    read_kind(p);
    if (!at || sscanf(at, "@%" SCNu64 "%n", &p->cycle, &all) != 1 || at[all] || at[1] == '-')
        return error_set(e, EXIT_USER,
                         "'%s': a signal and a cycle are needed, as in warp3@12000, core0@12000 or "
                         "%s.warp3.now@12000",
                         place, r->units[0].name);
    if (p->name == place && r->unit_count > 1)
        return error_set(e, EXIT_USER, "'%s': which of %zu clusters? Write %s.%s", place, r->unit_count,
                         r->units[0].name, place);
    if (p->cycle >= r->end)
        return error_set(e, EXIT_USER, "'%s': %s ends at cycle %" PRIu64, place, r->path, r->end - 1);
    return p->kind == PLACE_BLOCK || is_in_unit(r, place, p, e);
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

static void print_head(const struct recording *r, const struct place *p, const char *does) {
    char number[32];
    printf("in cycle %s %s.%.*s %s this:\n", report_number(p->cycle, number), r->units[p->unit].name,
           (int)strcspn(p->name, p->kind == PLACE_BLOCK ? "@" : ".@"), p->name, does);
}

static bool explain_warp(const struct recording *r, const struct place *p, uint64_t depth, struct error *e) {
    struct causes c = {0};
    struct causes_at at;
    bool good = causes_read(&c, r, p->unit, p->cycle, e);
    if (good && causes_awaited(&c, p->number, p->cycle, &at)) {
        print_head(r, p, "waits for");
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
        print_head(r, p, "waits for");
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

/* Goes on at an event of an instruction, in the records. `name`: of the block, which may have a scheduler's
 * warps only. */
static bool print_event(const struct recording *r, unsigned unit, const char *name,
                        const struct block_event *event, uint64_t depth, struct error *e) {
    unsigned scheduler = 0;
    sscanf(name, "scheduler%u.", &scheduler);
    struct causes c = {0};
    struct causes_at at;
    if (!depth || !event->is_any) return true;
    const bool good = causes_read(&c, r, unit, event->cycle, e);
    const unsigned warp = c.sm ? event->warp * c.schedulers + scheduler : event->warp;
    if (good && causes_event(&c, warp, event->stamp, event->cycle, &at)) print_chain(&c, at, depth);
    causes_free(&c);
    return good;
}

#define PORT_CYCLES 5000 /* cycles before the one asked for in which causes are looked for */

static bool print_ports(const struct recording *r, const struct place *p, struct block_model *m,
                        uint64_t depth, struct error *e) {
    const size_t n = block_model_find(m, p->cycle);
    struct block_bits bits;
    struct block_event event;
    if (n == block_model_cycles(m))
        return error_set(e, EXIT_USER, "'%s': no warp runs in that cycle: blocks have values %s only",
                         p->name, m->lone ? "while a kernel runs" : "in SIMT mode");
    if (!block_causes_parse(m, p->name, &bits, e)) return false;
    print_head(r, p, "depends on");
    const uint64_t lines = block_causes_print(m, &bits, n, depth, stdout, &event);
    return print_event(r, p->unit, block_model_name(m, 0), &event, depth - lines, e);
}

/* Explains a port of the co-processor's blocks by their C models. */
static bool explain_coprocessor(const struct recording *r, const struct place *p, const struct window *w,
                                struct block_model *m, const char *folder, uint64_t depth, struct error *e) {
    struct block_history h = {0};
    const bool good = repetition_blocks(r, w, p->unit, &h, e) && block_model_open(m, &h, folder, e) &&
                      print_ports(r, p, m, depth, e);
    block_model_free(m);
    block_history_free(&h);
    return good;
}

/* Prints the causes of a port of a block that is not part of the SIMT co-processor. They are found with its
 * Verilog (lone_block.h). */
static bool explain_lone(const struct recording *r, const struct place *p, const struct window *w,
                         struct block_model *m, const char *folder, uint64_t depth, struct error *e) {
    struct lone_block *l = calloc(1, sizeof *l);
    char name[2 * TWIN_PLACE_NAME];
    const char *end = p->name + strcspn(p->name, "[@");
    require_memory(l);
    while (*end != '.') --end;
    snprintf(name, sizeof name, "%.*s", (int)(end - p->name), p->name);
    bool good = repetition_lone_block(r, w, p->unit, name, folder, l, e);
    if (good) {
        block_model_open_lone(m, l);
        good = print_ports(r, p, m, depth, e);
        block_model_free(m);
    }
    lone_block_free(l);
    free(l);
    return good;
}

/* Runs the program again up to the cycle, for ports and flip-flops of blocks. */
static bool explain_port(const struct recording *r, const struct place *p, uint64_t depth, struct error *e) {
    const struct window w = {.first = p->cycle > PORT_CYCLES ? p->cycle - PORT_CYCLES : 0, .last = p->cycle};
    struct tools tools;
    if (!tools_find(&tools, e)) return false;
    struct block_model *m = aligned_alloc(_Alignof(struct block_model), sizeof *m);
    require_memory(m);
    memset(m, 0, sizeof *m);
    const bool of_coprocessor = !r->units[p->unit].sm && block_model_has(p->name);
    const bool good = (of_coprocessor ? explain_coprocessor : explain_lone)(r, p, &w, m, tools.rtl, depth, e);
    free(m);
    return good;
}

static bool explain_block(const struct recording *r, const struct place *p, uint64_t depth, struct error *e) {
    struct causes c = {0};
    struct causes_at at;
    bool good = causes_read(&c, r, p->unit, p->cycle, e);
    if (good && (block_model_has(p->name) || lone_block_is_port(p->name)) &&
        causes_signal(&c, p->name, p->cycle, &at) == CAUSES_SIGNAL_NONE) {
        causes_free(&c);
        return explain_port(r, p, depth, e);
    }
    switch (good ? causes_signal(&c, p->name, p->cycle, &at) : CAUSES_SIGNAL_HAS) {
    case CAUSES_SIGNAL_NONE:
        good = error_set(e, EXIT_USER,
                         "'%s': no such signal is explained; those of warps (warp3), cores (core0) "
                         "and of blocks are: %s",
                         p->name, causes_signals(&r->units[p->unit]));
        break;
    case CAUSES_SIGNAL_REST:
        good = error_set(e, EXIT_USER, "'%s': nothing happens there in that cycle or the %u after it",
                         p->name, CAUSES_CYCLES);
        break;
    default:
        if (!good) break;
        print_head(r, p, "waits for");
        print_chain(&c, at, depth);
    }
    causes_free(&c);
    return good;
}

static bool explain(const struct options *o, const struct recording *r, struct error *e) {
    static bool (*const of_kind[])(const struct recording *, const struct place *, uint64_t,
                                   struct error *) = {
        [PLACE_WARP] = explain_warp, [PLACE_CORE] = explain_core, [PLACE_BLOCK] = explain_block};
    struct place p;
    return find_place(r, o->place, &p, e) && of_kind[p.kind](r, &p, o->depth, e);
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

const struct command_row command_why = {117, "why a warp, a core or a block is where it is", command};

#include "lockstep/run/run_options.h"

#include "lockstep/commands/arguments.h"
#include "lockstep/run/run_last.h"
#include "lockstep/run/run_waves.h"
#include "lockstep/output/outputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_TRACE = 256,
    KEY_TRACE_CYCLES,
    KEY_TRACE_LEVEL,
    KEY_TRACE_PACKING,
    KEY_TRACE_FLUSH,
    KEY_STATS,
    KEY_RECORD,
    KEY_RECORD_ACCESSES,
    KEY_RECORD_BLOCKS,
    KEY_WHEN,
    KEY_TRACE_LAST,
    KEY_INJECT,
    KEY_GDB
};

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), n = strlen(ending);
    return length > n && strcmp(path + length - n, ending) == 0;
}

static void add_window(struct run_options *o, struct machine_window w) {
    o->trace_windows = realloc(o->trace_windows, (o->trace_window_count + 1) * sizeof w);
    require_memory(o->trace_windows);
    o->trace_windows[o->trace_window_count++] = w;
}

static struct machine_window parse_cycles(const char *option, const char *argument,
                                          struct argp_state *state) {
    struct machine_window w;
    int used = -1;
    errno = 0;
    if (sscanf(argument, "%" SCNu64 ":%" SCNu64 "%n", &w.first, &w.last, &used) != 2 || errno ||
        argument[used] || strchr(argument, '-') || w.last < w.first)
        argp_error(state, "%s %s: FIRST:LAST is needed, two numbers of cycles, FIRST not above LAST", option,
                   argument);
    if (w.first > MACHINE_WINDOW_MAX)
        argp_error(state, "%s %s: no run comes to that cycle: the last is %" PRIu64, option, argument,
                   MACHINE_WINDOW_MAX);
    if (w.last > MACHINE_WINDOW_MAX) w.last = UINT64_MAX;
    return w;
}

static int by_first(const void *a, const void *b) {
    const struct machine_window *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Sorts windows and merges overlapping or adjacent ones. */
static void order_windows(struct run_options *o) {
    struct machine_window *w = o->trace_windows;
    size_t kept = 0;
    qsort(w, o->trace_window_count, sizeof *w, by_first);
    for (size_t i = 1; i < o->trace_window_count; i++) {
        if (w[kept].last == UINT64_MAX) break;
        if (w[i].first > w[kept].last + 1)
            w[++kept] = w[i];
        else if (w[i].last > w[kept].last)
            w[kept].last = w[i].last;
    }
    o->trace_window_count = kept + 1;
}

static const char *parse_trace(const char *path, struct argp_state *state) {
    if (!ends_in(path, ".fst") && !ends_in(path, ".vcd"))
        argp_error(state,
                   "--trace %s: the name must end in .fst or .vcd, which says the format (the view beside it "
                   "ends in .gtkw)",
                   path);
    if (!outputs_in_view(path))
        argp_error(state,
                   "--trace %s: a name with a line break, another control character or a quote cannot "
                   "stand in the view beside it",
                   path);
    return path;
}

static const char *parse_record(const char *path, struct argp_state *state) {
    if (!ends_in(path, ".lsr"))
        argp_error(state, "--record %s: the name of a recording must end in .lsr", path);
    return path;
}

static enum trace_packing parse_packing(const char *argument, struct argp_state *state) {
    static const char *const names[] = {
        [TRACE_LZ4] = "lz4", [TRACE_FASTLZ] = "fastlz", [TRACE_ZLIB] = "zlib"};
    for (enum trace_packing p = TRACE_LZ4; p <= TRACE_ZLIB; p++)
        if (!strcmp(argument, names[p])) return p;
    argp_error(state, "--trace-packing %s: it is one of lz4, fastlz, zlib", argument);
    return TRACE_LZ4;
}

static unsigned parse_level(const char *argument, struct argp_state *state) {
    if (*argument < '0' || *argument > '3' || argument[1])
        argp_error(state, "--trace-level %s: levels are 0 to 3", argument);
    return (unsigned)(*argument - '0');
}

static uint32_t parse_flush(const char *argument, struct argp_state *state) {
    char *end;
    const unsigned long n = strtoul(argument, &end, 10);
    if (*argument < '0' || *argument > '9' || *end || n < 1 || n > TRACE_MAX_FLUSH_CHANGES)
        argp_error(state, "--trace-flush %s: a number of value changes is needed, 1 to %u", argument,
                   TRACE_MAX_FLUSH_CHANGES);
    return (uint32_t)n;
}

static uint64_t parse_last(const char *argument, struct argp_state *state) {
    if (!argument) return RUN_LAST_CYCLES;
    if (*argument < '1' || *argument > '9' || strspn(argument, "0123456789") != strlen(argument) ||
        strlen(argument) > 9)
        argp_error(state, "--trace-last=%s: a number of cycles is needed, 1 to 999999999", argument);
    return strtoull(argument, NULL, 10);
}

static void parse_faults(struct injection_plan *p, const char *argument, struct argp_state *state) {
    char message[200];
    if (!injection_read(p, argument, message, sizeof message))
        argp_error(state, "--inject %s: %s", argument, message);
}

static unsigned parse_port(const char *argument, struct argp_state *state) {
    char *end;
    if (!argument) return 0;
    const unsigned long n = strtoul(argument, &end, 10);
    if (*argument < '0' || *argument > '9' || *end || n < 1 || n > 65535)
        argp_error(state, "--gdb=%s: a port of this computer is needed, 1 to 65535", argument);
    return (unsigned)n;
}

/* Checks that no output is an input. A word of the program's command line may be a file that it reads. */
static bool spares_inputs(const struct run_options *o, const struct output_name *outputs, size_t count,
                          struct error *e) {
    bool good = outputs_spare(outputs, count, "the configuration", o->machine.config_path, e);
    for (unsigned b = 0; good && b < CLUSTER_BLOCK_COUNT; b++)
        for (unsigned f = 0; good && f < o->rtl.twins.source[b].count; f++)
            good = outputs_spare(outputs, count, "Verilog of --rtl", o->rtl.twins.source[b].item[f].text, e);
    for (char **word = o->argv; good && word && *word; word++)
        good = outputs_spare(outputs, count, word == o->argv ? "the program" : "an argument of the program",
                             *word, e);
    return good;
}

/* Checks every file that the run may write; waveforms with their views. */
static void check_outputs(const struct run_options *o, struct argp_state *state) {
    const char *window = o->rtl.on ? o->rtl.twins.window : NULL;
    char *trace_view = o->trace_path ? trace_view_path(o->trace_path) : NULL;
    char *window_view = window ? trace_view_path(window) : NULL;
    const struct output_name outputs[] = {{"--trace", o->trace_path},
                                          {"the view of --trace,", trace_view},
                                          {"--rtl-window", window},
                                          {"the view of --rtl-window,", window_view},
                                          {"--stats", o->stats_path},
                                          {"--record", o->record_path},
                                          {"--log", o->log.path},
                                          {"--junit", o->rtl.junit},
                                          {"--trace-last", o->trace_last ? RUN_LAST_PATH : NULL},
                                          {"the view of --trace-last,", o->trace_last ? "last.gtkw" : NULL}};
    struct error e = {0};
    const size_t count = sizeof outputs / sizeof *outputs;
    if (!outputs_check(outputs, count, &e) || !spares_inputs(o, outputs, count, &e))
        argp_error(state, "%s", e.message);
    free(trace_view);
    free(window_view);
}

static void check_stats(const char *path, struct argp_state *state) {
    if (path && !ends_in(path, ".json") && !ends_in(path, ".csv") && !ends_in(path, ".txt"))
        argp_error(state, "--stats %s: the name must end in .json, .csv or .txt, which says the format",
                   path);
}

/* Parses UNIT,FIRST:LAST,BLOCK,FILE, which `lockstep why` passes. */
static void parse_blocks(struct run_options *o, const char *argument, struct argp_state *state) {
    int used = 0;
    if (sscanf(argument, "%u,%" SCNu64 ":%" SCNu64 ",%79[^,],%n", &o->blocks_unit, &o->blocks_window.first,
               &o->blocks_window.last, o->blocks_name, &used) != 4 ||
        !used || !argument[used])
        argp_error(state, "--record-blocks %s: UNIT,FIRST:LAST,BLOCK,FILE is needed", argument);
    o->blocks_path = argument + used;
}

/* Refuses conflicting options. */
static void check_options(struct run_options *o, struct argp_state *state) {
    if (!o->trace_path && o->trace_window_count)
        argp_error(state, "--trace-cycles says which cycles are traced, but --trace does not say where to");
    if (!o->trace_path && (o->trace_packed || o->trace.flush_changes))
        argp_error(state, "--trace-packing and --trace-flush say how a waveform is written, but --trace does "
                          "not say where to");
    if (!o->trace_path && o->trace_levelled)
        argp_error(state, "--trace-level says how much is traced, but --trace does not say where to");
    if (o->trace_level < RUN_WAVES_RTL && (o->trace_packed || o->trace.flush_changes))
        argp_error(state,
                   "--trace-packing and --trace-flush are of --trace-level 3: lower levels are written "
                   "at the end of the run");
    if (o->trace_level < RUN_WAVES_RTL && o->trace_window_count > 1)
        argp_error(state,
                   "--trace-level %u shows one window: give --trace-cycles once, or record the run and "
                   "choose cycles afterwards (lockstep waves)",
                   o->trace_level);
    if (o->trace_packed && ends_in(o->trace_path, ".vcd"))
        argp_error(state, "--trace-packing is of .fst files: %s is not compressed", o->trace_path);
    if (o->records_accesses && !o->record_path)
        argp_error(state,
                   "--record-accesses says which accesses are recorded, but --record does not say where to");
    if (o->trace_path && o->trace_last)
        argp_error(state, "--trace-last traces the end of a run, --trace names the cycles: leave one out");
    if (injection_wanted(&o->inject) && o->trace_last)
        argp_error(state, "--trace-last traces one run, --inject runs many: leave one out");
    check_outputs(o, state);
    check_stats(o->stats_path, state);
    if (!o->trace_window_count) add_window(o, (struct machine_window){0, UINT64_MAX});
    order_windows(o);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct run_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        o->trace_level = RUN_WAVES_RTL;
        state->child_inputs[0] = &o->machine;
        state->child_inputs[1] = &o->execution;
        state->child_inputs[2] = &o->rtl;
        state->child_inputs[3] = &o->log;
        return 0;
    case KEY_TRACE:
        if (o->trace_path) argp_error(state, "--trace is given twice: a run writes one waveform");
        o->trace_path = parse_trace(argument, state);
        return 0;
    case KEY_TRACE_CYCLES: add_window(o, parse_cycles("--trace-cycles", argument, state)); return 0;
    case KEY_TRACE_LEVEL:
        o->trace_level = parse_level(argument, state);
        o->trace_levelled = true;
        return 0;
    case KEY_TRACE_PACKING:
        o->trace.packing = parse_packing(argument, state);
        o->trace_packed = true;
        return 0;
    case KEY_TRACE_FLUSH: o->trace.flush_changes = parse_flush(argument, state); return 0;
    case KEY_TRACE_LAST: o->trace_last = parse_last(argument, state); return 0;
    case KEY_STATS:
        if (o->stats_path) argp_error(state, "--stats is given twice: a run writes one file of them");
        o->stats_path = argument;
        return 0;
    case KEY_RECORD:
        if (o->record_path) argp_error(state, "--record is given twice: a run writes one recording");
        o->record_path = parse_record(argument, state);
        return 0;
    case KEY_WHEN:
        if (o->when) argp_error(state, "--when is given twice: join the conditions by || or &&");
        o->when = argument;
        return 0;
    case KEY_RECORD_ACCESSES:
        o->records_accesses = true;
        o->accesses = argument ? parse_cycles("--record-accesses", argument, state)
                               : (struct machine_window){0, UINT64_MAX};
        return 0;
    case KEY_RECORD_BLOCKS: parse_blocks(o, argument, state); return 0;
    case KEY_INJECT: parse_faults(&o->inject, argument, state); return 0;
    case KEY_GDB:
        o->gdb = true;
        o->gdb_port = parse_port(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        o->argv = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no program is given"); return 0;
    case ARGP_KEY_END: check_options(o, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {NULL, 0, NULL, 0, "Machine:", 1},
    {NULL, 0, NULL, 0, "Waveforms and statistics:", 3},
    {"trace", KEY_TRACE, "FILE", 0, "Write FILE.fst or .vcd, and a view FILE.gtkw", 3},
    {"trace-cycles", KEY_TRACE_CYCLES, "FIRST:LAST", 0, "Trace only these cycles; repeatable", 3},
    {"trace-level", KEY_TRACE_LEVEL, "LEVEL", 0, "As of `lockstep waves`; 3 (default) has all", 3},
    {"trace-last", KEY_TRACE_LAST, "N", OPTION_ARG_OPTIONAL,
     "After a failure: its last N cycles, in last.fst", 3},
    {"trace-packing", KEY_TRACE_PACKING, "PACKING", 0, "lz4 (default), fastlz or zlib (smallest)", 3},
    {"trace-flush", KEY_TRACE_FLUSH, "CHANGES", 0, "Value changes between flushes (default: 65536)", 3},
    {"stats", KEY_STATS, "FILE", 0, "Write FILE.json (all), or counters as .csv, .txt", 3},
    {"record", KEY_RECORD, "FILE.lsr", 0, "Record every instruction, for `lockstep waves`", 3},
    {"record-accesses", KEY_RECORD_ACCESSES, "A:B", OPTION_ARG_OPTIONAL, "And the accesses of (these) cycles",
     3},
    {"record-blocks", KEY_RECORD_BLOCKS, "UNIT,A:B,BLOCK,FILE", OPTION_HIDDEN, "For `lockstep why`", 3},
    {"when", KEY_WHEN, "CONDITION", 0, "Say when it holds (docs/trace.md)", 3},
    {"inject", KEY_INJECT, "PLACE=N[,PLACE=N...][,seed=S]", 0,
     "Then run N times more, each with a bit flipped in alu, register, srf or irb (docs/faults.md)", 5},
    {"gdb", KEY_GDB, "PORT", OPTION_ARG_OPTIONAL, "Wait for gdb at the first kernel (docs/gdb.md)", 5},
    {0},
};

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0},
                                             {&execution_options_argp, 0, NULL, 0},
                                             {&rtl_options_argp, 0, NULL, 0},
                                             {&run_log_argp, 0, NULL, 0},
                                             {0}};

static const struct argp run_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "PROGRAM [ARGUMENT...]",
    .doc =
        "Runs PROGRAM, an ordinary OpenCL program, with the simulated machine as its OpenCL device. Standard "
        "output is the program's; tables and messages go to standard error."
        "\v"
        ""
        "Examples:\n"
        "  lockstep run --trace my.fst --trace-cycles 5000:9000 -- ./my_program\n"
        "  gtkwave my.fst my.gtkw\n"
        "  lockstep run --config my_machine.yaml --stats my.json -- ./my_program\n"
        "  lockstep run --set simt.warp_size=16 --set mem.latency=100 -- ./my_program\n"
        "  lockstep run --rtl check,warp_pc_arbiter=drive -- ./my_program\n"
        "\n"
        "Exit status: PROGRAM's own if the simulation was sound; otherwise\n  120 a mistake in the simulated "
        "program\n  121 a C model and its Verilog disagree, or a contract is broken\n  122 a mistake in "
        "Lockstep\n  125 a wrong configuration or command, missing memory, disk or tools, Ctrl-C\n  126, 127 "
        "PROGRAM cannot be run, or was not found\n  128 + N PROGRAM was killed by signal N",
};

void run_options_parse(struct run_options *o, int argc, char **argv) {
    *o = (struct run_options){0};
    arguments_parse(&run_argp, argc, argv, ARGP_IN_ORDER, o);
}

void run_options_free(struct run_options *o) {
    machine_options_free(&o->machine);
    rtl_options_free(&o->rtl);
    free(o->log.path);
    free(o->trace_windows);
}

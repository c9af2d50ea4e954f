#include "lockstep/rtl/rtl_options.h"

#include "lockstep/rtl/rtl_items.h"
#include "sim/nearest.h"
#include "tb/verilated/verilog_guard.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_RTL = 3000,
    KEY_SEED,
    KEY_WINDOW,
    KEY_CYCLES,
    KEY_LIMIT,
    KEY_JUNIT
}; /* different from the keys of the other parsers */

static enum cluster_block parse_block(const char *argument, const char *name, size_t length,
                                      struct argp_state *state) {
    enum cluster_block b = twin_block_find(name, length);
    if (b == CLUSTER_BLOCK_COUNT)
        argp_error(state, "--rtl %s: no block is called '%.*s'%s: there are %s", argument, (int)length, name,
                   nearest_hint(name, length, twin_block_names()), twin_block_names());
    return b;
}

/* Parses BLOCK=MODE or BLOCK=MODE:FILE. Replaces earlier settings of the block. */
static enum cluster_block parse_slot(struct twins_options *o, const struct rtl_items *i, const char *word,
                                     size_t length) {
    const size_t name = strcspn(word, "=");
    const enum cluster_block b = parse_block(i->argument, word, name, i->state);
    o->mode[b] = rtl_items_first(i, twin_block[b].name, &o->source[b], word + name + 1, length - name - 1);
    o->named[b] = true;
    return b;
}

/* Parses items separated by commas: MODE for all blocks (blocks that consist of others must be named),
 * BLOCK=MODE, or BLOCK=MODE:FILE with its items. */
static void parse_rtl(struct twins_options *o, const char *argument, struct argp_state *state) {
    const struct rtl_items items = {"--rtl ", argument, state};
    enum cluster_block current = CLUSTER_BLOCK_COUNT;
    for (const char *item = argument;; item++) {
        const size_t length = strcspn(item, ","), name = strcspn(item, "=,");
        const bool more = current != CLUSTER_BLOCK_COUNT && o->source[current].count > 0;
        if (name < length && *item != '-' &&
            (!more || !rtl_items_is_file(item, length) ||
             twin_block_find(item, name) != CLUSTER_BLOCK_COUNT)) {
            current = parse_slot(o, &items, item, length);
        } else if (more) {
            rtl_items_next(&items, &o->source[current], item, length);
        } else {
            const enum twins_mode m = rtl_items_mode(&items, item, length);
            if (m == TWINS_REPLACE)
                argp_error(state, "--rtl %s: replace is for Verilog of your own: BLOCK=replace:FILE.sv",
                           argument);
            for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++)
                if (m == TWINS_OFF || twin_block_is_pure(b)) o->mode[b] = m;
        }
        item += length;
        if (!*item) return;
    }
}

static void check_options(struct rtl_options *o, struct argp_state *state) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++) o->on |= o->twins.mode[b] != TWINS_OFF;
    if (o->twins.window && !o->on)
        argp_error(state, "--rtl-window says where a mismatch is shown, but --rtl is off");
    if (o->twins.seed && !o->on)
        argp_error(state, "--rtl-seed says with what flip-flops of Verilog begin, but --rtl is off");
    for (enum cluster_block b = 0; o->twins.cycles && b < CLUSTER_BLOCK_COUNT; b++)
        if (o->twins.mode[b] > TWINS_CHECK)
            argp_error(state, "--rtl-cycles says how long is compared, but %s drives the machine: mode check",
                       twin_block[b].name);
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++)
        if (o->twins.mode[b] == TWINS_REPLACE && o->twins.source[b].pure)
            argp_error(
                state,
                "--rtl: pure speaks of the flip-flops that are compared: with %s=replace there are none",
                twin_block[b].name);
    if (o->twins.cycles && !o->on)
        argp_error(state, "--rtl-cycles says how long is compared, but --rtl is off");
    if (o->twins.limit && !o->on)
        argp_error(state, "--rtl-limit says how long Verilog may work without a cycle, but --rtl is off");
    if (o->junit && !o->on)
        argp_error(state, "--junit says where results of comparisons go, but --rtl is off");
    if (!o->twins.limit) o->twins.limit = VERILOG_GUARD_SECONDS;
    if (!o->twins.window) o->twins.window = "mismatch.fst";
    if (!o->twins.seed) o->twins.seed = 1;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct rtl_options *o = state->input;
    switch (key) {
    case KEY_RTL: parse_rtl(&o->twins, argument, state); return 0;
    case KEY_SEED: o->twins.seed = (int)rtl_items_number("--rtl-seed", argument, 1, INT_MAX, state); return 0;
    case KEY_CYCLES:
        o->twins.cycles = rtl_items_number("--rtl-cycles", argument, 1, ULONG_MAX, state);
        return 0;
    case KEY_LIMIT: o->twins.limit = rtl_items_limit(argument, state); return 0;
    case KEY_WINDOW:
        o->twins.window = rtl_items_window("--rtl-window", argument, state);
        o->window_given = true;
        return 0;
    case KEY_JUNIT: o->junit = argument; return 0;
    case ARGP_KEY_END: check_options(o, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Verilog (blocks and words of MODE: lockstep help rtl):", 6},
    {"rtl", KEY_RTL, "MODE", 0, "off (default), check or drive, of all blocks; BLOCK=MODE[:FILE.sv] of one",
     6},
    {"rtl-seed", KEY_SEED, "N", 0, "Seed of X and flip-flops without reset", 6},
    {"rtl-cycles", KEY_CYCLES, "N", 0, "Compare the first N cycles and their work-groups (mode check)", 6},
    {"rtl-limit", KEY_LIMIT, "SECONDS", 0, "CPU time of Verilog without a cycle (default: 20)", 6},
    {"rtl-window", KEY_WINDOW, "FILE.fst", 0, "Waveform of a mismatch (default: mismatch.fst)", 6},
    {"junit", KEY_JUNIT, "FILE.xml", 0, "Write the result of each block as JUnit's XML", 6},
    {0},
};

static const char topic[] =
    "lockstep run --rtl ITEM[,ITEM...] runs Verilog beside the C models, or in their place.\n"
    "\n"
    "  off            no Verilog (default)\n"
    "  check          Both run and are compared in every cycle.\n"
    "  drive          The Verilog drives the machine, and the C model is compared.\n"
    "  replace        The Verilog is held to the contract of its slot only; BLOCK=replace:FILE.sv.\n"
    "\n"
    "A mode alone holds for all blocks but simt_coprocessor and harp_scheduler, which consist of others.\n"
    "BLOCK=MODE holds for one block, BLOCK=MODE:FILE.sv[,ITEM...] puts your Verilog into its slot.\n"
    "ITEM is one of\n"
    "  FILE.sv, FILE.v                  another file\n"
    "  TOP                              the top module (default: the block's name)\n"
    "  -IFOLDER, -GNAME=VALUE, -DNAME[=VALUE], -Wno-NAME\n"
    "  FILE.c, FILE.cpp                 functions that the design imports by DPI\n"
    "  pure                             no state but flip-flops that are compared\n"
    "\n"
    "Blocks:\n";

void rtl_options_explain(void) {
    fputs(topic, stdout);
    char *names = strdup(twin_block_names()), *rest = names, *name;
    require_memory(names);
    while ((name = strtok_r(rest, ", ", &rest)))
        if (strcmp(name, "and") != 0) printf("  %s\n", name);
    free(names);
    puts("\nlockstep rtl-template BLOCK prints Verilog to begin with; docs/rtl.md explains each block.");
}

const struct argp rtl_options_argp = {.options = options, .parser = parse_option};

void rtl_options_free(struct rtl_options *o) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++) verilog_source_free(&o->twins.source[b]);
}

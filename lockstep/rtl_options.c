#include "lockstep/rtl_options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_RTL = 3000, KEY_SEED, KEY_WINDOW }; /* apart from the keys of the other parsers */

static enum cluster_block parse_block(const char *argument, const char *name, size_t length,
                                      struct argp_state *state) {
    enum cluster_block b = twin_block_find(name, length);
    if (b == CLUSTER_BLOCK_COUNT)
        argp_error(state, "--rtl %s: no block is called '%.*s': there are %s", argument, (int)length, name,
                   twin_block_names());
    return b;
}

static enum twins_mode parse_mode(const char *argument, const char *mode, size_t length,
                                  struct argp_state *state) {
    for (enum twins_mode m = TWINS_OFF; m < TWINS_MODES; m++)
        if (strlen(twins_mode_name[m]) == length && strncmp(twins_mode_name[m], mode, length) == 0) return m;
    argp_error(state, "--rtl %s: '%.*s' is none of off, check, drive and replace", argument, (int)length,
               mode);
    return TWINS_OFF;
}

static bool ends_in(const char *text, size_t length, const char *ending) {
    const size_t n = strlen(ending);
    return length > n && strncmp(text + length - n, ending, n) == 0;
}

static bool is_file(const char *item, size_t length) {
    return ends_in(item, length, ".sv") || ends_in(item, length, ".v");
}

static void add(struct verilog_source *s, enum verilog_item_kind kind, const char *item, size_t length,
                struct argp_state *state) {
    if (!verilog_source_add(s, kind, item, length))
        argp_error(state, "--rtl: more than %u files, folders and options for a block", VERILOG_MAX_ITEMS);
}

/* BLOCK=MODE or BLOCK=MODE:FILE: what was said of the block before is forgotten. */
static enum cluster_block parse_slot(struct twins_options *o, const char *argument, const char *item,
                                     size_t length, struct argp_state *state) {
    const size_t name = strcspn(item, "=");
    const char *mode = item + name + 1;
    const size_t rest = length - name - 1, colon = strcspn(mode, ":,");
    const enum cluster_block b = parse_block(argument, item, name, state);
    const enum twins_mode m = parse_mode(argument, mode, colon < rest ? colon : rest, state);
    verilog_source_free(&o->source[b]);
    o->mode[b] = m;
    o->named[b] = true;
    if (colon >= rest) {
        if (m == TWINS_REPLACE)
            argp_error(state, "--rtl %s: replace is for Verilog of your own: %s=replace:FILE.sv", argument,
                       twin_block[b].name);
        return b;
    }
    if (m == TWINS_OFF) argp_error(state, "--rtl %s: with mode off no Verilog runs", argument);
    if (colon + 1 == rest) argp_error(state, "--rtl %s: a file is missing after the colon", argument);
    add(&o->source[b], VERILOG_FILE, mode + colon + 1, rest - colon - 1, state);
    return b;
}

/* Parses a word that follows BLOCK=MODE:FILE of one block. */
static void parse_item(struct verilog_source *s, const char *argument, const char *item, size_t length,
                       struct argp_state *state) {
    if (length == 0) {
        argp_error(state, "--rtl %s: something is missing beside a comma", argument);
    } else if (length > 2 && strncmp(item, "-I", 2) == 0) {
        add(s, VERILOG_INCLUDE, item, length, state);
    } else if (strncmp(item, "-G", 2) == 0 && memchr(item + 3, '=', length > 3 ? length - 3 : 0)) {
        add(s, VERILOG_PARAMETER, item, length, state);
    } else if ((length > 2 && strncmp(item, "-D", 2) == 0) || strncmp(item, "-Wno-", 5) == 0) {
        add(s, VERILOG_OPTION, item, length, state);
    } else if (*item == '-') {
        argp_error(state, "--rtl %s: '%.*s' is none of -IFOLDER, -GNAME=VALUE, -DNAME[=VALUE] and -Wno-NAME",
                   argument, (int)length, item);
    } else if (is_file(item, length)) {
        add(s, VERILOG_FILE, item, length, state);
    } else if (s->top) {
        argp_error(state, "--rtl %s: '%.*s' is neither a file (.sv, .v), nor the top module, which is %s",
                   argument, (int)length, item, s->top);
    } else {
        char *top = strndup(item, length);
        require_memory(top);
        verilog_source_name(s, top);
        free(top);
    }
}

/* Items with commas between: MODE for all blocks (the whole that they make must be named), BLOCK=MODE, or
 * BLOCK=MODE:FILE and what belongs to it. */
static void parse_rtl(struct twins_options *o, const char *argument, struct argp_state *state) {
    enum cluster_block current = CLUSTER_BLOCK_COUNT;
    for (const char *item = argument;; item++) {
        const size_t length = strcspn(item, ","), name = strcspn(item, "=,");
        const bool more = current != CLUSTER_BLOCK_COUNT && o->source[current].count > 0;
        if (name < length && *item != '-' &&
            (!more || !is_file(item, length) || twin_block_find(item, name) != CLUSTER_BLOCK_COUNT)) {
            current = parse_slot(o, argument, item, length, state);
        } else if (more) {
            parse_item(&o->source[current], argument, item, length, state);
        } else {
            const enum twins_mode m = parse_mode(argument, item, length, state);
            if (m == TWINS_REPLACE)
                argp_error(state, "--rtl %s: replace is for Verilog of your own: BLOCK=replace:FILE.sv",
                           argument);
            for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++)
                if (m == TWINS_OFF || b != CLUSTER_BLOCK_COPROCESSOR) o->mode[b] = m;
        }
        item += length;
        if (!*item) return;
    }
}

static int parse_seed(const char *argument, struct argp_state *state) {
    char *end;
    const unsigned long n = strtoul(argument, &end, 10);
    if (*argument < '0' || *argument > '9' || *end || n < 1 || n > INT_MAX)
        argp_error(state, "--rtl-seed %s: a number is needed, 1 to %d", argument, INT_MAX);
    return (int)n;
}

static void parse_path(struct rtl_options *o, const char *path, struct argp_state *state) {
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".fst") != 0)
        argp_error(state, "--rtl-window %s: the name must end in .fst (the view beside it ends in .gtkw)",
                   path);
    o->twins.window = path;
    o->window_given = true;
}

static void check(struct rtl_options *o, struct argp_state *state) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++) o->on |= o->twins.mode[b] != TWINS_OFF;
    if (o->twins.window && !o->on)
        argp_error(state, "--rtl-window says where a mismatch is shown, but --rtl is off");
    if (o->twins.seed && !o->on)
        argp_error(state, "--rtl-seed says with what flip-flops of Verilog begin, but --rtl is off");
    if (!o->twins.window) o->twins.window = "mismatch.fst";
    if (!o->twins.seed) o->twins.seed = 1;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct rtl_options *o = state->input;
    switch (key) {
    case KEY_RTL: parse_rtl(&o->twins, argument, state); return 0;
    case KEY_SEED: o->twins.seed = parse_seed(argument, state); return 0;
    case KEY_WINDOW: parse_path(o, argument, state); return 0;
    case ARGP_KEY_END: check(o, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"rtl", KEY_RTL, "MODE", 0,
     "Verilog beside the C models: off (default), check (both run and are compared in every cycle) or drive "
     "(the Verilog drives the machine, the C model is compared); of all blocks but the whole that they make, "
     "simt_coprocessor. BLOCK=MODE for one block, several with "
     "commas: %s. BLOCK=MODE:FILE.sv[,ITEM...] for Verilog of your own; ITEM is another FILE.sv or FILE.v, "
     "the "
     "name of the TOP module (default: the block's), -IFOLDER, -GNAME=VALUE, -DNAME[=VALUE] or -Wno-NAME; "
     "MODE may then be replace: held to the contract of the slot only",
     0},
    {"rtl-seed", KEY_SEED, "N", 0,
     "What flip-flops of the Verilog that have no value at reset begin with, and X (default: 1)", 0},
    {"rtl-window", KEY_WINDOW, "FILE.fst", 0,
     "Where the waveform of a mismatch goes, FILE.gtkw beside it (default: mismatch.fst)", 0},
    {0},
};

/* The blocks are named where the help of --rtl has %s. */
static char *fill_help(int key, const char *text, void *input) {
    char *filled = NULL;
    (void)input;
    if (key != KEY_RTL) return (char *)text;
    const char *names = strstr(text, "%s");
    if (asprintf(&filled, "%.*s%s%s", (int)(names - text), text, twin_block_names(), names + 2) < 0)
        return (char *)text;
    return filled;
}

const struct argp rtl_options_argp = {.options = options, .parser = parse, .help_filter = fill_help};

void rtl_options_free(struct rtl_options *o) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++) verilog_source_free(&o->twins.source[b]);
}

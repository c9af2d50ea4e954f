#include "lockstep/rtl_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_RTL = 3000, KEY_SOURCE, KEY_WINDOW }; /* apart from the keys of the other parsers */

/* The names of all blocks: "a, b and c". */
static const char *block_names(void) {
    static char names[CLUSTER_BLOCK_COUNT * VERILOG_MAX_NAME];
    size_t used = 0;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 b == 0                         ? ""
                                 : b == CLUSTER_BLOCK_COUNT - 1 ? " and "
                                                                : ", ",
                                 twin_block[b].name);
    return names;
}

static enum cluster_block parse_block(const char *option, const char *argument, const char *name,
                                      size_t length, struct argp_state *state) {
    enum cluster_block b = twin_block_find(name, length);
    if (b == CLUSTER_BLOCK_COUNT)
        argp_error(state, "--%s %s: no block is called '%.*s': there are %s", option, argument, (int)length,
                   name, block_names());
    return b;
}

static enum twins_mode parse_mode(const char *argument, const char *mode, size_t length,
                                  struct argp_state *state) {
    for (enum twins_mode m = TWINS_OFF; m <= TWINS_DRIVE; m++)
        if (strlen(twins_mode_name[m]) == length && strncmp(twins_mode_name[m], mode, length) == 0) return m;
    argp_error(state, "--rtl %s: '%.*s' is none of off, check and drive", argument, (int)length, mode);
    return TWINS_OFF;
}

/* MODE for all blocks or BLOCK=MODE, several with commas between; the last that names a block counts. */
static void parse_rtl(struct twins_options *o, const char *argument, struct argp_state *state) {
    for (const char *p = argument;; p++) {
        size_t length = strcspn(p, ","), name = strcspn(p, "=,");
        if (name < length) {
            enum cluster_block b = parse_block("rtl", argument, p, name, state);
            o->mode[b] = parse_mode(argument, p + name + 1, length - name - 1, state);
        } else {
            enum twins_mode m = parse_mode(argument, p, length, state);
            for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++) o->mode[b] = m;
        }
        p += length;
        if (!*p) return;
    }
}

static void parse_source(struct twins_options *o, const char *argument, struct argp_state *state) {
    const char *equals = strchr(argument, '=');
    if (!equals || !equals[1]) argp_error(state, "--rtl-source %s: BLOCK=FILE.sv is needed", argument);
    o->source[parse_block("rtl-source", argument, argument, (size_t)(equals - argument), state)] = equals + 1;
}

static void parse_path(struct twins_options *o, const char *path, struct argp_state *state) {
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".fst") != 0)
        argp_error(state, "--rtl-window %s: the name must end in .fst (the view beside it ends in .gtkw)",
                   path);
    o->window = path;
}

static void check(struct rtl_options *o, struct argp_state *state) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++) {
        o->on |= o->twins.mode[b] != TWINS_OFF;
        if (o->twins.source[b] && o->twins.mode[b] == TWINS_OFF)
            argp_error(state, "--rtl-source names Verilog for %s, which --rtl leaves off",
                       twin_block[b].name);
    }
    if (o->twins.window && !o->on)
        argp_error(state, "--rtl-window says where a mismatch is shown, but --rtl is off");
    if (!o->twins.window) o->twins.window = "mismatch.fst";
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct rtl_options *o = state->input;
    switch (key) {
    case KEY_RTL: parse_rtl(&o->twins, argument, state); return 0;
    case KEY_SOURCE: parse_source(&o->twins, argument, state); return 0;
    case KEY_WINDOW: parse_path(&o->twins, argument, state); return 0;
    case ARGP_KEY_END: check(o, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"rtl", KEY_RTL, "MODE", 0,
     "Verilog beside the C models: off (default), check (both run and are compared in every cycle) or drive "
     "(the Verilog drives the machine, the C model is compared). BLOCK=MODE for one block, several with "
     "commas: %s",
     0},
    {"rtl-source", KEY_SOURCE, "BLOCK=FILE.sv", 0, "Take this Verilog for a block instead of ours", 0},
    {"rtl-window", KEY_WINDOW, "FILE.fst", 0,
     "Where the waveform of a mismatch goes, FILE.gtkw beside it (default: mismatch.fst)", 0},
    {0},
};

/* The blocks are named where the help of --rtl has %s. */
static char *fill_help(int key, const char *text, void *input) {
    char *filled = NULL;
    (void)input;
    if (key != KEY_RTL) return (char *)text;
    const int length = (int)(strstr(text, "%s") - text);
    if (asprintf(&filled, "%.*s%s", length, text, block_names()) < 0) return (char *)text;
    return filled;
}

const struct argp rtl_options_argp = {.options = options, .parser = parse, .help_filter = fill_help};

#include "lockstep/run/compare_options.h"

#include "lockstep/commands/arguments.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_MODE = 256, KEY_CONFIG, KEY_SET, KEY_JSON, KEY_CSV };

static void choose_format(struct compare_options *o, enum compare_format format, struct argp_state *state) {
    if (o->format != COMPARE_TABLE && o->format != format)
        argp_error(state, "--json and --csv exclude each other");
    o->format = format;
}

/* Takes the rest of the line: programs with separators. */
static void take_programs(struct compare_options *o, char **words, struct argp_state *state) {
    char **begin = words;
    for (char **word = words;; word++) {
        const bool end = !*word;
        if (!end && strcmp(*word, COMPARE_SEPARATOR) != 0) continue;
        if (word == begin)
            argp_error(state, "a program is missing %s " COMPARE_SEPARATOR,
                       end || o->program_count ? "after" : "before");
        *word = NULL;
        o->programs = reallocarray(o->programs, o->program_count + 1, sizeof *o->programs);
        require_memory(o->programs);
        o->programs[o->program_count++] = begin;
        if (end) return;
        begin = word + 1;
    }
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct compare_options *o = state->input;
    struct error e = {0};
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->execution; return 0;
    case KEY_MODE: variants_add_mode(&o->variants, argument, &e); break;
    case KEY_CONFIG: variants_add_config(&o->variants, argument, &e); break;
    case KEY_SET: variants_add_set(&o->variants, argument, &e); break;
    case KEY_JSON: choose_format(o, COMPARE_JSON, state); break;
    case KEY_CSV: choose_format(o, COMPARE_CSV, state); break;
    case ARGP_KEY_ARG:
        take_programs(o, &state->argv[state->next - 1], state);
        state->next = state->argc;
        break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "no program is given"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    if (e.status != EXIT_SOUND) argp_error(state, "%s", e.message);
    return 0;
}

static const struct argp_option option_table[] = {
    {"mode", KEY_MODE, "MODE[,MODE]", 0, "Mode of execution: simt, mimd or auto; two are two variants", 0},
    {"config", KEY_CONFIG, "FILE", 0, "Machine to simulate, a YAML file; given again: a variant each", 0},
    {"set", KEY_SET, "FIELD=VALUE[,VALUE...]", 0,
     "Change one field of the configuration; several values (also by repeating --set): a variant each", 0},
    {"json", KEY_JSON, NULL, 0, "Print JSON: of each variant all that --stats of `lockstep run` holds", 0},
    {"csv", KEY_CSV, NULL, 0, "Print comma-separated values: the columns of the table as plain numbers", 0},
    {0},
};

static const struct argp_child children[] = {{&execution_options_argp, 0, NULL, 0}, {0}};

static const struct argp compare_argp = {
    .options = option_table,
    .parser = parse_option,
    .children = children,
    .args_doc = "PROGRAM [ARGUMENT...]",
    .doc =
        "Runs PROGRAM once on each of several machines and prints a row for each. Columns: cycles, simulated "
        "time, speed-up over the first, instructions of the kernels (in SIMT mode thread-instructions), "
        "loads and stores among them, warp instructions, SIMD efficiency, L2 misses, result of PROGRAM."
        "\v"
        "An option that is given several times (--mode, --config, or the same field of --set) makes the "
        "variants; an option given once holds for all. If several options vary, all combinations run, and "
        "the first option varies slowest. If none varies, the variants are the modes mimd and simt.\n"
        "\n"
        "Several programs are parted by " COMPARE_SEPARATOR
        ". Each has its rows, and speed-ups are over its first. "
        "The last rows are the geometric means over the programs, if all of them succeed.\n"
        "\n"
        "The table goes to standard output, and what PROGRAM prints to standard error. If standard input is "
        "a file, each run reads it from the start; otherwise the first run reads all of it. A speed-up "
        "is the ratio of simulated times, where both runs succeeded. After Ctrl-C no further variant runs. "
        "A line below the table (with --json and --csv on standard error) names the variants in which cores "
        "or clusters had no work-group for more than a third of the cycles.\n"
        "\n"
        "Examples:\n"
        "  lockstep compare -- ./my_program input.txt\n"
        "  lockstep compare --mode mimd,simt --csv -- ./my_program 2>/dev/null\n"
        "  lockstep compare --config a.yaml --config b.yaml -- ./my_program\n"
        "  lockstep compare --set simt.warp_size=8,16,32 --json -- ./my_program >sizes.json\n"
        "  lockstep compare --set simt.warp_size=8,16 -- ./one input.txt ::: ./other --size 64\n"
        "  lockstep compare --set mem.latency=100 --set mem.latency=200 -- ./my_program\n"
        "\n"
        "Exit status: that of the first variant that failed, as `lockstep run` would give it; 0 if none did.",
};

void compare_options_parse(struct compare_options *o, int argc, char **argv) {
    *o = (struct compare_options){0};
    arguments_parse(&compare_argp, argc, argv, ARGP_IN_ORDER, o);
}

void compare_options_free(struct compare_options *o) {
    variants_options_free(&o->variants);
    free(o->programs);
}

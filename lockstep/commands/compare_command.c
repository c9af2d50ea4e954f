/* `lockstep compare`: programs on several machines, one after the other. */
#include "lockstep/commands/command.h"
#include "lockstep/run/compare_options.h"
#include "lockstep/output/comparison.h"
#include "lockstep/output/output.h"
#include "lockstep/commands/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct compare {
    struct compare_options options;
    struct variants variants;
    struct tools tools;
    FILE *out;
    struct comparison *comparisons; /* one for each program */
};

static size_t program_count(const struct compare *c) {
    return c->options.program_count;
}

/* Makes empty rows for each program and variant. */
static void make_rows(struct compare *c) {
    c->comparisons = calloc(program_count(c), sizeof *c->comparisons);
    require_memory(c->comparisons);
    for (size_t p = 0; p < program_count(c); p++) {
        struct comparison *m = &c->comparisons[p];
        m->argv = c->options.programs[p];
        m->count = c->variants.count;
        m->rows = calloc(m->count, sizeof *m->rows);
        require_memory(m->rows);
        for (size_t i = 0; i < m->count; i++) m->rows[i].name = c->variants.variants[i].name;
    }
}

/* Reads and checks everything before the first program starts. */
static bool prepare(struct compare *c, struct error *e) {
    if (!variants_resolve(&c->options.variants, &c->variants, e)) return false;
    for (size_t p = 0; p < program_count(c); p++)
        if (!tools_check_program(c->options.programs[p][0], e)) return false;
    if (!tools_find(&c->tools, e) || !(c->out = output_take(e))) return false;
    make_rows(c);
    return true;
}

/* Runs a variant. Returns false if the user interrupted it, which ends the whole command. */
static bool run_variant(struct compare *c, size_t program, size_t i) {
    const struct variant *v = &c->variants.variants[i];
    struct comparison_row *row = &c->comparisons[program].rows[i];
    char **argv = c->options.programs[program];
    const size_t number = program * c->variants.count + i + 1, all = program_count(c) * c->variants.count;
    struct simulation s;
    struct error e = {0};
    const char *name = program_count(c) > 1 ? argv[0] : "", *space = *name ? ": " : "";
    if (!c->options.execution.quiet)
        fprintf(stderr, "--- %s%s%s (%zu of %zu)\n", name, space, v->name, number, all);
    progress_note("%s%s%s (%zu of %zu)", name, space, v->name, number, all);
    if (simulation_create(&s, &v->config, &c->options.execution, &c->tools, &e)) {
        simulation_run(&s, argv);
        simulation_print_messages(&s, argv[0]);
        comparison_fill(row, &s, argv);
    } else {
        row->exit_status = command_fail(&e);
    }
    simulation_free(&s);
    return !row->ran || strcmp(row->outcome, "interrupted") != 0;
}

static void run_all(struct compare *c) {
    const off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    for (size_t p = 0; p < program_count(c); p++)
        for (size_t i = 0; i < c->variants.count; i++) {
            if (p + i > 0 && input >= 0) lseek(STDIN_FILENO, input, SEEK_SET);
            if (!run_variant(c, p, i)) return;
        }
}

static void print_comparisons(const struct compare *c) {
    switch (c->options.format) {
    case COMPARE_TABLE: comparison_print_table(c->comparisons, program_count(c), c->out); break;
    case COMPARE_JSON: comparison_print_json(c->comparisons, program_count(c), c->out); break;
    case COMPARE_CSV: comparison_print_csv(c->comparisons, program_count(c), c->out); break;
    }
}

static int execute(struct compare *c) {
    struct error e = {0};
    progress_begin(c->options.execution.quiet, PROGRESS_SECONDS);
    run_all(c);
    progress_end();
    print_comparisons(c);
    comparison_print_notes(c->comparisons, program_count(c),
                           c->options.format == COMPARE_TABLE ? c->out : stderr);
    const int status = comparison_status(c->comparisons, program_count(c));
    const bool printed = output_close(c->out, &e);
    if (!printed) command_fail(&e);
    return printed || status ? status : (int)e.status;
}

static void release(struct compare *c) {
    for (size_t p = 0; c->comparisons && p < program_count(c); p++) comparison_free(&c->comparisons[p]);
    free(c->comparisons);
    variants_free(&c->variants);
    compare_options_free(&c->options);
}

static int command(int argc, char **argv) {
    struct compare c = {0};
    struct error e = {0};
    compare_options_parse(&c.options, argc, argv);
    int status = prepare(&c, &e) ? execute(&c) : command_fail(&e);
    release(&c);
    return status;
}

const struct command_row command_compare = {20, "run a program on several machines; a row for each", command};

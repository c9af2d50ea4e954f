/* `lockstep compare`: one program on several machines, one after the other. */
#include "lockstep/command.h"
#include "lockstep/compare_options.h"
#include "lockstep/comparison.h"
#include "lockstep/output.h"
#include "lockstep/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct compare {
    struct compare_options options;
    struct variants variants;
    struct tools tools;
    FILE *out;
    struct comparison comparison;
};

/* Everything that can be wrong is found here, before the program starts. */
static bool prepare(struct compare *c, struct error *e) {
    if (!variants_resolve(&c->options.variants, &c->variants, e) ||
        !tools_check_program(c->options.argv[0], e) || !tools_find(&c->tools, e) ||
        !(c->out = output_take(e)))
        return false;
    c->comparison.count = c->variants.count;
    c->comparison.rows = calloc(c->variants.count, sizeof *c->comparison.rows);
    require_memory(c->comparison.rows);
    for (size_t i = 0; i < c->variants.count; i++) c->comparison.rows[i].name = c->variants.variants[i].name;
    return true;
}

/* False: a person stopped it, and means all of it. */
static bool run_variant(struct compare *c, size_t i) {
    const struct variant *v = &c->variants.variants[i];
    struct comparison_row *row = &c->comparison.rows[i];
    struct simulation s;
    struct error e = {0};
    if (!c->options.execution.quiet)
        fprintf(stderr, "--- %s (%zu of %zu)\n", v->name, i + 1, c->variants.count);
    progress_note("%s (%zu of %zu)", v->name, i + 1, c->variants.count);
    if (simulation_create(&s, &v->config, &c->options.execution, &c->tools, &e)) {
        simulation_run(&s, c->options.argv);
        simulation_print_messages(&s, c->options.argv[0]);
        comparison_fill(row, &s, c->options.argv);
    } else {
        row->exit_status = command_fail(&e);
    }
    simulation_free(&s);
    return !row->ran || strcmp(row->outcome, "interrupted") != 0;
}

static void run_variants(struct compare *c) {
    const off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
    for (size_t i = 0; i < c->variants.count; i++) {
        if (i > 0 && input >= 0) lseek(STDIN_FILENO, input, SEEK_SET);
        if (!run_variant(c, i)) break;
    }
}

static void print(const struct compare *c) {
    switch (c->options.format) {
    case COMPARE_TABLE: comparison_print_table(&c->comparison, c->out); break;
    case COMPARE_JSON: comparison_print_json(&c->comparison, c->out); break;
    case COMPARE_CSV: comparison_print_csv(&c->comparison, c->out); break;
    }
}

static int execute(struct compare *c) {
    struct error e = {0};
    progress_begin(c->options.execution.quiet, PROGRESS_SECONDS);
    run_variants(c);
    progress_end();
    print(c);
    comparison_print_notes(&c->comparison, c->options.format == COMPARE_TABLE ? c->out : stderr);
    const int status = comparison_status(&c->comparison);
    const bool printed = output_close(c->out, &e);
    if (!printed) command_fail(&e);
    return printed || status ? status : (int)e.status;
}

static void release(struct compare *c) {
    for (size_t i = 0; i < c->comparison.count; i++) json_decref(c->comparison.rows[i].document);
    free(c->comparison.rows);
    variants_free(&c->variants);
    variants_options_free(&c->options.variants);
}

int compare_command(int argc, char **argv) {
    struct compare c = {0};
    struct error e = {0};
    compare_options_parse(&c.options, argc, argv);
    int status = prepare(&c, &e) ? execute(&c) : command_fail(&e);
    release(&c);
    return status;
}

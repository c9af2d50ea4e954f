#include "tests/attacks/random_writer.h"

#include <string.h>

/* Statements of a jump: their flow, whether it is uniform, the counted rounds, the labels. */
struct jump {
    struct random_flow flow;
    bool uniform;
    char counter[12];
    unsigned limit, label;
};

static void part(struct random_writer *w, const struct jump *j, const char *behind) {
    random_block(w, j->flow, 1 + random_below(&w->t, 2));
    random_print(&w->t, "%s", behind);
}

static void jump_if(struct random_writer *w, const struct jump *j, unsigned label) {
    random_line(w, &j->flow);
    random_print(&w->t, "if (");
    random_condition(&w->t, 1, j->uniform);
    random_print(&w->t, ") goto l%u;\n", label);
}

static void label(struct random_writer *w, const struct jump *j) {
    random_line(w, &j->flow);
    random_print(&w->t, "l%u: ", j->label);
}

static void again(struct random_writer *w, const struct jump *j, unsigned to) {
    random_line(w, &j->flow);
    random_print(&w->t, "if (%s++ < v%u) goto l%u;\n", j->counter, j->limit, to);
}

/* Prints a jump out of nested statements to the following statement. */
static void forward(struct random_writer *w, struct jump *j) {
    j->flow.by_goto = j->flow.uniform ? LEAVE_TOGETHER : LEAVE_FREELY;
    j->flow.label = j->label;
    random_line(w, &j->flow);
    part(w, j, "\n");
    jump_if(w, j, j->label);
    random_line(w, &j->flow);
    part(w, j, "\n");
    label(w, j);
    random_print(&w->t, ";\n");
}

static void backward(struct random_writer *w, struct jump *j) {
    label(w, j);
    part(w, j, "\n");
    again(w, j, j->label);
}

/* Prints a loop with two entries. */
static void two_entries(struct random_writer *w, struct jump *j) {
    const unsigned top = w->labels++;
    jump_if(w, j, j->label);
    random_line(w, &j->flow);
    random_print(&w->t, "l%u: ", top);
    part(w, j, "\n");
    label(w, j);
    part(w, j, "\n");
    again(w, j, top);
}

static void into_loop(struct random_writer *w, struct jump *j) {
    jump_if(w, j, j->label);
    random_line(w, &j->flow);
    random_print(&w->t, "while (%s++ < v%u) {\n", j->counter, j->limit);
    j->flow.by_break = j->flow.by_continue = j->flow.uniform ? LEAVE_TOGETHER : LEAVE_FREELY;
    j->flow.depth++;
    random_line(w, &j->flow);
    part(w, j, "\n");
    label(w, j);
    part(w, j, "\n");
    j->flow.depth--;
    random_line(w, &j->flow);
    random_print(&w->t, "}\n");
}

static void into_else(struct random_writer *w, struct jump *j) {
    random_line(w, &j->flow);
    random_print(&w->t, "if (");
    random_condition(&w->t, 1, j->uniform);
    random_print(&w->t, ") ");
    j->flow.depth++;
    random_print(&w->t, "{\n");
    random_line(w, &j->flow);
    part(w, j, "\n");
    jump_if(w, j, j->label);
    random_print(&w->t, "%*s} else {\n", 4 * (int)j->flow.depth - 4, "");
    random_line(w, &j->flow);
    part(w, j, "\n");
    label(w, j);
    part(w, j, "\n");
    j->flow.depth--;
    random_line(w, &j->flow);
    random_print(&w->t, "}\n");
}

/* Prints case labels inside a loop of the switch. */
static void into_cases(struct random_writer *w, struct jump *j) {
    random_line(w, &j->flow);
    random_print(&w->t, "switch (");
    random_expression(&w->t, RANDOM_UINT, 1, j->uniform);
    random_print(&w->t, " %% 4u) {\n");
    random_line(w, &j->flow);
    random_print(&w->t, "case 0u: do {\n");
    j->flow.by_break = j->flow.by_continue = j->flow.uniform ? LEAVE_TOGETHER : LEAVE_FREELY;
    j->flow.depth++;
    for (unsigned i = 1; i <= 3; i++) {
        random_line(w, &j->flow);
        part(w, j, "\n");
        random_line(w, &j->flow);
        random_print(&w->t, i < 3 ? "case %uu:\n" : "default: ;\n", 3 - i);
    }
    j->flow.depth--;
    random_line(w, &j->flow);
    random_print(&w->t, "} while (%s++ < v%u); }\n", j->counter, j->limit);
}

void random_jump(struct random_writer *w, const struct random_flow *f) {
    static void (*const kinds[])(struct random_writer *, struct jump *) = {
        forward, forward, backward, two_entries, into_loop, into_else, into_cases};
    void (*const kind)(struct random_writer *, struct jump *) =
        kinds[random_below(&w->t, sizeof kinds / sizeof *kinds)];
    const bool loops = kind != forward && kind != into_else;
    const unsigned before = w->t.variables, most = 2 + random_below(&w->t, 3);
    if (loops && f->trips * most > RANDOM_MOST_TRIPS) {
        random_store(w, f);
        return;
    }
    struct jump j = {.uniform = random_choose_uniform(w, f), .label = w->labels++};
    j.flow = random_inside_choice(f, j.uniform);
    if (loops) {
        random_rounds(w, f, most, j.uniform, &j.limit, j.counter);
        random_line(w, f);
        random_print(&w->t, "uint %s = 0;\n", j.counter);
        j.flow.trips *= most;
    }
    kind(w, &j);
    w->t.variables = before;
}

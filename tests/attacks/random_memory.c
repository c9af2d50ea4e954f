#include "tests/attacks/random_writer.h"

/* Prints a store of a word, or of a byte, half, word or double word of the cells. */
static void store(struct random_writer *w) {
    if (random_chance(&w->t, 60)) {
        random_print(&w->t, "own[%u] %s ", random_below(&w->t, RANDOM_OUT_WORDS),
                     random_chance(&w->t, 50) ? "=" : "+=");
        random_bits(&w->t, random_depth(w));
        return;
    }
    char cell[40];
    snprintf(cell, sizeof cell, "((__global cell *)own)[%u]", random_below(&w->t, RANDOM_OUT_WORDS / 2));
    const enum random_type type = random_cell(&w->t, cell);
    random_print(&w->t, " %s ", random_chance(&w->t, 50) ? "=" : "+=");
    random_expression(&w->t, type, random_depth(w), false);
}

/* Prints an atomic operation on the work-item's own word, whose old value is therefore defined. */
static void swap(struct random_writer *w) {
    static const char *const formats[] = {"atomic_xchg(&own[%u], ",
                                          "atomic_add(&own[%u], ",
                                          "atomic_cmpxchg(&own[%u], own[%u], ",
                                          "(uint)atomic_min((__global int *)&own[%u], (int)",
                                          "atomic_max(&own[%u], ",
                                          "atomic_inc(&own[%u]) + ("};
    const unsigned to = random_below(&w->t, RANDOM_OUT_WORDS);
    const unsigned from = (to + 1 + random_below(&w->t, RANDOM_OUT_WORDS - 1)) % RANDOM_OUT_WORDS;
    random_print(&w->t, "own[%u] += ", to);
    random_print(&w->t, formats[random_below(&w->t, sizeof formats / sizeof *formats)], from, from);
    random_expression(&w->t, RANDOM_UINT, 1, false);
    random_print(&w->t, ")");
}

void random_store(struct random_writer *w, const struct random_flow *f) {
    random_line(w, f);
    if (random_chance(&w->t, 10))
        swap(w);
    else
        store(w);
    random_print(&w->t, ";\n");
}

/* Prints an addition by compare-and-exchange, repeated until it succeeds. */
static void count_by_exchange(struct random_writer *w, const struct random_flow *f) {
    const unsigned n = w->t.named++;
    random_print(&w->t, "const uint v%u = ", n);
    random_expression(&w->t, RANDOM_UINT, 1, false);
    random_print(&w->t, ";\n");
    random_line(w, f);
    random_print(&w->t,
                 "for (uint old = 0, seen = 1; old != seen;) {\n%*sseen = old;\n"
                 "%*sold = atomic_cmpxchg(&counters[0], seen, seen + v%u);\n%*s}\n",
                 4 * (int)f->depth + 4, "", 4 * (int)f->depth + 4, "", n, 4 * (int)f->depth, "");
}

/* Prints an atomic operation on a counter. Each counter has one operation, whose order has no effect; the old
 * value is not used. */
void random_count(struct random_writer *w, const struct random_flow *f) {
    static const char *const operation[RANDOM_COUNTERS] = {"add", "xor", "or",  "and",
                                                           "max", "min", "add", "sub"};
    const unsigned n = random_below(&w->t, RANDOM_COUNTERS);
    random_line(w, f);
    if (n == 0 && f->trips <= 2) {
        count_by_exchange(w, f);
        return;
    }
    random_print(&w->t, "atomic_%s(&counters[%u], ", operation[n], n);
    random_expression(&w->t, RANDOM_UINT, 1, false);
    random_print(&w->t, ");\n");
}

void random_barrier(struct random_writer *w, const struct random_flow *f, const char *kind) {
    random_line(w, f);
    random_print(&w->t, "barrier(%s);\n", kind);
}

/* Prints stores of each work-item's own word, then statements without barriers in which all words may be
 * read. */
static void exchange_words(struct random_writer *w, const struct random_flow *f, struct random_flow in) {
    const bool local = random_chance(&w->t, 70);
    const char *kind = local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
    random_line(w, f);
    random_print(&w->t, "%s[lid] = ", local ? "tile" : "group");
    random_bits(&w->t, 1);
    random_print(&w->t, ";\n");
    if (random_chance(&w->t, 30)) {
        random_line(w, f);
        random_print(&w->t, "((__%s uchar *)&%s[lid])[", local ? "local" : "global",
                     local ? "tile" : "group");
        random_expression(&w->t, RANDOM_UINT, 1, false);
        random_print(&w->t, " & 3u] = ");
        random_expression(&w->t, RANDOM_UCHAR, 1, false);
        random_print(&w->t, ";\n");
    }
    random_barrier(w, f, kind);
    w->t.shared = local ? "tile" : "group";
    random_line(w, f);
    random_print(&w->t, "own[%u] += %s[(lid + ", random_below(&w->t, RANDOM_OUT_WORDS), w->t.shared);
    random_expression(&w->t, RANDOM_USHORT, 1, false);
    random_print(&w->t, ") %% ls];\n");
    random_statements(w, in, 1 + random_below(&w->t, 3));
    w->t.shared = NULL;
    random_barrier(w, f, random_chance(&w->t, 20) ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE" : kind);
}

/* Prints counting of the work-group in local memory, in any order. */
static void count_together(struct random_writer *w, const struct random_flow *f, struct random_flow in) {
    static const char *const operations[] = {"add", "xor", "or", "and", "max", "min"};
    random_line(w, f);
    random_print(&w->t, "if (lid == 0u) tile[0] = ");
    random_expression(&w->t, RANDOM_UINT, 1, false);
    random_print(&w->t, ";\n");
    random_barrier(w, f, "CLK_LOCAL_MEM_FENCE");
    random_statements(w, in, random_below(&w->t, 2));
    random_line(w, f);
    if (random_chance(&w->t, 60)) {
        random_print(&w->t, "if (");
        random_condition(&w->t, 1, false);
        random_print(&w->t, ") ");
    }
    random_print(&w->t, "atomic_%s(&tile[0], ", operations[random_below(&w->t, 6)]);
    random_expression(&w->t, RANDOM_UINT, 1, false);
    random_print(&w->t, ");\n");
    random_barrier(w, f, "CLK_LOCAL_MEM_FENCE");
    random_line(w, f);
    random_print(&w->t, "own[%u] += tile[0];\n", random_below(&w->t, RANDOM_OUT_WORDS));
    random_barrier(w, f, "CLK_LOCAL_MEM_FENCE");
}

void random_exchange(struct random_writer *w, const struct random_flow *f) {
    struct random_flow in = *f;
    in.uniform = false;
    in.by_break = in.by_continue = in.by_return = in.by_goto = LEAVE_NOT;
    if (random_chance(&w->t, 20))
        count_together(w, f, in);
    else
        exchange_words(w, f, in);
}

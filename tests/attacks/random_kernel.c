#include "tests/attacks/random_kernel.h"

#include "tests/attacks/random_writer.h"

#include <string.h>

static void statement(struct random_writer *w, const struct random_flow *f);

void random_line(struct random_writer *w, const struct random_flow *f) {
    w->cost += f->trips;
    random_print(&w->t, "%*s", 4 * (int)f->depth, "");
}

void random_block(struct random_writer *w, struct random_flow f, unsigned count) {
    const unsigned before = w->t.variables;
    f.depth++;
    random_print(&w->t, "{\n");
    random_statements(w, f, count);
    w->t.variables = before;
    random_print(&w->t, "%*s}", 4 * (int)f.depth - 4, "");
}

unsigned random_depth(struct random_writer *w) {
    return random_chance(&w->t, 30) ? 2 : 1;
}

bool random_choose_uniform(struct random_writer *w, const struct random_flow *f) {
    return f->uniform && random_chance(&w->t, 60);
}

/* --- declarations and assignments --- */

unsigned random_next_name(const struct random_writer *w) {
    return w->t.named;
}

static void declare_value(struct random_writer *w, const struct random_flow *f) {
    const enum random_type type = (enum random_type)random_below(&w->t, RANDOM_VALUES);
    const bool uniform = f->uniform && random_chance(&w->t, 35);
    random_line(w, f);
    random_print(&w->t, "%s v%u = ", random_type_name[type], random_next_name(w));
    random_expression(&w->t, type, random_depth(w), uniform);
    random_print(&w->t, ";\n");
    random_variable_add(&w->t, type, uniform);
}

static void declare_array(struct random_writer *w, const struct random_flow *f) {
    random_line(w, f);
    random_print(&w->t, "uint v%u[8] = {", random_next_name(w));
    for (unsigned i = 0; i < 8; i++) {
        if (i) random_print(&w->t, ", ");
        random_expression(&w->t, RANDOM_UINT, 0, false);
    }
    random_print(&w->t, "};\n");
    random_variable_add(&w->t, RANDOM_ARRAY, false);
}

static void declare_record(struct random_writer *w, const struct random_flow *f) {
    random_line(w, f);
    random_print(&w->t, "record v%u = {", random_next_name(w));
    random_expression(&w->t, RANDOM_INT, 1, false);
    random_print(&w->t, ", ");
    random_expression(&w->t, RANDOM_UCHAR, 1, false);
    random_print(&w->t, ", ");
    random_expression(&w->t, RANDOM_FLOAT, 1, false);
    random_print(&w->t, ", {1, ");
    random_expression(&w->t, RANDOM_USHORT, 1, false);
    random_print(&w->t, ", 3}, ");
    random_expression(&w->t, RANDOM_LONG, 1, false);
    random_print(&w->t, "};\n");
    random_variable_add(&w->t, RANDOM_STRUCT, false);
}

static void declare_union(struct random_writer *w, const struct random_flow *f) {
    random_line(w, f);
    random_print(&w->t, "cell v%u = {{", random_next_name(w));
    random_expression(&w->t, RANDOM_UINT, 1, false);
    random_print(&w->t, ", ");
    random_expression(&w->t, RANDOM_UINT, 1, false);
    random_print(&w->t, "}};\n");
    random_variable_add(&w->t, RANDOM_UNION, false);
}

static void declare_pointer(struct random_writer *w, const struct random_flow *f) {
    const struct random_variable *word = random_variable(&w->t, RANDOM_UINT, RANDOM_UINT, false, true);
    const struct random_variable *array = random_variable(&w->t, RANDOM_ARRAY, RANDOM_ARRAY, false, true);
    const unsigned number = random_next_name(w);
    random_line(w, f);
    if (word && array) {
        random_print(&w->t, "uint *v%u = ", number);
        random_condition(&w->t, 1, false);
        random_print(&w->t, " ? &%s : &%s[", word->name, array->name);
        random_expression(&w->t, RANDOM_UINT, 1, false);
        random_print(&w->t, " & 7];\n");
    } else {
        random_print(&w->t, "__global const uint *v%u = in + (", number);
        random_expression(&w->t, RANDOM_UINT, 1, false);
        random_print(&w->t, " %% %uu);\n", RANDOM_INPUT_WORDS - 31);
    }
    random_variable_add(&w->t, word && array ? RANDOM_POINTER : RANDOM_GLOBAL_POINTER, false);
}

static void declare(struct random_writer *w, const struct random_flow *f) {
    const unsigned kind = random_below(&w->t, 100);
    if (kind < 60)
        declare_value(w, f);
    else if (kind < 71)
        declare_array(w, f);
    else if (kind < 82)
        declare_record(w, f);
    else if (kind < 90)
        declare_union(w, f);
    else
        declare_pointer(w, f);
}

static void assign_record(struct random_writer *w, const struct random_variable *v) {
    static const struct {
        const char *name;
        enum random_type type;
    } member[] = {{"a", RANDOM_INT},
                  {"b", RANDOM_UCHAR},
                  {"c", RANDOM_FLOAT},
                  {"d[1]", RANDOM_USHORT},
                  {"e", RANDOM_LONG}};
    if (random_chance(&w->t, 25)) {
        random_print(&w->t, "%s = stir(%s, ", v->name,
                     random_variable(&w->t, v->type, v->type, false, true)->name);
        random_expression(&w->t, RANDOM_UINT, 1, false);
        random_print(&w->t, ")");
        return;
    }
    const unsigned m = random_below(&w->t, 5);
    random_print(&w->t, "%s.%s = ", v->name, member[m].name);
    random_expression(&w->t, member[m].type, random_depth(w), false);
}

static void assign_union(struct random_writer *w, const struct random_variable *v) {
    if (random_chance(&w->t, 15)) {
        random_print(&w->t, "bump(&%s, ", v->name);
        random_expression(&w->t, RANDOM_UINT, 1, false);
        random_print(&w->t, ")");
    } else if (random_chance(&w->t, 15)) {
        random_print(&w->t, "%s.f = as_float(float_bits(", v->name);
        random_expression(&w->t, RANDOM_FLOAT, 1, false);
        random_print(&w->t, "))");
    } else {
        const enum random_type type = random_cell(&w->t, v->name);
        random_print(&w->t, " %s ", random_chance(&w->t, 50) ? "=" : "^=");
        random_expression(&w->t, type, random_depth(w), false);
    }
}

/* Prints an assignment to a part of an array, a structure or a union, or through a pointer. */
static void assign_part(struct random_writer *w, const struct random_variable *v) {
    if (v->type == RANDOM_ARRAY) {
        random_print(&w->t, "%s[", v->name);
        random_expression(&w->t, RANDOM_UINT, 1, false);
        random_print(&w->t, " & 7] = ");
        random_expression(&w->t, RANDOM_UINT, random_depth(w), false);
    } else if (v->type == RANDOM_POINTER) {
        random_print(&w->t, "*%s %s ", v->name, random_chance(&w->t, 50) ? "=" : "+=");
        random_expression(&w->t, RANDOM_UINT, random_depth(w), false);
    } else {
        (v->type == RANDOM_UNION ? assign_union : assign_record)(w, v);
    }
    random_print(&w->t, ";\n");
}

static void assign(struct random_writer *w, const struct random_flow *f) {
    const struct random_variable *v;
    if (random_chance(&w->t, 30) &&
        (v = random_variable(&w->t, RANDOM_ARRAY, RANDOM_POINTER, false, true)) != NULL) {
        random_line(w, f);
        assign_part(w, v);
        return;
    }
    const bool uniform = f->uniform && random_chance(&w->t, 40);
    v = random_variable(&w->t, RANDOM_CHAR, RANDOM_FLOAT2, uniform, true);
    if (!v) {
        declare(w, f);
        return;
    }
    random_line(w, f);
    if (v->type == RANDOM_INT4 && random_chance(&w->t, 40)) {
        random_print(&w->t, "%s.%c = ", v->name, "xyzw"[random_below(&w->t, 4)]);
        random_expression(&w->t, RANDOM_INT, random_depth(w), uniform);
    } else {
        random_print(&w->t, "%s = ", v->name);
        random_expression(&w->t, v->type, random_depth(w), uniform);
    }
    random_print(&w->t, ";\n");
}

/* --- control flow --- */

struct random_flow random_inside_choice(const struct random_flow *f, bool uniform) {
    struct random_flow in = *f;
    in.uniform = f->uniform && uniform;
    return in;
}

static void conditional(struct random_writer *w, const struct random_flow *f) {
    const bool uniform = random_choose_uniform(w, f);
    const struct random_flow in = random_inside_choice(f, uniform);
    random_line(w, f);
    random_print(&w->t, "if (");
    random_condition(&w->t, 1, uniform);
    random_print(&w->t, ") ");
    random_block(w, in, 1 + random_below(&w->t, 2));
    while (random_chance(&w->t, 20)) {
        random_print(&w->t, " else if (");
        random_condition(&w->t, 1, uniform);
        random_print(&w->t, ") ");
        random_block(w, in, 1 + random_below(&w->t, 2));
    }
    if (random_chance(&w->t, 45)) {
        random_print(&w->t, " else ");
        random_block(w, in, 1 + random_below(&w->t, 2));
    }
    random_print(&w->t, "\n");
}

static void choose_case(struct random_writer *w, const struct random_flow *f) {
    const bool uniform = random_choose_uniform(w, f);
    struct random_flow in = random_inside_choice(f, uniform);
    in.by_break = in.uniform ? LEAVE_TOGETHER : LEAVE_FREELY;
    in.depth++;
    random_line(w, f);
    random_print(&w->t, "switch (");
    random_expression(&w->t, RANDOM_UINT, 1, uniform);
    random_print(&w->t, " %% 5u) {\n");
    const unsigned cases = 2 + random_below(&w->t, 3);
    for (unsigned i = 0; i < cases; i++) {
        random_line(w, f);
        if (i + 1 == cases && random_chance(&w->t, 60))
            random_print(&w->t, "default: ");
        else
            random_print(&w->t, "case %u: ", i);
        struct random_flow body = in;
        body.depth = f->depth;
        random_block(w, body, 1 + random_below(&w->t, 2));
        random_print(&w->t, random_chance(&w->t, 70) ? " break;\n" : "\n");
    }
    random_print(&w->t, "%*s}\n", 4 * (int)f->depth, "");
}

void random_rounds(struct random_writer *w, const struct random_flow *f, unsigned most, bool uniform,
                   unsigned *limit, char counter[12]) {
    *limit = w->t.named++;
    random_line(w, f);
    random_print(&w->t, "const uint v%u = ", *limit);
    random_expression(&w->t, RANDOM_UINT, 1, uniform);
    random_print(&w->t, " %% %uu;\n", most);
    struct random_variable *v = random_variable_add(&w->t, RANDOM_UINT, f->uniform && uniform);
    v->constant = true;
    memcpy(counter, v->name, sizeof v->name);
}

/* Prints a constant for the number of rounds, then a loop of one of three kinds with a counter. */
static void loop(struct random_writer *w, const struct random_flow *f) {
    const bool uniform = random_choose_uniform(w, f);
    const unsigned most = 2 + random_below(&w->t, 4), kind = random_below(&w->t, 3);
    if (f->trips * most > RANDOM_MOST_TRIPS) {
        conditional(w, f);
        return;
    }
    const unsigned before = w->t.variables;
    struct random_flow in = random_inside_choice(f, uniform);
    in.by_break = in.by_continue = in.uniform ? LEAVE_TOGETHER : LEAVE_FREELY;
    in.trips *= most;
    unsigned limit;
    char name[12];
    random_rounds(w, f, most, uniform, &limit, name);
    random_line(w, f);
    if (kind == 0) {
        random_print(&w->t, "for (uint %s = 0; %s <= v%u; %s++) ", name, name, limit, name);
        random_block(w, in, 1 + random_below(&w->t, 3));
        random_print(&w->t, "\n");
        w->t.variables = before;
        return;
    }
    random_print(&w->t, "uint %s = 0;\n", name);
    random_line(w, f);
    if (kind == 1)
        random_print(&w->t, "while (%s++ < v%u) ", name, limit);
    else
        random_print(&w->t, "do ");
    random_block(w, in, 1 + random_below(&w->t, 3));
    if (kind == 2) random_print(&w->t, " while (%s++ < v%u);", name, limit);
    random_print(&w->t, "\n");
    w->t.variables = before;
}

/* Prints the value of a return statement; nothing in a kernel. */
static void return_value(struct random_writer *w) {
    random_print(&w->t, "return");
    if (w->inside) {
        random_print(&w->t, " ");
        random_expression(&w->t, w->inside->result, 1, false);
    }
    random_print(&w->t, ";");
}

static bool may(const struct random_flow *f, enum random_leave l) {
    return l == LEAVE_FREELY || (l == LEAVE_TOGETHER && f->uniform);
}

static void leave_early(struct random_writer *w, const struct random_flow *f) {
    const enum random_leave ways[4] = {f->by_break, f->by_continue, f->by_return, f->by_goto};
    const unsigned way = random_below(&w->t, 4);
    if (!may(f, ways[way])) {
        random_store(w, f);
        return;
    }
    struct random_flow in = *f;
    in.uniform = false;
    in.depth++;
    random_line(w, f);
    random_print(&w->t, "if (");
    random_condition(&w->t, 1, ways[way] == LEAVE_TOGETHER);
    random_print(&w->t, ") {\n");
    if (random_chance(&w->t, 50)) random_store(w, &in);
    random_line(w, &in);
    if (way == 2)
        return_value(w);
    else if (way == 3)
        random_print(&w->t, "goto l%u;", f->label);
    else
        random_print(&w->t, way == 0 ? "break;" : "continue;");
    random_print(&w->t, "\n%*s}\n", 4 * (int)f->depth, "");
}

/* --- calls --- */

#define COMMON_PARAMETERS                                                                                    \
    "__global const uint *in, __global uint *own, __global uint *group, __global uint *counters, "           \
    "__local uint *tile, uint lid, uint ls, uint grp, int pa, uint pb, float pc"
#define COMMON_ARGUMENTS "in, own, group, counters, tile, lid, ls, grp, pa, pb, pc"

static void call(struct random_writer *w, const struct random_flow *f) {
    const unsigned n = w->helpers ? random_below(&w->t, w->helpers) : 0;
    const struct random_helper *h = &w->helper[n];
    if (w->helpers == 0 || (h->barriers && !f->uniform) || w->cost + f->trips * h->cost > RANDOM_MOST_COST) {
        random_store(w, f);
        return;
    }
    random_line(w, f);
    w->cost += f->trips * h->cost;
    random_print(&w->t, "%s v%u = h%u_%u(" COMMON_ARGUMENTS, random_type_name[h->result], random_next_name(w),
                 w->number, n);
    for (unsigned i = 0; i < RANDOM_PARAMETERS; i++) {
        random_print(&w->t, ", ");
        random_expression(&w->t, h->parameter[i], 1, false);
    }
    random_print(&w->t, ");\n");
    random_variable_add(&w->t, h->result, false);
}

static void statement(struct random_writer *w, const struct random_flow *f) {
    const unsigned kind = random_below(&w->t, 100);
    const bool together = f->uniform && !w->t.shared && random_chance(&w->t, 20);
    const bool nest = f->depth < RANDOM_MOST_DEPTH + (w->inside == NULL) && w->cost < RANDOM_MOST_COST;
    if (together && random_chance(&w->t, 80))
        random_exchange(w, f);
    else if (together)
        random_barrier(w, f, "CLK_LOCAL_MEM_FENCE");
    else if (kind < 18)
        declare(w, f);
    else if (kind < 34)
        assign(w, f);
    else if (kind < 44)
        random_store(w, f);
    else if (kind < 48)
        random_count(w, f);
    else if (kind < 56)
        leave_early(w, f);
    else if (kind < 63)
        call(w, f);
    else if (!nest)
        assign(w, f);
    else if (kind < 80)
        conditional(w, f);
    else if (kind < 89)
        loop(w, f);
    else if (kind < 96)
        random_jump(w, f);
    else
        choose_case(w, f);
}

void random_statements(struct random_writer *w, struct random_flow f, unsigned count_left) {
    while (count_left-- > 0) statement(w, &f);
}

/* --- functions --- */

static void begin_function(struct random_writer *w) {
    w->t.variables = w->t.named = 0;
    w->t.shared = NULL;
    w->cost = 0;
    random_variable_add(&w->t, RANDOM_INT, true);
    random_variable_add(&w->t, RANDOM_UINT, true);
    random_variable_add(&w->t, RANDOM_FLOAT, true);
    static const char *const names[] = {"pa", "pb", "pc"};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(w->t.variable[i].name, sizeof w->t.variable[i].name, "%s", names[i]);
        w->t.variable[i].constant = true;
    }
}

static void helper(struct random_writer *w) {
    struct random_helper *h = &w->helper[w->helpers];
    begin_function(w);
    *h = (struct random_helper){.barriers = random_chance(&w->t, 35),
                                .result = (enum random_type)random_below(&w->t, RANDOM_VALUES)};
    random_print(&w->t, "%s%s h%u_%u(" COMMON_PARAMETERS,
                 random_chance(&w->t, 40) ? "__attribute__((noinline)) " : "", random_type_name[h->result],
                 w->number, w->helpers);
    for (unsigned i = 0; i < RANDOM_PARAMETERS; i++) {
        h->parameter[i] = (enum random_type)random_below(&w->t, RANDOM_VALUES);
        const struct random_variable *v = random_variable_add(&w->t, h->parameter[i], false);
        random_print(&w->t, ", %s %s", random_type_name[h->parameter[i]], v->name);
    }
    random_print(&w->t, ") {\n");
    w->inside = h;
    const struct random_flow f = {.uniform = h->barriers,
                                  .by_return = h->barriers ? LEAVE_TOGETHER : LEAVE_FREELY,
                                  .depth = 1,
                                  .trips = 1};
    random_statements(w, f, 1 + random_below(&w->t, 4));
    random_print(&w->t, "    ");
    return_value(w);
    random_print(&w->t, "\n}\n\n");
    w->inside = NULL;
    h->cost = w->cost;
    w->helpers++;
}

static void kernel(struct random_writer *w, const struct random_kernel *k) {
    const bool fixed_tile = random_chance(&w->t, 40);
    struct random_flow f = {.uniform = true, .by_return = LEAVE_TOGETHER, .depth = 1, .trips = 1};
    begin_function(w);
    random_print(&w->t,
                 "__kernel void %s(__global uint *out, __global const uint *in, __global uint *mid, "
                 "__global uint *counters, __local uint *%s, int pa, uint pb, float pc) {\n",
                 k->name, fixed_tile ? "unused" : "tile");
    if (fixed_tile) random_print(&w->t, "    TILE(%u);\n", k->group_items);
    random_print(&w->t, "    const uint ls = get_local_size(0) * get_local_size(1) * get_local_size(2);\n"
                        "    const uint lid = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * "
                        "get_local_size(0) + get_local_id(0);\n"
                        "    const uint grp = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * "
                        "get_num_groups(0) + get_group_id(0);\n");
    random_print(&w->t,
                 "    __global uint *own = out + (grp * ls + lid) * %uu;\n"
                 "    __global uint *group = mid + grp * ls;\n",
                 RANDOM_OUT_WORDS);
    random_statements(w, f, 4 + random_below(&w->t, 6));
    f.uniform = false;
    f.by_return = LEAVE_FREELY;
    random_statements(w, f, 1 + random_below(&w->t, 3));
    for (unsigned i = 0; i < 3; i++) random_store(w, &f);
    random_print(&w->t, "}\n\n");
}

static void shape(struct random_text *t, struct random_kernel *k) {
    static const unsigned most[4][3] = {{0}, {128, 1, 1}, {16, 8, 1}, {7, 4, 4}};
    k->work_dim = 1 + random_below(t, 3);
    k->group_items = 1;
    for (unsigned d = 0; d < 3; d++) {
        k->local_size[d] = 1 + random_below(t, most[k->work_dim][d]);
        k->group_items *= k->local_size[d];
    }
    k->items = k->group_items;
    for (unsigned d = 0; d < 3; d++) {
        unsigned groups = d < k->work_dim ? 1 + random_below(t, 3) : 1;
        if (k->items * groups > RANDOM_MOST_ITEMS) groups = 1;
        k->items *= groups;
        k->global_size[d] = k->local_size[d] * groups;
        k->global_offset[d] = d < k->work_dim && random_chance(t, 20) ? random_below(t, 1000) : 0;
    }
    k->pa = (int32_t)seed_next(&t->seed);
    k->pb = random_below(t, 1000);
    k->pc = (float)(int)random_below(t, 2000) / 8 - 100;
}

void random_kernel_begin(FILE *source) {
    fputs(random_expression_preamble, source);
}

void random_kernel(FILE *source, uint64_t seed, unsigned number, struct random_kernel *k) {
    struct random_writer *w = calloc(1, sizeof *w);
    if (!w) abort();
    w->t.seed.state = seed;
    w->t.out = source;
    w->number = number;
    *k = (struct random_kernel){0};
    snprintf(k->name, sizeof k->name, "k%u", number);
    shape(&w->t, k);
    const unsigned helpers = random_below(&w->t, RANDOM_MOST_HELPERS + 1);
    for (unsigned i = 0; i < helpers; i++) helper(w);
    kernel(w, k);
    free(w);
}

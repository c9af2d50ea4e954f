/* Post-dominators: random graphs compared with the definition (every path to the exit contains the node), and
 * branches listed in images compared with the decoded code. */
#include "compiler/code/code_flow.h"
#include "compiler/ir/postdominators.h"
#include "model/machine/machine.h"
#include "tests/compiler/compiler_image.h"
#include "tests/seed.h"

#include <string.h>

enum { MOST_NODES = 24, GRAPHS = 3000 };

struct graph {
    size_t nodes, edges;
    struct postdominators_edge edge[MOST_NODES * 3];
};

/* Returns whether a path leads from `from` to `to` without the node `without`. */
static bool leads(const struct graph *g, size_t from, size_t to, size_t without) {
    bool reached[MOST_NODES] = {false};
    if (from == without) return false;
    reached[from] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t e = 0; e < g->edges; e++) {
            const size_t a = g->edge[e].from, b = g->edge[e].to;
            if (!reached[a] || reached[b] || b == without) continue;
            reached[b] = changed = true;
        }
    }
    return reached[to];
}

/* Returns whether p is on every path from n to the exit and differs from n. */
static bool strictly_dominates(const struct graph *g, size_t p, size_t n, size_t exit) {
    return p != n && leads(g, n, exit, POSTDOMINATORS_NONE) && !leads(g, n, exit, p);
}

/* Returns the immediate post-dominator by definition: the strict one that all other strict ones
 * post-dominate. */
static size_t expected(const struct graph *g, size_t n, size_t exit) {
    if (n == exit) return POSTDOMINATORS_NONE;
    for (size_t p = 0; p < g->nodes; p++) {
        bool nearest = strictly_dominates(g, p, n, exit);
        for (size_t q = 0; nearest && q < g->nodes; q++)
            nearest = q == p || !strictly_dominates(g, q, n, exit) || strictly_dominates(g, q, p, exit) ||
                      q == exit;
        if (nearest) return p;
    }
    return POSTDOMINATORS_NONE;
}

static void random_graphs_follow_the_definition(void **state) {
    (void)state;
    struct seed seed = seed_start();
    unsigned met = 0, never = 0;
    for (unsigned n = 0; n < GRAPHS; n++) {
        struct graph g = {.nodes = 1 + seed_below(&seed, MOST_NODES)};
        g.edges = seed_below(&seed, 3 * (unsigned)g.nodes);
        for (size_t e = 0; e < g.edges; e++) {
            /* Most edges lead forwards, as in programs. */
            const size_t from = seed_below(&seed, (unsigned)g.nodes);
            const size_t to =
                seed_below(&seed, 4) ? from + seed_below(&seed, 4) : seed_below(&seed, (unsigned)g.nodes);
            g.edge[e] = (struct postdominators_edge){from, to < g.nodes ? to : g.nodes - 1};
        }
        const size_t exit = seed_below(&seed, 4) ? g.nodes - 1 : seed_below(&seed, (unsigned)g.nodes);
        size_t found[MOST_NODES];
        postdominators_find(g.nodes, g.edge, g.edges, exit, found);
        for (size_t i = 0; i < g.nodes; i++) {
            if (found[i] != expected(&g, i, exit))
                fail_msg("graph %u: node %zu of %zu: %zd, by the definition %zd", n, i, g.nodes, found[i],
                         expected(&g, i, exit));
            met += found[i] != POSTDOMINATORS_NONE && found[i] != exit;
            never += found[i] == POSTDOMINATORS_NONE && i != exit;
        }
    }
    assert_true(met > GRAPHS && never > GRAPHS);
}

static void small_graphs_by_hand(void **state) {
    (void)state;
    /* 0 → 1, 2 → 3 → exit 5; 4 is an endless loop. */
    const struct postdominators_edge edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 5}, {4, 4}};
    size_t found[6];
    postdominators_find(6, edges, 6, 5, found);
    assert_int_equal(found[0], 3);
    assert_int_equal(found[1], 3);
    assert_int_equal(found[3], 5);
    assert_int_equal(found[4], POSTDOMINATORS_NONE);
    assert_int_equal(found[5], POSTDOMINATORS_NONE);
    postdominators_find(1, NULL, 0, 0, found);
    assert_int_equal(found[0], POSTDOMINATORS_NONE);
}

/* --- images --- */

struct code {
    const struct image *image;
    struct machine_code machine;
};

static const struct arm_instruction *at(const struct code *c, uint32_t pc) {
    return &c->machine.decoded[(pc - c->machine.text_base) / 4];
}

static bool is_code(const struct code *c, uint32_t pc, const char *function) {
    return pc - c->machine.text_base < c->machine.text_bytes && image_function(c->image, pc) == function;
}

/* Returns whether an instruction ends the thread. */
static bool ends(const struct arm_instruction *i) {
    return (i->encoding & 0x0fff0fff) == 0x0e040711;
}

/* Follows all paths from pc within a function, except beyond `stop`. Returns false if a path ends or leaves
 * the function. */
static bool stays(const struct code *c, const char *function, uint32_t pc, uint32_t stop, bool *seen) {
    for (;; pc += 4) {
        if (pc == stop) return true;
        if (!is_code(c, pc, function)) return false;
        if (seen[(pc - c->machine.text_base) / 4]) return true;
        seen[(pc - c->machine.text_base) / 4] = true;
        const struct arm_instruction *i = at(c, pc);
        const uint32_t encoding = i->encoding;
        if (ends(i)) return false;
        if (!i->writes_pc || (encoding & 0x0f000000) == 0x0b000000) continue;
        if ((encoding & 0x0f000000) == 0x0a000000) {
            if (!stays(c, function, pc + 8 + ((uint32_t)((int32_t)(encoding << 8) >> 6)), stop, seen))
                return false;
        } else if ((encoding & 0x0ff0f000) == 0x0790f000) {
            for (uint32_t entry = pc + 4;;
                 entry += 4) { /* reads the table up to the first value that is no address of the code */
                const uint32_t target = at(c, entry)->encoding;
                if (!is_code(c, target, function)) break;
                if (!stays(c, function, target, stop, seen)) return false;
            }
        } else {
            return false;
        }
        if (i->condition == 14) return true;
    }
}

static bool is_call(const struct arm_instruction *i) {
    return (i->encoding & 0x0f000000) == 0x0b000000;
}

/* Returns whether the instruction is a call and not data: its target is the first instruction of
 * a function. */
static bool calls_function(const struct code *c, uint32_t pc) {
    const uint32_t target = pc + 8 + ((uint32_t)((int32_t)(at(c, pc)->encoding << 8) >> 6));
    return is_call(at(c, pc)) && target - c->machine.text_base < c->machine.text_bytes &&
           image_function(c->image, target) != image_function(c->image, target - 4);
}

/* Checks the list of an image. Threads diverge at conditional branches, calls, returns and table jumps;
 * nothing else is listed. No path leaves the function without passing a listed re-convergence point; the end
 * of a thread is none. Returns the number of branches. */
static unsigned check_branches(const struct code *c) {
    bool *seen = calloc(c->machine.text_bytes / 4, 1);
    unsigned met = 0;
    for (size_t n = 0; n < c->image->branch_count; n++) {
        const struct image_branch *b = &c->image->branches[n];
        const struct arm_instruction *i = at(c, b->address);
        const char *function = image_function(c->image, b->address);
        assert_true(i->writes_pc && (i->condition != 14 || (i->encoding & 0x0ff0f000) == 0x0790f000));
        assert_ptr_equal(image_branch(c->image, b->address), b);
        memset(seen, 0, c->machine.text_bytes / 4);
        if (b->meeting == 0) continue;
        assert_true(b->meeting != b->address && !ends(at(c, b->meeting)));
        assert_true(!is_call(i) || b->meeting == b->address + 4);
        if (!stays(c, function, b->address, b->meeting, seen))
            fail_msg("%s: threads that part at 0x%x need not come to 0x%x", function, b->address, b->meeting);
        met++;
    }
    free(seen);
    return met;
}

/* Every conditional branch and call of a kernel's thunk is listed. */
static void check_thunk(const struct code *c, uint32_t thunk) {
    const char *function = image_function(c->image, thunk);
    for (uint32_t pc = thunk; is_code(c, pc, function); pc += 4) {
        const struct arm_instruction *i = at(c, pc);
        const bool branch = (i->encoding & 0x0f000000) == 0x0a000000;
        const bool parts = (branch || calls_function(c, pc)) && i->condition < 14;
        assert_true(!parts || image_branch(c->image, pc));
    }
    assert_null(image_branch(c->image, thunk));
}

static void open_image(struct code *c) {
    *c = (struct code){.image = load(run_path("image"))};
    c->machine = (struct machine_code){.text_base = c->image->text_base,
                                       .text_bytes = c->image->text_bytes,
                                       .text = c->image->code + (c->image->text_base - c->image->code_base)};
    machine_decode(&c->machine);
}

static void close_image(struct code *c) {
    machine_code_free(&c->machine);
    image_free((struct image *)c->image);
}

static unsigned check_image(void) {
    struct code c;
    open_image(&c);
    const unsigned met = check_branches(&c);
    for (size_t k = 0; k < c.image->kernel_count; k++) check_thunk(&c, c.image->kernels[k].thunk);
    close_image(&c);
    return met;
}

static void branches_of_images(void **state) {
    static const char *const files[] = {"divergent.cl", "coalesce.cl", "local.cl"};
    (void)state;
    unsigned met = 0;
    for (size_t n = 0; n < sizeof files / sizeof *files; n++) {
        expect_success(COMPILE("-o %s tests/kernels/%s", run_path("image"), files[n]));
        met += check_image();
    }
    assert_true(met > 50);
    /* A table jump, an endless loop and a conditional return, in hand-written SIMT code. */
    expect_success(compile_text(
        "__attribute__((noinline)) void f(__global int *p, int n) { if (n) return; for (;;) p[1]++; }\n"
        "__kernel void k(__global int *p) { int x = p[get_global_id(0)];\n"
        "  switch (x) { case 0: p[1] = 3; break; case 1: p[2] = 7; p[4] = 3; break; case 2: p[3]++; break;\n"
        "  case 3: p[5] = p[6]; break; case 4: p[8] *= 3; break; case 5: f(p, x); break; default: p[9] -= 2; "
        "}\n"
        "  p[10]++; }\n",
        ""));
    assert_true(check_image() >= 2);
}

/* Returns the number of listed instructions of a function, and stores one of them. */
static unsigned listed(const struct code *c, const char *function, const struct image_branch **one) {
    unsigned count = 0;
    for (size_t n = 0; n < c->image->branch_count; n++) {
        if (strcmp(image_function(c->image, c->image->branches[n].address), function) != 0) continue;
        *one = &c->image->branches[n];
        count++;
    }
    return count;
}

/* Checks that the list in the image's note equals a list computed from its code. */
static void check_list(const struct code *c) {
    struct text file = {0};
    file.data = run_read(run_path("image"), &file.size);
    json_t *branches = code_flow_branches(&file), *pair;
    size_t n;
    assert_int_equal(json_array_size(branches), c->image->branch_count);
    json_array_foreach(branches, n, pair) {
        assert_int_equal(json_integer_value(json_array_get(pair, 0)), c->image->branches[n].address);
        assert_int_equal(json_integer_value(json_array_get(pair, 1)), c->image->branches[n].meeting);
    }
    json_decref(branches);
    free(file.data);
}

/* Cases that re-convergence stacks need: some threads call, leave a function, or exit early. */
static void calls_returns_and_ends(void **state) {
    (void)state;
    expect_success(compile_text(
        "__attribute__((noinline)) void h(__global int *p) {\n"
        "  for (int i = 0; i < p[1]; i++) p[i * 7] += p[i]; }\n"
        "__attribute__((noinline)) int leaves(int x) { return x < 3 ? x * x * x : x / (x + 7) + 9; }\n"
        "__kernel void calls(__global int *p) { int x = p[get_global_id(0)];\n"
        "  if (x > 3) h(p + x); p[10] = 7; }\n"
        "__kernel void ends(__global int *p, int n) { int x = get_global_id(0);\n"
        "  if (x >= n) return; p[x] = 7 / n; p[n] = leaves(p[x]); }\n",
        "--priorities=off"));
    struct code c;
    const struct image_branch *b = NULL;
    open_image(&c);
    assert_int_equal(listed(&c, "__lockstep_thunk_calls", &b), 1);
    assert_true(is_call(at(&c, b->address)));
    assert_int_equal(b->meeting, b->address + 4);
    assert_int_equal(listed(&c, "__lockstep_thunk_ends", &b), 1);
    assert_int_equal(b->meeting, 0);
    assert_int_equal(listed(&c, "h", &b), 2); /* the loop is the other one */
    assert_int_equal(b[-1].meeting, 0);
    assert_int_equal(at(&c, b[-1].address)->encoding & 0x0fffffff, 0x012fff1e); /* bxlt lr */
    assert_int_equal(image_find(c.image, "calls")->conditional_returns, 1);
    check_list(&c);
    close_image(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_follow_the_definition),
        cmocka_unit_test(small_graphs_by_hand),
        cmocka_unit_test(branches_of_images),
        cmocka_unit_test(calls_returns_and_ends),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}

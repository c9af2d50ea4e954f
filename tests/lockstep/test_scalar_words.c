/* Output of `lockstep cc` about the benchmarks' kernels with scalars (lanes.md §4): v, s and 32 v + s words a
 * warp by each rule; no rule needs more vectors than one that finds fewer scalars. Prints them, and the
 * kernels that need more words nevertheless, because of scalars that free no vector. Five programs, with
 * LOCKSTEP_LONG=1 all. */
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With the options that the host program builds them with. */
static const struct source {
    const char *name, *options;
} sources[] = {
    {"back_propagation", "-D WIDE=16"},
    {"bfs", ""},
    {"gaussian_elimination", "-D TILE=4 -D COLUMN=256"},
    {"libor", "-D GROUP=64 -D SWAPTIONS=15 -D RATES=16 -D STEPS=8"},
    {"hotspot", "-D TILE=16"},
    {"black_scholes", ""},
    {"coulombic_potential", "-D WIDTH=16 -D HEIGHT=8 -D POINTS=4"},
    {"dependent_chains", "-D WARP=32"},
    {"dwt_haar", "-D PIECE=512"},
    {"fft", "-D LENGTH=512"},
    {"histogram", "-D GROUP=64"},
    {"laplace3d", "-D TILE_X=32 -D TILE_Y=4"},
    {"lu_decomposition", "-D TILE=16"},
    {"mandelbrot", ""},
    {"matrix_multiply", "-D TILE=16"},
    {"matrix_transpose", "-D TILE=16"},
    {"matrix_vector", ""},
    {"memory_copy", ""},
    {"n_queens", "-D GROUP=96 -D ROWS=8"},
    {"nearest_neighbors", ""},
    {"needleman_wunsch", "-D TILE=16"},
    {"path_finder", "-D TILE=256"},
    {"ray_tracing", "-D BOUNCES=5 -D NEAR=0.001f -D LIGHT_X=0.48f -D LIGHT_Y=0.8f -D LIGHT_Z=-0.36f"},
    {"reduction", ""},
    {"scalar_product", "-D ACCUMULATORS=256"},
    {"triad", ""},
    {"vector_add", ""},
    {"walsh_transform", "-D GROUP=128"},
    {"b_tree", "-D ORDER=128"},
    {"backprop", "-D WIDE=16"},
    {"dwthaar1d", ""},
    {"fdtd3d", "-D RADIUS=4 -D TILE_X=32 -D TILE_Y=8"},
    {"hotspot_pyramid", "-D TILE=16"},
    {"lud", "-D TILE=16"},
    {"matrixmul", "-D TILE=16"},
    {"nbody", "-D GROUP=32"},
    {"nw", "-D TILE=64"},
    {"particlefilter", "-D GROUP=128"},
    {"pathfinder", "-D TILE=256"},
    {"reduction_uint4", "-D GROUP=128"},
    {"dotproduct", ""},
    {"bfs_frontier", ""},
    {"gaussian", ""},
    {"kmeans", "-D SWAP"},
    {"srad", ""},
    {"cfd", ""},
    {"lavamd", ""},
    {"scan", "-D GROUP=256"},
    {"spmv", ""},
    {"sobel", ""},
    {"floyd_warshall", ""},
    {"radix_pass", "-D GROUP=64"},
    {"string_search", ""},
    {"monte_carlo", ""},
    {"jacobi", ""},
};
enum { SOURCES = sizeof sources / sizeof *sources, SOME = 5 };

struct need {
    unsigned words, vectors, scalars;
};

/* Reads the need after a rule's name: "288 (9 vectors, 0 scalars)". */
static struct need read_need(const char *line, const char *rule) {
    struct need n = {0};
    const char *at = strstr(line, rule);
    assert_non_null(at);
    assert_int_equal(
        sscanf(at + strlen(rule), "%u (%u vectors, %u scalars)", &n.words, &n.vectors, &n.scalars), 3);
    assert_int_equal(n.words, 32 * n.vectors + n.scalars);
    print_message("  %s%u + %u: %u", rule, n.vectors, n.scalars, n.words);
    return n;
}

/* Checks a text such as "; kernel NAME: words a warp of 32: none 288 (…), convergent 196 (…), wide
 * 196 (…)". */
static void check_kernel(const char *line) {
    static const char *const rules[] = {"convergent ", "wide "};
    struct need before;
    print_message("%.*s", (int)strcspn(line + 9, ":"), line + 9);
    before = read_need(line, "none ");
    assert_int_equal(before.scalars, 0);
    for (unsigned n = 0; n < 2; n++) {
        const struct need next = read_need(line, rules[n]);
        assert_true(next.vectors <= before.vectors);
        if (next.words > before.words) print_message(" (more)");
        before = next;
    }
    print_message("\n");
}

static void more_scalars_need_fewer_vectors(void **state) {
    (void)state;
    const unsigned count = getenv("LOCKSTEP_LONG") ? SOURCES : SOME;
    unsigned kernels = 0;
    for (unsigned n = 0; n < count; n++) {
        char *path = spawn_text("%s/benchmarks/%s/%s.cl", spawn_source(), sources[n].name, sources[n].name),
             *options = spawn_text("--options=%s", sources[n].options);
        struct spawned s = LOCKSTEP("cc", "--emit=scalar", options, path);
        assert_status(&s, 0);
        const unsigned before = kernels;
        for (char *rest = s.out, *line; (line = strsep(&rest, "\n")) != NULL;) {
            if (strncmp(line, "; kernel ", 9) != 0) continue;
            check_kernel(line);
            kernels++;
        }
        assert_true(kernels > before);
        spawn_free(&s);
        free(path);
        free(options);
    }
    print_message("%u kernels of %u programs\n", kernels, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(more_scalars_need_fewer_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

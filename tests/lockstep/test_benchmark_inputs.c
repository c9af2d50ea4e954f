/* The benchmarks whose random input has three sizes. Each checks itself against C, bit by bit, on the base
 * machine in SIMT and in MIMD mode, with each policy of the warps' PC, and on PoCL. They also run with sizes
 * that no tile or work-group divides, and with other seeds, which give other inputs. */
#include "tests/fixture.h"
#include "tests/pocl.h"

#include <stdlib.h>
#include <string.h>

static const char *const programs[] = {"back_propagation",
                                       "bfs",
                                       "bitonic_sort",
                                       "coulombic_potential",
                                       "dependent_chains",
                                       "discrete_cosine",
                                       "dwt_haar",
                                       "fft",
                                       "gaussian_elimination",
                                       "histogram",
                                       "laplace3d",
                                       "libor",
                                       "lu_decomposition",
                                       "matrix_multiply",
                                       "matrix_transpose",
                                       "memory_copy",
                                       "n_queens",
                                       "nearest_neighbors",
                                       "needleman_wunsch",
                                       "neural_network",
                                       "ray_tracing",
                                       "segmentation",
                                       "stream_cluster",
                                       "walsh_transform"};
enum { PROGRAMS = sizeof programs / sizeof *programs, WORDS = 8 };

/* Fails the test unless the program's last line says that it has passed. */
static void assert_passed(const char *name, const struct spawned *s) {
    char *verdict = spawn_text("\n%s: PASS (", name);
    if (s->status != 0 || strstr(s->out, verdict) == NULL)
        fail_msg("%s: exit status %d:\n%s\n%s", name, s->status, s->out, s->err);
    free(verdict);
}

/* Runs a program and its arguments (`words`). With `setting`, on the machine; otherwise natively. Returns its
 * output. */
static char *run(const char *setting, char *const words[]) {
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), words[0]);
    char *argv[5 + WORDS] = {fixture_command, "run", "--set", (char *)setting, "--", program};
    for (int i = 1; words[i]; i++) argv[5 + i] = words[i];
    struct spawned s = spawn(fixture_folder, setting ? argv : argv + 5);
    assert_passed(words[0], &s);
    char *said = strdup(s.out);
    spawn_free(&s);
    free(program);
    return said;
}

static void every_mode_and_policy(void **state) {
    (void)state;
    static const char *const settings[] = {"mode=simt", "mode=mimd", "simt.pc_policy=min_pc",
                                           "simt.pc_policy=first_ready"};
    for (size_t p = 0; p < PROGRAMS; p++)
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
            free(run(settings[i], (char *[]){(char *)programs[p], NULL}));
}

static void all_inputs_on_pocl(void **state) {
    (void)state;
    static char *const sizes[] = {"small", "medium", "large"};
    struct pocl pocl;
    if (!pocl_start(&pocl)) skip();
    pocl_end(&pocl);
    for (size_t p = 0; p < PROGRAMS; p++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            free(run(NULL, (char *[]){(char *)programs[p], "--input", sizes[i], NULL}));
}

static void odd_sizes(void **state) {
    (void)state;
    static char *const runs[][WORDS] = {
        {"back_propagation", "--inputs", "1", "--steps", "1"},
        {"back_propagation", "--inputs", "37", "--steps", "3"},
        {"bfs", "--nodes", "1", "--degree", "1"},
        {"bfs", "--nodes", "1001", "--degree", "9"},
        {"coulombic_potential", "--size", "1", "--charges", "1"},
        {"coulombic_potential", "--size", "67", "--charges", "3"},
        {"coulombic_potential", "--size", "9", "--charges", "257"},
        {"dwt_haar", "--log2-length", "1"},
        {"dwt_haar", "--log2-length", "8"},
        {"dwt_haar", "--log2-length", "9"},
        {"fft", "--log2-length", "1", "--signals", "3"},
        {"fft", "--log2-length", "9", "--signals", "1"},
        {"fft", "--log2-length", "1", "--sines", "2"},
        {"fft", "--log2-length", "8", "--sines", "2"},
        {"dependent_chains", "--steps", "1", "--warps", "1"},
        {"gaussian_elimination", "--size", "2"},
        {"gaussian_elimination", "--size", "19"},
        {"histogram", "--words", "1", "--groups", "3"},
        {"histogram", "--words", "1003", "--groups", "1"},
        {"laplace3d", "--size", "1", "--steps", "1"},
        {"laplace3d", "--size", "35", "--steps", "1"},
        {"libor", "--paths", "1", "--rates", "2"},
        {"libor", "--paths", "65", "--rates", "7"},
        {"lu_decomposition", "--tiles", "1"},
        {"lu_decomposition", "--tiles", "2"},
        {"matrix_multiply", "--size", "1"},
        {"matrix_multiply", "--size", "37"},
        {"matrix_transpose", "--rows", "1", "--columns", "1"},
        {"matrix_transpose", "--rows", "17", "--columns", "50"},
        {"memory_copy", "--count", "1"},
        {"memory_copy", "--count", "1001"},
        {"n_queens", "--size", "2", "--placed", "1"},
        {"n_queens", "--size", "3", "--placed", "2"},
        {"n_queens", "--size", "7", "--placed", "1"},
        {"n_queens", "--size", "6", "--placed", "5"},
        {"nearest_neighbors", "--places", "1", "--nearest", "3"},
        {"nearest_neighbors", "--places", "257", "--nearest", "300"},
        {"needleman_wunsch", "--tiles", "1", "--penalty", "1"},
        {"needleman_wunsch", "--tiles", "3", "--penalty", "500"},
        {"ray_tracing", "--size", "1", "--balls", "1"},
        {"ray_tracing", "--size", "19", "--balls", "40"},
        {"bitonic_sort", "--log2-count", "1"},
        {"bitonic_sort", "--log2-count", "8"},
        {"discrete_cosine", "--tiles", "1"},
        {"neural_network", "--images", "1"},
        {"segmentation", "--width", "1", "--height", "3", "--depth", "2"},
        {"segmentation", "--width", "37", "--height", "5", "--depth", "3"},
        {"stream_cluster", "--points", "1", "--candidates", "1"},
        {"stream_cluster", "--points", "1001", "--candidates", "3"},
        {"walsh_transform", "--log2-length", "8"},
        {"walsh_transform", "--log2-length", "9"},
    };
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) free(run("mode=simt", runs[n]));
}

/* The first line, without the time, depends on the input: distance of the farthest node, best score. */
static void a_seed_is_an_input(void **state) {
    (void)state;
    static const char *const two[] = {"bfs", "needleman_wunsch"};
    for (size_t p = 0; p < 2; p++) {
        char *said[3];
        for (size_t i = 0; i < 3; i++) {
            said[i] =
                run("mode=simt", (char *[]){(char *)two[p], "--seed", i == 1 ? "2" : "4000000000", NULL});
            *strstr(said[i], ", kernel time") = '\0';
        }
        assert_string_equal(said[0], said[2]);
        assert_string_not_equal(said[0], said[1]);
        for (size_t i = 0; i < 3; i++) free(said[i]);
    }
}

static void wrong_options_are_named(void **state) {
    (void)state;
    static const struct {
        char *words[WORDS];
        const char *says;
    } wrong[] = {
        {{"bfs", "--input", "huge"}, "input: 'huge' is not small, medium or large"},
        {{"bfs", "--seed", "0"}, "seed: '0' is no whole number from 1 to 4294967295"},
        {{"vector_add", "--input", "small"}, "unrecognized option '--input'"},
        {{"n_queens", "--size", "3", "--placed", "3"}, "--placed 3 leaves none of 3 rows"},
        {{"gaussian_elimination", "--size", "1"}, "--size 1 leaves nothing to eliminate"},
        {{"libor", "--rates", "1"}, "--rates 1 leaves no step"},
        {{"walsh_transform", "--log2-length", "7"}, "--log2-length 7: a work-group has 256 elements"},
    };
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        char *program = spawn_text("%s/benchmarks/%s", spawn_build(), wrong[n].words[0]),
             *argv[WORDS + 1] = {program};
        for (int i = 1; wrong[n].words[i]; i++) argv[i] = wrong[n].words[i];
        struct spawned s = spawn(fixture_folder, argv);
        assert_status(&s, 1);
        assert_says(s.err, wrong[n].says);
        spawn_free(&s);
        free(program);
    }
}

/* The help has each size's option, and the sizes. */
static void help_tells_the_inputs(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/laplace3d", spawn_build());
    struct spawned s = spawn(fixture_folder, (char *[]){program, "--help", NULL});
    assert_status(&s, 0);
    assert_says(s.out,
                "small: --size 16 --steps 2; medium: --size 48 --steps 2; large: --size 100 --steps 2");
    assert_says(s.out, "--seed N");
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_mode_and_policy), TEST(all_inputs_on_pocl),      TEST(odd_sizes),
        TEST(a_seed_is_an_input),    TEST(wrong_options_are_named), TEST(help_tells_the_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* `lockstep figures`: the report of a paper, small; some figures computed by hand. */
#include "lockstep/figures/figure.h"
#include "tests/spawn.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* --- a figure --- */

static const char *const rows[] = {"one", "two"};
static const struct figure_series series[] = {{"first", 30}, {"second", NAN}};
static const struct figure_known known[] = {{"two", 0, 42.5}};
static const bool ours[] = {false, true};
static const double values[] = {21, 0, 44, 7}; /* 21 % and 44 %: factors 1.21 and 1.44, mean 1.32 */

static const struct figure figure = {.name = "fig9",
                                     .title = "A figure's title",
                                     .unit = "% faster",
                                     .note = "Because.",
                                     .gains = true,
                                     .digits = 1,
                                     .series = series,
                                     .series_count = 2,
                                     .known = known,
                                     .known_count = 1,
                                     .rows = rows,
                                     .ours = ours,
                                     .row_count = 2,
                                     .values = values};

static void test_means(void **state) {
    (void)state;
    struct figure shares = figure;
    assert_true(fabs(figure_mean(&figure, 0) - 32) < 1e-9);
    assert_true(fabs(figure_paper_mean(&figure, 0) - 21) < 1e-9);
    shares.gains = false;
    assert_true(fabs(figure_mean(&shares, 1) - 3.5) < 1e-9);
}

static void test_table(void **state) {
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    figure_print(&figure, out);
    fclose(out);
    assert_string_equal(text, "\nfig9: A figure's title\n\n"
                              "  % faster          first  second\n"
                              "  one                21.0     0.0\n"
                              "  two                44.0     7.0\n"
                              "  geometric mean     32.0     3.4\n"
                              "  paper's programs   21.0     0.0\n"
                              "  paper              30.0       -\n"
                              "  difference         -9.0       -\n"
                              "  two, first: paper 42.5, ours 44.0, difference +1.5\n"
                              "\n  Because.\n");
    free(text);
}

static void test_plot(void **state) {
    (void)state;
    struct error e = {0};
    char *folder = spawn_folder(), *path = spawn_text("%s/it's.svg", folder);
    assert_true(figure_plot(&figure, path, &e));
    char *svg = spawn_read(path);
    assert_non_null(strstr(svg, "A figure's title"));
    assert_non_null(strstr(svg, "</svg>"));
    assert_true(figure_plot(&figure, path, &e));
    char *again = spawn_read(path);
    assert_string_equal(again, svg);
    free(again);
    free(svg);
    free(path);
    path = spawn_text("%s/nowhere/x.svg", folder);
    assert_false(figure_plot(&figure, path, &e));
    assert_int_equal(e.status, EXIT_USER);
    free(path);
    spawn_remove_folder(folder);
}

static void assert_labelled(const char *svg, const char *text, bool expected) {
    char *label = spawn_text("<text>%s</text>", text);
    if (!strstr(svg, label) == expected) fail_msg("'%s' is%s in the plot", text, expected ? " not" : "");
    free(label);
}

/* Bars begin at 0; values and the paper's values, of a row and of the mean, are printed; both means have a
 * label if they differ. */
static void test_bars(void **state) {
    (void)state;
    struct error e = {0};
    char *folder = spawn_folder(), *path = spawn_text("%s/bars.svg", folder);
    struct figure ipc = figure;
    const double high[] = {151.5, 170, 207.5, -0.01};
    for (unsigned n = 0; n < 2; n++) {
        if (n) ipc.ours = NULL;
        ipc.values = high;
        ipc.gains = false;
        assert_true(figure_plot(&ipc, path, &e));
        char *svg = spawn_read(path);
        static const char *const labels[] = {" 0",    "one",   "two",  "first", "second", "paper",
                                             "151.5", "207.5", "42.5", "179.5", "30.0",   "0.0"};
        for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) assert_labelled(svg, labels[k], true);
        assert_labelled(svg, "mean of all", n == 0);
        assert_labelled(svg, "mean of the paper's", n == 0);
        assert_labelled(svg, "mean", n == 1);
        free(svg);
    }
    free(path);
    spawn_remove_folder(folder);
}

/* Bars that are all as long, or nothing: gnuplot has no empty range to warn of. */
static void test_equal_bars(void **state) {
    (void)state;
    struct error e = {0};
    char *folder = spawn_folder(), *path = spawn_text("%s/equal.svg", folder),
         *messages = spawn_text("%s/messages", folder);
    const int before = dup(STDERR_FILENO), file = open(messages, O_WRONLY | O_CREAT, 0600);
    struct figure equal = figure;
    const struct figure_series none[] = {{.name = "first", .paper = NAN}, {.name = "second", .paper = NAN}};
    equal.series = none;
    for (unsigned n = 0; n < 3; n++) {
        const double value = (double)n - 1, same[] = {value, value, value, value};
        equal.values = same;
        equal.gains = false;
        dup2(file, STDERR_FILENO);
        const bool plotted = figure_plot(&equal, path, &e);
        dup2(before, STDERR_FILENO);
        assert_true(plotted);
    }
    char *said = spawn_read(messages);
    assert_string_equal(said ? said : "", "");
    free(said);
    close(file);
    close(before);
    free(messages);
    free(path);
    spawn_remove_folder(folder);
}

/* --- the command --- */

/* Checks the number of figures, with an option or NULL. */
static void expect_report(char *config, const char *says, size_t figures) {
    char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build());
    struct spawned s = spawn(folder, (char *[]){command, "figures", "uniform", "--benchmark", "vector_add",
                                                "--out", "f", config, NULL});
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    char *path = spawn_text("%s/f/uniform.txt", folder), *text = spawn_read(path);
    assert_string_equal(text, s.out);
    assert_non_null(strstr(text, says));
    free(path);
    free(text);
    path = spawn_text("%s/f/uniform.json", folder);
    json_t *j = json_load_file(path, 0, NULL), *f;
    size_t n;
    assert_int_equal(json_array_size(json_object_get(j, "figures")), figures);
    json_array_foreach(json_object_get(j, "figures"), n, f) {
        const char *name = json_string_value(json_object_get(f, "name"));
        char *svg = spawn_text("%s/f/uniform-%s.svg", folder, name), *plot = spawn_read(svg);
        if (!plot) fail_msg("%s is missing", svg);
        free(plot);
        free(svg);
        assert_true(strlen(json_string_value(json_object_get(f, "note"))) > 100);
    }
    json_decref(j);
    free(path);
    spawn_free(&s);
    free(command);
    spawn_remove_folder(folder);
}

static void test_report(void **state) {
    (void)state;
    char *base = spawn_text("--config=%s/configs/dual-mode-4.yaml", spawn_source());
    expect_report(base, "on the dual-mode machine", 15);
    expect_report("--set=cluster.count=4", "on a machine like the paper's GTX 285", 18);
    free(base);
}

/* On two clusters, with a program whose threads do not diverge: every engine fills the lanes. */
static void test_harp(void **state) {
    (void)state;
    char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build());
    struct spawned s = spawn(folder, (char *[]){command, "figures", "harp", "--set=cluster.count=2",
                                                "--benchmark", "fft", "--out=figures", NULL});
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    char *path = spawn_text("%s/figures/harp.json", folder);
    json_t *j = json_load_file(path, 0, NULL), *figures = json_object_get(j, "figures"), *f;
    size_t n;
    assert_int_equal(json_array_size(figures), 9);
    json_array_foreach(figures, n, f) {
        assert_true(strlen(json_string_value(json_object_get(f, "note"))) > 100);
    }
    assert_non_null(strstr(s.out, "  fft               100.0  100.0  100.0  100.0   100.0"));
    json_decref(j);
    free(path);
    spawn_free(&s);
    free(command);
    spawn_remove_folder(folder);
}

static json_t *named(json_t *list, const char *name) {
    json_t *j;
    size_t n;
    json_array_foreach(list, n,
                       j) if (strcmp(json_string_value(json_object_get(j, "name")), name) == 0) return j;
    fail_msg("no %s", name);
    return NULL;
}

static double number_of(json_t *report, const char *of, const char *name, const char *row) {
    json_t *s = named(json_object_get(named(json_object_get(report, "figures"), of), "series"), name);
    json_t *value = json_object_get(s, row);
    return json_number_value(value ? value : json_object_get(json_object_get(s, "values"), row));
}

/* Returns the report of `lockstep figures stsimt` with one more word. */
static json_t *stsimt(char *word) {
    char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build());
    spawn_limit_seconds = 3600;
    struct spawned s = spawn(folder, (char *[]){command, "figures", "stsimt", "--out=figures", word, NULL});
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    char *path = spawn_text("%s/figures/stsimt.json", folder);
    json_t *report = json_load_file(path, 0, NULL);
    assert_non_null(report);
    free(path);
    spawn_free(&s);
    free(command);
    spawn_remove_folder(folder);
    return report;
}

/* Fig. 6: of two work-groups of 84 threads, lanes 2 and 5 have 20 each, and lanes 6 and 7 none. After 20 / 32
 * of the 66,000 cycles of a full warp, they are idle until both have ended; with TSIMT+ a third work-group
 * starts. */
static void test_stsimt(void **state) {
    (void)state;
    json_t *report = stsimt("--figure=6");
    assert_int_equal(json_array_size(json_object_get(report, "figures")), 2);
    for (unsigned lane = 0; lane < 8; lane++) {
        char *name = spawn_text("lane %u", lane);
        const double first = number_of(report, "fig6a", name, "24"),
                     later = number_of(report, "fig6a", name, "56"),
                     plus = number_of(report, "fig6b", name, "56");
        if (fabs(first - (lane < 6)) > 0.02 || fabs(later - (lane < 6 && lane % 3 != 2)) > 0.02 ||
            fabs(plus - (lane != 2)) > 0.02)
            fail_msg("%s: %.2f, %.2f; %.2f", name, first, later, plus);
        free(name);
    }
    json_decref(report);
}

/* Effects of scalars and lanes on the means (lanes.md §6), on all benchmarks. */
static void test_stsimt_directions(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    json_t *report = stsimt("--quiet");
    static const char *const mean = "geometric mean";
    const double tsimt = number_of(report, "fig7", "TSIMT", mean),
                 stsimt4 = number_of(report, "fig8", "STSIMT4", mean);
    print_message("over SIMT: TSIMT %+.1f %%, STSIMT4 %+.1f %%; scalars bring", tsimt, stsimt4);
    static const char *const machines[] = {"SIMT", "TSIMT+", "STSIMT4"};
    for (unsigned n = 0; n < 3; n++) {
        const double gain = number_of(report, "fig11scalars", machines[n], mean);
        print_message(" %s %+.1f %%", machines[n], gain);
        assert_true(gain > 0);
    }
    const double none = number_of(report, "fig9", "before", "mean"),
                 convergent = number_of(report, "fig9", "convergent", "mean"),
                 wide = number_of(report, "fig9", "wide", "mean");
    print_message("; words of a warp: none %.1f, convergent %.1f, wide %.1f\n", none, convergent, wide);
    assert_true(tsimt < 0 && stsimt4 > 0);
    assert_true(wide < convergent && convergent < none);

    /* SIMT with scalars is the faster one of nothing that diverges. */
    const char *program;
    json_t *value;
    json_t *both = named(json_object_get(named(json_object_get(report, "figures"), "fig11scalars"), "series"),
                         "STSIMT4 over SIMT, both with scalars");
    unsigned on_simt = 0;
    json_object_foreach(json_object_get(both, "values"), program, value) {
        if (json_number_value(value) >= 0) continue;
        print_message("%s: SIMT with scalars is faster, by %.1f %%\n", program, -json_number_value(value));
        assert_true(number_of(report, "fig4", "active threads", program) > 80);
        on_simt++;
    }
    assert_true(on_simt > 0);
    json_decref(report);
}

/* One figure of a report: no other is shown, and no machine run that it does not need. */
static void test_dual_mode(void **state) {
    (void)state;
    char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build());
    struct spawned s =
        spawn(folder, (char *[]){command, "figures", "dual-mode", "--figure", "13b", "--benchmark",
                                 "matrixmul", "--set=simt.scheduler=greedy_oldest", "--out=figures", NULL});
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    if (!strstr(s.err, "dual-mode: 1 benchmarks, 9 runs, of which 0 are in")) fail_msg("%s", s.err);
    char *path = spawn_text("%s/figures/dual-mode.json", folder);
    json_t *j = json_load_file(path, 0, NULL), *figures = json_object_get(j, "figures");
    assert_int_equal(json_array_size(figures), 1);
    assert_string_equal(json_string_value(json_object_get(json_array_get(figures, 0), "name")), "fig13b");
    json_decref(j);
    free(path);
    spawn_free(&s);
    free(command);
    spawn_remove_folder(folder);
}

/* Figure 17: three warps, start-up code on superscalar cores and SIMT mode make up the whole. */
static void test_superscalar(void **state) {
    (void)state;
    char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build());
    struct spawned s = spawn(folder, (char *[]){command, "figures", "dual-mode", "--figure", "17",
                                                "--benchmark", "nearest_neighbors", "--out=figures", NULL});
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    if (!strstr(s.err, "dual-mode: 1 benchmarks, 8 runs, of which 0 are in")) fail_msg("%s", s.err);
    char *path = spawn_text("%s/figures/dual-mode.json", folder);
    json_t *j = json_load_file(path, 0, NULL);
    static const char *const parts[] = {"SIMT", "start-up in order", "three warps"};
    double whole = 1;
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
        whole *= 1 + number_of(j, "fig17split", parts[n], "nearest_neighbors") / 100;
    assert_true(fabs(whole - 1 - number_of(j, "fig17", "dual-mode superscalar", "nearest_neighbors") / 100) <
                1e-6);
    json_decref(j);
    free(path);
    spawn_free(&s);
    free(command);
    spawn_remove_folder(folder);
}

/* Figure 16: its parts make up the whole, and fig16row is of another program.
 */
static void test_vectors(void **state) {
    (void)state;
    static const char *const parts[][3] = {{"MIMD, snucl", "snucl: four each", "snucl: NEON"},
                                           {"MIMD, modern", "modern: four each", "modern: NEON"},
                                           {"SIMT", "SIMT: four each", "SIMT: NEON"}};
    char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build());
    struct spawned s = spawn(folder, (char *[]){command, "figures", "dual-mode", "--figure", "16",
                                                "--benchmark", "nearest_neighbors", "--out=figures", NULL});
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    if (!strstr(s.err, "dual-mode: 1 benchmarks, 11 runs, of which 0 are in")) fail_msg("%s", s.err);
    char *path = spawn_text("%s/figures/dual-mode.json", folder);
    json_t *j = json_load_file(path, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(j, "figures")), 3);
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
        const double whole = number_of(j, "fig16", parts[n][0], "nearest_neighbors"),
                     each = number_of(j, "fig16split", parts[n][1], "nearest_neighbors"),
                     neon = number_of(j, "fig16split", parts[n][2], "nearest_neighbors");
        assert_true(each != 0 && neon != 0);
        assert_true(fabs((100 + each) * (100 + neon) / 100 - 100 - whole) < 1e-6);
    }
    json_decref(j);
    free(path);
    spawn_free(&s);
    free(command);
    spawn_remove_folder(folder);
}

/* Table 4's barriers, one for each arrival of a work-item, computed by hand from the sizes in
 * benchmarks/README.md: matrixmul 48 x 48 work-items times 2 x 6 tiles, nbody 256 x 256 / 32 = 2048 times 2
 * in each of 5 steps. The long form runs the paper's inputs and compares with its numbers, in the nine rows
 * with such an input. */
static void test_table_4(void **state) {
    (void)state;
    static const struct {
        const char *program;
        double small, full;
    } programs[] = {{"matrixmul", 48 * 48 * 2 * 6, 128000},
                    {"nbody", 2048 * 2 * 5, 81920},
                    {"b_tree", 0, 13056000},
                    {"backprop", 0, 10485760},
                    {"dwthaar1d", 0, 623552},
                    {"fdtd3d", 0, 4194304},
                    {"hotspot_pyramid", 0, 7573504},
                    {"lud", 0, 333056},
                    {"nw", 0, 8587264}};
    const bool full = getenv("LOCKSTEP_LONG") != NULL;
    const size_t count = full ? sizeof programs / sizeof programs[0] : 2;
    char *argv[32] = {spawn_text("%s/lockstep", spawn_build()),
                      "figures",
                      "dual-mode",
                      "--table",
                      "4",
                      "--out",
                      "figures",
                      "--size",
                      full ? "full" : "small"};
    for (size_t n = 0; n < count; n++) {
        argv[9 + 2 * n] = "--benchmark";
        argv[10 + 2 * n] = (char *)programs[n].program;
    }
    char *folder = spawn_folder();
    struct spawned s = spawn(folder, argv);
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    char *path = spawn_text("%s/figures/dual-mode%s.json", folder, full ? "-full" : "");
    json_t *report = json_load_file(path, 0, NULL);
    for (size_t n = 0; n < count; n++) {
        const double barriers = number_of(report, "table4barriers", "work-items", programs[n].program);
        assert_true(barriers == (full ? programs[n].full : programs[n].small));
        assert_true(number_of(report, "table4bpki", "BPKI", programs[n].program) > 1);
    }
    json_decref(report);
    free(path);
    free(argv[0]);
    spawn_free(&s);
    spawn_remove_folder(folder);
}

/* The shares of one side of a program add up to all cycles of the schedulers. */
static void assert_whole(json_t *report, const char *of, const char *program, const char *side) {
    static const char *const parts[] = {"idle", "1-8", "9-16", "17-24", "25-32"};
    double all = 0;
    for (unsigned n = 0; n < 5; n++) {
        char *name = spawn_text("%s %s", side, parts[n]);
        all += number_of(report, of, name, program);
        free(name);
    }
    assert_true(fabs(all - 100) < 1e-6);
}

/* Figs. 13 and 15 have rows of their own. Every cycle of the schedulers is counted, with and without scalar
 * threads (scalar-unit.md §4.2). */
static void test_scalar_unit(void **state) {
    (void)state;
    static const struct {
        char *figure, *programs[2];
    } parts[] = {{"13active", {"segmentation", "n_queens"}},
                 {"15active", {"stream_cluster", "neural_network"}}};
    for (unsigned n = 0; n < 2; n++) {
        char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build()),
             *of = spawn_text("fig%s", parts[n].figure);
        struct spawned s = spawn(folder, (char *[]){command, "figures", "scalar-unit", "--quiet",
                                                    "--out=figures", "--figure", n ? of : parts[n].figure,
                                                    "--benchmark", parts[n].programs[0], "--benchmark",
                                                    parts[n].programs[1], "--benchmark", "histogram", NULL});
        if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
        char *path = spawn_text("%s/figures/scalar-unit.json", folder);
        json_t *report = json_load_file(path, 0, NULL);
        assert_non_null(report);
        assert_null(strstr(s.out, "histogram"));
        for (unsigned p = 0; p < 2; p++) {
            assert_whole(report, of, parts[n].programs[p], "bl");
            assert_whole(report, of, parts[n].programs[p], "SIMT");
        }
        /* segmentation's warps are full; half of neural_network's work-groups run on the scalar units */
        if (n == 0)
            assert_true(number_of(report, of, "SIMT 25-32", "segmentation") >
                        4 * number_of(report, of, "bl 25-32", "segmentation"));
        else
            assert_true(number_of(report, of, "SIMT 1-8", "neural_network") <
                        number_of(report, of, "bl 1-8", "neural_network"));
        json_decref(report);
        free(path);
        free(of);
        spawn_free(&s);
        free(command);
        spawn_remove_folder(folder);
    }
}

/* Directions stated in the paper: which programs gain, and that a slower unit gains less. */
static void test_scalar_unit_directions(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    char *folder = spawn_folder(), *command = spawn_text("%s/lockstep", spawn_build());
    spawn_limit_seconds = 3600;
    struct spawned s =
        spawn(folder, (char *[]){command, "figures", "scalar-unit", "--quiet", "--out=figures", NULL});
    if (s.status) fail_msg("exit status %d\n%s", s.status, s.err);
    char *path = spawn_text("%s/figures/scalar-unit.json", folder);
    json_t *report = json_load_file(path, 0, NULL);
    assert_non_null(report);

    static const char mean[] = "geometric mean", *const diverging[] = {"laplace3d", "segmentation",
                                                                       "mandelbrot", "ray_tracing"};
    const double n_queens = number_of(report, "fig13", "divergence", "n_queens");
    for (unsigned n = 0; n < 3; n++) {
        const double gain = number_of(report, "fig13", "divergence", diverging[n]);
        print_message("%s %+.1f %%, ", diverging[n], gain);
        assert_true(gain > 4);
    }
    print_message("n_queens %+.1f %%\n", n_queens);
    assert_true(n_queens > -2);
    static const char *const extracted[] = {"neural_network", "stream_cluster", "fft", "bitonic_sort",
                                            "vector_add"};
    for (unsigned n = 0; n < 5; n++) {
        const double gain = number_of(report, "fig15", "extract", extracted[n]);
        print_message("%s %+.1f %%, ", extracted[n], gain);
        assert_true(n < 3 ? gain > 1 : fabs(gain) < 1);
        for (unsigned helped = 0; helped < 2; helped++) {
            const char *side = helped ? "SIMT" : "bl";
            assert_whole(report, "fig13active", n < 4 ? diverging[n] : "n_queens", side);
            assert_whole(report, "fig15active", extracted[n], side);
        }
    }
    print_message("\n");
    assert_true(number_of(report, "fig7", "prefetch", mean) > 2);
    assert_true(number_of(report, "fig7", "prefetch", "memory_copy") > 15);
    assert_true(number_of(report, "fig9", "1/4", mean) < number_of(report, "fig9", "1", mean));
    assert_true(number_of(report, "fig9", "1/8", mean) < number_of(report, "fig9", "1/4", mean));
    json_decref(report);
    free(path);
    spawn_free(&s);
    free(command);
    spawn_remove_folder(folder);
}

static void assert_refused(const char *says, int status, char *const arguments[]) {
    char *folder = spawn_folder(), *argv[10] = {spawn_text("%s/lockstep", spawn_build()), "figures"};
    for (int i = 0; arguments[i]; i++) argv[2 + i] = arguments[i];
    struct spawned s = spawn(folder, argv);
    assert_int_equal(s.status, status);
    if (!strstr(s.err, says)) fail_msg("'%s' is not in:\n%s", says, s.err);
    spawn_free(&s);
    free(argv[0]);
    spawn_remove_folder(folder);
}

static void test_wrong_command_lines(void **state) {
    (void)state;
    assert_refused("which report?", 125, (char *[]){NULL});
    assert_refused("no report is called 'harpy'", 125, (char *[]){"harpy", NULL});
    assert_refused("--benchmark nothing", 125, (char *[]){"uniform", "--benchmark", "nothing", NULL});
    assert_refused("--out a/b", 125, (char *[]){"uniform", "--out", "a/b", NULL});
    assert_refused("simt.warp_size", 125, (char *[]){"uniform", "--set", "simt.warp_size=3", NULL});
    assert_refused("the report 'harp' has no such benchmark, but n_queens, needleman_wunsch, path_finder",
                   125, (char *[]){"harp", "--benchmark", "mandelbrot", NULL});
    assert_refused("no such benchmark (did you mean 'bfs'?), but bfs, needleman_wunsch", 125,
                   (char *[]){"stsimt", "--benchmark", "bsf", NULL});
    assert_refused("no such figure, but fig4, fig5a", 125, (char *[]){"stsimt", "--figure", "60", NULL});
    assert_refused("figure 6 is of none of the benchmarks that --benchmark names", 125,
                   (char *[]){"stsimt", "--figure", "6", "--benchmark", "bfs", NULL});
    char *base = spawn_text("--config=%s/configs/dual-mode-4.yaml", spawn_source());
    assert_refused("contexts: vrf", 125, (char *[]){"harp", base, NULL});
    free(base);
    assert_refused("--figure 2: the report 'dual-mode' has no such figure", 125,
                   (char *[]){"dual-mode", "--figure", "2", NULL});
    assert_refused("--table 3: the report 'dual-mode' has no such figure", 125,
                   (char *[]){"dual-mode", "--table", "3", NULL});
    assert_refused("--size is of dual-mode, whose programs have two sizes", 125,
                   (char *[]){"harp", "--size", "full", NULL});
    assert_refused("simt.mitigation", 125,
                   (char *[]){"dual-mode", "--set=simt.warp_size=16", "--set=cluster.lanes=16",
                              "--set=cluster.threads_per_lane=64", NULL});
    assert_refused("mode is mimd", 125, (char *[]){"uniform", "--mode", "mimd", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_plot),
        cmocka_unit_test(test_bars),
        cmocka_unit_test(test_equal_bars),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_harp),
        cmocka_unit_test(test_dual_mode),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_superscalar),
        cmocka_unit_test(test_table_4),
        cmocka_unit_test(test_stsimt),
        cmocka_unit_test(test_stsimt_directions),
        cmocka_unit_test(test_scalar_unit),
        cmocka_unit_test(test_scalar_unit_directions),
        cmocka_unit_test(test_wrong_command_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kernels of tests/kernels/check, each with its mistake (-DBUG) and corrected. --check-races and
 * --check-memory report the marked lines of the source, and none for a corrected kernel, on the base machine
 * in both modes and on GPU-like ones. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINES 64

struct lines {
    bool marked[MAX_LINES];
};

/* Returns the lines of a source with a comment that consists of `word`. */
static struct lines marked_lines(const char *path, const char *word) {
    struct lines l = {{false}};
    char line[512], *mark = spawn_text("/* %s */", word);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (unsigned n = 1; fgets(line, sizeof line, file); n++) {
        assert_true(n < MAX_LINES);
        l.marked[n] = strstr(line, mark) != NULL;
    }
    fclose(file);
    free(mark);
    return l;
}

/* Returns the lines named in messages such as "  program1.cl:12  work-item …", "  at pc 0x10078,
 * program1.cl:12". */
static struct lines named_lines(const char *messages) {
    static const char place[] = "program1.cl:";
    struct lines l = {{false}};
    for (const char *at = messages; (at = strstr(at, "\n  ")); at++) {
        const char *end = strchr(at + 1, '\n'), *name = strstr(at, place);
        const bool names = at[3] == 'p' || strncmp(at + 3, "at pc", strlen("at pc")) == 0;
        if (!names || !name || (end && name > end)) continue;
        const int line = atoi(name + strlen(place));
        assert_in_range(line, 1, MAX_LINES - 1);
        l.marked[line] = true;
    }
    return l;
}

static void assert_lines(const char *path, const char *messages, const struct lines *expected) {
    const struct lines named = named_lines(messages);
    for (unsigned n = 1; n < MAX_LINES; n++)
        if (named.marked[n] != expected->marked[n])
            fail_msg("%s:%u: %s\n%s", path, n, named.marked[n] ? "is named, but not marked" : "is not named",
                     messages);
}

static struct spawned run_in(const char *mode, const char *machine, const char *check, char *path,
                             const char *options) {
    char *program = fixture_host("checked");
    struct spawned s = LOCKSTEP("run", "--quiet", "--mode", (char *)mode, "--config", (char *)machine,
                                (char *)check, "--", program, path, (char *)options);
    free(program);
    return s;
}

static struct spawned run(const char *machine, const char *check, char *path, const char *options) {
    return run_in("simt", machine, check, path, options);
}

/* Checks every kernel of the folder: the mistake is found, the corrected kernel has no report. */
static void check_folder_in(const char *mode, const char *folder, const char *word, const char *check,
                            const char *machine, bool stops) {
    char *pattern = spawn_text("%s/tests/kernels/check/%s/*.cl", spawn_source(), folder);
    glob_t files;
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *path = files.gl_pathv[i];
        const struct lines marked = marked_lines(path, word), none = {{false}};
        struct spawned s = run_in(mode, machine, check, path, "-DBUG");
        assert_lines(path, s.err, &marked);
        assert_status(&s, EXIT_PROGRAM_FAULT);
        if (!stops) assert_says(s.out, "checked: the kernel came back");
        spawn_free(&s);
        s = run_in(mode, machine, check, path, "");
        assert_lines(path, s.err, &none);
        assert_status(&s, 0);
        spawn_free(&s);
    }
    globfree(&files);
    free(pattern);
}

static void check_folder(const char *folder, const char *word, const char *check, const char *machine,
                         bool stops) {
    check_folder_in("simt", folder, word, check, machine, stops);
}

static void test_races(void **state) {
    (void)state;
    check_folder("races", "race", "--check-races", "dual-mode-4", false);
}

static void test_races_of_gpu_like_machines(void **state) {
    (void)state;
    check_folder("races", "race", "--check-races", "gtx285-like", false);
}

/* Accesses that leave their objects stop the run. */
static void test_bounds(void **state) {
    (void)state;
    check_folder("bounds", "bounds", "--check-memory=bounds", "dual-mode-4", true);
    check_folder("bounds", "bounds", "--check-memory=bounds", "gtx285-like", true);
}

static void test_wrong_way(void **state) {
    (void)state;
    check_folder("wrong_way", "read", "--check-memory", "dual-mode-4", false);
    check_folder("wrong_way", "read", "--check-memory", "fermi-like", false);
}

static void test_mimd_mode(void **state) {
    (void)state;
    check_folder_in("mimd", "bounds", "bounds", "--check-memory=bounds", "dual-mode-4", true);
    char *path = spawn_text("%s/tests/kernels/check/bounds/private_over_barrier.cl", spawn_source());
    struct spawned s = run_in("mimd", "out-of-order-3", "--check-memory=bounds", path, "-DBUG");
    assert_says(s.err, "; p has 4 elements (private memory, program1.cl:6); the 4 bytes are of q[");
    spawn_free(&s);
    free(path);
    check_folder_in("mimd", "wrong_way", "read", "--check-memory", "in-order-2", false);
    check_folder_in("mimd", "values", "value", "--check-memory", "out-of-order-3", false);
    check_folder_in("mimd", "values", "value", "--check-memory", "dual-mode-4", false);
}

/* The checks change no counter of a launch in MIMD mode, and each launch of mode auto is checked. */
static void test_mimd_mode_is_unchanged(void **state) {
    (void)state;
    static char *const machines[] = {"dual-mode-4", "in-order-2", "out-of-order-3"};
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    for (unsigned n = 0; n < 3; n++) {
        struct spawned s = LOCKSTEP("run", "--quiet", "--mode", "mimd", "--config", machines[n], "--stats",
                                    "plain.csv", "--", program);
        assert_status(&s, 0);
        spawn_free(&s);
        s = LOCKSTEP("run", "--quiet", "--mode", "mimd", "--config", machines[n], "--check-memory", "--stats",
                     "checked.csv", "--", program);
        assert_status(&s, 0);
        spawn_free(&s);
        s = spawn(fixture_folder,
                  (char *[]){"sh", "-c", "grep -v ^checks, checked.csv | diff plain.csv -", NULL});
        if (s.status) fail_msg("%s: %s", machines[n], s.out);
        spawn_free(&s);
    }
    free(program);
    char *path = spawn_text("%s/tests/kernels/check/bounds/halo.cl", spawn_source());
    struct spawned s = run_in("auto", "dual-mode-4", "--check-memory", path, "-DBUG");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "program1.cl:");
    spawn_free(&s);
    free(path);
}

static void test_values(void **state) {
    (void)state;
    check_folder("values", "value", "--check-memory", "dual-mode-4", false);
}

/* Warps of an SM share slots of work-groups; with tbc and dwf a warp has threads of several. With
 * LOCKSTEP_LONG=1 all kernels. */
static void test_values_of_gpu_like_machines(void **state) {
    (void)state;
    if (getenv("LOCKSTEP_LONG")) check_folder("values", "value", "--check-memory", "gtx285-like", false);
    static char *const machines[][2] = {{"fermi-like", "simt.divergence=tbc"},
                                        {"fermi-like", "simt.divergence=dwf"},
                                        {"gt640-scalar", "simt.collectors=2"}};
    char *program = fixture_host("checked"),
         *path = spawn_text("%s/tests/kernels/check/values/every_second.cl", spawn_source());
    for (unsigned n = 0; n < 6; n++) {
        const bool sound = n % 2;
        struct spawned s = LOCKSTEP("run", "--quiet", "--check-memory", "--config", machines[n / 2][0],
                                    "--set", machines[n / 2][1], "--", program, path, sound ? "" : "-DBUG");
        assert_status(&s, sound ? 0 : EXIT_PROGRAM_FAULT);
        if (sound)
            assert_null(strstr(s.err, "has no value"));
        else
            assert_says(s.err, " (local memory, argument 4), which has no value, to out[");
        spawn_free(&s);
    }
    free(path);
    free(program);
}

static void test_a_missing_value_is_explained(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *says;
    } cases[] = {
        {"every_second", "kernel k, launch 1: work-item (1,0,0) stores tile[1] (local memory, argument 4), "
                         "which has no value, to out[1]"},
        {"condition", "kernel k, launch 1: work-item (32,0,0) branches on tile[0] (local memory, argument "
                      "4), which has no "
                      "value\n  program1.cl:"},
        {"index", "kernel k, launch 1: work-item (63,0,0) takes for an address or an index other[63] (local "
                  "memory, argument 5), which has no value\n"},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        char *path = spawn_text("%s/tests/kernels/check/values/%s.cl", spawn_source(), cases[n].kernel);
        struct spawned s = run("dual-mode-4", "--check-memory", path, "-DBUG");
        assert_says(s.err, cases[n].says);
        assert_says(s.err,
                    " of values that nothing has written, at 1 place (--check-memory): see the messages");
        spawn_free(&s);
        free(path);
    }
}

/* Nearly all accesses of benchmarks are checked against an object, and none leaves it. */
static void test_accesses_of_benchmarks(void **state) {
    (void)state;
    static char *const runs[][3] = {
        {"reduction", "simt", "--check-memory"},
        {"histogram", "simt", "--check-memory"},
        {"black_scholes", "simt", "--check-memory"},
        {"convolution", "simt", "--check-memory"},
        {"segmentation", "mimd", "--check-memory"},
        {"dependent_chains", "mimd", "--check-memory"},
        {"dependent_chains", "simt", "--check-memory=bounds"},
        {"ray_tracing", "simt", "--check-memory=bounds"},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof runs[0]; n++) {
        char *program = spawn_text("%s/benchmarks/%s", spawn_build(), runs[n][0]);
        struct spawned s =
            LOCKSTEP("run", "--quiet", "--mode", runs[n][1], runs[n][2], "--stats", "s.csv", "--", program);
        assert_status(&s, 0);
        spawn_free(&s);
        char *path = fixture_path("s.csv"), *text = spawn_read(path);
        const char *all = strstr(text, "checks,accesses,"),
                   *known = strstr(text, "checks,accesses_by_object,");
        assert_true(all && known);
        assert_true(20 * atoll(known + strlen("checks,accesses_by_object,")) >=
                    19 * atoll(all + strlen("checks,accesses,")));
        free(text);
        free(path);
        free(program);
    }
}

/* The kernels of the other check are sound for this one. */
static void test_races_are_no_wrong_accesses(void **state) {
    (void)state;
    static char *const names[] = {"second_barrier", "vectors_overlap", "tree", "halves_of_a_word"};
    for (unsigned n = 0; n < 4; n++) {
        char *path = spawn_text("%s/tests/kernels/check/races/%s.cl", spawn_source(), names[n]);
        struct spawned s = run("dual-mode-4", "--check-memory", path, "-DBUG");
        assert_status(&s, 0);
        spawn_free(&s);
        free(path);
    }
}

static void test_a_wrong_access_is_explained(void **state) {
    (void)state;
    char *path = spawn_text("%s/tests/kernels/check/bounds/into_the_neighbour.cl", spawn_source());
    struct spawned s = run("dual-mode-4", "--check-memory", path, "-DBUG");
    assert_says(s.err,
                "kernel 'k', work-item (32, 0, 0) (local (32, 0, 0) of work-group (0, 0, 0)) writes s[32]; s "
                "has 32 elements (local memory, program1.cl:4); the 4 bytes are of t[0]\n  at pc 0x");
    spawn_free(&s);
    free(path);
    path = spawn_text("%s/tests/kernels/check/bounds/next_element.cl", spawn_source());
    s = run("dual-mode-4", "--check-memory=bounds", path, "-DBUG");
    assert_says(s.err,
                "work-item (63, 0, 0) (local (63, 0, 0) of work-group (0, 0, 0)) reads h[64]; h has 64 "
                "elements (local memory, program1.cl:8); the 4 bytes are of tile[0]\n  at pc 0x");
    spawn_free(&s);
    free(path);
    path = spawn_text("%s/tests/kernels/check/bounds/private_array.cl", spawn_source());
    s = run("dual-mode-4", "--check-memory", path, "-DBUG");
    assert_says(s.err,
                " reads q[9]; q has 8 elements (private memory, program1.cl:5); the 4 bytes are of p[1]");
    spawn_free(&s);
    free(path);
    path = spawn_text("%s/tests/kernels/check/bounds/private_struct.cl", spawn_source());
    s = run("dual-mode-4", "--check-memory", path, "-DBUG");
    assert_says(s.err, " writes s, byte -1");
    assert_says(s.err, "; s has 28 bytes (private memory, program1.cl:18)\n  at pc 0x");
    spawn_free(&s);
    free(path);
    path = spawn_text("%s/tests/kernels/check/wrong_way/write_only.cl", spawn_source());
    s = run("dual-mode-4", "--check-memory", path, "-DBUG");
    assert_says(s.err,
                "kernel k, launch 1: work-item (0,0,0) reads written[255] (buffer 3, argument 3), which the "
                "program made CL_MEM_WRITE_ONLY\n  program1.cl:7: out[i] = written[255 - i]; /* read */\n");
    assert_says(s.err,
                "lockstep: 128 reads of write-only buffers, at 1 place (--check-memory): see the messages "
                "above");
    spawn_free(&s);
    free(path);
}

/* The message for a race, word by word. */
static void test_a_race_is_explained(void **state) {
    (void)state;
    char *path = spawn_text("%s/tests/kernels/check/races/no_barrier.cl", spawn_source());
    struct spawned s = run("dual-mode-4", "--check-races", path, "-DBUG");
    assert_says(s.err, "kernel k, launch 1: a race on s[63] (local memory): no barrier that fences local "
                       "memory lies between\n"
                       "  program1.cl:6  work-item (63,0,0) writes it: s[i] = i; /* race */\n"
                       "  program1.cl:10  work-item (0,0,0) reads it: out[get_global_id(0)] = s[63 - i]; "
                       "/* race */\n"
                       "both of work-group (0,0,0); 128 pairs of accesses at these places\n");
    assert_says(s.err, "lockstep: 128 pairs of accesses race, at 1 pair of places (--check-races): see the "
                       "messages above");
    spawn_free(&s);
    free(path);
}

/* Stores of one value to one place: a note, and with =strict a race. */
static void test_equal_values(void **state) {
    (void)state;
    char *path = spawn_text("%s/tests/kernels/check/same_value.cl", spawn_source());
    struct spawned s = run("dual-mode-4", "--check-races", path, "");
    assert_status(&s, 0);
    assert_says(s.err, "launch 1: note: a race of stores of the same value on out[0] (buffer 1, argument 1)");
    spawn_free(&s);
    s = run("dual-mode-4", "--check-races=strict", path, "");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "launch 1: a race on out[0] (buffer 1, argument 1)");
    spawn_free(&s);
    free(path);
}

/* The only races of benchmarks are those in benchmarks/README.md. */
static void test_races_of_benchmarks(void **state) {
    (void)state;
    static char *const sound[] = {"reduction", "histogram", "bitonic_sort"};
    for (unsigned n = 0; n < 3; n++) {
        char *program = spawn_text("%s/benchmarks/%s", spawn_build(), sound[n]);
        struct spawned s = LOCKSTEP("run", "--quiet", "--check-races=strict", "--", program);
        assert_status(&s, 0);
        assert_null(strstr(s.err, "race"));
        spawn_free(&s);
        free(program);
    }
    char *program = spawn_text("%s/benchmarks/bfs", spawn_build());
    struct spawned s = LOCKSTEP("run", "--quiet", "--check-races", "--", program);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, ", at 2 pairs of places");
    assert_says(s.err, "a race on distance[");
    assert_says(s.err, "note: a race of stores of the same value on reached[0]");
    spawn_free(&s);
    free(program);
}

/* A machine on which values are not followed says so. */
static void test_values_are_not_followed_silently(void **state) {
    (void)state;
    static const char says[] = "lockstep: --check-memory: values that nothing has written are found on "
                               "machines without Advanced SIMD "
                               "only; on this machine, see the compiler's warnings\n";
    char *program = fixture_host("checked"),
         *path = spawn_text("%s/tests/kernels/check/values/scalar.cl", spawn_source());
    static char *const isas[] = {"cluster.isa=vfp", "cluster.isa=neon"};
    for (unsigned n = 0; n < 2; n++) {
        struct spawned s = LOCKSTEP("run", "--set", isas[n], "--check-memory", "--", program, path, "-DBUG");
        assert_status(&s, n ? 0 : EXIT_PROGRAM_FAULT);
        assert_int_equal(strstr(s.err, says) != NULL, n);
        spawn_free(&s);
    }
    free(path);
    free(program);
}

static void test_refused_options(void **state) {
    (void)state;
    char *program = fixture_host("checked");
    struct spawned s = LOCKSTEP("run", "--mode", "mimd", "--check-races", "--", program, "x.cl");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--check-races: in mode mimd a core runs the work-items of a work-group one after the "
                       "other, so that none are seen to race; use --mode simt");
    spawn_free(&s);
    s = LOCKSTEP("run", "--check-races=some", "--", program, "x.cl");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--check-races=some: the choices are --check-races and --check-races=strict");
    spawn_free(&s);
    s = LOCKSTEP("run", "--config", "gtx285-like", "--threads", "2", "--check-races", "--", program, "x.cl");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--threads 2: --check-races depends on the order of all clusters; leave one out");
    spawn_free(&s);
    s = LOCKSTEP("run", "--check-memory=some", "--", program, "x.cl");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--check-memory=some: the choices are --check-memory and --check-memory=bounds");
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_races),
                                       TEST(test_races_of_gpu_like_machines),
                                       TEST(test_a_race_is_explained),
                                       TEST(test_bounds),
                                       TEST(test_wrong_way),
                                       TEST(test_mimd_mode),
                                       TEST(test_mimd_mode_is_unchanged),
                                       TEST(test_values),
                                       TEST(test_values_of_gpu_like_machines),
                                       TEST(test_values_are_not_followed_silently),
                                       TEST(test_a_missing_value_is_explained),
                                       TEST(test_accesses_of_benchmarks),
                                       TEST(test_races_are_no_wrong_accesses),
                                       TEST(test_a_wrong_access_is_explained),
                                       TEST(test_equal_values),
                                       TEST(test_races_of_benchmarks),
                                       TEST(test_refused_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
